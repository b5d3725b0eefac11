"""Betting rounds as the training kernel wants them; `railbird.kernels.solve.vector_cfr` explains mixes and lanes.

The rounds are those of `railbird.game.betting_rounds`, in another order. On the next street the kernel puts the rounds
that follow one closing side by side, so that what sixteen lanes hand on goes to sixteen neighbours: all rounds after
closing 0, then all after closing 1, and so on. Checkpoints on disk have the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.game.betting_rounds import BettingRounds, betting_rounds
from railbird.game.betting_tree import BettingTree, decision_counts
from railbird.game.spec import Game
from railbird.kernels.lanes import LANES
from railbird.kernels.solve.cfr_buckets import CLOSING, FOLD
from railbird.kernels.solve.vector_cfr import Rounds

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TrainingRounds:
    """The betting rounds of one street in lanes."""

    rounds: BettingRounds
    order: Ints
    """By lane: the number of its round."""
    shape: NDArray[np.int32]
    """What happens in a round; the layout is told in the kernel."""
    closing_chips: Floats
    """By block, closing and lane: chips that each player has put in."""
    fold_chips: Floats
    """By block, player, fold and lane: what the fold is worth to the player."""

    @property
    def blocks(self) -> int:
        return -(-len(self.rounds) // LANES)

    @property
    def decisions(self) -> int:
        """Of a round."""
        return len(self.rounds.decisions)

    @property
    def arrays(self) -> Rounds:
        """The rounds as the kernel takes them."""
        return Rounds(self.shape, len(self.rounds), self.closing_chips, self.fold_chips)

    def table_size(self, buckets: int) -> int:
        """Entries of a table of regrets or sums: three for each decision, bucket and lane."""
        return self.blocks * buckets * 3 * self.decisions * LANES

    def by_row(self, table: Floats, buckets: int) -> Floats:
        """A kernel's flat table by row of the street's decisions, bucket and action."""
        by_block = table.reshape(self.blocks, buckets, self.decisions, 3, LANES)
        lanes = np.moveaxis(by_block, 4, 1).reshape(self.blocks * LANES, buckets, self.decisions, 3)
        found = np.empty((len(self.rounds), self.decisions, buckets, 3), np.float32)
        found[self.order] = np.moveaxis(lanes[: len(self.rounds)], 1, 2)
        return found.reshape(-1, buckets, 3)

    def by_lane(self, rows: Floats) -> Floats:
        """The inverse of `by_row`; lanes left over hold zeros."""
        buckets = rows.shape[1]
        by_round = rows.reshape(len(self.rounds), self.decisions, buckets, 3)
        lanes = np.zeros((self.blocks * LANES, buckets, self.decisions, 3), np.float32)
        lanes[: len(self.rounds)] = np.moveaxis(by_round[self.order], 1, 2)
        return np.moveaxis(lanes.reshape(self.blocks, LANES, buckets, self.decisions, 3), 1, 4).ravel()


@cache
def training_rounds(game: Game) -> tuple[TrainingRounds, ...]:
    """The rounds of every street of a game."""
    found = []
    order = np.zeros(1, np.int64)
    for rounds in betting_rounds(game):
        found.append(_in_lanes(rounds, order))
        closings = len(rounds.closings)
        order = np.concatenate([order * closings + closing for closing in range(closings)])
    return tuple(found)


def table_sizes(game: Game, buckets: Sequence[int]) -> list[int]:
    """By street, `TrainingRounds.table_size` for so many buckets, before the rounds of a game are made."""
    rounds = [rows // (2 * (most or 0) + 2) for rows, most in zip(decision_counts(game), game.max_raises)]
    blocks = [-(-number // LANES) for number in rounds]
    decisions = [2 * (most or 0) + 2 for most in game.max_raises]
    return [some * count * 3 * each * LANES for some, count, each in zip(blocks, buckets, decisions)]


def _in_lanes(rounds: BettingRounds, order: Ints) -> TrainingRounds:
    tree = rounds.tree
    blocks = -(-len(rounds) // LANES)
    closing_chips = np.zeros((blocks, len(rounds.closings) + 1, LANES), np.float32)
    fold_chips = np.zeros((blocks, 2, len(rounds.folds), LANES), np.float32)
    for at, opening in enumerate(rounds.openings[order].tolist()):
        block, lane = divmod(at, LANES)
        closing_chips[block, :-1, lane] = tree.committed[opening + rounds.closings, 0]
        for number, fold in enumerate((opening + rounds.folds).tolist()):
            folder = tree.actor[fold]
            lost = tree.committed[fold, folder]
            fold_chips[block, folder, number, lane] = -lost
            fold_chips[block, 1 - folder, number, lane] = lost
    return TrainingRounds(rounds, order, _shape(rounds), closing_chips.ravel(), fold_chips.ravel())


def _shape(rounds: BettingRounds) -> NDArray[np.int32]:
    tree, opening = rounds.tree, rounds.nodes[0]
    nodes, closings, folds = (
        (opening + places).tolist() for places in (rounds.decisions, rounds.closings, rounds.folds)
    )
    number = {node: at for at, node in enumerate(nodes)}
    number |= {node: CLOSING + at for at, node in enumerate(closings)}
    number |= {node: FOLD + at for at, node in enumerate(folds)}
    decisions: list[int] = []
    for node in nodes:
        children = [int(to) for to in tree.child[node]]
        decisions += [int(tree.actor[node]), *(number[to] if to >= 0 else -1 for to in children)]
        decisions.append(sum(to >= 0 for to in children))
    mixes = [
        (player, at, closing, sign)
        for player in range(2)
        for at, fold in enumerate(folds)
        for closing, sign in _mix(tree, opening, closings, player, fold).items()
    ]
    head = [len(nodes), len(closings) + 1, len(folds), len(mixes), int(rounds.is_last)]
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
