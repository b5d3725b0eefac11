"""Tables of regrets and sums on a GPU, and the way there and back.

On the processor a table is [block of 16, bucket, 3 * decision + action, lane], its openings in the order of
`railbird.solve.training_rounds`; on the GPU [block of 64, decision, action, bucket, lane], in the order of
`railbird.game.betting_rounds`. Some buckets at a time go over, and are put in order there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels import lanes as cpu
from railbird.solve.gpu import launches
from railbird.solve.gpu.device import LANES, gpu
from railbird.solve.training_rounds import TrainingRounds

Floats = NDArray[np.float32]

_NUMBERS_AT_ONCE = 1 << 28


def placed(table: Floats, rounds: TrainingRounds, buckets: int) -> Any:
    """A table of the processor, on the GPU."""
    cp, _ = gpu()
    count, decisions = len(rounds.rounds), rounds.decisions
    found = cp.zeros((-(-count // LANES), decisions, 3, buckets, LANES), cp.float32)
    lane_of = cp.asarray(np.argsort(rounds.order))
    for some, part in _parts(table, rounds, buckets):
        by_lane = cp.asarray(np.ascontiguousarray(part)).transpose(0, 3, 2, 1)  # block, lane, slot, bucket
        by_round = by_lane.reshape(-1, decisions, 3, part.shape[1])[lane_of]
        for block, into in enumerate(found):
            here = by_round[block * LANES : (block + 1) * LANES].transpose(1, 2, 3, 0)
            into[:, :, some, : here.shape[3]] = here
    return found


def put_home(array: Any, into: Floats, rounds: TrainingRounds) -> None:
    """The way back; lanes that are left over hold zeros."""
    cp, _ = gpu()
    buckets, width = array.shape[3], rounds.blocks * cpu.LANES
    order = cp.asarray(rounds.order)
    for some, part in _parts(into, rounds, buckets):
        by_round = array[:, :, :, some].transpose(0, 4, 1, 2, 3).reshape(-1, 3 * rounds.decisions, part.shape[1])
        by_lane = cp.zeros((width, *by_round.shape[1:]), cp.float32)
        by_lane[: len(rounds.order)] = by_round[order]
        blocks = by_lane.reshape(rounds.blocks, cpu.LANES, *by_round.shape[1:]).transpose(0, 3, 2, 1)
        part[:] = cp.asnumpy(blocks)


def _parts(table: Floats, rounds: TrainingRounds, buckets: int) -> Iterator[tuple[slice, Floats]]:
    """Some buckets at a time, and what the table has of them: block, bucket, slot and lane."""
    whole = table.reshape(rounds.blocks, buckets, 3 * rounds.decisions, cpu.LANES)
    at_once = max(1, _NUMBERS_AT_ONCE // (whole.size // max(1, buckets)))
    for first in range(0, buckets, at_once):
        some = slice(first, min(first + at_once, buckets))
        yield some, whole[:, some]


class TrainedTable:
    """Regrets of one street, what a batch of boards has found, and the strategy that they ask for."""

    def __init__(self, regrets: Floats, rounds: TrainingRounds, legal: Any, buckets: int) -> None:
        self._rounds, self._legal, self.buckets = rounds, legal, buckets
        self.regrets = placed(regrets, rounds, buckets)
        self.found, self.strategy = (gpu()[0].zeros_like(self.regrets) for _ in range(2))
        launches.match_regrets(self.regrets, legal, self.strategy)

    def take_over(self, weight: np.float32, floor: np.float32) -> None:
        """Change regrets and strategy by what was found."""
        launches.take_over(self.regrets, self.found, weight, floor)
        launches.match_regrets(self.regrets, self._legal, self.strategy)

    def put_home(self, into: Floats) -> None:
        """The regrets, into a table of the processor."""
        put_home(self.regrets, into, self._rounds)
