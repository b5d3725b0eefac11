"""All-in equity of all 1,326 holdings at once: the sweep of `sweep_board`, over every way to finish the board.

Runouts are grouped by the ranks of their cards, 13 or 91 groups, in each of which the classes are ranked and sorted
once. A sweep that knows of the runout's cards as dead gives a score to every holding, also to those that hold one of
these cards. What it gives them is collected by card and taken off in the end, which is cheaper than to leave them out.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.classes import (
    CLASS_COUNT,
    counted_board,
    flush_rank,
    flush_suit,
    rank_classes_after,
    sort_classes,
    sort_flushes,
)
from railbird.kernels.compiling import kernel
from railbird.kernels.odds.sweep import (
    Flushes,
    SortedClasses,
    SpreadWeights,
    Swept,
    divide_scores,
    spread_weights,
    sum_partners,
    sweep_board,
)


@kernel(nogil=True)
def find_equities(table, rank_keys, board, cards_to_come, weights, equities):
    """The all-in equity of every holding: nan for those that meet the board, 1/2 against nobody."""
    score_runouts(table, rank_keys, board, cards_to_come, weights, equities)
    square = np.empty(2704)
    spread_weights(weights, board, square)
    of_card = np.zeros(52)
    total = 0.0
    for card in range(52):
        for other in range(52):
            of_card[card] += square[52 * card + other]
        total += 0.5 * of_card[card]
    opponents = np.empty(1326)
    at = 0
    for high in range(52):
        for low in range(high):
            opponents[at] = total - of_card[high] - of_card[low] + weights[at]
            at += 1
    left = 48 - len(board)
    runouts = left if cards_to_come == 1 else left * (left - 1) // 2
    divide_scores(equities, opponents, total, runouts, board)


@kernel
def score_runouts(table, rank_keys, board, cards_to_come, weights, scores):
    """For every holding: twice the weight it beats plus the weight it ties with, over all runouts of one or two cards.

    Of holdings that meet the board the numbers mean nothing.
    """
    # What is done for each runout stands here, on arrays by themselves: in helpers that take them as named tuples their
    # references are counted, which takes a tenth of the time.
    rank_sum, counts, suit_counts, suit_sums, suit_masks, dealt = counted_board(rank_keys, board)
    square, partner, partners = np.empty(2704), np.empty(676), np.empty((9, 676))
    spread_weights(weights, board, square)
    # partners[0] has the weights of all holdings, [1 + suit] without two cards of the suit, [5 + suit] without any.
    for taken_out in range(9):
        suit = (taken_out - 1) & 3
        without = np.int64(0 if taken_out == 0 else 3 if taken_out < 5 else 4)
        if suit_counts[suit] + cards_to_come >= without:
            sum_partners(square, suit, without, partners[taken_out])
    spread = SpreadWeights(square, partner)
    # others[suit] is 1 for the cards of other suits, others[4] for all.
    others = np.empty((5, 52))
    for suit in range(5):
        for card in range(52):
            others[suit, card] = card & 3 != suit

    class_ranks = np.empty(CLASS_COUNT, np.int16)
    starts = np.empty(128, np.uint16)
    order, ranks = np.empty(CLASS_COUNT, np.uint16), np.empty(CLASS_COUNT, np.uint16)
    classes = SortedClasses(order, ranks)
    # Sorted flushes are kept for the next runout with the same cards of the suit: by the rank of its one card, at 13
    # where it has none, at 14 where it has two.
    items, flush_ranks, live = np.empty(15 * 128, np.uint16), np.empty(15 * 128, np.uint16), np.empty(52)
    flushes = Flushes(items, flush_ranks, live)
    flush_counts, listed = np.zeros(15, np.int64), np.full(15, -1)
    totals, shares, extra = np.empty(CLASS_COUNT), np.empty(676), np.zeros(2704)
    swept = Swept(np.empty(52), totals, shares, extra)
    # Sums of totals and shares over all runouts, and over those with a given card, or with both cards of a holding.
    all_totals, all_shares = np.zeros(CLASS_COUNT), np.zeros(676)
    card_totals, card_shares, both_totals = np.zeros((52, 13)), np.zeros((52, 52)), np.zeros(2704)
    for group in range(CLASS_COUNT if cards_to_come == 2 else 13):
        a, b = rank_classes_after(table, rank_keys, rank_sum, counts, cards_to_come, group, class_ranks)
        if a < 0:
            continue
        sort_classes(class_ranks, starts, order, ranks)
        for suits in range(16 if cards_to_come == 2 else 4):
            first = 4 * a + (suits & 3 if b < 0 else suits >> 2)
            second = 4 * b + (suits & 3) if b >= 0 else -1
            if dealt[first] or (second >= 0 and (dealt[second] or (a == b and second >= first))):
                continue
            suit, in_suit = flush_suit(suit_counts, first, second)
            taken_out = 0 if suit < 0 else 1 + suit if in_suit == 3 else 5 + suit
            for i in range(676):
                partner[i] = partners[taken_out, i]
            for card in (first, second):
                if card >= 0:
                    _take_card_out(card, suit, in_suit, square, others, partner)
            for card in (first, second):
                if card >= 0:
                    for rank in range(13):
                        partner[52 * rank + card] = 0.0
            lowest, count, slot = np.int64(0), np.int64(0), np.int64(13)
            if suit >= 0:
                suit_sum, suit_mask = suit_sums[suit], suit_masks[suit]
                if first & 3 == suit:
                    suit_sum += rank_keys[a]
                    suit_mask |= 1 << a
                    slot = a
                if second >= 0 and second & 3 == suit:
                    suit_sum += rank_keys[b]
                    suit_mask |= 1 << b
                    slot = b if slot == 13 else 14
                if listed[slot] != suit << 13 | suit_mask:
                    listed[slot] = suit << 13 | suit_mask
                    flush_counts[slot] = sort_flushes(
                        table, rank_keys, suit_sum, suit_mask, in_suit, items[128 * slot :], flush_ranks[128 * slot :]
                    )
                count = flush_counts[slot]
                if in_suit == 5:
                    lowest = flush_rank(table, suit_sum)
                for card in range(52):
                    live[card] = others[suit, card]
                live[first] = 0.0
                if second >= 0:
                    live[second] = 0.0
            sweep_board(classes, flushes, 128 * slot, count, suit, lowest, spread, swept)
            for i in range(CLASS_COUNT):
                all_totals[i] += totals[i]
            for i in range(676):
                all_shares[i] += shares[i]
            for card in (first, second):
                if card >= 0:
                    _collect(card, totals, shares, card_totals, card_shares)
            if second >= 0:
                both_totals[52 * first + second] = totals[group]

    left = 50 - len(board)
    runouts = left if cards_to_come == 1 else left * (left - 1) // 2
    at = 0
    for high in range(52):
        a = high >> 2
        for low in range(high):
            b = low >> 2
            score = all_totals[a * (a + 1) // 2 + b] - all_shares[52 * b + high] - all_shares[52 * a + low]
            score -= card_totals[high, b] - card_shares[high, low]
            score -= card_totals[low, a] - card_shares[low, high]
            score += both_totals[52 * high + low] + both_totals[52 * low + high]
            score += extra[52 * high + low] + extra[52 * low + high]
            scores[at] = score + runouts * weights[at]
            at += 1


@kernel
def _take_card_out(card, suit, in_suit, square, others, partner):
    """Take the holdings of a card out of the sums of its partners, save those that are not in them for a flush."""
    card = max(card, 0)  # tells the compiler that no index is negative
    suited = card & 3 == suit
    if suited and in_suit > 3:
        return
    mask = others[suit if suit >= 0 and suited == (in_suit == 3) else 4]
    row = 52 * (card >> 2)
    for other in range(52):
        partner[row + other] -= mask[other] * square[52 * card + other]


@kernel
def _collect(card, totals, shares, card_totals, card_shares):
    """Add what a sweep gives to the holdings of a card."""
    card = max(card, 0)
    rank = card >> 2
    for other in range(52):
        card_shares[card, other] += shares[52 * rank + other]
    for i in range(13):
        card_totals[card, i] += totals[rank * (rank + 1) // 2 + i if rank > i else i * (i + 1) // 2 + rank]
