"""Boards as far as DIVAT's baseline tells them apart, and where the codes of a board lie.

A suit matters on a board only where somebody can still have a flush in it: with one card on the flop, two on the turn
and three on the river. Such suits are *live*. The hand rank of a holding depends on the ranks of its two cards and on
which of them are of which live suit; what other suits they have changes nothing, on the board as in the holding. So

    street   live suits   boards                       codes of a board
    flop     3, 2 or 1    455, 1,014, 286              1,378, 780, 351
    turn     2, 1 or 0    3,081, 11,531, 1,820         780, 351, 91
    river    1 or 0       36,608, 6,188 (13 of none)   351, 91

and the codes of all rivers are 13 MB where a number for each of 1,326 holdings on 134,459 classes of boards was 178 MB.

A *row* says where the codes of a board lie in its street's array, and what its suits are there, in 32 bits: `start |
suits << 24`, two bits a suit, 0 for one that is not live, 1-3 for the first to third live suit. A holding's place in
the row numbers pairs of cards, a card being `rank * (live suits + 1) + suit`; see `place`.

Flops are known by their class: hands are looked at with the suits renamed so that the flop is its class's
representative. From there `turns[flop, card]` and `rivers[flop, pair]` are the rows of what follows; pairs of cards are
numbered like holdings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel

FLOPS = 1_755
CLASS_MASK = (1 << 18) - 1
"""The bits of a packed class of flops that are the class; above it two bits for each suit's new suit."""
START_MASK = (1 << 24) - 1
"""The bits of a row that are its start."""
NO_ROW = np.uint32(0xFFFFFFFF)
"""Stands where a card would be on the board twice."""
_WIDTHS = (91, 351, 780, 1_378)  # by live suits
_SETS = np.array([comb(13, size) for size in range(6)])
_MULTISETS = np.array([comb(12 + size, size) for size in range(6)])
_NUMBERS = np.array([[comb(rank + at, at + 1) for rank in range(13)] for at in range(5)])


class Boards(NamedTuple):
    """The numbers of flops, and the rows of all boards."""

    flops: np.ndarray
    """[22,100] packed classes of flops, by the number of the three cards (`flop_number`)."""
    flop_rows: np.ndarray
    turns: np.ndarray
    rivers: np.ndarray
    """[1,755], [1,755, 52], [1,755, 1,326] rows (uint32)."""
    sizes: tuple[int, int, int]
    """The codes of each street."""


def _street_starts(least: int) -> list[int]:
    """Where rows begin whose live suit has 0, `least`, `least` + 1 and `least` + 2 cards, where two have, the end."""
    cards = least + 2
    starts = [0, _WIDTHS[0] * int(_MULTISETS[cards])]
    for size in range(least, cards + 1):
        starts.append(starts[-1] + _WIDTHS[1] * int(_SETS[size] * _MULTISETS[cards - size]))
    pairs = 78 * 79 // 2 if least == 2 else 0
    return [*starts, starts[-1] + _WIDTHS[2] * pairs]


@cache
def all_boards() -> Boards:
    """All flops and what follows them; a twentieth of a second."""
    flops, representatives = _classes_of_flops()
    rows = np.empty(FLOPS, np.uint32)
    start = 0
    for flop, cards in enumerate(representatives.tolist()):
        live = len({card & 3 for card in cards})
        rows[flop] = start | (0b111001, 0b1001, 0b01)[3 - live] << 24
        start += _WIDTHS[live]
    turn_starts, river_starts = _street_starts(2), _street_starts(3)
    turns = _rows(representatives, np.arange(52)[:, None], turn_starts)
    rivers = _rows(representatives, np.column_stack(np.tril_indices(52, -1)), river_starts)
    return Boards(flops, rows, turns, rivers, (start, turn_starts[-1], river_starts[-1]))


