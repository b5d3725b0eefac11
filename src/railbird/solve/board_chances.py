"""What a policy does on one board, as the kernels of best responses look it up; in one of three ways.

A table over buckets is the same for all boards. Other policies give the probabilities of all holdings, board by board,
or are asked for each answer by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.game.betting_rounds import BettingRounds
from railbird.kernels.solve.response_rounds import Chances
from railbird.solve.policy import AskedPolicy, Policy
from railbird.solve.seen_rounds import by_lane, by_round

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class BoardChances(Protocol):
    """What a policy does on one board."""

    def chances(self, position: int, openings: Ints, reach: Floats) -> Chances:
        """What a responder in a position looks up of the opponent, in the rounds that begin at some openings.

        `reach` is the opponent's by block, holding and lane.
        """


class TableChances:
    """A table over buckets, with the buckets of one board. It is laid out for the openings that a responder works."""

    def __init__(self, tables: Sequence[Floats], buckets: NDArray[np.int32]) -> None:
        self._tables, self._buckets = tables, buckets

    def chances(self, position: int, openings: Ints, reach: Floats) -> Chances:
        table = self._tables[position]
        return Chances(table.ravel(), table.shape[1], table.shape[3], self._buckets)


class GivenChances:
    """The probabilities of all holdings."""

    def __init__(self, policy: Policy, rounds: BettingRounds, board: tuple[int, ...]) -> None:
        self._policy, self._rounds, self._board = policy, rounds, board

    def chances(self, position: int, openings: Ints, reach: Floats) -> Chances:
        return self._found

    @cached_property
    def _found(self) -> Chances:
        return _by_holding(by_round(self._policy.probabilities(self._rounds.street, self._board), self._rounds))


class AskedChances:
    """The answers of a policy that is asked for each by itself, and for no more than it can get to."""

    def __init__(self, policy: AskedPolicy, rounds: BettingRounds, board: tuple[int, ...]) -> None:
        self._policy, self._rounds, self._board = policy, rounds, board

    def chances(self, position: int, openings: Ints, reach: Floats) -> Chances:
        by_opening = np.moveaxis(reach, 1, 2).reshape(-1, HOLDING_COUNT)[: len(openings)]
        return _by_holding(self._policy.answers(self._rounds, self._board, openings, 1 - position, by_opening > 0))


def _by_holding(table: Floats) -> Chances:
    """A table by round, decision, holding and action: every holding is its own bucket."""
    return Chances(by_lane(table).ravel(), table.shape[1], HOLDING_COUNT, np.arange(HOLDING_COUNT, dtype=np.int32))
