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
from functools import cache
from math import isnan
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, class_text, holding_cards
from railbird.errors import IllegalActionError
from railbird.game import betting_tree as trees
from railbird.game.betting_rounds import betting_rounds, following_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.search.tree_values import (
    DEAL,
    FOLDED,
    OPPONENT,
    OWN,
    SHOWDOWN,
    HandRanks,
    Model,
    Runs,
    SeenTree,
    accumulate_cells,
    average_over_cards,
    value_rounds,
)
from railbird.modeling.context_tree import CELLS
from railbird.search.futures import Future, future

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
        known = [(-value, action) for action, value in enumerate(self.values.tolist()) if not isnan(value)]
        return min(known)[1]  # np.nanargmax takes a third of a river search

    def chances(self, temperature: float) -> Array:
        """How likely Miximix takes each action; with a temperature of 0 the best one is certain."""
        if temperature == 0.0:
            return np.asarray(np.eye(3)[self.best])
        weights = np.exp((self.values - np.fmax.reduce(self.values)) / temperature)
        weights[np.isnan(weights)] = 0.0
        return np.asarray(weights / weights.sum())

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


@cache
def _seen_tree(game: Game, own: int) -> SeenTree:
    """A betting tree as the player in a position sees it."""
    tree = BettingTree.of(game)
    kinds, shown = tree.kind, tree.kind == trees.SHOWDOWN
    places = np.full(len(tree), -1)
    for rounds in betting_rounds(game):
        closings = (rounds.openings[:, None] + rounds.closings).ravel()
        places[closings] = np.arange(len(closings))
    money = tree.committed / game.small_bet
    decided = np.where(tree.actor == own, OWN, OPPONENT)
    roles = np.select([kinds == trees.DECISION, kinds == trees.FOLDED, shown], [decided, FOLDED, SHOWDOWN], DEAL)
    amounts = np.where(tree.actor == own, -money[:, own], money[:, 1 - own])
    amounts[shown] = money[shown, own]
    return SeenTree(roles, tree.child, places, amounts, money.sum(axis=1))


class OpponentModel(Protocol):
    """What a search asks of a model: a context tree, say."""

    tree: BettingTree
    showdowns: NDArray[np.int64]
    """The nodes at which hands are shown."""

    def triples(self, nodes: NDArray[np.int64], out: Array) -> None:
        """His chances of fold, call and raise at decision nodes, into the rows of `out` with their numbers."""

    def histograms(self, position: int, places: NDArray[np.int64], out: Array) -> None:
        """What he shows in `position` at showdowns, numbered in order of their nodes, into rows of `out`."""


def search(model: OpponentModel, node: int, cards: Future, temperature: float = 0.0) -> SearchResult:
    """The values of the actions at a decision node, for the player to act there against the opponent of the model.

    `cards` is what may come for the player's holding. With a `temperature` above 0, in small bets, the player's later
    decisions are mixed (Miximix): each action has a probability proportional to exp(value / temperature).
    """
    reading = Reading(model, node)
    return reading.result(cards.hand_ranks, reading.openings(cards.hand_ranks, cards.steps, temperature), temperature)


def values_by_holding(model: OpponentModel, node: int) -> Array:
    """Before the flop, by holding that the player may have: the values of fold, call and raise."""
    reading, by_class = Reading(model, node), dict[str, Array]()
    names = [class_text(holding) for holding in range(HOLDING_COUNT)]
    for holding, name in enumerate(names):
        if name not in by_class:
            cards = future(holding_cards(holding), ())
            by_class[name] = reading.result(cards.hand_ranks, reading.openings(cards.hand_ranks, cards.steps)).values
    return np.array([by_class[name] for name in names])


class _Span(NamedTuple):
    """The betting rounds of one street that can follow a decision; their numbers are consecutive."""

    runs: Runs
    offset: int
    """How many rounds of the street come before them."""


class Reading:
    """What a model says of everything that can follow a decision: one search for one or many futures."""

    def __init__(self, model: OpponentModel, node: int) -> None:
        tree = model.tree
        if tree.kind[node] != trees.DECISION:
            raise IllegalActionError(f"nobody is to act after {tree.history[node]!r}")
        self.tree, self.node = tree, node
        self.own = int(tree.actor[node])
        self.seen = _seen_tree(tree.game, self.own)
        self.spans, self.longest = _spans(tree.game, node)
        self.triples: Array = np.zeros((len(tree), 3))
        self.cumulative: Array = np.zeros((len(model.showdowns), CELLS + 1))
        roles = self.seen.roles
        for span in self.spans:
            nodes = np.arange(span.runs.first[0], span.runs.last[-1] + 1)
            model.triples(nodes[roles[nodes] == OPPONENT], self.triples)
        places = self.seen.places[nodes[roles[nodes] == SHOWDOWN]]
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
        here = rows[: self.tree.last[self.node] - self.node + 1, 0]
        return SearchResult(values, self.tree, self.node, self.triples, here)

    def _values(
        self, span: _Span, hand_ranks: Array, columns: int, later: Array, temperature: float
    ) -> tuple[Array, Array]:
        """The values of rounds by column, and those of the nodes of the last one."""
        scaled = hand_ranks * CELLS
        cells = np.minimum(CELLS - 1, scaled.astype(np.int64))
        rows, found = np.empty((self.longest, columns)), np.empty((len(span.runs.first), columns))
        model, ranks = Model(self.triples, self.cumulative), HandRanks(cells, scaled - cells)
        value_rounds(span.runs, self.seen, model, ranks, later, temperature, rows, found)
        return found, rows


@cache
def _spans(game: Game, node: int) -> tuple[list[_Span], int]:
    """The rounds that can follow a decision, by street from its own on; and how many nodes a round has at most."""
    tree = BettingTree.of(game)
    found = [_Span(Runs(np.array([node]), tree.last[node : node + 1]), 0)]
    later = betting_rounds(game)[tree.street[node] + 1 :]
    for rounds, numbers in zip(later, following_rounds(tree, node)):
        first = rounds.openings[numbers.start : numbers.stop]
        found.append(_Span(Runs(first, first + (rounds.size - 1)), numbers.start))
    return found, max(rounds.size for rounds in betting_rounds(game))
