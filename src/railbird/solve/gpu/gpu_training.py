"""Training on a GPU: the vector CFR of `railbird.kernels.solve.vector_cfr`, a batch of boards at a time.

All boards of a batch are played with the same strategy. What they find is added up before regrets change, so a batch is
one step of regret matching (with its floor, if any) on the average of its boards, where the CPU takes a step for each.
Boards are those that the CPU would train on, in the same order, and count as the middle one of the batch. Sums are
formed in no fixed order, so that two runs agree to rounding only.

The average strategy is gathered from some of the boards of each batch, since it needs far fewer than the regrets do.

The work on a batch is that of `railbird.solve.gpu.gpu_walk`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np

from railbird.errors import RailbirdError
from railbird.solve.gpu.gpu_finer import FinerWalk
from railbird.solve.gpu.gpu_walk import AlikeWalk, Dealt, Walk
from railbird.solve.train import Training

BATCH = 1_024
_HOME_SECONDS = 300.0


def train_on_gpu(
    training: Training,
    boards: int | None = None,
    seconds: float | None = None,
    batch: int = BATCH,
    watch: Callable[[Training], None] | None = None,
    save: Callable[[Training], None] | None = None,
) -> int:
    """Train on so many more boards, or for so many seconds, on a GPU; returns the number of boards.

    It is `Training.run` by other means. `watch` is called after every batch. Regrets and sums are taken from
    `training`, and put back when the call returns and, if there is somebody to `save` it, every few minutes.
    """
    if training.held:
        raise RailbirdError("streets whose play is given are for the backend cpu; a GPU trains all of them")
    training.abstraction.build()
    walk: Walk = FinerWalk(training) if training.opposed else AlikeWalk(training)
    before, now = training.boards, monotonic()
    end, start = now + (np.inf if seconds is None else seconds), now
    last = None if boards is None else before + boards

    def following(first: int) -> range:
        return range(first, first + batch if last is None else min(first + batch, last))

    def at_home() -> None:
        nonlocal start
        walk.give_back()
        training.seconds += monotonic() - start
        start = monotonic()

    try:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            dealt = Dealt.of(pool, training, following(before))
            while len(dealt.cards) and monotonic() < end:
                numbers = following(training.boards)
                walk.start(dealt.waited())
                dealt = Dealt.of(pool, training, following(numbers.stop))  # while the GPU is busy
                walk.finish(*training.weights((numbers.start + numbers.stop) // 2))
                training.boards = numbers.stop
                if watch:
                    watch(training)
                if save and monotonic() - start > _HOME_SECONDS:
                    at_home()
                    save(training)
    finally:
        at_home()
    return training.boards - before
