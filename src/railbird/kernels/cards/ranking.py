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

Everything is in one flat uint16 array (`TABLE`, 238 KB), which is shipped; `make_ranking` makes it.

Ranks are 0-7461 and a higher one wins. The wheel (5432A) is the lowest straight and the lowest straight flush.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from zlib import crc32

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

TABLE_CHECKSUM = 0x40D8B2EC
"""Of the shipped table: code that is compiled for another one is not used."""

ROWS = 1 << 13
COLUMNS = 1 << 16
OTHERS = ROWS  # where the rank constants of the cards outside the flush suit begin, two entries for each mark sum
SLOTS = OTHERS + 512  # where the overlapping rows begin

_ROW_MASK = np.uint64(ROWS - 1)
_COLUMN_SHIFT = np.uint64(13)
_COLUMN_MASK = np.uint64(COLUMNS - 1)
_MARK_MASK = np.uint64(0xFF)
_U1, _U2, _U3, _U4, _U5, _U6, _U7 = (np.uint64(n) for n in range(1, 8))
_ODD_SHIFT, _COUNT_SHIFT, _HIGH_SHIFT = np.uint64(30), np.uint64(40), np.uint64(56)
_COUNT_MASK = np.uint64(15)
_OTHERS_AT = np.uint64(OTHERS)
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


def _shipped_table():
    """`ranking.npy`, which `make_ranking` beside it makes."""
    table = np.load(Path(__file__).with_name("ranking.npy"))
    if crc32(table.data) != TABLE_CHECKSUM:
        raise ImportError("the table of ranks, ranking.npy, is damaged: install Railbird again")
    table.flags.writeable = False  # and so of one type, whether kernels take it as an argument or as a constant
    return table


TABLE = _shipped_table()


class Ranking(NamedTuple):
    """What it takes to rank hands, as one argument for kernels that are called seldom and do much.

    A call from Python takes a microsecond longer than with two arrays, so kernels of a few microseconds take those.
    """

    table: np.ndarray
    card_keys: np.ndarray
    rank_keys: np.ndarray


RANKING = Ranking(TABLE, CARD_KEYS, RANK_KEYS)


@kernel(forceinline=True)
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


@kernel(forceinline=True)
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
