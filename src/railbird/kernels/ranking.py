"""The rank of 5, 6 or 7 cards, from one 64-bit key that is a plain sum.

Every card has a key, and the key of a hand is `EMPTY_KEY` plus the keys of its cards. Keys add in any order and any
grouping (board + holding + next card), so a loop over runouts costs one addition a card. From the lowest bit up:

    bits  0-29   sum of the rank constants of the cards (`RANK_KEYS`, 27 bits each, whose lowest 8 bits are "marks")
    bits 30-39   sum of the marks of the cards of suits 1 and 3
    bits 40-55   four suit counters of 4 bits, starting at 3, so that five cards of a suit set the counter's top bit
    bits 56-63   sum of the marks of the cards of suits 2 and 3, modulo 256

Without a flush the rank depends on the card ranks alone. Each of the 73,775 multisets of 5 to 7 ranks has its own
constant sum modulo 2**29, which a row displacement table turns into a place: the low 13 bits choose a row, the next 16
the column, and the row's stored offset is where that row begins. Rows overlap without two entries ever meeting; they
are laid out, longest first, each at the first offset that is free.

With a flush at most two cards are of other suits. Their marks are recovered from the mark sums and the suit counters.
The marks are the 13 positive marks of the optimal Golomb ruler with 14 marks (length 127), so the sum of none, one or
two of them says which they were. Taking these cards' rank constants off the key leaves the flush suit alone: five to
seven different ranks, whose rank without the suit (high card or straight) moves up to the flush or straight flush with
the same cards. So a flush needs no table of its own.

Everything is in one flat uint16 array (`TABLE`, 236 KB), built on import in about 3 ms.

Ranks are 0-7461 and a higher one wins. The wheel (5432A) is the lowest straight and the lowest straight flush.
"""

from __future__ import annotations

import numpy as np
from numba import njit

RANK_COUNT = 7462
# The first rank of each category, from high card to straight flush.
HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = 0, 1277, 4137, 4995, 5853
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = 5863, 7140, 7296, 7452

# Found by random search: sums modulo 2**29 all different, and a table that packs well. The tests check both.
RANK_KEYS = np.array(
    [
        114563076, 70780678, 106980372, 91264547, 127318580, 79585851, 45686605,
        101546574, 103148374, 44633945, 79349347, 102035322, 51822463,
    ],
    dtype=np.uint64,
)  # fmt: skip

EMPTY_KEY = np.uint64(0x3333 << 40)
FLUSH_BITS = np.uint64(0x8888 << 40)

_MULTISETS = 6_175 + 18_395 + 49_205
_ROWS = 1 << 13
_COLUMNS = 1 << 16
_OTHERS = _ROWS  # where the rank constants of the cards outside the flush suit begin, two entries for each mark sum
_SLOTS = _OTHERS + 512  # where the overlapping rows begin
_UNUSED = np.uint16(0xFFFF)

_ROW_MASK = np.uint64(_ROWS - 1)
_COLUMN_SHIFT = np.uint64(13)
_COLUMN_MASK = np.uint64(_COLUMNS - 1)
_MARK_MASK = np.uint64(0xFF)
_U0, _U1, _U2, _U3, _U4 = (np.uint64(n) for n in range(5))
_ODD_SHIFT, _COUNT_SHIFT, _HIGH_SHIFT = np.uint64(30), np.uint64(40), np.uint64(56)
_COUNT_MASK = np.uint64(15)
_OTHERS_AT = np.uint64(_OTHERS)
_U16 = np.uint64(16)


def _card_keys():
    suits = np.tile(np.arange(4, dtype=np.uint64), 13)
    constants = np.repeat(RANK_KEYS, 4)
    marks = constants & _MARK_MASK
    return (
        constants
        + (marks * (suits & _U1) << _ODD_SHIFT)
        + (_U1 << (_COUNT_SHIFT + _U4 * suits))
        + (marks * (suits >> _U1) << _HIGH_SHIFT)
    )


CARD_KEYS = _card_keys()


