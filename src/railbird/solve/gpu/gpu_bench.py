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

from railbird.solve.abstraction import Abstraction
from railbird.solve.dealt_boards import DealtBoards
from railbird.solve.gpu import launches
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.gpu.gpu_buckets import clustered_buckets
from railbird.solve.gpu.gpu_responses import PARTS, GpuBoards, looked_up, relabellings_on_gpu, respond
from railbird.solve.gpu.launches import PLANE, BoardRows, leading_on, pass_reach, steps_in

if TYPE_CHECKING:
    from railbird.solve.cfr_br import Street, Ways

Floats = NDArray[np.float32]
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
        return pass_reach(ways.paths, table, boards.rows, reach, ways.places, ways.next_blocks, PARTS)

    def pass_answers(self, ways: Ways, answers: Any, boards: GpuBoards, reach: Any) -> Any:
        cp = self._cupy
        later = cp.zeros((len(boards.dealt), ways.next_blocks, *PLANE), cp.float32)
        blocks = np.int32(ways.next_blocks)
        arguments = (ways.paths, np.int32(len(ways.paths)), answers, *boards.rows, reach, ways.places, blocks, later)
        self._kernels["pass_answers"]((answers.shape[1], len(boards.dealt), PARTS), (LANES,), arguments)
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
        blocks, tasks = len(table), len(boards.task_owners)
        planes = cp.empty((tasks, blocks, 4, *PLANE), cp.float32)
        sums = cp.zeros((boards.dealt.sums_count, blocks, *PLANE), cp.float32)
        self._kernels["learn"](
            (blocks, tasks),
            (LANES,),
            (
                *steps_in(street.stages, table),
                boards.entries,
                boards.ends,
                boards.counts,
                *boards.arrays,
                relabellings_on_gpu(),
                cp.asarray(boards.task_reach),
                reach,
                answers,
                street.committed,
                *leading_on(street.places, later, boards.counts, planes),
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
        rows = BoardRows(boards.entries[0][some], boards.counts[some], cp.asarray(boards.dealt.reach_of[chosen]))
        launches.add_strategy(steps, table, rows, reach, cp.asarray(weights), sums)

    def match_regrets(self, regrets: Any, legal: Any, table: Any) -> None:
        launches.match_regrets(regrets, legal, table)

    def take_over(self, kept: Any, found: Any, weight: np.float32, floor: np.float32) -> None:
        launches.take_over(kept, found, weight, floor)

    def finish(self) -> None:
        self._cupy.cuda.get_current_stream().synchronize()
