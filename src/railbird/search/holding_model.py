"""Vexbot2's memory of one opponent: how far he departs from a strategy, by betting context and strength of holding.

It answers for every holding, not for the average one, so a search can ask what each of the 1,326 would do. Before
anything was seen it is the strategy itself. `railbird.kernels.search.beliefs` tells how observations bend it.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_index
from railbird.errors import RailbirdError
from railbird.files import described, map_tables, table_of, write_tables
from railbird.game.betting_tree import BettingTree
from railbird.kernels.search import beliefs
from railbird.modeling.betting_classes import betting_classes
from railbird.modeling.context_tree import betting_of
from railbird.odds.expected_rank import HoldingOrder
from railbird.odds.income_rates import income_rates
from railbird.search.memories import Memories, lengths_of
from railbird.solve.abstraction import BY_HISTOGRAM
from railbird.solve.strategy import Strategy

Array = NDArray[np.float64]
CELLS = beliefs.CELLS
VERSION = 2
_WHAT = "holding model"
_AGAIN = "save the model again (Vexbot2.save)"
_PARTS = ("seen", "expected", "shown", "odds", "known")


@dataclass(frozen=True)
class Level:
    """A level of context at which actions are counted."""

    abstraction: int
    """The level of betting context, A0 (the exact sequence) to A3 (the street, and which actions are legal)."""
    groups: int
    """Into how many groups of equal size holdings are told apart by strength; with one, by nothing."""
    prior: float
    """How many imagined observations agree with what the levels before expect."""


BENDS = (Level(3, 1, 8.0), Level(2, 1, 8.0), Level(1, 1, 8.0), Level(3, 10, 8.0), Level(2, 10, 8.0))
SHARES = (Level(3, 1, 2.0), Level(3, 20, 2.0), Level(2, 20, 4.0), Level(1, 10, 8.0))
"""From crude to fine: the levels that bend the strategy, and those of plain frequencies."""
FIRST_ODDS, USUAL_ODDS, MOST_ODDS, ODDS_KEPT = -16.0, -4.0, 7.0, 0.995
"""Logarithms of the odds of frequencies against the bent table: at first, where they go while nothing speaks for one
of them, at most, and how much of the way is left after an action. Few frequencies are rough, even if they foretell.
"""

HALF_MET = 2.0
"""Actions after which the frequencies of a context count half of what they would after many."""


@dataclass(frozen=True)
class Board:
    """What the model needs to know of the cards on a street."""

    cards: tuple[int, ...]
    buckets: NDArray[np.uint16]
    """By holding: its bucket in the strategy's table."""
    cells: NDArray[np.int64]
    """By holding: its strength on the street in twentieths, 0 the weakest."""


class _Counters:
    """Where the counts of some levels are kept."""

    def __init__(self, tree: BettingTree, levels: tuple[Level, ...]) -> None:
        classes = betting_classes(tree, "raises").decisions
        decided = np.concatenate(tree.decisions)
        self._rows = np.zeros((len(levels), len(tree)), np.int64)
        self.total = 0
        for at, level in enumerate(levels):
            numbers, places = np.unique(classes[decided, level.abstraction], return_inverse=True)
            self.finest = slice(self.total, None)  # rows of the last level
            self._rows[at, decided] = self.total + places * level.groups
            self.total += len(numbers) * level.groups
        self._groups = np.array([level.groups for level in levels])
        self._prior = np.array([level.prior for level in levels])

    @property
    def rows(self) -> NDArray[np.int64]:
        """By level and node: the first row of counts."""
        return self._rows

    @property
    def arrays(self) -> beliefs.Levels:
        """First rows by level and node, groups and imagined observations by level."""
        return beliefs.Levels(self._rows, self._groups, self._prior)

    def at(self, node: int) -> beliefs.Levels:
        """The same for one node."""
        return beliefs.Levels(np.ascontiguousarray(self._rows[:, node]), self._groups, self._prior)


