"""Search with a weight for each of the opponent's holdings: what Vexbot2 does at a decision.

The weights come from Bayes' rule over what the opponent did in the hand (`HoldingModel`). The search goes to the end of
the hand and takes the best reply at every decision of the player's own. All river cards are dealt; on the flop, turn
and river cards are few, which stand for all. Before the flop the opponent's holdings are followed by strength alone
(`outline`), in Vexbot's search. Values are in small bets over the whole hand, the money already put in counting as
lost.
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_index
from railbird.game import betting_tree as trees
from railbird.game.betting_rounds import betting_rounds, following_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.cards.isomorphism import isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.search import belief_search as kernels
from railbird.kernels.search.beliefs import Acts, Opponent
from railbird.kernels.search.every_holding import search_holdings
from railbird.kernels.search.river_lookahead import UNSEEN_RIVERS, Belief, Rivers, Showdowns, fill_river_chances
from railbird.kernels.search.spread_cards import spread_cards
from railbird.search import miximax
from railbird.search.futures import future
from railbird.search.holding_model import HOLDING_CARDS, Board, HoldingModel, unseen_holdings
from railbird.search.miximax import SearchResult
from railbird.search.outline import Outline
from railbird.solve.strategy import Strategy

Array = NDArray[np.float64]

TURNS, RIVERS = 6, 4
"""Turn cards that a search on the flop deals, and river cards for each."""
MOST_TURNS, MOST_RIVERS = kernels.UNSEEN_TURNS, UNSEEN_RIVERS
_KINDS = "fcr"
_NO_CARDS = np.empty(0, np.uint8)
_NO_RIVERS = Rivers(0, 0, np.empty((0, 3, 0), np.float32))
SHOWDOWNS = Showdowns(TABLE, RANK_KEYS, HOLDING_CARDS, np.ones(HOLDING_COUNT))


class BeliefSearch:
    """One hand against an opponent: the belief about his holding, and searches from the player's decisions.

    Without `cards` nothing is known of what the player holds himself. Without `filters` all holdings stay equally
    likely, whatever the opponent does.
    """

    def __init__(self, model: HoldingModel, position: int, cards: tuple[int, ...], filters: bool = True) -> None:
        self.model, self.tree = model, model.tree
        self.position, self.opponent = position, 1 - position
        self.cards = cards
        self._filters = filters
        self._flop_rounds = _flop_rounds(model.tree.game)
        self._fresh: set[int] = set()
        self._slice_codes = slice_codes(model.strategy)
        self._boards: dict[int, Board] = {}
        self._rivers: tuple[range, Rivers] | None = None

    def _refresh(self, node: int) -> None:
        """Have the model's views ready for the betting that a node belongs to, and all that may follow it."""
        part = self._flop_rounds[node]
        if part not in self._fresh:
            self._fresh.add(part)
            self.model.refresh(_deciders(self.tree.game, self.opponent, part))

    @cached_property
    def _outline(self) -> Outline:
        """What the model says of all betting to come, as the hand begins."""
        return Outline(self.model, self.opponent)

    def board(self, street: int, board: tuple[int, ...]) -> Board:
        """What the model knows of the board on a street."""
        cards = board[: (0, 3, 4, 5)[street]]
        if street not in self._boards or self._boards[street].cards != cards:
            self._boards[street] = self.model.board(cards)
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

    def search(self, history: str, board: tuple[int, ...], turns: int = TURNS, rivers: int = RIVERS) -> SearchResult:
        """The values of the actions at a decision, and of what may follow on the street.

        On the flop so many turn cards are dealt, and so many river cards for each.
        """
        tree = self.tree
        node = tree.node(history)
        if not board:
            first, second = self.cards
            return miximax.search(self._outline, node, future((first, second), ()))
        self._refresh(node)
        street, last = int(tree.street[node]), int(tree.last[node])
        weights = self.belief(history, board)[-1][2].astype(np.float32)
        seen = self.board(street, board)
        cards, table = np.array(self.cards, np.int64), np.array(seen.cards, np.uint8)
        spot = kernels.Spot(node, last, holding_index(*self.cards), table, weights)
        values = self.values(spot, seen, *spread_cards(TABLE, CARD_KEYS, cards, table, turns, rivers))
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

    def values_of_all(self, history: str, board: tuple[int, ...], turns: int = TURNS, rivers: int = RIVERS) -> Array:
        """By holding of the player, whatever his cards are: the values of fold, call and raise, as `search` finds them.

        Those of holdings that the board rules out, and of actions that are not legal, are nan. The hand must have been
        begun without cards.
        """
        tree = self.tree
        node = tree.node(history)
        if not board:
            return miximax.values_by_holding(self._outline, node)
        self._refresh(node)
        seen = self.board(int(tree.street[node]), board)
        weights = self.belief(history, board)[-1][2]
        spot = kernels.Spot(node, int(tree.last[node]), 0, np.array(seen.cards, np.uint8), weights)
        found = np.full((HOLDING_COUNT, 3), np.nan)
        search_holdings(
            spot,
            (turns, rivers),
            self._turns(node, _NO_CARDS, _NO_CARDS[None]),
            SHOWDOWNS,
            tree.arrays,
            self._opponent,
            self._acts(int(tree.street[node]), seen),
            found,
        )
        return np.asarray(found / tree.game.small_bet)

    def values(self, spot: kernels.Spot, seen: Board, turns: NDArray[np.uint8], rivers: NDArray[np.uint8]) -> Array:
        """The values of the nodes from a decision after the flop on, three ways each, in chips times the whole weight.

        On the flop `turns` are dealt and for each of them a row of `rivers`; on the turn there is one row.
        """
        values = np.zeros((spot.last - spot.root + 1, 3))
        acts = self._acts(int(self.tree.street[spot.root]), seen)
        coming = self._turns(spot.root, turns, rivers)
        kernels.search(spot, coming, SHOWDOWNS, self.tree.arrays, self._opponent, acts, values)
        return values

    def _turns(self, node: int, turns: NDArray[np.uint8], rivers: NDArray[np.uint8]) -> kernels.Turns:
        """The cards to come after a node, and what the opponent does when they have come."""
        strategy = self.model.strategy
        tables = (strategy.codes[2], self.model.cells[2], strategy.abstraction.by_class[1], isomorphism_table())
        chances = self._river_chances(node) if self.tree.street[node] < 3 else _NO_RIVERS
        return kernels.Turns(turns, rivers, *tables, chances)

    @property
    def _opponent(self) -> Opponent:
        return self.model.opponent(self.opponent)

    def _acts(self, street: int, seen: Board) -> Acts:
        return Acts(self.model.strategy.codes[street], seen.buckets, seen.cells)

    def _masses(self, node: int, last: int, seen: Board, weights: NDArray[np.float32]) -> Array:
        """By node from a decision to the end of its street: the chance that the opponent lets it come to that."""
        live, reach = np.empty(HOLDING_COUNT, np.int64), np.zeros((31, HOLDING_COUNT), np.float32)
        reach[0] = weights
        column = np.zeros(len(self.tree), np.int64)
        count = kernels.live_holdings(weights, np.array(seen.cards, np.uint8), live)
        acts = self._acts(int(self.tree.street[node]), seen)
        belief = Belief(live, count, reach, column)
        kinds = kernels.find_kinds(acts, belief)
        kernels.pass_round(node, last, 1, self.tree.arrays, self._opponent, acts.codes, kinds, belief)
        return np.asarray(reach.sum(axis=1, dtype=np.float64)[column[node : last + 1]])

    def _river_chances(self, node: int) -> Rivers:
        """What the opponent does on rivers below a node."""
        numbers = following_rounds(self.tree, node)[-1]
        if self._rivers is None or not self._rivers[0].start <= numbers.start <= numbers.stop <= self._rivers[0].stop:
            rounds = betting_rounds(self.tree.game)[3]
            nodes, decisions = rounds.run(numbers), len(rounds.decisions)
            first_row = numbers.start * decisions
            found = np.zeros((len(numbers) * decisions, 3, self._slice_codes.shape[1]), np.float32)
            fill_river_chances(
                nodes[0], nodes[-1], self.tree.arrays, self._opponent, self._slice_codes, first_row, found
            )
            self._rivers = numbers, Rivers(rounds.size, first_row, found)
        return self._rivers[1]


@cache
def _flop_rounds(game: Game) -> list[int]:
    """By node: the round on the flop that it belongs to or follows from, -1 before the flop."""
    streets = betting_rounds(game)
    found = [-1] * streets[0].size
    for street, rounds in enumerate(streets[1:], start=1):
        numbers = np.repeat(np.arange(len(rounds)), rounds.size)
        for before in streets[1:street]:
            numbers //= len(before.closings)
        found += numbers.tolist()
    return found


@cache
def _deciders(game: Game, position: int, part: int) -> NDArray[np.int64]:
    """The decisions of a player in one round on the flop and all that may follow it, or (-1) before the flop."""
    tree, streets = BettingTree.of(game), betting_rounds(game)
    runs = [streets[0].nodes]
    if part >= 0:
        opening = int(streets[1].openings[part])
        runs = [range(opening, int(tree.last[opening]) + 1)]
        runs += [rounds.run(numbers) for rounds, numbers in zip(streets[2:], following_rounds(tree, opening))]
    nodes = np.concatenate([np.array(run) for run in runs])
    return np.asarray(nodes[(tree.kind[nodes] == trees.DECISION) & (tree.actor[nodes] == position)])


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
