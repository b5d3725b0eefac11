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

Everything is in one flat uint16 array (`TABLE`, 238 KB), built on import in about 10 ms.

Ranks are 0-7461 and a higher one wins. The wheel (5432A) is the lowest straight and the lowest straight flush.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel

RANK_COUNT = 7462
# The first rank of each category, from high card to straight flush.
HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = 0, 1277, 4137, 4995, 5853
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = 5863, 7140, 7296, 7452

# Found by random search: sums modulo 2**29 all different, and a table that packs well. The tests check both.
RANK_KEYS = np.array(
    [
        114563076,
        70780678,
        106980372,
        91264547,
        127318580,
        79585851,
        45686605,
        101546574,
        103148374,
        44633945,
        79349347,
        102035322,
        51822463,
    ],
    dtype=np.uint64,
)

EMPTY_KEY = np.uint64(0x3333 << 40)
FLUSH_BITS = np.uint64(0x8888 << 40)

_MULTISETS = 6_175 + 18_395 + 49_205
_ROWS = 1 << 13
_COLUMNS = 1 << 16
_OTHERS = _ROWS  # where the rank constants of the cards outside the flush suit begin, two entries for each mark sum
_SLOTS = _OTHERS + 512  # where the overlapping rows begin

_ROW_MASK = np.uint64(_ROWS - 1)
_COLUMN_SHIFT = np.uint64(13)
_COLUMN_MASK = np.uint64(_COLUMNS - 1)
_MARK_MASK = np.uint64(0xFF)
_U1, _U2, _U3, _U4, _U5, _U6, _U7 = (np.uint64(n) for n in range(1, 8))
_ODD_SHIFT, _COUNT_SHIFT, _HIGH_SHIFT = np.uint64(30), np.uint64(40), np.uint64(56)
_COUNT_MASK = np.uint64(15)
_OTHERS_AT = np.uint64(_OTHERS)
_U16 = np.uint64(16)
_LOW_CARD, _HIGH_CARD = np.uint32(0xFF), np.uint32(8)


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


@kernel
def _choose(n, k):
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
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
    named = four if four >= 0 else three if three >= 0 else pair
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


@kernel
def _rank_multisets(rank_keys, sums, ranks, chosen, counts, kickers):
    """The constant sum and the rank of every multiset of 5 to 7 card ranks with at most four of each."""
    found = 0
    for size in range(5, 8):
        for i in range(size):
            chosen[i] = 0
        at = 0
        while at >= 0:
            for rank in range(13):
                counts[rank] = 0
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


@kernel
def _lay_out_rows(rows, start, columns, values, occupied, table):
    """Put the rows, in the order given, at the first offsets that are free, and their values into the table.

    64 offsets are tried at a time: bit b of `taken` says that offset + b is blocked.
    """
    every = ~np.uint64(0)
    previous = _SLOTS
    for row in rows:
        # Offsets far below the last one found are full: starting there saves nearly all of the search.
        offset = max(_SLOTS, previous - 1024) - 64
        taken = every
        while taken == every:
            offset += 64
            taken = np.uint64(0)
            for i in range(start[row], start[row + 1]):
                word = (offset + columns[i]) >> 6
                bit = np.uint64((offset + columns[i]) & 63)
                taken |= occupied[word] >> bit | occupied[word + 1] << _U1 << (np.uint64(63) - bit)
        while taken & _U1:
            taken >>= _U1
            offset += 1
        previous = offset
        table[row] = offset
        for i in range(start[row], start[row + 1]):
            place = offset + columns[i]
            table[place] = values[i]
            occupied[place >> 6] |= _U1 << np.uint64(place & 63)