def _finest(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels of the finest betting contexts alone."""
    finest = min(level.abstraction for level in levels)
    return tuple(level for level in levels if level.abstraction == finest)


def _contexts(tree: BettingTree, bends: _Counters, shares: _Counters) -> NDArray[np.int64]:
    """By node: a number that nodes share where they have a street, legal actions and all counts in common."""
    told_by = np.concatenate([tree.street[None], (tree.child >= 0).T, bends.rows, shares.rows])
    return np.unique(told_by, axis=1, return_inverse=True)[1].ravel()


class HoldingModel:
    """What is known of one opponent, in either position: a strategy, and counts of several memories that bend it.

    memory: hands after which an observation counts about a third in the longest memory.
    floor: the share of its probabilities that the strategy spreads evenly over legal actions.
    without: parts to leave out, to see what they are worth: the bent "table", the "shares" (frequencies), all "levels"
    but the finest, or what is "young": shorter memories, and the strategy as a model.
    """

    def __init__(
        self, strategy: Strategy, memory: float = 5000.0, floor: float = 0.02, without: Collection[str] = ()
    ) -> None:
        if memory < 1 or not 0 < floor < 1:
            raise RailbirdError(
                f"a memory of {memory} hands and a floor of {floor}; the one must be 1 or more, the "
                "other between 0 and 1"
            )
        self.strategy = strategy
        self.tree = tree = BettingTree.of(strategy.game)
        self.memory, self.floor = memory, np.float32(floor)
        self.without = frozenset(without)
        if self.without >= {"table", "shares"}:
            raise RailbirdError("a model without the table and without the shares has nothing left")
        kept = _finest if "levels" in self.without else tuple
        self._bends, self._shares = _Counters(tree, kept(BENDS)), _Counters(tree, kept(SHARES))
        self.cells = [_bucket_cells(strategy, street) for street in range(4)]
        """By street after the flop and bucket: the cell of its holdings."""
        self._legal = (tree.child >= 0).astype(np.float64)
        self._contexts = _contexts(tree, self._bends, self._shares)
        nodes = np.unique(self._contexts, return_index=True)[1]
        self._street_of, finest = tree.street[nodes], self._shares.rows[-1, nodes]
        self._finest = np.maximum(finest - self._shares.finest.start, 0) // self._shares.arrays.groups[-1]
        """By context: its number among those of the finest level of frequencies."""
        self._views = np.zeros((len(nodes), CELLS, 7), np.float32)
        self.forget()

    def forget(self) -> None:
        """Lose all observations."""
        is_old = "young" in self.without
        lengths = (self.memory,) if is_old else lengths_of(self.memory)
        self.memories = Memories(lengths, strategy=not is_old and "table" not in self.without)
        self.seen, self.expected = np.zeros((2, len(lengths), self._bends.total, 3))
        self.shown = np.zeros((len(lengths), self._shares.total, 3))
        self.odds = np.full((len(lengths), 4), FIRST_ODDS)
        """By memory and street: the logarithm of the odds of the frequencies against the bent table."""

    @property
    def hands(self) -> float:
        """How many hands are known of the opponent as he is now."""
        return self.memories.hands

    @property
    def surprise(self) -> float:
        """By how much the model has foretold actions better than the strategy would have."""
        return self.memories.surprise

    def board(self, cards: tuple[int, ...]) -> Board:
        """The buckets and cells of all holdings on a board."""
        buckets = self.strategy.abstraction.board_buckets(np.array(cards, np.uint8))
        return Board(cards, buckets, self.cells[len(cards) - 2][buckets] if cards else _preflop_cells())

    def refresh(self, nodes: NDArray[np.int64]) -> None:
        """Bring the views of decision nodes up to date with what was seen."""
        beliefs.fill_views(
            nodes,
            self._contexts,
            self._legal,
            self._bends.arrays,
            self._shares.arrays,
            beliefs.Counts(self.seen, self.expected, self.shown),
            self.weights,
            self._views,
        )

    def views(self, node: int) -> NDArray[np.float32]:
        """By cell, as `refresh` left them, the views of a node: see `railbird.kernels.search.beliefs.chances`."""
        return np.asarray(self._views[self._contexts[node]])

    def opponent(self, position: int) -> beliefs.Opponent:
        """The opponent in a position, as `refresh` left the views of him."""
        return beliefs.Opponent(position, self.floor, self._contexts, self._views)

    @property
    def weights(self) -> Array:
        """By context: how much the strategy counts, and then the bent table and the frequencies of each memory."""
        strategy, memories = self.memories.counting[0], self.memories.counting[1:]
        shares = self._share_weights(slice(None)).T
        found = np.empty((len(shares), 1 + 2 * len(memories)))
        found[:, 0], found[:, 1::2], found[:, 2::2] = strategy, memories * (1 - shares), memories * shares
        return found

    def _share_weights(self, contexts: int | slice) -> Array:
        """By memory and context: how much the frequencies count, against the bent table.

        Where an opponent was seldom met they repeat what he does elsewhere, and the table knows better.
        """
        odds = self.odds[:, self._street_of[contexts]]
        if "table" in self.without or "shares" in self.without:
            return np.full_like(odds, float("table" in self.without))
        finest = len(self.shown), -1, 3 * self._shares.arrays.groups[-1]
        met = self.shown[:, self._shares.finest].reshape(finest).sum(axis=-1)[:, self._finest[contexts]]
        return np.asarray(met / (met + HALF_MET) / (1.0 + np.exp(-odds)))

    def weigh(self, node: int, action: int, board: Board, weights: Array) -> None:
        """Bayes' rule after an action at a node: weights of holdings change in place."""
        can_fold, _, can_raise = (self.tree.child[node] >= 0).tolist()
        acts = self._acts(node, board)
        beliefs.weigh_action(action, acts, can_fold, can_raise, self.floor, self.views(node), weights)

    def _acts(self, node: int, board: Board) -> beliefs.Acts:
        """What the strategy does at one node."""
        codes = self.strategy.codes[self.tree.street[node]][self.tree.row[node]]
        return beliefs.Acts(codes, board.buckets, board.cells)

    def observe(self, node: int, action: int, board: Board, before: Array, after: Array) -> None:
        """The opponent acted at a node.

        `before` and `after` are the chances of his holdings before the action and at the end of the hand.
        """
        street = int(self.tree.street[node])
        shares, told = self._share_weights(self._contexts[node]), np.empty(1 + len(self.seen))
        acts, levels = self._acts(node, board), (self._bends.at(node), self._shares.at(node))
        for memory, share in enumerate(shares.tolist()):
            counts = beliefs.Counts(self.seen[memory], self.expected[memory], self.shown[memory])
            held = before, after
            told[0], by_table, by_shares = beliefs.count_action(
                action, acts, self._legal[node], self.floor, held, *levels, counts
            )
            told[1 + memory] = share * by_shares + (1 - share) * by_table
            ratio = np.log(by_shares / by_table) if by_table > 0 and by_shares > 0 else 0.0
            kept = USUAL_ODDS + ODDS_KEPT * (self.odds[memory, street] - USUAL_ODDS)
            self.odds[memory, street] = np.clip(kept + ratio, FIRST_ODDS, MOST_ODDS)
        self.memories.foretold(told)

    def end_hand(self) -> None:
        """A hand is over: what was seen before counts a little less."""
        counted = self.seen, self.expected, self.shown, self.odds
        for number in self.memories.outdone():
            for each in counted:
                each[number - 1] = each[number]
        for memory, keep in enumerate(self.memories.end_hand().tolist()):
            for each in counted[:3]:
                each[memory] *= keep

    def save(self, path: Path) -> Path:
        """Write what was learned, with its parameters. The file appears whole or not at all."""
        about = json.dumps(self._about()).encode()
        return write_tables(
            path,
            _WHAT,
            VERSION,
            {
                "about": np.frombuffer(about, np.uint8),
                "seen": self.seen,
                "expected": self.expected,
                "shown": self.shown,
                "odds": self.odds,
                "known": self.memories.table,
            },
        )

    @classmethod
    def load(cls, path: Path, strategy: Strategy) -> HoldingModel:
        """The model in a file; refuses one that is damaged, of another version, or around another strategy."""
        tables = check_model(path)
        try:
            if missing := [name for name in _PARTS if name not in tables]:
                raise ValueError(f"{missing[0]!r} is missing")
            about = described(tables)
            model = cls(
                strategy, about.decimal("memory", 1, 1e12), about.decimal("floor", 0, 1), about.texts("without")
            )
            known = model.memories.table
            shapes = tuple(each.shape for each in (model.seen, model.expected, model.shown, model.odds, known))
        except ValueError as error:
            raise RailbirdError(f"{str(path)!r} is damaged: {error}") from None
        if about.found != model._about():
            raise RailbirdError(f"{str(path)!r} is a model around another strategy or game; {_AGAIN}")
        try:
            parts = [table_of(tables, name, shape) for name, shape in zip(_PARTS, shapes)]
        except ValueError as error:
            raise RailbirdError(
                f"{str(path)!r} is damaged, or has other classes of betting: {error}; {_AGAIN}"
            ) from None
        model.seen, model.expected, model.shown, model.odds, known = parts
        model.memories.table = known
        return model

    def _about(self) -> dict[str, Any]:
        levels = [[level.abstraction, level.groups, level.prior] for level in (*BENDS, *SHARES)]
        return {
            "levels": levels,
            "memory": self.memory,
            "floor": float(self.floor),
            "without": sorted(self.without),
            "betting": betting_of(self.tree.game),
            "strategy": _digest(self.strategy),
        }


def check_model(path: Path) -> dict[str, NDArray[Any]]:
    """The tables of a saved model; refuses a file that is damaged or of another version."""
    try:
        return map_tables(path, _WHAT, VERSION, _AGAIN)
    except OSError as error:
        raise RailbirdError(f"cannot read the model {str(path)!r}: {error.strerror}") from None


def _digest(strategy: Strategy) -> str:
    """A short name that differs from that of any other strategy."""
    digest = blake2b(strategy.abstraction.digest.encode(), digest_size=8)
    definition = strategy.abstraction.definition
    for part in (definition["river"], *strategy.codes):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _bucket_cells(strategy: Strategy, street: int) -> NDArray[np.int64]:
    """The cells of a street's buckets, which come in order of strength: rising, or falling if they are clusters."""
    count = strategy.abstraction.counts[street]
    cells = np.arange(count) * CELLS // count
    is_falling = street in (1, 2) and strategy.abstraction.method in BY_HISTOGRAM
    return CELLS - 1 - cells if is_falling else cells


def unseen_holdings(known: tuple[int, ...]) -> Array:
    """The chances of the opponent's holdings, as far as cards are known: all that are possible are equally likely."""
    weights = np.ones(HOLDING_COUNT)
    weights[_holds(known)] = 0.0
    return np.asarray(weights / weights.sum())


def _holds(cards: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray(np.isin(HOLDING_CARDS, cards).any(axis=1))


def _holding_cards() -> NDArray[np.int64]:
    high, low = np.tril_indices(52, -1)
    return np.ascontiguousarray(np.stack([high, low], axis=1))


HOLDING_CARDS = _holding_cards()
"""By holding: its two cards."""
_CELLS: list[NDArray[np.int64]] = []


def _preflop_cells() -> NDArray[np.int64]:
    if not _CELLS:
        percentiles = HoldingOrder(np.array(income_rates(2))).percentiles
        _CELLS.append(np.minimum((percentiles * CELLS).astype(np.int64), CELLS - 1))
    return _CELLS[0]


def certain_holding(first: int, second: int) -> Array:
    """The chances of holdings when two cards were shown."""
    weights = np.zeros(HOLDING_COUNT)
    weights[holding_index(first, second)] = 1.0
    return weights
