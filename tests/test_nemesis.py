"""Nemesis, who knows a bot's probabilities: its values against a naive twin, what it wins, and lower bounds."""

from __future__ import annotations

import json

import numpy as np
import pytest

import naive
from railbird.bots.base import Bot, own_row
from railbird.bots.frozen import Frozen
from railbird.bots.hobbybot import HobbyBot
from railbird.bots.nemesis import Nemesis
from railbird.bots.registry import make_bot
from railbird.bots.simple import AlwaysCall
from railbird.cards import HOLDING_COUNT, holding_cards, parse_cards
from railbird.cli import main
from railbird.errors import MatchError, RailbirdError, UnknownBotError
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.lower_bound import lower_bound
from railbird.play.matches import play_match
from railbird.play.snapshots import bot_after

GAME = limit_holdem()
EXACT = {"always-fold": 750.0, "always-call": 1163.5, "always-raise": 3697.7}
"""What a best response wins (docs/exploitability.md)."""


def view_of(holding, board="", history="", number=0):
    node = Betting.start(GAME).play(history)
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), number, ("Ann", "Bob"))


class Moody(Bot):
    """Does anything with anything, by betting and holding, but holds few hands only to be quick to reckon with."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.questions: list[tuple[str, bool]] = []

    def triple(self, history, holding):
        weights = np.random.default_rng([self.seed, len(history), *map(ord, history), *holding]).random(3) ** 3
        node = Betting.start(GAME).play(history)
        weights *= (node.can_fold, True, node.can_raise)
        return weights / weights.sum()

    def probabilities(self, view, every=False):
        self.questions.append((view.history, every))
        if not every:
            return self.triple(view.history, view.hole_cards)
        return np.array([self.triple(view.history, holding_cards(h)) for h in range(HOLDING_COUNT)])

    def act(self, view):
        return CALL


@pytest.mark.parametrize(
    ("holding", "board", "history"),
    [
        ("AcKc", "Jh7s2cAd9h", "rc/cc/crc/"),
        ("6s5s", "Jh7s2cAd9h", "crc/cc/cc/cr"),
        ("4d3d", "Jh7s2cAd", "rrc/cc/r"),
        ("QdQc", "Jh7s2cTd", "cc/crrc/"),
        ("Ts9s", "Jh7s2c", "rc/cr"),
    ],
)
def test_values_and_range_are_those_of_the_twin(holding, board, history):
    bot, view = Moody(len(history)), view_of(holding, board, history)
    nemesis = Nemesis.of(bot, "moody", holdings=60 if len(view.board_cards) > 3 else 6)
    found, weights = nemesis.explain(view).expected_values, nemesis.range(view)

    own, cards = view.position, set(view.hole_cards + view.board_cards)
    asked = np.flatnonzero(weights).tolist()
    assert asked
    assert not any(cards & set(holding_cards(h)) for h in asked)
    expected = {}
    for h in asked:
        expected[holding_cards(h)] = 1.0
        past = ""
        for kind in history:
            actor = naive.limit_state(past)[0]
            if kind != "/" and actor != own:
                expected[holding_cards(h)] *= bot.triple(past, holding_cards(h))["fcr".index(kind)]
            past += kind
    total = sum(expected.values())
    expected = {other: weight / total for other, weight in expected.items()}
    np.testing.assert_allclose(weights[asked], list(expected.values()), rtol=1e-5)

    values = naive.local_reply(history, own, view.hole_cards, view.board_cards, expected, bot.triple)
    if view.to_call_chips == 0:
        values.pop("f", None)
    names = {"f": "fold", "c": "call", "r": "raise"}
    assert found == pytest.approx({names[kind]: value / 2 for kind, value in values.items()}, abs=1e-4)
    assert nemesis.act(view).kind == max(values, key=lambda kind: values[kind])


def test_it_takes_everything_from_the_simplest_players():
    # Against a caller the price decides; on the river a sure hand raises, a hopeless one folds.
    caller, folder, raiser = (Nemesis(to=f"always-{what}") for what in ("call", "fold", "raise"))
    assert caller.act(view_of("AsAh")).kind == "r"
    assert caller.act(view_of("7d2c")).kind == "c"
    assert folder.act(view_of("7d2c")).kind == "r"
    assert raiser.act(view_of("AsKs", "QsJsTs2c3d", "rrrc/rrrrc/rrrrc/r")).kind == "r"
    assert raiser.act(view_of("3h2h", "QsJsTs4c9d", "rrrc/rrrrc/rrrrc/rr")).kind == "f"


@pytest.mark.parametrize("name", EXACT)
def test_it_wins_nearly_what_a_best_response_wins_and_no_more(name):
    found = lower_bound(name, hands=150, seed=5)
    assert found.won.mean - found.won.margin <= EXACT[name] + 1e-6
    assert found.won.mean + found.won.margin >= 0.95 * EXACT[name]
    assert found.won.count == 150


def test_a_bot_may_be_asked_about_some_holdings():
    bot = Moody()
    nemesis = Nemesis.of(bot, "moody", holdings=40)
    view = view_of("AcKc", "Jh7s2cAd9h", "rc/cc/crc/")
    assert 20 < np.count_nonzero(nemesis.range(view)) <= 40
    assert not any(every for _, every in nemesis.bot.questions)
    assert not bot.questions  # a copy was asked
    again = Nemesis.of(bot, "moody", holdings=40)
    np.testing.assert_array_equal(again.range(view), nemesis.range(view))
    other = view_of("AcKc", "Jh7s2cAd9h", "rc/cc/crc/", number=1)
    assert (again.range(other) != nemesis.range(view)).any()
    assert lower_bound("jagbot", hands=40, seed=1, holdings=100).won.mean > 0


def test_a_bot_that_does_what_it_never_does_may_hold_anything():
    nemesis = Nemesis(to="always-call")
    weights = nemesis.range(view_of("AcKc", "", "cr"))
    assert np.count_nonzero(weights) == 1225
    assert np.ptp(weights[weights > 0]) == 0


def test_who_cannot_be_known_is_refused():
    with pytest.raises(UnknownBotError, match=r"loki does not tell its probabilities for all holdings, so nobody can"):
        Nemesis(to="loki").can_play(GAME)
    with pytest.raises(RailbirdError, match="loki does not tell"):
        lower_bound("loki", hands=10)
    with pytest.raises(UnknownBotError, match="holdings=2000; there are 1,326"):
        make_bot("nemesis:holdings=2000")
    with pytest.raises(UnknownBotError, match="a nemesis does not tell"):
        make_bot("nemesis:to=nemesis")
    assert not Nemesis(to="always-call").can_play(no_limit_holdem())
    assert not Nemesis(to="always-call").can_play(kuhn_poker())
    assert not Nemesis(to="always-call").can_play(limit_holdem(3))
    for game in ("kuhn", "no-limit", "limit:cap=3"):
        with pytest.raises(MatchError, match="a nemesis plays heads-up limit hold'em with the usual bets and blinds"):
            lower_bound("always-call", hands=10, game=game)


class Liar(AlwaysCall):
    """Says that it calls, and does not answer."""

    def act(self, view):
        raise KeyError("flop")


class Weird(AlwaysCall):
    def probabilities(self, view, every=False):
        return own_row(np.full((HOLDING_COUNT, 3), 0.5), view, every)

    def table_policy(self, game):
        return None


def test_what_a_bot_does_wrong_is_told():
    with pytest.raises(MatchError, match=r"Liar failed at the table, so its hands say nothing: .*KeyError"):
        lower_bound(Liar, hands=5)
    with pytest.raises(RailbirdError, match=r"Weird gives .* chances sum to 1, and these to 1.5"):
        lower_bound(Weird, hands=5)


def test_a_learner_stays_as_it_is(tmp_path):
    play_match("hobbybot", "always-raise", hands=300, seed=2, folder=tmp_path / "m")
    snapshot = bot_after(tmp_path / "m", "hobbybot")
    view = view_of("AcTc", "Jh7s2c", "rc/r")
    before = snapshot.bot.probabilities(view, every=True)
    beginner = HobbyBot().probabilities(view, every=True)
    assert (before != beginner).any()
    found = lower_bound(snapshot, hands=40, seed=1)
    assert found.player == snapshot.name
    assert "after 300 hands" in found.player
    np.testing.assert_array_equal(snapshot.bot.probabilities(view, every=True), before)
    assert found.won != lower_bound("hobbybot", hands=40, seed=1).won
    assert lower_bound(HobbyBot(), hands=40, seed=1).won == lower_bound("hobbybot", hands=40, seed=1).won


def test_who_is_frozen_forgets_each_hand():
    hobbybot = HobbyBot()
    frozen = Frozen(hobbybot)
    assert frozen.can_play(GAME)
    assert not frozen.learns
    first = play_match(frozen, "always-raise", hands=400, seed=3)
    again = play_match(frozen, "always-raise", hands=400, seed=3)
    assert first.to_json() == again.to_json()
    view = view_of("AcTc", "Jh7s2c", "rc/r")
    np.testing.assert_array_equal(hobbybot.probabilities(view, every=True), HobbyBot().probabilities(view, every=True))
    learned = play_match(HobbyBot(), "always-raise", hands=400, seed=3)
    assert learned.players[0].money.mean != first.players[0].money.mean


def test_the_command(capsys):
    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(["exploit", *arguments])
        assert not end.value.code
        return capsys.readouterr().out

    found = json.loads(run("always-call", "--nemesis", "40", "--json"))
    assert found["schema"] == "railbird.lower-bound/1"
    assert (found["bot"], found["pairs"], found["holdings"]) == ("always-call", 40, None)
    out = run("always-call", "--nemesis", "40")
    assert out.startswith("nemesis of always-call | heads-up limit hold'em | 40 pairs of hands | seed 0")
    assert f"wins {found['at_least']['mean']:.1f} ± {found['at_least']['margin95']:.1f} milli small bets" in out
    assert "asked about 200 holdings a hand" in run("always-call", "--nemesis", "4", "--holdings", "200")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nemesis", "4", "--flops", "2"], "--flops"),
        (["--nemesis", "4", "--exact"], "--exact"),
        (["--nemesis", "4", "--beside", "random"], "--beside"),
        (["--nemesis", "4", "--table", "t.json"], "--table"),
        (["--nemesis", "4", "--backend", "gpu"], "--backend"),
        (["--nemesis", "0"], "0 pairs of hands"),
        (["--flops", "2", "--holdings", "20"], "--nemesis"),
    ],
)
def test_what_the_command_refuses(capsys, arguments, message):
    with pytest.raises(SystemExit) as end:
        main(["exploit", "always-call", *arguments])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
