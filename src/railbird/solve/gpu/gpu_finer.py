"""Training against an opponent who sees more (`railbird.solve.finer_opponent`), on a GPU.

A batch is worked once for each learner. Both reaches are passed down; on the river the opponent's best responses to the
learner are found board by board and noted, and the learner's regrets follow from them; above, both learn by regret
matching, each by its own table and buckets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railbird.solve.cfr_br import Street
from railbird.solve.dealt_boards import DealtBoards
from railbird.solve.gpu.device import gpu
from railbird.solve.gpu.gpu_bench import GpuBench
from railbird.solve.gpu.gpu_responses import GpuBoards
from railbird.solve.gpu.gpu_walk import Dealt, Walk, sorted_rows
from railbird.solve.train import Training

_RIVER = 3


class FinerWalk(Walk):
    """A learner in each position, and the opponents of both."""

    def __init__(self, training: Training) -> None:
        super().__init__(training)
        cp = gpu()[0]
        self._bench = GpuBench()
        self._others = [
            self.table(street, part.others, part.split.count)
            for street, part in enumerate(training.opposed)
            if part.split
        ]
        self._answering, self._answered = (
            [
                Street(cp.asarray(stages), self.committed[_RIVER], None, np.float32(1.0))
                for stages in (getattr(seen, name) for seen in self.seen[_RIVER])
            ]
            for name in ("stages", "stages_against_answers")
        )

    def start(self, dealt: Dealt) -> None:
        cp, count = gpu()[0], len(dealt.cards)
        buckets, finer = self.buckets(dealt), cp.asarray(dealt.finer)
        own, ends = sorted_rows(dealt.cards, buckets)
        others, _ = sorted_rows(dealt.cards, finer)
        every = np.arange(count, dtype=np.int32)
        rivers = DealtBoards(_RIVER, dealt.cards, every, [[0]] * count)
        boards = GpuBoards(rivers, own[_RIVER].entries, ends, own[_RIVER].counts)
        for learner in (0, 1):
            other = 1 - learner
            reach = self.passed(other, self.tables, own)
            self.gather(other, own, reach)
            against = self.passed(learner, self._others, others)
            won, earned = self._on_rivers(learner, boards, reach[_RIVER], against[_RIVER])
            for street in range(_RIVER - 1, -1, -1):
                mine, theirs = self.tables[street], self._others[street]
                sides = (mine, buckets[street]), (theirs, others[street])
                earned = self.learned(learner, street, *sides, ends, against[street], earned)
                sides = (theirs, finer[street]), (mine, own[street])
                won = self.learned(other, street, *sides, ends, reach[street], won)

    def _on_rivers(self, learner: int, boards: GpuBoards, reach: Any, against: Any) -> tuple[Any, Any]:
        """What the openings of the river are worth to the opponent and to the learner, who learns on the way."""
        table = self.tables[_RIVER]
        won, answers = self._bench.respond(self._answering[1 - learner], table.strategy, boards, reach, None)
        weights = np.ones(len(boards.dealt), np.float32)
        earned = self._bench.learn(
            self._answered[learner], table.strategy, answers, boards, against, None, weights, table.found
        )
        return won, earned

    def finish(self, regret_weight: np.float32, average_weight: np.float32, floor: np.float32) -> None:
        for table in self._others:
            table.take_over(regret_weight, floor)
        super().finish(regret_weight, average_weight, floor)

    def give_back(self) -> None:
        super().give_back()
        for table, part in zip(self._others, self.training.opposed):
            table.put_home(part.others)
