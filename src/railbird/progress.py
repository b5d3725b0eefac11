"""How far a piece of work is: the one way in which work tells whoever waits for it.

Whatever takes long takes a `Watch` and calls it now and then. `live_bar` is one that draws a bar on a terminal and
writes lines elsewhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

PATIENCE_SECONDS = 2.0
"""Work that takes no longer shows no bar unless one is asked for, and writes no lines."""
LINE_SECONDS = 5.0
"""How long there is nothing between two lines."""
_DAYS_FROM = 2 * 86_400
_INDENT = "  "
_TIME_LEFT_WIDTH = len(" 0:00:00 ")
_shown: list[Progress] = []
"""The bars that are open, each within the one before."""


class Watch(Protocol):
    """Called with the number of parts done and of all parts, and perhaps with a word on how things stand."""

    def __call__(self, done: int, total: int, detail: str = "", /) -> None: ...


class Bar(Protocol):
    """Opens a part of some work that has a title and maybe a unit; what it gives is told how far that part is."""

    def __call__(self, title: str, unit: str = "", /) -> AbstractContextManager[Watch | None]: ...


def no_bar(_title: str, _unit: str = "") -> AbstractContextManager[Watch | None]:
    """A `Bar` that nobody sees."""
    return nullcontext()


@contextmanager
def opened_late(bar: Bar, title: str) -> Iterator[Watch]:
    """A watch that opens its bar when it is first told something: work that was done before shows none."""
    with ExitStack() as stack:
        opened: list[Watch | None] = []

        def told(done: int, total: int, detail: str = "", /) -> None:
            if not opened:
                opened.append(stack.enter_context(bar(title)))
            if opened[0] is not None:
                opened[0](done, total, detail)

        yield told


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
def live_bar(
    title: str = "", unit: str = "", after_seconds: float = 0.0, patience: float = PATIENCE_SECONDS
) -> Iterator[Watch | None]:
    """A bar on the terminal or in the notebook, from `after_seconds` on; elsewhere lines on stderr, now and then.

    With a unit, as in "hands", it shows how many are done in a second. What has no room beside a bar stands below it,
    and so does a bar within a bar. Lines are written for work that takes longer than `patience`.
    `RAILBIRD_PROGRESS=no` in the environment silences both.
    """
    if os.environ.get("RAILBIRD_PROGRESS", "").lower() in ("no", "off", "0"):
        yield None
        return
    from rich.console import Console

    where = Console(stderr=True, highlight=False)
    if not (where.is_terminal or where.is_jupyter) or where.is_dumb_terminal:
        yield _Lines(title, unit, patience)
        return
    outer = next((bar for bar in reversed(_shown) if bar.live.is_started), None)
    bar = outer or _rich_bar(where)
    task = bar.add_task(title, total=None, speed="", detail="", below="")
    pace = _Pace()

    def watch(done: int, total: int, detail: str = "", /) -> None:
        speed = unit + _speed_text(pace.speed(done)) if unit else ""
        before = [title, f"{done}/{total}".rjust(2 * len(str(total)) + 1), speed]
        room = where.width - _bar_width(where) - sum(len(text) + 1 for text in before) - _TIME_LEFT_WIDTH
        has_room = len(detail) <= room
        beside, below = (detail, "") if has_room else ("", fitting(detail, where.width - len(_INDENT)))
        bar.update(task, completed=done, total=total, speed=speed, detail=beside, below=below)
        if pace.seconds >= after_seconds:
            bar.start()

    _shown.append(bar)
    try:
        if not after_seconds:
            bar.start()
        yield watch
    finally:
        _shown.remove(bar)
        if outer:
            bar.remove_task(task)
        else:
            bar.stop()


def fitting(detail: str, width: int) -> str:
    """As many of a detail's parts, which two spaces separate, as there is room for.

    >>> fitting("loki +0.1 ± 0.2  expert -0.1 ± 0.2", 20)
    'loki +0.1 ± 0.2'
    >>> fitting("loki +0.1 ± 0.2", -1)
    ''
    """
    while detail and len(detail) > width:
        detail = detail.rpartition("  ")[0].rstrip()
    return detail


def _bar_width(where: Console) -> int:
    return 24 if where.width >= 100 else 12


def _rich_bar(where: Console) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Lines(Progress):
        """Bars, and below them what has no room beside one."""

        def get_renderables(self) -> Iterable[RenderableType]:
            yield self.make_tasks_table(self.tasks)
            yield from (Text(_INDENT + task.fields["below"]) for task in self.tasks if task.fields["below"])

    columns: list[Any] = [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=_bar_width(where)),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[detail]}", markup=False),
    ]
    return Lines(*columns, console=where, transient=True, refresh_per_second=5)


class _Pace:
    """How quickly some work goes, and each part of it that is counted anew."""

    def __init__(self) -> None:
        self._began = self._part_began = monotonic()
        self._first = self._done = -1

    @property
    def seconds(self) -> float:
        return monotonic() - self._began

    def speed(self, done: int) -> float:
        """How many are done in a second; what was there before counts for none."""
        if self._done < 0:
            self._first = done
        elif done < self._done:
            self._first, self._part_began = done, monotonic()
        self._done = done
        return (done - self._first) / max(monotonic() - self._part_began, 1e-9)


class _Lines:
    """A watch that writes a line to stderr every few seconds, and none for work that takes less than `patience`."""

    _last = -LINE_SECONDS  # when a line was written, by whichever of them

    def __init__(self, title: str, unit: str, patience: float) -> None:
        self._title, self._unit, self._patience = title, unit, patience
        self._pace = _Pace()

    def __call__(self, done: int, total: int, detail: str = "", /) -> None:
        speed = self._pace.speed(done)
        if self._pace.seconds < self._patience or monotonic() - _Lines._last < LINE_SECONDS or done >= total:
            return
        _Lines._last = monotonic()
        print(self._line(done, total, speed, detail), file=sys.stderr, flush=True)

    def _line(self, done: int, total: int, speed: float, detail: str) -> str:
        written = f"{done:,} of {total:,}" + (f" {self._unit}{_speed_text(speed)}" if self._unit else "")
        written += f", {duration((total - done) / speed)} left" if speed > 0 else ""
        written += f"; {detail}" if detail else ""
        return f"{self._title}: {written}" if self._title else written


def _speed_text(speed: float) -> str:
    """What follows the unit: how many are done in a second, where that is a number to look at.

    >>> _speed_text(1234.5), _speed_text(2.34), _speed_text(0.01)
    (', 1,234/s', ', 2.3/s', '')
    """
    return "" if speed < 0.1 else f", {speed:,.1f}/s" if speed < 10 else f", {speed:,.0f}/s"


def duration(seconds: float) -> str:
    """A time that is left.

    >>> duration(12.3), duration(125), duration(7500), duration(1e6)
    ('13 s', '2 min 5 s', '2 h 5 min', '12 days')
    """
    whole = ceil(seconds)
    if whole >= _DAYS_FROM:
        return f"{ceil(seconds / 86_400):,} days"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


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
