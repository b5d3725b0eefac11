"""Features of holdings for card abstraction, and the bucket that a feature falls into.

Two kinds of feature describe a holding on a flop or turn, against a holding of which nothing is known:

* **moments**: the mean of the final hand strength, E[HS], and of its square, E[HS^2], over all cards to come;
* **histograms**: how hand strength is distributed after the next card (on the turn board the river's hand strength; on
  the flop board the turn's E[HS]), as cumulative counts: entry j says after how many next cards it is below
  (j + 1) / CELLS. Histograms are compared by the squared distance of their cumulative counts, a smooth relative of the
  earth mover's distance, for which the mean is the best centre.

Everything that decides a bucket is a whole number or an exactly rounded quotient: centres are stored in sixteenths of a
count, and squared distances stay below 2**24 (`nearest_centres`). So a table of buckets comes out the same on every
machine.

On the river a bucket follows from the hand strength against all holdings and, within a slice of it, from the hand
strength against a weighted range. For one holding both are counted by the 91 classes of `classes`: of the cards not
seen, so many pairs have these two ranks, and so many of them are of one suit. Flushes are taken out of their class and
ranked one by one; a board with four or five cards of a suit, where most holdings make one, is counted holding by
holding. The counts are whole numbers, so the quotients are those of the sweep over all holdings, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT, flush_rank, rank_classes
from railbird.kernels.cards.isomorphism import card_bit, set_index
from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.solve.nearest_centres import nearest
from railbird.kernels.solve.river_clusters import clustered_bucket

CELLS = 16
ENTRIES = CELLS - 1
"""The last cumulative count is always the number of cards."""
FINE = 16
"""Centres are in 1 / FINE of a count."""
FINES = (FINE,) * ENTRIES
"""As `nearest_centres` takes it."""
SCALE = 65535
"""Moments are stored as shares of this."""


class Buckets(NamedTuple):
    """What the bucket of a holding is found by."""

    isomorphisms: np.ndarray
    better: np.ndarray
    """By class of card ranks: whether offsuit, and whether suited, it is one of the better holdings."""
    by_class: tuple[np.ndarray, np.ndarray]
    """Of flops and turns, by class of holding and board."""
    limits: np.ndarray
    """Of river buckets that are slices of hand strength."""
    groups: np.ndarray
    """By holding: its group, of river buckets that are clusters (`river_clusters`)."""
    centres: np.ndarray
    """Of these; none where the river is cut into slices."""
    centre_sums: np.ndarray


_SIZES = np.array([bin(suits).count("1") for suits in range(16)])
_DECK = np.int64((1 << 52) - 1)
_ONE = np.int64(1)


@kernel(nogil=True)
def count_cells(strengths, counts):
    """Add one next card to the cumulative counts of all holdings, `counts[holding * ENTRIES + j]` (float32).

    `strengths` are the hand strengths after it, not a number for holdings that hold one of the cards dealt.
    """
    for holding in range(1326):
        if strengths[holding] == strengths[holding]:
            for j in range(np.int64(strengths[holding] * CELLS), ENTRIES):
                counts[holding * ENTRIES + j] += 1.0


@kernel
def add_moments(strengths, first, second):
    """Add the final hand strengths of one runout, and their squares."""
    for holding in range(1326):
        if strengths[holding] == strengths[holding]:
            first[holding] += strengths[holding]
            second[holding] += strengths[holding] * strengths[holding]


@kernel(nogil=True)
def assign_holdings(indices, counts, centres, sums, buckets):
    """Put the nearest centre of each holding on one board into `buckets` (uint16, by class); -1 in `indices`: none."""
    guess = np.int64(-1)
    for holding in range(1326):
        if indices[holding] >= 0:
            guess = nearest(centres, sums, counts, ENTRIES * holding, FINES, guess)
            buckets[indices[holding]] = guess


@kernel(nogil=True)
def read_buckets(isomorphisms, by_class, board, buckets):
    """The buckets of all holdings on a board of 0, 3 or 4 cards, from a table by class; 0 for blocked ones."""
    board_set = np.int64(0)
    for card in board:
        board_set |= card_bit(np.int64(card))
    holding = 0
    for high in range(52):
        for low in range(high):
            holding_set = card_bit(high) | card_bit(low)
            if holding_set & board_set:
                buckets[holding] = 0
            else:
                buckets[holding] = by_class[set_index(isomorphisms, holding_set, board_set, len(board))]
            holding += 1


@kernel(nogil=True)
def river_buckets(strengths, others, limits, buckets):
    """The buckets of all holdings on five cards; 0 for blocked ones.

    Hand strength against all holdings chooses one of `len(limits)` even slices, and the hand strength against a range,
    `others`, a part of the slice: the number of its `limits` that are not above it.
    """
    for holding in range(1326):
        if strengths[holding] != strengths[holding]:
            buckets[holding] = 0
        else:
            buckets[holding] = _river_bucket(strengths[holding], others[holding], limits)


@kernel
def _river_bucket(strength, other, limits):
    slices, inner = limits.shape
    at = min(np.int64(strength * slices), slices - 1)
    part = 0
    for j in range(inner):
        part += other >= limits[at, j]
    return at * (inner + 1) + part


@kernel
def rank_board(table, rank_keys, board, counts, class_ranks):
    """The rank of every class on five cards without regard to suits, into `class_ranks` (int16).

    `counts` is room for the number of board cards of each rank.
    """
    rank_sum = np.uint64(0)
    counts[:] = 0
    for card in board:
        rank_sum += rank_keys[card >> 2]
        counts[card >> 2] += 1
    rank_classes(table, rank_keys, rank_sum, counts, class_ranks)


@kernel
def river_standing(table, card_keys, rank_keys, better, class_ranks, board, first, second):
    """The hand strength of one holding on five cards, against all holdings and against the better ones.

    better[class, 0] is 1 if two cards of these ranks and of different suits are among the better holdings,
    better[class, 1] the same for one suit; `class_ranks` are those of `rank_board`.
    """
    live = _DECK & ~(_ONE << first) & ~(_ONE << second)
    board_key = EMPTY_KEY
    suits = np.int64(0)  # four counters of four bits
    for card in board:
        live &= ~(_ONE << card)
        board_key += card_keys[card]
        suits += _ONE << 4 * np.int64(card & 3)
    own = rank_of_key(table, board_key + card_keys[first] + card_keys[second])
    flush_suit, on_board = np.int64(0), np.int64(0)
    for suit in range(4):
        if suits >> 4 * suit & 15 >= 3:
            flush_suit, on_board = np.int64(suit), suits >> 4 * suit & 15
    if on_board > 3:
        return _standing_among_flushes(table, card_keys, better, live, board_key, own)
    flush_bit = _ONE << flush_suit if on_board == 3 else np.int64(0)
    suit_sum = np.uint64(0)
    for card in board:
        if card & 3 == flush_suit:
            suit_sum += rank_keys[card >> 2]

    # A score is twice the holdings beaten and once those tied with.
    score, better_score, better_count = np.int64(0), np.int64(0), np.int64(0)
    at = 0
    for high in range(13):
        high_suits = live >> 4 * high & 15
        high_ways = _SIZES[high_suits]
        for low in range(high):
            low_suits = live >> 4 * low & 15
            both = high_suits & low_suits
            suited = _SIZES[both]
            apart = high_ways * _SIZES[low_suits] - suited
            if both & flush_bit:
                suited -= 1
                points = _points(flush_rank(table, suit_sum + rank_keys[high] + rank_keys[low]), own)
                score += points
                better_score += points * better[at, 1]
                better_count += better[at, 1]
            points = _points(class_ranks[at], own)
            among_better = apart * better[at, 0] + suited * better[at, 1]
            score += points * (apart + suited)
            better_score += points * among_better
            better_count += among_better
            at += 1
        pairs = high_ways * (high_ways - 1) >> 1
        points = _points(class_ranks[at], own)
        score += points * pairs
        better_score += points * pairs * better[at, 0]
        better_count += pairs * better[at, 0]
        at += 1
    return _share(score, 990), _share(better_score, better_count)


@kernel
def _standing_among_flushes(table, card_keys, better, live, board_key, own):
    """The same on a board that makes flushes of most holdings, holding by holding."""
    score, better_score, better_count = np.int64(0), np.int64(0), np.int64(0)
    for high in range(52):
        if not live >> high & 1:
            continue
        high_key = board_key + card_keys[high]
        row = (high >> 2) * ((high >> 2) + 1) >> 1
        for low in range(high):
            if live >> low & 1:
                points = _points(rank_of_key(table, high_key + card_keys[low]), own)
                among_better = better[row + (low >> 2), np.int64(high & 3 == low & 3)]
                score += points
                better_score += points * among_better
                better_count += among_better
    return _share(score, 990), _share(better_score, better_count)


@kernel
def _points(rank, own):
    return np.int64(rank < own) + np.int64(rank <= own)


@kernel
def _share(score, count):
    return 0.5 * score / count if count > 0 else 0.5


@kernel
def holding_bucket(ranking: Ranking, buckets: Buckets, first, second, board, street, counts, class_ranks):
    """The bucket of one holding on the cards of `board` that `street` has seen.

    Before the flop it is the holding's class, on flop and turn it stands in `by_class`. On the river it follows from
    the holding's standing; `class_ranks` are found unless they are there already (the first is -1 if they are not).
    """
    first, second = np.int64(first), np.int64(second)
    if street == 3:
        if len(buckets.centres) > 0:
            arrays = (buckets.groups, buckets.centres, buckets.centre_sums)
            return np.int64(clustered_bucket(ranking.table, ranking.card_keys, *arrays, first, second, board))
        if class_ranks[0] < 0:
            rank_board(ranking.table, ranking.rank_keys, board, counts, class_ranks)
        strength, other = river_standing(
            ranking.table, ranking.card_keys, ranking.rank_keys, buckets.better, class_ranks, board, first, second
        )
        return np.int64(_river_bucket(strength, other, buckets.limits))
    board_set = np.int64(0)
    board_cards = street + 2 if street > 0 else 0
    for at in range(board_cards):
        board_set |= card_bit(np.int64(board[at]))
    holding_set = card_bit(first) | card_bit(second)
    index = set_index(buckets.isomorphisms, holding_set, board_set, board_cards)
    return np.int64(buckets.by_class[street - 1][index]) if street > 0 else index


@kernel
def one_river_bucket(table, card_keys, rank_keys, better, limits, first, second, board):
    """The bucket of one holding on five cards that nobody has ranked yet."""
    class_ranks = np.empty(CLASS_COUNT, np.int16)
    rank_board(table, rank_keys, board, np.empty(13, np.int64), class_ranks)
    strength, other = river_standing(table, card_keys, rank_keys, better, class_ranks, board, first, second)
    return _river_bucket(strength, other, limits)
