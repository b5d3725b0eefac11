"""Tables that are filled part by part, by threads of this machine or by a cluster.

While that lasts all that is done is kept in a file of the cache folder, a few seconds' work at a time: when the process
is killed the same work goes on from there, wherever it is done. The file is known by what the tables hold and by
Railbird's own source and tables, and it is removed when they are full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.cache import cache_folder
from railbird.errors import RailbirdError
from railbird.files import Tables, map_tables, write_tables
from railbird.progress import Watch
from railbird.ray_cluster import code_hash
from railbird.stopping import NOTHING_KEPT, keeping
from railbird.workforce import Maker, Workforce, shared_out

Found = TypeVar("Found")
KEEP_SECONDS = 5.0
"""So much work may be lost."""
_WRITING_SHARE = 0.05
"""No more of the time than this is spent on the file."""
_WHAT, _VERSION = "unfinished tables", 1
_DONE = "done"


def fill(
    tables: Tables,
    what: str,
    make: Maker[range, Found],
    parts: Sequence[range],
    put: Callable[[range, Found], None],
    who: Workforce = None,
    watch: Watch | None = None,
) -> None:
    """Fill tables: what is found of each part is `put` into them, here and in any order.

    `what` they hold tells them from all others, and from the same of other settings.
    """
    kept = _Kept(tables, what, len(parts))
    waiting = [at for at in range(len(parts)) if not kept.done[at]]
    total = sum(map(len, parts))
    done = total - sum(len(parts[at]) for at in waiting)
    with keeping(kept.words):
        if watch:
            watch(done, total)
        for number, found in shared_out(make, [parts[at] for at in waiting], who):
            part = parts[waiting[number]]
            put(part, found)
            kept.note(waiting[number])
            done += len(part)
            if watch:
                watch(done, total)
    kept.remove()


class _Kept:
    """What is done of some tables, and the file in which it is kept."""

    def __init__(self, tables: Tables, what: str, count: int) -> None:
        name = hashlib.sha256(f"{what}\n{code_hash()}".encode()).hexdigest()[:24]
        self._path = cache_folder() / f"unfinished-{name}.bin"
        self._tables = tables
        self.done: NDArray[np.bool_] = np.zeros(count, np.bool_)
        self._written, self._next = 0, monotonic() + KEEP_SECONDS
        self._read()

    def note(self, part: int) -> None:
        """A part is in the tables; if the last file is some time old, write another."""
        self.done[part] = True
        since = monotonic()
        if since >= self._next:
            self._write()
            now = monotonic()
            self._next = now + max(KEEP_SECONDS, (now - since) / _WRITING_SHARE)

    def words(self) -> str:
        """What to say on Ctrl-C."""
        if not self._written:
            return NOTHING_KEPT
        return f"{self._written:,} of {len(self.done):,} parts are kept; do the same again to go on from there"

    def remove(self) -> None:
        """The tables are full."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _write(self) -> None:
        with suppress(OSError):  # then it is not kept
            write_tables(self._path, _WHAT, _VERSION, {**self._tables, _DONE: self.done})
            self._written = int(self.done.sum())

    def _read(self) -> None:
        """Take over what an earlier process has done, if there is a whole file of such tables."""
        with suppress(OSError, RailbirdError):
            found = map_tables(self._path, _WHAT, _VERSION, "do the same again")
            here: dict[str, NDArray[Any]] = {**self._tables, _DONE: self.done}
            if {name: _kind(table) for name, table in found.items()} == {name: _kind(here[name]) for name in here}:
                for name, table in found.items():
                    here[name][...] = table
                self._written = int(self.done.sum())


def _kind(table: NDArray[Any]) -> tuple[str, tuple[int, ...]]:
    return table.dtype.str, table.shape
