"""Betting rounds as the kernels of best responses want them: one shape for each street, seen by one responder.

In a limit game with unlimited stacks every betting round of a street looks the same, whatever came before it. A street
is then one shape and a list of *starts*, one for each way to get there: 1, 7, 63 and 567 in heads-up limit hold'em.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, STREET_START, BettingTree
from railbird.kernels.solve import response_rounds as kernels

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Seen:
    """A round's shape as one responder sees it."""

    shape: Ints
    """By node in depth-first order: kind, whether the responder acts (or folded), how many children, how many leaves
    there are before it, and its column: the number of the opponent's reach vector."""
    chips: Ints
    """By node: what the responder and the opponent have added to the start's chips."""
    paths: Ints
    """By column: the opponent's steps on the way there, 3 * decision + action, filled up with -1."""
    leaf_columns: Ints
    """By leaf: its column."""

    @property
    def leaf_paths(self) -> Ints:
        """By leaf: the opponent's steps on the way there."""
        return self.paths[self.leaf_columns]

    @cached_property
    def stages(self) -> Ints:
        """The round's decisions in the order they are worked; `kernels.solve.response_rounds` has the numbers."""
        shape = self.shape.tolist()
        pile: list[int] = []
        children: dict[int, list[int]] = {}
        for node in range(len(shape) - 1, -1, -1):
            children[node] = [pile.pop() for _ in range(shape[node][2])]
            pile.append(node)
        decisions = [node for node in range(len(shape)) if shape[node][0] == DECISION]
        after_raise = children[0][-1]
        found = np.full((len(decisions), kernels.STAGE_LENGTH), -1, np.int32)
        for at, node in enumerate(reversed(decisions)):
            own = shape[node][1]
            folds = [child for child in children[node] if shape[child][0] == FOLDED]
            call, *raises = (child for child in children[node] if child not in folds)
            kind = {DECISION: 0, SHOWDOWN: 1, STREET_START: 2}[shape[call][0]]
            stage = found[at]
            stage[kernels.OWN] = own
            stage[kernels.CALL_KIND] = kind
            stage[kernels.LEAF] = shape[call][3]
            stage[kernels.CALL_STAKE] = self.chips[call, 0]
            stage[kernels.FOLD_KIND] = 0 if not folds else 1 if own else 2
            stage[kernels.FOLD_STAKE] = self.chips[folds[0], 0 if own else 1] if folds else 0
            stage[kernels.RAISE_PLANE] = int(raises[0] >= after_raise) if raises else -1
            stage[kernels.OUT_PLANE] = int(node >= after_raise)
            stage[kernels.CALL_PLANE] = int(call >= after_raise) if kind == 0 else -1
            stage[kernels.SAME_REACH] = bool(folds and own and kind)
            stage[kernels.DECISION] = decisions.index(node)
            stage[kernels.CALL_PATH : kernels.FOLD_PATH] = self.paths[shape[call][4]]
            if folds:
                stage[kernels.FOLD_PATH :] = self.paths[shape[folds[0]][4]]
        return found


@dataclass(frozen=True)
class Round:
    """The betting rounds of one street."""

    starts: Ints
    """The first node of each round."""
    committed: Ints
    """By start: chips that each player has put in; 0 before the flop, where `Seen.chips` tell all."""
    decisions: int
    """How many decisions one round has."""
    leaves: int
    """How many of its ends lead to another street."""
    seen: tuple[Seen, Seen]
    """By the responder's position."""


def rounds_of(tree: BettingTree) -> tuple[Round, ...]:
    """The rounds of each street of a betting tree."""
    return tuple(_round(tree, street) for street in range(tree.game.streets))


def _round(tree: BettingTree, street: int) -> Round:
    nodes = np.array(tree.street_nodes(street))
    starts = nodes[(tree.parent[nodes] < 0) | (tree.street[tree.parent[nodes]] < street)]
    size = len(nodes) // len(starts)
    first = nodes[:size]
    for at, part in enumerate(nodes.reshape(len(starts), size)):
        same = tree.kind[part].tolist() == tree.kind[first].tolist()
        if not same or (street and tree.committed[part[0], 0] != tree.committed[part[0], 1]):
            raise InvalidGameError(f"the betting rounds of street {street} in {tree.game.name} differ: {at}")
    kinds = tree.kind[first]
    return Round(
        starts=starts.astype(np.int32),
        committed=(tree.committed[starts, 0] if street else np.zeros(1)).astype(np.int32),
        decisions=int((kinds == DECISION).sum()),
        leaves=int((kinds == STREET_START).sum()),
        seen=(_seen(tree, first, street, 0), _seen(tree, first, street, 1)),
    )


def _seen(tree: BettingTree, nodes: NDArray[np.int64], street: int, responder: int) -> Seen:
    base = int(nodes[0])
    before = tree.committed[base] if street else np.zeros(2, np.int32)
    paths: list[list[int]] = [[]]
    column_of = {base: 0}
    leaf_columns: list[int] = []
    shape = np.full((len(nodes), 5), -1, np.int32)
    for at, node in enumerate(nodes.tolist()):
        kind, own, column = tree.kind[node], tree.actor[node] == responder, column_of[node]
        following = enumerate(tree.child[node].tolist() if kind == DECISION else ())
        children = [(action, child) for action, child in following if child >= 0]
        shape[at] = kind, own, len(children), len(leaf_columns), column
        if kind == STREET_START:
            leaf_columns.append(column)
        for action, child in children:
            column_of[child] = column
            if not own:
                column_of[child] = len(paths)
                paths.append([*paths[column], 3 * int(tree.row[node] - tree.row[base]) + action])
    if max(map(len, paths)) > kernels.PATH_STEPS:
        raise InvalidGameError(f"the betting rounds of {tree.game.name} are too long: a cap of 4 bets is the most")
    filled = [path + [-1] * (kernels.PATH_STEPS - len(path)) for path in paths]
    chips = (tree.committed[nodes] - before)[:, [responder, 1 - responder]]
    arrays = [np.ascontiguousarray(array, np.int32) for array in (shape, chips, filled, leaf_columns)]
    return Seen(*arrays)
