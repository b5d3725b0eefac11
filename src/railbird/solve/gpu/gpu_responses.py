"""Best responses on a GPU, many flops at once: the values of `railbird.solve.best_response`, in minutes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.progress import Watch
from railbird.solve.best_response import Array, BestResponse, Exploitability, judged
from railbird.solve.flops import orbits, relabellings, symmetries_of
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.policy import Policy

_PLANE = HOLDING_COUNT * LANES
_THREADS = os.cpu_count() or 1  # that look buckets up
_BYTES_AT_ONCE, _FLOPS_AT_ONCE = 24 << 30, 64


@dataclass
class _Boards:
    """Boards of one street as the kernels read them. `owner` is the number of the board each was dealt from."""

    cards: NDArray[np.uint8]
    owner: NDArray[np.int32]
    images: list[list[int]]
    entries: Any = None
    ends: Any = None
    counts: Any = None


def exploitability_on_gpu(
    policy: Policy, flops: int | None = None, seed: int = 0, watch: Watch | None = None
) -> Exploitability:
    """The same as `railbird.solve.best_response.exploitability`, on a GPU."""
    response = GpuBestResponse(policy)
    numbers = response.response.flops.drawn(flops, seed)
    distinct = sorted(set(numbers))
    values: dict[int, Array] = {}
    if watch:
        watch(0, len(distinct))
    for first in range(0, len(distinct), response.flops_at_once):
        batch = distinct[first : first + response.flops_at_once]
        values |= dict(zip(batch, response.flop_values(batch)))
        if watch:
            watch(len(values), len(distinct))
    found = np.array([values[number] for number in numbers])
    return judged(response.response, numbers, found, None if flops is None else seed)


class GpuBestResponse:
    """The best responses to one policy, flops at a time."""

    def __init__(self, policy: Policy) -> None:
        self._cupy, self._kernels = gpu()
        self.response = response = BestResponse(policy)
        cp = self._cupy
        if not all(response.has_tables):
            raise RailbirdError("the GPU needs a policy with a table of buckets")
        self._tables = [cp.asarray(response.table(street, LANES)) for street in range(4)]
        self._committed = [cp.asarray(response.chips(street, LANES)) for street in range(4)]
        self._next_openings = [cp.asarray(response.places(street, LANES)) for street in range(3)]
        self._stages = [[cp.asarray(seen.stages) for seen in both] for both in response.seen]
        self._closing_paths = [[cp.asarray(seen.closing_paths) for seen in both] for both in response.seen[:3]]
        self._relabellings = cp.asarray(relabellings())
        self._flop_reach = [cp.asarray(response.flop_reach(position, LANES)) for position in (0, 1)]
        blocks = len(self._committed[3])
        self.flops_at_once = min(_FLOPS_AT_ONCE, max(1, _BYTES_AT_ONCE // (49 * blocks * 6 * 4 * _PLANE)))

    def flop_values(self, indices: list[int]) -> Array:
        """`BestResponse.flop_values` of several classes of flops."""
        cp, response = self._cupy, self.response
        flops, turns, rivers = self._dealt(indices)
        found = np.zeros((len(indices), 2, len(response.openings[1]), len(response.flops.class_sizes)))
        every_flop = np.zeros(len(indices), np.int32)
        for position in (0, 1):
            turn_reach = self._passed(position, 1, flops, every_flop, self._flop_reach[position][None])
            river_reach = self._passed(position, 2, turns, turns.owner, turn_reach)
            river_sums = self._responded(
                position, 3, rivers, len(turns.owner), np.arange(len(turns.owner)), river_reach
            )
            turn_sums = self._responded(position, 2, turns, len(flops.owner), turns.owner, turn_reach, river_sums, 44)
            del river_reach, river_sums
            won = self._responded(
                position, 1, flops, len(indices), every_flop, self._flop_reach[position][None], turn_sums, 45
            )
            by_opening = cp.asnumpy(won)[:, 0].astype(np.float64)
            for at in range(len(indices)):
                for opening in range(found.shape[2]):
                    found[at, position, opening] = response.flops.class_means(by_opening[at, :, opening])
        return found

    def _dealt(self, indices: list[int]) -> tuple[_Boards, _Boards, _Boards]:
        """The flops and the turn and river boards that have to be worked on them, ready on the GPU."""
        flops: list[tuple[int, ...]] = [self.response.flops.cards(index) for index in indices]
        turns: list[tuple[int, ...]] = []
        rivers: list[tuple[int, ...]] = []
        turn_owner: list[int] = []
        river_owner: list[int] = []
        turn_images: list[list[int]] = []
        river_images: list[list[int]] = []
        for f, flop in enumerate(flops):
            symmetries = symmetries_of(flop, self.response.flops.relabellings)
            for turn, images in orbits(flop, symmetries):
                for river, further in orbits((*flop, turn), symmetries_of((turn,), symmetries)):
                    rivers.append((*flop, turn, river))
                    river_owner.append(len(turns))
                    river_images.append(further)
                turns.append((*flop, turn))
                turn_owner.append(f)
                turn_images.append(images)
        identity = [[0]] * len(flops)
        return (
            self._ready(1, flops, list(range(len(flops))), identity),
            self._ready(2, turns, turn_owner, turn_images),
            self._ready(3, rivers, river_owner, river_images),
        )

    def _ready(self, street: int, boards: list[tuple[int, ...]], owner: list[int], images: list[list[int]]) -> _Boards:
        policy: Any = self.response.policy
        cards = np.array(boards, np.uint8)
        made = _Boards(cards, np.array(owner, np.int32), images)
        parts = np.array_split(cards, min(len(cards), 4 * _THREADS))
        with ThreadPoolExecutor(_THREADS) as pool:
            found = list(pool.map(lambda part: policy.buckets(street, part), parts))
        buckets = np.concatenate(found).astype(np.int32, copy=False)
        made.entries, made.ends, made.counts = sorted_boards(cards, buckets[None])
        return made

    def _passed(self, position: int, street: int, boards: _Boards, before: NDArray[np.int32], reach: Any) -> Any:
        """The opponent's reach at the openings of the next street, by board."""
        cp = self._cupy
        table, following = self._tables[street], self._committed[street + 1]
        shape = (len(boards.owner), len(following), HOLDING_COUNT, LANES)
        if self.response.is_forgetful:
            return cp.ones(shape, cp.float32)
        later = cp.zeros(shape, cp.float32)
        self._kernels["pass_reach"](
            (len(table), len(boards.owner), 16),
            (LANES,),
            (
                self._closing_paths[street][position],
                np.int32(len(self._closing_paths[street][position])),
                table,
                np.int32(table.shape[1]),
                np.int32(table.shape[3]),
                boards.entries,
                boards.counts,
                cp.asarray(before),
                reach,
                self._next_openings[street],
                np.int32(len(following)),
                later,
            ),
        )
        return later

    def _responded(
        self,
        position: int,
        street: int,
        boards: _Boards,
        sums_count: int,
        sums_of: NDArray[Any],
        reach: Any,
        later: Any = None,
        cards_left: int = 1,
    ) -> Any:
        """The values of a street's rounds, added up over the boards that were dealt from the same one.

        River boards are worked one after another by the tasks of their turns; turns and flops are tasks of their own.
        """
        cp = self._cupy
        table, stages = self._tables[street], self._stages[street][position]
        count = len(boards.owner)
        if street == 3:
            task_boards: NDArray[Any] = np.searchsorted(boards.owner, np.arange(sums_count + 1))
            reach_of: NDArray[Any] = np.arange(sums_count)
        else:
            task_boards = np.arange(count + 1)
            reach_of = boards.owner if street == 2 else np.zeros(count, np.int32)
        targets = np.arange(count) if street == 1 else sums_of
        image_starts = np.cumsum([0, *map(len, boards.images)])
        images = np.concatenate(boards.images)
        blocks, tasks = len(table), len(task_boards) - 1
        planes = cp.empty((tasks, blocks, 4, HOLDING_COUNT, LANES), cp.float32)
        sums = cp.zeros((sums_count, blocks, HOLDING_COUNT, LANES), cp.float32)
        leads_on = street < 3
        next_openings = self._next_openings[street] if leads_on else self._committed[street]
        ints = [
            cp.asarray(np.asarray(array, np.int32)) for array in (task_boards, image_starts, images, reach_of, targets)
        ]
        self._kernels["respond"](
            (blocks, tasks),
            (LANES,),
            (
                stages,
                np.int32(len(stages)),
                table,
                np.int32(table.shape[1]),
                np.int32(table.shape[3]),
                boards.entries,
                boards.ends,
                boards.counts,
                ints[0],
                ints[1],
                ints[2],
                self._relabellings,
                ints[3],
                reach,
                self._committed[street],
                next_openings,
                np.int32(next_openings.shape[1] if leads_on else 0),
                np.int32(later.shape[1] if leads_on else 0),
                later if leads_on else planes,
                np.float32(1.0 / cards_left),
                np.int32(self.response.is_forgetful),
                ints[4],
                planes,
                sums,
            ),
            shared_mem=SHARED_BYTES,
        )
        return sums
