"""`railbird explain`, `railbird watch`, and the study of strength against several opponents."""

from __future__ import annotations

import io
import json
from itertools import pairwise

import numpy as np
import pytest
from rich.console import Console

from railbird.bots.base import Bot
from railbird.bots.decision import Decision, Note, OpponentWeights, Outlook, Step
from railbird.bots.reasons import explain
from railbird.bots.registry import bot_entries, make_bot
from railbird.bots.switcher import Switcher
from railbird.cards import parse_cards
from railbird.cli import main
from railbird.errors import IllegalActionError, InvalidCardsError, InvalidGameError, UnknownBotError
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.table_model import TableModel
from railbird.modeling.watched_hands import frames
from railbird.odds.effective import effective_of
from railbird.papers.papp_1998 import PRINTED_ERRORS
from railbird.papers.strength_errors import strength_errors
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.randomness import Stream
from railbird.report.watched import picture
from railbird.search.miximax import Line

BOTS = ("loki", "loki-gom", "bpl", "bpt", "random", "always-call")


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return ended.value.code, out, err


@pytest.mark.parametrize(
    ("arguments", "rule", "steps"),
    [
        # Papp 1998, chapter 6: the first rule that holds decides.
        (
            {"holding": "8d7d", "board": "9d6c2d", "history": "cc/r", "bot": "loki:modeling=uniform"},
            "pot odds",
            ["Make2", "Make1", "pot odds"],
        ),
        (
            {"holding": "8d7d", "board": "9d6c2d", "history": "cc/c", "bot": "loki:modeling=uniform"},
            "semi-bluff: PPOT is worth two bets",
            ["Make2", "Make1", "semi-bluff"],
        ),
        (
            {"holding": "8d7d", "board": "9d6c2d", "history": "cc/r", "bot": "loki:modeling=uniform,pot_odds=no"},
            "showdown odds",
            ["Make2", "Make1", "showdown odds"],
        ),
        (
            {"holding": "AdQc", "board": "3h4cJh", "seats": 6, "bot": "loki:modeling=uniform"},
            "check",
            ["Make2", "Make1", "semi-bluff"],
        ),
        ({"holding": "AsAc", "board": "Ad7c2h", "history": "cc/r"}, "Make2: EHS' >= make2", ["Make2"]),
        (
            {"holding": "7d2c", "history": "rrr", "seats": 3},
            "Make0, 3-4 players",
            ["Make4", "Make2", "Call2", "Make1", "Call1"],
        ),
    ],
)
def test_rules_are_tried_in_turn(arguments, rule, steps):
    found = explain(**arguments)
    assert found.decision.rule == rule
    tried = found.decision.steps
    assert [step.rule for step in tried] == steps
    assert [step.holds for step in tried[:-1]] == [False] * (len(steps) - 1)
    assert tried[-1].holds == (not rule.startswith(("check", "Make0")))


def test_quantities_are_those_of_the_position():
    found = explain("AdQc", "3h4cJh", history="ccc/r", seats=3, bot="loki:modeling=uniform")
    alive = np.where(np.isnan(found.weights), 0.0, 1.0)
    chances = effective_of(parse_cards("AdQc"), parse_cards("3h4cJh"), 2, alive)
    assert found.decision.quantities["EHS'"] == pytest.approx(chances.ehs_prime)
    assert found.decision.quantities["pot odds"] == 2 / (8 + 2)
    assert found.decision.quantities["showdown odds"] == (2 + 4 * 2) / (8 + 2 + 8 * 2)
    assert found.view.position == 1
    assert found.view.opponents == (0, 2)


def test_the_opponents_are_known_from_the_history():
    quiet = explain("AdQc", "3h4cJh", history="cc/")
    raised = explain("AdQc", "3h4cJh", history="crrrc/")
    assert raised.decision.quantities["HS"] < quiet.decision.quantities["HS"]
    assert np.nanmean(raised.weights) < np.nanmean(quiet.weights)


def test_the_strategy_before_the_flop_is_that_of_the_first_turn():
    # The small blind, asked once before, keeps the strategy it chose then.
    found = explain("QcJc", history="crrr", bot="loki:tightness=tight")
    assert found.decision.rule.split(",")[0] == explain("QcJc", bot="loki:tightness=tight").decision.rule.split(",")[0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"holding": "8d7d", "board": "9d6c2d4s", "history": "cc/c"}, InvalidCardsError, "4 cards, but after 'cc/c'"),
        ({"holding": "8d7d", "board": "8d6c2d"}, InvalidCardsError, "8d appears twice"),
        ({"holding": "8d7d", "history": "f"}, IllegalActionError, "nobody is left to act after 'f'"),
        ({"holding": "8d7d", "history": "cc/x"}, IllegalActionError, "'x'"),
        ({"holding": "8d7d", "seats": 3, "bot": "vexbot"}, UnknownBotError, "'vexbot' does not play with 3 seats"),
        ({"holding": "8d7d", "seats": 1}, InvalidGameError, "1 seats"),
    ],
)
def test_what_cannot_be_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        explain(**arguments)


