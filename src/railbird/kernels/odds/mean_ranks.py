"""The expected final rank of every holding on a flop or turn, over all cards to come (Piël 2006, section 4.3).

For each way to finish the board, every holding gets the rank of its class of two card ranks (91 look-ups on one board,
see `classes`), and those that make a flush are set right. Summing over runouts by holding would be 1,326 additions
each; instead three sums are kept:

    sum over all runouts of the class's rank                      class_sums[class]
    the same over the runouts that contain a given card           card_sums[card, class]
    the rank on the runout of exactly these two cards             pair_ranks[card, card]

The runouts that a holding can meet are those with neither of its cards: all - with the first - with the second + with
both. Runouts are grouped by the ranks of their cards, in each of which the classes are ranked once. What a flush adds
to a holding is collected by holding; the runout's own cards are known there, so no blocked holding is touched.

Everything is a sum of whole numbers, so the answer is exact: at most 1,081 runouts of ranks below 7,462.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.classes import (
    CLASS_COUNT,
    counted_board,
    flush_rank,
    flush_suit,
    rank_classes_after,
)
from railbird.kernels.cards.isomorphism import board_index_and_permutation, representative
from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel

BLOCKED = 65535
"""What stands for a holding that shares a card with the board."""
SCALE = 8
"""Table entries are in eighths of a rank."""


@kernel
def sum_ranks(table, rank_keys, board, cards_to_come, sums):
    """`sums[holding]` becomes the sum of the holding's final ranks over the runouts it can meet; -1 if it is blocked.

    With one card to come these are 46 runouts, with two C(47, 2) = 1,081.
    """
    rank_sum, counts, suit_counts, suit_sums, _, dealt = counted_board(rank_keys, board)
    class_ranks = np.empty(CLASS_COUNT, np.int16)
    class_sums = np.zeros(CLASS_COUNT, np.int64)
    card_sums = np.zeros((52, CLASS_COUNT), np.int64)
    pair_ranks = np.zeros((52, 52), np.int64)
    extra = np.zeros(1326, np.int64)
    for group in range(CLASS_COUNT if cards_to_come == 2 else 13):
        a, b = rank_classes_after(table, rank_keys, rank_sum, counts, cards_to_come, group, class_ranks)
        if a < 0:
            continue
        runouts = 0
        for suits in range(16 if cards_to_come == 2 else 4):
            first = 4 * a + (suits & 3 if b < 0 else suits >> 2)
            second = 4 * b + (suits & 3) if b >= 0 else -1
            if dealt[first] or (second >= 0 and (dealt[second] or (a == b and second >= first))):
                continue
            runouts += 1
            for i in range(CLASS_COUNT):
                card_sums[first, i] += class_ranks[i]
            if second >= 0:
                for i in range(CLASS_COUNT):
                    card_sums[second, i] += class_ranks[i]
                pair_ranks[first, second] = class_ranks[group]
                pair_ranks[second, first] = class_ranks[group]
            suit, in_suit = flush_suit(suit_counts, first, second)
            if suit >= 0:
                suit_sum = suit_sums[suit]
                if first & 3 == suit:
                    suit_sum += rank_keys[a]
                if second >= 0 and second & 3 == suit:
                    suit_sum += rank_keys[b]
                dealt[first] = True
                if second >= 0:
                    dealt[second] = True
                _add_flushes(table, rank_keys, suit, in_suit, suit_sum, dealt, class_ranks, extra)
                dealt[first] = False
                if second >= 0:
                    dealt[second] = False
        for i in range(CLASS_COUNT):
            class_sums[i] += runouts * class_ranks[i]

    holding = 0
    for high in range(52):
        for low in range(high):
            if dealt[high] or dealt[low]:
                sums[holding] = -1
            else:
                i = (high >> 2) * ((high >> 2) + 1) // 2 + (low >> 2)
                plain = class_sums[i] - card_sums[high, i] - card_sums[low, i] + pair_ranks[high, low]
                sums[holding] = plain + extra[holding]
            holding += 1


@kernel
def _add_flushes(table, rank_keys, suit, in_suit, suit_sum, dealt, class_ranks, extra):
    """Add to `extra` by how much the flushes of one finished board exceed the ranks of their classes."""
    if in_suit == 5:
        board_rank = flush_rank(table, suit_sum)
        for high in range(52):
            if dealt[high] or high & 3 == suit:
                continue
            for low in range(high):
                if not dealt[low] and low & 3 != suit:
                    _raise_rank(high, low, board_rank, class_ranks, extra)
    for rank in range(13):
        card = 4 * rank + suit
        if dealt[card]:
            continue
        with_card = suit_sum + rank_keys[rank]
        if in_suit >= 4:
            one_rank = flush_rank(table, with_card)
            for other in range(52):
                if not dealt[other] and other & 3 != suit:
                    _raise_rank(card, other, one_rank, class_ranks, extra)
        for low in range(rank):
            other = 4 * low + suit
            if not dealt[other]:
                _raise_rank(card, other, flush_rank(table, with_card + rank_keys[low]), class_ranks, extra)


@kernel
def _raise_rank(first, second, rank, class_ranks, extra):
    high, low = max(first, second), min(first, second)
    plain = class_ranks[(high >> 2) * ((high >> 2) + 1) // 2 + (low >> 2)]
    if rank > plain:
        extra[high * (high - 1) // 2 + low] += rank - plain


@kernel
def _eighths(total, runouts):
    """A sum of final ranks as the mean in units of 1 / `SCALE` rank, rounded; `BLOCKED` for -1."""
    return BLOCKED if total < 0 else (2 * SCALE * total + runouts) // (2 * runouts)


@kernel
def tabulate(table, rank_keys, isomorphisms, start, rows):
    """Fill `rows` (uint16) with the expected ranks on the representatives of the classes of flops from `start` on.

    Entries are in units of 1 / `SCALE` rank; `BLOCKED` for holdings that share a card with the flop.
    """
    cards = np.empty(3, np.int64)
    board = np.empty(3, np.uint8)
    sums = np.empty(1326, np.int64)
    for row in range(len(rows)):
        representative(isomorphisms, False, 3, start + row, cards)
        for i in range(3):
            board[i] = cards[i]
        sum_ranks(table, rank_keys, board, 5 - len(board), sums)
        for holding in range(1326):
            rows[row, holding] = _eighths(sums[holding], np.int64(1081))


@kernel
def find_expected(table, rank_keys, board, out):
    """Fill `out` (float64, 1,326 long) with the expected ranks on a turn, nan for blocked holdings."""
    sums = np.empty(1326, np.int64)
    sum_ranks(table, rank_keys, board, 5 - len(board), sums)
    for holding in range(1326):
        out[holding] = np.nan if sums[holding] < 0 else _eighths(sums[holding], np.int64(46)) * (1.0 / SCALE)


@kernel
def read_expected(isomorphisms, flops, flop, permutation, out):
    """Fill `out` (float64, 1,326 long) with the expected ranks on a flop, nan for blocked holdings."""
    row = flops[board_index_and_permutation(isomorphisms, flop, 3, permutation)]
    holding = 0
    for high in range(52):
        here = (high & ~3) | permutation[high & 3]
        for low in range(high):
            there = (low & ~3) | permutation[low & 3]
            upper, lower = max(here, there), min(here, there)
            entry = row[upper * (upper - 1) // 2 + lower]
            out[holding] = np.nan if entry == BLOCKED else entry * (1.0 / SCALE)
            holding += 1


@kernel
def rank_holdings(table, card_keys, board, out):
    """Fill `out` (float64, 1,326 long) with the ranks of all holdings on a finished board, nan for blocked ones."""
    board_key = EMPTY_KEY
    dealt = np.zeros(52, np.bool_)
    for card in board:
        board_key += card_keys[card]
        dealt[card] = True
    holding = 0
    for high in range(52):
        for low in range(high):
            if dealt[high] or dealt[low]:
                out[holding] = np.nan
            else:
                out[holding] = rank_of_key(table, board_key + card_keys[high] + card_keys[low])
            holding += 1
