"""What lies in the cache folder, as a result."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railbird.cache import CachedFile, cache_folder, cached_files
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.words import count_of


@dataclass(frozen=True, repr=False)
class CacheContents(Result):
    """The files that Railbird keeps so that it need not compute them again."""

    folder: Path
    files: tuple[CachedFile, ...]
    is_removed: bool = False
    """Whether they were there until now."""

    @property
    def bytes(self) -> int:
        """How large they are together."""
        return sum(file.bytes for file in self.files)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.cache/1."""
        return {
            "schema": "railbird.cache/1",
            "folder": str(self.folder),
            "bytes": self.bytes,
            "removed": self.is_removed,
            "files": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each file; all compiled kernels are one."""
        return [{"name": file.path.name, "what": file.what, "bytes": file.bytes} for file in self.files]

    def parts(self) -> list[Part]:
        by_kind: dict[str, list[CachedFile]] = defaultdict(list)
        for file in self.files:
            by_kind[file.what].append(file)
        facts = ("removed",) if self.is_removed else ()
        found: list[Part] = [Heading(str(self.folder), (_size(self.bytes) if self.files else "empty", *facts))]
        if not self.files:
            return found
        by_size = sorted(by_kind.items(), key=lambda kind: -sum(file.bytes for file in kind[1]))
        sizes = [
            [what, _size(sum(file.bytes for file in files)), count_of(len(files), "file") if len(files) > 1 else ""]
            for what, files in by_size
        ]
        found.append(Table(sizes, left=(2,)))
        again = "they are built again when they are needed" if self.is_removed else "remove all: railbird cache --clear"
        return [*found, Line(again)]


def cache_contents() -> CacheContents:
    """What Railbird keeps in the cache folder."""
    return CacheContents(cache_folder(), tuple(cached_files()))


def clear_cache() -> CacheContents:
    """Remove what Railbird keeps in the cache folder, and say what it was; files of others stay."""
    found = cache_contents()
    removed = []
    for file in found.files:
        with suppress(OSError):  # another user's
            file.remove()
            removed.append(file)
    with suppress(OSError):  # something else is there
        found.folder.rmdir()
    return CacheContents(found.folder, tuple(removed), is_removed=True)


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB"
