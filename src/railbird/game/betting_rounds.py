"""The numbered betting tree cut into betting rounds: for each street one shape, and a list of openings.

In a limit game with unlimited stacks every betting round of a street looks the same, whatever came before it. A street
is then one shape and its *openings*, the decisions that rounds begin with: 1, 7, 63 and 567 in heads-up limit hold'em.
Rounds are numbered in the order of the tree. Nodes of a round are known by their *place*, counted from its opening.

A round ends by *folds*, and by *closings* with both players in: showdowns on the last street, street starts on the
others. With C closings in a round, closing l of round s leads to round s * C + l of the next street. With D decisions
in a round, those of round s have the rows s * D to s * D + D - 1 of their street.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, BettingTree
from railbird.game.spec import Game

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class BettingRounds:
    """The betting rounds of one street; all have one shape."""

    tree: BettingTree
    street: int
    openings: Ints
    """By round: its first node. The nodes of a round and the rounds of a street follow each other without a gap."""
    size: int
    """How many nodes a round has."""
    decisions: Ints
    """The places of decisions."""
    closings: Ints
    """The places where a round ends with both players in."""
    folds: Ints
    """The places where a round ends by a fold."""
    chips_before: Ints
    """By round: chips that each player had put in when it began. Blinds and antes count as put in during the first."""
    chips_added: Ints
    """By place and position: chips put in during the round."""

    def __len__(self) -> int:
        return len(self.openings)

    @property
    def is_last(self) -> bool:
        """Whether closings are showdowns."""
        return self.street == self.tree.game.streets - 1

    @property
    def nodes(self) -> range:
        """The nodes of the first round, whose shape is that of all."""
        return range(int(self.openings[0]), int(self.openings[0]) + self.size)

    def number(self, node: int) -> int:
        """The round that a node of the street belongs to."""
        return (node - int(self.openings[0])) // self.size

    def run(self, rounds: range) -> range:
        """The nodes of consecutive rounds."""
        return range(int(self.openings[rounds.start]), int(self.openings[rounds.stop - 1]) + self.size)


@cache
def betting_rounds(game: Game) -> tuple[BettingRounds, ...]:
    """The rounds of each street of a game that has a betting tree.

    >>> from railbird.game.spec import limit_holdem
    >>> [(len(rounds), len(rounds.decisions), len(rounds.closings)) for rounds in betting_rounds(limit_holdem())]
    [(1, 8, 7), (7, 10, 9), (63, 10, 9), (567, 10, 9)]
    """
    tree = BettingTree.of(game)
    return tuple(_cut(tree, street) for street in range(game.streets))


def following_rounds(tree: BettingTree, node: int) -> tuple[range, ...]:
    """The rounds that can follow from a node, by street from the one after its own; they are consecutive.

    >>> from railbird.game.spec import limit_holdem
    >>> tree = BettingTree.of(limit_holdem())
    >>> following_rounds(tree, tree.node("crrc/cr"))
    (range(19, 23), range(171, 207))
    """
    streets = betting_rounds(tree.game)
    street = int(tree.street[node])
    if street == tree.game.streets - 1:
        return ()
    here = streets[street]
    number = here.number(node)
    places = np.array((node, tree.last[node] + 1)) - here.openings[number]
    first, stop = (number * len(here.closings) + np.searchsorted(here.closings, places)).tolist()
    found = []
    for rounds in streets[street + 1 :]:
        found.append(range(first, stop))
        first, stop = first * len(rounds.closings), stop * len(rounds.closings)
    return tuple(found)


def _cut(tree: BettingTree, street: int) -> BettingRounds:
    nodes = np.array(tree.street_nodes(street))
    before = tree.parent[nodes]
    openings = nodes[(before < 0) | (tree.street[before] < street)]
    size = len(nodes) // len(openings)
    chips_before = (tree.committed[openings, 0] if street else np.zeros(1)).astype(np.int64)
    kinds = tree.kind[nodes[:size]]
    ends_by_showdown = street == tree.game.streets - 1
    if bool((kinds == SHOWDOWN).any()) != ends_by_showdown:
        raise InvalidGameError(f"{tree.game.name} has showdowns before its last street")
    shapes = [_shape(tree, int(opening), size, int(chips)) for opening, chips in zip(openings, chips_before)]
    for at, shape in enumerate(shapes):
        if not np.array_equal(shape, shapes[0]):
            raise InvalidGameError(f"the betting rounds of street {street} in {tree.game.name} differ: {at}")
    return BettingRounds(
        tree=tree,
        street=street,
        openings=openings,
        size=size,
        decisions=np.flatnonzero(kinds == DECISION),
        closings=np.flatnonzero((kinds != DECISION) & (kinds != FOLDED)),
        folds=np.flatnonzero(kinds == FOLDED),
        chips_before=chips_before,
        chips_added=shapes[0][:, 5:],
    )


def _shape(tree: BettingTree, opening: int, size: int, chips: int) -> Ints:
    """By place: kind, actor, what fold, call and raise lead to within the round, and chips put in by position."""
    nodes = slice(opening, opening + size)
    inside = (tree.child[nodes] >= opening) & (tree.child[nodes] < opening + size)
    children = np.where(inside, tree.child[nodes] - opening, -1)
    return np.column_stack([tree.kind[nodes], tree.actor[nodes], children, tree.committed[nodes] - chips]).astype(
        np.int64
    )