@njit(cache=True)
def _choose(n, k):
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@njit(cache=True)
def _rank_of_counts(counts, kickers):
    """The rank of cards of no common suit, from the number of cards of each rank. `kickers` is room for five."""
    four, three, pair, second_pair, present = -1, -1, -1, -1, 0
    for rank in range(12, -1, -1):
        count = counts[rank]
        if count > 0:
            present |= 2 << rank
        if count == 4:
            four = max(four, rank)
        elif count == 3 and three < 0:
            three = rank
        elif count >= 2:
            if pair < 0:
                pair = rank
            elif second_pair < 0:
                second_pair = rank
    present |= present >> 13  # the ace also stands below the deuce
    if four < 0 and three >= 0 and pair >= 0:
        return FULL_HOUSE + 12 * three + pair - (pair > three)
    if four < 0:
        for top in range(12, 2, -1):
            if (present >> (top - 3)) & 31 == 31:
                return STRAIGHT + top - 3
    # Kickers are numbered among the ranks not already named.
    named = max(four, three) if max(four, three) >= 0 else pair
    also_named = second_pair if named == pair else -1
    found = 0
    for rank in range(12, -1, -1):
        if counts[rank] > 0 and rank != named and rank != also_named and found < 5:
            kickers[found] = rank - (0 <= named < rank) - (0 <= also_named < rank)
            found += 1
    if four >= 0:
        return FOUR_OF_A_KIND + 12 * four + kickers[0]
    if three >= 0:
        return THREE_OF_A_KIND + 66 * three + _choose(kickers[0], 2) + kickers[1]
    if second_pair >= 0:
        return TWO_PAIR + 11 * (_choose(pair, 2) + second_pair) + kickers[0]
    if pair >= 0:
        return PAIR + 220 * pair + _choose(kickers[0], 3) + _choose(kickers[1], 2) + kickers[2]
    below = 0
    for i in range(5):
        below += _choose(kickers[i], 5 - i)
    # Straights have left their places: one for each lower top card from the six up, and the wheel below any ace.
    return HIGH_CARD + below - (kickers[0] - 4) - (kickers[0] == 12)


@njit(cache=True)
def _rank_multisets(rank_keys, sums, ranks):
    """The constant sum and the rank of every multiset of 5 to 7 card ranks with at most four of each."""
    counts = np.zeros(13, np.int64)
    chosen = np.zeros(7, np.int64)
    kickers = np.zeros(5, np.int64)
    found = 0
    for size in range(5, 8):
        chosen[:] = 0
        at = 0
        while at >= 0:
            counts[:] = 0
            total = 0
            most = 0
            for i in range(size):
                counts[chosen[i]] += 1
                most = max(most, counts[chosen[i]])
                total += rank_keys[chosen[i]]
            if most <= 4:
                sums[found] = total
                ranks[found] = _rank_of_counts(counts, kickers)
                found += 1
            at = size - 1
            while at >= 0 and chosen[at] == 12:
                at -= 1
            if at >= 0:
                following = chosen[at] + 1
                for i in range(at, size):
                    chosen[i] = following


