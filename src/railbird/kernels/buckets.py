"""Features of holdings for card abstraction, and the bucket that a feature falls into.

Two kinds of feature describe a holding on a flop or turn, against a holding of which nothing is known:

* **moments**: the mean of the final hand strength, E[HS], and of its square, E[HS^2], over all cards to come;
* **histograms**: how hand strength is distributed after the next card (on the turn board the river's hand strength; on
  the flop board the turn's E[HS]), as cumulative counts: entry j says after how many next cards it is below
  (j + 1) / CELLS. Histograms are compared by the squared distance of their cumulative counts, a smooth relative of the
  earth mover's distance, for which the mean is the best centre.

Everything that decides a bucket is a whole number or an exactly rounded quotient: centres are stored in sixteenths of a
count, and squared distances stay below 2**24, where single precision is exact. So a table of buckets comes out the same
on every machine.

The nearest centre is found among centres sorted by the sum of their entries: with d entries, a centre whose sum differs
by s is at least s^2 / d away, so the search goes outwards from the nearest sum and stops early.

On the river a bucket follows from the hand strength against all holdings and, within a slice of it, from the hand
strength against a weighted range.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from railbird.kernels.isomorphism import card_bit, set_index

CELLS = 16
ENTRIES = CELLS - 1
"""The last cumulative count is always the number of cards."""
FINE = 16
"""Centres are in 1 / FINE of a count."""
SCALE = 65535
"""Moments are stored as shares of this."""


@njit(cache=True, nogil=True)
def count_cells(strengths, counts):
    """Add one next card to the cumulative counts of all holdings, `counts[holding * ENTRIES + j]` (float32).

    `strengths` are the hand strengths after it, not a number for holdings that hold one of the cards dealt.
    """
    for holding in range(1326):
        if strengths[holding] == strengths[holding]:
            for j in range(np.int64(strengths[holding] * CELLS), ENTRIES):
                counts[holding * ENTRIES + j] += 1.0


@njit(cache=True)
def add_moments(strengths, first, second):
    """Add the final hand strengths of one runout, and their squares."""
    for holding in range(1326):
        if strengths[holding] == strengths[holding]:
            first[holding] += strengths[holding]
            second[holding] += strengths[holding] * strengths[holding]


@njit(cache=True)
def nearest(centres, sums, point, at, guess):
    """The centre nearest to point[at : at + ENTRIES]; of equally near ones the first.

    `centres` are rows in rising order of `sums`; `guess` is a centre to begin with, often that of a like holding.
    """
    total = np.float32(0.0)
    for j in range(ENTRIES):
        total += point[at + j]
    total *= FINE
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) // 2
        if sums[middle] < total:
            low = middle + 1
        else:
            high = middle
    best = np.float32(1e30)
    chosen = -1
    if guess >= 0:
        best = _distance(centres, guess, point, at)
        chosen = guess
    up, down = low, low - 1
    while up < len(sums) or down >= 0:
        if up < len(sums):
            gap = sums[up] - total
            if gap * gap > best * ENTRIES:
                up = len(sums)
            else:
                far = _distance(centres, up, point, at)
                if far < best or (far == best and up < chosen):
                    best = far
                    chosen = up
                up += 1
        if down >= 0:
            gap = total - sums[down]
            if gap * gap > best * ENTRIES:
                down = -1
            else:
                far = _distance(centres, down, point, at)
                if far < best or (far == best and down < chosen):
                    best = far
                    chosen = down
                down -= 1
    return chosen


@njit(cache=True)
def _distance(centres, row, point, at):
    far = np.float32(0.0)
    for j in range(ENTRIES):
        gap = np.float32(FINE) * point[at + j] - centres[row, j]
        far += gap * gap
    return far


@njit(cache=True)
def assign_points(centres, sums, points, chosen):
    """`chosen[i]` becomes the nearest centre of each row of `points` (float32, flat); it holds the guesses before."""
    for i in range(len(chosen)):
        chosen[i] = nearest(centres, sums, points, ENTRIES * i, chosen[i])


@njit(cache=True)
def move_centres(points, chosen, weights, totals):
    """Add up the points of each centre in `totals` [centre, ENTRIES] and their number in `weights`."""
    totals[:] = 0.0
    weights[:] = 0.0
    for i in range(len(chosen)):
        weights[chosen[i]] += 1.0
        for j in range(ENTRIES):
            totals[chosen[i], j] += points[ENTRIES * i + j]


@njit(cache=True, nogil=True)
def assign_holdings(indices, counts, centres, sums, buckets):
    """Put the nearest centre of each holding on one board into `buckets` (uint16, by class); -1 in `indices`: none."""
    guess = np.int64(-1)
    for holding in range(1326):
        if indices[holding] >= 0:
            guess = nearest(centres, sums, counts, ENTRIES * holding, guess)
            buckets[indices[holding]] = guess


@njit(cache=True, nogil=True)
def read_buckets(isomorphisms, by_class, board, board_cards, buckets):
    """The buckets of all holdings on a board of 0, 3 or 4 cards, from a table by class; 0 for blocked ones."""
    board_set = np.int64(0)
    for i in range(board_cards):
        board_set |= card_bit(np.int64(board[i]))
    holding = 0
    for high in range(52):
        for low in range(high):
            holding_set = card_bit(high) | card_bit(low)
            if holding_set & board_set:
                buckets[holding] = 0
            else:
                buckets[holding] = by_class[set_index(isomorphisms, holding_set, board_set, board_cards)]
            holding += 1


@njit(cache=True, nogil=True)
def river_buckets(strengths, others, limits, buckets):
    """The buckets of all holdings on five cards; 0 for blocked ones.

    Hand strength against all holdings chooses one of `len(limits)` even slices, and the hand strength against a range,
    `others`, a part of the slice: the number of its `limits` that are not above it.
    """
    slices, inner = limits.shape
    for holding in range(1326):
        strength = strengths[holding]
        if strength != strength:
            buckets[holding] = 0
            continue
        at = min(np.int64(strength * slices), slices - 1)
        part = 0
        for j in range(inner):
            part += others[holding] >= limits[at, j]
        buckets[holding] = at * (inner + 1) + part
