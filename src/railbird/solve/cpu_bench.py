"""CFR-BR on the processor: boards one after another, with the kernels of best responses and of answered rounds.

It is the twin by which the work on a GPU is tested, and it trains small abstractions. A run depends on seed and number
of flops alone; interrupted and resumed it gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import answered_rounds as learning
from railbird.kernels.solve import response_rounds as kernels
from railbird.solve.abstraction import Abstraction
from railbird.solve.best_response import Desk
from railbird.solve.dealt_boards import DealtBoards
from railbird.solve.flops import relabellings
from railbird.solve.seen_rounds import aligned

if TYPE_CHECKING:
    from railbird.solve.cfr_br import Street, Ways

Floats = NDArray[np.float32]
Answers = NDArray[np.uint16]
_EVERY_HOLDING = np.arange(HOLDING_COUNT, dtype=np.int32)
_NO_OPENINGS = np.empty((0, 0, 0), np.int32)
_NO_VALUES = np.empty(0, np.float32)


@dataclass(frozen=True)
class SortedBoards:
    """Boards of a street with their live holdings in order, and the buckets of all holdings."""

    dealt: DealtBoards
    live: list[kernels.Live]
    buckets: NDArray[np.int32]

    def reach(self, reach: Floats, at: int) -> Floats:
        """Of the reach at all boards before, what comes to one of these."""
        return np.asarray(reach[self.dealt.reach_of[at]]).ravel()


class CpuBench:
    """A `railbird.solve.cfr_br.Bench`."""

    lanes = LANES

    def __init__(self, flops_at_once: int = 1) -> None:
        self.flops_at_once = flops_at_once
        self._desk = Desk()
        self._spread = _NO_VALUES

    def placed(self, array: NDArray[Any]) -> NDArray[Any]:
        return aligned(array)

    def fetched(self, array: NDArray[Any]) -> NDArray[Any]:
        return array

    def zeros_like(self, array: NDArray[Any]) -> NDArray[Any]:
        return aligned(np.zeros_like(array))

    def looked_up(self, abstraction: Abstraction, boards: DealtBoards) -> NDArray[np.int32]:
        return abstraction.buckets(boards.street, boards.cards)

    def ready(self, abstraction: Abstraction, boards: DealtBoards, looked_up: NDArray[np.int32]) -> SortedBoards:
        return SortedBoards(boards, [self._desk.live(tuple(cards)) for cards in boards.cards.tolist()], looked_up)

    def pass_reach(self, ways: Ways, table: Floats, boards: SortedBoards, reach: Floats) -> Floats:
        later = np.zeros((len(boards.dealt), ways.next_blocks, HOLDING_COUNT, LANES), np.float32)
        for at, live in enumerate(boards.live):
            self._pass(ways, _chances(table, boards, at), live, boards.reach(reach, at), later[at])
        return later

    def pass_answers(self, ways: Ways, answers: Answers, boards: SortedBoards, reach: Floats) -> Floats:
        later = np.zeros((len(boards.dealt), ways.next_blocks, HOLDING_COUNT, LANES), np.float32)
        for at, live in enumerate(boards.live):
            self._pass(ways, self._answered(answers[at]), live, boards.reach(reach, at), later[at])
        return later

    def _pass(self, ways: Ways, chances: kernels.Chances, live: kernels.Live, reach: Floats, later: Floats) -> None:
        kernels.pass_reach(ways.paths, chances, live, reach, ways.places, self._desk.room, later.reshape(-1))

    def respond(
        self, street: Street, table: Floats, boards: SortedBoards, reach: Floats, later: Floats | None
    ) -> tuple[Floats, Answers]:
        sums, out = self._room_for(boards, len(table))
        answers = np.zeros((len(boards.dealt), *out.shape), np.uint16)
        for at, live in enumerate(boards.live):
            kernels.respond(
                street.stages,
                _chances(table, boards, at),
                live,
                boards.reach(reach, at),
                street.committed.ravel(),
                _later(street, later, at),
                self._desk.room,
                out.reshape(-1),
                answers[at].reshape(-1),
            )
            _add_images(boards, at, out, sums)
        return sums, answers

    def learn(
        self,
        street: Street,
        table: Floats,
        answers: Answers,
        boards: SortedBoards,
        reach: Floats,
        later: Floats | None,
        weights: Floats,
        gains: Floats,
    ) -> Floats:
        sums, out = self._room_for(boards, len(table))
        for at, live in enumerate(boards.live):
            learning.learn(
                street.stages,
                self._answered(answers[at]),
                _chances(table, boards, at),
                live,
                boards.reach(reach, at),
                street.committed.ravel(),
                _later(street, later, at),
                weights[at],
                self._desk.room,
                out.reshape(-1),
                gains.reshape(-1),
            )
            _add_images(boards, at, out, sums)
        return sums

    def add_strategy(
        self,
        steps: NDArray[np.int32],
        table: Floats,
        boards: SortedBoards,
        chosen: NDArray[np.int64],
        reach: Floats,
        weights: Floats,
        sums: Floats,
    ) -> None:
        for at, weight in zip(chosen.tolist(), weights):
            reached = boards.reach(reach, at)
            learning.add_strategy(
                steps, _chances(table, boards, at), boards.live[at], reached, weight, sums.reshape(-1)
            )

    def match_regrets(self, regrets: Floats, legal: NDArray[np.int32], table: Floats) -> None:
        learning.match_regrets(regrets.reshape(-1), legal, regrets.shape[3], table.reshape(-1))

    def take_over(self, kept: Floats, found: Floats, weight: np.float32, floor: np.float32) -> None:
        learning.take_over(kept.reshape(-1), found.reshape(-1), weight, floor)

    def finish(self) -> None:
        """All is done."""

    def _answered(self, answers: Answers) -> kernels.Chances:
        """Answers as a table in which every holding is a bucket."""
        size = 3 * learning.CHOICES * answers.size
        if len(self._spread) < size:
            self._spread = aligned(np.empty(size, np.float32))
        learning.spread_answers(answers.reshape(-1), self._spread)
        return kernels.Chances(self._spread, learning.CHOICES, HOLDING_COUNT, _EVERY_HOLDING)

    def _room_for(self, boards: SortedBoards, blocks: int) -> tuple[Floats, Floats]:
        """Zeros for the sums by the board before, and for the values of one board."""
        shape = (blocks, HOLDING_COUNT, LANES)
        return np.zeros((boards.dealt.sums_count, *shape), np.float32), aligned(np.zeros(shape, np.float32))


def _chances(table: Floats, boards: SortedBoards, at: int) -> kernels.Chances:
    return kernels.Chances(table.reshape(-1), table.shape[1], table.shape[3], boards.buckets[at])


def _later(street: Street, later: Floats | None, at: int) -> kernels.Later:
    if later is None:
        return kernels.Later(_NO_OPENINGS, _NO_VALUES, False)
    return kernels.Later(street.places, later[at].ravel() * street.closing_scale, False)


def _add_images(boards: SortedBoards, at: int, values: Floats, sums: Floats) -> None:
    """Add what a board is worth to the board before, once for each board that it stands for."""
    for image in boards.dealt.images[at]:
        into = sums[boards.dealt.owner[at]].reshape(-1)
        kernels.add_relabelled(values.reshape(-1), boards.live[at], relabellings()[image], into)
