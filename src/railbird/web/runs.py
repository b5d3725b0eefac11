"""Runs of the laboratory: ordinary commands in processes of their own, which go on when the server ends.

    runs/NAME/run.json     the command, and the number of its process
    runs/NAME/output.txt   what it says
    runs/NAME/hands        its own folder

A process holds a lock on its folder as long as it lives: it inherits the file that the lock is on. So any server finds
out whether a run goes on, and asks it to end by its number only then.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise, takewhile
from pathlib import Path
from time import monotonic, sleep

from railbird.errors import MatchError
from railbird.files import file_name, write_whole
from railbird.json_files import Fields, read_json
from railbird.numbers import quoted

FOLDER = "runs"
HANDS = "hands"
MOST_RUNNING = 3
"""Runs at once; each takes what it can of the machine."""
_RUN, _OUTPUT = "run.json", "output.txt"
_HANDS_OPTION = "--hands"
_ERROR, _STOPPED = "error: ", "stopped: "
"""With which a command's last line begins if it refused what was asked, or was stopped."""
_AT_ONCE = f"{_STOPPED}before it had begun\n"
_LOCK_SECONDS = 0.5
"""Whoever looks whether a run goes on has its lock for a moment."""
_SCHEMA = "railbird.run/1"
_OUTPUT_BYTES = 20_000
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Run:
    """A command that was started here."""

    name: str
    folder: Path
    arguments: tuple[str, ...]
    """As on the command line, without the folder."""
    pid: int
    began: datetime

    @property
    def kind(self) -> str:
        return self.arguments[0]

    @property
    def title(self) -> str:
        """What is run, and of whom."""
        return f"{self.kind}: {' v '.join(_names(self.arguments)[1:])}"

    @property
    def options(self) -> str:
        """All else that the command says."""
        return shlex.join(self.arguments[len(_names(self.arguments)) :])

    @property
    def command(self) -> str:
        """What would do the same on a terminal."""
        return shlex.join(["railbird", *self.arguments, "--out", str(self.hands)])

    @property
    def hands(self) -> Path:
        return self.folder / HANDS

    @property
    def is_running(self) -> bool:
        """Whether its process lives: whether somebody holds the lock."""
        try:
            handle = os.open(self.folder, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(handle)
        return False

    def output(self) -> str:
        """The end of what it said."""
        try:
            with (self.folder / _OUTPUT).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _OUTPUT_BYTES))
                return _without_control(file.read().decode(errors="replace"))
        except OSError:
            return ""

    @property
    def refusal(self) -> str:
        """What it said was wrong, if it ended so."""
        last = self._last_line
        return last.removeprefix(_ERROR) if last.startswith(_ERROR) else ""

    @property
    def said_why(self) -> bool:
        """Whether it said why it ended before it was done."""
        return self._last_line.startswith((_ERROR, _STOPPED))

    @property
    def _last_line(self) -> str:
        return self.output().rstrip().rpartition("\n")[2]

    @property
    def hands_asked(self) -> int:
        """How many hands or deals it is to play."""
        words = dict(pairwise(self.arguments))
        return int(words[_HANDS_OPTION]) if words.get(_HANDS_OPTION, "").isdecimal() else 0

    def go_on(self, hands: int = 0) -> Run:
        """Give its command again, which goes on where it stopped; to so many hands, if given."""
        if self.is_running:
            raise MatchError(f"{self.name!r} is running already")
        _refuse_many(self.folder.parent.parent)
        arguments = list(self.arguments)
        if hands:
            arguments[arguments.index(_HANDS_OPTION) + 1] = str(hands)
        return _started(self.folder, arguments)

    def stop(self) -> None:
        """Ask its process to end, as Ctrl-C does; what was played is kept."""
        if self.is_running:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGINT)


def start_run(home: Path, arguments: Sequence[str]) -> Run:
    """Start a command under the server's home."""
    _refuse_many(home)
    name = file_name("-".join(_names(arguments))).strip(".")[:_LONGEST_NAME]
    return _started(_vacant(home / FOLDER, name), arguments)


def _refuse_many(home: Path) -> None:
    """Refuse to start a run beside as many as the machine should bear."""
    running = [run for run in runs_in(home) if run.is_running]
    if len(running) >= MOST_RUNNING:
        told = f"{len(running)} runs go on already; wait for one, or stop one"
        raise MatchError(told if len(running) > 1 else "1 run goes on already; wait for it, or stop it")


def _names(arguments: Sequence[str]) -> list[str]:
    """The words of a command before its options."""
    return list(takewhile(lambda word: not word.startswith("--"), arguments))


def read_run(home: Path, name: str) -> Run:
    """The run of a name."""
    folder = home / FOLDER / name
    if not re.fullmatch(r"[\w.-]+", name) or name.startswith(".") or not (folder / _RUN).is_file():
        raise MatchError(f"no run {name[:100]!r} here")
    try:
        told = Fields(read_json(folder / _RUN), "the run")
        arguments, pid = tuple(told.texts("arguments")), told.whole("pid", 2)
        if told.text("schema") != _SCHEMA or not arguments:
            raise ValueError(f"it is no run of this version (schema {_SCHEMA})")
        return Run(name, folder, arguments, pid, _time(told.text("began")))
    except (OSError, ValueError) as error:
        raise MatchError(f"the run {name!r} cannot be read: {error}") from None


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{quoted(text)} is no time") from None


def runs_in(home: Path) -> list[Run]:
    """All runs, the last first; those that cannot be read aside."""
    found = []
    for file in (home / FOLDER).glob(f"*/{_RUN}"):
        with suppress(MatchError):
            found.append(read_run(home, file.parent.name))
    return sorted(found, key=lambda run: run.began, reverse=True)


def _started(folder: Path, arguments: Sequence[str]) -> Run:
    command = [sys.executable, "-m", "railbird", *arguments, "--out", str(folder / HANDS)]
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        _take(lock)
        with (folder / _OUTPUT).open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(lock,),
                start_new_session=True,
            )
        run = Run(folder.name, folder, tuple(arguments), process.pid, datetime.now())
        told = {"schema": _SCHEMA, "arguments": list(arguments), "pid": run.pid, "began": run.began.isoformat()}
        write_whole(folder / _RUN, json.dumps(told, indent=1) + "\n")
        _children.append(process)
    except BlockingIOError:
        raise MatchError(f"{folder.name!r} is running already") from None
    finally:
        os.close(lock)  # the process has it too
    return run


def _take(lock: int) -> None:
    """Lock a run's folder, or raise `BlockingIOError` where a process has it."""
    until = monotonic() + _LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                raise
            sleep(0.01)


_children: list[subprocess.Popen[bytes]] = []
"""Processes of this server; asked now and then, so that those that ended go away."""


def reap() -> None:
    """Let processes of this server that have ended go."""
    _children[:] = [child for child in _children if child.poll() is None]


def _vacant(parent: Path, name: str) -> Path:
    """A folder of that name that is not there yet."""
    numbers = ["", *[f"-{number}" for number in range(2, 10_000)]]
    return next(folder for number in numbers if not (folder := parent / f"{name}{number}").exists())


def _without_control(text: str) -> str:
    """What a terminal would show at last: no escapes, and of a line that was written over its last state.

    A process that was stopped before the command could answer has left a traceback, which is told in words.
    """
    if text.rstrip().endswith("\nKeyboardInterrupt"):
        text = re.sub(r"(?sm)^(Fatal Python error:|Traceback \(most recent).*\Z", _AT_ONCE, text)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
