"""Search after the flop with a weight for each of the opponent's holdings: what Vexbot2 does at a decision.

The weights come from Bayes' rule over what the opponent did in the hand (`HoldingModel`). The search goes to the end of
the hand and takes the best reply at every decision of the player's own. All river cards are dealt; on the flop, turn
and river cards are sampled. Values are in small bets over the whole hand, the money already put in counting as lost.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.game import betting_tree as trees
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.cards.isomorphism import isomorphism_table
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.search import belief_search as kernels
from railbird.randomness import Stream
from railbird.search.holding_model import HOLDING_CARDS, Board, HoldingModel, unseen_holdings
from railbird.search.miximax import SearchResult
from railbird.solve.strategy import Strategy

Array = NDArray[np.float64]

TURNS, RIVERS = 6, 4
"""Turn cards that a search on the flop samples, and river cards for each."""
MOST_TURNS, MOST_RIVERS = kernels.UNSEEN_TURNS, kernels.UNSEEN_RIVERS
_KINDS = "fcr"
_TABLES = (TABLE, RANK_KEYS, HOLDING_CARDS, np.ones(HOLDING_COUNT))


class BeliefSearch:
    """One hand against an opponent: the belief about his holding, and searches from the player's decisions.

    Without `filters` all holdings stay equally likely, whatever the opponent does.
    """

    def __init__(self, model: HoldingModel, position: int, cards: tuple[int, int], filters: bool = True) -> None:
        self.model, self.tree = model, model.tree
        self.position, self.opponent = position, 1 - position
        self.cards = cards
        self._filters = filters
        self._layout = _Layout.of(model.tree.game)
        self._fresh: set[int] = set()
        self._slice_codes = slice_codes(model.strategy)
        self._boards: dict[int, Board] = {}
        self._rivers: tuple[int, int, NDArray[np.float32]] | None = None

    def _refresh(self, node: int) -> None:
        """Have the model's views ready for the betting that a node belongs to, and all that may follow it."""
        part = int(self._layout.parts[node])
        if part not in self._fresh:
            self._fresh.add(part)
            self.model.refresh(self._layout.deciders[self.opponent, part])

    def board(self, street: int, board: tuple[int, ...]) -> Board:
        """What the model knows of the board on a street."""
        if street not in self._boards:
            self._boards[street] = self.model.board(board[: (0, 3, 4, 5)[street]])
        return self._boards[street]

    def belief(self, history: str, board: tuple[int, ...]) -> list[tuple[int, int, Array]]:
        """By decision of the opponent: the node, his action, and the chances of his holdings before it.

        The last entry has no action (-1): what is believed now.
        """
        tree, node = self.tree, 0
        weights = unseen_holdings(self.cards)
        found: list[tuple[int, int, Array]] = []
        street = 0
        for kind in history.replace("/", ""):
            if tree.kind[node] != trees.DECISION:
                node = int(tree.child[node, 1])
            if tree.street[node] != street:
                street = int(tree.street[node])
                weights = _without(weights, self.board(street, board).cards)
            action = _KINDS.index(kind)
            if tree.actor[node] == self.opponent:
                self._refresh(node)
                found.append((node, action, weights.copy()))
                if self._filters:
                    self.model.weigh(node, action, self.board(street, board), weights)
                    weights /= weights.sum()
            node = int(tree.child[node, action])
        return [*found, (node, -1, _without(weights, board))]

    def search(
        self, history: str, board: tuple[int, ...], rng: Stream, turns: int = TURNS, rivers: int = RIVERS
    ) -> SearchResult:
        """The values of the actions at a decision after the flop, and of what may follow on the street.

        On the flop so many turn cards are dealt, and so many river cards for each.
        """
        tree, model, layout = self.tree, self.model, self._layout
        node = tree.node(history)
        self._refresh(node)
        street, last = int(tree.street[node]), int(layout.ends[node])
        weights = self.belief(history, board)[-1][2].astype(np.float32)
        seen = self.board(street, board)
        cards, table = np.array(self.cards, np.int64), np.array(seen.cards, np.uint8)
        values = np.zeros((last - node + 1, 3))
        codes, arrays = model.strategy.codes[street], layout.arrays
        acts = (codes, seen.buckets, seen.cells, model.floor, model.views)
        if street == 3:
            kernels.search_river(node, last, cards, table, _TABLES, arrays, self.opponent, *acts, weights, values)
        else:
            first_row, river_chances = self._river_chances(node)
            unseen = [card for card in range(CARD_COUNT) if card not in self.cards and card not in board]
            if street == 2:
                every = np.array(unseen, np.uint8)
                kernels.search_turn(
                    node,
                    last,
                    cards,
                    table,
                    every,
                    layout.sizes[3],
                    _TABLES,
                    arrays,
                    self.opponent,
                    *acts,
                    first_row,
                    river_chances,
                    weights,
                    values,
                )
            else:
                some_turns, some_rivers = _sampled(unseen, rng, turns, rivers)
                strategy = model.strategy
                kernels.search_flop(
                    node,
                    last,
                    cards,
                    table,
                    some_turns,
                    some_rivers,
                    layout.sizes[3],
                    _TABLES,
                    arrays,
                    self.opponent,
                    codes,
                    seen.buckets,
                    seen.cells,
                    strategy.codes[2],
                    model.cells[2],
                    strategy.abstraction.by_class[1],
                    isomorphism_table(),
                    model.floor,
                    model.views,
                    first_row,
                    river_chances,
                    weights,
                    values,
                )
        whole = float(weights.sum())
        masses = self._masses(node, last, seen, weights) / whole
        fair = (values @ (0.5, 0.25, 0.25)) / (tree.game.small_bet * whole)
        found = [fair[child - node] if child >= 0 else np.nan for child in tree.child[node].tolist()]
        triples = np.zeros((len(tree), 3))
        for at in range(node, last + 1):
            for action, child in enumerate(tree.child[at].tolist()):
                if node <= child <= last and masses[at - node] > 0:
                    triples[at, action] = masses[child - node] / masses[at - node]
        arrived = np.divide(fair, masses, out=np.zeros_like(fair), where=masses > 0)
        return SearchResult(np.array(found), tree, node, triples, arrived)

    def _masses(self, node: int, last: int, seen: Board, weights: NDArray[np.float32]) -> Array:
        """By node from a decision to the end of its street: the chance that the opponent lets it come to that."""
        street, layout, model = int(self.tree.street[node]), self._layout, self.model
        live, reach = np.empty(HOLDING_COUNT, np.int64), np.zeros((31, HOLDING_COUNT), np.float32)
        reach[0] = weights
        column = np.zeros(len(self.tree), np.int64)
        count = kernels.live_holdings(weights, np.array(seen.cards, np.uint8), live)
        kernels.pass_round(
            node,
            last,
            1,
            *layout.arrays[:4],
            self.opponent,
            model.strategy.codes[street],
            seen.buckets,
            seen.cells,
            model.floor,
            model.views,
            live,
            count,
            reach,
            column,
        )
        return np.asarray(reach.sum(axis=1, dtype=np.float64)[column[node : last + 1]])

    def _river_chances(self, node: int) -> tuple[int, NDArray[np.float32]]:
        """What the opponent does on rivers below a node, and the row of the first of their decisions."""
        layout = self._layout
        first, last = layout.rivers[node]
        if self._rivers is None or not self._rivers[0] <= first <= last <= self._rivers[1]:
            first_row, last_row = layout.row_range(first, last)
            found = np.zeros((last_row - first_row + 1, 3, self._slice_codes.shape[1]), np.float32)
            kernels.fill_river_chances(
                first,
                last,
                *layout.arrays[:4],
                self.opponent,
                self._slice_codes,
                first_row,
                self.model.floor,
                self.model.views,
                found,
            )
            self._rivers = (first, last, found)
        return layout.row_range(self._rivers[0], self._rivers[1])[0], self._rivers[2]


