"""The 91 classes of holdings by card rank, and the places that flushes take among them.

On a fixed board the rank of a holding depends on the ranks of its two cards alone, unless five cards of one suit come
together. There are 91 pairs of card ranks (13 pairs, 78 others), so 91 look-ups rank every holding of a board, and the
flushes are ranked apart: at most one suit can make them on one board.

A flush is never also a full house or better (it needs five different ranks among at most seven cards), so the rank of
cards is the larger of their rank without regard to suits and their rank as a flush.

Classes are numbered `high * (high + 1) // 2 + low`, with the card ranks 0-12 and high >= low.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import FLUSH, STRAIGHT, STRAIGHT_FLUSH, rank_of_key
from railbird.kernels.compiling import kernel

CLASS_COUNT = 91
# Unsigned, so that the compiler sees that an index made of them is not negative.
CLASS_HIGH = np.repeat(np.arange(13), np.arange(1, 14)).astype(np.uint16)
CLASS_LOW = np.concatenate([np.arange(high + 1) for high in range(13)]).astype(np.uint16)

# What is walked in rank order: a class (0-90), the holdings of one flush card and any card of another suit, or one
# holding of two flush cards.
WITH_OFFSUIT = 128  # + card rank
TWO_SUITED = 256  # + 16 * higher card rank + lower card rank


@kernel
def counted_board(rank_keys, board):
    """What the ranks of holdings on a board depend on: the sum of the rank constants, the number of cards by rank; by
    suit the number of cards, the sum of their rank constants and the bits of their ranks; by card whether it is dealt.
    """
    rank_sum = np.uint64(0)
    counts = np.zeros(13, np.int64)
    suit_counts = np.zeros(4, np.int64)
    suit_sums = np.zeros(4, np.uint64)
    suit_masks = np.zeros(4, np.int64)
    dealt = np.zeros(52, np.bool_)
    for card in board:
        rank_sum += rank_keys[card >> 2]
        counts[card >> 2] += 1
        suit_counts[card & 3] += 1
        suit_sums[card & 3] += rank_keys[card >> 2]
        suit_masks[card & 3] |= 1 << (card >> 2)
        dealt[card] = True
    return rank_sum, counts, suit_counts, suit_sums, suit_masks, dealt


@kernel
def flush_rank(table, suit_sum):
    """The rank as a flush of five to seven cards of one suit, from the sum of their rank constants."""
    rank = rank_of_key(table, suit_sum)
    return rank + (STRAIGHT_FLUSH - STRAIGHT if rank >= STRAIGHT else FLUSH)


@kernel
def rank_classes(table, rank_keys, rank_sum, counts, ranks):
    """The rank of every class without regard to suits, for the board with these rank constants and rank counts.

    A class that needs a fifth card of some rank gets 0.
    """
    at = 0
    for high in range(13):
        high_sum = rank_sum + rank_keys[high]
        for low in range(high + 1):
            if counts[high] + (high == low) < 4 and counts[low] < 4:
                ranks[at] = rank_of_key(table, high_sum + rank_keys[low])
            else:
                ranks[at] = 0
            at += 1


@kernel
def rank_classes_after(table, rank_keys, rank_sum, counts, cards_to_come, group, ranks):
    """The rank of every class after the runouts of one group: those with the same card ranks, 13 for one card to come
    and 91 for two. Returns the two card ranks, -1 for a card that does not come; both -1 where no such cards are left.
    """
    a = np.int64(CLASS_HIGH[group] if cards_to_come == 2 else group)
    b = np.int64(CLASS_LOW[group] if cards_to_come == 2 else -1)
    if counts[a] >= 4 or (b >= 0 and counts[b] + (a == b) >= 4):
        return np.int64(-1), np.int64(-1)
    group_sum = rank_sum + rank_keys[a]
    counts[a] += 1
    if b >= 0:
        group_sum += rank_keys[b]
        counts[b] += 1
    rank_classes(table, rank_keys, group_sum, counts, ranks)
    counts[a] -= 1
    if b >= 0:
        counts[b] -= 1
    return a, b


@kernel
def flush_suit(suit_counts, first, second):
    """The suit that can make a flush after the runout `first`, `second` (-1 for none), or -1; and how many cards the
    board has of it then."""
    suit, in_suit = np.int64(-1), np.int64(0)
    for s in range(4):
        here = suit_counts[s] + (first & 3 == s) + (second >= 0 and second & 3 == s)
        if here >= 3:
            suit, in_suit = s, here
    return suit, in_suit


@kernel
def sort_classes(class_ranks, starts, order, ranks):
    """The classes in rising order of rank, and their ranks. `starts` is room for 128 numbers.

    They are dealt into 117 bins of 64 ranks; what is left to do within the bins is little.
    """
    starts[:] = 0
    for i in range(CLASS_COUNT):
        starts[(class_ranks[i] >> 6) + 1] += 1
    for i in range(1, 118):
        starts[i] += starts[i - 1]
    for i in range(CLASS_COUNT):
        place = starts[class_ranks[i] >> 6]
        starts[class_ranks[i] >> 6] += 1
        order[place] = i
        ranks[place] = class_ranks[i]
    for i in range(1, CLASS_COUNT):
        this, rank = order[i], ranks[i]
        j = i
        while j > 0 and ranks[j - 1] > rank:
            order[j] = order[j - 1]
            ranks[j] = ranks[j - 1]
            j -= 1
        order[j] = this
        ranks[j] = rank


@kernel
def sort_flushes(table, rank_keys, suit_sum, suit_mask, on_board, items, ranks):
    """List the holdings that make a flush with a board, in rising order of rank; returns the length of the list.

    The board holds `on_board` cards of the suit, whose ranks are the bits of `suit_mask`. Written down by
    their higher and then their lower card, flushes rise already, but for the straight flushes. With fewer cards of
    the suit on the board the list is empty.
    """
    found = np.int64(0)
    if on_board < 3:
        return found
    for high in range(13):
        if suit_mask >> high & 1:
            continue
        high_sum = suit_sum + rank_keys[high]
        for low in range(-1, high):
            if low < 0:
                if on_board < 4:
                    continue
                item = WITH_OFFSUIT + high
                rank = flush_rank(table, high_sum)
            else:
                if suit_mask >> low & 1:
                    continue
                item = TWO_SUITED + 16 * high + low
                rank = flush_rank(table, high_sum + rank_keys[low])
            j = found
            while j > 0 and ranks[j - 1] > rank:
                items[j] = items[j - 1]
                ranks[j] = ranks[j - 1]
                j -= 1
            items[j] = item
            ranks[j] = rank
            found += 1
    return found
