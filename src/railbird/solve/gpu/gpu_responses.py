"""Best responses on a GPU, many flops at once: the values of `railbird.solve.best_response`, in minutes."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.progress import Watch
from railbird.solve.best_response import CARDS_LEFT, Array, BestResponse
from railbird.solve.dealt_boards import DealtBoards, dealt_boards
from railbird.solve.flops import relabellings
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.gpu.gpu_buckets import clustered_buckets
from railbird.solve.gpu.launches import PLANE, BoardRows, leading_on, pass_reach, steps_in
from railbird.solve.policy import Policy
from railbird.solve.response_value import Exploitability
from railbird.solve.worked_flops import KeptFlops, WorkedFlops
from railbird.stopping import keeping

PARTS = 16
"""Of a board's holdings, whose reach is passed on side by side."""
_THREADS = os.cpu_count() or 1  # that look buckets up
_BYTES_AT_ONCE, _FLOPS_AT_ONCE = 24 << 30, 64


@dataclass(frozen=True)
class GpuBoards:
    """Boards of one street as the kernels read them."""

    dealt: DealtBoards
    entries: Any
    ends: Any
    counts: Any

    @property
    def task_boards(self) -> NDArray[np.int64]:
        """By task: its first board, and at last their number.

        River boards are worked one after another by the tasks of their turns; turns and flops are tasks of their own.
        """
        dealt = self.dealt
        if dealt.street < 3:
            return np.arange(len(dealt) + 1)
        return np.searchsorted(dealt.owner, np.arange(dealt.sums_count + 1))

    @property
    def task_owners(self) -> NDArray[np.int32]:
        """By task: the board that its boards were dealt from."""
        return self.dealt.owner[self.task_boards[:-1]]

    @property
    def task_reach(self) -> NDArray[np.int32]:
        """By task: the board before, whose closings lead here."""
        return self.dealt.reach_of[self.task_boards[:-1]]

    @cached_property
    def rows(self) -> BoardRows:
        """The boards with the reach that each begins with."""
        return BoardRows(self.entries, self.counts, gpu()[0].asarray(self.dealt.reach_of))

    @cached_property
    def arrays(self) -> list[Any]:
        """What the kernels that work tasks read of them, after entries, ends and counts."""
        cp, _ = gpu()
        starts = np.cumsum([0, *map(len, self.dealt.images)])
        parts = (self.task_boards, starts, list(chain.from_iterable(self.dealt.images)))
        return [cp.asarray(np.asarray(part, np.int32)) for part in parts]


def exploitability_on_gpu(
    policy: Policy,
    flops: int | None = None,
    seed: int = 0,
    watch: Watch | None = None,
    kept: KeptFlops | None = None,
) -> Exploitability:
    """The same as `railbird.solve.best_response.exploitability`, on a GPU."""
    response = GpuBestResponse(policy)
    worked = WorkedFlops(response.response, flops, seed, watch, kept)
    waiting = worked.waiting
    with keeping(worked.words):
        for first in range(0, len(waiting), response.flops_at_once):
            batch = waiting[first : first + response.flops_at_once]
            for number, values in zip(batch, response.flop_values(batch)):
                worked.add(number, values)
    return worked.found()


def looked_up(buckets: Callable[[int, NDArray[np.uint8]], NDArray[Any]], boards: DealtBoards) -> NDArray[np.int32]:
    """By board and holding the bucket, found on all processors."""
    parts = np.array_split(boards.cards, min(len(boards), 4 * _THREADS))
    with ThreadPoolExecutor(_THREADS) as pool:
        found = list(pool.map(lambda part: buckets(boards.street, part), parts))
    return np.concatenate(found).astype(np.int32, copy=False)


