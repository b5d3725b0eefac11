"""Whose turn it is to think, since when, and the alarm that interrupts whoever thinks for too long.

Time in which the process did not run does not count: a machine that sleeps, Ctrl-Z, or one so busy that nobody gets a
turn. The alarm rings twenty times a second; between two of its rings no more than a moment can have been thought,
unless the processor was used meanwhile.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, MutableSequence
from contextlib import ExitStack, contextmanager
from time import monotonic, process_time
from types import FrameType

ALARM_SECONDS = 0.05
_MOMENT_SECONDS = 0.25
"""As much may pass between two rings of the alarm and count, even if the processor was not used."""
_RING_AGAIN_SECONDS = 0.5
"""A bot that goes on regardless of the alarm is rung again after this while, until its process is ended."""


class BotTimeout(BaseException):
    """Raised inside a bot that has thought for too long; not an `Exception`, so that a bot does not swallow it."""


class Clock:
    """Who is thinking, since when: read by the alarm that interrupts a slow bot and by the process that watches.

    The cells may lie in shared memory, so that they can still be read when the bot's process no longer answers.
    """

    def __init__(self, cells: MutableSequence[float] | None = None) -> None:
        self.cells: MutableSequence[float] = cells if cells is not None else [0.0] * 3
        """When (monotonic) a bot was called, 0 if none is; the hand; and the number of the decision it was asked for,
        or -1 - player for a hook of that player."""
        self.rang = False
        """Whether the alarm has rung in this call, or the last one: what a bot answers after that is too late."""
        self.limit_seconds = 0.0
        """After so long a thought the alarm rings; see `time_limit`."""

    def start(self, call: int, thought: float = 0.0) -> None:
        """A bot is called; it has been thinking for `thought` seconds already."""
        self.rang = False
        self.cells[2] = call
        self.cells[0] = monotonic() - thought

    def stop(self) -> None:
        self.cells[0] = 0.0

    def pause(self) -> None:
        """Something is compiled inside the bot's call, which is not its fault."""
        self.stop()

    def resume(self, thought: float) -> None:
        """The call goes on after a pause; the bot had been thinking for `thought` seconds before."""
        self.start(self.call[1], thought)

    def forgive(self, seconds: float) -> None:
        """Do not count so many seconds of the call."""
        if self.cells[0]:
            self.cells[0] += seconds

    @property
    def thinking_seconds(self) -> float:
        """How long the bot that was called has been busy; 0 if none is."""
        since = self.cells[0]
        return monotonic() - since if since else 0.0

    @property
    def late_words(self) -> str:
        """What is said of a bot that has thought for too long."""
        return f"no answer within {self.limit_seconds:g} s"

    @property
    def call(self) -> tuple[int, int]:
        """The hand, and the decision or hook, of the call."""
        return int(self.cells[1]), int(self.cells[2])


@contextmanager
def time_limit(clock: Clock, seconds: float) -> Iterator[None]:
    """Interrupt a bot that thinks longer than `seconds`, by a `BotTimeout` raised inside it.

    It works in the main thread of systems with interval timers; elsewhere only the watching process helps.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    clock.limit_seconds = seconds
    before = signal.signal(signal.SIGALRM, _Alarm(clock).ring)
    signal.setitimer(signal.ITIMER_REAL, ALARM_SECONDS, ALARM_SECONDS)
    try:
        with ExitStack() as stack:
            if "numba" in sys.modules:
                from railbird.play.compile_pause import compiling_paused

                stack.enter_context(compiling_paused(clock))
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Alarm:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._parent = os.getppid() if multiprocessing.parent_process() is not None else 0
        self._rang = 0.0
        self._last, self._used = monotonic(), process_time()

    def ring(self, _signal: int, _frame: FrameType | None) -> None:
        """Look at the clock; raise `BotTimeout` in whoever has had it for too long."""
        if self._parent and os.getppid() != self._parent:
            os._exit(1)  # whoever started this process is gone
        now, used = monotonic(), process_time()
        gap = now - self._last - max(_MOMENT_SECONDS, used - self._used)
        self._last, self._used = now, used
        if gap > 0:
            self._clock.forgive(gap)
        if self._clock.thinking_seconds > self._clock.limit_seconds and now - self._rang > _RING_AGAIN_SECONDS:
            self._rang = now
            self._clock.rang = True
            raise BotTimeout(self._clock.late_words)
