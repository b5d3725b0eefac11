"""What commands share: consoles, progress, the words for numbers, and the note while kernels compile."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from railbird.progress import Watch, live_bar

if TYPE_CHECKING:
    from rich.console import Console

    from railbird.statistics import Estimate


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


def rate(estimate: Estimate) -> str:
    """A win rate with its 95% interval.

    >>> from railbird.statistics import Estimate
    >>> rate(Estimate(0.1042, 5.1, 10_000))
    '+0.104 ± 0.100'
    """
    if math.isinf(estimate.margin):
        return f"{estimate.mean:+.3f} ± ?"
    return f"{estimate.mean:+.3f} ± {estimate.margin:.3f}"


def further(estimate: Estimate, unit: str) -> str:
    """What it would take to settle the sign of an estimate, in words."""
    more = estimate.further_samples
    if more == 0:
        return "clear"
    if more is None:
        return "no difference" if estimate.mean == 0 else "too few hands to say"
    return f"about {_rounded(more):,} more {unit} needed"


def more_samples(estimate: Estimate) -> str:
    """The same for a column of a table: how many more samples, or that it is clear."""
    more = estimate.further_samples
    return "clear" if more == 0 else "?" if more is None else f"+{_rounded(more):,}"


def _rounded(number: int) -> int:
    """Two digits are all that an estimate of an effort deserves."""
    digits = len(str(number)) - 2
    return number if digits <= 0 else math.ceil(number / 10**digits) * 10**digits


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


def progress_bar(quiet: bool = False) -> AbstractContextManager[Watch | None]:
    """A live bar for matches: hands, hands per second, time left, and win rates so far. None on a pipe."""
    return nullcontext() if quiet else live_bar(unit="hands")


def counting_bar(what: str) -> AbstractContextManager[Watch | None]:
    """A live bar for work that counts its steps. None on a pipe."""
    return live_bar(what)
