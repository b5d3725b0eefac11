"""Players who are known to follow tables, in `railbird assess`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import railbird as rb
from railbird.assess.aivat_hands import Place, TablePlayer
from railbird.assess.aivat_tables import HoldemDealing, KnownTables, TableAivat
from railbird.assess.self_play import SelfPlay, file_name
from railbird.assess.summary import MEASURES
from railbird.bots.base import Bot
from railbird.bots.equilibrium import strategy_of
from railbird.bots.registry import make_bot
from railbird.cards import holding_cards, parse_cards
from railbird.cli import main
from railbird.errors import AssessmentError, UnknownBotError
from railbird.game.actions import CALL, FOLD, raise_to
from railbird.play import assessing
from railbird.play.known import AskedPlayer, AskedSeat, known_players
from railbird.play.match_logs import read_hand_arrays, read_hands


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    folder = tmp_path_factory.mktemp("known") / "match"
    rb.play_match("equilibrium", "jagbot", hands=60, seed=3, duplicate=True, folder=folder, progress=False)
    return folder


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(each) for each in arguments])
    return stopped.value.code, capsys.readouterr()


def test_aivat_decides_where_a_player_is_known(capsys, match):
    code, told = run(capsys, "assess", match, "--known", "equilibrium")
    assert code == 0
    assert "Duplicate AIVAT says" in told.out
    assert "Surest of those without bias: " in told.out
    lines = told.out.splitlines()
    assert any(line.startswith("  AIVAT ") and "x fewer hands for the same certainty" in line for line in lines)
    code, told = run(capsys, "assess", match)
    assert "AIVAT" not in told.out
    assert "Duplicate DIVAT says" in told.out


def test_its_numbers_in_json_and_frames(capsys, match):
    _, told = run(capsys, "assess", match, "--known", "equilibrium", "--json")
    [pair] = json.loads(told.out)["pairs"]
    found = assessing.assess(match, known="equilibrium", progress=False)
    [summary] = found.pairs
    estimate = summary.estimate("aivat")
    assert pair["measures"]["aivat"]["mean"] == pytest.approx(estimate.mean)
    assert estimate.sd < summary.estimate("money").sd / 2
    assert {"aivat", "duplicate_aivat"} <= {row["measure"] for row in found.rows()}
    assert summary.worth("aivat") > 2
    assert MEASURES["aivat"].is_unbiased
    assert not MEASURES["all_in"].is_unbiased


def test_who_cannot_be_known(capsys, match):
    for known, words in (
        ("jagbot=loki", "'loki' does not tell its probabilities, so it cannot be known"),
        ("jagbot=hobbybot", "not 'hobbybot'; it is known by jagbot=jagbot"),
        ("jagbot=vexbot", "'vexbot' does not tell its probabilities, so it cannot be known"),
        ("Ann", "no bot 'Ann' (all: railbird bots); a player of another name is known by NAME=BOT"),
        ("Ann=equilibrium", "no player 'Ann' to be known (equilibrium, jagbot)"),
        ("equilibrium=always-raise", "equilibrium did what it never does, whatever it holds; is it the right bot?"),
    ):
        code, told = run(capsys, "assess", match, "--known", known)
        assert code != 0
        assert words in told.err


def test_bots_without_a_table_are_asked(match):
    arrays = read_hand_arrays([match])
    asked, told = known_players(["jagbot"]), known_players(["equilibrium"])
    money = arrays.fair_payoffs[:, 0] / arrays.small_bet
    for players in (asked, told):
        measured = players.samples(arrays)
        apart = money - measured
        assert abs(apart.mean()) < 4.5 * apart.std() / len(arrays) ** 0.5
        assert measured.std() < money.std() / 2


def test_a_table_that_is_asked_says_the_same(match):
    strategy, place = strategy_of(), Place(0, 1, 3, parse_cards("Jh7s2c"))
    table, buckets = TablePlayer(strategy).chances(place, 0)
    asked, every = AskedPlayer(make_bot("equilibrium"), strategy.game, "equilibrium").chances(place, 0)
    own = asked.sum(axis=(1, 2)) > 0
    live = [at for at in range(1326) if not set(holding_cards(at)) & set(place.board)]
    assert own.sum() == 5
    np.testing.assert_allclose(asked[own][:, every[live]], table[own][:, buckets[live]], atol=1e-6)


def test_other_games_are_refused(tmp_path):
    rb.play_match(
        "always-call", "always-raise", hands=4, seed=3, game="limit:cap=6", folder=tmp_path / "m", progress=False
    )
    with pytest.raises(AssessmentError, match="AIVAT is for limit hold'em with at most four bets"):
        assessing.assess(tmp_path / "m", known="always-call", progress=False)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Matches without a limit, and of three."""
    folder, how = tmp_path_factory.mktemp("tables"), {"seed": 3, "duplicate": False, "progress": False}
    rb.play_match("expert", "bpm", hands=80, game="no-limit", folder=folder / "no-limit", **how)
    rb.play_match("expert", "bpl", "yoki-default", hands=60, folder=folder / "three", **how)
    return folder


