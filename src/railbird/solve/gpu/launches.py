"""What best responses, CFR-BR and training on a GPU have in common: kernels of `rounds.cu` and how they are started.

A table is laid out by block, decision, action, bucket and lane; reach and values by board, block, holding and lane.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from railbird.cards import HOLDING_COUNT
from railbird.solve.gpu.device import LANES, gpu

_THREADS = 256
PLANE = (HOLDING_COUNT, LANES)


class BoardRows(NamedTuple):
    """Boards of one street: their holdings with buckets in order of rank, how many, and the reach each begins with."""

    entries: Any
    counts: Any
    reach_of: Any


def steps_in(steps: Any, table: Any) -> tuple[Any, ...]:
    """How kernels take steps of a player, and the table with the probabilities of the other."""
    return steps, np.int32(len(steps)), table, np.int32(table.shape[1]), np.int32(table.shape[3])


def leading_on(places: Any, later: Any, counts: Any, planes: Any) -> tuple[Any, ...]:
    """How kernels take the openings that follow a street, and their values, which are `None` on the river: there
    `counts` and `planes` stand in their places, and are not read."""
    if later is None:
        return counts, np.int32(0), np.int32(0), planes
    return places, np.int32(places.shape[1]), np.int32(later.shape[1]), later


def pass_reach(paths: Any, table: Any, boards: BoardRows, reach: Any, places: Any, blocks: int, parts: int) -> Any:
    """The reach at the openings of the next street, by board, of a player whose steps on the way are `paths`.

    The next street has so many `blocks` of openings; so many `parts` of a board's holdings are worked side by side.
    """
    cp, kernels = gpu()
    later = cp.zeros((len(boards.counts), blocks, *PLANE), cp.float32)
    arguments = (*steps_in(paths, table), *boards, reach, places, np.int32(blocks), later)
    kernels["pass_reach"]((len(table), len(boards.counts), parts), (LANES,), arguments)
    return later


def add_strategy(steps: Any, table: Any, boards: BoardRows, reach: Any, weights: Any, sums: Any) -> None:
    """Add to `sums` what the player of `steps` plays, by its reach and the boards' weights, of which there may be fewer
    than boards."""
    _, kernels = gpu()
    arguments = (*steps_in(steps, table), *boards, reach, weights, sums)
    kernels["add_strategy"]((len(table), len(weights), 4), (LANES,), arguments)


def match_regrets(regrets: Any, legal: Any, table: Any) -> None:
    """The strategy of regret matching into `table`."""
    _, kernels = gpu()
    size = regrets.size // 3
    counts = (np.int32(table.shape[1]), np.int32(table.shape[3]), np.int64(size))
    kernels["match_regrets"]((-(-size // _THREADS),), (_THREADS,), (regrets, legal, *counts, table))


def take_over(kept: Any, found: Any, weight: np.float32, floor: np.float32) -> None:
    """Add to what is kept what was found, by its weight; leave nothing below the floor, and nothing in `found`."""
    _, kernels = gpu()
    numbers = (np.float32(weight), np.float32(floor), np.int64(kept.size))
    kernels["take_over"]((-(-kept.size // _THREADS),), (_THREADS,), (kept, found, *numbers))
