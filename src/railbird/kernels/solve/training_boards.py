"""Boards made ready for training: their live holdings in rising order of rank, and by street sorted into buckets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel


class Board(NamedTuple):
    """The live holdings of a board on a street, rising by rank."""

    cards: np.ndarray
    """int64 [holding, 2]."""
    ends: np.ndarray
    """int64 by holding: the number after the last of equal rank."""
    places: np.ndarray
    """int64 by holding: its bucket as a place in the list `present`."""
    present: np.ndarray
    """int64: the buckets on this board."""
    starts: np.ndarray
    members: np.ndarray
    """int64: the holdings of each bucket, those of place p from starts[p] to starts[p + 1] - 1."""
    finer: np.ndarray
    """int64 by place: the bucket's number among those of an opponent who sees more; of no length if there is none."""


@kernel(nogil=True)
def order_holdings(ranks, cards, ends, numbers):
    """List the live holdings in rising order of rank; returns how many there are.

    `ranks` has the rank of every holding, negative for those that share a card with the board.
    """
    count = 0
    keys = np.empty(1326, np.int64)
    for holding in range(1326):
        if ranks[holding] >= 0:
            keys[count] = ranks[holding] * 2048 + holding
            count += 1
    keys[:count].sort()
    high_of = np.empty(1326, np.int64)
    holding = 0
    for high in range(52):
        for _ in range(high):
            high_of[holding] = high
            holding += 1
    for i in range(count):
        holding = keys[i] & 2047
        high = high_of[holding]
        numbers[i] = holding
        cards[2 * i], cards[2 * i + 1] = high, holding - high * (high - 1) // 2
    end = count
    for i in range(count - 1, -1, -1):
        ends[i] = end
        if i > 0 and keys[i] >> 11 != keys[i - 1] >> 11:
            end = i
    return count


@kernel(nogil=True)
def list_buckets(buckets, numbers, bucket_count, places_of, present, starts, members):
    """Sort live holdings by bucket; returns how many buckets there are on the board.

    `buckets` (uint16) is by holding, everything else by its number in the order of `order_holdings`.
    """
    counts = np.zeros(bucket_count + 1, np.int64)
    count = len(numbers)
    for i in range(count):
        counts[buckets[numbers[i]]] += 1
    places = 0
    starts[0] = 0
    for bucket in range(bucket_count):
        if counts[bucket] > 0:
            present[places] = bucket
            starts[places + 1] = starts[places] + counts[bucket]
            counts[bucket] = places
            places += 1
    filled = starts[:places].copy()
    for i in range(count):
        place = counts[buckets[numbers[i]]]
        places_of[i] = place
        members[filled[place]] = i
        filled[place] += 1
    return places
