"""What commands share: consoles, progress, and the note while kernels compile."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from railbird.play.run import MatchRun, Progress, Watch


def console(stderr: bool = False) -> Console:
    """A rich console that colours nothing by guess and, on a pipe, gives tables room."""
    from rich.console import Console

    where = Console(stderr=stderr, highlight=False)
    return where if where.is_terminal else Console(stderr=stderr, highlight=False, width=120)


def say(text: str) -> None:
    """Print a line with rich markup, left to the terminal to wrap."""
    console().print(text, soft_wrap=True)


def print_json(data: dict[str, Any]) -> None:
    """Print an object; numbers that do not exist are null."""
    print(json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


_COMPILING = "compiling the kernels, once: half a minute, or two if a strategy's tables are built too"


@contextmanager
def compiling_note() -> Iterator[None]:
    """Say so while kernels are compiled, which happens once after installation."""
    from numba.core import event

    where = console(stderr=True)
    status = where.status(_COMPILING)

    class Listener(event.Listener):
        started = False

        def on_start(self, _event: object) -> None:
            if not self.started:
                self.started = True
                if where.is_terminal:
                    status.start()
                else:
                    print(f"{_COMPILING} ...", file=sys.stderr)

        def on_end(self, _event: object) -> None:
            """Nothing: more will follow."""

    listener = Listener()
    event.register("numba:compile", listener)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)  # type: ignore[no-untyped-call]
        status.stop()


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Watch | None]:
    """A live bar for matches: hands, hands per second, time left, and win rates so far. None on a pipe."""
    where = console(stderr=True)
    if quiet or not where.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with Bar(
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("hands, {task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[rates]}"),
        console=where,
        transient=True,
        refresh_per_second=5,
    ) as bar:
        task = bar.add_task("", total=None, speed=0.0, rates="")

        def watch(progress: Progress) -> None:
            bar.update(
                task,
                total=progress.hands_total,
                completed=progress.hands_done,
                speed=progress.hands_per_second,
                rates=_rates(progress.runs),
            )

        yield watch


@contextmanager
def counting_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A live bar for work that counts its steps. None on a pipe."""
    where = console(stderr=True)
    if not where.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Bar(*columns, console=where, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _rates(runs: Sequence[MatchRun]) -> str:
    """The win rates of the match now being played, as short as can be."""
    from railbird.statistics import Estimate
    from railbird.words import rate

    run = next((run for run in runs if not run.is_done), runs[-1])
    small_bet = run.spec.game.small_bet
    parts = []
    for player, name in enumerate(run.spec.names[: 1 if len(run.spec.names) == 2 else 3]):
        count, total, squares = (run.moments[:, player] / [1, small_bet, small_bet**2]).tolist()
        if count > 1:
            variance = max(0.0, (squares - total**2 / count) / (count - 1))
            parts.append(f"{name} {rate(Estimate(total / count, math.sqrt(variance), int(count)))}")
    return "  ".join(parts)