def _build_table():
    sums, ranks = np.zeros((2, _MULTISETS), np.int64)
    constants = RANK_KEYS.astype(np.int64)
    _rank_multisets(constants, sums, ranks, np.zeros(7, np.int64), np.zeros(13, np.int64), np.zeros(5, np.int64))
    rows = (sums & (_ROWS - 1)).astype(np.uint16)
    by_row = np.argsort(rows, kind="stable")
    lengths = np.bincount(rows, minlength=_ROWS)
    start = np.concatenate([[0], np.cumsum(lengths)])
    longest_first = np.argsort((-lengths).astype(np.int16), kind="stable")
    columns = (sums >> 13 & (_COLUMNS - 1))[by_row]
    table = np.full(_SLOTS + 2 * _COLUMNS, 0xFFFF, np.uint16)
    occupied = np.zeros(len(table) // 64 + 2, np.uint64)
    _lay_out_rows(longest_first, start, columns, ranks[by_row], occupied, table)
    # The rank constants of none, one or two cards outside the flush suit, by the sum of their marks.
    for first in (0, *constants.tolist()):
        for second in (0, *constants.tolist()):
            at = _OTHERS + 2 * ((first + second) & 0xFF)
            table[at], table[at + 1] = (first + second) & 0xFFFF, (first + second) >> 16
    # Long enough for every column of the last row, so that no sum whatever reads past the end.
    return table[: int(table[:_ROWS].max()) + _COLUMNS].copy()


TABLE = _build_table()


class Ranking(NamedTuple):
    """What it takes to rank hands, as one argument for kernels that are called seldom and do much.

    A call from Python takes a microsecond longer than with two arrays, so kernels of a few microseconds take those.
    """

    table: np.ndarray
    card_keys: np.ndarray
    rank_keys: np.ndarray


RANKING = Ranking(TABLE, CARD_KEYS, RANK_KEYS)


@kernel
def rank_without_flush(table, key):
    """The rank of the key of 5, 6 or 7 cards, or of the plain sum of their rank constants, as if no suits matched."""
    return np.int64(table[((key >> _COLUMN_SHIFT) & _COLUMN_MASK) + np.uint64(table[key & _ROW_MASK])])


@kernel
def rank_of_flush_key(table, key):
    """The rank of a key of 5 to 7 cards, at least five of them of one suit."""
    in_odd_suit = (key >> np.uint64(47) | key >> np.uint64(55)) & _U1
    in_high_suit = (key >> np.uint64(51) | key >> np.uint64(55)) & _U1
    # Relabel the suits by exclusive or, so that the flush is in suit 0 and the mark sums hold other cards only.
    odd = key >> _ODD_SHIFT
    high = key >> _HIGH_SHIFT
    odd = (key - odd if in_odd_suit else odd) & _MARK_MASK
    high = (key - high if in_high_suit else high) & _MARK_MASK
    # A card of (relabelled) suit 3 is in both sums; then the greater one also has the card that may be left.
    in_both = key >> (np.uint64(52) - _U4 * in_odd_suit - np.uint64(8) * in_high_suit) & _COUNT_MASK
    marks = odd + high if in_both == _U3 else max(odd, high)
    at = _OTHERS_AT + _U2 * marks
    rest = key - (np.uint64(table[at]) | np.uint64(table[at + _U1]) << _U16)
    rank = rank_without_flush(table, rest)
    return rank + (STRAIGHT_FLUSH - STRAIGHT if rank >= STRAIGHT else FLUSH)


@kernel
def rank_of_key(table, key):
    """The rank 0-7461 of `EMPTY_KEY` + the `CARD_KEYS` of 5, 6 or 7 cards."""
    if key & FLUSH_BITS:
        return rank_of_flush_key(table, key)
    return rank_without_flush(table, key)


# One hand at a time, a call costs what it takes to hand the arguments over. So the cards come as one `bytes`, and the
# tables are constants of the compiled code: a third of the time that three arrays take.
_KEY_OF_BYTE = np.zeros(256, np.uint64)
_KEY_OF_BYTE[:52] = CARD_KEYS
_IS_BLANK = 64
_RANK_OF_BYTE, _SUIT_OF_BYTE = np.full(256, 255, np.uint8), np.full(256, 255, np.uint8)


def _read_letters():
    for letters, numbers in (("23456789TJQKA", _RANK_OF_BYTE), ("cdhs", _SUIT_OF_BYTE)):
        for number, letter in enumerate(letters):
            numbers[ord(letter)] = numbers[ord(letter.lower())] = numbers[ord(letter.upper())] = number
    _RANK_OF_BYTE[ord(" ")] = _IS_BLANK


_read_letters()


@kernel
def rank_hand(cards):
    """The rank of one hand of 5, 6 or 7 `cards`, given as `bytes` of 0-51."""
    key = EMPTY_KEY
    for card in cards:
        key += _KEY_OF_BYTE[card]
    return rank_of_key(TABLE, key)


@kernel
def rank_text(text):
    """The rank of one hand of 5, 6 or 7 cards, given as the `bytes` of its text; -1 where that is not plain.

    Plain are a letter for the rank and one for the suit of each card, blanks between cards, and no card twice.
    """
    key = EMPTY_KEY
    seen = np.uint64(0)
    count = 0
    at = 0
    while at < len(text):
        rank = _RANK_OF_BYTE[text[at]]
        if rank == _IS_BLANK:
            at += 1
            continue
        if rank > 12 or at + 1 == len(text) or _SUIT_OF_BYTE[text[at + 1]] > 3:
            return np.int64(-1)
        card = np.uint64(4 * rank + _SUIT_OF_BYTE[text[at + 1]])
        if seen >> card & _U1:
            return np.int64(-1)
        seen |= _U1 << card
        key += _KEY_OF_BYTE[card]
        count += 1
        at += 2
    return rank_of_key(TABLE, key) if 5 <= count <= 7 else np.int64(-1)


@kernel
def _key_of_pair(card_keys, word):
    return card_keys[word & _LOW_CARD] + card_keys[word >> _HIGH_CARD]


@kernel
def _keys_of_two_hands(card_keys, words, at):
    """The keys of two 7-card hands that lie, two cards to the word, in `words[at : at + 7]`."""
    # Written out: as loops these become slow gathers.
    shared = np.uint32(words[at + _U3])
    first = _key_of_pair(card_keys, np.uint32(words[at])) + _key_of_pair(card_keys, np.uint32(words[at + _U1]))
    first += _key_of_pair(card_keys, np.uint32(words[at + _U2])) + card_keys[shared & _LOW_CARD]
    second = card_keys[shared >> _HIGH_CARD] + _key_of_pair(card_keys, np.uint32(words[at + _U4]))
    second += _key_of_pair(card_keys, np.uint32(words[at + _U5])) + _key_of_pair(card_keys, np.uint32(words[at + _U6]))
    return EMPTY_KEY + first, EMPTY_KEY + second


@kernel(nogil=True)
def rank_cards(table, card_keys, cards, out):
    """The rank of every row of `cards` (uint8, shape n x 5, 6 or 7) into `out` (uint16)."""
    count = np.uint64(cards.shape[0])
    flat = cards.reshape(cards.size)
    at = np.uint64(0)
    if cards.shape[1] == 7:
        # Four hands at a time, two cards a load and one look whether any is a flush: a fifth quicker than one by one.
        words = flat[: flat.size // 28 * 28].view(np.uint16)
        word = np.uint64(0)
        while at + _U3 < count:
            a, b = _keys_of_two_hands(card_keys, words, word)
            c, d = _keys_of_two_hands(card_keys, words, word + _U7)
            word += _U7 + _U7
            out[at] = rank_without_flush(table, a)
            out[at + _U1] = rank_without_flush(table, b)
            out[at + _U2] = rank_without_flush(table, c)
            out[at + _U3] = rank_without_flush(table, d)
            if (a | b | c | d) & FLUSH_BITS:
                if a & FLUSH_BITS:
                    out[at] = rank_of_flush_key(table, a)
                if b & FLUSH_BITS:
                    out[at + _U1] = rank_of_flush_key(table, b)
                if c & FLUSH_BITS:
                    out[at + _U2] = rank_of_flush_key(table, c)
                if d & FLUSH_BITS:
                    out[at + _U3] = rank_of_flush_key(table, d)
            at += _U4
    for i in range(at, count):
        key = EMPTY_KEY
        for j in range(cards.shape[1]):
            key += card_keys[cards[i, j]]
        out[i] = rank_of_key(table, key)


@kernel
def count_ranks(table, card_keys, size, counts):
    """Add to `counts[rank]` (int64, 7462 long) the number of hands of that rank among all hands of `size` cards."""
    # The highest `size` - 3 cards step like an odometer, the lowest three are loops.
    highest = np.arange(size - 1, 2, -1)
    last = len(highest) - 1
    at = 0
    while at >= 0:
        upper_key = EMPTY_KEY
        for card in highest:
            upper_key += card_keys[card]
        for a in range(2, highest[last]):
            a_key = upper_key + card_keys[a]
            for b in range(1, a):
                b_key = a_key + card_keys[b]
                for c in range(b):
                    counts[rank_of_key(table, b_key + card_keys[c])] += 1
        at = last
        while at >= 0 and highest[at] == (51 if at == 0 else highest[at - 1] - 1):
            at -= 1
        if at >= 0:
            highest[at] += 1
            for i in range(at + 1, last + 1):
                highest[i] = size - 1 - i
