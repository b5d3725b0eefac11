"""What people at a table say to each other: short lines, kept beside the match and not in its log.

chat.jsonl    a line each: who said what, and when
"""

from __future__ import annotations

import json
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.json_files import Fields, json_of
from railbird.words import harmless

CHAT = "chat.jsonl"
LONGEST = 200
"""Signs of a line."""
MOST_LINES = 200
"""Lines that are kept; older ones go."""
_MOST_BYTES = 2 * MOST_LINES * 2_000


class Said(NamedTuple):
    """A line."""

    number: int
    """From 1, for as long as the table is known."""
    name: str
    words: str
    when: str
    """As in "2026-11-16T17:20:05+00:00"."""


class Chat:
    """The lines of one table."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / CHAT
        self.lines: deque[Said] = deque(_read(self._file), MOST_LINES)
        self._written = len(self.lines)

    def say(self, name: str, words: str) -> Said:
        """Keep a line; refuses one that says nothing, or too much."""
        shown = harmless(" ".join(words.split())).strip()
        if not shown:
            raise MatchError("there is nothing in this line")
        if len(shown) > LONGEST:
            raise MatchError(f"this line has {len(shown)} signs; at most {LONGEST} are said at once")
        number = self.lines[-1].number + 1 if self.lines else 1
        said = Said(number, name, shown, datetime.now(UTC).isoformat(timespec="seconds"))
        self.lines.append(said)
        with suppress(OSError):  # what was said was said, kept or not
            self._keep(said)
        return said

    def _keep(self, said: Said) -> None:
        self._written += 1
        if self._written > 2 * MOST_LINES:
            write_whole(self._file, "".join(map(_written, self.lines)))
            self._written = len(self.lines)
            return
        with self._file.open("a", encoding="utf-8") as file:
            file.write(_written(said))


def _written(said: Said) -> str:
    return json.dumps(said._asdict()) + "\n"


def _read(file: Path) -> list[Said]:
    """The lines of a file, as far as they are lines."""
    try:
        with file.open("rb") as raw:
            texts = raw.read(_MOST_BYTES).splitlines()
    except OSError:
        return []
    found: list[Said] = []
    for text in texts:
        with suppress(ValueError):
            told = Fields(json_of(text), "the line")
            words = harmless(told.text("words"))[:LONGEST]
            found.append(Said(told.whole("number", 1), harmless(told.text("name"))[:LONGEST], words, told.text("when")))
    return found
