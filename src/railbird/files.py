"""Files that are there whole or not at all, and tables that are computed once and kept in such files.

Until a file is whole it has another name, and it gets its own only when all of it is on the disk. What a process that
was killed has left of such files is removed a day later, when another is written beside them.

A file of tables begins with a line of JSON: what it holds, its version, the arrays with their types and shapes, and a
checksum of all that follows. The arrays come after it, each at a multiple of 64 bytes; they are mapped into memory.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
import warnings
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import prod
from os import PathLike
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from railbird.cache import PART, cache_folder, mark_used, remove_old_tables
from railbird.errors import MatchError, RailbirdError, RailbirdWarning
from railbird.json_files import Fields, json_of
from railbird.numbers import quoted, whole

Paths = str | Path | Sequence[str | Path]
"""One path or several."""
Tables = Mapping[str, NDArray[Any]]

_ALIGNMENT = 64
_LONGEST_HEADER = 4096
_MOST_CELLS, _MOST_DIMENSIONS = 2**40, 8
_KINDS = tuple(f"{order}{kind}" for order in "<>" for kind in ("i2", "i4", "i8", "u2", "u4", "u8", "f4", "f8"))
_KINDS = (*_KINDS, "|i1", "|u1", "|b1")
"""The types that a table can have."""
_STALE_SECONDS = 24 * 3600


def file_name(text: str) -> str:
    """Text as a part of a file's name.

    >>> file_name("random(fold=0,call=1)")
    'random_fold_0_call_1_'
    """
    return re.sub(r"[^\w.-]+", "_", text)


def file_names(texts: Iterable[str], between: str = "-v-") -> str:
    """Several of them.

    >>> file_names(["loki", "random(fold=0,call=1)"])
    'loki-v-random_fold_0_call_1'
    """
    return between.join(file_name(text).strip("_") for text in texts)


class PassingFolder:
    """A folder that is there as long as this object is."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="railbird-"))
        weakref.finalize(self, rmtree, self.path, ignore_errors=True)


@contextmanager
def errors_named(path: Path) -> Iterator[None]:
    """Let errors of the system say which file they are about; a full disk, for one, does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None or PART.fullmatch(Path(str(error.filename)).name):
            error.filename = str(path)
        error.filename2 = None
        raise


@contextmanager
def open_whole(path: Path, is_passing: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its place in the folder when it is whole; after an error it leaves nothing.

    Folders on the way to it are made. A device or a pipe, which no other file should replace, is written to as it is.
    One that `is_passing` outlives any process but maybe not the machine: nobody waits for the disk.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        with errors_named(path), target.open("wb") as file:
            yield file
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale_parts(target.parent)
    part = target.with_name(f"railbird-{target.name}-{secrets.token_hex(4)}.part")
    try:
        with errors_named(path):
            with part.open("xb") as file:
                yield file
                file.flush()
                if not is_passing:
                    os.fsync(file.fileno())
            os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def write_whole(path: Path, content: bytes | str, is_passing: bool = False) -> Path:
    """Write a file so that it is there whole or not at all; text in UTF-8 and as it is, line ends too."""
    with open_whole(path, is_passing) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return path


def lock(handle: int) -> None:
    """Keep an open file or folder for this process until it is closed; `BlockingIOError` if another has it.

    A system that knows no such locks does without.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def paths_of(paths: Paths) -> list[Path]:
    """One path or several, as a list; refuses anything else."""
    given = [paths] if isinstance(paths, str | PathLike) or not isinstance(paths, Iterable) else list(paths)
    for each in given:
        if not isinstance(each, str | PathLike) or each == "":
            raise MatchError(f"{quoted(each)} is no file or folder; give its path as text, or a list of such paths")
    return [Path(each) for each in given]


