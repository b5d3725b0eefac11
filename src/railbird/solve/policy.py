"""What a heads-up strategy table is, seen from outside: action probabilities for every decision and holding.

Solvers, best responses and table players speak to each other through `Policy` alone, so a strategy may be a file of
buckets, one triple everywhere, or anything else that answers for one board at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_rounds import BettingRounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game

Floats = NDArray[np.float32]
Reach = NDArray[np.bool_]
BucketsOf = Callable[[int, NDArray[np.uint8]], NDArray[Any]]


class Policy(Protocol):
    """A heads-up strategy, the same in every hand.

    A policy treats the suits alike, unless it says otherwise (`AskedPolicy.is_suit_blind`): relabelling them in board
    and holding changes no probability. The best response relies on it to look at one board of each kind.
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


class AskedPolicy(Policy, Protocol):
    """A policy whose every answer costs something, so that best responses ask for no more than they need."""

    @property
    def is_suit_blind(self) -> bool:
        """Whether it treats the suits alike."""

    def answers(
        self, rounds: BettingRounds, board: tuple[int, ...], openings: NDArray[np.int64], actor: int, reach: Reach
    ) -> Floats:
        """Fold, call and raise at the decisions of a position in some of a street's rounds.

        By opening, decision of the round, holding and action. `reach` tells by opening and holding whether the policy
        can get there; answers that it cannot get to, and those of the other position, may hold anything.
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
        return np.zeros((len(boards), len(deck(self._game))), np.int32)

    def by_row(self, street: int) -> Floats:
        """The probabilities of each decision of a street, which are those of every holding."""
        return scaled_to_legal(self._triple, self._tree.legal(street))

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        rows = self.by_row(street)
        return np.broadcast_to(rows[:, None, :], (len(rows), len(deck(self._game)), 3))


class TablePolicy:
    """A policy of one's own as arrays: weights of fold, call and raise by row and bucket, one array for each street.

    `buckets` gives the bucket of every holding on boards of a street, as `BucketPolicy.buckets` does; it may be left
    out where each array has one bucket. Weights are scaled to the actions that are legal.
    """

    def __init__(self, game: Game, tables: Sequence[NDArray[Any]], buckets: BucketsOf | None = None) -> None:
        self._game = game
        tree = BettingTree.of(game)
        if len(tables) != game.streets:
            raise RailbirdError(f"{len(tables)} tables for the {game.streets} streets of {game.name}")
        self._tables = []
        for street, table in enumerate(tables):
            weights, rows = np.asarray(table, np.float64), len(tree.decisions[street])
            if weights.ndim != 3 or weights.shape[::2] != (rows, 3) or not weights.shape[1]:
                raise RailbirdError(f"a table of {weights.shape} where ({rows}, buckets, 3) belongs on street {street}")
            wrong = ~(np.isfinite(weights).all(axis=2) & (weights >= 0).all(axis=2) & (weights.sum(axis=2) > 0))
            if wrong.any():
                row, bucket = np.argwhere(wrong)[0].tolist()
                history = tree.history[tree.decisions[street][row]]
                raise RailbirdError(
                    f"{tuple(weights[row, bucket].tolist())} for bucket {bucket} after {history!r} are not chances: "
                    "all must be finite, none negative, one positive"
                )
            self._tables.append(scaled_to_legal(weights, tree.legal(street)[:, None, :]))
        if buckets is None and any(table.shape[1] > 1 for table in self._tables):
            raise RailbirdError("tables of several buckets, and nothing that says which holding is in which")
        self._buckets_of = buckets

    @property
    def game(self) -> Game:
        return self._game

    def table(self, street: int) -> Floats:
        return self._tables[street]

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        if self._buckets_of is None:
            return np.zeros((len(boards), len(deck(self._game))), np.int32)
        return np.asarray(self._buckets_of(street, boards), np.int32)

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        found = self.buckets(street, np.array([board], np.uint8).reshape(1, -1))[0]
        return self._tables[street][:, found]


def holding_chances(policy: Policy, history: str, board: tuple[int, ...]) -> NDArray[np.float64]:
    """Fold, call and raise by holding at the decision that a betting string leads to."""
    tree = BettingTree.of(policy.game)
    node = tree.node(history)
    if tree.row[node] < 0:
        raise RailbirdError(f"nobody is to act after {history!r}")
    return np.asarray(policy.probabilities(int(tree.street[node]), board)[tree.row[node]], np.float64)


def scaled_to_legal(weights: NDArray[np.float64], legal: NDArray[np.bool_]) -> Floats:
    """Weights along the last axis as shares of the legal actions; where these have none it is a call."""
    wanted = np.where(legal, weights, 0.0)
    fold, call, raise_ = np.moveaxis(wanted, -1, 0)
    total = fold + call + raise_
    call[total == 0.0] = 1.0
    total[total == 0.0] = 1.0
    return np.asarray(wanted / total[..., None], np.float32)


@cache
def deck(game: Game) -> tuple[tuple[int, ...], ...]:
    """What a player can hold: 1,326 holdings in hold'em, the single cards of a toy game."""
    if game.is_holdem:
        return tuple(holding_cards(holding) for holding in range(HOLDING_COUNT))
    return tuple((card,) for card in game.deck)
