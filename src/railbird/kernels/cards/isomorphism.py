"""Dense indices of holdings and boards that differ only by a relabelling of the suits.

Two deals are the same for every question about ranks when some permutation of the four suits turns one into the other.
This module numbers the classes 0..N-1 without gaps, with the board unordered:

    board cards            0        3           4            5
    holding and board    169  1,286,792  13,960,050  123,156,254
    board alone            1      1,755      16,432      134,459

A deal is seen as four suits, each holding a pair of rank sets (of the holding, of the board). The *shape* of a suit
is how many cards are in each set; its *number* counts the pairs of sets of that shape: the holding's set in colex
order, then the board's set in colex order among the ranks that the holding left free. Sorting the four suits by shape
and then number, greatest first, forgets their names. The sorted shapes are the *configuration*; each configuration
owns a run of indices. Inside it, suits of equal shape form a group, and a group of m suits with numbers
x1 >= x2 >= ... >= xm is a multiset, with index C(x1+m-1, m) + ... + C(xm, 1). The groups are digits in mixed radix.

The representative of a class gives the first sorted suit the suit 0 (clubs), the second suit 1, and so on. The number
of concrete deals in a class is 24 divided by the permutations that leave it alone: m! for each m equal suits.

Everything is read from one flat int32 table (`isomorphism_table`, about 0.3 MB, built in milliseconds). A set of cards
is packed into one int64: bit 13 * suit + rank (`card_bit`).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numba import int64

from railbird.kernels.compiling import kernel

# Classes by number of board cards 0, 3, 4, 5 for holding and board (kinds 0-3), then for the board alone (kinds 4-7).
CLASS_COUNTS = (169, 1_286_792, 13_960_050, 123_156_254, 1, 1_755, 16_432, 134_459)

_KINDS = tuple((holding, board) for holding in (2, 0) for board in (0, 3, 4, 5))
_SHAPES = 18  # shape = 6 * (cards of the holding) + (cards of the board), in one suit
_MULTISET_MAX = 13 * 66  # the largest group of two has one holding and two board cards in each suit

# Sections of the flat table.
_COLEX = 0  # by rank set: number of cards << 11 | colex index among sets of that size
_SETS = 8192  # rank sets by size and colex index; _SET_START says where each size begins
_SET_START = _SETS + 8192
_WAYS = _SET_START + 14  # by shape: board sets for one holding set
_MULTISET = _WAYS + _SHAPES  # C(x + m - 1, m) by m - 1 (0..3) and x
_CONFIGURATION = _MULTISET + 4 * (_MULTISET_MAX + 1)  # by kind and the three greatest shapes: start of the row
_ROW_START = _CONFIGURATION + 8 * _SHAPES**3  # by kind: start of its rows, and one past the last
_ROWS = _ROW_START + 9
# A row: first index, then for the sorted suits 0-3 the shape, the group's place value, and the place in its group
# counted from the least (m for the first of a group of m, down to 1).
_ROW_LENGTH = 13


@cache
def isomorphism_table() -> np.ndarray:
    """The flat table that every function of this module takes as its first argument; built once."""
    sets = np.arange(8192)
    sizes = ((sets[:, None] >> np.arange(13)) & 1).sum(axis=1)
    by_size = np.lexsort((sets, sizes))  # colex order is the order of the bit sets as integers
    set_start = np.array([0, *np.cumsum([comb(13, size) for size in range(13)])])
    colex = np.empty(8192, dtype=np.int64)
    colex[by_size] = np.arange(8192)
    colex += (sizes << 11) - set_start[sizes]

    ways = [comb(13 - shape // 6, shape % 6) for shape in range(_SHAPES)]
    numbers = [comb(13, shape // 6) * ways[shape] for shape in range(_SHAPES)]
    multisets = [[comb(x + m - 1, m) if m < 3 or x <= 13 else 0 for x in range(_MULTISET_MAX + 1)] for m in range(1, 5)]

    rows_of: dict[tuple[int, int], list[list[int]]] = {kind: [] for kind in _KINDS}
    for shapes in combinations_with_replacement(range(_SHAPES - 1, -1, -1), 4):
        kind = (sum(shape // 6 for shape in shapes), sum(shape % 6 for shape in shapes))
        if kind in rows_of:
            rows_of[kind].append(list(shapes))

    configuration = np.full((len(_KINDS), _SHAPES**3), -1)
    rows: list[int] = []
    row_start = []
    for k, kind in enumerate(_KINDS):
        row_start.append(_ROWS + len(rows))
        first_index = 0
        for shapes in rows_of[kind]:
            places = [shapes[at:].count(shapes[at]) for at in range(4)]
            values, value = [0] * 4, 1
            for at in (3, 2, 1, 0):
                values[at] = value
                if at == 0 or shapes[at - 1] != shapes[at]:
                    value *= comb(numbers[shapes[at]] + places[at] - 1, places[at])
            configuration[k, (shapes[0] * _SHAPES + shapes[1]) * _SHAPES + shapes[2]] = _ROWS + len(rows)
            rows += [first_index, *shapes, *values, *places]
            first_index += value
    row_start.append(_ROWS + len(rows))
    parts = (colex, by_size, set_start[:14], ways, np.ravel(multisets), configuration.ravel(), row_start, rows)
    return np.concatenate(parts).astype(np.int32)


@kernel
def card_bit(card):
    """The bit of a card in a packed set: 13 * suit + rank."""
    return int64(1) << (13 * (card & 3) + (card >> 2))


@kernel
def _kind(holding_set, board_cards):
    street = board_cards - 2 if board_cards > 0 else 0
    return street if holding_set != 0 else street + 4


@kernel
def _suit_key(table, holding_set, board_set, suit):
    """Shape << 18 | number << 2 | 3 - suit: sorts suits by shape and number, equal suits by their name."""
    holding = (holding_set >> (13 * suit)) & 8191
    board = (board_set >> (13 * suit)) & 8191
    number = int64(0)
    shape = int64(0)
    if holding != 0:
        entry = table[_COLEX + holding]
        shape = 6 * (entry >> 11)
        number = entry & 2047
        while holding != 0:  # close the gaps that the holding's ranks leave in the board's set
            below = (holding & -holding) - 1
            board = ((board >> 1) & ~below) | (board & below)
            holding = (holding & (holding - 1)) >> 1
    entry = table[_COLEX + board]
    shape += entry >> 11
    number = number * table[_WAYS + shape] + (entry & 2047)
    return (shape << 18) | (number << 2) | (3 - suit)


@kernel
def _sorted_keys(table, holding_set, board_set):
    """The four suit keys, greatest first (a sorting network of five exchanges)."""
    a = _suit_key(table, holding_set, board_set, 0)
    b = _suit_key(table, holding_set, board_set, 1)
    c = _suit_key(table, holding_set, board_set, 2)
    d = _suit_key(table, holding_set, board_set, 3)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a, b, c, d


@kernel
def _digit(table, row, at, key):
    number = (key >> 2) & 65535
    place = table[row + 9 + at]
    if place > 1:
        number = int64(table[_MULTISET + (place - 1) * (_MULTISET_MAX + 1) + number])
    return number * table[row + 5 + at]


@kernel
def _index_of_keys(table, kind, a, b, c, d):
    configuration = ((a >> 18) * _SHAPES + (b >> 18)) * _SHAPES + (c >> 18)
    row = table[_CONFIGURATION + kind * _SHAPES**3 + configuration]
    index = int64(table[row])
    index += _digit(table, row, 0, a) + _digit(table, row, 1, b)
    return index + _digit(table, row, 2, c) + _digit(table, row, 3, d)


@kernel
def set_index(table, holding_set, board_set, board_cards):
    """The class of a deal given as packed sets of cards; an empty `holding_set` asks for the board alone."""
    a, b, c, d = _sorted_keys(table, holding_set, board_set)
    return _index_of_keys(table, _kind(holding_set, board_cards), a, b, c, d)


@kernel
def holding_board_index(table, first, second, board, board_cards):
    """The class of a holding and the first 0, 3, 4 or 5 cards of `board`, whatever the order of the cards."""
    board_set = int64(0)
    for at in range(board_cards):
        board_set |= card_bit(board[at])
    return set_index(table, card_bit(first) | card_bit(second), board_set, board_cards)


@kernel
def board_index_and_permutation(table, board, board_cards, permutation):
    """The class of a board; `permutation[suit]` becomes the suit that takes its place in the representative.

    A card moves along as (card & ~3) | permutation[card & 3]. Suits with the same board cards keep their order, so the
    answer is a function of the set of board cards.
    """
    board_set = int64(0)
    for at in range(board_cards):
        board_set |= card_bit(board[at])
    a, b, c, d = _sorted_keys(table, int64(0), board_set)
    permutation[3 - (a & 3)] = 0
    permutation[3 - (b & 3)] = 1
    permutation[3 - (c & 3)] = 2
    permutation[3 - (d & 3)] = 3
    return _index_of_keys(table, _kind(int64(0), board_cards), a, b, c, d)


@kernel
def all_holding_indices(table, board, board_cards, indices):
    """`indices[holding]` becomes the class of each of the 1,326 holdings on one board; -1 where they share a card."""
    board_set = int64(0)
    for at in range(board_cards):
        board_set |= card_bit(board[at])
    holding = 0
    for high in range(52):
        for low in range(high):
            holding_set = card_bit(high) | card_bit(low)
            blocked = holding_set & board_set != 0
            indices[holding] = -1 if blocked else set_index(table, holding_set, board_set, board_cards)
            holding += 1


@kernel
def representative_sets(table, with_holding, board_cards, index):
    """The packed sets (holding, board) of the representative of class `index`, the inverse of `set_index`."""
    street = board_cards - 2 if board_cards > 0 else 0
    kind = street if with_holding else street + 4
    low = 0
    high = (table[_ROW_START + kind + 1] - table[_ROW_START + kind]) // _ROW_LENGTH
    while high - low > 1:
        middle = (low + high) // 2
        if table[table[_ROW_START + kind] + middle * _ROW_LENGTH] <= index:
            low = middle
        else:
            high = middle
    row = table[_ROW_START + kind] + low * _ROW_LENGTH
    rest = int64(index) - table[row]
    holding_set = int64(0)
    board_set = int64(0)
    digit = int64(0)
    for at in range(4):
        shape = table[row + 1 + at]
        place = table[row + 9 + at]
        if at == 0 or table[row + at] != shape:  # a new group: take its digit
            digit = rest // table[row + 5 + at]
            rest -= digit * table[row + 5 + at]
        number = digit
        if place > 1:  # the greatest number whose multiset count does not exceed what is left of the digit
            column = _MULTISET + (place - 1) * (_MULTISET_MAX + 1)
            number = int64(0)
            above = int64(14) if place > 2 else int64(_MULTISET_MAX + 1)
            while above - number > 1:
                middle = (number + above) // 2
                if table[column + middle] <= digit:
                    number = middle
                else:
                    above = middle
            digit -= table[column + number]
        holding_colex = number // table[_WAYS + shape]
        board_colex = number - holding_colex * table[_WAYS + shape]
        holding = int64(table[_SETS + table[_SET_START + shape // 6] + holding_colex])
        board = int64(table[_SETS + table[_SET_START + shape % 6] + board_colex])
        gaps = holding
        while gaps != 0:  # open the board's set where the holding has its ranks, lowest first
            below = (gaps & -gaps) - 1
            board = ((board & ~below) << 1) | (board & below)
            gaps &= gaps - 1
        holding_set |= holding << (13 * at)
        board_set |= board << (13 * at)
    return holding_set, board_set


@kernel
def set_cards(packed, cards, start):
    """Write the cards of a packed set into `cards` from `start` on, the highest first; the position after the last."""
    for rank in range(12, -1, -1):
        for suit in range(3, -1, -1):
            if (packed >> (13 * suit + rank)) & 1:
                cards[start] = 4 * rank + suit
                start += 1
    return start


@kernel
def representative(table, with_holding, board_cards, index, cards):
    """Write the representative of a class into `cards`: the holding (if any), then the board, high cards first."""
    holding_set, board_set = representative_sets(table, with_holding, board_cards, index)
    set_cards(board_set, cards, set_cards(holding_set, cards, 0))


@kernel
def class_size(table, holding_set, board_set):
    """How many concrete deals share the class of this one: 24 over the permutations of equal suits."""
    a, b, c, d = _sorted_keys(table, holding_set, board_set)
    second = 2 if a >> 2 == b >> 2 else 1  # the place of each suit in its run of equal suits; their product is the
    third = second + 1 if b >> 2 == c >> 2 else 1  # product of the factorials of the run lengths
    fourth = third + 1 if c >> 2 == d >> 2 else 1
    return 24 // (second * third * fourth)


@kernel
def class_sizes(table, with_holding, board_cards, sizes):
    """`sizes[index]` becomes the number of concrete deals in each of the first len(sizes) classes."""
    for index in range(len(sizes)):
        holding_set, board_set = representative_sets(table, with_holding, board_cards, index)
        sizes[index] = class_size(table, holding_set, board_set)
