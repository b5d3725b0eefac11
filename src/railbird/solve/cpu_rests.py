"""Rests of hands solved again on the processor, one by one; on a GPU `railbird.solve.gpu.gpu_rests` does the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.kernels.solve import resolving as kernels
from railbird.solve.resolved_rest import RIVER, Begun, Entry, Floats, RestOfHand, Safety, Solution
from railbird.solve.strategy import Strategy


class CpuRests:
    """Solves rests of the hands of a table strategy."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def begun(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Solution]:
        """The solutions for a player of rests to which both come by the table strategy, and which begin with it.

        The opponent's alternative is what a best response to the table strategy wins.
        """
        found = []
        for rest, own, opponent in rests:
            weights = self.table_weights(rest)
            entry = Entry(own, opponent, rest.response(1 - player, own, weights))
            found.append(rest.solved(player, entry, safety, iterations, weights))
        return found

    def left(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Floats]:
        """What `Solution.left` says of the same solutions."""
        return [solution.left() for solution in self.begun(rests, player, safety, iterations)]

    def solved(
        self, rests: Sequence[RestOfHand], player: int, entries: Sequence[Entry], safety: Safety, iterations: int
    ) -> list[Solution]:
        """The solutions for a player of rests that begin evenly."""
        return [rest.solved(player, entry, safety, iterations) for rest, entry in zip(rests, entries)]

    def table_weights(self, rest: RestOfHand) -> kernels.Weights:
        """What both do in a rest by the table strategy."""
        weights = rest.weights()
        levels = [(rest.street, rest.arrays.first, [rest.board], rest.order, weights.first)]
        if not rest.is_last:
            boards = [(*rest.board, card) for card in rest.rivers]
            levels.append((RIVER, rest.arrays.later, boards, rest.orders, weights.later))
        for street, level, boards, orders, into in levels:
            rows = len(level.before) * (1 + int(level.number.max()))
            codes = self.strategy.codes[street][rest.number * rows : (rest.number + 1) * rows]
            buckets = self.strategy.buckets(street, np.array(boards, np.uint8))
            by_place = np.zeros(level.ends.shape, np.int32)
            for of_board, of_places, order in zip(buckets, by_place, orders):
                of_places[: len(order)] = of_board[order]
            kernels.look_up_chances(level, codes, by_place, into)
        return weights
