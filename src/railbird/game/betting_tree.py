"""The betting of a two-player limit game as arrays, one entry for each node of its tree.

The tree is grown through `game.betting`, which knows the rules; nothing here repeats them. It holds no cards. Between
two streets stands a node of its own kind, the *street start*, where cards are dealt; its one child is the first
decision of the next street. Nodes are numbered street by street, and within a street each betting round is one
unbroken run in depth-first order, so children come after their parents. `game.betting_rounds` cuts it into rounds.

Decisions are numbered apart, street by street from 0 (`row`): the rows of a strategy table. Heads-up limit hold'em
with reverse blinds and four bets at most has 8, 70, 630 and 5,670 of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import IllegalActionError, InvalidGameError
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure
from railbird.kernels.numbered_tree import DECISION as DECISION
from railbird.kernels.numbered_tree import FOLDED as FOLDED
from railbird.kernels.numbered_tree import SHOWDOWN as SHOWDOWN
from railbird.kernels.numbered_tree import STREET_START as STREET_START
from railbird.kernels.numbered_tree import Tree

MOST_DECISIONS = 200_000
"""Larger trees, of ten bets a street and more, are not grown."""
_ACTIONS = (FOLD, CALL, RAISE)


@dataclass(frozen=True)
class BettingTree:
    """A betting tree as arrays; make it with `BettingTree.of(game)`. The arrays are read-only.

    >>> from railbird.game.spec import limit_holdem
    >>> tree = BettingTree.of(limit_holdem())
    >>> [len(nodes) for nodes in tree.decisions]
    [8, 70, 630, 5670]
    >>> node = tree.node("crrc/cr")
    >>> int(tree.actor[node]), tree.committed[node].tolist(), tree.history[tree.child[node, 1]]
    (0, [6, 8], 'crrc/crc')
    """

    game: Game
    kind: NDArray[np.int8]
    """By node: `DECISION`, `FOLDED`, `SHOWDOWN` or `STREET_START`."""
    actor: NDArray[np.int8]
    """By node: the position whose turn it is, the one that folded at a `FOLDED` node, otherwise -1."""
    street: NDArray[np.int8]
    """By node: the street it belongs to; a street start belongs to the street it ends."""
    child: NDArray[np.int32]
    """By node and action (fold 0, call 1, raise 2): the next node, -1 where there is none. A street start leads on by
    way of `call`."""
    parent: NDArray[np.int32]
    """By node: the node before it; -1 for the root, which is node 0."""
    committed: NDArray[np.int32]
    """By node and position: chips put in so far."""
    row: NDArray[np.int32]
    """By node: its number among the decisions of its street, -1 for nodes of other kinds."""
    decisions: tuple[NDArray[np.int32], ...]
    """By street: the decision nodes in order of their rows."""
    history: tuple[str, ...]
    """By node: the betting string, as in "crrc/cr". A street start lacks the slash that its child ends with."""

    @staticmethod
    @cache
    def of(game: Game) -> BettingTree:
        """The tree of a game for two players with fixed bets and unlimited stacks; made once for each game."""
        if game.seats != 2 or game.structure is not Structure.FIXED_LIMIT or game.stacks is not None:
            raise InvalidGameError(
                f"{game.name} with {game.seats} seats has no table of its betting: that needs two "
                "players, fixed bets and unlimited stacks"
            )
        if (decisions := sum(decision_counts(game))) > MOST_DECISIONS:
            caps = "/".join(map(str, game.max_raises))
            raise InvalidGameError(
                f"{game.name} with {caps} raises has too large a tree of betting: {decisions:,} decisions"
            )
        raised = sum(size * (most or 0) for size, most in zip(game.bet_sizes, game.max_raises))
        if max(game.blinds) + game.ante + raised > np.iinfo(np.int32).max:
            raise InvalidGameError(f"{game.name} with bets of {game.bet_sizes[-1]:,} chips has no table of its betting")
        return _grown(game)

    def __len__(self) -> int:
        return len(self.kind)

    def node(self, history: str) -> int:
        """The node that a betting string leads to.

        >>> from railbird.game.spec import kuhn_poker
        >>> BettingTree.of(kuhn_poker()).node("cr")
        3
        """
        if history not in self._numbers:
            raise IllegalActionError(f"no node {history!r} in the betting tree of {self.game.name}")
        return self._numbers[history]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {history: number for number, history in enumerate(self.history)}

    @cached_property
    def arrays(self) -> Tree:
        """The tree as kernels take it."""
        return Tree(self.kind, self.actor, self.street, self.child, self.row, self.committed)

    @cached_property
    def last(self) -> NDArray[np.int64]:
        """By node: the last node that follows from it on its street; all between them follow from it too."""
        found = np.arange(len(self))
        for node in range(len(self) - 1, 0, -1):
            before = self.parent[node]
            if self.kind[before] != STREET_START:
                found[before] = max(found[before], found[node])
        return found

    def legal(self, street: int) -> NDArray[np.bool_]:
        """By row of a street and action: whether the action is allowed."""
        return np.asarray(self.child[self.decisions[street]] >= 0)

    def street_nodes(self, street: int) -> range:
        """The nodes of a street, its ends included."""
        first, last = np.searchsorted(self.street, (street, street + 1))
        return range(int(first), int(last))


def decision_counts(game: Game) -> tuple[int, ...]:
    """By street: how many decisions the tree of a game for two has, without growing it.

    A betting round with at most r raises has 2r + 2 decisions, and ends in 2r + 1 ways without a fold.

    >>> from railbird.game.spec import limit_holdem
    >>> decision_counts(limit_holdem())
    (8, 70, 630, 5670)
    """
    found, rounds = [], 1
    for most in game.max_raises:
        if most is None:
            raise InvalidGameError(f"{game.name} without a cap has an endless betting tree")
        found.append(rounds * (2 * most + 2))
        rounds *= 2 * most + 1
    return tuple(found)


class _Growth:
    """A tree in the making: lists by node."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.actors: list[int] = []
        self.streets: list[int] = []
        self.children: list[list[int]] = []
        self.parents: list[int] = []
        self.committed: list[tuple[int, ...]] = []
        self.histories: list[str] = []
        self.waiting: list[tuple[Betting, int]] = []
        """What the next street begins with, and the street start before it."""

    def grow(self, betting: Betting, before: int, street: int) -> int:
        """Number a node and what follows it on its street; later streets wait."""
        if betting.is_showdown:
            return self._add(SHOWDOWN, -1, street, before, betting)
        if betting.is_over:
            return self._add(FOLDED, self.actors[before], street, before, betting)
        if betting.street > street:
            number = self._add(STREET_START, -1, street, before, betting)
            self.waiting.append((betting, number))
            return number
        number = self._add(DECISION, betting.to_act, street, before, betting)
        for at, action in enumerate(_ACTIONS):
            if betting.is_legal(action):
                self.children[number][at] = self.grow(betting.after(action), number, street)
        return number

    def _add(self, kind: int, actor: int, street: int, before: int, betting: Betting) -> int:
        self.kinds.append(kind)
        self.actors.append(actor)
        self.streets.append(street)
        self.children.append([-1, -1, -1])
        self.parents.append(before)
        self.committed.append(betting.committed)
        self.histories.append(betting.history.removesuffix("/") if kind == STREET_START else betting.history)
        return len(self.kinds) - 1


def _grown(game: Game) -> BettingTree:
    growth = _Growth()
    growth.waiting = [(Betting.start(game), -1)]
    for street in range(game.streets):
        begun, growth.waiting = growth.waiting, []
        for betting, before in begun:
            first = growth.grow(betting, before, street)
            if before >= 0:
                growth.children[before][1] = first
    kind, streets = np.array(growth.kinds, np.int8), np.array(growth.streets, np.int8)
    row = np.full(len(kind), -1, np.int32)
    decisions = []
    for street in range(game.streets):
        nodes = np.flatnonzero((kind == DECISION) & (streets == street)).astype(np.int32)
        row[nodes] = np.arange(len(nodes))
        decisions.append(nodes)
    arrays: dict[str, Any] = {
        "kind": kind,
        "actor": np.array(growth.actors, np.int8),
        "street": streets,
        "child": np.array(growth.children, np.int32),
        "parent": np.array(growth.parents, np.int32),
        "committed": np.array(growth.committed, np.int32),
        "row": row,
    }
    for array in (*arrays.values(), *decisions):
        array.setflags(write=False)
    return BettingTree(game=game, decisions=tuple(decisions), history=tuple(growth.histories), **arrays)
