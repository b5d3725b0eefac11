"""One batch of boards of training on a GPU: what is dealt, and the walk down and up the streets.

A walk is of two players who go by the same table, or of a learner and an opponent who sees more
(`railbird.solve.gpu.gpu_finer`). The arithmetic is that of `railbird.kernels.solve.vector_cfr`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.solve.gpu import launches
from railbird.solve.gpu.device import LANES, SHARED_BYTES, gpu, sorted_boards
from railbird.solve.gpu.gpu_buckets import clustered_buckets
from railbird.solve.gpu.launches import PLANE, BoardRows, leading_on, steps_in
from railbird.solve.gpu.trained_tables import TrainedTable, placed, put_home
from railbird.solve.holding_features import BOARD_CARDS
from railbird.solve.seen_rounds import SeenRounds, in_blocks, opponent_steps
from railbird.solve.train import Training, sampled_board

_AVERAGED = 4  # every fourth board of a batch counts in the average strategy
_NO_FLOOR = np.float32(-3e38)
_RIVER = 3


@dataclass(frozen=True)
class Dealt:
    """A batch of boards, and the buckets of all holdings on them, which jobs are filling in."""

    cards: NDArray[np.uint8]
    buckets: NDArray[np.int32]
    """By street, board and holding; of a river of clusters the GPU finds them."""
    finer: NDArray[np.int32]
    """The same of an opponent who sees more."""
    jobs: list[Future[None]]

    @classmethod
    def of(cls, pool: ThreadPoolExecutor, training: Training, numbers: range) -> Dealt:
        """The boards with these numbers."""
        cards = np.array([sampled_board(training.seed, number) for number in numbers], np.uint8).reshape(-1, 5)
        streets = _RIVER if training.abstraction.is_clustered else _RIVER + 1
        buckets = np.zeros((_RIVER + 1, len(numbers), HOLDING_COUNT), np.int32)
        finer = np.zeros((_RIVER if training.opposed else 0, len(numbers), HOLDING_COUNT), np.int32)

        def fill(rows: range) -> None:
            one = training.abstraction.room()
            for row in rows:
                for street in range(streets):
                    seen = BOARD_CARDS[street]
                    training.abstraction.fill(cards[row], seen, one)
                    buckets[street, row] = one
                    if street < len(finer):
                        finer[street, row] = training.opposed[street].finer(cards[row, :seen], one)

        parts = max(1, min(64, len(numbers)))
        return cls(cards, buckets, finer, [pool.submit(fill, range(at, len(numbers), parts)) for at in range(parts)])

    def waited(self) -> Dealt:
        """The same, once all is there."""
        for job in self.jobs:
            job.result()
        return self


class Walk(ABC):
    """What is the same of every training: learners' tables on the GPU, by block, decision, action, bucket and lane.

    `tables` are what the learners go by, by street.
    """

    def __init__(self, training: Training) -> None:
        self.training = training
        cp, self.kernels = gpu()
        tree = BettingTree.of(training.game)
        self.rounds = betting_rounds(training.game)
        self.legal = [
            cp.asarray(tree.legal(street)[: len(part.decisions)].astype(np.int32))
            for street, part in enumerate(self.rounds)
        ]
        counts = training.abstraction.counts
        self.tables = [self.table(street, training.regrets[street], counts[street]) for street in range(4)]
        self._sums = [placed(*each) for each in zip(training.sums, training.rounds, counts)]
        self._found_sums = [cp.zeros_like(sums) for sums in self._sums]
        self._shares = np.float32(1.0)
        self.committed = [cp.asarray(in_blocks(part.chips_before.astype(np.float32), LANES)) for part in self.rounds]
        places = [np.arange(len(part) * len(part.closings)).reshape(len(part), -1) for part in self.rounds[:_RIVER]]
        self._next_openings = [cp.asarray(in_blocks(place.T.astype(np.int32), LANES, -1)) for place in places]
        self.seen = [[SeenRounds.of(part, position) for position in (0, 1)] for part in self.rounds]
        self._stages = [[cp.asarray(one.stages) for one in both] for both in self.seen]
        self._steps = [[cp.asarray(opponent_steps(one)) for one in both] for both in self.seen]
        self._closing_paths = [[cp.asarray(one.closing_paths) for one in both] for both in self.seen[:_RIVER]]
        self._first_reach = cp.zeros((1, 1, HOLDING_COUNT, LANES), cp.float32)
        self._first_reach[..., 0] = 1.0

    def table(self, street: int, regrets: NDArray[np.float32], buckets: int) -> TrainedTable:
        """A table of regrets of a street, on the GPU."""
        return TrainedTable(regrets, self.training.rounds[street], self.legal[street], buckets)

    @abstractmethod
    def start(self, dealt: Dealt) -> None:
        """Play a batch of boards; the GPU works on after the call."""

    def buckets(self, dealt: Dealt) -> Any:
        """The learners' buckets by street, board and holding, on the GPU."""
        found, abstraction = gpu()[0].asarray(dealt.buckets), self.training.abstraction
        if abstraction.is_clustered:
            found[_RIVER] = clustered_buckets(abstraction, dealt.cards)
        return found

    def finish(self, regret_weight: np.float32, average_weight: np.float32, floor: np.float32) -> None:
        """Change regrets, sums and strategy by what the batch has found; returns when the GPU is done."""
        for table, sums, found_sums in zip(self.tables, self._sums, self._found_sums):
            table.take_over(regret_weight, floor)
            launches.take_over(sums, found_sums, average_weight * self._shares, _NO_FLOOR)
        gpu()[0].cuda.get_current_stream().synchronize()

    def give_back(self) -> None:
        """Put regrets and sums into the training again."""
        training = self.training
        for street, rounds in enumerate(training.rounds):
            self.tables[street].put_home(training.regrets[street])
            put_home(self._sums[street], training.sums[street], rounds)

    def passed(self, responder: int, tables: list[TrainedTable], boards: list[BoardRows]) -> list[Any]:
        """By street, the reach of the responder's opponent, who goes by these tables."""
        reach = [self._first_reach]
        for street in range(_RIVER):
            paths, places = self._closing_paths[street][responder], self._next_openings[street]
            blocks = len(self.committed[street + 1])
            strategy = tables[street].strategy
            reach.append(launches.pass_reach(paths, strategy, boards[street], reach[street], places, blocks, 4))
        return reach

    def gather(self, responder: int, boards: list[BoardRows], reach: list[Any]) -> None:
        """Add to the average strategy what the responder's opponent, a learner, does on some of the boards."""
        count = len(boards[0].counts)
        averaged = -(-count // _AVERAGED) if count >= _AVERAGED else count
        self._shares = np.float32(count / averaged)
        shares = gpu()[0].ones(averaged, np.float32)
        for street, table in enumerate(self.tables):
            steps, sums = self._steps[street][responder], self._found_sums[street]
            launches.add_strategy(steps, table.strategy, boards[street], reach[street], shares, sums)

    def learned(
        self,
        position: int,
        street: int,
        own: tuple[TrainedTable, Any],
        other: tuple[TrainedTable, BoardRows],
        ends: Any,
        reach: Any,
        later: Any,
    ) -> Any:
        """The values of a street's rounds for a player, four planes for each block; adds what it regrets.

        `own` has its table and buckets, `other` those of its opponent, whose reach it is; `later` are the values of the
        next street, one or four planes for each block.
        """
        (mine, buckets), (theirs, boards) = own, other
        blocks, count = len(theirs.strategy), len(boards.counts)
        planes = gpu()[0].empty((count, 4 * blocks, *PLANE), np.float32)
        places = self._next_openings[street] if street < _RIVER else None
        each = 1 if later is None else later.shape[1] // len(self.committed[street + 1])
        arguments = (
            *steps_in(self._stages[street][position], theirs.strategy),
            boards.entries,
            ends,
            boards.counts,
            boards.reach_of,
            reach,
            self.committed[street],
            *leading_on(places, later, boards.counts, planes),
            np.int32(each),
            planes,
            mine.strategy,
            np.int32(mine.buckets),
            buckets,
            mine.found,
        )
        self.kernels["train"]((blocks, count), (LANES,), arguments, shared_mem=SHARED_BYTES)
        return planes


class AlikeWalk(Walk):
    """Two players who go by the same table."""

    def start(self, dealt: Dealt) -> None:
        buckets = self.buckets(dealt)
        boards, ends = sorted_rows(dealt.cards, buckets)
        for position in (0, 1):
            reach = self.passed(position, self.tables, boards)
            self.gather(position, boards, reach)
            later = None
            for street in range(_RIVER, -1, -1):
                table, rows = self.tables[street], boards[street]
                own, other = (table, buckets[street]), (table, rows)
                later = self.learned(position, street, own, other, ends, reach[street], later)


def sorted_rows(cards: NDArray[np.uint8], buckets: Any) -> tuple[list[BoardRows], Any]:
    """By street, sampled boards with the buckets in order of rank; and the ends of ties."""
    cp, _ = gpu()
    entries, ends, counts = sorted_boards(cards, buckets)
    every, alike = cp.arange(len(cards), dtype=cp.int32), cp.zeros(len(cards), cp.int32)
    return [BoardRows(part, counts, every if street else alike) for street, part in enumerate(entries)], ends
