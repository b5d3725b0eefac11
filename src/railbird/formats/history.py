"""A file of hands as the formats read it: line by line, in little memory, packed or not, and how far one is in it.

    file = HistoryFile(Path("hands.txt.gz"))
    for block in file.blocks(lambda line: line.startswith("PokerStars ")):
        yield file.judged(block.line, parse, block)

Lines are text without their ends. A byte order mark is taken away, line ends of every system are known, and what is no
UTF-8 is read as Windows wrote it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

from railbird.errors import InvalidRecordError, MatchError, RailbirdError
from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.line_check import printable
from railbird.game.quick_check import Checker
from railbird.game.record import HandRecord

BEGINNING = 64 * 1024
"""So many bytes of a file are looked at to tell its format."""
LONGEST_LINE = 1 << 20
"""Bytes of a line; what is longer is cut there."""
_PIECE = 1 << 18
MOST_LINES = 5_000
"""Lines of one hand; the rest is left out."""
_MARK = b"\xef\xbb\xbf"
_PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
"""How a packed file begins, and what unpacks it."""
_ZIP = b"PK\x03\x04"
_MAGIC = max(map(len, (*_PACKED, _ZIP)))


class Block(NamedTuple):
    """The lines of one hand."""

    line: int
    """The number of the first of them in the file, from 1."""
    lines: list[str]


class Retold(NamedTuple):
    """A hand with the positions that acted, in order, as a file names them: they must be whose turn it was."""

    record: HandRecord
    turns: Sequence[int]


class HistoryFile:
    """A file of hands. What a format needs of it, it asks here, so that every format can read packed files too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        self._done = 0
        self._checker = Checker()

    @cached_property
    def size(self) -> int:
        """The bytes of the file as it lies on the disk."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise MatchError(f"cannot read {str(self.path)!r}: {error.strerror}") from None

    @property
    def done(self) -> int:
        """How many of them have been read."""
        if self._file is not None:
            self._done = self._file.tell()
        return min(self._done, self.size)

    @cached_property
    def beginning(self) -> str:
        """How the file begins, as far as formats look at it."""
        with self.opened() as file:
            return file.read(BEGINNING).decode(errors="replace").removeprefix("\ufeff")

    @cached_property
    def is_packed(self) -> bool:
        """Whether the file is compressed."""
        try:
            with self.path.open("rb") as raw:
                return self._unpacking(raw.read(_MAGIC)) is not None
        except OSError as error:
            raise MatchError(f"cannot read {str(self.path)!r}: {error.strerror}") from None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The bytes of the file, unpacked; refuses what cannot be read or unpacked."""
        try:
            with self.path.open("rb") as raw:
                unpack = self._unpacking(raw.read(_MAGIC))
                raw.seek(0)
                self._file = raw
                try:
                    yield raw if unpack is None else unpack(raw)
                finally:
                    self._done = raw.tell()
                    self._file = None
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise MatchError(f"{str(self.path)!r} is packed and damaged: {error}") from None
        except OSError as error:
            raise MatchError(f"cannot read {str(self.path)!r}: {error.strerror or error}") from None

    def _unpacking(self, start: bytes) -> Callable[..., Any] | None:
        """What unpacks a file that begins so, if it is packed; refuses archives, which may hold several files."""
        if start.startswith(_ZIP):
            raise MatchError(
                f"{str(self.path)!r} is a zip archive, which is not read; unpack it (packed files that are read: gzip, "
                "bzip2 and xz)"
            )
        return next((unpack for magic, unpack in _PACKED.items() if start.startswith(magic)), None)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every line with its number, from 1."""
        number = 0
        for piece in self.pieces():
            for line in _texts(piece):
                number += 1
                yield number, line

    def pieces(self) -> Iterator[bytes]:
        """The bytes of the file in pieces of whole lines that end with a line feed, whatever they ended with.

        A line that is longer than `LONGEST_LINE` is cut there.
        """
        with self.opened() as file:
            rest, more = b"", file.read(_PIECE).removeprefix(_MARK)
            while more:
                after = file.read(_PIECE)
                if b"\r" in more:
                    if more[-1] == 13 and after[:1] == b"\n":
                        after = after[1:]
                    more = more.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                end = more.rfind(b"\n") + 1
                if end:
                    first = more.find(b"\n")
                    yield (rest + more[:first])[:LONGEST_LINE] + more[first:end]
                    rest = more[end:]
                elif len(rest) < LONGEST_LINE:
                    rest = (rest + more)[:LONGEST_LINE]
                more = after
            if rest:
                yield rest + b"\n"

    def blocks(self, begins: Callable[[str], object]) -> Iterator[Block]:
        """The hands, each from a line that `begins` one up to the next such line; blank lines are left out.

        Lines that stand before the first hand are a block too, which whoever reads hands refuses.
        """
        first, lines, number = 1, list[str](), 0
        for piece in self.pieces():
            for line in _texts(piece):
                number += 1
                if not line or line.isspace():
                    continue
                if not lines or begins(line):
                    if lines:
                        yield Block(first, lines)
                    first, lines = number, [line]
                elif len(lines) < MOST_LINES:
                    lines.append(line)
        if lines:
            yield Block(first, lines)

    def judged(self, line: int, parse: Callable[..., HandRecord | Retold], *given: Any) -> HandRecord | Problem:
        """The hand that `parse` makes of what is given, held against the rules, or why it is set aside.

        Whatever Railbird refuses becomes a problem of the line; the kind is the error's `part`.
        """
        try:
            found = parse(*given)
            record, turns = found if isinstance(found, Retold) else (found, None)
            self._checker.check(record, turns)
            return record.found_on(line)
        except RailbirdError as error:
            return self.problem(line, error)

    def problem(self, line: int, error: RailbirdError) -> Problem:
        """What an error says of a line, as a hand that is set aside."""
        part = error.part if isinstance(error, InvalidRecordError) else ""
        kind = part if part in PROBLEM_KINDS else "not-a-hand"
        return Problem(str(self.path), line, kind, printable(str(error)), True)


def _texts(piece: bytes) -> list[str]:
    """The lines of a piece, as text."""
    try:
        found = piece.decode().split("\n")
    except UnicodeDecodeError:
        found = [_text(line) for line in piece.split(b"\n")]
    found.pop()
    return found


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")
