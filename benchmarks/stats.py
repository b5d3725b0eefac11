"""Statistics of a store with ten million hands: seconds, and memory of the process; and how quickly hands get in.

The hands are those of a real match of six random players, of which every part of the store is a copy under other keys
and names. `RAILBIRD_BENCH_HANDS` in the environment makes the store smaller, to try it out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import polars as pl

from benchmarks.timing import Row, duration_text, per_second
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.importing import import_hands
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.store.store_folder import opened_store, store_parts, write_part
from railbird.store.store_writer import PART_HANDS, packed

HANDS = int(os.environ.get("RAILBIRD_BENCH_HANDS", "10000000"))
MATCH_HANDS = min(20_000, HANDS)
PLAYERS = 40
"""So many groups of six sit at the tables."""
_MOST_SECONDS, _MOST_BYTES = 60, 2e9
_ASKED = (("player",), ("player", "position"), ("stakes",))
_MEASURED = """
import resource, sys
from time import perf_counter
from railbird.play.importing import stats
start = perf_counter()
found = stats(sys.argv[1], by=sys.argv[2], progress=False)
print(perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, found.hand_count)
"""


def rows() -> list[Row]:
    with TemporaryDirectory(dir=os.environ.get("RAILBIRD_BENCH_FOLDER")) as name:
        store, seconds = _small_store(Path(name))
        found = [per_second("import of a match of six players, hands", seconds / MATCH_HANDS)]
        _grow(store)
        for by in _ASKED:
            found += _measured(store, ",".join(by))
    return found


def _small_store(folder: Path) -> tuple[Path, float]:
    spec = MatchSpec(limit_holdem(6), ("random",) * 6, MATCH_HANDS, 1)
    run_matches([MatchFolder.create(folder / "match", spec)], workers=1)
    start = perf_counter()
    import_hands(folder / "match", folder / "hands.parquet", progress=False)
    return folder / "hands.parquet", perf_counter() - start


def _grow(store: Path) -> None:
    """Copy the hands of the first part until there are enough, in parts as large as those of an import."""
    (first,) = store_parts(store)
    tables = {table: pl.read_parquet(first.file(table), hive_partitioning=False) for table in first.files}
    again = max(1, PART_HANDS // MATCH_HANDS)
    with opened_store(store):
        for number in range(-(-HANDS // (again * MATCH_HANDS))):
            copies = [1 + number * again + copy for copy in range(again)]
            seats = [_moved(tables["seats"], at).with_columns(_named(copy)) for at, copy in enumerate(copies)]
            actions = [_moved(tables["actions"], at) for at in range(again)] if not number else [tables["actions"][:1]]
            hands = [tables["hands"].with_columns(pl.col("key") + pl.lit(copy, pl.UInt64)) for copy in copies]
            whole = {"hands": pl.concat(hands), "seats": pl.concat(seats), "actions": pl.concat(actions)}
            write_part(store, first.source, {name: packed(table) for name, table in whole.items()})
    for file in first.files.values():
        file.unlink()


def _moved(table: pl.DataFrame, at: int) -> pl.DataFrame:
    return table.with_columns(pl.col("row") + pl.lit(at * MATCH_HANDS, pl.UInt32))


def _named(copy: int) -> pl.Expr:
    return pl.col("player") + f"-{copy % PLAYERS}"


def _measured(store: Path, by: str) -> list[Row]:
    told = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(store), by], capture_output=True, text=True, check=True
    ).stdout.split()
    seconds, size, hands = float(told[0]), float(told[1]), int(told[2])
    return [
        Row(
            f"stats of {hands:,} hands by {by}",
            duration_text(seconds),
            "",
            f"{hands / seconds:,.0f} hands/s",
            f"<= {_MOST_SECONDS} s",
            seconds <= _MOST_SECONDS,
        ),
        Row("  memory", "", "", f"{size / 1e9:.2f} GB", f"<= {_MOST_BYTES / 1e9:g} GB", size <= _MOST_BYTES),
    ]
