"""The index beside a log: for each of its blocks how long it is, a checksum, and what was won in it.

    hands.log           hands 0 to 9,999 | hands 10,000 to 19,999 | ...
    hands.log.index     a line of text   | a record a block, 40 bytes and 8 for each player

A record is written after the block that it is about, so that a log is at least as long as its index says; what follows
is read and checked line by line. A record carries a checksum of its own. Whatever is torn, outdated or of another log
is as if it were not there: an index can be made from its log at any time, and nothing is in it alone.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.files import errors_named, write_whole

SUFFIX = ".index"
_SCHEMA = "railbird.log-index/1"
_CHECK = 4
"""The bytes of a record's own checksum, which are its last."""


@dataclass
class Part:
    """Consecutive hands of a log as they grow: a block, or as much of one as there is."""

    players: int
    hands: int = 0
    lines: int = 0
    length: int = 0
    checksum: int = 0
    totals: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """Chips by player."""

    def __post_init__(self) -> None:
        if not len(self.totals):
            self.totals = np.zeros(self.players, np.int64)

    def grow(self, text: bytes, won: NDArray[np.int64]) -> None:
        """Take in the lines of more hands."""
        self.hands += len(won)
        self.lines += text.count(b"\n")
        self.length += len(text)
        self.checksum = zlib.crc32(text, self.checksum)
        self.totals = self.totals + won.sum(axis=0, dtype=np.int64)

    def fits(self, text: bytes) -> bool:
        """Whether these are the bytes."""
        return len(text) == self.length and zlib.crc32(text) == self.checksum


class LogIndex:
    """The index of a log whose blocks have `block_hands` hands, the last of them maybe fewer."""

    def __init__(self, log: Path, key: bytes, players: int, block_hands: int) -> None:
        self.path = log.with_name(log.name + SUFFIX)
        self.players = players
        self.block_hands = block_hands
        self._kind = np.dtype(
            [(name, "<i8") for name in ("offset", "hands", "lines", "length")]
            + [("totals", "<i8", (players,)), ("checksum", "<u4"), ("check", "<u4")]
        )
        # Whoever looks into the file shall see what it is; the rest says of which log.
        self._begin = f"{_SCHEMA} {players} {block_hands} {zlib.crc32(key):08x}\n".encode()
        self._data = bytearray()

    def __len__(self) -> int:
        return len(self._data) // self._kind.itemsize

    def __getitem__(self, block: int) -> Part:
        record = self._at(block)
        hands, lines, length, checksum = (int(record[name]) for name in ("hands", "lines", "length", "checksum"))
        return Part(self.players, hands, lines, length, checksum, record["totals"].copy())

    def offset(self, block: int) -> int:
        """Where a block begins, counted from the first hand; that after the last one is where the blocks end."""
        if block < len(self):
            return int(self._at(block)["offset"])
        return self.offset(block - 1) + int(self._at(block - 1)["length"]) if block else 0

    @property
    def hands(self) -> int:
        """How many hands there are in all blocks."""
        return self.block_hands * (len(self) - 1) + int(self._at(len(self) - 1)["hands"]) if len(self) else 0

    @property
    def totals(self) -> NDArray[np.int64]:
        """Chips by player in all blocks."""
        return np.asarray(self._all()["totals"].sum(axis=0, dtype=np.int64))

    @property
    def commented(self) -> list[int]:
        """The blocks with more lines than hands: there are comments in them."""
        found = self._all()
        return [int(block) for block in np.flatnonzero(found["lines"] > found["hands"])]

    def lines_before(self, block: int) -> int:
        """How many lines stand before a block, those before the first hand not counted."""
        return int(self._all()["lines"][:block].sum())

    def read(self) -> None:
        """Take what the file has, up to the first record that is not whole or does not follow on the one before."""
        try:
            data = self.path.read_bytes()
        except OSError:
            data = b""
        self._data = bytearray(data.removeprefix(self._begin) if data.startswith(self._begin) else b"")
        size = self._kind.itemsize
        good, end = 0, 0
        while len(self._data) >= size * (good + 1):
            whole = bytes(self._data[size * good : size * (good + 1)])
            record = np.frombuffer(whole, self._kind)[0]
            is_own = zlib.crc32(whole[:-_CHECK], good) == record["check"]
            is_next = record["offset"] == end and 0 < record["hands"] <= self.block_hands
            if not is_own or not is_next:
                break
            good, end = good + 1, end + int(record["length"])
            if record["hands"] < self.block_hands:
                break
        del self._data[size * good :]

    def cut(self, blocks: int) -> None:
        """Forget all blocks but the first ones."""
        del self._data[self._kind.itemsize * blocks :]

    def add(self, part: Part) -> bytes:
        """Add a block that is whole; what belongs into the file is returned."""
        record = np.zeros(1, self._kind)
        values = (self.offset(len(self)), part.hands, part.lines, part.length, part.totals, part.checksum, 0)
        for name, value in zip(self._kind.names or (), values):
            record[name] = value
        # The number of the block is in its check, so that none can take the place of another.
        record["check"] = zlib.crc32(record.tobytes()[:-_CHECK], len(self))
        self._data += record.tobytes()
        return record.tobytes()

    def append(self, part: Part) -> None:
        """Add a block to the file too."""
        record = self.add(part)
        with errors_named(self.path), self.path.open("ab") as file:
            file.write(record)

    def write(self) -> None:
        """Write the file anew, unless it holds just this."""
        wanted = self._begin + bytes(self._data)
        if not self.path.exists() and not len(self):
            self.path.write_bytes(wanted)
        elif not self.path.exists() or self.path.read_bytes() != wanted:
            write_whole(self.path, wanted)

    def sync(self) -> None:
        """See to it that all of it is on the disk."""
        with self.path.open("rb") as file:
            os.fsync(file.fileno())

    def _all(self) -> NDArray[Any]:
        return np.frombuffer(bytes(self._data), self._kind)

    def _at(self, block: int) -> Any:
        size = self._kind.itemsize
        return np.frombuffer(bytes(self._data[size * block : size * (block + 1)]), self._kind)[0]
