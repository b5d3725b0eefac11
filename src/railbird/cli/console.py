"""What every command prints with. Nothing heavy is imported here."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

from railbird.words import harmless

if TYPE_CHECKING:
    from rich.console import Console


def console(stderr: bool = False) -> Console:
    """A rich console that colours nothing by guess and, on a pipe, gives tables room."""
    from rich.console import Console

    where = Console(stderr=stderr, highlight=False)
    return where if where.is_terminal else Console(stderr=stderr, highlight=False, width=120)


def tell(words: str = "", stderr: bool = False, flush: bool = False) -> None:
    """Print a line, or several.

    All that commands write without rich goes through here, so that the terminal obeys no sign of a name or message.
    """
    print(harmless(words, in_lines=True), file=sys.stderr if stderr else sys.stdout, flush=flush)


def pass_on(lines: str) -> None:
    """Print lines of a dealer to stderr as they are: those that went over the wire end with CR LF."""
    ends = ("\r\n" if line.endswith("\r\n") else "\n" for line in lines.splitlines(keepends=True))
    shown = [harmless(line.rstrip("\r\n")) + end for line, end in zip(lines.splitlines(), ends)]
    sys.stderr.write("".join(shown))
    sys.stderr.flush()


def say(text: str) -> None:
    """Print a line with rich markup, left to the terminal to wrap."""
    console().print(text, soft_wrap=True)


def print_json(data: dict[str, Any]) -> None:
    """Print an object; numbers that do not exist are null, and signs that cannot be shown are written as escapes."""
    written = json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False)
    print("".join([sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in written]))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
