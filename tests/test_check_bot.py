"""Every kind of broken bot gets the finding it deserves, and no other."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import typer

from railbird.bots.base import Bot
from railbird.bots.registry import bot_entries, make_bot
from railbird.bots.simple import AlwaysCall
from railbird.check.bot_report import BotReport
from railbird.check.check_bot import check_bot
from railbird.check.trial import Trial, position_of_bot, trial_games, with_other_hidden_cards
from railbird.cli.cmd_check_bot import check_bot as check_bot_command
from railbird.cli.cmd_new_bot import bot_source, new_bot
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.actions import CALL, FOLD, RAISE, raise_to
from railbird.play.dealing import deals
from railbird.play.hand import Deal


def call_or_raise(view, number):
    """Legal in every game; raises if `number` is odd."""
    return view.smallest_raise() if number % 2 and view.can_raise and view.betting.raises < 3 else CALL


def codes(report):
    return [finding.code for finding in report.findings]


def only_finding(bot, code, **options):
    """The one finding of the report, which must have this code and an example."""
    report = check_bot(bot, **options)
    assert codes(report) == [code], str(report)
    [finding] = report.findings
    assert report.ok == (finding.severity == "note")
    assert f"[{code}]" in str(report)
    return finding


QUICKER = {"resolver": "resolver:turn=1,river=5"}
"""Bots that think for longer than a test has time."""


@pytest.mark.parametrize("name", [e.name for e in bot_entries().values() if e.target.startswith("railbird.")])
def test_every_built_in_bot_passes(name):
    report = check_bot(QUICKER.get(name, name), budget_seconds=5.0 if name in QUICKER else 30.0)
    assert report.ok, str(report)
    assert not report.findings, str(report)
    assert not report.not_checked or (name in QUICKER and report.not_checked == ("knowledge of hidden cards",))
    assert len(report.hands) == len(trial_games(make_bot(name)))
    assert str(report).startswith(name)
    assert ": fit to play" in str(report)


def test_a_bot_is_tried_in_the_games_it_can_play():
    class HeadsUp(Bot):
        def can_play(self, game):
            return game.seats == 2 and game.name == "limit"

        def act(self, view):
            assert view.game.seats == 2
            return CALL

    report = check_bot(HeadsUp)
    assert report.ok, str(report)
    assert [name for name, _ in report.hands] == ["limit with 2 seats"]


def test_a_bot_that_plays_nothing():
    class Nothing(Bot):
        def can_play(self, game):
            return False

    only_finding(Nothing, "plays-nothing")


def test_a_bot_that_cannot_be_prepared():
    class Unready(Bot):
        def prepare(self):
            raise OSError("no such table")

    assert "no such table" in only_finding(Unready, "cannot-start").message


# Answers.


class DividesByZero(Bot):
    def act(self, view):
        return CALL if view.board_cards[:1] != (20,) else 1 // 0


class AnswersText(Bot):
    def act(self, view):
        return "c"


class FoldsForFree(Bot):
    def act(self, view):
        return FOLD


class RaisesWithoutSize(Bot):
    def act(self, view):
        return RAISE if view.can_raise and view.betting.raises < 3 else CALL


class KnowsTwoSeats(Bot):
    def act(self, view):
        return {0: CALL, 1: CALL}[max(view.position, len(view.names) - 1)]


class RaisesHalfChips(Bot):
    def act(self, view):
        return raise_to(view.betting.min_raise_to + 0.5) if view.can_raise and view.betting.raises < 3 else CALL


def test_exception():
    finding = only_finding(DividesByZero, "raises")
    assert "ZeroDivisionError" in finding.message
    assert "test_check_bot.py:" in finding.message
    assert "|7c" in finding.example


def test_answer_that_is_no_action():
    finding = only_finding(AnswersText, "not-an-action")
    assert "answered 'c', which is not an Action" in finding.message
    assert "of 268 hands" in finding.message


def test_illegal_action():
    assert "cannot fold: checking is free" in only_finding(FoldsForFree, "illegal-action").message


def test_fractions_of_chips():
    assert codes(check_bot(RaisesHalfChips)) == ["raises"]  # raise_to takes whole chips


@pytest.mark.parametrize(
    ("kind", "plays"),
    [
        (RaisesWithoutSize, "limit with 2, 3, 6, 10 seats"),
        (KnowsTwoSeats, "limit with 2 seats and no-limit with 2 seats"),
    ],
)
def test_bot_for_some_games_is_told_so_gently(kind, plays):
    finding = only_finding(kind, "limited-games")
    assert f"It plays {plays} without fault" in finding.message


# Time.


class Hangs(Bot):
    def act(self, view):
        while view.street == "flop":
            pass
        return CALL


class Sleeps(Bot):
    def act(self, view):
        time.sleep(0.003)
        return CALL


def test_bot_that_hangs_is_interrupted():
    finding = only_finding(Hangs, "too-slow", seconds=0.2)
    assert finding.message == "A decision took longer than 0.2 s and was interrupted."
    assert "hand " in finding.example


class SlowLater(Bot):
    """Answers at once for a while."""

    asked = 0

    def act(self, view):
        SlowLater.asked += 1
        if SlowLater.asked > 2_000:
            time.sleep(5)
        return CALL


def test_bot_that_gets_slow_is_not_called_random():
    only_finding(SlowLater, "too-slow", seconds=0.2)


def test_slow_bot_plays_fewer_hands():
    report = check_bot(Sleeps, seconds=0.2, budget_seconds=2.0)
    assert codes(report) == ["slow"]
    assert report.median_seconds > 0.003
    assert sum(number for _, number in report.hands) < 200


# Nothing but the seed.


class GlobalRandom(Bot):
    def act(self, view):
        return call_or_raise(view, random.randrange(2))


class GlobalNumpy(Bot):
    def act(self, view):
        return call_or_raise(view, np.random.randint(2))


class Watches(Bot):
    def act(self, view):
        return call_or_raise(view, int(time.time() / 1000))


class Unseeded(Bot):
    def __init__(self):
        self.own = random.Random()

    def act(self, view):
        return call_or_raise(view, self.own.randrange(2))


class SharedMemory(Bot):
    hands: ClassVar[list[int]] = []

    def on_result(self, view, payoffs):
        self.hands.append(view.hand_number)

    def act(self, view):
        return call_or_raise(view, len(self.hands) * 2_654_435_761 >> 9)


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (GlobalRandom, "depend on the global `random`;"),
        (GlobalNumpy, "depend on the global `numpy.random`;"),
        (Watches, "depend on the clock;"),
        (Unseeded, "depend on something that neither the seed nor the hand decides"),
        (SharedMemory, "a class or module variable that outlives the bot"),
    ],
)
def test_dependence_on_anything_but_the_seed(kind, cause):
    finding = only_finding(kind, "not-reproducible")
    assert cause in finding.message
    assert "<PlayerView hand" in finding.example


def test_global_random_numbers_are_left_as_they_were():
    random.seed(5)
    np.random.seed(5)
    states = random.getstate(), np.random.get_state()[1].tolist()
    check_bot(AlwaysCall)
    assert states == (random.getstate(), np.random.get_state()[1].tolist())


class DrawsForNothing(Bot):
    def act(self, view):
        random.random()
        return CALL


class ChangesEnvironment(Bot):
    def act(self, view):
        os.environ["RAILBIRD_TEST"] = view.history
        return CALL


class ChangesTheRules(Bot):
    def act(self, view):
        object.__setattr__(view.game, "name", "mine")
        return CALL


class Prints(Bot):
    def act(self, view):
        print("thinking about", view.holding)
        return CALL


def test_changes_outside_the_bot(monkeypatch):
    assert "the global `random`" in only_finding(DrawsForNothing, "global-state").message
    monkeypatch.setenv("RAILBIRD_TEST", "")
    assert "os.environ" in only_finding(ChangesEnvironment, "global-state").message


def test_rules_changed_under_the_table():
    assert "`view.game`" in only_finding(ChangesTheRules, "changes-the-game").message


def test_printing_is_caught(capsys):
    assert "thinking about" in only_finding(Prints, "prints").example
    assert not capsys.readouterr().out


# Hidden cards.


def deal_above():
    """The deal, from the frames of those who called."""
    frame = sys._getframe()
    while "deal" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["deal"]


class PeeksAtHoles(Bot):
    def act(self, view):
        return call_or_raise(view, sum(sum(hole) for hole in deal_above().holes))


class PeeksAtBoard(Bot):
    def act(self, view):
        return call_or_raise(view, deal_above().board[-1])


class LearnsFoldedCards(Bot):
    """Looks at the cards of those who folded, once the hand is over."""

    learns = True

    def __init__(self):
        self.reset()

    def reset(self):
        self.seen = 0

    def on_result(self, view, payoffs):
        self.seen += sum(deal_above().holes[view.position - 1])

    def act(self, view):
        return call_or_raise(view, self.seen)


@pytest.mark.parametrize("kind", [PeeksAtHoles, PeeksAtBoard, LearnsFoldedCards])
def test_peeking(kind):
    assert "may not see" in only_finding(kind, "sees-hidden-cards").message


def test_only_unseen_cards_are_changed():
    for game in trial_games():
        trial = Trial(AlwaysCall(), game, 3, 10.0)
        stay, change = 0, 0
        for deal in deals(game, 3, 0, 20):
            record = trial.try_hand(deal)
            final, own = record.final(), position_of_bot(record)
            for keep_shown in (True, False):
                other = with_other_hidden_cards(deal, record, keep_shown)
                assert isinstance(other, Deal)
                cards = [card for hole in other.holes for card in hole] + list(other.board)
                assert len(cards) == len(set(cards)) == 2 * game.seats + 5
                assert other.holes[own] == deal.holes[own]
                assert other.board[: len(record.board)] == record.board
                shown = [p for p in range(game.seats) if p != own and final.is_showdown and p in final.live]
                stay += sum(other.holes[p] == deal.holes[p] for p in shown) if keep_shown else 0
                change += sum(other.holes[p] != deal.holes[p] for p in shown) if not keep_shown else 0
                if keep_shown:
                    assert all(other.holes[p] == deal.holes[p] for p in shown)
        assert stay
        assert change >= 0.9 * stay


# Memory.


class Learner(Bot):
    """Counts showdowns in a hook and forgets them on reset: as it should be."""

    learns = True

    def __init__(self):
        self.reset()

    def reset(self):
        self.showdowns = 0

    def on_showdown(self, view, shown):
        self.showdowns += 1

    def act(self, view):
        return call_or_raise(view, self.showdowns)


class DeniesLearning(Learner):
    learns = False


class CountsInAct(Learner):
    def act(self, view):
        self.showdowns += 1
        return call_or_raise(view, self.showdowns // 3)


class NeverForgets(Learner):
    def __init__(self):
        self.showdowns = 0

    def reset(self):
        pass


class FailsToReset(Learner):
    def __init__(self):
        self.showdowns = 0

    def reset(self):
        raise RuntimeError("later")


class FailsInHook(Bot):
    def on_board(self, view):
        raise ValueError("no flop for me")

    def act(self, view):
        return CALL


def test_learner_that_keeps_the_rules_passes():
    report = check_bot(Learner)
    assert not report.findings, str(report)
    assert report.learns


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (DeniesLearning, "remembers"),
        (CountsInAct, "memory-in-act"),
        (NeverForgets, "not-reset"),
        (FailsToReset, "reset-raises"),
        (FailsInHook, "hook-raises"),
    ],
)
def test_memory_and_hooks(kind, code):
    only_finding(kind, code)


# Bots of a file run in a process of their own first.

_FILE = """
import os
from railbird.bots.base import Bot
from railbird.game.actions import CALL