class GpuBestResponse:
    """The best responses to one policy, flops at a time."""

    def __init__(self, policy: Policy) -> None:
        self._cupy, self._kernels = gpu()
        self.response = response = BestResponse(policy)
        cp = self._cupy
        if not all(response.has_tables):
            raise RailbirdError(
                "the GPU needs a policy with a table of buckets; one that is asked is for the CPU (--backend cpu)"
            )
        self._tables = [cp.asarray(response.table(street, LANES)) for street in range(4)]
        self._committed = [cp.asarray(response.chips(street, LANES)) for street in range(4)]
        self._next_openings = [cp.asarray(response.places(street, LANES)) for street in range(3)]
        self._stages = [[cp.asarray(seen.stages) for seen in both] for both in response.seen]
        self._closing_paths = [[cp.asarray(seen.closing_paths) for seen in both] for both in response.seen[:3]]
        self._flop_reach = [cp.asarray(response.flop_reach(position, LANES)) for position in (0, 1)]
        blocks = len(self._committed[3])
        self.flops_at_once = min(
            _FLOPS_AT_ONCE, max(1, _BYTES_AT_ONCE // (49 * blocks * 6 * 4 * HOLDING_COUNT * LANES))
        )

    def flop_values(self, indices: list[int]) -> Array:
        """`BestResponse.flop_values` of several classes of flops."""
        cp, response = self._cupy, self.response
        cards = [response.flops.cards(index) for index in indices]
        flops, turns, rivers = map(self._ready, dealt_boards(cards, response.flops.relabellings))
        found = np.zeros((len(indices), 2, len(response.openings[1]), len(response.flops.class_sizes)))
        for position in (0, 1):
            first = self._flop_reach[position][None]
            turn_reach = self._passed(position, flops, first)
            river_reach = self._passed(position, turns, turn_reach)
            river_sums = self._responded(position, rivers, river_reach)
            turn_sums = self._responded(position, turns, turn_reach, river_sums)
            del river_reach, river_sums
            won = self._responded(position, flops, first, turn_sums)
            by_opening = cp.asnumpy(won)[:, 0].astype(np.float64)
            for at in range(len(indices)):
                for opening in range(found.shape[2]):
                    found[at, position, opening] = response.flops.class_means(by_opening[at, :, opening])
        return found

    def _ready(self, boards: DealtBoards) -> GpuBoards:
        policy: Any = self.response.policy
        abstraction = getattr(policy, "abstraction", None)
        if boards.street == 3 and abstraction is not None and abstraction.is_clustered:
            found = clustered_buckets(abstraction, boards.cards)
        else:
            found = looked_up(policy.buckets, boards)
        return GpuBoards(boards, *sorted_boards(boards.cards, found[None]))

    def _passed(self, position: int, boards: GpuBoards, reach: Any) -> Any:
        """The opponent's reach at the openings of the next street, by board."""
        cp, street = self._cupy, boards.dealt.street
        following = self._committed[street + 1]
        if self.response.is_forgetful:
            return cp.ones((len(boards.dealt), len(following), *PLANE), cp.float32)
        paths = self._closing_paths[street][position]
        places = self._next_openings[street]
        return pass_reach(paths, self._tables[street], boards.rows, reach, places, len(following), PARTS)

    def _responded(self, position: int, boards: GpuBoards, reach: Any, later: Any = None) -> Any:
        """The values of a street's rounds, added up over the boards that were dealt from the same one."""
        street = boards.dealt.street
        places = self._next_openings[street] if street < 3 else None
        sides = (self._stages[street][position], self._committed[street], places)
        scale = 1.0 / CARDS_LEFT.get(street, 1)
        return respond(sides, self._tables[street], boards, reach, later, scale, self.response.is_forgetful)[0]


def respond(
    sides: tuple[Any, Any, Any],
    table: Any,
    boards: GpuBoards,
    reach: Any,
    later: Any,
    closing_scale: float,
    is_scaled: bool = False,
    is_noted: bool = False,
) -> tuple[Any, Any]:
    """The values of a street's rounds, added up over the boards that were dealt from the same one, and the answers.

    `sides` are the responder's stages, the chips put in and the openings that follow; `later` are the values of those,
    `None` on the river.
    Answers are by board, block, holding and lane, if they are to be noted.
    """
    cp, kernels = gpu()
    stages, committed, places = sides
    blocks, tasks = len(table), len(boards.task_owners)
    planes = cp.empty((tasks, blocks, 4, *PLANE), cp.float32)
    sums = cp.zeros((boards.dealt.sums_count, blocks, *PLANE), cp.float32)
    answers = cp.zeros((len(boards.dealt), blocks, *PLANE) if is_noted else 1, cp.uint16)
    kernels["respond"](
        (blocks, tasks),
        (LANES,),
        (
            *steps_in(stages, table),
            boards.entries,
            boards.ends,
            boards.counts,
            *boards.arrays,
            relabellings_on_gpu(),
            cp.asarray(boards.task_reach),
            reach,
            committed,
            *leading_on(places, later, boards.counts, planes),
            np.float32(closing_scale),
            np.int32(is_scaled),
            cp.asarray(boards.task_owners),
            planes,
            sums,
            np.int32(is_noted),
            answers,
        ),
        shared_mem=SHARED_BYTES,
    )
    return sums, answers


@cache
def relabellings_on_gpu() -> Any:
    """By permutation of the suits and holding: the holding it becomes."""
    return gpu()[0].asarray(relabellings())
