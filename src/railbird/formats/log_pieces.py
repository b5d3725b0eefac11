"""Long logs of heads-up limit hold'em in pieces, each as `read_logs` reads a whole log, in little memory.

All logs go forward together, by the numbers of their hands, so that the two halves of a duplicate pair, which have one
number in two logs, are in one piece. Halves that are numbered otherwise are found where they are near each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO

import numpy as np

from railbird.errors import MatchError
from railbird.formats.hand_arrays import HandArrays
from railbird.formats.hand_logs import LogSource, read_logs
from railbird.game.spec import Game

AT_ONCE = 1 << 23
"""Bytes of all logs together that are read at once."""
MOST_BYTES = 50_000_000
"""Logs with more bytes than this, about half a million hands, are long."""
_LEAST = 1 << 18
_TELLING = 1 << 22
"""So many bytes of a log tell its game."""
_HAND = re.compile(rb"^\s*STATE:(\d{1,15}):", re.MULTILINE)


@dataclass
class _Cursor:
    """How far one log has been read."""

    source: LogSource
    file: IO[bytes]
    data: bytes = b""
    is_over: bool = False
    lines: int = 0
    """How many lines have been given away."""

    def fill(self, size: int) -> None:
        """Have so many bytes at hand, if there are."""
        while not self.is_over and len(self.data) < size:
            more = self.file.read(size)
            self.is_over = not more
            self.data += more

    @property
    def last_number(self) -> int:
        """The number of the last hand at hand, -1 if there is none."""
        at = self.data.rfind(b"\nSTATE:")
        found = _HAND.match(self.data, at + 1) if at >= 0 else _HAND.search(self.data)
        return int(found[1]) if found else -1

    def take(self, bound: int | None) -> tuple[bytes, int]:
        """The lines of hands with numbers below `bound`, and how many lines stood before them."""
        end = len(self.data) if self.is_over else self.data.rfind(b"\n") + 1
        if bound is not None:
            beyond = (found.start() for found in _HAND.finditer(self.data) if int(found[1]) >= bound)
            end = min(end, next(beyond, end))
        text, self.data, before = self.data[:end], self.data[end:], self.lines
        self.lines += text.count(b"\n")
        return text, before


def are_long(sources: Sequence[LogSource]) -> bool:
    """Whether logs are too long to have all their hands in memory."""
    return all(each.data is None for each in sources) and sum(_size(each) for each in sources) > MOST_BYTES


def _size(source: LogSource) -> int:
    try:
        return source.path.stat().st_size
    except OSError as error:
        raise MatchError(f"cannot read {str(source.path)!r}: {error.strerror}") from None


def read_pieces(sources: Sequence[LogSource], watch: Callable[[int, int], None] | None = None) -> Iterator[HandArrays]:
    """The hands of logs, piece by piece; problems are those of the piece. `watch` is told kilobytes read, and in all.

    Sums at the end of logs are not held against their hands.
    """
    total = sum(_size(source) for source in sources)
    size = max(_LEAST, AT_ONCE // len(sources))
    cursors = [_Cursor(_with_game(source), source.path.open("rb")) for source in sources]
    done = 0
    try:
        while True:
            for cursor in cursors:
                cursor.fill(size)
            if not any(cursor.data for cursor in cursors):
                return
            open_ended = [cursor.last_number for cursor in cursors if not cursor.is_over]
            bound = min(open_ended, default=None)
            taken = [cursor.take(bound) for cursor in cursors]
            if not any(text for text, _ in taken):  # numbers do not go up; what is at hand goes together
                taken = [cursor.take(None) for cursor in cursors]
            done += sum(len(text) for text, _ in taken)
            if (piece := _read(cursors, taken)) is not None:
                yield piece
            if watch is not None:
                watch(done // 1000, total // 1000)
    finally:
        for cursor in cursors:
            cursor.file.close()


def _read(cursors: Sequence[_Cursor], taken: Sequence[tuple[bytes, int]]) -> HandArrays | None:
    """The hands of some lines of all logs; none if there are none."""
    parts = [(cursor.source, *each) for cursor, each in zip(cursors, taken) if b"STATE:" in each[0]]
    if not parts:
        return None
    found = read_logs(
        [
            # A sum is of all hands before it, of which most are gone.
            replace(source, data=text.replace(b"SCORE:", b"#CORE:"), first_line=before + 1)
            for source, text, before in parts
        ]
    )
    files = [str(cursor.source.path) for cursor in cursors]
    place = np.array([files.index(file) for file in found.files], np.int32)
    return replace(found, files=tuple(files), file=place[found.file])


def _with_game(source: LogSource) -> LogSource:
    """A log with its game, which its beginning tells where nobody has said it."""
    if source.game is not None:
        return source
    return replace(source, game=told_game(source))


def told_game(source: LogSource) -> Game:
    """The game of a log of heads-up limit hold'em that does not say it, from its first hands."""
    with source.path.open("rb") as file:
        data = file.read(_TELLING)
    data = data[: data.rfind(b"\n") + 1] or data
    return read_logs([replace(source, data=data)]).game
