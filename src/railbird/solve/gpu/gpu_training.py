"""Training on a GPU: the vector CFR of `railbird.kernels.solve.vector_cfr`, a batch of boards at a time.

All boards of a batch are played with the same strategy. What they find is added up before regrets change, so a batch is
one step of regret matching (with its floor, if any) on the average of its boards, where the CPU takes a step for each.
Boards are those that the CPU would train on, in the same order, and count as the middle one of the batch. Sums are
formed in no fixed order, so that two runs agree to rounding only.

The average strategy is gathered from some of the boards of each batch, since it needs far fewer than the regrets do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.gpu.launches import (
    PLANE,
    BoardRows,
    add_strategy,
    leading_on,
    match_regrets,
    pass_reach,
    steps_in,
    take_over,
)
from railbird.solve.seen_rounds import SeenRounds, by_lane, by_round, in_blocks, opponent_steps
from railbird.solve.train import Training, sampled_board

BATCH = 1_024
_AVERAGED = 4  # every fourth board of a batch counts in the average strategy
_BOARD_CARDS = (0, 3, 4, 5)
_NO_FLOOR = np.float32(-3e38)
_HOME_SECONDS = 30.0


def train_on_gpu(
    training: Training,
    boards: int | None = None,
    seconds: float | None = None,
    batch: int = BATCH,
    watch: Callable[[Training], None] | None = None,
) -> int:
    """Train on so many more boards, or for so many seconds, on a GPU; returns the number of boards.

    It is `Training.run` by other means: regrets and sums are taken from `training`, and put back every half minute,
    before each call of `watch`, and when the call returns.
    """
    if training.held:
        raise RailbirdError("streets whose play is given are for the backend cpu; a GPU trains all of them")
    training.abstraction.build()
    work = _Tables(training)
    before = done = training.boards
    now = monotonic()
    end, put_back = now + (np.inf if seconds is None else seconds), now
    last = None if boards is None else before + boards

    def following(first: int) -> range:
        return range(first, first + batch if last is None else min(first + batch, last))

    def put_home() -> None:
        work.give_back()
        training.boards = done

    try:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            dealt = _deal(pool, training, following(done))
            while len(dealt[0]) and monotonic() < end:
                numbers = following(done)
                cards, buckets, jobs = dealt
                for job in jobs:
                    job.result()
                work.start(cards, buckets)
                dealt = _deal(pool, training, following(numbers.stop))  # while the GPU is busy
                work.finish(*training.weights((numbers.start + numbers.stop) // 2))
                done = numbers.stop
                if watch and monotonic() - put_back > _HOME_SECONDS:
                    put_home()
                    watch(training)
                    put_back = monotonic()
    finally:
        put_home()
    if watch:
        watch(training)
    return done - before


def _deal(
    pool: ThreadPoolExecutor, training: Training, numbers: range
) -> tuple[NDArray[np.uint8], NDArray[np.int32], list[Future[None]]]:
    """The boards with these numbers and the buckets of their holdings by street, which the jobs are filling in."""
    cards = np.array([sampled_board(training.seed, number) for number in numbers], np.uint8).reshape(-1, 5)
    buckets = np.empty((4, len(numbers), HOLDING_COUNT), np.int32)

    def fill(rows: range) -> None:
        one = training.abstraction.room()
        for row in rows:
            for street, seen in enumerate(_BOARD_CARDS):
                training.abstraction.fill(cards[row], seen, one)
                buckets[street, row] = one

    parts = max(1, min(64, len(numbers)))
    return cards, buckets, [pool.submit(fill, range(part, len(numbers), parts)) for part in range(parts)]


class _Tables:
    """The tables of a training on the GPU, laid out by block, decision, action, bucket and lane."""

    def __init__(self, training: Training) -> None:
        self._training = training
        cp, self._kernels = gpu()
        self._cupy = cp
        tree = BettingTree.of(training.game)
        self._rounds = betting_rounds(training.game)
        self._regrets: list[Any] = []
        self._sums: list[Any] = []
        self._found: list[Any] = []
        self._found_sums: list[Any] = []
        self._strategy: list[Any] = []
        self._committed: list[Any] = []
        self._legal: list[Any] = []
        self._shares = np.float32(1.0)
        for street, part in enumerate(self._rounds):
            for source, into in ((training.regrets, self._regrets), (training.sums, self._sums)):
                rows = training.rounds[street].by_row(source[street], training.abstraction.counts[street])
                into.append(cp.asarray(by_lane(by_round(rows, part), LANES)))
            for into in (self._found, self._found_sums, self._strategy):
                into.append(cp.zeros_like(self._regrets[street]))
            self._committed.append(cp.asarray(in_blocks(part.chips_before.astype(np.float32), LANES)))
            self._legal.append(cp.asarray(tree.legal(street)[: len(part.decisions)].astype(np.int32)))
        places = [np.arange(len(part) * len(part.closings)).reshape(len(part), -1) for part in self._rounds[:3]]
        self._next_openings = [cp.asarray(in_blocks(place.T.astype(np.int32), LANES, -1)) for place in places]
        seen = [[SeenRounds.of(part, position) for position in (0, 1)] for part in self._rounds]
        self._stages = [[cp.asarray(one.stages) for one in both] for both in seen]
        self._steps = [[cp.asarray(opponent_steps(one)) for one in both] for both in seen]
        self._closing_paths = [[cp.asarray(one.closing_paths) for one in both] for both in seen[:3]]
        self._first_reach = cp.zeros((1, 1, HOLDING_COUNT, LANES), cp.float32)
        self._first_reach[..., 0] = 1.0
        self._match()

    def start(self, cards: NDArray[np.uint8], buckets: NDArray[np.int32]) -> None:
        """Play a batch of boards; the GPU works on after the call."""
        cp = self._cupy
        entries, ends, counts = sorted_boards(cards, buckets)
        count = len(cards)
        every, alike = cp.arange(count, dtype=cp.int32), cp.zeros(count, cp.int32)
        boards = [BoardRows(entries[street], counts, every if street else alike) for street in range(4)]
        averaged = -(-count // _AVERAGED) if count >= _AVERAGED else count
        self._shares = np.float32(count / averaged)
        shares = cp.ones(averaged, cp.float32)
        for position in (0, 1):
            reach = [self._first_reach]
            for street in range(3):
                reach.append(self._passed(position, street, boards[street], reach[street]))
            for street, table in enumerate(self._strategy):
                steps, sums = self._steps[street][position], self._found_sums[street]
                add_strategy(steps, table, boards[street], reach[street], shares, sums)
            later = None
            for street in (3, 2, 1, 0):
                later = self._trained(position, street, boards[street], ends, reach[street], later)

    def finish(self, regret_weight: np.float32, average_weight: np.float32, floor: np.float32) -> None:
        """Change regrets, sums and strategy by what the batch has found; returns when the GPU is done."""
        for street in range(4):
            take_over(self._regrets[street], self._found[street], regret_weight, floor)
            take_over(self._sums[street], self._found_sums[street], average_weight * self._shares, _NO_FLOOR)
        self._match()
        self._cupy.cuda.get_current_stream().synchronize()

    def give_back(self) -> None:
        """Put regrets and sums into the training again."""
        training = self._training
        for street, (part, rounds) in enumerate(zip(self._rounds, training.rounds)):
            for source, into in ((self._regrets, training.regrets), (self._sums, training.sums)):
                array = self._cupy.asnumpy(source[street])  # block, decision, action, bucket, lane
                lanes = np.moveaxis(array, 4, 1).reshape(-1, len(part.decisions), 3, array.shape[3])[: len(part)]
                rows = np.moveaxis(lanes, 2, 3).reshape(-1, array.shape[3], 3)
                into[street][:] = rounds.by_lane(rows)

    def _match(self) -> None:
        for regrets, table, legal in zip(self._regrets, self._strategy, self._legal):
            match_regrets(regrets, legal, table)

    def _passed(self, position: int, street: int, boards: BoardRows, reach: Any) -> Any:
        paths, places = self._closing_paths[street][position], self._next_openings[street]
        return pass_reach(paths, self._strategy[street], boards, reach, places, len(self._committed[street + 1]), 4)

    def _trained(self, position: int, street: int, boards: BoardRows, ends: Any, reach: Any, later: Any) -> Any:
        """The values of a street's rounds, four planes for each block; adds what the player regrets."""
        table = self._strategy[street]
        blocks, count = len(table), len(boards.counts)
        planes = self._cupy.empty((count, 4 * blocks, *PLANE), self._cupy.float32)
        places = self._next_openings[street] if street < 3 else None
        arguments = (
            *steps_in(self._stages[street][position], table),
            boards.entries,
            ends,
            boards.counts,
            boards.reach_of,
            reach,
            self._committed[street],
            *leading_on(places, later, boards.counts, planes),
            planes,
            self._found[street],
        )
        self._kernels["train"]((blocks, count), (LANES,), arguments, shared_mem=SHARED_BYTES)
        return planes
