"""Miximax and Miximix: the expected value of every action, searched to the end of the hand (Billings et al. 2004, 4.4).

The tree below the decision has four kinds of nodes, as in the paper. At *chance* nodes all cards are equally likely
(equation 4.1). At the *opponent's* decisions the model gives the probabilities (4.2). At *own* decisions the best
action is taken (4.3, Miximax), or each with a probability that grows with its value (Miximix). *Leaf* nodes are folds,
worth what was won or lost, and showdowns, worth the pot times the chance to win less the cost (4.4); the chance to win
comes from the opponent's histogram and the own hand rank on the final board.

As the model does not look at the board, a betting round of the river is worth the same on all boards that give the
player the same hand rank. So it is searched once for each rank, and boards enter as averages between streets
(`futures`). Values are in small bets over the whole hand, the money already put in counting as lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.errors import IllegalActionError
from railbird.game import betting_tree as trees
from railbird.game.betting_tree import BettingTree
from railbird.kernels.search.tree_values import (
    DEAL,
    FOLDED,
    OPPONENT,
    OWN,
    SHOWDOWN,
    accumulate_cells,
    average_over_cards,
    value_rounds,
)
from railbird.modeling.context_tree import CELLS, ContextTree
from railbird.search.futures import Future

Array = NDArray[np.float64]

ACTIONS = ("fold", "call", "raise")


@dataclass(frozen=True)
class Line:
    """One way the street may go on: after an action of the player's own, who then takes the best."""

    history: str
    """The actions from the decision to the end of the street or hand."""
    chance: float
    """How likely the opponent makes it so, once the first action is taken."""
    value: float
    """Small bets won over the hand, on average, when it comes to this."""


@dataclass(frozen=True)
class SearchResult:
    """What a search has found."""

    values: Array
    """The expected values of fold, call and raise in small bets; nan for actions that are not allowed."""
    tree: BettingTree
    node: int
    """The decision that was searched."""
    triples: Array
    """By node: what the opponent is expected to do."""
    street_values: Array
    """The values of the nodes of the street from the decision on, in small bets."""

    @property
    def best(self) -> int:
        """The action of the largest value; of equals the first: a fold before a call before a raise."""
        return int(np.nanargmax(self.values))

    def chances(self, temperature: float) -> Array:
        """How likely Miximix takes each action; with a temperature of 0 the best one is certain."""
        if temperature == 0.0:
            return np.asarray(np.eye(3)[self.best])
        weights = np.exp((self.values - np.nanmax(self.values)) / temperature)
        return np.asarray(np.nan_to_num(weights) / np.nansum(weights))

    def lines(self) -> tuple[Line, ...]:
        """How the street may go on, by action and then the likeliest first."""
        tree, found = self.tree, []
        start = len(tree.history[self.node])
        for child in tree.child[self.node].tolist():
            if child >= 0:
                ends = sorted(self._ends(child, 1.0), key=lambda end: -end[1])
                found += [
                    Line(tree.history[end][start:], chance, float(self.street_values[end - self.node]))
                    for end, chance in ends
                ]
        return tuple(found)

    def _ends(self, at: int, chance: float) -> list[tuple[int, float]]:
        """Where the street or hand may end from a node on, the opponent doing anything and the player the best."""
        tree = self.tree
        if tree.kind[at] != trees.DECISION:
            return [(at, chance)]
        children = tree.child[at].tolist()
        if tree.actor[at] == tree.actor[self.node]:
            legal = [child for child in children if child >= 0]
            return self._ends(max(legal, key=lambda child: self.street_values[child - self.node]), chance)
        return [
            end
            for child, reply in zip(children, self.triples[at].tolist())
            if child >= 0
            for end in self._ends(child, chance * reply)
        ]


class _Layout:
    """A betting tree as the kernel wants it: rounds, and what each node is to a player in either position."""

    def __init__(self, tree: BettingTree) -> None:
        game, count = tree.game, len(tree)
        self.first: list[NDArray[np.int64]] = []
        self.last: list[NDArray[np.int64]] = []
        self.places = np.full(count, -1)
        kinds = tree.kind
        for street in range(game.streets):
            nodes = np.array(tree.street_nodes(street))
            starts = [0] if street == 0 else tree.child[kinds == trees.STREET_START, 1]
            first = np.array([node for node in starts if tree.street[node] == street])
            self.first.append(first)
            self.last.append(np.append(first[1:], nodes[-1] + 1) - 1)
            deals = nodes[kinds[nodes] == trees.STREET_START]
            self.places[deals] = np.arange(len(deals))
        self.ends = np.arange(count)
        for node in range(count - 1, 0, -1):
            if kinds[tree.parent[node]] != trees.STREET_START:
                self.ends[tree.parent[node]] = max(self.ends[tree.parent[node]], self.ends[node])
        shown = np.flatnonzero(kinds == trees.SHOWDOWN)
        self.places[shown] = np.arange(len(shown))
        self.longest = max(int((last - first).max()) + 1 for first, last in zip(self.first, self.last))
        self.child = tree.child.astype(np.int64)
        money = tree.committed / game.small_bet
        self.pots = money.sum(axis=1)
        self.roles = np.empty((2, count), np.int64)
        self.amounts = np.zeros((2, count))
        for own in range(2):
            decided = np.where(tree.actor == own, OWN, OPPONENT)
            self.roles[own] = np.select(
                [kinds == trees.DECISION, kinds == trees.FOLDED, kinds == trees.SHOWDOWN],
                [decided, FOLDED, SHOWDOWN],
                DEAL,
            )
            self.amounts[own] = np.where(tree.actor == own, -money[:, own], money[:, 1 - own])
            self.amounts[own, shown] = money[shown, own]


