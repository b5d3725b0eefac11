"""Playing in another process: time limits that hold even against a bot that never comes back.

A bot that thinks too long is interrupted by an alarm inside its process. One that cannot be interrupted (stuck in
compiled code), or that ends the process, is noticed from outside: the process is replaced and the hand played again,
without asking the bot for the decision it was lost in.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from numba.core import event

from railbird.play.hand import BotTimeout, Clock
from railbird.play.match import MatchSpec

ALARM_SECONDS = 0.05
RING_AGAIN_SECONDS = 0.5
"""A bot that goes on regardless of the alarm is rung again after this while, until its process is ended."""
GRACE_SECONDS = 2.0
"""How much longer than its limit a bot may be silent before its process is ended."""


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


@contextmanager
def time_limit(clock: Clock, seconds: float) -> Iterator[None]:
    """Interrupt a bot that thinks longer than `seconds`, by a `BotTimeout` raised inside it.

    It works in the main thread of systems with interval timers; elsewhere only the watching process helps.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    is_worker = multiprocessing.parent_process() is not None
    parent, rang = os.getppid(), 0.0

    def ring(_signal: int, _frame: FrameType | None) -> None:
        nonlocal rang
        if is_worker and os.getppid() != parent:
            os._exit(1)  # whoever started this process is gone
        now = time.monotonic()
        if clock.thinking_seconds > seconds and now - rang > RING_AGAIN_SECONDS:
            rang = now
            raise BotTimeout(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, ALARM_SECONDS, ALARM_SECONDS)
    try:
        with event.install_listener("numba:compile", _CompilePause(clock)):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _CompilePause(event.Listener):
    """Stops the clock while a kernel is compiled, which happens once and is not the bot's fault."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._depth = 0
        self._thought = 0.0

    def on_start(self, _event: event.Event) -> None:
        if self._depth == 0:
            self._thought = self._clock.thinking_seconds
            self._clock.pause()
        self._depth += 1

    def on_end(self, _event: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0 and self._thought:
            self._clock.resume(self._thought)


class Worker:
    """A process that plays tasks; `connection` yields its blocks and, after each task, `None`."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.cells: MutableSequence[float] = context.RawArray("d", 3)
        self.clock = Clock(self.cells)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.cells), daemon=True)
        with _interrupts_held():
            self.process.start()
        theirs.close()
        self.task: Task | None = None

    def begin(self, task: Task | None) -> None:
        """Start on a task, or be idle if there is none."""
        self.task = task
        if task is not None:
            self.connection.send(task)

    @property
    def is_stuck(self) -> bool:
        """Whether the bot being asked has outstayed its limit and the alarm did not help."""
        return self.task is not None and self.clock.thinking_seconds > self.task.spec.decision_seconds + GRACE_SECONDS

    def end(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()
        self.connection.close()


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


def _serve(connection: Connection, cells: MutableSequence[float]) -> None:
    """The life of a worker process."""
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
            past = MatchFolder(task.folder, spec).past(task.leg, task.first)
            with time_limit(clock, spec.decision_seconds):
                for block in play_blocks(spec, task.leg, task.first, task.last, past, clock, task.skips):
                    connection.send(block)
        except Exception as error:
            answer = error
        clock.stop()
        try:
            connection.send(answer)
        except (BrokenPipeError, ConnectionError):
            return