@pytest.mark.parametrize(("name", "known"), [("no-limit", ["expert"]), ("three", ["yoki-default", "expert"])])
def test_aivat_at_other_tables(tables, name, known):
    [table] = assessing.assess(tables / name, known=known, progress=False).results
    text = str(table)
    assert "Surest of those without bias: AIVAT" in text
    assert any("AIVAT" in line and "x fewer hands for the same certainty" in line for line in text.splitlines())
    assert table.deciding == table.surest == "aivat"
    for player in table.names:
        money, aivat = table.estimate("money", player), table.estimate("aivat", player)
        # What is taken off is luck: nothing on average.
        assert abs(money.mean - aivat.mean) < 4.5 * money.sd / money.count**0.5
    assert sum(table.estimate("aivat", player).mean for player in table.names) == pytest.approx(0.0, abs=1e-9)
    assert table.sums.worth("aivat") > table.sums.worth("mivat") > table.sums.worth("less_luck") > 1
    found = table.to_json()
    assert found["surest"] == "aivat"
    assert set(found["worth"]) >= {"less_luck", "mivat", "aivat"}


def test_without_known_players_other_tables_are_decided_by_money_less_luck(tables):
    [table] = assessing.assess(tables / "three", progress=False).results
    assert table.deciding == "less_luck"
    assert table.surest == "mivat"
    assert "aivat" not in table.measures


def test_who_cannot_be_known_at_other_tables(capsys, tables):
    for known, words in (
        ("bpm=loki", "'loki' learns; such players are known in heads-up limit hold'em only"),
        ("bpm", "'bpm' does not tell its probabilities, so it cannot be known"),
        ("bpm=equilibrium", "'equilibrium' does not play no-limit with 2 seats; is it the right bot?"),
        ("Ann=expert", "no player 'Ann' to be known (expert, bpm)"),
        ("expert=always-call", "expert did what it never does, whatever it holds; is it the right bot?"),
    ):
        code, told = run(capsys, "assess", tables / "no-limit", "--known", known)
        assert code != 0
        assert words in told.err


class Sizes(Bot):
    """Bets the pot or all it has, more often with high cards."""

    def told_actions(self, view):
        node = view.betting
        if not node.can_raise:
            return FOLD, CALL
        pot = min(max(node.min_raise_to, node.committed[view.position] + node.to_call + node.pot), node.max_raise_to)
        return FOLD, CALL, *dict.fromkeys((raise_to(pot), raise_to(node.max_raise_to)))

    def probabilities(self, view, every=False):
        holes = [holding_cards(at) for at in range(1326)] if every else [view.hole_cards]
        high = np.array([max(hole) / 51 for hole in holes])
        columns = [(1 - high) * view.can_fold, 0.5 + 0 * high, high / 2, high / 9][: len(self.told_actions(view))]
        found = np.stack(columns, axis=-1)
        found /= found.sum(axis=1, keepdims=True)
        return found if every else found[0]

    def act(self, view):
        chances = np.cumsum(self.probabilities(view))
        return self.told_actions(view)[int(np.searchsorted(chances, self.rng.random(), side="right"))]


def test_a_bot_that_bets_several_sizes_tells_them(tmp_path):
    result = rb.play_match(
        Sizes(), "bpm", hands=100, seed=5, game="no-limit:stack=2000", folder=tmp_path / "m", progress=False
    )
    records = read_hands(tmp_path / "m")
    known = KnownTables(TableAivat(HoldemDealing()), {result.spec.names[0]: AskedSeat(Sizes(), "Sizes")})
    position = [record.names.index(result.spec.names[0]) for record in records]
    money = np.array([record.payoffs[at] for record, at in zip(records, position)])
    measured = np.array([known.of(record)[at] for record, at in zip(records, position)])
    assert len({step[1] for record in records for step in record.steps()}) > 20
    assert abs((money - measured).mean()) < 4.5 * (money - measured).std() / len(records) ** 0.5
    assert measured.std() < money.std() / 2


def test_nobody_is_known_unless_named():
    assert known_players([]) is None
    with pytest.raises(UnknownBotError):
        known_players(["nobody"])


def test_the_values_that_ship_are_those_of_the_equilibrium_that_ships():
    strategy = strategy_of()
    assert file_name(strategy) == "selfplay-7e0a64b5"
    values = SelfPlay.of(strategy).values
    assert [part.shape for part in values] == [(2, 1, 169), (2, 7, 10_000), (2, 63, 5_000), (2, 567, 1_000)]
    # The big blind's place is worth less than the button's.
    assert values[0][0].mean() < values[0][1].mean()


def test_the_page_says_which_measure_decides(tmp_path, capsys, match):
    run(capsys, "assess", match, "--known", "equilibrium", "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "what decisions were worth (AIVAT)" in page
    assert MEASURES["aivat"].meaning in page


def test_a_match_against_equilibrium_says_how_many_hands_a_verdict_takes(tmp_path, capsys):
    words = "against equilibrium, whose play is known, a difference of 0.05 sb/hand takes about 400 to 900 hands of"
    for players, told in ((("expert", "equilibrium"), True), (("expert", "random"), False)):
        _, said = run(capsys, "match", *players, "--hands", 2, "--no-divat", "--out", tmp_path / players[1])
        assert (words in " ".join(said.out.split())) == told
