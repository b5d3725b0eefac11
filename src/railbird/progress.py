"""How far a piece of work is: the one way in which work tells whoever waits for it.

Whatever takes long takes a `Watch` and calls it now and then. `live_bar` is one that draws a bar.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic
from typing import Any, Protocol

PATIENCE_SECONDS = 2.0
"""Work that takes no longer shows no bar unless one is asked for."""


class Watch(Protocol):
    """Called with the number of parts done and of all parts, and perhaps with a word on how things stand."""

    def __call__(self, done: int, total: int, detail: str = "", /) -> None: ...


class Bar(Protocol):
    """Opens a part of some work that has a title and maybe a unit; what it gives is told how far that part is."""

    def __call__(self, title: str, unit: str = "", /) -> AbstractContextManager[Watch | None]: ...


def no_bar(_title: str, _unit: str = "") -> AbstractContextManager[Watch | None]:
    """A `Bar` that nobody sees."""
    return nullcontext()


def within(watch: Watch | None, before: int, total: int) -> Watch | None:
    """A watch for a part of the work that follows on `before` parts, of `total` in all.

    >>> told = within(lambda *told: print(*told), 200, 1000)
    >>> told(50, 100)
    250 1000
    """
    if watch is None:
        return None

    def told(done: int, _total: int, detail: str = "", /) -> None:
        watch(before + done, total, *([detail] if detail else []))

    return told


@contextmanager
def live_bar(title: str = "", unit: str = "", after_seconds: float = 0.0) -> Iterator[Watch | None]:
    """A bar on the terminal or in the notebook, from `after_seconds` on; none where nobody would see it.

    With a unit, as in "hands", it shows how many are done in a second.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    where = Console(stderr=True, highlight=False)
    if not (where.is_terminal or where.is_jupyter):
        yield None
        return
    speed = TextColumn(unit + ", {task.fields[speed]:,.0f}/s") if unit else None
    columns: list[Any] = [
        *([TextColumn(title)] if title else []),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        *([speed] if speed else []),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[detail]}"),
    ]
    bar = Progress(*columns, console=where, transient=True, refresh_per_second=5)
    task = bar.add_task("", total=None, speed=0.0, detail="")
    began, first = monotonic(), -1

    def watch(done: int, total: int, detail: str = "", /) -> None:
        nonlocal first
        first = done if first < 0 else first  # what was there before counts for no speed
        seconds = monotonic() - began
        bar.update(task, completed=done, total=total, speed=(done - first) / max(seconds, 1e-9), detail=detail)
        if seconds >= after_seconds:
            bar.start()

    try:
        if not after_seconds:
            bar.start()
        yield watch
    finally:
        bar.stop()


def asked_bar(progress: bool | Watch | None, unit: str) -> AbstractContextManager[Watch | None]:
    """What a caller's `progress` means: its own watch, a bar or none, or (`None`) one if the work takes a while."""
    if progress is None:
        return live_bar(unit=unit, after_seconds=PATIENCE_SECONDS)
    if isinstance(progress, bool):
        return live_bar(unit=unit) if progress else nullcontext()
    return nullcontext(progress)


def bar_for(progress: bool | Bar) -> Bar:
    """What a caller's `progress` means for work in several parts: its own bars, live ones or none."""
    if isinstance(progress, bool):
        return live_bar if progress else no_bar
    return progress