class {name}(Bot):
    def act(self, view):
        {body}
        return CALL
"""

BODIES = {
    "HardToStop": "while True:\n            try:\n                while True:\n                    pass\n"
    "            except BaseException:\n                pass",
    "Loops": "while view.board:\n            pass",
    "Leaves": "os._exit(3)",
    "Quits": "raise SystemExit('enough')",
    "SetOrder": "word = next(iter({'call', 'raise', view.holding, view.history}))\n"
    "        if len(word) == 5 and view.can_raise and view.betting.raises < 3:\n"
    "            return view.smallest_raise()",
}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("HardToStop", "hangs"),
        ("Loops", "too-slow"),
        ("Leaves", "exits"),
        ("Quits", "raises"),
        ("SetOrder", "not-reproducible"),
    ],
)
def test_file_bots(tmp_path, name, code):
    file = tmp_path / "mine.py"
    file.write_text(_FILE.format(name=name, body=BODIES[name]))
    finding = only_finding(f"{file}:{name}", code, seconds=0.3)
    assert "seats" in finding.example


def test_file_bots_never_run_in_this_process(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(_FILE.format(name="Here", body="pass") + f"\nassert os.getpid() != {os.getpid()}\n")
    assert check_bot(f"{file}:Here").ok


def test_class_that_exits():
    class Exits(Bot):
        def act(self, view):
            sys.exit(1)

    assert "SystemExit: 1" in only_finding(Exits, "raises").message


# The report.


def test_json():
    report = check_bot(AnswersText)
    data = report.to_json()
    assert data["schema"] == "railbird.check-bot/1"
    assert data["ok"] is False
    assert [f["code"] for f in data["findings"]] == ["not-an-action"]
    assert set(data["findings"][0]) == {"severity", "code", "message", "example"}
    assert sum(data["hands"].values()) == 268
    assert data["not_checked"] == ["the seed", "hidden cards", "memory", "reset", "knowledge of hidden cards"]


def test_progress(capsys):
    seen = []

    def progress(done, total, what):
        print(what)
        seen.append((what, done / total))

    assert not check_bot(AlwaysCall, progress=progress).findings
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert seen[:2] == [("getting ready", 0.0), ("legal actions", 0.05)]
    assert "legal actions" in capsys.readouterr().out


class NeedsMore(Bot):
    def __init__(self, size):
        self.size = size


def test_bad_bots():
    with pytest.raises(UnknownBotError, match=r"NeedsMore\(\) could not be made"):
        check_bot(NeedsMore)
    with pytest.raises(UnknownBotError, match="neither a bot's name nor a class"):
        check_bot(int)
    with pytest.raises(UnknownBotError, match="give its class"):
        check_bot(AlwaysCall())
    with pytest.raises(UnknownBotError, match="no bot 'nobody'"):
        check_bot("nobody")


# The commands.


def test_new_bot_writes_a_bot_that_passes(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new_bot("river_rat")
    said = capsys.readouterr().out
    assert "railbird check-bot ./river_rat.py:RiverRat" in said
    assert "railbird match ./river_rat.py:RiverRat always-call" in said
    report = check_bot("./river_rat.py:RiverRat:boldness=0.6")
    assert not report.findings, str(report)


def test_new_bot_overwrites_nothing(tmp_path):
    file = tmp_path / "mybot.py"
    file.write_text("precious")
    with pytest.raises(RailbirdError, match="exists already and is left as it is"):
        new_bot("mybot", tmp_path)
    assert file.read_text() == "precious"


@pytest.mark.parametrize("name", ["my-bot", "2bots", "", "class", "a/b", "../x"])
def test_new_bot_refuses_names(name, tmp_path):
    with pytest.raises(RailbirdError, match=f"{name!r} cannot be a bot's name"):
        new_bot(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "it is a word of the language Python; choose another, as my_class"),
        ("None", "it is a word of the language Python; choose another, as my_none"),
        (
            "railbird",
            "beside railbird.py nothing would find Railbird itself, which has that name; choose another, as my_",
        ),
        ("random", "nothing would find a module of Python itself, which has that name; choose another, as my_random"),
    ],
)
def test_new_bot_refuses_names_that_are_taken(name, why, tmp_path):
    with pytest.raises(RailbirdError, match=f"{name!r} cannot be a bot's name: .*{why}"):
        new_bot(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_new_bot_needs_a_folder(tmp_path):
    with pytest.raises(RailbirdError, match="no folder"):
        new_bot("mybot", tmp_path / "nowhere")


def test_example_is_what_new_bot_writes():
    example = Path(__file__).parent.parent / "examples" / "mybot.py"
    assert example.read_text(encoding="utf-8") == bot_source("mybot")


@pytest.mark.parametrize(("name", "code"), [("always-call", 0), ("./mine.py:Wrong", 1)])
@pytest.mark.parametrize("as_json", [False, True])
def test_check_bot_command(name, code, as_json, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(_FILE.format(name="Wrong", body="print('hello'); return None"))
    with pytest.raises(typer.Exit) as ending:
        check_bot_command(name, as_json=as_json)
    assert ending.value.exit_code == code
    said = capsys.readouterr().out
    if as_json:
        assert json.loads(said)["ok"] == (code == 0)
    else:
        assert said.startswith(name)
        assert ("[not-an-action]" in said) == bool(code)


def test_check_bot_command_refuses_bad_input():
    with pytest.raises(RailbirdError, match="no bot 'always-cal'; did you mean 'always-call'"):
        check_bot_command("always-cal")
    with pytest.raises(RailbirdError, match="--seconds 0"):
        check_bot_command("always-call", seconds=0)


# What bots from files do in their box.

_CHEAT = """
import random, sys
from pathlib import Path
import railbird.game.payoffs
from railbird.bots.base import Bot
from railbird.game.actions import CALL

