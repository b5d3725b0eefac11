"""Makes `ranking.npy`, the table by which hands are ranked: `python -m railbird.kernels.cards.make_ranking`.

In plain Python, since it is made once: the tests make it again and compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from zlib import crc32

import numpy as np

from railbird.kernels.cards.ranking import (
    COLUMNS,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    OTHERS,
    PAIR,
    RANK_KEYS,
    ROWS,
    SLOTS,
    STRAIGHT,
    THREE_OF_A_KIND,
    TWO_PAIR,
)


def made_table() -> np.ndarray:
    """The table, made anew."""
    keys = RANK_KEYS.tolist()
    rows: list[list[tuple[int, int]]] = [[] for _ in range(ROWS)]
    for cards in _multisets():
        total = sum(keys[card] for card in cards)
        rows[total & (ROWS - 1)].append((total >> 13 & (COLUMNS - 1), _rank_without_flush(cards)))
    table = np.full(SLOTS + 2 * COLUMNS, 0xFFFF, np.uint16)
    _lay_out(rows, table)
    # The rank constants of none, one or two cards outside the flush suit, by the sum of their marks.
    for first in (0, *keys):
        for second in (0, *keys):
            at = OTHERS + 2 * ((first + second) & 0xFF)
            table[at], table[at + 1] = (first + second) & 0xFFFF, (first + second) >> 16
    # Long enough for every column of the last row, so that no sum whatever reads past the end.
    return table[: int(table[:ROWS].max()) + COLUMNS].copy()


def _multisets() -> Iterator[tuple[int, ...]]:
    """Every multiset of 5 to 7 card ranks with at most four of each."""
    for size in (5, 6, 7):
        for cards in combinations_with_replacement(range(13), size):
            if all(cards[i] != cards[i + 4] for i in range(size - 4)):
                yield cards


def _rank_without_flush(cards: Sequence[int]) -> int:
    """The rank of cards of no common suit."""
    counts = Counter(cards)
    four, three = (max((rank for rank in counts if counts[rank] == count), default=-1) for count in (4, 3))
    pairs = sorted((rank for rank in counts if counts[rank] >= 2 and rank not in (four, three)), reverse=True)
    pair, second_pair = (*pairs, -1, -1)[:2]
    if four < 0 and three >= 0 and pair >= 0:
        return FULL_HOUSE + 12 * three + pair - (pair > three)
    if four < 0:
        for top in range(12, 2, -1):
            if all((rank if rank >= 0 else 12) in counts for rank in range(top - 4, top + 1)):
                return STRAIGHT + top - 3
    # Kickers are numbered among the ranks not already named.
    if four >= 0:
        return FOUR_OF_A_KIND + 12 * four + _kickers(counts, four)[0]
    if three >= 0:
        first, second, *_ = _kickers(counts, three)
        return THREE_OF_A_KIND + 66 * three + comb(first, 2) + second
    if second_pair >= 0:
        return TWO_PAIR + 11 * (comb(pair, 2) + second_pair) + _kickers(counts, pair, second_pair)[0]
    if pair >= 0:
        first, second, third, *_ = _kickers(counts, pair)
        return PAIR + 220 * pair + comb(first, 3) + comb(second, 2) + third
    kickers = _kickers(counts)[:5]
    below = sum(comb(kicker, 5 - i) for i, kicker in enumerate(kickers))
    # Straights have left their places: one for each lower top card from the six up, and the wheel below any ace.
    return HIGH_CARD + below - (kickers[0] - 4) - (kickers[0] == 12)


def _kickers(counts: Counter[int], *named: int) -> list[int]:
    """The other ranks from the highest down, each numbered among those not named."""
    others = sorted((rank for rank in counts if rank not in named), reverse=True)
    return [rank - sum(name < rank for name in named) for rank in others]


def _lay_out(rows: list[list[tuple[int, int]]], table: np.ndarray) -> None:
    """Put the rows, longest first, each at the first offset that is free, and their values into the table."""
    occupied = 0  # bit i: slot i is taken
    previous = SLOTS
    for row in sorted(range(ROWS), key=lambda row: -len(rows[row])):
        # Offsets far below the last one found are full: starting there saves nearly all of the search.
        start = max(SLOTS, previous - 1024)
        blocked = 0
        for column, _ in rows[row]:
            blocked |= occupied >> (start + column)
        previous = start + (~blocked & (blocked + 1)).bit_length() - 1
        table[row] = previous
        for column, rank in rows[row]:
            table[previous + column] = rank
            occupied |= 1 << (previous + column)


if __name__ == "__main__":
    made = made_table()
    np.save(Path(__file__).with_name("ranking.npy"), made)
    print(f"ranking.npy: {made.nbytes:,} bytes; in ranking.py: TABLE_CHECKSUM = {crc32(made.data):#x}")
