"""A rest of a hand that can be solved at the table: from the opening of a betting round on the turn or the river.

`railbird.kernels.solve.resolving` says what is solved, and how.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.game.betting_rounds import BettingRounds, betting_rounds
from railbird.game.betting_tree import DECISION, FOLDED, STREET_START
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import resolving as kernels
from railbird.kernels.solve.resolving_rounds import Level, Planes
from railbird.kernels.solve.response_rounds import sort_holdings
from railbird.solve.met_holdings import holding_pairs, reach_met
from railbird.solve.seen_rounds import aligned

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

TURN, RIVER = 2, 3
RIVERS_LEFT = 44
"""River cards that neither player holds."""
BEGINNING = 0.5
"""A strategy that is begun with counts as so many iterations; docs/papers/resolver.md has what was tried."""
POWER = 2
"""Iteration t counts t to this power in averages: a whole number, which kernels of a GPU are told."""


class Entry(NamedTuple):
    """How both players come into a rest, by holding (1,326 of them)."""

    own: Floats
    """The reach of the player who solves."""
    opponent: Floats
    """That of the opponent, as far as it is thought to be known."""
    alternative: Floats
    """What the opponent may take instead: in chips, summed over the player's holdings by their reach."""


class Begun(NamedTuple):
    """A rest to which both come by a table strategy: the reach of the player who solves, and of his opponent."""

    rest: RestOfHand
    own: Floats
    opponent: Floats