def boards_of_rows(street: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the flop (1), turn (2) or river (3), those of equal start once, and for each a board (uint8)."""
    boards, (_, flops) = all_boards(), _classes_of_flops()
    if street == 1:
        return boards.flop_rows, flops.astype(np.uint8)
    rows = boards.turns if street == 2 else boards.rivers
    flop, last = np.nonzero(rows != NO_ROW)
    rows = rows[flop, last]
    _, first = np.unique(rows & START_MASK, return_index=True)
    high, low = np.tril_indices(52, -1)
    cards = last[:, None] if street == 2 else np.column_stack([high, low])[last]
    return rows[first], np.column_stack([flops[flop[first]], cards[first]]).astype(np.uint8)


def _classes_of_flops() -> tuple[np.ndarray, np.ndarray]:
    """The packed class of each flop, and the cards of each class's representative.

    Suits are sorted, the one with most cards first, then the one with the higher cards.
    """
    flops = np.array([(a, b, c) for c in range(52) for b in range(c) for a in range(b)])
    sets = np.zeros((len(flops), 4), np.int64)
    for at in range(3):
        sets[np.arange(len(flops)), flops[:, at] & 3] += (1 << 14) + (1 << (flops[:, at] >> 2))
    order = np.argsort(-sets, axis=1, kind="stable")
    moved = np.argsort(order, axis=1, kind="stable")
    in_order = np.take_along_axis(sets, order, axis=1) & 8191
    _, first, classes = np.unique(in_order @ (1 << np.array([39, 26, 13, 0])), return_index=True, return_inverse=True)
    packed = classes | (moved << np.array([18, 20, 22, 24])).sum(axis=1)
    named = flops[first]
    return packed.astype(np.int64), named & ~3 | np.take_along_axis(moved[first], named & 3, axis=1)


def _colex() -> np.ndarray:
    """By set of ranks, its number among the sets of as many: those of equal size in rising order."""
    numbers = np.zeros(8_192, np.int64)
    for size in range(1, 6):
        sets = sorted(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size))
        numbers[sets] = np.arange(len(sets))
    return numbers


def _rows(flops: np.ndarray, later: np.ndarray, starts: Sequence[int]) -> np.ndarray:
    """[flop, later cards] the rows of all boards that are a flop and a turn card, or a turn and a river card."""
    cards = 3 + later.shape[1]
    rows = (_WIDTHS[0] * _numbers_of_ranks(flops, later)).astype(np.uint32)
    flop_suits, later_suits, colex = _suits(flops), _suits(later), _colex()
    on_flop, on_later = ((1 << each).sum(axis=1) for each in (flops, later))
    possible = on_flop[:, None] & on_later == 0
    lives = [possible & (flop_suits[suit].sizes[:, None] + later_suits[suit].sizes >= cards - 2) for suit in range(3)]
    rows[~possible] = NO_ROW
    for suit in range(3):  # a flop's representative has no card of the last suit
        at = np.nonzero(lives[suit])
        sizes, sets, sums, squares = (
            of_flop[at[0]] + of_later[at[1]] for of_flop, of_later in zip(flop_suits[suit], later_suits[suit])
        )
        # The other cards are two, one or none: the higher and the lower of two from their sum and that of squares.
        others = cards - sizes
        high = np.where(others == 2, sums + np.sqrt(np.maximum(2 * squares - sums**2, 0)).astype(np.int32), 0) // 2
        number = high * (high + 1) // 2 + sums - high
        number += colex[sets] * _MULTISETS[others]
        rows[at] = np.take(starts, 3 - others) + _WIDTHS[1] * number | 1 << 24 + 2 * suit
    for one, two in combinations(range(3 if cards == 4 else 0), 2):
        at = np.nonzero(lives[one] & lives[two])
        first, second = (colex[flop_suits[suit].sets[at[0]] + later_suits[suit].sets[at[1]]] for suit in (one, two))
        high, low = np.maximum(first, second), np.minimum(first, second)
        suits = np.where(first >= second, 1 << 2 * one | 2 << 2 * two, 2 << 2 * one | 1 << 2 * two)
        rows[at] = starts[4] + _WIDTHS[2] * (high * (high + 1) // 2 + low) | suits << 24
    return rows


class _Suit(NamedTuple):
    """Of some sets of cards those of one suit: how many, their ranks as bits; and of the others the sum of the ranks
    and of the squares of the ranks."""

    sizes: np.ndarray
    sets: np.ndarray
    other_sums: np.ndarray
    other_squares: np.ndarray


def _suits(cards: np.ndarray) -> list[_Suit]:
    ranks, found = cards >> 2, []
    for suit in range(4):
        of_suit = cards & 3 == suit
        counted = (of_suit, of_suit << ranks, ~of_suit * ranks, ~of_suit * ranks**2)
        found.append(_Suit(*(each.sum(axis=1).astype(np.int32) for each in counted)))
    return found


def _numbers_of_ranks(flops: np.ndarray, later: np.ndarray) -> np.ndarray:
    """[flop, later cards] the number of the ranks of the board, whatever the suits."""
    (some, flop_of), (more, later_of) = (
        np.unique(np.sort(cards >> 2, axis=1), axis=0, return_inverse=True) for cards in (flops, later)
    )
    shape = (len(some), len(more))
    parts = [np.broadcast_to(some[:, None], (*shape, 3)), np.broadcast_to(more, (*shape, more.shape[1]))]
    ranks = np.sort(np.concatenate(parts, axis=2), axis=2)
    numbers = sum(_NUMBERS[at][ranks[..., at]] for at in range(ranks.shape[2]))
    return numbers[flop_of.ravel()][:, later_of.ravel()]


# These also take arrays of cards, as `place.py_func`.


@kernel
def flop_number(low, middle, high):
    """The number of a flop, its cards in rising order."""
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@kernel
def holding_number(first, second):
    """The number of two cards in either order."""
    twice, apart = first + second, abs(first - second)
    high = (twice + apart) >> 1
    return (high * (high - 1) >> 1) + ((twice - apart) >> 1)


@kernel
def moved_card(packed, card):
    """A card with its suit renamed as a packed class says."""
    return (card & ~3) | (packed >> (18 + 2 * (card & 3)) & 3)


@kernel
def place(row, first, second):
    """Where in its street's array the code of a holding lies, for the row of the board."""
    suits = row >> 24
    width = 1 + (suits > 0) + (suits & 0b10101010 > 0) + (suits & suits >> 1 & 0b01010101 > 0)
    one = (first >> 2) * width + (suits >> 2 * (first & 3) & 3)
    other = (second >> 2) * width + (suits >> 2 * (second & 3) & 3)
    twice, apart = one + other, abs(one - other)
    high = (twice + apart) >> 1
    return (row & START_MASK) + (high * (high + 1) >> 1) + ((twice - apart) >> 1)
