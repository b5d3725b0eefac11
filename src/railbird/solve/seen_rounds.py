"""Betting rounds as one responder sees them, and arrays laid out in lanes: what the kernels of best responses want.

The rounds are those of `railbird.game.betting_rounds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.game.betting_rounds import BettingRounds
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class SeenRounds:
    """The shape of a street's rounds as one responder sees it; make it with `SeenRounds.of`."""

    shape: Ints
    """By place: kind, whether the responder acts (or folded), how many children, how many closings there are before it,
    and its column: the number of the opponent's reach vector."""
    chips: Ints
    """By place: what the responder and the opponent have added to the opening's chips."""
    paths: Ints
    """By column: the opponent's steps on the way there, 3 * decision + action, filled up with -1."""
    closing_columns: Ints
    """By closing that leads to another street: its column."""

    @staticmethod
    def of(rounds: BettingRounds, responder: int) -> SeenRounds:
        tree, opening = rounds.tree, rounds.nodes[0]
        paths: list[list[int]] = [[]]
        column_of = {opening: 0}
        closing_columns: list[int] = []
        shape = np.full((rounds.size, 5), -1, np.int32)
        for place, node in enumerate(rounds.nodes):
            kind, own, column = tree.kind[node], tree.actor[node] == responder, column_of[node]
            following = enumerate(tree.child[node].tolist() if kind == DECISION else ())
            children = [(action, child) for action, child in following if child >= 0]
            shape[place] = kind, own, len(children), len(closing_columns), column
            if kind == STREET_START:
                closing_columns.append(column)
            for action, child in children:
                column_of[child] = column
                if not own:
                    column_of[child] = len(paths)
                    paths.append([*paths[column], 3 * int(tree.row[node] - tree.row[opening]) + action])
        if max(map(len, paths)) > kernels.PATH_STEPS:
            raise InvalidGameError(f"the betting rounds of {tree.game.name} are too long: a cap of 4 bets is the most")
        filled = [path + [-1] * (kernels.PATH_STEPS - len(path)) for path in paths]
        chips = rounds.chips_added[:, [responder, 1 - responder]]
        return SeenRounds(*(np.ascontiguousarray(array, np.int32) for array in (shape, chips, filled, closing_columns)))

    @property
    def closing_paths(self) -> Ints:
        """By closing that leads to another street: the opponent's steps on the way there."""
        return self.paths[self.closing_columns]

    @cached_property
    def stages(self) -> Ints:
        """The round's decisions in the order they are worked; `kernels.solve.response_rounds` has the numbers."""
        return self.stages_reached(np.ones(len(self.paths), np.bool_))

    def stages_reached(self, reached: NDArray[np.bool_]) -> Ints:
        """The same without what the opponent never does: `reached` tells by column whether there is any reach.

        Where a call leads nowhere, the raise takes its place.
        """
        shape = self.shape.tolist()
        every = self._children
        decisions, ways = self._ways_on(reached)
        choices = [node for node in every if shape[node][1]]
        after_raise = every[0][-1]
        found = np.full((len(decisions), kernels.STAGE_LENGTH), -1, np.int32)
        for at, node in enumerate(reversed(decisions)):
            own = shape[node][1]
            folds = [child for child in ways[node] if shape[child][0] == FOLDED]
            call, *raises = (child for child in ways[node] if child not in folds)
            kind = {DECISION: 0, SHOWDOWN: 1, STREET_START: 2}[shape[call][0]]
            stage = found[at]
            stage[kernels.OWN] = own
            stage[kernels.CALL_KIND] = kind
            stage[kernels.CLOSING] = shape[call][3]
            stage[kernels.CALL_STAKE] = self.chips[call, 0]
            stage[kernels.FOLD_KIND] = 0 if not folds else 1 if own else 2
            stage[kernels.FOLD_STAKE] = self.chips[folds[0], 0 if own else 1] if folds else 0
            stage[kernels.RAISE_PLANE] = int(raises[0] >= after_raise) if raises else -1
            stage[kernels.OUT_PLANE] = int(node >= after_raise)
            stage[kernels.CALL_PLANE] = int(call >= after_raise) if kind == 0 else -1
            stage[kernels.SAME_REACH] = bool(folds and own and kind)
            stage[kernels.DECISION] = list(every).index(node)
            stage[kernels.CALL_PATH : kernels.FOLD_PATH] = self.paths[shape[call][4]]
            if folds:
                stage[kernels.FOLD_PATH : kernels.CHOICE] = self.paths[shape[folds[0]][4]]
            if own:
                stage[kernels.CHOICE] = choices.index(node)
        return found

    def _ways_on(self, reached: NDArray[np.bool_]) -> tuple[list[int], dict[int, list[int]]]:
        """The decisions that are got to, in order, and by decision the places that may follow.

        Of the opponent's decisions a way on is left in any case, if only its call.
        """
        shape, ways, got_to = self.shape.tolist(), {}, {0}
        for node, children in self._children.items():
            if node not in got_to:
                continue
            call = next(child for child in children if shape[child][0] != FOLDED)
            kept = [child for child in children if shape[node][1] or reached[shape[child][4]]]
            if all(shape[child][0] == FOLDED for child in kept):
                kept.append(call)
            ways[node] = kept
            got_to.update(kept)
        return list(ways), ways

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        """By decision of the round, in order: the places that follow it."""
        pile: list[int] = []
        found: dict[int, list[int]] = {}
        for node in range(len(self.shape) - 1, -1, -1):
            following = [pile.pop() for _ in range(self.shape[node, 2])]
            if self.shape[node, 0] == DECISION:
                found[node] = following
            pile.append(node)
        return dict(sorted(found.items()))

    @property
    def choices(self) -> Ints:
        """By decision of the round: its number among those of its position."""
        acts = self.shape[self.shape[:, 0] == DECISION, 1]
        return np.asarray([np.sum(acts[:at] == own) for at, own in enumerate(acts)], np.int32)

    def against_answers(self, steps: Ints) -> Ints:
        """Paths of the opponent, of which steps are 3 * decision + action, with 3 * choice + action instead."""
        return np.where(steps >= 0, 3 * self.choices[steps // 3] + steps % 3, -1).astype(np.int32)

    @cached_property
    def stages_against_answers(self) -> Ints:
        """The stages where the opponent's play is told by answers, as a responder notes them."""
        found = self.stages.copy()
        paths = slice(kernels.CALL_PATH, kernels.CHOICE)
        found[:, paths] = self.against_answers(found[:, paths])
        return found


def opponent_steps(seen: SeenRounds) -> Ints:
    """The opponent's steps in a round, each with the path that ends with it."""
    paths = seen.paths.tolist()[1:]
    return np.array([[[step for step in path if step >= 0][-1], *path] for path in paths], np.int32)


def by_round(table: Floats, rounds: BettingRounds) -> Floats:
    """A table by row, bucket and action as one by round, decision, bucket and action."""
    return table.reshape(len(rounds), len(rounds.decisions), *table.shape[1:])


def by_lane(table: Floats, lanes: int = LANES) -> Floats:
    """A table by round, decision, bucket and action as the kernels read it: block, decision, action, bucket, lane."""
    return in_blocks(table.transpose(1, 3, 2, 0), lanes)


def in_blocks(array: NDArray[Any], lanes: int = LANES, left_over: int = 0) -> NDArray[Any]:
    """An array whose last axis are rounds, cut into blocks of lanes: the blocks first, the lanes last."""
    *before, length = array.shape
    blocks = -(-length // lanes)
    found = np.full((*before, blocks * lanes), left_over, array.dtype)
    found[..., :length] = array
    return aligned(np.moveaxis(found.reshape(*before, blocks, lanes), -2, 0))


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that begins at a multiple of 64 bytes, where vectors do not straddle the cache's lines."""
    room = np.empty(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    found = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found
