"""Work that takes time is done in processes of its own, so that the server answers everybody meanwhile.

A thinker is a process that does one piece of work at a time. One that takes too long, or too much memory, is ended
and replaced; the server goes on.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar, cast

from railbird.errors import RailbirdError
from railbird.web.forked import begun

Given = ParamSpec("Given")
Found = TypeVar("Found")

SECONDS = 30.0
COLD_SECONDS = 300.0
"""For work of a thinker that is not warm yet: maybe something must be compiled for it."""
MEMORY_MB = 4_096


def _nothing() -> Iterator[None]:
    yield from ()


class ThinkingError(RailbirdError):
    """Work that was given up."""


class Thinkers:
    """Processes that think for the server; more work than they can do waits.

    What may take long is done by others than what is answered at once, so that nobody waits for a short answer until
    the long ones of other people are found.
    """

    def __init__(self, count: int, memory_mb: int = MEMORY_MB, warm: Callable[[], Iterator[None]] = _nothing) -> None:
        """So many for short answers and, when they are needed, as many for long ones. `warm` loads code that short
        answers need, step by step; each thinker does it while nobody asks it anything."""
        self._short = _Crew(count, partial(_Thinker, memory_mb, warm))
        self._long = _Crew(count, partial(_Thinker, memory_mb, _nothing))
        for _ in range(count):
            self._short.hire()

    async def think(self, work: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found:
        """What `work` returns, a function at the top of a module. What it refuses is raised here."""
        return cast(Found, await self._short.found(SECONDS, (work, args, kwargs)))

    async def think_within(self, seconds: float, work: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
        """The same for work that may take so long."""
        return cast(Found, await self._long.found(seconds, (work, args, kwargs)))

    def end(self) -> None:
        """End all processes."""
        self._short.end()
        self._long.end()


class _Crew:
    """Thinkers that do the same kind of work."""

    def __init__(self, most: int, new: Callable[[], _Thinker]) -> None:
        self._most, self._new = most, new
        self._idle: asyncio.Queue[_Thinker] = asyncio.Queue()
        self._all: set[_Thinker] = set()

    def hire(self) -> None:
        thinker = self._new()
        self._all.add(thinker)
        self._idle.put_nowait(thinker)

    async def found(self, seconds: float, task: tuple[Any, ...]) -> Any:
        if self._idle.empty() and len(self._all) < self._most:
            self.hire()
        thinker = await self._idle.get()
        try:
            is_well, found = await thinker.asked(seconds, task)
        except BaseException as error:  # late, dead, or the asker has gone
            self._all.discard(thinker)
            thinker.end()
            self.hire()
            if isinstance(error, TimeoutError):
                raise ThinkingError(f"this took longer than {seconds:g} seconds and was given up") from None
            if isinstance(error, EOFError | OSError):
                raise ThinkingError("this took more memory than there is for it, and was given up") from None
            raise
        self._idle.put_nowait(thinker)
        if not is_well:
            raise found
        return found

    def end(self) -> None:
        for thinker in self._all:
            thinker.end()


class _Thinker:
    """One process, and the line to it."""

    def __init__(self, memory_mb: int, warm: Callable[[], Iterator[None]]) -> None:
        self.line, theirs = Pipe()
        self.process = begun(_think, theirs, memory_mb, warm)
        theirs.close()
        self.is_warm = False

    async def asked(self, seconds: float, task: tuple[Any, ...]) -> tuple[bool, Any]:
        self.line.send(task)
        is_well, found, self.is_warm = await self._told(seconds if self.is_warm else max(seconds, COLD_SECONDS))
        return is_well, found

    async def _told(self, seconds: float) -> tuple[bool, Any, bool]:
        """What the process says next."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(self.line.fileno(), ready.set)
        try:
            await asyncio.wait_for(ready.wait(), seconds)
        finally:
            loop.remove_reader(self.line.fileno())
        return cast(tuple[bool, Any, bool], await asyncio.to_thread(self.line.recv))

    def end(self) -> None:
        self.process.kill()
        self.line.close()


def _think(line: Connection, memory_mb: int, warm: Callable[[], Iterator[None]]) -> None:
    """The life of a thinker."""
    if sys.platform != "darwin":
        limit = memory_mb << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with suppress(EOFError, OSError, KeyboardInterrupt):
        steps, is_warm = warm(), False
        while True:
            while not is_warm and not line.poll():
                is_warm = _has_ended(steps)
            line.send((*_done(*line.recv()), is_warm))


def _has_ended(steps: Iterator[None]) -> bool:
    """Take a step; whether it was the last. What cannot be loaded says so when it is asked for."""
    with suppress(Exception):
        next(steps)
        return False
    return True


def _done(work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, Any]:
    """Whether work was done, and what came of it."""
    try:
        return True, work(*args, **kwargs)
    except RailbirdError as error:
        return False, error
    except MemoryError:
        return False, ThinkingError("this took more memory than there is for it, and was given up")
    except Exception as error:  # a fault of ours: told, and the thinker goes on
        return False, RuntimeError(f"{type(error).__name__}: {error}")
