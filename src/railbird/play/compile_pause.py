"""While a kernel is compiled no clock runs: it happens once, and is not the bot's fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

from railbird.play.clock import Clock


@contextmanager
def compiling_paused(clock: Clock) -> Iterator[None]:
    """Stop the clock whenever Numba compiles."""
    with event.install_listener("numba:compile", _Pause(clock)):
        yield


class _Pause(event.Listener):
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