def test_explain_command(capsys):
    code, out, _ = run(capsys, "explain", "AdQc", "3h4cJh", "--seats", "3", "--history", "ccc/r", "--grid")
    assert code == 0
    assert "A♦ Q♣ on the flop 3♥ 4♣ J♥" in out
    assert "position 2 of 3, 2 opponents, pot 8, 2 to call, history ccc/r" in out
    assert "showdown odds?" in out
    assert "loki: fold, no rule pays for a call" in out
    assert "weights of the opponents' holdings" in out
    code, out, err = run(capsys, "explain", "AdQc", "3h4cJh", "--history", "cc/r/")
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("error: ")


def test_explain_command_as_json(capsys):
    code, out, _ = run(capsys, "explain", "AdQc", "3h4cJh", "--history", "cc/r", "--grid", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["schema"] == "railbird.explain/1"
    assert answer["action"] in "fcr"
    assert answer["steps"][0] == {
        "rule": "Make2",
        "quantity": "EHS'",
        "value": answer["quantities"]["EHS'"],
        "against": "make2",
        "threshold": 0.85,
        "holds": False,
    }
    assert len(answer["grid"]) == len(answer["grid"][0]) == 13


# Every bot may explain itself.

MINE = '''
from railbird import Bot, CALL
from railbird.bots.decision import Decision, Step


class Mine(Bot):
    """Writes `explain` alone."""

    def __init__(self, patience: float = 0.3) -> None:
        self.patience = patience
        self.boards = 0

    def on_board(self, view):
        self.boards += 1

    def explain(self, view):
        print("to be kept out of the answer")
        chance = self.rng.random()
        step = Step("patience", "chance", chance, "patience", self.patience)
        action = CALL if step.holds else view.check_or_fold()
        return Decision(action, "patience", "luck", {"chance": chance, "boards": self.boards}, steps=(step,))


class Silent(Bot):
    """Writes `act` alone."""

    def act(self, view):
        return CALL


class Wrong(Silent):
    def explain(self, view):
        return CALL


class Broken(Bot):
    def explain(self, view):
        return {}["nothing"]
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def played_hand(bots, key, on_turn):
    """A hand of limit hold'em in which `on_turn` answers for all; every bot sees it through its hooks."""
    stream, names = Stream(*key), tuple(f"player-{seat}" for seat in range(len(bots)))
    cards, node = stream.deal(range(52), 5 + 2 * len(bots)), Betting.start(limit_holdem(len(bots)))

    def seen(position):
        hole = tuple(cards[5 + 2 * position : 7 + 2 * position])
        return PlayerView(node, position, hole, tuple(cards[: node.game.board_seen(node.street)]), key[1], names)

    def tell(hook, *more):
        for position, seated in enumerate(bots):
            for bot in seated:
                getattr(bot, hook)(seen(position), *more)

    for position, seated in enumerate(bots):
        for bot in seated:
            bot.seed_hand(*key, position)
    tell("on_hand")
    while not node.is_over:
        actor, street = node.to_act, node.street
        action = on_turn(bots[actor], seen(actor), stream)
        tell("on_action", actor, action)
        node = node.after(action)
        if node.street > street and not node.is_over:
            tell("on_board")
    shown = {p: tuple(cards[5 + 2 * p : 7 + 2 * p]) for p in node.live} if len(node.live) > 1 else {}
    if shown:
        tell("on_showdown", shown)


def agreed(seated, view, stream):
    """The answer of two copies of a bot, one that acts and one that explains; of nobody a random one."""
    if not seated:
        kept = [action for action in view.legal_actions if action.kind != "f"]
        return stream.choice(kept if stream.random() < 0.9 else view.legal_actions)
    acting, explaining = seated
    action, decision = acting.act(view), explaining.explain(view)
    assert decision.action == action, view
    assert str(decision).startswith(f"{action} by {decision.rule}")
    assert {"rule", "reason", "quantities", "steps"} <= set(decision.to_json())
    if decision.chances:
        assert sum(decision.chances.values()) == pytest.approx(1.0)
        assert decision.chances[{"f": "fold", "c": "call", "r": "raise"}[action.kind]] > 0
    if decision.weights:
        assert decision.weights.array.shape == (1326,)
        assert 0 < np.nanmax(decision.weights.array) <= 1.0
    return action


NAMES = [name.replace("resolver", "resolver:turn=1,river=5") for name in bot_entries()]


@pytest.mark.parametrize("name", [*NAMES, "loki:betting=simulation,trials=20", "vexbot:search=miximix"])
def test_every_named_bot_does_what_it_explains(name):
    pair = (make_bot(name), make_bot(name))
    empty = ((),) * (2 if pair[0].can_play(limit_holdem(3)) else 1)
    for hand in range(6):
        played_hand((pair, *empty) if hand % 2 else (*empty, pair), (3, hand), agreed)


def test_a_bot_of_ones_own_explains_itself(mine, capsys):
    code, out, err = run(capsys, "explain", "AdQc", "3h4cJh", "--bot", f"{mine}:Mine:patience=0.9", "--history", "cc/r")
    assert code == 0
    assert "to be kept out" not in out
    assert "to be kept out" in err
    lines = out.splitlines()
    assert [line.split() for line in lines[3:5]] == [["chance", lines[3].split()[1]], ["boards", "1"]]
    assert lines[6].split()[:3] == ["patience?", "chance", f"{float(lines[3].split()[1]):.3f}"]
    assert lines[-1].endswith(f"{mine}:Mine:patience=0.9: fold, luck") or lines[-1].endswith(": call 2, luck")
    code, out, _ = run(capsys, "explain", "AdQc", "3h4cJh", "--bot", f"{mine}:Mine", "--json")
    answer = json.loads(out)
    assert code == 0
    assert (answer["rule"], answer["reason"]) == ("patience", "luck")
    assert answer["steps"][0]["holds"] == (answer["action"] == "c" and answer["quantities"]["chance"] >= 0.3)
    assert "lines" not in answer


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "Silent",
            "error: Silent gives no reasons; add explain(self, view) -> Decision to it (docs/howto-write-a-bot.md)\n",
        ),
        ("Wrong", "explains with Action(kind='c', amount=0), which is no Decision\n"),
        ("Broken", "cannot explain itself: KeyError: 'nothing'\n"),
    ],
)
def test_bots_that_do_not_explain_are_refused_with_a_way_out(mine, capsys, kind, message):
    code, out, err = run(capsys, "explain", "AdQc", "3h4cJh", "--bot", f"{mine}:{kind}")
    assert (code, out) == (2, "")
    assert err.endswith(message)
    assert err.count("\n") == 1


class Counting(Bot):
    """Counts hands, and says so."""

    learns = True

    def __init__(self) -> None:
        self.hands = 0

    def on_hand(self, view):
        self.hands += 1

    def explain(self, view):
        return Decision(CALL, f"hand {self.hands}")


class Nobody(Bot):
    """Neither acts nor explains."""


def test_classes_and_bots_can_be_asked():
    assert str(explain("AdQc", bot=Counting)).splitlines()[2:] == ["", "Counting: call 1, hand 1"]
    learned = Counting()
    learned.hands = 7
    assert [explain("AdQc", bot=learned).reason for _ in range(2)] == ["hand 8"] * 2
    assert learned.hands == 7  # it was not changed
    view = explain("AdQc", bot=Counting).view
    assert Counting().act(view) == CALL
    with pytest.raises(NotImplementedError, match="Nobody does not say how to act"):
        Nobody().act(view)
    with pytest.raises(UnknownBotError, match="Nobody gives no reasons"):
        explain("AdQc", bot=Nobody)


@pytest.mark.parametrize("name", ["loki", "vexbot2", "yoki"])
def test_a_bot_that_has_played_is_not_changed_by_being_asked(name):
    pair = (make_bot(name), make_bot(name))
    for hand in range(4):
        played_hand((pair, ()), (5, hand), agreed)
    found = [explain("AdQc", "3h4cJh", "rc/r", bot=bot).decision for bot in (*pair, *pair)]
    assert found == [found[0]] * 4


def test_who_switches_style_explains_as_whom():
    found = explain("AdQc", "3h4cJh", bot=Switcher(styles="always-raise+jagbot"))
    assert found.reason.startswith("now as always-raise: ")


def test_a_decision_as_text_and_for_readers():
    decision = Decision(CALL, "luck", quantities={"EV call": 0.5, "SE call": 0.125, "x": 12345.0})
    assert str(decision) == "c by luck (EV call 0.500, SE call 0.125, x 12345.000)"
    assert str(Decision(CALL, "luck")) == "c by luck"
    assert decision.shown() == [("EV call", "0.5 (SE 0.12)", ""), ("SE call", "0.125", ""), ("x", "1.23e+04", "")]
    assert decision.expected_values == {"call": 0.5}
    noted = Decision(CALL, "luck", quantities=decision.quantities, notes={"x": Note("a number", "+.0f", "X")})
    assert noted.shown() == [("X", "+12345", "a number")]
    assert noted == decision  # notes and weights are for readers
    assert decision.to_json() == {"rule": "luck", "reason": "luck", "quantities": decision.quantities, "steps": []}
    search = Decision(CALL, "luck", outlook=Outlook((Line("cc", 0.5, -1.0),), {"cc": (0.25, 0.75)}))
    assert search.to_json()["lines"] == [{"history": "cc", "chance": 0.5, "value": -1.0}]
    assert search.to_json()["histograms"] == {"cc": (0.25, 0.75)}
    assert Step("call", "chance", 0.2, "price", 0.2).holds
    assert not Step("call", "chance", 0.19, "price", 0.2).holds
    weights = OpponentWeights(np.ones(1326))
    assert Decision(CALL, "luck", weights=weights) == Decision(CALL, "luck")


def test_watched_hands_are_those_of_the_match():
    spec = MatchSpec(limit_holdem(len(BOTS)), BOTS, 3, 7)
    model = TableModel(specific=True)
    for record, _, _ in played_hands(spec):
        record.check()
        shown = list(frames(record, model))
        assert shown[0].action is None
        assert shown[-1].after.history == record.history
        for earlier, frame in pairwise(shown):
            actor = frame.before.to_act
            others = [p for p in range(len(BOTS)) if p != actor]
            assert all(np.array_equal(earlier.weights[p], frame.weights[p]) for p in others)
            assert frame.changed == (not np.array_equal(earlier.weights[actor], frame.weights[actor]))
    assert any(model.players)


def test_watch_on_a_pipe_prints_a_block_for_each_action(capsys):
    code, out, _ = run(capsys, "watch", *BOTS, "--hands", "1", "--seed", "7")
    assert code == 0
    assert "\x1b" not in out
    [(record, _, _)] = played_hands(MatchSpec(limit_holdem(len(BOTS)), BOTS, 1, 7))
    actions = record.history.replace("/", "")
    assert out.count("; pot ") == len(actions)
    assert out.startswith("squares of digits: how well holdings go with what a player has done, in tenths")
    assert "\nhand 1 of 1  pot 3  blinds loki 1, loki-gom 2\n" in out
    assert out.count("    AKQJT98765432\n") >= 1
    code, _, err = run(capsys, "watch", "loki", "lokki")
    assert code == 2
    assert "did you mean" in err


def test_watch_does_without_colours_and_special_characters(monkeypatch):
    written = io.BytesIO()
    plain = Console(file=io.TextIOWrapper(written, encoding="ascii", write_through=True), width=80, highlight=False)
    monkeypatch.setattr("railbird.cli.cmd_watch.console", lambda stderr=False: plain)
    with pytest.raises(SystemExit) as end:
        main(["watch", "loki", "bpl", "bpm", "bpt", "--hands", "1", "--seed", "9", "--delay", "0"])
    assert not end.value.code
    assert "\nflop 9h7hAd: loki bets 2; pot 8\n" in written.getvalue().decode("ascii")


@pytest.mark.parametrize(("width", "height"), [(120, 40), (100, 40), (80, 24)])
def test_the_picture_fits_the_terminal(width, height):
    [(record, _, _)] = played_hands(MatchSpec(limit_holdem(len(BOTS)), BOTS, 1, 7))
    shown = list(frames(record, TableModel()))
    for at in range(1, len(shown) + 1):
        where = Console(file=io.StringIO(), width=width, height=height)
        where.print(picture(shown[:at], 1, width, height, is_over=at == len(shown)))
        lines = where.file.getvalue().rstrip("\n").split("\n")
        assert max(map(len, lines)) <= width
        assert len(lines) <= height
        maps = sum(line.count("A K Q J T 9 8 7 6 5 4 3 2") for line in lines)
        frame = shown[at - 1]
        in_hand = {*frame.after.live, *([frame.before.to_act] if frame.action else [])}
        assert maps == (len(in_hand) if width >= 100 else min(2, len(in_hand)))


def test_strength_errors_on_few_positions():
    # Papp 1998, section 5.2.1; with 1,000 positions: 0.26%, 0.77% (two opponents) and 0.37%, 0.71% (three).
    errors = {(found.method, found.opponents): found for found in strength_errors(PRINTED_ERRORS, 25, seed=5)}
    assert list(errors) == [("product", 2), ("field", 2), ("product", 3), ("field", 3)]
    for found in errors.values():
        assert found.error.count == 25
        assert 0.0003 < found.error.mean < 0.02
        assert found.worst < 0.1
        assert 0 < found.worst_wide <= found.worst
        assert (found.worst_by_averaging > 0) == (found.method == "field")
        assert found.to_json()["paper"]["mean_error"] < 0.01
    again = strength_errors(PRINTED_ERRORS, 25, seed=5)
    assert [str(found) for found in again] == [str(found) for found in errors.values()]