@contextmanager
def locked(folder: Path, doing: str = "played") -> Iterator[None]:
    """Held while a folder is played in, written to or moved, so that no other process does either."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise MatchError(f"cannot use {str(folder)!r}: {error.strerror}") from None
    try:
        try:
            lock(handle)
            if not (folder.exists() and os.path.samestat(os.fstat(handle), folder.stat())):
                raise BlockingIOError  # it was moved while we looked
        except OSError:
            raise MatchError(f"{str(folder)!r} is being {doing} by another process") from None
        yield
    finally:
        os.close(handle)


def write_tables(path: Path, what: str, version: int, tables: Tables) -> Path:
    """Write a file of tables."""
    checksum, layout = 0, []
    for name, table in tables.items():
        layout.append([name, table.dtype.str, list(table.shape)])
        checksum = zlib.crc32(_padding(table.nbytes), zlib.crc32(np.ascontiguousarray(table).data.cast("B"), checksum))
    header = json.dumps({"what": what, "version": version, "tables": layout, "checksum": checksum}).encode() + b"\n"
    with open_whole(path) as file:
        file.write(header + _padding(len(header)))
        for table in tables.values():
            file.write(np.ascontiguousarray(table).data.cast("B"))
            file.write(_padding(table.nbytes))
    return path


def _remove_stale_parts(folder: Path) -> None:
    """Remove unfinished files that nobody has written to for a day."""
    for part in folder.glob("railbird-*.part"):
        with suppress(OSError):  # gone meanwhile, or another user's
            if PART.fullmatch(part.name) and part.is_file() and time.time() - part.stat().st_mtime > _STALE_SECONDS:
                part.unlink()


def map_tables(path: Path, what: str, version: int, again: str) -> dict[str, NDArray[Any]]:
    """The tables of a file, mapped into memory and read-only; refuses a file that is damaged or of another kind.

    `again` is the command that builds it, for the message.
    """
    try:
        return _mapped(path, what, version)
    except RailbirdError as error:
        raise RailbirdError(f"{error}; build it again: {again}") from None


def described(tables: Tables) -> Fields:
    """The description among tables that somebody has saved, JSON under the name "about"; refuses what is none."""
    if "about" not in tables:
        raise ValueError("it lacks a description")
    return Fields(json_of(tables["about"].tobytes()), "the description")


def table_of(tables: Tables, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A copy of one of such tables, which must hold finite numbers and have this shape."""
    found = tables.get(name)
    if found is None or found.dtype.kind != "f" or not np.isfinite(found).all():
        raise ValueError(f"no finite numbers as {name!r}")
    if found.shape != shape:
        raise ValueError(f"{name!r} has the shape {found.shape} where {shape} belongs")
    return np.array(found, np.float64)


def _mapped(path: Path, what: str, version: int) -> dict[str, NDArray[Any]]:
    with path.open("rb") as file:
        line = file.readline(_LONGEST_HEADER)
    try:
        header = Fields(json_of(line), "the header")
        found, number, checksum = header.text("what"), header.whole("version"), header.whole("checksum")
        layout = [_told_table(each) for each in header.entries("tables")]
    except ValueError:
        raise RailbirdError(f"{str(path)!r} is not a file of {what}") from None
    sizes = [kind.itemsize * prod(shape) for _, kind, shape in layout]
    if found != what:
        raise RailbirdError(f"{str(path)!r} holds {found!r}, not {what!r}")
    if number != version:
        raise RailbirdError(f"{str(path)!r} has version {number} of the {what}, not {version}")
    start = len(line) + len(_padding(len(line)))
    expected = start + sum(size + len(_padding(size)) for size in sizes)
    size = path.stat().st_size
    if size != expected:
        raise RailbirdError(f"{str(path)!r} is damaged: {size:,} bytes where {expected:,} belong")
    content = np.memmap(path, np.uint8, "r")
    if zlib.crc32(content[start:].data) != checksum:
        raise RailbirdError(f"{str(path)!r} is damaged: the checksum does not fit")
    tables, at = {}, start
    for (name, kind, shape), size in zip(layout, sizes):
        tables[name] = np.asarray(content[at : at + size]).view(kind).reshape(shape)
        at += size + len(_padding(size))
    return tables


def _told_table(told: Any) -> tuple[str, np.dtype[Any], tuple[int, ...]]:
    """Name, type and shape of a table, as a header has them: numbers or truths, of no size that cannot be."""
    if not isinstance(told, list) or len(told) != 3 or not isinstance(told[0], str) or not isinstance(told[2], list):
        raise ValueError("no table")
    name, kind, shape = told
    if len(shape) > _MOST_DIMENSIONS or kind not in _KINDS:
        raise ValueError("no numbers of a kind and shape that is written here")
    sizes = tuple(whole(size, 0, _MOST_CELLS) for size in shape)
    if prod(sizes) > _MOST_CELLS:
        raise ValueError("too large")
    return name, np.dtype(kind), sizes


def cached_tables(path: Path, what: str, version: int, again: str, compute: Callable[[], Tables]) -> Tables:
    """The tables of a file, computed first if it is missing, damaged or of another version.

    Where it cannot be written they are kept in memory. A new file in the cache folder takes the place of older versions
    of the same tables, whatever their names.
    """
    try:
        found = _mapped(path, what, version)
        mark_used(path)
        return found
    except OSError:
        pass  # there is none, or none that can be read
    except RailbirdError as error:
        warnings.warn(f"{error}; it is built again now", RailbirdWarning, stacklevel=3)
    tables = compute()
    try:
        found = map_tables(write_tables(path, what, version, tables), what, version, again)
        if path.parent == cache_folder():
            remove_old_tables(what, version)
        return found
    except OSError as error:
        why = f"cannot write {str(path)!r}: {error.strerror or error}"
        warnings.warn(f"the {what} are kept in memory only: {why}", RailbirdWarning, stacklevel=3)
        return tables


def _padding(size: int) -> bytes:
    return bytes(-size % _ALIGNMENT)
