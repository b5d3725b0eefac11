"""What commands show: results, progress, and the note while kernels compile."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from railbird.cli.console import console, print_json
from railbird.results.result import Result, print_parts
from railbird.statistics import Estimate
from railbird.words import rate

if TYPE_CHECKING:
    from railbird.play.run import MatchRun, Progress, Watch


def show(result: Result, as_json: bool, **more: Any) -> None:
    """Print a result, as JSON if wanted, which then has `more` too."""
    if as_json:
        print_json({**result.to_json(), **more})
    else:
        print_parts(result.parts(), console())


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
    run = next((run for run in runs if not run.is_done), runs[-1])
    small_bet = run.spec.game.small_bet
    parts = []
    for player, name in enumerate(run.spec.names[: 1 if len(run.spec.names) == 2 else 3]):
        count, total, squares = (run.moments[:, player] / [1, small_bet, small_bet**2]).tolist()
        if count > 1:
            variance = max(0.0, (squares - total**2 / count) / (count - 1))
            parts.append(f"{name} {rate(Estimate(total / count, math.sqrt(variance), int(count)))}")
    return "  ".join(parts)
