"""Writing hands into a store: none twice, in little memory, and so that a kill at any moment loses nothing.

Hands are kept until there are enough for a part; those that a store has already are told by their keys, of which those
of one part at a time are read from the disk.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.game.record import HandRecord
from railbird.store.columns import PartRows, key_of, source_of
from railbird.store.store_folder import store_parts, write_part

PART_HANDS = 50_000
"""Hands of a part."""


class StoreWriter:
    """Takes hands for a store that is open for writing. What it was given is there after `finish`."""

    def __init__(self, folder: Path, part_hands: int = PART_HANDS) -> None:
        self.folder = folder
        self.added = self.repeated = 0
        self._part_hands = part_hands
        self._waiting: dict[int, tuple[HandRecord, str]] = {}

    def add(self, record: HandRecord, file: str) -> None:
        """Take a hand that keeps the rules."""
        key = key_of(record)
        if key in self._waiting:
            self.repeated += 1
            return
        self._waiting[key] = record, file
        if len(self._waiting) >= self._part_hands:
            self.finish()

    def finish(self) -> None:
        """Write the hands that are waiting, but for those that the store has."""
        known = self._known(np.fromiter(self._waiting, np.uint64, len(self._waiting)))
        self.repeated += len(known)
        rows: dict[str, PartRows] = {}
        for key, (record, file) in self._waiting.items():
            if key not in known:
                rows.setdefault(source_of(record), PartRows()).add(record, key, file)
        self._waiting.clear()
        for source, part in rows.items():
            write_part(self.folder, source, {name: packed(frame) for name, frame in part.frames().items()})
            self.added += len(part)

    def _known(self, keys: NDArray[np.uint64]) -> set[int]:
        """Those of the keys that the store has."""
        found: set[int] = set()
        for part in store_parts(self.folder) if len(keys) else ():
            there = pl.read_parquet(part.file("hands"), columns=["key"], hive_partitioning=False)["key"].to_numpy()
            found.update(keys[np.isin(keys, there)].tolist())
        return found


def packed(table: pl.DataFrame) -> bytes:
    """A table as a file of Parquet."""
    out = BytesIO()
    table.write_parquet(out, compression="zstd")
    return out.getvalue()
