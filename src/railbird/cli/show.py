"""What commands show: results, progress, and the note while kernels compile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from numba.core import event

from railbird.cli.console import console, print_json
from railbird.progress import Watch, live_bar
from railbird.results.result import Result, print_parts


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
    """A live bar for matches: hands, hands per second, time left, and win rates so far."""
    return nullcontext() if quiet else live_bar("playing", "hands")


def counting_bar(what: str, unit: str = "") -> AbstractContextManager[Watch | None]:
    """A live bar for work that counts its steps."""
    return live_bar(what, unit)
