"""A box: a process in which bots that somebody else wrote are called, with limits on time, memory and output.

Requests go out and answers come back on pipes. A box that does not answer in time, or whose answers make no sense, is
ended, with everything its bots have started. Time in which this process itself did not run does not count.

The inside is `railbird.play.boxed`; the bots as the rest of Railbird knows them are in `railbird.play.boxed_bot`.
"""

from __future__ import annotations

import json
import marshal
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

from railbird.bots.places import MOST_SIGNS, MOST_WORDS, shortened
from railbird.bots.registry import bot_folders
from railbird.bots.talking import USERS_PYTHONPATH
from railbird.game.actions import Action
from railbird.play.asking import Wrong
from railbird.play.faults import FaultKind
from railbird.play.restarts import output_file
from railbird.play.strays import BOXES, MARK, adopt_strays, count_strays, end_strays, leave_strays, new_mark

GRACE_SECONDS = 2.0
"""How much longer than its limit a bot may be silent before its process is ended."""
LATE_SECONDS = 1.0
"""An answer that came so much after the limit is too late, even if the bot's own clock says otherwise."""
OUTPUT_BYTES = 1_000_000
_START_FACTOR, _START_SECONDS = 10, 10.0
_COMPILING_FACTOR = 30
_TICK_SECONDS = 0.05
_MOST_TICK_SECONDS = 0.25
_LONGEST_ANSWER = 1 << 16
_MOST_TRACE = 8
_ENDING_BYTES = 400
_REAP_SECONDS, _REAP_TICK = 1.0, 0.005
_CHILD = "from railbird.play.boxed import serve; serve()"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Housing:
    """What bots in boxes may use, and what they are kept out of."""

    seconds: float = 10.0
    """How long a bot may think about one decision."""
    memory_mb: int = 2048
    folder: Path | None = None
    """The match folder: out of reach for the bot; what it prints is kept there."""
    forbidden: tuple[Path, ...] = ()
    """Other folders that are out of reach."""
    hash_seed: str = ""
    """Python's PYTHONHASHSEED, on which the order of sets depends, where it is not to be that of this process."""

    @property
    def start_seconds(self) -> float:
        """How long it may take to load, make and prepare a bot, each."""
        return max(_START_SECONDS, _START_FACTOR * self.seconds)

    def output_of(self, name: str) -> Path | None:
        """The file for what a bot of this name prints, where it is kept."""
        return output_file(self.folder, name) if self.folder and name else None


USUAL = Housing()


class BoxLost(Exception):
    """The process of a box has ended, or had to be ended; its text says why."""

    def __init__(self, why: str, is_late: bool = False) -> None:
        super().__init__(why)
        self.is_late = is_late
        """Whether it had to be ended because time was up."""


class Answer(NamedTuple):
    """What came back from a request: the value of its last call, and what went wrong in which call."""

    value: Any
    wrong: tuple[tuple[int, Wrong], ...] = ()


