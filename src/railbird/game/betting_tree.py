"""The betting of a two-player limit game as arrays, one entry for each node of its tree.

The tree is grown through `game.betting`, which knows the rules; nothing here repeats them. It holds no cards. Between
two streets stands a node of its own kind, the *street start*, where cards are dealt; its one child is the first
decision of the next street. Nodes are numbered street by street, and within a street each betting round is one
unbroken run in depth-first order, so children come after their parents.

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

DECISION, FOLDED, SHOWDOWN, STREET_START = range(4)
"""The kinds of node: somebody's turn, a hand that ended by a fold or by a showdown, cards about to be dealt."""

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
        if None in game.max_raises:
            raise InvalidGameError(f"{game.name} without a cap has an endless betting tree")
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

    def legal(self, street: int) -> NDArray[np.bool_]:
        """By row of a street and action: whether the action is allowed."""
        return np.asarray(self.child[self.decisions[street]] >= 0)

    def street_nodes(self, street: int) -> range:
        """The nodes of a street, its ends included."""
        first, last = np.searchsorted(self.street, (street, street + 1))
        return range(int(first), int(last))


def _grown(game: Game) -> BettingTree:
    kinds: list[int] = []
    actors: list[int] = []
    streets: list[int] = []
    children: list[list[int]] = []
    parents: list[int] = []
    committed: list[tuple[int, ...]] = []
    histories: list[str] = []

    def add(kind: int, actor: int, street: int, before: int, betting: Betting, history: str) -> int:
        number = len(kinds)
        kinds.append(kind)
        actors.append(actor)
        streets.append(street)
        children.append([-1, -1, -1])
        parents.append(before)
        committed.append(betting.committed)
        histories.append(history)
        return number

    def grow(betting: Betting, before: int, street: int) -> int:
        """Number a node and what follows it on its street; later streets wait in `starts`."""
        if betting.is_showdown:
            return add(SHOWDOWN, -1, street, before, betting, betting.history)
        if betting.is_over:
            return add(FOLDED, actors[before], street, before, betting, betting.history)
        if betting.street > street:
            number = add(STREET_START, -1, street, before, betting, betting.history.removesuffix("/"))
            starts.append((betting, number))
            return number
        number = add(DECISION, betting.to_act, street, before, betting, betting.history)
        for at, action in enumerate(_ACTIONS):
            if betting.is_legal(action):
                children[number][at] = grow(betting.after(action), number, street)
        return number

    starts: list[tuple[Betting, int]] = [(Betting.start(game), -1)]
    for street in range(game.streets):
        opening, starts = starts, []
        for betting, before in opening:
            first = grow(betting, before, street)
            if before >= 0:
                children[before][1] = first

    kind = np.array(kinds, np.int8)
    row = np.full(len(kinds), -1, np.int32)
    decisions = []
    for street in range(game.streets):
        nodes = np.flatnonzero((kind == DECISION) & (np.array(streets) == street)).astype(np.int32)
        row[nodes] = np.arange(len(nodes))
        decisions.append(nodes)
    arrays: dict[str, Any] = {
        "kind": kind,
        "actor": np.array(actors, np.int8),
        "street": np.array(streets, np.int8),
        "child": np.array(children, np.int32),
        "parent": np.array(parents, np.int32),
        "committed": np.array(committed, np.int32),
        "row": row,
    }
    for array in (*arrays.values(), *decisions):
        array.setflags(write=False)
    return BettingTree(game=game, decisions=tuple(decisions), history=tuple(histories), **arrays)
