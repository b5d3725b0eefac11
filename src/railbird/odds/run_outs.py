"""Where the cards to come may lead: the hand strength on every board that can follow, and how likely each is.

On a flop or turn these are the complete boards, so that the mean of their strengths is the equity. Before the flop they
are the flops. Where a range names whole classes, suits that the holding does not have can change places: flops that
differ in this alone are counted together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, check_distinct, parse_board, parse_cards
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.board_standings import weigh_on_boards
from railbird.odds.ranges import grid_cells
from railbird.odds.weights import WeightArray, kernel_weights

Array = NDArray[np.float64]
Boards = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Boards, and how many each of them stands for."""
_ROUNDING = 1e-9
_KEPT = 64
"""Holdings whose flops are remembered."""


@dataclass(frozen=True)
class RunOuts:
    """The hand strength on each board that can follow, and the chance of the board."""

    cards_to_come: int
    strengths: Array
    chances: Array

    @property
    def mean(self) -> float:
        """The mean strength: the equity, where the boards are complete."""
        return float(self.strengths @ self.chances)

    def histogram(self, cells: int = 10) -> Array:
        """The chance that the strength ends in each of so many equal parts of 0 to 1, from the worst."""
        # What lies on a border but for rounding belongs above it.
        places = np.minimum((self.strengths * cells + _ROUNDING).astype(np.int64), cells - 1)
        return np.asarray(np.bincount(places, weights=self.chances, minlength=cells), np.float64)


def run_outs(holding: str, board: str = "", weights: WeightArray | None = None) -> RunOuts:
    """Where the strength of a holding may go before the river, against a range or against any holding.

    >>> found = run_outs("AdQc", "3h4cJh", WeightArray.parse("QQ+, AKs"))
    >>> len(found.strengths), round(found.mean, 4), found.histogram(4).round(3).tolist()
    (1081, 0.1187, [0.865, 0.014, 0.003, 0.118])
    """
    hole, dealt = parse_cards(holding, count=2), parse_board(board)
    check_distinct(hole, dealt)
    if len(dealt) == 5:
        raise InvalidCardsError(f"the board {board!r} is complete; no card is to come")
    values = kernel_weights(weights)
    boards, counts = _flops(hole, values) if not dealt else _complete(hole, dealt)
    standings = np.empty((len(boards), 3))
    weigh_on_boards(TABLE, CARD_KEYS, *hole, boards, values, standings)
    ahead, tied, behind = standings.T
    live = ahead + tied + behind
    if not live.any():
        raise InvalidRangeError(f"{weights!r} has no holding that can be dealt beside {holding} {board}".rstrip())
    strengths = np.divide(ahead + tied / 2, live, out=np.zeros(len(boards)), where=live > 0)
    chances = live * counts
    return RunOuts(boards.shape[1] - len(dealt), strengths, chances / chances.sum())


def _complete(hole: tuple[int, ...], dealt: tuple[int, ...]) -> Boards:
    """All boards of five cards that begin so."""
    deck = [card for card in range(CARD_COUNT) if card not in (*hole, *dealt)]
    boards = np.array([dealt + rest for rest in combinations(deck, 5 - len(dealt))], np.uint8)
    return boards, np.ones(len(boards), np.int64)


def _flops(hole: tuple[int, ...], values: Array) -> Boards:
    """All flops, those counted together that are the same to the holding and the weights."""
    means = np.bincount(grid_cells(), values) / np.bincount(grid_cells())
    return _listed_flops(hole, bool((values == means[grid_cells()]).all()))


@lru_cache(_KEPT)
def _listed_flops(hole: tuple[int, ...], are_suits_alike: bool) -> Boards:
    flops = _all_flops()
    flops = flops[((flops != hole[0]) & (flops != hole[1])).all(axis=1)]
    if not are_suits_alike:
        return flops.astype(np.uint8), np.ones(len(flops), np.int64)
    free = [suit for suit in range(4) if suit not in {card & 3 for card in hole}]
    keys = []
    for order in permutations(free):
        suits = np.arange(4)
        suits[free] = order
        moved = np.sort(flops - (flops & 3) + suits[flops & 3], axis=1)
        keys.append(moved @ [CARD_COUNT**2, CARD_COUNT, 1])
    _, first, counts = np.unique(np.min(keys, axis=0), return_index=True, return_counts=True)
    return flops[first].astype(np.uint8), counts


@cache
def _all_flops() -> NDArray[np.int64]:
    return np.array(list(combinations(range(CARD_COUNT), 3)), np.int64)