class Box:
    """One such process. `name` is for the file of what its bots print."""

    def __init__(self, housing: Housing, name: str = "") -> None:
        self.housing = housing
        self.notes: list[str] = []
        """What its bots tried to reach and may not."""
        self._mark = new_mark()
        self._scratch = tempfile.mkdtemp(prefix=f"railbird-box-{self._mark}-")
        self._left = 0.0
        """Seconds until it is ended; 0 while nobody waits for it."""
        self._waited = 0.0
        self._compiling = _COMPILING_FACTOR * housing.seconds
        """How much longer it may compile, in all."""
        self._why = ""
        self._last_words = ""
        """What it said when it ended itself."""
        adopt_strays(self._mark)
        try:
            self._process = _started(housing, self._mark, self._scratch)
        except OSError:
            leave_strays(self._mark)
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        BOXES.add(self._process.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._requests, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        self.output = Output(housing.output_of(name))
        self._drain = threading.Thread(target=self.output.drain, args=(self._process.stderr.fileno(),), daemon=True)
        self._drain.start()
        self.end = weakref.finalize(self, _ended, self._process, self._mark, self._scratch, self._drain)
        """End the process and all that its bots have started; happens by itself when the box is no longer needed."""
        _WATCHDOG.watch(self)
        with suppress(OSError):  # it is lost already, as whoever asks first will see
            self._send(self._settings())

    def ask(self, calls: Sequence[tuple[Any, ...]], is_setup: bool = False, most_late: int = 1) -> Answer:
        """Make these calls in the box; raises `BoxLost` if no answer comes that makes sense.

        After `most_late` hooks that take too long the others are left out.
        """
        limit = self.housing.start_seconds if is_setup else self.housing.seconds
        self._waited, self._left = 0.0, limit * len(calls) + GRACE_SECONDS
        try:
            self._send((most_late, list(calls)))
            answer = self._read(self._line())
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            raise self._lost() from None
        finally:
            self._left = 0.0
        if self._waited > limit * len(calls) + LATE_SECONDS and type(answer.value) is Action:
            late = Wrong(FaultKind.TIMEOUT, f"no answer within {limit:g} s", (), True)
            return Answer(None, (*answer.wrong, (len(calls) - 1, late)))
        return answer

    @property
    def company(self) -> int:
        """How many processes its bots have started that still run."""
        return count_strays(self._mark) - 1

    def tick(self, seconds: float) -> None:
        """So much time has passed; end the process if it is too much."""
        if self._left:
            self._waited += seconds
            self._left -= seconds
            if self._left <= 0:
                self._left = 0.0
                self._why = "did not come back"
                _kill(self._process, self._mark)

    def _settings(self) -> dict[str, Any]:
        """What the process is told first."""
        housing = self.housing
        return {
            "path": [folder for folder in sys.path if folder not in bot_folders],
            "seconds": housing.seconds,
            "start_seconds": housing.start_seconds,
            "memory_mb": housing.memory_mb,
            "forbidden": [str(path) for path in (housing.folder, *housing.forbidden) if path],
        }

    def _send(self, message: Any) -> None:
        data = marshal.dumps(message)
        data = len(data).to_bytes(4, "little") + data
        while data:
            data = data[os.write(self._requests, data) :]

    def _line(self) -> bytes:
        """The line that answers a request."""
        line = os.read(self._answers, _LONGEST_ANSWER)
        before = None
        while True:
            while line[:2] in (b"<\n", b">\n"):
                is_begun, line = line[:1] == b"<", line[2:]
                if is_begun and before is None:
                    before = self._left, self._waited
                    self._left += self._compiling
                elif not is_begun and before is not None:
                    self._compiling -= before[0] + self._compiling - self._left
                    (self._left, self._waited), before = before, None
            if line.endswith(b"\n"):
                return line
            more = os.read(self._answers, _LONGEST_ANSWER)
            if not more or len(line) > _LONGEST_ANSWER:
                raise ValueError("not an answer")
            line += more

    def _read(self, line: bytes) -> Answer:
        known = _ACTIONS.get(line)
        if known is not None:
            return Answer(known)
        whole = json.loads(line)
        if "lost" in whole:
            self._last_words = shortened(str(whole["lost"]), MOST_WORDS)
            raise ValueError("no answer will come")
        wrong = tuple((int(each[0]), _wrong(*each[1:])) for each in whole["wrong"])
        self.notes += [shortened(str(note), MOST_WORDS) for note in whole["notes"]]
        value = whole["value"]
        if isinstance(value, list) and len(value) == 2 and type(value[0]) is str and type(value[1]) is int:
            value = Action(shortened(value[0], MOST_SIGNS), value[1])
        return Answer(value, wrong)

    def _lost(self) -> BoxLost:
        """Why there is no answer. The process is ended, if it has not ended by itself."""
        self.end()
        return BoxLost(self._why or self._last_words or "ended the process", is_late=bool(self._why))


class Output:
    """What a box's bots print: the beginning of it goes to a file."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.bytes = 0
        self.beginning = b""
        self.ending = b""

    @property
    def last_line(self) -> str:
        """The last line that was printed, as far as it is kept."""
        lines = self.ending.decode(errors="replace").split("\n")
        return next((shortened(line, MOST_SIGNS) for line in reversed(lines) if line.strip()), "")

    def drain(self, source: int) -> None:
        """Read until the end, which a thread does."""
        with suppress(OSError, ValueError):
            while text := os.read(source, 1 << 16):
                self.bytes += len(text)
                self.beginning = (self.beginning + text)[:200] if len(self.beginning) < 200 else self.beginning
                self.ending = (self.ending + text)[-_ENDING_BYTES:]
                if self._file:
                    with suppress(OSError), self._file.open("ab") as file:
                        file.write(text[: max(0, OUTPUT_BYTES - file.tell())])


class _Watchdog:
    """Ends boxes whose time is up: a thread, from the first box on."""

    def __init__(self) -> None:
        self._is_awake = False
        self._boxes: weakref.WeakSet[Box] = weakref.WeakSet()
        self._lock = threading.Lock()

    def watch(self, box: Box) -> None:
        with self._lock:
            self._boxes.add(box)
            if not self._is_awake:
                self._is_awake = True
                threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        before = monotonic()
        while True:
            sleep(_TICK_SECONDS)
            now = monotonic()
            self._tick(min(now - before, _MOST_TICK_SECONDS))
            before = now

    def _tick(self, seconds: float) -> None:
        """Tell all boxes that time has passed. Nothing here holds them longer: a box that nobody needs is to end."""
        with self._lock:
            boxes = list(self._boxes)
        for box in boxes:
            box.tick(seconds)


_WATCHDOG = _Watchdog()
_ACTIONS = {f"{action}\n".encode(): action for action in map(Action, "fcr")}


def _wrong(kind: str, message: str, trace: Sequence[str], is_late: bool) -> Wrong:
    """What a box says went wrong, in bounds."""
    lines = tuple(shortened(str(line), 2 * MOST_SIGNS) for line in list(trace)[:_MOST_TRACE])
    return Wrong(FaultKind(kind), shortened(str(message), MOST_WORDS), lines, bool(is_late))


def _started(housing: Housing, mark: str, scratch: str) -> subprocess.Popen[bytes]:
    hashing = {"PYTHONHASHSEED": housing.hash_seed} if housing.hash_seed else {}
    users = os.environ.get("PYTHONPATH", "")
    own = {MARK: mark, "TMPDIR": scratch, "PYTHONPATH": _python_path(), USERS_PYTHONPATH: users}
    own["RAILBIRD_DECISION_SECONDS"] = f"{housing.seconds:g}"
    return subprocess.Popen(
        [sys.executable, "-P", "-u", "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**dict.fromkeys(_THREADS, "1"), **os.environ, **hashing, **own},
        start_new_session=True,
    )


def _python_path() -> str:
    """Where a new process finds this Railbird."""
    here = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """End a process and all that it has started; whoever reads from it then reads the end."""
    BOXES.discard(process.pid)
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    end_strays(mark)


def _reap(group: int) -> None:
    """Take leave of processes of an ended box that are this one's children now, or they would be listed for ever."""
    until = monotonic() + _REAP_SECONDS
    with suppress(OSError):
        while monotonic() < until:
            if not os.waitpid(-group, os.WNOHANG)[0]:
                sleep(_REAP_TICK)


def _ended(process: subprocess.Popen[bytes], mark: str, scratch: str, drain: threading.Thread) -> None:
    _kill(process, mark)
    process.wait()
    _reap(process.pid)
    leave_strays(mark)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
    drain.join(1.0)
    if process.stderr and not drain.is_alive():
        process.stderr.close()
    shutil.rmtree(scratch, ignore_errors=True)