@dataclass(frozen=True)
class Safety:
    """How the opponent comes into a rest that is solved; `railbird.kernels.solve.resolving` has the formula."""

    forced: float
    """The weight of his range, with which he must come in."""
    asked: float
    """That of his range, with which he may take the alternative instead."""
    floor: float
    """The same for every holding, whatever his range is; in the unit of the range's mean."""

    def weights(self, opponent: Floats, live: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """How much of each holding is forced, and how much asked."""
        mean = opponent[live].mean()
        floor = np.float32(self.floor * mean if mean > 0 else 1.0)
        return np.float32(self.forced) * opponent, np.where(live, np.float32(self.asked) * opponent + floor, 0.0)


class Taken(Protocol):
    """An action in a round."""

    @property
    def decision(self) -> int: ...

    @property
    def action(self) -> int: ...


@dataclass(frozen=True)
class Solution:
    """What both players do in a rest, after it was solved for one of them."""

    rest: RestOfHand
    player: int
    entry: Entry
    played: Floats
    """By decision of the first round, holding and action: fold, call and raise."""
    values: Floats
    """By river, round and place of a holding: what it was worth to the opponent, on average over the iterations."""

    def passed(self, path: Iterable[Taken], reach: Floats, actor: int) -> Floats:
        """The reach of a player after some steps of the first round."""
        found = reach.copy()
        for step in path:
            if self.rest.actors[step.decision] == actor:
                found *= self.played[step.decision, :, step.action]
        return found

    def river_value(self, card: int, number: int) -> Floats:
        """By holding: what a river card and a round on it were worth to the opponent."""
        river = self.rest.rivers.index(card)
        order, found = self.rest.orders[river], np.zeros(HOLDING_COUNT, np.float32)
        found[order] = self.values[river, number, : len(order)]
        return found

    def left(self) -> Floats:
        """What a best response on the turn wins with each holding, if rivers are worth to it what they were on average.

        That is what solving the rivers again leaves it at most, but for what that gives away. In a rest that begins on
        the river it is what a best response wins there.
        """
        rest, opponent, shape = self.rest, 1 - self.player, self.rest.shape
        if rest.is_last:
            return rest.response(opponent, self.entry.own, rest.placed_chances(self.played))
        reach, found = {0: self.entry.own}, {}
        chips = float(rest.arrays.first.before[0]) + shape.added
        closings = np.flatnonzero(shape.kind == STREET_START).tolist()
        for place in np.flatnonzero(shape.kind == DECISION).tolist():
            for action, child in enumerate(shape.child[place].tolist()):
                if child >= 0:
                    acts = shape.actor[place] == self.player
                    taken = self.played[shape.number[place], :, action] if acts else np.float32(1.0)
                    reach[child] = reach[place] * taken
        for place in range(len(shape.kind) - 1, -1, -1):
            if shape.kind[place] == FOLDED:
                folds = shape.actor[place] == opponent
                stake = -chips[place, opponent] if folds else chips[place, self.player]
                found[place] = stake * reach_met(reach[place])
            elif shape.kind[place] == STREET_START:
                number = closings.index(place)
                rivers = sum(self.river_value(card, number) for card in rest.rivers)
                found[place] = np.asarray(rest.arrays.chance * rivers)
            else:
                after = [found[child] for child in shape.child[place].tolist() if child >= 0]
                found[place] = np.max(after, axis=0) if shape.actor[place] == opponent else np.sum(after, axis=0)
        return np.asarray(found[0] * rest.live, np.float32)


def total_weight(iterations: int) -> float:
    """What so many iterations count together."""
    return float((np.arange(1.0, iterations + 1) ** POWER).sum())


class SortedBoards(NamedTuple):
    """Boards of one street with their holdings in rising order of rank, as `Level` has them."""

    order: list[Ints]
    """By board: its holdings."""
    cards: NDArray[np.int32]
    ends: NDArray[np.int32]
    counts: Ints


class RestBoards(NamedTuple):
    """The board that a rest begins with, and those of its rivers."""

    first: SortedBoards
    rivers: list[int]
    """The river cards that may come; none where the board has five cards."""
    later: SortedBoards
    """Their boards; the first again where there are no cards to come."""
    live: NDArray[np.bool_]
    """By holding: whether the board leaves it possible."""
    above: NDArray[np.int32]
    """By river and place of a holding on it: the holding's place on the first board."""


class RestOfHand:
    """The rest of a hand of heads-up limit hold'em from the opening of a round of the turn or the river."""

    def __init__(self, game: Game, street: int, number: int, board: tuple[int, ...]) -> None:
        if street not in (TURN, RIVER) or len(board) != street + 2:
            raise RailbirdError(f"{len(board)} board cards on street {street}; rests begin on the turn or the river")
        self.game, self.street, self.number, self.board = game, street, number, board
        self.rounds = betting_rounds(game)[street]
        self.shape = shape_of(game, street)
        self.actors = self.shape.actors
        """By decision of the first round: who acts."""
        self.boards = _rest_boards(board)
        self.is_last = street == RIVER
        first = later = _level(self.rounds, np.array([number]), self.boards.first)
        if not self.is_last:
            closings = len(self.rounds.closings)
            following = np.arange(number * closings, (number + 1) * closings)
            later = _level(betting_rounds(game)[RIVER], following, self.boards.later)
        self.arrays = kernels.Rest(first, later, self.is_last, self.boards.above, 1.0 / RIVERS_LEFT)

    @property
    def live(self) -> NDArray[np.bool_]:
        """By holding: whether the board leaves it possible."""
        return self.boards.live

    @property
    def order(self) -> list[Ints]:
        """The holdings of the first board, in order; in a list of one."""
        return self.boards.first.order

    @property
    def rivers(self) -> list[int]:
        """The river cards that may come."""
        return self.boards.rivers

    @property
    def orders(self) -> list[Ints]:
        """By river: its holdings, in order."""
        return self.boards.later.order

    def room(self) -> kernels.Room:
        """Room to work in."""
        first, later = self.arrays.first, self.arrays.later
        planes = _planes(first)
        opening = np.zeros(first.cards.shape[1], np.float32)
        return kernels.Room(planes, planes if self.is_last else _planes(later), opening)

    def weights(self) -> kernels.Weights:
        """Weights of nothing, from which both players play evenly."""
        first, later = self.arrays.first, self.arrays.later
        none = np.zeros(0 if self.is_last else _weights_size(later), np.float32)
        return kernels.Weights(np.zeros(_weights_size(first), np.float32), none)

    def averages(self) -> kernels.Averages:
        """Sums of nothing."""
        first, later = self.arrays.first, self.arrays.later
        values = 0 if self.is_last else later.ends.size * len(later.before)
        return kernels.Averages(np.zeros(_weights_size(first), np.float32), np.zeros(values, np.float32))

    def placed(self, by_holding: Floats) -> Floats:
        """Numbers by holding in the order of the first board, filled up with zeros."""
        found = np.zeros(self.arrays.first.cards.shape[1], np.float32)
        found[: len(self.order[0])] = by_holding[self.order[0]]
        return found

    def by_holding(self, placed: Floats) -> Floats:
        """The way back."""
        found = np.zeros(HOLDING_COUNT, np.float32)
        found[self.order[0]] = placed[: len(self.order[0])]
        return found

    def solved(
        self, player: int, entry: Entry, safety: Safety, iterations: int, beginning: kernels.Weights | None = None
    ) -> Solution:
        """The solution for a player after so many iterations.

        They begin evenly, or with the chances of a `beginning`, which is used up.
        """
        own, opponent, alternative = self.placed(entry.own), self.placed(entry.opponent), self.placed(entry.alternative)
        forced, asked = map(self.placed, safety.weights(entry.opponent, self.live))
        gadget = kernels.Gadget(own, forced, asked, alternative, np.zeros((2, len(own)), np.float32))
        room, averages, later = self.room(), self.averages(), self.arrays.later
        weights = beginning or self.weights()
        if beginning:
            both = np.stack([own, opponent] if player == 0 else [opponent, own])
            kernels.begin_with(self.arrays, both, weights, room, BEGINNING)
        kernels.solve(self.arrays, player, gadget, weights, averages, room, iterations, float(POWER))
        shape = (0, 0, 0) if self.is_last else (len(later.counts), len(later.before), later.ends.shape[1])
        values = np.asarray(averages.values.reshape(shape) / total_weight(iterations), np.float32)
        return Solution(self, player, entry, self.chances(averages.first), values)

    def chances(self, sums: Floats) -> Floats:
        """Fold, call and raise by decision of the first round and holding, from sums by place."""
        width = self.arrays.first.cards.shape[1]
        by_place = sums.reshape(-1, 3, width)[:, :, : len(self.order[0])]
        legal = self.shape.legal[:, :, None]
        weights = np.where(legal, by_place, 0.0)
        whole = weights.sum(axis=1, keepdims=True)
        shares = np.where(
            whole > 0, weights / np.where(whole > 0, whole, 1.0), legal / legal.sum(axis=1, keepdims=True)
        )
        found = np.zeros((len(shares), HOLDING_COUNT, 3), np.float32)
        found[:, :, 1] = 1.0
        found[:, self.order[0]] = shares.transpose(0, 2, 1)
        return found

    def placed_chances(self, first: Floats, later: Floats | None = None) -> kernels.Weights:
        """Chances by decision, holding and action, and those of rivers by river, round and so on, as weights."""
        width = self.arrays.first.cards.shape[1]
        found = np.zeros((len(first), 3, width), np.float32)
        found[:, :, : len(self.order[0])] = first[:, self.order[0]].transpose(0, 2, 1)
        if later is None:
            return kernels.Weights(found.ravel(), np.zeros(0, np.float32))
        width = self.arrays.later.cards.shape[1]
        rivers = np.zeros((*later.shape[:3], 3, width), np.float32)
        for river, order in enumerate(self.orders):
            rivers[river, :, :, :, : len(order)] = later[river][:, :, order].transpose(0, 1, 3, 2)
        return kernels.Weights(found.ravel(), rivers.ravel())

    def response(self, responder: int, reach: Floats, weights: kernels.Weights) -> Floats:
        """What a best response wins with each holding against a player with a reach, who plays by weights.

        In chips, summed over the player's holdings by their reach.
        """
        own, room = self.placed(reach), self.room()
        nothing = np.zeros_like(own)
        gadget = kernels.Gadget(own, nothing, nothing, nothing, np.zeros((2, len(own)), np.float32))
        kernels.solve(self.arrays, 1 - responder, gadget, weights, self.averages(), room, 0, float(POWER))
        return self.by_holding(room.opening)


@dataclass(frozen=True)
class Shape:
    """The shape of a street's rounds, as the kernels take it: what `Level` says by place."""

    kind: NDArray[np.int64]
    actor: Ints
    child: Ints
    number: Ints
    columns: Ints
    plane: Ints
    added: Floats

    @property
    def actors(self) -> list[int]:
        return [int(actor) for actor, kind in zip(self.actor, self.kind) if kind == DECISION]

    @property
    def legal(self) -> NDArray[np.bool_]:
        """By decision and action."""
        return np.asarray(self.child[self.kind == DECISION] >= 0)


@cache
def shape_of(game: Game, street: int) -> Shape:
    rounds = betting_rounds(game)[street]
    tree, first = rounds.tree, int(rounds.openings[0])
    nodes = slice(first, first + rounds.size)
    kind, actor = tree.kind[nodes].astype(np.int64), tree.actor[nodes].astype(np.int64)
    inside = (tree.child[nodes] >= first) & (tree.child[nodes] < first + rounds.size)
    child = np.where(inside & (kind == DECISION)[:, None], tree.child[nodes] - first, -1).astype(np.int64)
    number = np.where(kind == DECISION, np.cumsum(kind == DECISION) - 1, -1)
    columns = np.zeros((2, rounds.size), np.int64)
    for player in (0, 1):
        free = 1
        for place in np.flatnonzero(kind == DECISION):
            for to in child[place][child[place] >= 0]:
                columns[player, to] = columns[player, place]
                if actor[place] == player:
                    columns[player, to] = free
                    free += 1
    plane = np.cumsum(kind != DECISION) - 1
    for place in np.flatnonzero(kind == DECISION)[::-1]:
        plane[place] = plane[child[place, 1]]
    return Shape(kind, actor, child, number, columns, plane, rounds.chips_added.astype(np.float32))


def _level(rounds: BettingRounds, numbers: Ints, boards: SortedBoards) -> Level:
    """The level that some rounds on some boards make."""
    shape = shape_of(rounds.tree.game, rounds.street)
    return Level(
        kind=shape.kind,
        actor=shape.actor,
        child=shape.child,
        number=shape.number,
        columns=shape.columns,
        plane=shape.plane,
        added=shape.added,
        before=rounds.chips_before[numbers].astype(np.float32),
        cards=boards.cards,
        ends=boards.ends,
        counts=boards.counts,
    )


@lru_cache(maxsize=64)
def _rest_boards(board: tuple[int, ...]) -> RestBoards:
    """A board of turn or river, which many rests begin with, and those of the rivers to come."""
    first = later = _sorted_boards([board])
    rivers: list[int] = []
    if len(board) == 4:
        rivers = [card for card in range(CARD_COUNT) if card not in board]
        later = _sorted_boards([(*board, card) for card in rivers])
    live, places = np.zeros(HOLDING_COUNT, np.bool_), np.zeros(HOLDING_COUNT, np.int32)
    live[first.order[0]] = True
    places[first.order[0]] = np.arange(len(first.order[0]))
    above = np.zeros(later.ends.shape, np.int32)
    for river, order in enumerate(later.order):
        above[river, : len(order)] = places[order]
    return RestBoards(first, rivers, later, live, above)


def _sorted_boards(boards: list[tuple[int, ...]]) -> SortedBoards:
    ranks = np.empty(HOLDING_COUNT, np.int64)
    order, ends = np.zeros((2, len(boards), HOLDING_COUNT), np.int32)
    counts = np.zeros(len(boards), np.int64)
    for at, board in enumerate(boards):
        counts[at] = sort_holdings(TABLE, CARD_KEYS, np.array(board, np.uint8), order[at], ends[at], ranks)
    width = -(-int(counts.max()) // LANES) * LANES
    listed = [row[:count].astype(np.int64) for row, count in zip(order, counts)]
    cards = holding_pairs()[order[:, :width]] * np.int32(LANES)
    return SortedBoards(listed, cards, np.ascontiguousarray(ends[:, :width]), counts)


def _weights_size(level: Level) -> int:
    return int(3 * (1 + level.number.max()) * level.ends.size * len(level.before))


def _planes(level: Level) -> Planes:
    width, rounds = level.cards.shape[1], len(level.before)
    reach_count, values_count = int(level.columns.max()) + 1, int(level.plane.max()) + 1
    sizes = (rounds * reach_count * width, rounds * values_count * width)
    lanes = (width * LANES, width * LANES, CARD_COUNT * LANES)
    reach, values, turned, shown, sums = (aligned(np.zeros(size, np.float32)) for size in (*sizes, *lanes))
    froms, tos = np.zeros((2, LANES), np.int64)
    grid, stakes = np.arange(LANES) * LANES, np.zeros(LANES, np.float32)
    return Planes(reach, values, reach_count, values_count, turned, shown, sums, froms, tos, grid, stakes)
