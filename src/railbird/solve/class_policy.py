"""A policy of a player who tells holdings apart by classes, so that it is a table: on the CPU and on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.solve.policy import Floats, scaled_to_legal

Chances = Callable[[Betting], NDArray[Any]]
ClassesOf = Callable[[tuple[int, ...]], NDArray[Any]]


class ClassPolicy:
    """Tables over classes of holdings, each row worked out when a street's table is first asked for.

    counts: how many classes each street has.
    classes: the class of every holding on a board; any for holdings that share a card with it.
    chances: what each class does at a decision. seen: what of the betting that follows from.
    """

    def __init__(
        self,
        game: Game,
        counts: Sequence[int],
        classes: ClassesOf,
        chances: Chances,
        seen: Callable[[Betting], Hashable],
    ) -> None:
        self._game, self._counts, self._classes = game, counts, classes
        self._chances, self._seen = chances, seen
        self._tree = BettingTree.of(game)
        self._tables: dict[int, Floats] = {}

    @property
    def game(self) -> Game:
        return self._game

    def table(self, street: int) -> Floats:
        if street not in self._tables:
            self._tables[street] = self._worked_table(street)
        return self._tables[street]

    def _worked_table(self, street: int) -> Floats:
        start, nodes = Betting.start(self._game), self._tree.decisions[street].tolist()
        found = np.empty((len(nodes), self._counts[street], 3), np.float32)
        known: dict[Hashable, Floats] = {}
        for row, node in enumerate(nodes):
            betting = start.play(self._tree.history[node])
            seen = betting.to_act, self._seen(betting)
            if seen not in known:
                known[seen] = scaled_to_legal(np.asarray(self._chances(betting)), self._tree.child[node] >= 0)
            found[row] = known[seen]
        return found

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        return np.array([self._classes(tuple(board)) for board in boards.tolist()], np.int32)

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        return self.table(street)[:, self._classes(board)]