@njit(cache=True)
def _build_table(rank_keys, table):
    """Fill `table`; the number of entries used, or 0 where `rank_keys` do not fit."""
    sums = np.zeros(_MULTISETS, np.int64)
    ranks = np.zeros(_MULTISETS, np.int64)
    _rank_multisets(rank_keys, sums, ranks)

    # Gather the multisets of each row.
    start = np.zeros(_ROWS + 1, np.int64)
    for i in range(_MULTISETS):
        start[(sums[i] & (_ROWS - 1)) + 1] += 1
    longest = start.max()
    for row in range(_ROWS):
        start[row + 1] += start[row]
    following = start[:-1].copy()
    columns = np.zeros(_MULTISETS, np.int64)
    values = np.zeros(_MULTISETS, np.int64)
    for i in range(_MULTISETS):
        row = sums[i] & (_ROWS - 1)
        columns[following[row]] = (sums[i] >> 13) & (_COLUMNS - 1)
        values[following[row]] = ranks[i]
        following[row] += 1

    # Lay the rows out, 64 offsets at a time: bit b of `taken` says that offset + b is blocked.
    table[:] = _UNUSED
    room = len(table) - _COLUMNS - 64
    occupied = np.zeros(len(table) // 64 + 2, np.uint64)
    every = ~np.uint64(0)
    used = 0
    previous = _SLOTS
    for length in range(longest, 0, -1):
        for row in range(_ROWS):
            if start[row + 1] - start[row] != length:
                continue
            # Offsets far below the last one found are full: starting there saves nearly all of the search.
            offset = max(_SLOTS, previous - 1024)
            taken = every
            while taken == every and offset < room:
                taken = np.uint64(0)
                for i in range(start[row], start[row + 1]):
                    word = (offset + columns[i]) >> 6
                    bit = np.uint64((offset + columns[i]) & 63)
                    taken |= occupied[word] >> bit | occupied[word + 1] << np.uint64(1) << (np.uint64(63) - bit)
                offset += 64
            if taken == every:
                return 0
            offset -= 64
            while taken & np.uint64(1):
                taken >>= np.uint64(1)
                offset += 1
            previous = offset
            table[row] = offset
            for i in range(start[row], start[row + 1]):
                place = offset + columns[i]
                if table[place] != _UNUSED:
                    return 0
                table[place] = values[i]
                occupied[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
                used = max(used, place + 1)

    # The rank constants of none, one or two cards outside the flush suit, by the sum of their marks.
    for first in range(-1, 13):
        for second in range(-1, first + 1):
            constant = 0
            if first >= 0:
                constant += rank_keys[first]
            if second >= 0:
                constant += rank_keys[second]
            table[_OTHERS + 2 * (constant & 255)] = constant & 0xFFFF
            table[_OTHERS + 2 * (constant & 255) + 1] = constant >> 16
    return used


def _built_table():
    table = np.empty(1 << 17, dtype=np.uint16)
    return table[: _build_table(RANK_KEYS.astype(np.int64), table)].copy()


TABLE = _built_table()


@njit(cache=True)
def rank_of_flush_key(table, key):
    """The rank of a key of 5 to 7 cards, at least five of them of one suit."""
    flag = key & FLUSH_BITS
    suit = _U0
    if flag & np.uint64(0x80 << 40):
        suit = _U1
    elif flag & np.uint64(0x800 << 40):
        suit = _U2
    elif flag & np.uint64(0x8000 << 40):
        suit = _U3
    # Relabel the suits by exclusive or, so that the flush is in suit 0 and the mark sums hold other cards only.
    odd = key >> _ODD_SHIFT
    if suit & _U1:
        odd = key - odd
    high = key >> _HIGH_SHIFT
    if suit & _U2:
        high = key - high
    # A card of (relabelled) suit 3 is in both sums, and then at most one more card is left, in suit 1 or 2.
    if (key >> (_COUNT_SHIFT + _U4 * (suit ^ _U3))) & _COUNT_MASK == _U3:
        marks = odd + high
    elif (key >> (_COUNT_SHIFT + _U4 * (suit ^ _U1))) & _COUNT_MASK != _U3:
        marks = odd
    else:
        marks = high
    at = _OTHERS_AT + _U2 * (marks & _MARK_MASK)
    rest = key - (np.uint64(table[at]) | np.uint64(table[at + _U1]) << _U16)
    rank = np.int64(table[((rest >> _COLUMN_SHIFT) & _COLUMN_MASK) + np.uint64(table[rest & _ROW_MASK])])
    return rank + (STRAIGHT_FLUSH - STRAIGHT if rank >= STRAIGHT else FLUSH)


@njit(cache=True)
def rank_of_key(table, key):
    """The rank 0-7461 of `EMPTY_KEY` + the `CARD_KEYS` of 5, 6 or 7 cards."""
    if key & FLUSH_BITS:
        return rank_of_flush_key(table, key)
    return np.int64(table[((key >> _COLUMN_SHIFT) & _COLUMN_MASK) + np.uint64(table[key & _ROW_MASK])])


@njit(cache=True)
def rank_cards(table, card_keys, cards, out):
    """The rank of every row of `cards` (uint8, shape n x 5, 6 or 7) into `out` (uint16)."""
    size = cards.shape[1]
    for i in range(cards.shape[0]):
        # Written out: a loop over the cards of one hand costs a sixth of the time.
        key = EMPTY_KEY + card_keys[cards[i, 0]] + card_keys[cards[i, 1]] + card_keys[cards[i, 2]]
        key += card_keys[cards[i, 3]] + card_keys[cards[i, 4]]
        if size > 5:
            key += card_keys[cards[i, 5]]
        if size > 6:
            key += card_keys[cards[i, 6]]
        out[i] = rank_of_key(table, key)
