"""Nemesis, who knows a bot's probabilities: its values against a naive twin, what it wins, and lower bounds."""

from __future__ import annotations

import json
import re
import threading

import numpy as np
import pytest

import naive
from railbird.bots.base import Bot, own_row
from railbird.bots.frozen import Frozen
from railbird.bots.hobbybot import HobbyBot
from railbird.bots.nemesis import Nemesis
from railbird.bots.registry import make_bot
from railbird.bots.simple import AlwaysCall
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index, parse_cards
from railbird.cli import main
from railbird.errors import MatchError, RailbirdError, UnknownBotError
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.lower_bound import LowerBound, lower_bound
from railbird.play.matches import play_match
from railbird.play.snapshots import bot_after
from railbird.statistics import Estimate
from railbird.stopping import what_was_kept

GAME = limit_holdem()
EXACT = {"always-fold": 750.0, "always-call": 1163.5, "always-raise": 3697.7}
"""What a best response wins (docs/exploitability.md)."""


def view_of(holding, board="", history="", number=0):
    node = Betting.start(GAME).play(history)
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), number, ("Ann", "Bob"))


class Moody(Bot):
    """Does anything with anything, by betting and holding; but with a few holdings alone it begins as a line does."""

    def __init__(self, seed: int = 0, line: str = "", few: int = HOLDING_COUNT) -> None:
        self.seed, self.line = seed, line
        self.held = set(np.random.default_rng(seed).permutation(HOLDING_COUNT)[:few].tolist())
        self.asked: list[tuple[str, tuple[str, ...], int]] = []

    def triple(self, history, holding):
        node = Betting.start(GAME).play(history)
        if history in ("", "c", "r") and holding_index(*holding) not in self.held:
            other = "f" if node.can_fold else "r" if self.line[len(history)] == "c" else "c"
            return np.array([other == kind for kind in "fcr"], np.float64)
        weights = np.random.default_rng([self.seed, len(history), *map(ord, history), *holding]).random(3) ** 3
        weights *= (node.can_fold, True, node.can_raise)
        return weights / weights.sum()

    def probabilities(self, view, every=False):
        self.asked.append((view.history, view.names, view.position))
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
        ("Ts9s", "Jh7s2c", "rc/c"),
    ],
)
def test_values_and_range_are_those_of_the_twin(holding, board, history):
    view = view_of(holding, board, history)
    bot = Moody(len(history), history, 60 if len(view.board_cards) > 3 else 8)
    nemesis = Nemesis.of(bot, "moody")
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


def test_the_bot_is_asked_as_the_player_in_its_seat():
    bot, view = Moody(), view_of("AcKc", "Jh7s2c", "rrc/crc/"[:4])
    nemesis = Nemesis.of(bot, "moody")
    nemesis.act(view)
    own = view.position
    assert bot.asked
    assert {(names[position], position) for _, names, position in bot.asked} == {("bot", 1 - own)}
    questions = len(bot.asked)
    assert nemesis.explain(view).action == nemesis.act(view)
    assert len(bot.asked) == questions  # each question once a hand


def test_a_bot_that_does_what_it_never_does_may_hold_anything():
    nemesis = Nemesis(to="always-call")
    weights = nemesis.range(view_of("AcKc", "", "cr"))
    assert np.count_nonzero(weights) == 1225
    assert np.ptp(weights[weights > 0]) == 0
    # ... also if the board takes what it could have.
    bot = Moody(1, "rc/", 1)
    pair = holding_cards(min(bot.held))
    board = (*pair, *[card for card in range(52) if card not in pair][:1])
    node = Betting.start(GAME).play("rc/c")
    view = PlayerView(node, node.to_act, (50, 51), board, 0, ("Ann", "Bob"))
    weights = Nemesis.of(bot, "moody").range(view)
    assert np.count_nonzero(weights) == 47 * 46 // 2