class PreparesItself(Bot):
    def prepare(self):
        self.action = CALL

    def act(self, view):
        return self.action

class Prints(PreparesItself):
    def act(self, view):
        print("to be seen", view.hand_number)
        return CALL

class DrawsNumbers(PreparesItself):
    def act(self, view):
        random.random()
        return CALL

class AsksForTheClock(PreparesItself):
    def act(self, view):
        import time
        return view.smallest_raise() if int(time.time()) % 7 == 3 and view.can_raise else CALL

class Patches(PreparesItself):
    def act(self, view):
        railbird.game.payoffs.payoffs = max
        return CALL

class ChangesRules(PreparesItself):
    def act(self, view):
        object.__setattr__(view.game, "blinds", (5, 5))
        return CALL

class LooksAround(PreparesItself):
    def act(self, view):
        try:
            for manifest in Path.cwd().glob("*/*/manifest.json"):
                manifest.read_text()
        except OSError:
            pass
        return CALL

class LoopsInHook(PreparesItself):
    def on_hand(self, view):
        while True:
            pass

class FailsToReset(PreparesItself):
    def reset(self):
        raise RuntimeError("later")
"""


@pytest.mark.parametrize(
    ("name", "code", "severity", "words"),
    [
        ("PreparesItself", "", "", ""),
        ("Prints", "prints", "note", "It prints; in a match that goes to a file"),
        ("DrawsNumbers", "global-state", "note", "the state of the global `random`"),
        ("AsksForTheClock", "not-reproducible", "error", "the clock"),
        ("Patches", "changes-railbird", "error", "railbird.game.payoffs.payoffs"),
        ("ChangesRules", "changes-the-game", "error", "view.game"),
        ("LooksAround", "looks-for-cards", "error", "opens 'manifest.json' of the match folder"),
        ("LoopsInHook", "too-slow", "error", "A hook took longer than 0.5 s"),
        ("FailsToReset", "reset-raises", "error", "reset: RuntimeError: later"),
    ],
)
def test_in_a_box(name, code, severity, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(_CHEAT)
    report = check_bot(f"./mine.py:{name}", seconds=0.5 if name.startswith("Loops") else 10.0)
    assert [(f.code, f.severity) for f in report.findings] == ([(code, severity)] if code else []), str(report)
    assert words in str([f.message for f in report.findings])
    assert [file.name for file in tmp_path.iterdir()] == ["mine.py"]


_IMPORTS = """
{imports}

