"""Ctrl-C: commands end with code 130 and say what was kept; what was kept can be gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from railbird.play.worker import Worker
from railbird.stopping import NOTHING_KEPT, NOTHING_TO_KEEP, finishing, keeping, otherwise, what_was_kept

RAILBIRD = [sys.executable, "-m", "railbird"]
LONGEST_SECONDS = 300  # of what is waited for; a busy machine takes longer than another
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


def started(command, folder, **options):
    return subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def stopped(command, folder, until, **options):
    """What a command wrote that got Ctrl-C, as from a terminal, once `until` is true."""
    process = started(command, folder, **options)
    deadline = time.monotonic() + LONGEST_SECONDS
    while not until():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST_SECONDS)
    while is_anybody_left(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process.returncode, out, err


def is_anybody_left(group):
    """Whether a process of a group lives. One that has ended, and that nobody has taken note of yet, does not."""
    if sys.platform == "linux":
        return any(at_group == group and state != "Z" for state, at_group in states_and_groups())
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def states_and_groups():
    for told in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has gone meanwhile
            state, _, group = told.read_text().rpartition(")")[2].split()[:3]
            yield state, int(group)


def is_longer(path, size):
    return lambda: path.exists() and path.stat().st_size > size


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_match_says_how_many_hands_are_kept_and_goes_on(tmp_path, workers):
    command = [*RAILBIRD, "match", "expert", "random", "--hands", "500000", "--out", "m", "--workers", workers]
    log = tmp_path / "m" / "hands.log"
    first = stopped(command, tmp_path, is_longer(log, 2_000))
    assert first[:2] == (130, "")
    kept, words = first[2].splitlines()[-1].split(" of ")
    assert words == "500,000 hands are kept in 'm'; do the same again to go on from there"
    assert kept.startswith("stopped: ")
    hands = int(kept.removeprefix("stopped: ").replace(",", ""))
    assert hands == sum(line.startswith("STATE") for line in log.read_text().splitlines())
    assert "Traceback" not in first[2]
    again = stopped(command, tmp_path, is_longer(log, log.stat().st_size))
    assert int(again[2].splitlines()[-1].split()[1].replace(",", "")) > hands


def test_training_writes_a_checkpoint_and_the_strategy(tmp_path):
    command = [*RAILBIRD, "solve", "--buckets", "169/1/1/8", "--boards", "1000000", "--out", "tiny.npz"]
    slow = "import railbird.solve.solving as s; s._CHECKPOINT_SECONDS = 0; from railbird.cli import main; main()"
    code, _, err = stopped(
        [sys.executable, "-c", slow, *command[3:]], tmp_path, is_longer(tmp_path / "tiny.npz.checkpoint", 0)
    )
    assert code == 130
    assert "boards are kept in 'tiny.npz.checkpoint'; with --resume the same command goes on from there" in err
    assert {path.name for path in tmp_path.iterdir()} == {"tiny.npz", "tiny.npz.checkpoint"}
    done = subprocess.run([*command[:6], "--boards", "1", "--out", "tiny.npz", "--resume"], cwd=tmp_path)
    assert done.returncode == 0


STUBBORN = """
import sys, threading, time
from pathlib import Path
from railbird.cli import commands, main
from railbird.stopping import finishing, keeping
from contextlib import nullcontext

class Command:
    def make_context(self, *names, **extra):
        with keeping("3 of 5 boards are kept"), (finishing() if sys.argv[1] == "finishing" else nullcontext()):
            try:
                Path("ready").touch()
                time.sleep(600)
            finally:
                time.sleep(1.5 if sys.argv[1] == "finishing" else 600)
                Path("finished").touch()

commands.loaded = lambda name: Command()
main(["odds", "AdQc"])
"""


@pytest.mark.parametrize("how", ["finishing", "waiting"])
def test_what_does_not_come_back_is_ended_unless_it_has_to_finish(tmp_path, how):
    code, _, err = stopped([sys.executable, "-c", STUBBORN, how], tmp_path, (tmp_path / "ready").exists)
    assert (code, err) == (130, "stopped: 3 of 5 boards are kept\n")
    assert (tmp_path / "finished").exists() == (how == "finishing")


AGAIN = """
import time
from pathlib import Path
from railbird.stopping import ending_with, prompt_stop

with prompt_stop(), ending_with(Path("last").touch):
    try:
        Path("ready").touch()
        time.sleep(600)
    finally:
        Path("stopping").touch()
        while True:
            try:
                time.sleep(600)
            except KeyboardInterrupt:
                pass