_LAYOUTS: dict[int, tuple[BettingTree, _Layout]] = {}


def _layout(tree: BettingTree) -> _Layout:
    """Worked out once for each tree; trees are made once for each game."""
    if id(tree) not in _LAYOUTS:
        _LAYOUTS[id(tree)] = tree, _Layout(tree)
    return _LAYOUTS[id(tree)][1]


def search(model: ContextTree, node: int, cards: Future, temperature: float = 0.0) -> SearchResult:
    """The values of the actions at a decision node, for the player to act there against the opponent of the model.

    `cards` is what may come for the player's holding. With a `temperature` above 0, in small bets, the player's later
    decisions are mixed (Miximix): each action has a probability proportional to exp(value / temperature).
    """
    reading = Reading(model, node)
    return reading.result(cards.hand_ranks, reading.openings(cards.hand_ranks, cards.steps, temperature), temperature)


class _Span(NamedTuple):
    """The betting rounds of one street that can follow a decision; their numbers are consecutive."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    offset: int
    """How many rounds of the street come before them."""


class Reading:
    """What a model says of everything that can follow a decision: one search for one or many futures."""

    def __init__(self, model: ContextTree, node: int) -> None:
        tree = model.tree
        if tree.kind[node] != trees.DECISION:
            raise IllegalActionError(f"nobody is to act after {tree.history[node]!r}")
        self.tree, self.node = tree, node
        self.layout, self.own = _layout(tree), int(tree.actor[node])
        self.spans = self._find_spans()
        self.triples: Array = np.zeros((len(tree), 3))
        self.cumulative: Array = np.zeros((len(model.showdowns), CELLS + 1))
        roles = self.layout.roles[self.own]
        for span in self.spans:
            nodes = np.arange(span.first[0], span.last[-1] + 1)
            model.triples(nodes[roles[nodes] == OPPONENT], self.triples)
        places = self.layout.places[nodes[roles[nodes] == SHOWDOWN]]
        histograms = np.empty((len(self.cumulative), CELLS))
        model.histograms(1 - self.own, places, histograms)
        accumulate_cells(places, histograms, self.cumulative)

    def openings(self, hand_ranks: Array, steps: Sequence[Array], temperature: float = 0.0) -> Array:
        """The values of the betting rounds that open the next street, by round and column of the decision's street.

        `hand_ranks` and `steps` are those of a `Future`. On the river nothing follows.
        """
        later = np.zeros((1, 1))
        for span, step in zip(reversed(self.spans[1:]), steps):
            found, _ = self._values(span, hand_ranks, len(step), later, temperature)
            later = np.empty((span.offset + len(found), step.shape[1]))
            average_over_cards(found, step, later[span.offset :])
        return later

    def result(self, hand_ranks: Array, later: Array, temperature: float = 0.0) -> SearchResult:
        """The search of the decision's own street, the values of the next one's rounds being known."""
        _, rows = self._values(self.spans[0], hand_ranks, 1, later, temperature)
        children = self.tree.child[self.node].tolist()
        values = np.array([rows[child - self.node, 0] if child >= 0 else np.nan for child in children])
        return SearchResult(values, self.tree, self.node, self.triples, rows[:, 0])

    def _values(
        self, span: _Span, hand_ranks: Array, columns: int, later: Array, temperature: float
    ) -> tuple[Array, Array]:
        """The values of rounds by column, and those of the nodes of the last one."""
        scaled = hand_ranks * CELLS
        cells = np.minimum(CELLS - 1, scaled.astype(np.int64))
        layout = self.layout
        rows, found = np.empty((layout.longest, columns)), np.empty((len(span.first), columns))
        value_rounds(
            span.first,
            span.last,
            layout.roles[self.own],
            layout.child,
            layout.places,
            self.triples,
            layout.amounts[self.own],
            layout.pots,
            self.cumulative,
            cells,
            scaled - cells,
            later,
            temperature,
            rows,
            found,
        )
        return found, rows

    def _find_spans(self) -> list[_Span]:
        """By street, from that of the decision on."""
        layout, tree, node = self.layout, self.tree, self.node
        spans = [_Span(np.array([node]), layout.ends[node : node + 1], 0)]
        for street in range(tree.street[node] + 1, tree.game.streets):
            low, high = int(spans[-1].first[0]), int(spans[-1].last[-1]) + 1
            deals = layout.places[low:high][tree.kind[low:high] == trees.STREET_START]
            rounds = slice(deals[0], deals[-1] + 1)
            spans.append(_Span(layout.first[street][rounds], layout.last[street][rounds], int(deals[0])))
        return spans
