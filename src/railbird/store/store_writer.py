"""Writing hands into a store: none twice, in little memory, and so that a kill at any moment loses nothing.

Hands become rows of tables a few at a time, and the tables a part of the store when they have enough rows. Of the hands
that are there only the keys are in memory, eight bytes for each.
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
from railbird.store.store_reader import part_keys

PART_HANDS = 50_000
"""Hands of a part."""
_AT_ONCE = 1_000
"""Hands that become rows together."""


class StoreWriter:
    """Takes hands for a store that is open for writing. What it was given is there after `finish`."""

    def __init__(self, folder: Path, part_hands: int = PART_HANDS) -> None:
        self.folder = folder
        self.added = self.repeated = 0
        self._part_hands = part_hands
        self._known = KnownKeys()
        for part in store_parts(folder):
            self._known.add(part_keys(part))
        self._waiting: dict[int, tuple[HandRecord, str]] = {}
        self._parts: dict[str, _PartTables] = {}

    def add(self, record: HandRecord, file: str) -> None:
        """Take a hand that keeps the rules."""
        key = key_of(record)
        if key in self._waiting:
            self.repeated += 1
            return
        self._waiting[key] = record, file
        if len(self._waiting) >= min(_AT_ONCE, self._part_hands):
            self._put_in_tables()

    def finish(self) -> None:
        """Write all that it was given."""
        self._put_in_tables()
        for source in list(self._parts):
            self._write(source)

    def _put_in_tables(self) -> None:
        """Make rows of the hands that are waiting, but for those that the store has."""
        keys = np.fromiter(self._waiting, np.uint64, len(self._waiting))
        known = self._known.has(keys)
        self.repeated += int(known.sum())
        rows: dict[str, PartRows] = {}
        for (key, (record, file)), is_known in zip(self._waiting.items(), known.tolist()):
            if not is_known:
                source = source_of(record)
                if source not in rows:
                    rows[source] = PartRows(self._parts.setdefault(source, _PartTables()).hands)
                rows[source].add(record, key, file)
        self._known.add(keys[~known])
        self._waiting.clear()
        for source, each in rows.items():
            self._parts[source].add(each)
            if self._parts[source].hands >= self._part_hands:
                self._write(source)

    def _write(self, source: str) -> None:
        part = self._parts.pop(source)
        write_part(self.folder, source, part.files())
        self.added += part.hands


class _PartTables:
    """The tables of a part that is not yet large enough."""

    def __init__(self) -> None:
        self.hands = 0
        self._tables: dict[str, list[pl.DataFrame]] = {}

    def add(self, rows: PartRows) -> None:
        self.hands += len(rows)
        for name, table in rows.frames().items():
            self._tables.setdefault(name, []).append(table)

    def files(self) -> dict[str, bytes]:
        return {name: packed(pl.concat(tables)) for name, tables in self._tables.items()}


class KnownKeys:
    """The keys of hands that are there, in sorted runs of which each is at least twice as long as the next.

    >>> known = KnownKeys()
    >>> known.add(np.array([5, 3], np.uint64))
    >>> known.has(np.array([3, 4], np.uint64)).tolist()
    [True, False]
    """

    def __init__(self) -> None:
        self._runs: list[NDArray[np.uint64]] = []

    def has(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of some keys are known."""
        found = np.zeros(len(keys), np.bool_)
        for run in self._runs:
            places = np.minimum(np.searchsorted(run, keys), len(run) - 1)
            found |= run[places] == keys
        return found

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Remember keys."""
        if len(keys):
            self._runs.append(np.sort(keys))
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            self._runs[-2:] = [np.sort(np.concatenate(self._runs[-2:]), kind="stable")]


def packed(table: pl.DataFrame) -> bytes:
    """A table as a file of Parquet."""
    out = BytesIO()
    table.write_parquet(out, compression="zstd")
    return out.getvalue()
