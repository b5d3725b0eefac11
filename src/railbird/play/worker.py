"""Playing in another process: on several cores, and with time limits that hold against bots that never come back.

A bot that shares the process and thinks too long is interrupted by an alarm. One that cannot be interrupted (stuck in
compiled code), or that ends the process, is noticed from outside: the process is replaced and the hand played again; if
it is lost in the same place once more, without asking the bot for that decision. Boxes time their bots themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from railbird.bots.places import error_words
from railbird.errors import MatchError
from railbird.play.clock import Clock, time_limit
from railbird.play.match import MatchSpec
from railbird.play.strays import end_descendants, join_family, new_family, sweep_up

GRACE_SECONDS = 2.0
"""How much longer than its limit a bot may be silent before its process is ended."""
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
    skips: dict[tuple[int, int], str] = field(default_factory=dict)
    """Calls that are not made, and why; see `railbird.play.hands.Skips`."""
    suspects: frozenset[tuple[int, int]] = frozenset()
    """Calls in which a process was lost once."""


class Worker:
    """A process that plays tasks; `connection` yields its blocks and, after each task, `None`.

    `tasks` are shared with other workers: each takes the next when it has done one.
    """

    def __init__(self, tasks: Iterator[Task]) -> None:
        self.tasks = tasks
        context = multiprocessing.get_context("spawn")
        self.cells: MutableSequence[float] = context.RawArray("d", 3)
        self.clock = Clock(self.cells)
        self.connection, theirs = context.Pipe()
        self._family = new_family()
        self.process = context.Process(target=_serve, args=(theirs, self.cells, self._family), daemon=True)
        with _interrupts_held():
            self.process.start()
        theirs.close()
        self.task: Task | None = None
        self._looks = 0

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
        task = self.task
        is_silent = task is not None and self.clock.thinking_seconds > task.spec.decision_seconds + GRACE_SECONDS
        self._looks = self._looks + 1 if is_silent else 0
        return self._looks >= _MOST_LOOKS

    def end(self) -> None:
        """End the process at once, with all that bots have started in it."""
        if self.process.pid:
            end_descendants(self.process.pid)
        self.process.kill()
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


def _serve(connection: Connection, cells: MutableSequence[float], family: str) -> None:
    """The life of a worker process."""
    join_family(family)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what bots print must not mix with a report
    os.environ["RAILBIRD_PROGRESS"] = "no"  # who waits is told by the process that started this one
    from railbird.play.blocks import play_blocks
    from railbird.play.folder import MatchFolder
    from railbird.play.manifest import refuse_edited

    clock = Clock(cells)
    spec: MatchSpec | None = None
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        answer: Any = None
        try:
            if task.spec != spec:
                refuse_edited(task.spec, task.folder)
                spec = task.spec  # and its bots, made once for all tasks of the match
                spec.housed_in(task.folder)
            past = MatchFolder(task.folder, spec).past(task.leg, task.first)
            with time_limit(clock, spec.decision_seconds):
                for block in play_blocks(spec, task.leg, task.first, task.last, past, clock, task.skips):
                    connection.send(block)
        except Exception as error:
            answer = error
        except BaseException as error:  # a bot's that shares the process
            answer = MatchError(f"a bot ended the process that plays {str(task.folder)!r}: {error_words(error)}")
        clock.stop()
        try:
            connection.send(answer)
        except (BrokenPipeError, ConnectionError):
            return
