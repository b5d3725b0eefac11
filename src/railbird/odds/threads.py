"""Work on arrays in one thread or several: kernels let go of Python's lock, so threads share the cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from railbird.errors import RailbirdError


def share_out(work: Callable[[slice], object], count: int, threads: int | None, block: int) -> None:
    """Call `work` with slices of at most `block` that cover 0 to `count`: here (None), or in so many threads (0: all
    cores)."""
    if threads is not None and threads < 0:
        raise RailbirdError(f"{threads} threads; give a number, 0 for all cores, or None for this one")
    workers = 1 if threads is None else threads or os.cpu_count() or 1
    parts = [slice(start, min(start + block, count)) for start in range(0, count, block)]
    if workers == 1 or len(parts) < 2:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(work, parts):
            pass