def test_who_cannot_be_known_is_refused():
    with pytest.raises(UnknownBotError, match=r"loki does not tell its probabilities for all holdings, so nobody can"):
        Nemesis(to="loki").can_play(GAME)
    with pytest.raises(RailbirdError, match="loki does not tell"):
        lower_bound("loki", hands=10)
    with pytest.raises(UnknownBotError, match="nemesis does not tell"):
        make_bot("nemesis:to=nemesis").can_play(GAME)
    with pytest.raises(UnknownBotError, match=r"railbird exploit ./mybot.py:... --nemesis 300"):
        make_bot("nemesis:to=./mybot.py:MyBot")
    with pytest.raises(UnknownBotError, match=r"Silent does not .* tells how to add probabilities\(self, view, every"):
        lower_bound(Silent, hands=10)
    assert not Nemesis(to="always-call").can_play(no_limit_holdem())
    assert not Nemesis(to="always-call").can_play(kuhn_poker())
    assert not Nemesis(to="always-call").can_play(limit_holdem(3))
    for game in ("kuhn", "no-limit", "limit:cap=3"):
        with pytest.raises(MatchError, match="hands of a nemesis are measured at heads-up limit hold'em"):
            lower_bound("always-call", hands=10, game=game)


class Silent(Bot):
    """Calls, and does not say so."""

    def act(self, view):
        return CALL


class Faulty(AlwaysCall):
    """Says that it calls, and does not answer."""

    def act(self, view):
        raise KeyError("flop")


class Weird(AlwaysCall):
    def probabilities(self, view, every=False):
        return own_row(np.full((HOLDING_COUNT, 3), 0.5), view, every)

    def table_policy(self, game):
        return None


class Liar(AlwaysCall):
    """Says that it calls nine times of ten, and always raises."""

    def probabilities(self, view, every=False):
        triple = (0.0, 0.9, 0.1) if view.can_raise else (0.0, 1.0, 0.0)
        return own_row(np.tile(triple, (HOLDING_COUNT, 1)), view, every)

    def table_policy(self, game):
        return None

    def act(self, view):
        return view.smallest_raise() if view.can_raise else CALL


class Surprising(AlwaysCall):
    """Says that it calls, and raises."""

    def act(self, view):
        return view.smallest_raise() if view.can_raise else CALL


class Locked(AlwaysCall):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_what_a_bot_does_wrong_is_told():
    with pytest.raises(MatchError, match=r"Faulty cannot be judged: .*KeyError"):
        lower_bound(Faulty, hands=5000)  # of which few are played
    with pytest.raises(RailbirdError, match=r"Weird gives .* chances sum to 1, and these to 1.5"):
        lower_bound(Weird, hands=5)
    with pytest.raises(MatchError, match="Liar does not play as it says: in money it lost 3"):
        lower_bound(Liar, hands=100)
    with pytest.raises(MatchError, match=r"Surprising does not play as it says: .* never does"):
        lower_bound(Surprising, hands=5)
    with pytest.raises(UnknownBotError, match="Locked cannot be copied"):
        lower_bound(Locked(), hands=5)
    assert lower_bound(Locked, hands=5).won.count == 5


class Counting(Bot):
    """Raises by the number of hands that have begun, of which it keeps count."""

    learns = True

    def __init__(self) -> None:
        self.begun = 0

    def on_hand(self, view):
        self.begun += 1

    def probabilities(self, view, every=False):
        chance = min(1.0, self.begun / 50)
        triple = (0.0, 1 - chance, chance) if view.can_raise else (0.0, 1.0, 0.0)
        return own_row(np.tile(triple, (HOLDING_COUNT, 1)), view, every)

    def act(self, view):
        return view.smallest_raise() if self.rng.random() < self.probabilities(view)[2] else CALL


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


def test_what_begins_with_a_hand_is_asked_as_it_plays():
    for bot, chance in ((Counting(), 0.02), (Counting, 0.02)):
        found = lower_bound(bot, hands=60, seed=2)  # money and AIVAT would differ if it were not
        assert found.won.mean < 2500, chance
    counting = Counting()
    counting.begun = 49
    raiser = lower_bound(counting, hands=60, seed=2)
    assert raiser.won.mean + raiser.won.margin > 3000  # as from always-raise
    assert counting.begun == 49


