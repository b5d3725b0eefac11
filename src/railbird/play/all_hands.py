"""The hands of many logs, histories and stores one after the other, in little memory, and how far one is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from railbird.errors import RailbirdError
from railbird.formats.hand_arrays import Problem
from railbird.formats.hand_logs import LogSource
from railbird.formats.line_check import printable
from railbird.game.record import HandRecord
from railbird.play.match_logs import hands_of
from railbird.progress import Watch
from railbird.store.store_folder import is_store


def all_hands(
    sources: Sequence[LogSource], watch: Watch | None = None
) -> Iterator[tuple[LogSource, HandRecord | Problem]]:
    """The hands of all sources, and why others were set aside; the watch is told kilobytes read, and in all.

    One of several sources that cannot be read at all is told as a problem.
    """
    sizes = [_size(source.path) for source in sources]
    before = 0
    for source, size in zip(sources, sizes):
        try:
            for found in hands_of(source, _share_of(watch, before, size, sum(sizes))):
                yield source, found
        except RailbirdError as error:
            if len(sources) == 1:
                raise
            yield source, Problem(str(source.path), 0, "unreadable", printable(str(error)), True)
        before += size
        if watch is not None:
            watch(before // 1000, sum(sizes) // 1000)


def _size(path: Path) -> int:
    files = path.glob("hands/*/*.parquet") if is_store(path) else [path]
    return sum(file.stat().st_size for file in files)


def _share_of(watch: Watch | None, before: int, size: int, total: int) -> Watch | None:
    """A watch for a source of so many bytes, which is told in whatever it counts."""
    if watch is None:
        return None

    def told(done: int, whole: int, _detail: str = "", /) -> None:
        watch((before + size * done // max(1, whole)) // 1000, total // 1000)

    return told
