"""The folder of a store: which parts it has, and how a part gets in.

    hands.parquet/
      store.json                                     that this is a store, and of which version
      left_out.json                                  how many hands of which files could not be read, and why
      hands/source=pokerstars/000003-8c5e21f0.parquet      part 3: hands of PokerStars files
      seats/source=pokerstars/000003-01be93d4.parquet
      actions/source=pokerstars/000003-f6aa0c11.parquet

Seats and actions are written before the hands, each file whole or not at all: a part is there when its hands are. What
a process that was killed has left of others is removed by whoever writes next.

The name of a file ends with the checksum (CRC-32) of what it holds. It is held against the file before anything else
looks at it: a damaged table could end the process.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from railbird.errors import MatchError, RailbirdError
from railbird.files import file_name, locked, write_whole
from railbird.json_files import Fields, read_json

TABLES = ("seats", "actions", "hands")
"""In the order in which they are written."""
_ABOUT = "store.json"
_LEFT_OUT = "left_out.json"
_SCHEMA = "railbird.store/1"
_MOST_LEFT_OUT = 10**12
_SOURCE = "source="
_NAME = re.compile(r"(\d{6,12})-([0-9a-f]{8})\.parquet")
_AT_ONCE = 1 << 20


class StorePart(NamedTuple):
    """Some hands of a store, of one source."""

    number: int
    source: str
    files: Mapping[str, Path]
    """By table."""

    def file(self, table: str) -> Path:
        """The file of a table, which holds what was written; refuses one that is damaged."""
        path = self.files.get(table)
        if path is None:
            missing = f"it has no {table} of part {self.number}"
            raise MatchError(f"{str(self.files['hands'].parents[2])!r} is damaged: {missing}")
        _refuse_damage(path)
        return path


@lru_cache(100_000)
def _refuse_damage(path: Path) -> None:
    """Refuse a file whose checksum is not that of its name; each is read once in a process."""
    checksum = 0
    try:
        with path.open("rb") as file:
            while data := file.read(_AT_ONCE):
                checksum = zlib.crc32(data, checksum)
    except OSError as error:
        raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
    if f"{checksum:08x}" != path.stem.rpartition("-")[2]:
        raise MatchError(
            f"{str(path)!r} is damaged: the checksum does not fit; import its hands again into a new store"
        )


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
    files = {table: _files_of(folder, table) for table in TABLES}
    return [
        StorePart(*key, {table: found[key] for table, found in files.items() if key in found})
        for key in sorted(files["hands"])
    ]


def _files_of(folder: Path, table: str) -> dict[tuple[int, str], Path]:
    """The files of a table, by number and source."""
    found = {}
    for file in (folder / table).glob(f"{_SOURCE}*/*.parquet"):
        if name := _NAME.fullmatch(file.name):
            found[int(name[1]), file.parent.name.removeprefix(_SOURCE)] = file
    return found


@contextmanager
def opened_store(folder: Path) -> Iterator[None]:
    """A store to write to, made if there is none; nobody else writes to it meanwhile. Refuses other folders."""
    if folder.exists() and not folder.is_dir():
        raise MatchError(f"{str(folder)!r} is a file; a hand store is a folder: choose another name with --to")
    if folder.is_dir() and not is_store(folder) and any(folder.iterdir()):
        raise MatchError(f"{str(folder)!r} holds something else than a hand store; choose another name with --to")
    is_new, is_made = not folder.exists(), False
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder, "written to"):
            if not is_store(folder):
                write_whole(folder / _ABOUT, json.dumps({"schema": _SCHEMA}) + "\n")
                is_made = True
            _remove_torn(folder)
            yield
    except RailbirdError:
        if is_made and not store_parts(folder):
            with suppress(OSError):
                (folder / _ABOUT).unlink()
                if is_new:
                    folder.rmdir()
        raise


def _remove_torn(folder: Path) -> None:
    """Remove the files of parts that a kill left without their last."""
    whole = {file for part in store_parts(folder) for file in part.files.values()}
    for table in TABLES:
        for file in _files_of(folder, table).values():
            if file not in whole:
                with suppress(OSError):
                    file.unlink()


@dataclass(frozen=True)
class LeftOutHands:
    """Hands of a file that did not get into the store, of one kind of problem."""

    file: str
    kind: str
    count: int
    line: int
    """Of the first of them."""
    message: str


def left_out_hands(folder: Path) -> list[LeftOutHands]:
    """The hands that did not get into a store."""
    path = folder / _LEFT_OUT
    try:
        entries = [Fields(each, "an entry") for each in Fields(read_json(path), "the list").entries("left_out")]
        return [
            LeftOutHands(
                each.text("file"),
                each.text("kind"),
                each.whole("count", 1, _MOST_LEFT_OUT),
                each.whole("line", 0),
                each.text("message"),
            )
            for each in entries
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise MatchError(f"{str(path)!r} is damaged: {error}; import the files again") from None


def note_left_out(folder: Path, files: Iterable[str], found: Iterable[LeftOutHands]) -> None:
    """Keep what was left out of files; what is known of them from before is replaced."""
    again = set(files)
    kept = [each for each in left_out_hands(folder) if each.file not in again]
    entries = [asdict(each) for each in (*kept, *found)]
    if entries or (folder / _LEFT_OUT).exists():
        write_whole(folder / _LEFT_OUT, json.dumps({"left_out": entries}, indent=1) + "\n")


def write_part(folder: Path, source: str, tables: Mapping[str, bytes]) -> None:
    """Write another part of a store that is open for writing, the hands last."""
    number = max((part.number for part in store_parts(folder)), default=0) + 1
    for table in TABLES:
        name = f"{number:06}-{zlib.crc32(tables[table]):08x}.parquet"
        write_whole(folder / table / f"{_SOURCE}{file_name(source) or 'unknown'}" / name, tables[table])