def test_who_changes_with_the_hands_stays_in_the_style_of_one(tmp_path):
    play_match("switcher:every=10", "always-call", hands=15, seed=2, folder=tmp_path / "m")
    at_fifteen = bot_after(tmp_path / "m", "switcher(every=10)")
    for switcher, style in ((at_fifteen, "jagbot"), ("switcher:every=10", "always-raise")):
        found, expected = (lower_bound(each, hands=40, seed=1).won.mean for each in (switcher, style))
        assert found == pytest.approx(expected, abs=200)  # the same hands, measured in two ways


def test_a_snapshot_of_another_game_is_refused(tmp_path):
    play_match("hobbybot", "always-call", hands=5, game="limit:cap=3", folder=tmp_path / "m")
    with pytest.raises(MatchError, match="usual bets, blinds and cap"):
        lower_bound(bot_after(tmp_path / "m", "hobbybot"), hands=5)


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


def test_an_early_estimate_is_told_and_changes_nothing(monkeypatch):
    told = []
    monkeypatch.setattr("railbird.play.lower_bound._EARLY_SECONDS", 0.0)
    found = lower_bound("always-call", hands=23, seed=4, progress=lambda *now: told.append(now))
    assert [now[0] for now in told] == [5, 10, 15, 20, 23]
    assert told[-1][2] == f"so far {found.won.mean:,.0f} ± {found.won.told_margin:,.0f}"
    monkeypatch.setattr("railbird.play.lower_bound._EARLY_SECONDS", 1e6)
    assert lower_bound("always-call", hands=23, seed=4).won == found.won


def test_what_is_known_is_told_when_it_is_stopped():
    def stop(done, total, detail):
        if done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        lower_bound("always-call", hands=100_000, seed=4, progress=stop)
    assert re.search(r"of 100,000 pairs of hands done \(so far at least [\d,]+ ± [\d,]+", what_was_kept(stopped.value))


def test_the_result(capsys):
    found = lower_bound("always-call", hands=40, seed=3)
    assert found == lower_bound("always-call", hands=40, seed=3)
    assert found.rows() == [
        {"player": "always-call", "unit": "milli small bets per hand", "seed": 3, **found.won.to_json()}
    ]
    nothing = LowerBound("somebody", Estimate(-3.0, 10.0, 1), 0)
    assert str(nothing).splitlines()[0].endswith("1 pair of hands | seed 0")
    assert str(nothing).endswith("that says nothing: a best response never loses")


def test_the_command(capsys):
    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(["exploit", *arguments])
        assert not end.value.code
        return capsys.readouterr().out

    found = json.loads(run("always-call", "--nemesis", "40", "--json"))
    assert found["schema"] == "railbird.lower-bound/1"
    assert (found["bot"], found["pairs"], found["unit"]) == ("always-call", 40, "milli small bets per hand")
    out = run("always-call", "--nemesis", "40")
    assert out.startswith("nemesis of always-call | heads-up limit hold'em | 40 pairs of hands | seed 0")
    assert f"wins {found['won']['mean']:.1f} ± {found['won']['margin95']:.1f} milli small bets" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nemesis", "4", "--flops", "2"], "--flops"),
        (["--nemesis", "4", "--exact"], "--exact"),
        (["--nemesis", "4", "--beside", "random"], "--beside"),
        (["--nemesis", "4", "--table", "t.json"], "--table"),
        (["--nemesis", "4", "--backend", "gpu"], "--backend"),
        (["--nemesis", "0"], "0 pairs of hands; a nemesis plays at least 1"),
        (["--nemesis", "4", "--hands", "2"], "name its folder with --after"),
    ],
)
def test_what_the_command_refuses(capsys, arguments, message):
    with pytest.raises(SystemExit) as end:
        main(["exploit", "always-call", *arguments])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
