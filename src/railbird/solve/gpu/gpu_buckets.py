"""River buckets by clusters on a GPU: those of `Abstraction.buckets`, of all holdings on many boards at once."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.kernels.solve.river_clusters import GROUPS
from railbird.solve.abstraction import Abstraction
from railbird.solve.gpu.device import gpu, rank_tables

_THREADS = 128


def clustered_buckets(abstraction: Abstraction, boards: NDArray[np.uint8]) -> Any:
    """By board of five cards and holding: the bucket. The abstraction's river must be one of clusters."""
    cp, kernels = gpu()
    groups, centres, _ = abstraction.river_clusters
    listed = np.argsort(groups, kind="stable").astype(np.int32)
    starts = np.searchsorted(groups[listed], np.arange(GROUPS + 1)).astype(np.int32)
    ranks = cp.empty((len(boards), HOLDING_COUNT), cp.int32)
    found = cp.empty((len(boards), HOLDING_COUNT), cp.int32)
    grid, block = (len(boards), -(-HOLDING_COUNT // _THREADS)), (_THREADS,)
    kernels["rank_boards"](grid, block, (*rank_tables(), cp.asarray(boards), _pairs(), ranks))
    arrays = (cp.asarray(listed), cp.asarray(starts), cp.asarray(centres), np.int32(len(centres)))
    kernels["bucket_rivers"](grid, block, (ranks, _pairs(), *arrays, found))
    return found


@cache
def _pairs() -> Any:
    cards = [holding_cards(holding) for holding in range(HOLDING_COUNT)]
    return gpu()[0].asarray(np.array(cards, np.int32))