class Imports(Bot):
    def act(self, view):
        return CALL
"""


@pytest.mark.parametrize(
    ("imports", "told"),
    [
        ("from railbird import *\nimport helper", ""),  # Railbird's own files then import one another
        ("from railbird import CALL, Bot\nfrom railbird.play import folder", "it imports railbird.play.folder."),
        ("from railbird import CALL, Bot\nimport dealer", "it imports railbird.play.dealing."),
    ],
)
def test_only_what_its_own_files_import_is_told_of_a_bot(imports, told, tmp_path):
    (tmp_path / "mine.py").write_text(_IMPORTS.format(imports=imports))
    (tmp_path / "helper.py").write_text("from railbird import hand_strength")
    (tmp_path / "dealer.py").write_text("import railbird.play.dealing")
    report = check_bot(f"{tmp_path / 'mine.py'}:Imports", budget_seconds=3.0)
    assert codes(report) == (["uses-the-dealer"] if told else []), str(report)
    assert told in "".join(finding.message for finding in report.findings)


def test_a_cache_that_cannot_be_written_is_not_the_fault_of_the_bot(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_CACHE", os.path.join(os.devnull, "x"))
    text = _FILE.format(name="Compiles", body="rank('AdQcJhTs9s')")
    (tmp_path / "mine.py").write_text(f"from railbird import rank\n{text}")
    report = check_bot(f"{tmp_path / 'mine.py'}:Compiles", budget_seconds=3.0)
    assert not report.findings, str(report)


class Tells(Bot):
    """Calls, and says something about it."""

    row = 0.0, 1.0, 0.0

    def act(self, view):
        return CALL

    def probabilities(self, view, every=False):
        row = np.array(self.row)
        return np.tile(row, (1326, 1)) if every else row


class TellsTooMuch(Tells):
    row = 0.0, 2.0, 0.0


class TellsFolds(Tells):
    row = 0.5, 0.5, 0.0


class TellsOneRow(Tells):
    def probabilities(self, view, every=False):
        return np.array(self.row)


class TellsTwoThings(Tells):
    def probabilities(self, view, every=False):
        return super().probabilities(view, every) if every else np.array([0.0, 0.5, 0.5])[: 3 if view.can_raise else 0]


class TellsNothingOnTheFlop(Tells):
    def probabilities(self, view, every=False):
        return super().probabilities(view, every) if not view.board else {}[view.board]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (
            TellsTooMuch,
            "(0.0, 2.0, 0.0) for 2d2c on no board after '': chances sum to 1, and these to 2 (limit with 2",
        ),
        (TellsFolds, "'f' is not legal there (legal: c, r), so its chance is 0"),
        (TellsOneRow, "it gives an array of (3,) on no board after '', where 1,326 x 3 belongs"),
        (TellsTwoThings, "and (0.0, 1.0, 0.0) for it with every=True"),
        (TellsNothingOnTheFlop, "it raised KeyError: '"),
    ],
)
def test_probabilities_that_cannot_be_right(kind, words):
    report = check_bot(kind)
    assert codes(report) == ["wrong-chances"], str(report)
    assert words in report.findings[0].message


def test_probabilities_in_a_box(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from railbird.bots.base import Bot\nfrom railbird.game.actions import CALL\n\n\nclass Mine(Bot):\n"
        "    def act(self, view):\n        return CALL\n\n"
        "    def probabilities(self, view, every=False):\n        return [[0, 1, 0]] * 1326 if every else [0, 1, 0]\n"
        "\n\nclass Wrong(Mine):\n"
        "    def probabilities(self, view, every=False):\n        return view.nothing\n",
        encoding="utf-8",
    )
    assert not check_bot(f"{tmp_path / 'mine.py'}:Mine", budget_seconds=5.0).findings
    [finding] = check_bot(f"{tmp_path / 'mine.py'}:Wrong", budget_seconds=5.0).findings
    assert finding.code == "wrong-chances"
    assert "has no attribute 'nothing' in probabilities (on no board after '', mine.py:" in finding.message


def test_a_report_writes_its_numbers_as_all_results_do():
    report = BotReport("always-call", False, (), (("limit", 268),), 1_096, 1e-5, 1e-3, 10.0, ())
    assert str(report).startswith("always-call: fit to play | 268 hands, 1,096 decisions | ")
