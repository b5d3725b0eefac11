"""What Vexbot2's model says of all betting to come before the flop, where no board is known yet.

A search before the flop cannot ask what each holding does on each of the boards that may come. So holdings are followed
by strength: before the flop each by itself, later by *cell*, a twentieth of strength on the street. From street to
street the weights of cells pass through the chances by which holdings of one cell come into those of the next, over
many boards. What comes out has the form of Vexbot's own model (Billings et al. 2004, section 4.4), and so Vexbot's
search takes it: how often the opponent folds, calls and raises in each betting context, and a histogram of the hands
that he shows down there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.game import betting_tree as trees
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.search.outlines import pass_street
from railbird.kernels.search.tree_values import average_over_cards
from railbird.modeling.context_tree import DefaultData
from railbird.randomness import Stream
from railbird.search.holding_model import CELLS, HoldingModel
from railbird.solve.strategy import Strategy

Array = NDArray[np.float64]

BOARDS = 500
"""Boards that tell how strength changes."""
NEGLIGIBLE = 1e-3
"""Betting rounds that the opponent comes to with a smaller chance, whatever the player does, are left flat."""


class Outline:
    """What one opponent does in all of the betting, and shows down, as Vexbot's search asks for it.

    `position` is his. The player's own cards are not looked at.
    """

    def __init__(self, model: HoldingModel, position: int) -> None:
        self.tree = tree = model.tree
        flat = _flat(tree.game)
        self._triples, self._histograms = flat.triples.copy(), flat.histograms[position].copy()
        strengths, layout = strengths_of(model.strategy), _layout(tree.game)
        opponent = model.opponent(position)
        arriving = np.full((1, HOLDING_COUNT), 1 / HOLDING_COUNT, np.float32)
        for street, (nodes, openings, closings, deciders) in enumerate(layout):
            comes = arriving.sum(axis=1) >= NEGLIGIBLE
            reach = np.zeros((len(nodes), arriving.shape[1]), np.float32)
            reach[openings[comes]] = arriving[comes]
            model.refresh(deciders[position][comes].ravel())
            cells = strengths.cells[street]
            pass_street(int(nodes[0]), opponent, tree.arrays, strengths.codes[street], cells, reach, self._triples)
            left, arriving = reach[closings], np.empty((len(closings), CELLS), np.float32)
            average_over_cards(left, strengths.ways[street], arriving)
        total = arriving.sum(axis=1, keepdims=True)
        np.divide(arriving, total, out=self._histograms, where=total > 0)
        self.showdowns = nodes[closings]

    def triples(self, nodes: NDArray[np.int64], out: Array) -> None:
        """His chances of fold, call and raise at decision nodes, into the rows of `out` with their numbers."""
        out[nodes] = self._triples[nodes]

    def histograms(self, position: int, places: NDArray[np.int64], out: Array) -> None:
        """What he shows at showdowns, numbered in order of their nodes, into rows of `out`."""
        out[places] = self._histograms[places]


class _Street(NamedTuple):
    """Where the betting rounds of a street are."""

    nodes: NDArray[np.int64]
    openings: NDArray[np.int64]
    """By round: the place of its first node among those of the street."""
    closings: NDArray[np.int64]
    """In order of the rounds that follow: the places where both players are left."""
    deciders: tuple[NDArray[np.int64], NDArray[np.int64]]
    """By position, round and place: nodes where that player acts."""


@cache
def _flat(game: Game) -> DefaultData:
    return DefaultData.flat(BettingTree.of(game))


@cache
def _layout(game: Game) -> tuple[_Street, ...]:
    tree, found = BettingTree.of(game), []
    for street, rounds in enumerate(betting_rounds(game)):
        nodes = np.array(tree.street_nodes(street))
        openings = rounds.openings - nodes[0]
        shape = nodes[: rounds.size]
        decides = [shape[(tree.kind[shape] == trees.DECISION) & (tree.actor[shape] == player)] for player in (0, 1)]
        first, second = (openings[:, None] + each for each in decides)
        found.append(_Street(nodes, openings, (openings[:, None] + rounds.closings).ravel(), (first, second)))
    return tuple(found)


@dataclass(frozen=True)
class Strengths:
    """How holdings of one strength play by a strategy, and how strength changes with the cards that come. By street."""

    codes: tuple[NDArray[np.float32], ...]
    """Folding and raising in 255ths, by row and unit: a holding before the flop, a cell later."""
    cells: tuple[NDArray[np.int64], ...]
    """By unit."""
    ways: tuple[NDArray[np.float32], ...]
    """By unit and cell of the next street: the chance of coming there; after the river, of showing such a hand rank."""


@lru_cache(maxsize=4)
def strengths_of(strategy: Strategy, boards: int = BOARDS) -> Strengths:
    """The same of a strategy, from sampled boards."""
    model = HoldingModel(strategy)
    before = model.board(())
    classes = before.buckets.astype(np.int64)
    steps = [np.zeros((strategy.abstraction.counts[0] if street == 0 else CELLS, CELLS)) for street in range(4)]
    masses = [np.full(count, 1e-9) for count in strategy.abstraction.counts]
    ones, ranks = np.ones(HOLDING_COUNT), np.empty(HOLDING_COUNT)
    for number in range(boards):
        cards = tuple(Stream(number).deal(range(CARD_COUNT), 5))
        find_strengths(TABLE, RANK_KEYS, np.array(cards, np.uint8), ones, ranks)
        live = ~np.isnan(ranks)
        seen = [model.board(cards[:count]) for count in (3, 4, 5)]
        cells = [board.cells[live] for board in seen]
        shown = np.minimum(CELLS - 1, (ranks[live] * CELLS + 1e-9).astype(np.int64))
        for step, here, there in zip(steps, (classes[live], *cells), (*cells, shown)):
            np.add.at(step, (here, there), 1.0)
        for mass, board in zip(masses[1:], seen):
            mass += np.bincount(board.buckets[live], minlength=len(mass))
    ways = [step / np.maximum(1.0, step.sum(axis=1, keepdims=True)) for step in steps]
    codes = [strategy.codes[0][:, classes]]
    for street in (1, 2, 3):
        weights = np.zeros((len(masses[street]), CELLS))
        weights[np.arange(len(weights)), model.cells[street]] = masses[street]
        shares = (weights / np.maximum(weights.sum(axis=0), 1e-9)).astype(np.float32)
        codes.append(np.moveaxis(np.tensordot(strategy.codes[street], shares, (1, 0)), 1, 2))
    units = np.arange(CELLS)
    return Strengths(
        tuple(np.ascontiguousarray(part, np.float32) for part in codes),
        (before.cells, units, units, units),
        tuple(way.astype(np.float32) for way in (ways[0][classes], *ways[1:])),
    )
