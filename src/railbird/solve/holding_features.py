"""Numbers that tell how good a holding is on a board, by which abstraction puts holdings together.

All are against a holding of which nothing is known, but for one of the river's:

    strength and potential   hand strength now, and PPOT with one card to come (Papp 1998, sections 5.2 and 5.3)
    moments                  E[HS] and E[HS^2], means of hand strength over all cards to come
    histograms               how hand strength is distributed after the next card
    river features           hand strength on five cards, against all holdings and against the better ones
    group strengths          hand strength on five cards against each of eight groups of holdings

Here they are found board by board for all holdings, and board class by board class for all flops or turns that there
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_index
from railbird.filling import fill
from railbird.kernels.cards.classes import CLASS_COUNT, CLASS_HIGH, CLASS_LOW
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, all_holding_indices, isomorphism_table, representative
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds.gains import find_chances
from railbird.kernels.odds.runouts import find_equities
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.solve import river_clusters as clusters
from railbird.kernels.solve.response_rounds import sort_holdings
from railbird.odds.income_rates import income_rates
from railbird.progress import Watch
from railbird.randomness import Stream
from railbird.solve.met_holdings import holding_pairs
from railbird.workforce import Workforce

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Board = NDArray[np.uint8]
Shares = NDArray[np.uint16]
"""In shares of `kernels.SCALE`."""

BOARD_CARDS = (0, 3, 4, 5)
BOARD_CLASSES = {1: CLASS_COUNTS[5], 2: CLASS_COUNTS[6]}
_GROUP_BOARDS, _GROUP_CELLS, _GROUP_ROUNDS = 4_000, 50, 50
STEPS = {1: 4, 2: 16}
"""Board classes between two calls of `watch`: a flop is as much work as many turns."""


@cache
def better_holdings() -> Array:
    """Weight 1 for the holdings that win at least 55% against a random one before the flop, 0 for the others."""
    return (income_rates(2) >= 100.0).astype(np.float64)


@cache
def better_classes() -> NDArray[np.int64]:
    """By class of card ranks (`kernels.cards.classes`): whether its offsuit, and its suited holdings are better."""
    better = better_holdings().astype(np.int64)
    found = np.zeros((CLASS_COUNT, 2), np.int64)
    for at, (high, low) in enumerate(zip(CLASS_HIGH.tolist(), CLASS_LOW.tolist())):
        found[at, 0] = better[holding_index(4 * high + 1, 4 * low)]
        if high > low:
            found[at, 1] = better[holding_index(4 * high, 4 * low)]
    return found


def river_features(board: Board) -> tuple[Array, Array]:
    """By holding: hand strength on five cards against all holdings, and against the better ones."""
    return _strengths(board, _everybody()), _strengths(board, better_holdings())


def group_strengths(board: Board, groups: NDArray[np.uint8]) -> tuple[NDArray[np.int32], int, Floats]:
    """On five cards: the live holdings in rising order of rank, how many there are, and `river_clusters`' points."""
    order, ends = np.empty((2, HOLDING_COUNT), np.int32)
    count = sort_holdings(TABLE, CARD_KEYS, board, order, ends, np.empty(HOLDING_COUNT, np.int64))
    points = np.zeros(HOLDING_COUNT * clusters.GROUPS, np.float32)
    clusters.group_strengths(order, ends, count, holding_pairs(), groups, points)
    return order, int(count), points


def opponent_groups(seed: int) -> NDArray[np.uint8]:
    """By class of holdings before the flop: its group, of those whose hand strength on the river is spread alike.

    K-means on the shares of random rivers on which it is below each of some limits. Groups begin evenly spread over the
    classes in order of their mean strength.
    """
    generator = Stream(seed, 7).numpy()
    below = np.zeros((HOLDING_COUNT, _GROUP_CELLS))
    times = np.zeros(HOLDING_COUNT)
    limits = np.arange(1, _GROUP_CELLS + 1) / _GROUP_CELLS
    for _ in range(_GROUP_BOARDS):
        strengths = _strengths(generator.permutation(CARD_COUNT)[:5].astype(np.uint8), _everybody())
        live = ~np.isnan(strengths)
        below[live] += strengths[live, None] < limits
        times += live
    indices = np.empty(HOLDING_COUNT, np.int64)
    all_holding_indices(isomorphism_table(), np.empty(0, np.int64), 0, indices)
    by_class = np.zeros((CLASS_COUNTS[0], _GROUP_CELLS))
    np.add.at(by_class, indices, below)
    points = by_class / np.bincount(indices, times)[:, None]
    order = np.argsort(points.sum(axis=1), kind="stable")
    centres = points[order[np.linspace(0, len(points) - 1, clusters.GROUPS).astype(np.int64)]]
    for _ in range(_GROUP_ROUNDS):
        found = np.square(points[:, None] - centres).sum(axis=2).argmin(axis=1)
        for group in set(found.tolist()):
            centres[group] = points[found == group].mean(axis=0)
    return np.asarray(found, np.uint8)


