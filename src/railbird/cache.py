"""Where Railbird keeps files that can be built again: compiled kernels and computed tables.

In the cache folder everything in `kernels` is Railbird's, and so are files of tables, which say in their first line
what they hold and in which version, packed tables by their names, and what was left of either half written. Nothing
else there is ever removed.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railbird.json_files import json_of

KERNELS = "kernels"
NOT_KEPT = "compiled kernels are not kept"
"""How a warning begins that what was compiled cannot be written."""
PART = re.compile(r"railbird-.+-[a-z0-9_]{8}\.part")
"""The name of a file that is not whole yet."""
PACKED = re.compile(r"divat-(\d+-[\w-]+\.xz|(flop|turn|river|preflop|futures)[\w-]*\.bin)")
"""The names of DIVAT's tables, which are packed and say no more of themselves, and of those of an earlier version."""
UNUSED_SECONDS = 14 * 24 * 3600
"""What nothing has used for so long is removed when something new is kept."""
_LONGEST_HEADER = 4096


@dataclass(frozen=True)
class CachedFile:
    """Something in the cache folder: a file of tables, what is left of one, or the folder of all kernels."""

    path: Path
    what: str
    """In words, as in "buckets"."""
    version: int | None
    """Of tables."""
    bytes: int

    def remove(self) -> None:
        """Remove it; it is built again when it is needed."""
        if self.path.is_dir():
            shutil.rmtree(self.path)
        else:
            self.path.unlink()


def cache_folder() -> Path:
    """`$RAILBIRD_CACHE`, or the system's place for such files; where there is no home, a folder that cannot be."""
    own = os.environ.get("RAILBIRD_CACHE")
    if own:
        return Path(own)
    try:
        return _usual_folder()
    except RuntimeError:
        return Path(os.devnull) / "railbird"


def _usual_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "railbird" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "railbird"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "railbird"


def cached_files() -> Iterator[CachedFile]:
    """All that Railbird keeps in the cache folder."""
    folder = cache_folder()
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(OSError):  # gone meanwhile, or another user's
            if path.name == KERNELS and path.is_dir():
                yield CachedFile(path, "compiled kernels", None, _bytes_in(path))
            elif path.is_file() and PART.fullmatch(path.name):
                yield CachedFile(path, "half-written files", None, path.stat().st_size)
            elif path.is_file() and PACKED.fullmatch(path.name):
                yield CachedFile(path, "DIVAT's tables", None, path.stat().st_size)
            elif path.is_file() and (header := tables_header(path)):
                yield CachedFile(path, str(header["what"]), header["version"], path.stat().st_size)


def tables_header(path: Path) -> dict[str, Any] | None:
    """The first line of a file of tables, `None` of any other file."""
    with path.open("rb") as file:
        line = file.readline(_LONGEST_HEADER)
    try:
        header = json_of(line)
    except ValueError:
        return None
    is_header = isinstance(header, dict) and {"what", "version", "tables", "checksum"} <= header.keys()
    return header if is_header and isinstance(header["version"], int) else None


def mark_used(path: Path) -> None:
    """Say that a file or folder of the cache is used now."""
    with suppress(OSError):  # not there yet, or another user's
        os.utime(path)


def remove_old_tables(what: str, version: int) -> None:
    """Remove tables of which a newer version is kept now, and those that nothing has used for two weeks."""
    for old in cached_files():
        if old.version is None:
            continue
        with suppress(OSError):
            is_unused = time.time() - old.path.stat().st_mtime > UNUSED_SECONDS
            if is_unused or (old.what == what and old.version < version):
                old.remove()


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
