"""Players who learn are known from the match that they played: shown its hands again, they say what they said then."""

from __future__ import annotations

import re

import numpy as np
import pytest

import railbird as rb
from railbird.assess.aivat_hands import Place
from railbird.bots.hobbybot import HobbyBot
from railbird.bots.registry import make_bot
from railbird.cards import holding_index
from railbird.errors import AssessmentError
from railbird.game.betting_rounds import betting_rounds
from railbird.game.view import PlayerView
from railbird.play.folder import MatchFolder
from railbird.play.known import known_players
from railbird.play.match_logs import read_hand_arrays

QUICK = "hobbybot:patience=2"


class NotedHobbyBot(HobbyBot):
    """Notes what it says of its own holding whenever it acts."""

    said: list

    def act(self, view):
        self.said.append((view.hand_number, view.history, view.position, self.probabilities(view).tolist()))
        return super().act(view)


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learning") / "m"
    rb.play_match(QUICK, "always-raise", hands=25, seed=3, duplicate=True, folder=folder, progress=False)
    return folder


@pytest.fixture(scope="module")
def name(match):
    return MatchFolder.open(match).spec.names[0]


def test_it_says_again_what_it_said_when_it_played(tmp_path):
    bot = NotedHobbyBot(patience=2)
    bot.said = []
    rb.play_match(bot, "always-raise", hands=25, seed=3, folder=tmp_path / "m", progress=False)
    rb.play_match(QUICK, "always-raise", hands=25, seed=3, folder=tmp_path / "again", progress=False)
    name = MatchFolder.open(tmp_path / "again").spec.names[0]
    hands = read_hand_arrays([tmp_path / "again"])
    followed = known_players([f"{name}={QUICK}"]).players[name].in_hands(hands)
    tree, seen, changed = followed.tree, (0, 3, 4, 5), 0
    untaught = make_bot(QUICK)
    for number, history, position, chances in bot.said:
        street, node = history.count("/"), followed.tree.node(history)
        rounds = betting_rounds(tree.game)[street]
        board = tuple(hands.board[number, : seen[street]].tolist())
        place = Place(number, street, rounds.number(node), board, number)
        table, buckets = followed.chances(place, position)
        at = rounds.decisions.tolist().index(node - int(rounds.openings[place.round]))
        record = hands.record(number)
        hole = record.holes[position]
        assert table[at, buckets[holding_index(*hole)]] == pytest.approx(chances, abs=1e-6)
        betting = next(betting for betting, _ in record.steps() if betting.history == history)
        view = PlayerView(betting, position, hole, board, number, record.names)
        changed += not np.allclose(untaught.probabilities(view), chances)
    assert changed > 5  # it has learned, so that it is not enough to ask a fresh one


def test_its_measure_agrees_with_money(match, name):
    hands = read_hand_arrays([match])
    measured = known_players([QUICK]).samples(hands)
    money = hands.fair_payoffs[:, 0] / hands.small_bet
    apart = money - measured
    assert abs(apart.mean()) < 4.5 * apart.std() / len(hands) ** 0.5
    assert measured.std() < 0.8 * money.std()
    assert rb.assess(match, known=name, progress=False).pairs[0].estimate("aivat").count == 50


def test_only_whole_matches_tell_what_it_had_learned(tmp_path, match, name):
    known = known_players([f"{name}={QUICK}"])
    hands = read_hand_arrays([match])
    with pytest.raises(AssessmentError, match=r"hands-01\.log lacks some of its hands"):
        known.samples(hands.where(hands.numbers > 3))
    copy = tmp_path / "alone.log"
    copy.write_bytes((match / "hands-01.log").read_bytes())
    with pytest.raises(AssessmentError, match="known in the folder of a match only"):
        known.samples(read_hand_arrays([copy]))
    with pytest.raises(AssessmentError, match=re.escape(f"it is known by {name}={QUICK}")):
        known_players([f"{name}=hobbybot"]).samples(hands)


def test_by_itself_it_says_nothing():
    player = known_players(["hobbybot"]).players["hobbybot"]
    with pytest.raises(AssessmentError, match="known in the hands of a match"):
        player.chances(Place(0, 0, 0, ()), 0)
