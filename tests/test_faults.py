"""What bots do wrong: where it is told, how much of it, and how commands end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from railbird import play_match
from railbird.cli import app
from railbird.errors import UnknownBotError
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches


def play(path: Path, *bots: str, hands: int, duplicate: bool = False):
    return run_matches([MatchFolder.create(path, MatchSpec(limit_holdem(), bots, hands, 3, duplicate))], 1)[0]


def command(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


FAILING = """
from railbird import CALL, Action, Bot
from helper_of_failing import looked_up

class Raises(Bot):
    def act(self, view):
        return self.best(view)
    def best(self, view):
        return looked_up({}, view.street)

class Recurs(Bot):
    def act(self, view):
        return self.act(view)

class Shouts(Bot):
    def act(self, view):
        raise ValueError("no\\n" * 10_000)

class Answers(Bot):
    def act(self, view):
        return None

class Hears(Bot):
    def on_board(self, view):
        return looked_up({}, "board")
    def act(self, view):
        return CALL

class Misnames(Bot):
    def act(self):
        return CALL

class Born(Bot):
    def __init__(self):
        self.table = looked_up({}, "a")
"""
HELPER = "def looked_up(table, key):\n    return table[key]\n"


@pytest.fixture
def failing(tmp_path, monkeypatch):
    (tmp_path / "failing.py").write_text(FAILING)
    (tmp_path / "helper_of_failing.py").write_text(HELPER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "helper_of_failing", raising=False)
    return "failing.py"


@pytest.mark.parametrize(
    ("bot", "message", "trace"),
    [
        (
            "Raises",
            "KeyError: 'preflop'",
            [
                "failing.py:7 in act: return self.best(view)",
                "failing.py:9 in best: return looked_up({}, view.street)",
                "helper_of_failing.py:2 in looked_up: return table[key]",
            ],
        ),
        ("Answers", "answered None, which is not an Action", ["failing.py:20 in act: def act(self, view):"]),
        (
            "Hears",
            "on_board: KeyError: 'board'",
            [
                'failing.py:25 in on_board: return looked_up({}, "board")',
                "helper_of_failing.py:2 in looked_up: return table[key]",
            ],
        ),
        (
            "Misnames",
            "TypeError: Misnames.act() takes 1 positional argument but 2 were given",
            ["failing.py:30 in act: def act(self):"],
        ),
    ],
)
def test_a_fault_says_where_it_happened(failing, bot, message, trace):
    result = play(Path("m"), f"{failing}:{bot}", "always-call", hands=3, duplicate=True)
    first = result.faults[0]
    assert (first.hand, first.player, first.message, list(first.trace)) == (0, bot, message, trace)
    assert first.place == trace[-1].partition(" ")[0]
    assert MatchFolder.open(Path("m")).result().faults == result.faults
    assert [fault.hand for fault in result.faults] == sorted(fault.hand for fault in result.faults)
    assert all(line in str(result) for line in trace)


def test_what_is_told_of_a_fault_is_bounded(failing):
    deep = play(Path("deep"), f"{failing}:Recurs", "always-call", hands=1).faults[0]
    line = "failing.py:13 in act: return self.act(view)"
    assert [each if each == line else each.split()[-2:] for each in deep.trace] == [
        line, line, ["more)", "..."], line, line,
    ]  # fmt: skip
    long = play(Path("long"), f"{failing}:Shouts", "always-call", hands=1).faults[0]
    assert 235 < len(long.message) <= 240
    assert long.message.startswith("ValueError: no no no")
    assert max(map(len, Path("long/hands.log").read_text().splitlines())) < 400


@pytest.mark.parametrize(
    ("text", "bot", "message"),
    [
        (
            "",
            "Born",
            "'failing.py:Born' could not be made: KeyError: 'a' at helper_of_failing.py:2 in looked_up: return",
        ),
        ("x = (1\n", "A", "cannot be loaded: SyntaxError: '(' was never closed at failing.py:36: x = (1"),
        ("x = y\n", "A", "failing.py cannot be loaded: NameError: name 'y' is not defined at failing.py:36: x = y"),
        ("\0", "A", "failing.py cannot be loaded: SyntaxError: source code string cannot contain null bytes"),
        ("", "Rises", "no class 'Rises' in failing.py; did you mean 'Raises'? (bots in it: Raises, "),
    ],
)
def test_bots_that_cannot_be_made_say_where(failing, text, bot, message):
    Path(failing).write_text(FAILING + text)
    with pytest.raises(UnknownBotError) as refused:
        MatchSpec(limit_holdem(), (f"{failing}:{bot}", "random"), 10, 3)
    assert message in str(refused.value)
    assert "registry.py" not in str(refused.value)


def test_a_match_in_which_a_bot_failed_ends_with_1(failing):
    words = ("match", f"{failing}:Hears", "always-call", "-n", 4, "--no-divat", "-d", "-o", "m")
    done = command(*words)
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert lines[0].startswith("Hears vs always-call")
    hook = "hand 0: Hears hook: on_board: KeyError: 'board' at helper_of_failing.py:2 (its observation is lost)"
    assert lines[-4] == f"24 faults of bots, the first: {hook}"
    assert lines[-3] == '  failing.py:25 in on_board: return looked_up({}, "board")'
    assert lines[-1] == "see the hand: railbird replay m 0"
    as_json = command(*words, "--json")
    assert as_json.exit_code == 1
    assert len(json.loads(as_json.stdout)["faults"]) == 24
    assert command("results", "m", "--no-divat").exit_code == 0
    shown = command("replay", "m", 2, "--seating", 2)
    assert shown.exit_code == 0
    assert "3 faults of bots, the first: hand 2: Hears hook" in shown.output
    assert len(json.loads(command("replay", "m", 2, "--json").stdout)["faults"]) == 3
    assert command("match", "always-call", "random", "-n", 4, "--no-divat").exit_code == 0


def test_a_tournament_and_a_watch_in_which_a_bot_failed_end_with_1(failing):
    done = command("tournament", "random", f"{failing}:Answers", "always-call", "-n", 4, "--no-divat", "-o", "t")
    assert done.exit_code == 1
    assert "see the hand: railbird replay t/01-02 0" in done.output
    done = command("watch", f"{failing}:Answers", "always-call", "-n", 1)
    assert done.exit_code == 1
    assert "hand 0: Answers illegal: answered None, which is not an Action at failing.py:20" in done.output
    assert command("watch", "random", "always-call", "-n", 1).exit_code == 0


def test_a_program_has_the_faults_and_does_not_exit(failing):
    result = play_match(f"{failing}:Answers", "random", hands=3)
    assert {fault.player for fault in result.faults} == {"Answers"}
    assert result.to_json()["faults"][0].startswith("hand 1: Answers illegal: answered None")
    spec = MatchSpec(limit_holdem(), (f"{failing}:Answers", "random"), 3, 0)
    assert [str(f) for hand in played_hands(spec) for f in hand.faults] == [str(fault) for fault in result.faults]
