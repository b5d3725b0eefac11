"""DIVAT's tables as files, packed: those that ship with the package, and others in the cache folder."""

from __future__ import annotations

import lzma
import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.cache import PACKED, cache_folder
from railbird.errors import RailbirdError, RailbirdWarning
from railbird.files import write_whole

VERSION = 2
_MOST_MEMORY = 200_000_000
MOST_BYTES = 40_000_000
"""What all files in the cache folder may take together, ten settings or so; those not used for longest go first."""

Bytes = NDArray[np.uint8]


def packed(content: Bytes, tightly: bool = False) -> bytes:
    """The content of a file; `tightly`, as it ships, takes twenty times as long and half of the room."""
    return lzma.compress(content.tobytes(), preset=9 | lzma.PRESET_EXTREME if tightly else 1)


def shipped_file(name: str) -> Traversable:
    """Where a table lies in the package, if it does."""
    return files("railbird.assess") / "data" / f"{name}.xz"


def cached_file(name: str) -> Path:
    """Where a table lies in the cache folder, if it does."""
    return cache_folder() / f"divat-{VERSION}-{name}.xz"


def is_there(name: str) -> bool:
    """Whether a table has been computed."""
    return shipped_file(name).is_file() or cached_file(name).is_file()


def read_or_computed(name: str, what: str, size: int, compute: Callable[[], Bytes]) -> Bytes:
    """A table, read-only, from the package or the cache folder; else it is computed and kept there."""
    shipped, path = shipped_file(name), cached_file(name)
    if shipped.is_file():
        return np.frombuffer(lzma.decompress(shipped.read_bytes()), np.uint8)
    try:
        return unpacked(path, size)
    except OSError:
        pass  # there is none, or none that can be read
    except RailbirdError as error:
        warnings.warn(f"{error}; it is built again now", RailbirdWarning, stacklevel=3)
    content = compute()
    try:
        keep(path, packed(content))
    except OSError as error:
        why = f"cannot write {str(path)!r}: {error.strerror or error}"
        warnings.warn(f"the {what} are kept in memory only: {why}", RailbirdWarning, stacklevel=3)
    return np.frombuffer(content.tobytes(), np.uint8)


def unpacked(path: Path, size: int) -> Bytes:
    """A table of the cache folder, which must have this size; refuses a file that is damaged."""
    packing = lzma.LZMADecompressor(memlimit=_MOST_MEMORY)
    try:
        content = packing.decompress(path.read_bytes(), size + 1)
    except (lzma.LZMAError, EOFError):
        raise RailbirdError(f"{str(path)!r} is damaged") from None
    if len(content) != size or not packing.eof:
        raise RailbirdError(f"{str(path)!r} is damaged: {len(content):,} bytes where {size:,} belong")
    with suppress(OSError):  # another user's
        os.utime(path)
    return np.frombuffer(content, np.uint8)


def keep(path: Path, content: bytes) -> Path:
    """Write a file of the cache folder, and remove those of other versions and what is too much."""
    write_whole(path, content)
    taken = 0
    kept = (file for file in path.parent.iterdir() if PACKED.fullmatch(file.name))
    for old in sorted(kept, key=_last_used, reverse=True):
        with suppress(OSError):  # gone meanwhile, or another user's
            taken += old.stat().st_size
            if old != path and (taken > MOST_BYTES or not old.name.startswith(f"divat-{VERSION}-")):
                old.unlink()
    return path


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
