"""CFR-BR on a GPU: all boards of some flops at once. It is a `railbird.solve.cfr_br.Bench`; its twin is `CpuBench`.

Sums are formed in no fixed order, so that two runs agree to rounding only.

Room on the GPU, for one flop with F, T and R boards by street (1, at most 49 and 2,352; on average 45 and 1,456), with
blocks of 64 openings (1, 1 and 9) and planes of 1,326 x 64 numbers: answers, 2 bytes for each number of 9 R planes;
reach of both players and sums at the rivers, 4 bytes for 9 T planes each; room to work in, 4 bytes for 36 T planes. At
most 4.6 GB, on average about 3. Tables are five of 4 bytes for each decision, action and bucket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.solve.abstraction import Abstraction
from railbird.solve.dealt_boards import DealtBoards
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.gpu.gpu_buckets import clustered_buckets
from railbird.solve.gpu.gpu_responses import GpuBoards, looked_up, pass_reach, relabellings_on_gpu, respond

if TYPE_CHECKING:
    from railbird.solve.cfr_br import Street, Ways

Floats = NDArray[np.float32]
_THREADS = 256
_PARTS = 16  # of a board's holdings, whose reach is passed on side by side
FLOPS_AT_ONCE = 2
"""With two flops there are 98 turns at most, each worked by nine blocks of threads on the river: about as many as an
H200 holds at a time (eight on each of 132 processors, for their shared memory). More would make fewer steps of the same
work."""


class GpuBench:
    """The GPU, with so many flops at once."""

    lanes = LANES

    def __init__(self, flops_at_once: int = FLOPS_AT_ONCE) -> None:
        self.flops_at_once = flops_at_once
        self._cupy, self._kernels = gpu()

    def placed(self, array: NDArray[Any]) -> Any:
        return self._cupy.asarray(array)

    def fetched(self, array: Any) -> NDArray[Any]:
        return np.asarray(self._cupy.asnumpy(array))

    def zeros_like(self, array: Any) -> Any:
        return self._cupy.zeros_like(array)

    def looked_up(self, abstraction: Abstraction, boards: DealtBoards) -> NDArray[np.int32] | None:
        if boards.street == 3 and abstraction.is_clustered:
            return None  # the GPU finds them
        return looked_up(abstraction.buckets, boards)

    def ready(self, abstraction: Abstraction, boards: DealtBoards, looked_up: NDArray[np.int32] | None) -> GpuBoards:
        found = clustered_buckets(abstraction, boards.cards) if looked_up is None else looked_up
        return GpuBoards(boards, *sorted_boards(boards.cards, found[None]))

    def pass_reach(self, ways: Ways, table: Any, boards: GpuBoards, reach: Any) -> Any:
        return pass_reach(ways.paths, table, boards, reach, ways.places, ways.next_blocks)

    def pass_answers(self, ways: Ways, answers: Any, boards: GpuBoards, reach: Any) -> Any:
        cp = self._cupy
        later = cp.zeros((len(boards.dealt), ways.next_blocks, HOLDING_COUNT, LANES), cp.float32)
        self._kernels["pass_answers"](
            (answers.shape[1], len(boards.dealt), _PARTS),
            (LANES,),
            (
                ways.paths,
                np.int32(len(ways.paths)),
                answers,
                boards.entries,
                boards.counts,
                cp.asarray(boards.dealt.reach_of),
                reach,
                ways.places,
                np.int32(ways.next_blocks),
                later,
            ),
        )
        return later

    def respond(self, street: Street, table: Any, boards: GpuBoards, reach: Any, later: Any) -> tuple[Any, Any]:
        sides = (street.stages, street.committed, street.places)
        return respond(sides, table, boards, reach, later, float(street.closing_scale), is_noted=True)

    def learn(
        self,
        street: Street,
        table: Any,
        answers: Any,
        boards: GpuBoards,
        reach: Any,
        later: Any,
        weights: Floats,
        gains: Any,
    ) -> Any:
        cp = self._cupy
        blocks, tasks, plane = len(table), len(boards.task_owners), (HOLDING_COUNT, LANES)
        planes = cp.empty((tasks, blocks, 4, *plane), cp.float32)
        sums = cp.zeros((boards.dealt.sums_count, blocks, *plane), cp.float32)
        leads_on = later is not None
        self._kernels["learn"](
            (blocks, tasks),
            (LANES,),
            (
                street.stages,
                np.int32(len(street.stages)),
                table,
                np.int32(table.shape[1]),
                np.int32(table.shape[3]),
                boards.entries,
                boards.ends,
                boards.counts,
                *boards.arrays,
                relabellings_on_gpu(),
                cp.asarray(boards.task_reach),
                reach,
                answers,
                street.committed,
                street.places if leads_on else boards.counts,
                np.int32(street.places.shape[1] if leads_on else 0),
                np.int32(later.shape[1] if leads_on else 0),
                later if leads_on else planes,
                street.closing_scale,
                cp.asarray(boards.task_owners),
                cp.asarray(weights),
                planes,
                sums,
                gains,
            ),
            shared_mem=SHARED_BYTES,
        )
        return sums

    def add_strategy(
        self,
        steps: Any,
        table: Any,
        boards: GpuBoards,
        chosen: NDArray[np.int64],
        reach: Any,
        weights: Floats,
        sums: Any,
    ) -> None:
        cp = self._cupy
        some = cp.asarray(chosen)
        self._kernels["add_strategy"](
            (len(table), len(chosen), 4),
            (LANES,),
            (
                steps,
                np.int32(len(steps)),
                table,
                np.int32(table.shape[1]),
                np.int32(table.shape[3]),
                boards.entries[0][some],
                boards.counts[some],
                cp.asarray(boards.dealt.reach_of[chosen]),
                reach,
                cp.asarray(weights),
                sums,
            ),
        )

    def match_regrets(self, regrets: Any, legal: Any, table: Any) -> None:
        size = regrets.size // 3
        counts = (np.int32(table.shape[1]), np.int32(table.shape[3]), np.int64(size))
        self._kernels["match_regrets"]((-(-size // _THREADS),), (_THREADS,), (regrets, legal, *counts, table))

    def take_over(self, kept: Any, found: Any, weight: np.float32, floor: np.float32) -> None:
        size = kept.size
        numbers = (np.float32(weight), np.float32(floor), np.int64(size))
        self._kernels["take_over"]((-(-size // _THREADS),), (_THREADS,), (kept, found, *numbers))

    def finish(self) -> None:
        self._cupy.cuda.get_current_stream().synchronize()
