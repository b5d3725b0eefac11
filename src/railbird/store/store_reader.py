"""Reading a store: its hands as records, in the order in which they were put in, and its tables as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.errors import MatchError
from railbird.game.record import HandRecord
from railbird.json_files import json_of
from railbird.store.columns import SCHEMAS, records_of
from railbird.store.store_folder import StorePart, store_parts

_ROOMS = ("pokerstars", "bovada")
"""Sources that give every hand a number of its own."""
_TOLD_SEATS = ("row", "player", "cards", "won", "stack", "dead", "seat", "shown")


class HandStore:
    """A store of hands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = store_parts(folder)

    def __len__(self) -> int:
        return sum(self.counts())

    def counts(self) -> list[int]:
        """How many hands each part has."""
        return [_read(part, "hands", pl.len()).item() for part in self.parts]

    def rules(self) -> list[Any]:
        """The rules of the games that hands were played by, stacks and missed blinds aside."""
        with refusing_damage(self.folder):
            found = self.scan("hands").select(pl.col("game").unique()).collect(engine="streaming")
        try:
            return [json_of((text or "").encode()) for text in found["game"].to_list()]
        except ValueError as error:
            raise MatchError(f"{str(self.folder)!r} tells a game that is none: {error}") from None

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of all parts, to be asked: hands, seats or actions, with the source as a column."""
        if not self.parts:
            return pl.LazyFrame(schema={**SCHEMAS[table], "source": pl.String})
        files, source = [part.file(table) for part in self.parts], {"source": pl.String}
        return pl.scan_parquet(files, schema=SCHEMAS[table], hive_partitioning=True, hive_schema=source)

    def records(self, watch: Callable[[int, int], None] | None = None) -> Iterator[HandRecord]:
        """All hands; `watch` is told bytes read, and in all."""
        sizes = [part.files["hands"].stat().st_size for part in self.parts]
        for at, part in enumerate(self.parts):
            yield from part_records(part)
            if watch is not None:
                watch(sum(sizes[: at + 1]), sum(sizes))

    def told_again(self) -> int:
        """How many hands are another telling of one that is there: they have the same number of the same room."""
        rooms = self.scan("hands").filter(pl.col("source").is_in(_ROOMS))
        with refusing_damage(self.folder):
            told = rooms.select(pl.struct("source", "hand").hash().alias("told")).collect(engine="streaming")["told"]
        return len(told) - told.n_unique()

    def hands_of(self, number: int) -> Iterator[HandRecord]:
        """The hands of a number; no others are made into records."""
        for part in self.parts:
            hands = _read(part, "hands").with_row_index("row").filter(pl.col("number") == number)
            if len(hands):
                rows = hands["row"].to_list()
                seats = _read(part, "seats", *map(pl.col, _TOLD_SEATS)).filter(pl.col("row").is_in(rows))
                with refusing_damage(part.files["seats"]):
                    yield from records_of(hands, seats, part.source)


def part_keys(part: StorePart) -> NDArray[np.uint64]:
    """The keys of the hands of a part."""
    return _read(part, "hands", pl.col("key"))["key"].to_numpy()


def part_records(part: StorePart) -> Iterator[HandRecord]:
    """The hands of a part."""
    hands, seats = _read(part, "hands"), _read(part, "seats", *map(pl.col, _TOLD_SEATS))
    with refusing_damage(part.files["seats"]):
        yield from records_of(hands.with_row_index("row"), seats, part.source)


def _read(part: StorePart, table: str, *wanted: pl.Expr) -> pl.DataFrame:
    """Columns of a part's table, all of them by default; refuses a file that is damaged or lacks some."""
    file = part.file(table)
    with refusing_damage(file):
        scanned = pl.scan_parquet(file, schema=SCHEMAS[table], hive_partitioning=False)
        return (scanned.select(wanted) if wanted else scanned.select(list(SCHEMAS[table]))).collect()


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Refuse files that polars cannot read, or that are not what they should be."""
    try:
        yield
    except (OSError, LookupError, pl.exceptions.PolarsError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise MatchError(f"{str(path)!r} is damaged or no hand store of this version: {first[:200]}") from None
