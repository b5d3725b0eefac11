"""A betting tree cut into rounds of one shape for each street, as the training kernel wants it.

`railbird.kernels.solve.vector_cfr` explains openings, closings, folds and mixes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, BettingTree
from railbird.game.spec import Game
from railbird.kernels.lanes import LANES
from railbird.kernels.solve.vector_cfr import CLOSING, FOLD


@dataclass(frozen=True)
class StreetRounds:
    """The betting rounds of one street."""

    shape: NDArray[np.int32]
    """What happens in a round; the layout is told in the kernel."""
    nodes: int
    """Decisions in a round."""
    openings: int
    """How many rounds there are."""
    rows: NDArray[np.int64]
    """By opening: the row of its first decision (`BettingTree.row`); the others follow."""
    closing_chips: NDArray[np.float32]
    """By block, closing and lane: chips that each player has put in."""
    fold_chips: NDArray[np.float32]
    """By block, player, fold and lane: what the fold is worth to the player."""

    @property
    def blocks(self) -> int:
        return -(-self.openings // LANES)

    @property
    def slots(self) -> int:
        """Entries of a bucket and an opening in a table: three for each decision."""
        return 3 * self.nodes


@cache
def street_rounds(game: Game) -> tuple[StreetRounds, ...]:
    """The rounds of every street of a two-player limit game with showdowns on the last street only.

    >>> from railbird.game.spec import limit_holdem
    >>> [(rounds.openings, rounds.nodes) for rounds in street_rounds(limit_holdem())]
    [(1, 8), (7, 10), (63, 10), (567, 10)]
    """
    tree = BettingTree.of(game)
    found = []
    openings = [0]
    for street in range(game.streets):
        rounds, openings = _rounds(tree, openings, street == game.streets - 1)
        found.append(rounds)
    return tuple(found)


def _rounds(tree: BettingTree, openings: list[int], is_last: bool) -> tuple[StreetRounds, list[int]]:
    """The rounds that begin at these nodes, and the nodes that open the next street."""
    parts = [_parts(tree, opening) for opening in openings]
    nodes, closings, folds = parts[0]
    shape = _shape(tree, nodes, closings, folds, is_last)
    for other in parts[1:]:
        if not np.array_equal(shape, _shape(tree, *other, is_last)):
            raise InvalidGameError(f"the betting rounds of {tree.game.name} differ within a street")
    blocks = -(-len(openings) // LANES)
    closing_chips = np.zeros((blocks, len(closings) + 1, LANES), np.float32)
    fold_chips = np.zeros((blocks, 2, len(folds), LANES), np.float32)
    for number, (_, round_closings, round_folds) in enumerate(parts):
        block, lane = divmod(number, LANES)
        closing_chips[block, :-1, lane] = tree.committed[round_closings, 0]
        for at, fold in enumerate(round_folds):
            folder = tree.actor[fold]
            lost = tree.committed[fold, folder]
            fold_chips[block, folder, at, lane] = -lost
            fold_chips[block, 1 - folder, at, lane] = lost
    following = []
    if not is_last:
        following = [int(tree.child[part[1][closing], 1]) for closing in range(len(closings)) for part in parts]
    rows = tree.row[openings].astype(np.int64)
    return StreetRounds(shape, len(nodes), len(openings), rows, closing_chips.ravel(), fold_chips.ravel()), following


def _parts(tree: BettingTree, opening: int) -> tuple[list[int], list[int], list[int]]:
    """The decisions, closings and folds of the round that begins at a node, in depth-first order."""
    nodes: list[int] = []
    closings: list[int] = []
    folds: list[int] = []
    waiting = [opening]
    while waiting:
        node = waiting.pop()
        if tree.kind[node] == DECISION:
            nodes.append(node)
            waiting += [int(to) for to in tree.child[node][::-1] if to >= 0]
        else:
            (folds if tree.kind[node] == FOLDED else closings).append(node)
    return nodes, closings, folds


def _shape(
    tree: BettingTree, nodes: list[int], closings: list[int], folds: list[int], is_last: bool
) -> NDArray[np.int32]:
    number = {node: at for at, node in enumerate(nodes)}
    number |= {node: CLOSING + at for at, node in enumerate(closings)}
    number |= {node: FOLD + at for at, node in enumerate(folds)}
    if is_last != all(tree.kind[node] == SHOWDOWN for node in closings):
        raise InvalidGameError(f"{tree.game.name} has showdowns before its last street")
    decisions: list[int] = []
    for node in nodes:
        children = [int(to) for to in tree.child[node]]
        decisions += [int(tree.actor[node]), *(number[to] if to >= 0 else -1 for to in children)]
        decisions.append(sum(to >= 0 for to in children))
    mixes = [
        (player, at, closing, sign)
        for player in range(2)
        for at, fold in enumerate(folds)
        for closing, sign in _mix(tree, nodes[0], closings, player, fold).items()
    ]
    head = [len(nodes), len(closings) + 1, len(folds), len(mixes), int(is_last)]
    return np.array([*head, *decisions, *np.ravel(mixes)], np.int32)


def _mix(tree: BettingTree, opening: int, closings: list[int], player: int, fold: int) -> dict[int, int]:
    """The opponent's chances at a fold, as a sum of those at closings with signs."""

    def at(node: int) -> dict[int, int]:
        """The opponent's chances at a node, where its own decisions have led to it."""
        if node in closings:
            return {closings.index(node): 1}
        if tree.actor[node] == player:
            return at(int(tree.child[node, 1]))  # the player's own actions do not change them
        if tree.child[node, 0] < 0:  # without a fold, the opponent's actions add up
            return _added(*(at(int(to)) for to in tree.child[node] if to >= 0))
        if node == opening:
            return {len(closings): 1}
        # The player has just raised; a call would have left the opponent the same chances.
        return at(int(tree.child[tree.parent[node], 1]))

    decision = int(tree.parent[fold])
    if tree.actor[fold] == player:
        return at(decision)
    rest = [at(int(to)) for to in tree.child[decision, 1:] if to >= 0]
    return _added(at(decision), *({closing: -sign for closing, sign in part.items()} for part in rest))


def _added(*parts: dict[int, int]) -> dict[int, int]:
    total: dict[int, int] = {}
    for part in parts:
        for closing, sign in part.items():
            total[closing] = total.get(closing, 0) + sign
    return {closing: sign for closing, sign in total.items() if sign}