"""


def test_a_second_ctrl_c_leaves_no_last_act_undone(tmp_path):
    process = started([sys.executable, "-c", AGAIN], tmp_path)
    for word in ("ready", "stopping"):
        deadline = time.monotonic() + LONGEST_SECONDS
        while process.poll() is None and not (tmp_path / word).exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
    assert process.wait(LONGEST_SECONDS) == 130
    assert (tmp_path / "last").exists()


def test_a_worker_that_was_stopped_is_ended_whatever_comes_between(monkeypatch):
    worker = Worker(iter(()))

    def interrupted(pid):
        os.kill(pid, signal.SIGSTOP)
        raise KeyboardInterrupt

    monkeypatch.setattr("railbird.play.worker.end_descendants", interrupted)
    ended = []
    monkeypatch.setattr(worker.process, "kill", lambda: ended.append(worker.process.pid))
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.end()
        assert ended == [worker.process.pid]
    finally:
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.join(LONGEST_SECONDS)
        worker.connection.close()


THREADS = """
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from railbird.cli import commands, main

class Command:
    def make_context(self, *names, **extra):
        pool = ThreadPoolExecutor(1)
        pool.submit(time.sleep, 600)
        Path("ready").touch()
        time.sleep(600)

commands.loaded = lambda name: Command()
main(["odds", "AdQc"])
"""


def test_threads_are_not_waited_for(tmp_path):
    code, _, err = stopped([sys.executable, "-c", THREADS], tmp_path, (tmp_path / "ready").exists)
    assert (code, err) == (130, f"stopped: {NOTHING_KEPT}\n")


def stopped_command(tmp_path, *arguments):
    """The last line of a command that is stopped when it has begun."""
    ready = "import pathlib, railbird.cli.commands as commands; found = commands.loaded; "
    ready += "commands.loaded = lambda name: (found(name), pathlib.Path('ready').touch())[0]; "
    ready += "import time; from railbird.cli import main; main()"
    code, _, err = stopped([sys.executable, "-c", ready, *arguments], tmp_path, (tmp_path / "ready").exists)
    assert code == 130
    assert "Traceback" not in err
    return err.splitlines()[-1]


@pytest.mark.parametrize("command", [("watch", "random", "bpl", "--delay", "600"), ("check-bot", "always-call")])
def test_commands_that_keep_nothing_say_so(tmp_path, command):
    assert stopped_command(tmp_path, *command) == f"stopped: {NOTHING_TO_KEEP}"


def test_a_best_response_says_how_far_it_is(tmp_path):
    # Before the first flop is begun there is nothing to say.
    said = stopped_command(tmp_path, "exploit", "random:fold=1,call=3,raise=3", "--flops", "1755")
    assert said == f"stopped: {NOTHING_KEPT}" or " flops done" in said


LOST = """
import ctypes, signal, sys, time
from railbird.cli import commands, main

class Removed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

called_back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

class Command:
    def make_context(self, *names, **extra):
        if sys.argv[1] == "removed":
            Removed()
            time.sleep(600)
        called_back()
        raise RuntimeError("no compiled object yet")

commands.loaded = lambda name: Command()
main(["odds", "AdQc"])
"""


@pytest.mark.parametrize("where", ["removed", "called-back"])
def test_an_interrupt_where_nothing_can_be_raised_is_not_lost(where):
    done = subprocess.run([sys.executable, "-c", LOST, where], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, f"stopped: {NOTHING_KEPT}\n")


def test_the_outermost_words_count():
    with pytest.raises(KeyboardInterrupt) as stop, keeping("all"), keeping(lambda: "a part"):
        raise KeyboardInterrupt
    assert what_was_kept(stop.value) == "all"
    with pytest.raises(KeyboardInterrupt) as stop, finishing(), keeping(lambda: "a part"):
        raise KeyboardInterrupt
    assert what_was_kept(stop.value) == "a part"
    with pytest.raises(KeyboardInterrupt) as stop, otherwise(lambda: "nothing"), keeping("all"):
        raise KeyboardInterrupt
    assert what_was_kept(stop.value) == "all"
    with otherwise(lambda: "nothing"):
        assert what_was_kept(KeyboardInterrupt()) == "nothing"
    assert what_was_kept(KeyboardInterrupt()) == NOTHING_KEPT
