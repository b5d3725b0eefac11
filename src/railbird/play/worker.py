"""Playing beside the process that watches: on several cores, and with time limits that hold against bots that never
come back.

A bot that shares the process and thinks too long is interrupted by an alarm. One that cannot be interrupted (stuck in
compiled code), or that ends the process, is noticed from outside: the process is replaced and the hand played again; if
it is lost in the same place once more, without asking the bot for that decision. Boxes time their bots themselves.

Where players in boxes wait for something elsewhere a thread does as well as a process, and costs nothing: a table.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from railbird.bots.places import error_words
from railbird.errors import MatchError
from railbird.formats import acpc
from railbird.game.record import HandRecord
from railbird.play.blocks import Block, play_blocks
from railbird.play.clock import Clock, time_limit
from railbird.play.folder import MatchFolder
from railbird.play.manifest import refuse_edited
from railbird.play.match import MatchSpec
from railbird.play.strays import end_descendants, join_family, new_family, sweep_up
from railbird.stopping import ending_with

GRACE_SECONDS = 2.0
"""How much longer than its limit a bot may be silent before its process is ended."""
_IDLE_SECONDS, _BUSY_SECONDS = 5.0, 0.3
"""How long the end of a table is waited for."""
_MOST_LOOKS = 3
"""So often in a row a bot must be found silent: after a pause of the whole machine its own alarm comes first."""


@dataclass(frozen=True)
class Task:
    """A run of consecutive hands of one leg of one match."""

    match: int
    spec: MatchSpec
    leg: int
    first: int
    last: int
    folder: Path
    """Where the hands before `first` are, for learners."""
    lines: bytes | None = None
    """The hands before as lines of the log, where the folder is on another machine."""
    skips: dict[tuple[int, int], str] = field(default_factory=dict)
    """Calls that are not made, and why; see `railbird.play.hands.Skips`."""
    suspects: frozenset[tuple[int, int]] = frozenset()
    """Calls in which a process was lost once."""

    def past(self) -> Iterator[HandRecord]:
        """The hands before, as `played_hands` takes them."""
        if self.lines is None:
            return MatchFolder(self.folder, self.spec).past(self.leg, self.first)
        lines = self.lines.decode().splitlines()
        return (acpc.parse_record(line, self.spec.game) for line in lines if acpc.is_hand(line))


class CallLost(Exception):
    """A process was lost: in which call of a bot, if it was one, and how."""

    def __init__(self, call: tuple[int, int] | None, why: str) -> None:
        super().__init__(call, why)
        self.call, self.why = call, why


class Desk:
    """Where tasks are played one after another; `connection` yields blocks and, after each task, `None`.

    `tasks` are shared with other desks: each takes the next when it has done one.
    """

    connection: Connection
    clock: Clock

    def __init__(self, tasks: Iterator[Task]) -> None:
        self.tasks = tasks
        self.task: Task | None = None

    def go_on(self) -> None:
        """Start on the next task."""
        self.begin(next(self.tasks, None))

    def begin(self, task: Task | None) -> None:
        """Start on a task, or be idle if there is none."""
        self.task = task
        if task is not None:
            with suppress(BrokenPipeError, ConnectionError):  # it was lost, as whoever waits for it will see
                self.connection.send(task)

    @property
    def is_stuck(self) -> bool:
        """Whether the bot being asked has outstayed its limit and the alarm did not help; to be asked now and then."""
        return False

    def heard(self) -> Any:
        """What the desk has to say, a block or `None` after a task; raises what was raised there, or `CallLost`."""
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            raise self.lost("ended the process") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def lost(self, why: str) -> CallLost:
        """What to say of a desk that is no more."""
        return CallLost(self.clock.call if self.clock.thinking_seconds else None, why)

    def stop(self) -> None:
        """Go on no longer than must be; `end` follows."""

    def end(self) -> None:
        """End at once, with all that bots have started here."""
        raise NotImplementedError


class Table(Desk):
    """A thread of this process that plays tasks, between players in boxes and others that can be trusted."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        super().__init__(tasks)
        self.clock = self._bell = _Bell()
        self.connection, theirs = multiprocessing.Pipe()
        self._until = math.inf
        self._thread = threading.Thread(target=_play_tasks, args=(theirs, self._bell), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._bell.is_closing = True
        self._until = min(self._until, monotonic() + _BUSY_SECONDS)
        self.connection.close()

    def end(self) -> None:
        """Wait for the end a moment: a player that is being asked is not waited for, and its box ends later."""
        self.stop()
        self._thread.join(_IDLE_SECONDS if self.task is None else max(0.0, self._until - monotonic()))


class TableClosed(Exception):
    """Nobody wants the hands of a table any more."""


class _Bell(Clock):
    """The clock of a table, which ends its play where a bot would be called."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closing = False

    def start(self, call: int, thought: float = 0.0) -> None:
        if self.is_closing:
            raise TableClosed
        super().start(call, thought)


class Worker(Desk):
    """A process that plays tasks."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        super().__init__(tasks)
        context = multiprocessing.get_context("spawn")
        self.cells: MutableSequence[float] = context.RawArray("d", 3)
        self.clock = Clock(self.cells)
        self.connection, theirs = context.Pipe()
        self._family = new_family()
        self.process = context.Process(target=_serve, args=(theirs, self.cells, self._family), daemon=True)
        with _interrupts_held():
            self.process.start()
        theirs.close()
        self._looks = 0

    @property
    def is_stuck(self) -> bool:
        task = self.task
        is_silent = task is not None and self.clock.thinking_seconds > task.spec.decision_seconds + GRACE_SECONDS
        self._looks = self._looks + 1 if is_silent else 0
        return self._looks >= _MOST_LOOKS

    def end(self) -> None:
        """End the process at once, with all that bots have started in it."""
        with ending_with(self.process.kill):  # once it is stopped nobody else would end it
            if self.process.pid:
                end_descendants(self.process.pid)
        self.process.join()
        self.connection.close()
        sweep_up(self._family)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started here never see Ctrl-C, not even while they import; who started them does, and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def blocks_of(task: Task, clock: Clock) -> Iterator[Block]:
    """Play a task in this process."""
    spec = task.spec
    with time_limit(clock, spec.decision_seconds):
        yield from play_blocks(spec, task.leg, task.first, task.last, task.past(), clock, task.skips)


def _serve(connection: Connection, cells: MutableSequence[float], family: str) -> None:
    """The life of a worker process."""
    join_family(family)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what bots print must not mix with a report
    os.environ["RAILBIRD_PROGRESS"] = "no"  # who waits is told by the process that started this one
    _play_tasks(connection, Clock(cells))


def _play_tasks(connection: Connection, clock: Clock) -> None:
    """Play tasks as they come, until no more can."""
    spec: MatchSpec | None = None
    match: tuple[Path, MatchSpec, tuple[str, ...]] | None = None
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            break
        answer: Any = None
        try:
            # Two matches may differ in their folder and in what their players are called alone.
            if spec is None or (task.folder, task.spec, task.spec.names) != match:
                refuse_edited(task.spec, task.folder)
                spec = task.spec  # and its bots, made once for all tasks of the match
                match = task.folder, spec, spec.names
                spec.housed_in(task.folder)
            for block in blocks_of(replace(task, spec=spec), clock):
                connection.send(block)
        except Exception as error:
            answer = error
        except BaseException as error:  # a bot's that shares the process
            answer = MatchError(f"a bot ended the process that plays {str(task.folder)!r}: {error_words(error)}")
        clock.stop()
        try:
            connection.send(answer)
        except OSError:
            break
    if spec is not None and "roster" in vars(spec):
        spec.roster.rest()
