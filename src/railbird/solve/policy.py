"""What a heads-up strategy table is, seen from outside: action probabilities for every decision and holding.

Solvers, best responses and table players speak to each other through `Policy` alone, so a strategy may be a file of
buckets, one triple everywhere, or anything else that answers for one board at a time.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game

Floats = NDArray[np.float32]


class Policy(Protocol):
    """A heads-up strategy, the same in every hand.

    A policy treats the suits alike: relabelling them in board and holding changes no probability. The best response
    relies on it to look at one board of each kind.
    """

    @property
    def game(self) -> Game:
        """The game it plays."""

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        """Fold, call and raise by row of the street's decisions (`BettingTree.row`) and holding: rows x 1326 x 3.

        Legal actions sum to one and others have none. Holdings that share a card with the board may hold anything.
        A row answers for the position whose decision it is.
        """


class BucketPolicy(Policy, Protocol):
    """A policy that is a table over buckets of holdings, as abstraction makes it.

    It answers the same questions as any policy, and far quicker: best responses look up buckets board by board and
    never ask for the probabilities of all holdings.
    """

    def table(self, street: int) -> Floats:
        """Fold, call and raise by row of the street's decisions and bucket: rows x buckets x 3."""

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """By board (one a row, with 0, 3, 4 or 5 cards) and holding: the bucket.

        Holdings that share a card with the board may get any bucket of the table.
        """


class ConstantPolicy:
    """The same triple for every decision and holding, scaled to the actions that are legal.

    Where no legal action has any probability it calls, as `ProbabilityTriple.pick` does. So "always fold" checks when
    checking is free, and the triple (1, 1, 1) plays uniformly over legal actions.
    """

    def __init__(self, game: Game, triple: ProbabilityTriple) -> None:
        if min(triple) < 0 or sum(triple) <= 0:
            raise RailbirdError(f"{tuple(triple)} are not chances: none may be negative, one must be positive")
        self._game = game
        self._tree = BettingTree.of(game)
        self._triple = np.array(triple, np.float64)

    @property
    def game(self) -> Game:
        return self._game

    def table(self, street: int) -> Floats:
        """One bucket holds every holding."""
        return self.by_row(street)[:, None, :]

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        return np.zeros((len(boards), HOLDING_COUNT), np.int32)

    def by_row(self, street: int) -> Floats:
        """The probabilities of each decision of a street, which are those of every holding."""
        wanted = np.where(self._tree.legal(street), self._triple, 0.0)
        wanted[wanted.sum(axis=1) == 0.0, 1] = 1.0
        return np.asarray(wanted / wanted.sum(axis=1, keepdims=True), np.float32)

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        rows = self.by_row(street)
        return np.broadcast_to(rows[:, None, :], (len(rows), HOLDING_COUNT, 3))