class _Layout:
    """A betting tree as the kernels want it."""

    def __init__(self, tree: BettingTree) -> None:
        kinds, count = tree.kind, len(tree)
        self.arrays = (tree.kind, tree.actor, tree.child, tree.row, tree.committed)
        self.ends = np.arange(count)
        """By node: the last node of its betting round that follows from it."""
        self.rivers = np.full((count, 2), (count, -1))
        """By node: the first and last node on the river that follow from it."""
        for node in range(count - 1, 0, -1):
            before = tree.parent[node]
            if kinds[before] != trees.STREET_START:
                self.ends[before] = max(self.ends[before], self.ends[node])
            if tree.street[node] == 3:
                self.rivers[node] = min(node, self.rivers[node][0]), max(node, self.rivers[node][1])
            self.rivers[before] = (
                min(self.rivers[before][0], self.rivers[node][0]),
                max(self.rivers[before][1], self.rivers[node][1]),
            )
        self.parts = np.zeros(count, np.int64)
        """By node: the round on the flop that it belongs to or follows from; those before the flop are part 0."""
        flops = iter(range(1, count))
        for node in range(1, count):
            before = tree.parent[node]
            begins = kinds[before] == trees.STREET_START and tree.street[node] == 1
            self.parts[node] = next(flops) if begins else self.parts[before]
        decided = np.flatnonzero(kinds == trees.DECISION)
        self.deciders = {
            (position, part): decided[(tree.actor[decided] == position) & (self.parts[decided] == part)]
            for position in range(2)
            for part in range(int(self.parts.max()) + 1)
        }
        """By position and part: the decisions of the player there."""
        self._tree = tree
        starts = tree.child[kinds == trees.STREET_START, 1]
        self.sizes = [
            int(self.ends[start] - start + 1)
            for start in (0, *(int(starts[tree.street[starts] == street][0]) for street in (1, 2, 3)))
        ]
        """By street: the nodes of a betting round."""

    @staticmethod
    @cache
    def of(game: Game) -> _Layout:
        return _Layout(BettingTree.of(game))

    def row_range(self, first: int, last: int) -> tuple[int, int]:
        """The rows of the first and last decision among nodes of one street."""
        rows = self._tree.row[first : last + 1]
        return int(rows[rows >= 0].min()), int(rows.max())


def slice_codes(strategy: Strategy) -> NDArray[np.float32]:
    """River probabilities in 255ths by row and slice of hand strength, the mean of a slice's parts."""
    if strategy not in _SLICES:
        codes = strategy.codes[3]
        slices, parts = strategy.abstraction.slices
        _SLICES[strategy] = codes.reshape(len(codes), slices, parts, 2).mean(axis=2, dtype=np.float32)
    return _SLICES[strategy]


_SLICES: dict[Strategy, NDArray[np.float32]] = {}


def _without(weights: Array, cards: tuple[int, ...]) -> Array:
    """The weights with holdings of these cards taken out, summing to one."""
    left = np.where(np.isin(HOLDING_CARDS, cards).any(axis=1), 0.0, weights)
    return np.asarray(left / left.sum())


def _sampled(unseen: list[int], rng: Stream, turns: int, rivers: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Turn cards, and for each of them river cards, drawn without replacement."""
    generator = rng.numpy()
    dealt = generator.permutation(unseen)[:turns]
    after = [generator.permutation([card for card in unseen if card != turn])[:rivers] for turn in dealt]
    return dealt.astype(np.uint8), np.array(after, np.uint8)
