"""What every command prints with. Nothing heavy is imported here."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


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
