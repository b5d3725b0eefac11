"""The folder of a store: which parts it has, and how a part gets in.

    hands.parquet/
      store.json                                     that this is a store, and of which version
      hands/source=pokerstars/000003.parquet         part 3: hands of PokerStars files
      seats/source=pokerstars/000003.parquet
      actions/source=pokerstars/000003.parquet

Seats and actions are written before the hands, each file whole or not at all: a part is there when its hands are. What
a process that was killed has left of others is removed by whoever writes next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from railbird.errors import MatchError
from railbird.files import file_name, locked, write_whole
from railbird.json_files import Fields, read_json

TABLES = ("seats", "actions", "hands")
"""In the order in which they are written."""
_ABOUT = "store.json"
_SCHEMA = "railbird.store/1"
_SOURCE = "source="


class StorePart(NamedTuple):
    """Some hands of a store, of one source."""

    folder: Path
    source: str
    number: int

    def file(self, table: str) -> Path:
        return self.folder / table / f"{_SOURCE}{self.source}" / f"{self.number:06}.parquet"


def is_store(path: Path) -> bool:
    """Whether a path is the folder of a store."""
    return (path / _ABOUT).is_file()


def store_parts(folder: Path) -> list[StorePart]:
    """The parts of a store, in the order in which they were written; refuses what is no store of this version."""
    try:
        told = Fields(read_json(folder / _ABOUT), "the store").text("schema")
    except FileNotFoundError:
        raise MatchError(f"{str(folder)!r} is no hand store; make one: railbird import LOGS --to {folder}") from None
    except (OSError, ValueError) as error:
        raise MatchError(f"{str(folder / _ABOUT)!r} is damaged: {error}") from None
    if told != _SCHEMA:
        raise MatchError(f"{str(folder)!r} is a hand store of another version ({told[:40]}, not {_SCHEMA})")
    return _parts_of(folder, "hands")


def _parts_of(folder: Path, table: str) -> list[StorePart]:
    found = [
        StorePart(folder, file.parent.name.removeprefix(_SOURCE), int(file.stem))
        for file in (folder / table).glob(f"{_SOURCE}*/*.parquet")
        if file.stem.isascii() and file.stem.isdigit()
    ]
    return sorted(found, key=lambda part: (part.number, part.source))


@contextmanager
def opened_store(folder: Path) -> Iterator[None]:
    """A store to write to, made if there is none; nobody else writes to it meanwhile. Refuses other folders."""
    if folder.exists() and not folder.is_dir():
        raise MatchError(f"{str(folder)!r} is a file; a hand store is a folder: choose another name with --to")
    if folder.is_dir() and not is_store(folder) and any(folder.iterdir()):
        raise MatchError(f"{str(folder)!r} holds something else than a hand store; choose another name with --to")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder, "written to"):
        if not is_store(folder):
            write_whole(folder / _ABOUT, json.dumps({"schema": _SCHEMA}) + "\n")
        whole = set(store_parts(folder))
        for table in TABLES:
            for part in _parts_of(folder, table):
                if part not in whole:
                    with suppress(OSError):
                        part.file(table).unlink()
        yield


def next_part(folder: Path, source: str) -> StorePart:
    """A part that is not there yet."""
    last = max((part.number for part in store_parts(folder)), default=0)
    return StorePart(folder, file_name(source) or "unknown", last + 1)
