"""What commands show: results and progress."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from railbird.cli.console import console, print_json
from railbird.progress import Watch, live_bar
from railbird.results.result import Result, print_parts


def show(result: Result, as_json: bool, **more: Any) -> None:
    """Print a result, as JSON if wanted, which then has `more` too."""
    if as_json:
        print_json({**result.to_json(), **more})
    else:
        print_parts(result.parts(), console())


def progress_bar(quiet: bool = False) -> AbstractContextManager[Watch | None]:
    """A live bar for matches: hands, hands per second, time left, and win rates so far."""
    return nullcontext() if quiet else live_bar("playing", "hands")


def counting_bar(what: str, unit: str = "") -> AbstractContextManager[Watch | None]:
    """A live bar for work that counts its steps."""
    return live_bar(what, unit)
