"""Boxes: bots that somebody else wrote, behind walls, and what happens when a box is lost."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from railbird.bots.registry import BotSpec
from railbird.errors import MatchError, UnknownBotError
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play.asking import Wrong
from railbird.play.box import OUTPUT_BYTES, Box, Housing
from railbird.play.boxed_bot import BoxedBot
from railbird.play.faults import FaultKind
from railbird.play.matches import play_match
from railbird.play.strays import MARK
from railbird.play.walls import landlock_version

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls and strays of another kind")

GET_CHILD_SUBREAPER = 37
LANDLOCK = landlock_version() if sys.platform == "linux" else 0

BOTS = '''
import os, signal, subprocess, sys, time
from railbird import CALL, Bot

class Caller(Bot):
    def act(self, view):
        return CALL

class Learner(Bot):
    """Bets by what it has seen, which is lost if nobody shows it again."""
    learns = True
    def __init__(self):
        self.seen = 0
    def on_action(self, view, position, action):
        self.seen = (self.seen * 31 + position + len(view.history) + ord(action.kind)) % 1009
    def act(self, view):
        return view.legal_actions[self.seen % len(view.legal_actions)]

class Swallower(Bot):
    def act(self, view):
        try:
            while True:
                pass
        except:
            return CALL

class SlowHooks(Bot):
    def on_action(self, view, position, action):
        time.sleep(60)
    def act(self, view):
        return CALL

class Junk(Bot):
    def act(self, view):
        for handle in range(3, 20):
            try:
                os.write(handle, b"junk" * 10)
            except OSError:
                pass
        return CALL

class Shouter(Bot):
    def act(self, view):
        print("x" * 500_000)
        return CALL

class Hungry(Bot):
    def act(self, view):
        self.much = [bytearray(50_000_000) for _ in range(100)]
        return CALL

class Forker(Bot):
    """Leaves processes behind: a child, and a grandchild in a session of its own without an environment."""
    def act(self, view):
        subprocess.Popen(["sleep", "300"])
        if os.fork() == 0:
            os.setsid()
            subprocess.Popen(["sleep", "301"], start_new_session=True)
            os._exit(0)
        return CALL

class Reader(Bot):
    """Answers with what it could read, as an exception."""
    def act(self, view):
        found = []
        for path in os.environ["TO_READ"].split(":"):
            cat = lambda: subprocess.run(["cat", path], capture_output=True, check=True)
            for way in (lambda: open(path).read(), cat):
                try:
                    way()
                    found.append(os.path.basename(path))
                except (OSError, subprocess.CalledProcessError):
                    pass
        raise ValueError(f"read {found}")

class Striker(Bot):
    def act(self, view):
        os.kill(os.getppid(), signal.SIGUSR1)
        return CALL

class Mutterer(Bot):
    def act(self, view):
        class Silent(Exception):
            def __str__(self):
                raise ValueError
        raise Silent

class Strange(Bot):
    def act(self, view):
        class Answer:
            def __repr__(self):
                while True:
                    pass
        return Answer()

class Dead(Bot):
    def __init__(self):
        os._exit(0)
'''


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    file = tmp_path_factory.mktemp("bots") / "boxed_bots.py"
    file.write_text(BOTS)
    return file


def boxed(bots, name, **housing):
    return BoxedBot(BotSpec(f"{bots}:{name}"), Housing(**{"seconds": 0.5, **housing}), name)


def a_view(number=0):
    return PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), number, ("a", "b"))


def decision(bot):
    bot.seed_hand(7, 0)
    return bot.decided(a_view())


def test_a_decision_and_its_hand(bots):
    bot = boxed(bots, "Caller")
    assert (bot.learns, bot.hooks, bot.can_play(limit_holdem())) == (False, frozenset(), True)
    assert decision(bot) == CALL
    assert bot.settled() == []


def log(folder):
    return (Path(folder) / "hands.log").read_bytes()


@pytest.mark.parametrize("name", ["Caller", "Learner"])
def test_the_same_bytes_in_a_box_and_out_of_it(bots, tmp_path, name):
    bot = f"{bots}:{name}"
    play_match(bot, "random", hands=300, seed=5, folder=tmp_path / "boxed", workers=1)
    play_match(bot, "random", hands=300, seed=5, folder=tmp_path / "shared", workers=1, trusted=True)
    assert log(tmp_path / "boxed") == log(tmp_path / "shared")


@pytest.mark.parametrize("name", ["Caller", "Learner"])
def test_a_box_that_somebody_kills_is_no_fault_of_the_bot(bots, tmp_path, monkeypatch, name):
    bot = f"{bots}:{name}"
    play_match(bot, "random", hands=60, seed=5, folder=tmp_path / "whole", workers=1)
    asked, decided = [], BoxedBot.decided

    def killed_now_and_then(self, view):
        asked.append(view)
        if len(asked) % 17 == 0:
            self._box._process.kill()
        return decided(self, view)

    monkeypatch.setattr(BoxedBot, "decided", killed_now_and_then)
    result = play_match(bot, "random", hands=60, seed=5, folder=tmp_path / "killed", workers=1)
    assert len(asked) > 60
    assert not result.faults
    assert log(tmp_path / "whole") == log(tmp_path / "killed")


def test_a_box_that_is_killed_before_it_was_told_anything_is_started_again(bots, tmp_path, monkeypatch):
    popen, killed = subprocess.Popen, []

    def killing_the_first(*arguments, **settings):
        process = popen(*arguments, **settings)
        if not killed:
            killed.append(process)
            process.kill()
            process.wait()
        return process

    bot = f"{bots}:Learner"
    play_match(bot, "random", hands=40, seed=3, folder=tmp_path / "whole", workers=1)
    monkeypatch.setattr(subprocess, "Popen", killing_the_first)
    play_match(bot, "random", hands=40, seed=3, folder=tmp_path / "killed", workers=1)
    assert killed
    assert log(tmp_path / "whole") == log(tmp_path / "killed")


def test_a_late_answer_is_a_fault_even_if_the_bot_swallows_the_alarm(bots):
    assert decision(boxed(bots, "Swallower"))[:2] == (FaultKind.TIMEOUT, "no answer within 0.5 s")


def test_hooks_are_switched_off_after_three_that_are_late(bots, tmp_path):
    spec = f"{bots}:SlowHooks"
    from railbird.play.folder import MatchFolder
    from railbird.play.match import MatchSpec
    from railbird.play.run import run_matches

    match = MatchSpec(limit_holdem(), (spec, "always-call"), 20, 1, decision_seconds=0.2)
    [result] = run_matches([MatchFolder.create(tmp_path / "m", match)], 1)
    assert [fault.kind for fault in result.faults] == [FaultKind.HOOK] * 3
    assert result.faults[2].message.endswith("its hooks are switched off for the rest of the block")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Junk", "ended the process"),
        ("Mutterer", "Silent: it cannot be said what, since its __str__ raises too"),
        ("Strange", "no answer within 0.5 s"),
        ("Hungry", "MemoryError:"),
    ],
)
def test_what_is_said_of_bots_that_misbehave(bots, name, words):
    wrong = decision(boxed(bots, name, memory_mb=300, seconds=5 if name == "Hungry" else 0.5))
    assert isinstance(wrong, Wrong)
    assert wrong.message == words


def test_what_a_bot_prints_goes_to_a_file_up_to_a_point(bots, tmp_path):
    bot = boxed(bots, "Shouter", folder=tmp_path)
    for _ in range(4):
        assert decision(bot) == CALL
    bot.rest()
    assert (tmp_path / "Shouter.output.txt").stat().st_size == OUTPUT_BYTES


def marked():
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                if (
                    f"{MARK}=".encode() in (each / "environ").read_bytes()
                    and b"sleep" in (each / "cmdline").read_bytes()
                ):
                    found.append(int(each.name))
            except OSError:
                pass
    return found


def test_nothing_is_left_running(bots):
    before = set(marked())
    bot = boxed(bots, "Forker")
    assert decision(bot) == CALL
    time.sleep(0.2)
    assert len(set(marked()) - before) == 2
    bot.rest()
    assert set(marked()) <= before


@pytest.mark.skipif(LANDLOCK < 1, reason="only Python's own way into the folder is closed by this kernel")
def adopts():
    """Whether this process becomes the parent of processes whose own has ended."""
    answer = ctypes.c_int()
    ctypes.CDLL(None).prctl(GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(answer.value)


def test_a_box_that_ends_while_another_is_being_started_does_not_let_its_strays_go(monkeypatch):
    first = Box(Housing())
    popen = subprocess.Popen

    def ending_the_other_first(*arguments, **settings):
        first.end()
        return popen(*arguments, **settings)

    monkeypatch.setattr(subprocess, "Popen", ending_the_other_first)
    second = Box(Housing())
    assert adopts()
    second.end()
    assert not adopts()


def test_a_box_that_cannot_be_started_leaves_nothing(monkeypatch, tmp_path):
    def no_more_processes(*arguments, **settings):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", no_more_processes)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(BlockingIOError):
        Box(Housing())
    assert not adopts()
    assert not list(tmp_path.iterdir())


def test_the_match_folder_and_other_processes_cannot_be_read(bots, tmp_path, monkeypatch):
    folder = tmp_path / "match"
    folder.mkdir()
    secret, beside = folder / "manifest.json", tmp_path / "beside.txt"
    secret.write_text("{}")
    beside.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(secret)
    monkeypatch.setenv("TO_READ", f"{secret}:{link}:/proc/{os.getpid()}/cmdline:{beside}")
    wrong = decision(boxed(bots, "Reader", folder=folder))
    assert wrong.message == f"ValueError: read {[beside.name] * 2}"


@pytest.mark.skipif(LANDLOCK < 6, reason="this kernel does not hold signals back")
def test_other_processes_cannot_be_signalled(bots, tmp_path):
    struck = []
    before = signal.signal(signal.SIGUSR1, lambda *_: struck.append(1))
    try:
        wrong = decision(boxed(bots, "Striker", folder=tmp_path))
        time.sleep(0.05)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not struck
    assert "PermissionError" in wrong.message


def test_a_bot_that_cannot_be_made_is_refused(bots, tmp_path):
    with pytest.raises(UnknownBotError, match="could not be made: it ended the process"):
        boxed(bots, "Dead")
    with pytest.raises(UnknownBotError, match="no class 'Nobody' in"):
        boxed(bots, "Nobody")


def test_an_edited_bot_does_not_play_on(tmp_path):
    file = tmp_path / "edited.py"
    file.write_text(BOTS)
    bot = boxed(file, "Caller")
    assert decision(bot) == CALL
    bot.rest()
    file.write_text(BOTS + "\n")
    with pytest.raises(MatchError, match="has changed while it played"):
        decision(bot)


PATCHER = """
from railbird import CALL, Bot
from railbird.play.steps import Step

class Patcher(Bot):
    def __init__(self):
        paid = Step.payoffs
        Step.payoffs = lambda step, ranks: tuple(sorted(paid(step, ranks)))
    def act(self, view):
        return CALL
"""


def test_changed_payoffs_are_refused_where_bots_share_a_process(tmp_path):
    (tmp_path / "patcher.py").write_text(PATCHER)
    bot = f"{tmp_path / 'patcher.py'}:Patcher"
    with pytest.raises(MatchError, match=r"hand \d+ does not follow from the cards and the rules"):
        play_match(bot, "random", hands=50, folder=tmp_path / "shared", trusted=True)
    play_match(bot, "random", hands=50, folder=tmp_path / "boxed")
    play_match(f"{Path(__file__).parent / 'players.py'}:Caller", "random", hands=50, folder=tmp_path / "honest")
    assert log(tmp_path / "boxed").replace(b"Patcher", b"Caller") == log(tmp_path / "honest")
