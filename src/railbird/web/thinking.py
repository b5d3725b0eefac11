"""Work that takes time is done in processes of its own, so that the server answers everybody meanwhile.

A thinker is a process that does one piece of work at a time. One that takes too long, or too much memory, is ended
and replaced; the server goes on.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar, cast

from railbird.errors import RailbirdError

Given = ParamSpec("Given")
Found = TypeVar("Found")

_context = multiprocessing.get_context("spawn")
SECONDS = 30.0
WARMING_SECONDS = 600.0
"""Where nothing is compiled yet, getting ready takes as long as compiling."""
MEMORY_MB = 4_096


class ThinkingError(RailbirdError):
    """Work that was given up."""


class Thinkers:
    """Processes that think for the server, as many as it was given; more work waits."""

    def __init__(self, count: int, memory_mb: int = MEMORY_MB, warm: Callable[[], object] | None = None) -> None:
        """`warm` is what each does first, so that later work finds its code loaded."""
        self.memory_mb = memory_mb
        self.warm = warm
        self._idle: asyncio.Queue[_Thinker] = asyncio.Queue()
        self._all: set[_Thinker] = set()
        for _ in range(count):
            self._hire()

    def _hire(self) -> None:
        thinker = _Thinker(self.memory_mb, self.warm)
        self._all.add(thinker)
        self._idle.put_nowait(thinker)

    async def think(self, work: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found:
        """What `work` returns, a function at the top of a module. What it refuses is raised here."""
        return await self.think_within(SECONDS, work, *args, **kwargs)

    async def think_within(self, seconds: float, work: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
        thinker = await self._idle.get()
        try:
            is_well, found = await thinker.asked(seconds, (work, args, kwargs))
        except BaseException as error:  # late, dead, or the asker has gone
            self._all.discard(thinker)
            thinker.end()
            self._hire()
            if isinstance(error, TimeoutError):
                raise ThinkingError(f"this took longer than {seconds:g} seconds and was given up") from None
            if isinstance(error, EOFError | OSError):
                raise ThinkingError("this took more memory than there is for it, and was given up") from None
            raise
        self._idle.put_nowait(thinker)
        if not is_well:
            raise found
        return cast(Found, found)

    def end(self) -> None:
        """End all processes."""
        for thinker in self._all:
            thinker.end()


class _Thinker:
    """One process, and the line to it."""

    def __init__(self, memory_mb: int, warm: Callable[[], object] | None) -> None:
        self.line, theirs = _context.Pipe()
        self.process = _context.Process(target=_think, args=(theirs, memory_mb, warm), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False

    async def asked(self, seconds: float, task: tuple[Any, ...]) -> tuple[bool, Any]:
        if not self.is_ready:
            await self._told(WARMING_SECONDS)
            self.is_ready = True
        self.line.send(task)
        return await self._told(seconds)

    async def _told(self, seconds: float) -> tuple[bool, Any]:
        """What the process says next."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(self.line.fileno(), ready.set)
        try:
            await asyncio.wait_for(ready.wait(), seconds)
        finally:
            loop.remove_reader(self.line.fileno())
        return cast(tuple[bool, Any], await asyncio.to_thread(self.line.recv))

    def end(self) -> None:
        self.process.kill()
        self.line.close()


def _think(line: Connection, memory_mb: int, warm: Callable[[], object] | None) -> None:
    """The life of a thinker."""
    if sys.platform != "darwin":
        limit = memory_mb << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with suppress(EOFError, OSError, KeyboardInterrupt):
        if warm is not None:
            with suppress(Exception):  # what cannot be got ready says so when it is asked for
                warm()
        line.send((True, None))
        while True:
            work, args, kwargs = line.recv()
            try:
                answer = (True, work(*args, **kwargs))
            except RailbirdError as error:
                answer = (False, error)
            except MemoryError:
                answer = (False, ThinkingError("this took more memory than there is for it, and was given up"))
            except Exception as error:  # a fault of ours: told, and the thinker goes on
                answer = (False, RuntimeError(f"{type(error).__name__}: {error}"))
            line.send(answer)