def histograms(board: Board) -> Floats:
    """By holding, cumulative counts of hand strength after the next card on a flop or turn: 1326 x ENTRIES, flat."""
    counts = np.zeros(HOLDING_COUNT * kernels.ENTRIES, np.float32)
    for longer in _next_boards(board):
        kernels.count_cells(_strengths(longer, _everybody()), counts)
    return counts


def moments(board: Board) -> tuple[Array, Array]:
    """By holding, E[HS] and E[HS^2] over all ways to finish a flop or turn."""
    first, second = np.zeros((2, HOLDING_COUNT))
    finished = list(_next_boards(board))
    if len(board) == 3:
        finished = [full for longer in finished for full in _next_boards(longer) if full[4] > full[3]]
    for full in finished:
        kernels.add_moments(_strengths(full, _everybody()), first, second)
    runouts = 1081 if len(board) == 3 else 46
    return first / runouts, second / runouts


def strength_and_potential(board: Board) -> tuple[Array, Array]:
    """By holding, hand strength on a flop or turn, and the chance that the next card puts it ahead when behind."""
    strengths, ppot, npot = np.empty((3, HOLDING_COUNT))
    find_chances(TABLE, RANK_KEYS, board, _everybody(), strengths, ppot, npot)
    return strengths, ppot


def _next_boards(board: Board) -> Iterator[Board]:
    for card in range(CARD_COUNT):
        if card not in board:
            yield np.append(board, np.uint8(card))


def _strengths(board: Board, weights: Array) -> Array:
    """Hand strength on five cards, on four E[HS]: by holding, nan for those that share a card with the board."""
    found = np.empty(HOLDING_COUNT)
    if len(board) == 5:
        find_strengths(TABLE, RANK_KEYS, board, weights, found)
    else:
        find_equities(TABLE, RANK_KEYS, board, 1, weights, found)
    return found


@cache
def _everybody() -> Array:
    return np.ones(HOLDING_COUNT)


def board_classes(street: int, numbers: range) -> Iterator[tuple[NDArray[np.int64], Board]]:
    """The classes of all holdings on a board of each of these classes, and the board."""
    cards = np.empty(BOARD_CARDS[street], np.int64)
    indices = np.empty(HOLDING_COUNT, np.int64)
    for number in numbers:
        representative(isomorphism_table(), False, len(cards), number, cards)
        all_holding_indices(isomorphism_table(), cards, len(cards), indices)
        yield indices, cards.astype(np.uint8)


def board_parts(street: int, total: int) -> list[range]:
    """So many classes of boards of a street in parts that take a moment each."""
    return [range(start, min(start + STEPS[street], total)) for start in range(0, total, STEPS[street])]


def class_features(
    street: int, features: Callable[[Board], tuple[Array, Array]], watch: Watch | None, who: Workforce = None
) -> tuple[Shares, Shares]:
    """Two features of all classes of a street: `moments`, or `strength_and_potential`."""
    values = np.zeros((2, CLASS_COUNTS[street]), np.uint16)

    def put(_part: range, found: tuple[NDArray[np.int64], Shares]) -> None:
        classes, some = found
        values[:, classes] = some

    what, parts = f"{features.__name__} {street}", board_parts(street, BOARD_CLASSES[street])
    fill({"values": values}, what, partial(_describer, street, features), parts, put, who, watch)
    return values[0], values[1]


def _describer(
    street: int, features: Callable[[Board], tuple[Array, Array]]
) -> Callable[[range], tuple[NDArray[np.int64], Shares]]:
    """The function from some boards of a street to the classes of holdings on them, and their features."""

    def describe(numbers: range) -> tuple[NDArray[np.int64], Shares]:
        classes, values = [], []
        for indices, board in board_classes(street, numbers):
            live = indices >= 0
            classes.append(indices[live])
            values.append(np.rint(kernels.SCALE * np.array(features(board))[:, live]).astype(np.uint16))
        return np.concatenate(classes), np.concatenate(values, axis=1)

    return describe
