"""What the next card does to every holding against a weighted opponent: the sums behind PPOT1 and NPOT1 of them all.

Score a holding against another 2 when ahead, 1 when tied, 0 when behind. What it gains by the next card, the positive
part of the later score minus the present one, is twice what Papp 1998 counts in the numerator of equation 5.5 (behind
to ahead 1, behind to tied and tied to ahead 1/2); what it loses, the numerator of 5.6, is what the other one gains.

Suits aside, the gain of one holding against another depends on their classes and on the rank of the next card, of which
as many are left as neither holds. So a matrix of whole numbers over pairs of classes is added up, 13 next ranks, before
any weight is looked at. Then every class is weighed against every class, and the holdings that share a card are taken
off: for a card, these are the classes that have its rank.

Flushes are a second such matrix for each suit that can make one. There cards have 26 kinds, a rank and whether of the
suit, and holdings up to 338; the matrix holds the gains with flushes less the gains without, so it only has to be
filled where one of the two holdings makes a flush.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT, flush_rank, rank_classes
from railbird.kernels.compiling import kernel
from railbird.kernels.odds.sweep import NEGLIGIBLE, find_strengths, score_holdings, spread_weights

_MOST = 352  # holdings of different kinds, rounded up


class _Kinds(NamedTuple):
    """The kinds of cards and holdings."""

    of_card: np.ndarray
    live: np.ndarray
    """By kind of card, how many are not dealt."""
    number: np.ndarray
    """The kind of a holding by those of its cards, at 26 * kind + kind."""


@kernel
def find_potentials(table, rank_keys, board, weights, ppot, npot):
    """PPOT1 and NPOT1 of every holding (equations 5.5 and 5.6): nan for those that meet the board.

    PPOT1 is 0 where no opponent is ahead or tied, NPOT1 where none is behind or tied.
    """
    scores = np.empty(1326)
    opponents = np.empty(1326)
    total = score_holdings(table, rank_keys, board, weights, scores, opponents)
    sum_gains(table, rank_keys, board, weights, ppot, npot)
    next_cards = 48 - len(board)
    least = NEGLIGIBLE * total
    for i in range(1326):
        ahead = 0.5 * scores[i]
        behind = opponents[i] - ahead
        ppot[i] = min(max(0.5 * ppot[i] / (next_cards * behind), 0.0), 1.0) if behind > least else 0.0
        npot[i] = min(max(0.5 * npot[i] / (next_cards * ahead), 0.0), 1.0) if ahead > least else 0.0
    for dead in board:
        for card in range(52):
            if card != dead:
                at = max(card, dead) * (max(card, dead) - 1) // 2 + min(card, dead)
                ppot[at] = np.nan
                npot[at] = np.nan


@kernel
def find_chances(table, rank_keys, board, weights, strengths, ppot, npot):
    """The hand strength of every holding and, before the river, PPOT1 and NPOT1.

    One kernel for what modelling asks for, since both need the same sweep: it is compiled once.
    """
    find_strengths(table, rank_keys, board, weights, strengths)
    if len(board) < 5:
        find_potentials(table, rank_keys, board, weights, ppot, npot)


@kernel
def sum_gains(table, rank_keys, board, weights, gains, losses):
    """Into `gains` and `losses`, for every holding: its score gained and lost by the next card, over all next cards."""
    square = np.empty(2704)
    spread_weights(weights, board, square)
    gains[:] = 0.0
    losses[:] = 0.0
    matrix = np.empty((_MOST, _MOST), np.int16)
    live = np.zeros(26, np.int64)
    counts = np.zeros(13, np.int64)
    suit_counts = np.zeros(4, np.int64)
    rank_sum = np.uint64(0)
    for card in board:
        counts[card >> 2] += 1
        suit_counts[card & 3] += 1
        rank_sum += rank_keys[card >> 2]

    class_now = np.zeros(CLASS_COUNT, np.int16)
    class_later = np.zeros((13, CLASS_COUNT), np.int16)
    rank_classes(table, rank_keys, rank_sum, counts, class_now)
    for rank in range(13):
        if counts[rank] < 4:
            counts[rank] += 1
            rank_classes(table, rank_keys, rank_sum + rank_keys[rank], counts, class_later[rank])
            counts[rank] -= 1

    high = np.zeros(_MOST, np.int64)
    low = np.zeros(_MOST, np.int64)
    number = np.zeros(26 * 26, np.int64)
    now = np.zeros((2, _MOST), np.int16)
    later = np.zeros((2, _MOST), np.int16)
    held = np.zeros(_MOST, np.int16)
    kind_of = np.zeros(52, np.int64)
    kinds_of = _Kinds(kind_of, live, number)
    for suit in range(-1, 4):
        if suit >= 0 and suit_counts[suit] < 2:
            continue
        # Number the kinds of holding: no card of the suit, one, two.
        on_board, suit_sum = np.int64(0), np.uint64(0)
        live[:] = 0
        for card in range(52):
            kind_of[card] = (card >> 2) + (13 if card & 3 == suit else 0)
            live[kind_of[card]] += 1
        for card in board:
            live[kind_of[card]] -= 1
            if card & 3 == suit:
                on_board += 1
                suit_sum += rank_keys[card >> 2]
        kinds = 13 if suit < 0 else 26
        found, with_one, with_two = np.int64(0), np.int64(0), np.int64(0)
        for suited in range(3 if suit >= 0 else 1):
            if suited == 1:
                with_one = found
            elif suited == 2:
                with_two = found
            for p in range(13 if suited > 0 else 0, 26 if suited > 0 else 13):
                for q in range(13 if suited > 1 else 0, p + 1 if suited != 1 else 13):
                    if p >= 13 and (p == q or live[p] == 0 or live[q] == 0):
                        continue
                    high[found] = p
                    low[found] = q
                    number[26 * p + q] = found
                    number[26 * q + p] = found
                    found += 1

        for i in range(found):
            for j in range(found):
                matrix[i, j] = 0
        _rank_kinds(table, rank_keys, suit_sum, on_board, high[:found], low[:found], class_now, now)
        for p in range(kinds):
            if live[p] == 0:
                continue
            in_suit = on_board + (p >= 13)
            if suit >= 0 and in_suit < 3:
                continue
            p_sum = suit_sum
            if p >= 13:
                p_sum += rank_keys[p - 13]
            _rank_kinds(table, rank_keys, p_sum, in_suit, high[:found], low[:found], class_later[p % 13], later)
            for i in range(found):
                held[i] = (high[i] == p) + (low[i] == p)
            start = _first_flush(in_suit, with_one, with_two)
            for sign in range(-1 if suit >= 0 else 1, 2, 2):
                with_flushes = 1 if suit >= 0 and sign > 0 else 0
                _add_gains(matrix, found, start, now[with_flushes], later[with_flushes], held, live[p], sign)
        start = _first_flush(on_board + 1, with_one, with_two)
        _weigh(matrix, found, kinds, start, kinds_of, square, gains, losses)


@kernel
def _first_flush(on_board, with_one, with_two):
    """The number of the first kind of holding that makes a flush with so many cards of the suit on the board.

    Without regard to suits (`on_board` less than three) no kind is left out: the number is 0.
    """
    return with_two if on_board == 3 else with_one if on_board == 4 else np.int64(0)


@kernel
def _rank_kinds(table, rank_keys, suit_sum, on_board, high, low, class_ranks, ranks):
    """The rank of every kind of holding, in ranks[0] without regard to suits and in ranks[1] with flushes."""
    for i in range(len(high)):
        a, b = high[i] % 13, low[i] % 13
        rank = class_ranks[a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a]
        ranks[0, i] = rank
        in_suit = on_board + (high[i] >= 13) + (low[i] >= 13)
        if in_suit >= 5:
            held_sum = suit_sum
            if high[i] >= 13:
                held_sum += rank_keys[a]
            if low[i] >= 13:
                held_sum += rank_keys[b]
            rank = flush_rank(table, held_sum)
        ranks[1, i] = rank


@kernel
def _add_gains(matrix, count, start, now, later, held, live, sign):
    """Add to matrix[i, j] what holding i gains against j, for each next card of one kind that neither holds.

    Only pairs in which at least one of the two is numbered `start` or higher.
    """
    start = max(start, 0)  # tells the compiler that no index is negative
    for i in range(count):
        now_i, later_i = now[i], later[i]
        left = sign * (live - held[i])
        skip = start if i < start else 0
        for k in range(count - skip):
            j = skip + k
            n = left - sign * held[j]
            gain = 0
            if (later_i > later[j]) & (now_i <= now[j]):
                gain = n
            if (later_i >= later[j]) & (now_i < now[j]):
                gain += n
            matrix[i, j] += gain


@kernel
def _weigh(matrix, count, kinds, start, kinds_of, square, gains, losses):
    """Weigh a matrix of gains: add each holding's gains and losses against all holdings that share no card with it.

    The matrix is zero for pairs in which neither is numbered `start` or higher.
    """
    kind_of, live, number = kinds_of.of_card, kinds_of.live, kinds_of.number
    start = max(start, 0)
    partner = np.zeros((kinds, 52))
    weight = np.zeros(count)
    for card in range(52):
        for other in range(52):
            partner[kind_of[other], card] += square[52 * card + other]
            if other < card:
                weight[number[26 * kind_of[card] + kind_of[other]]] += square[52 * card + other]

    kind_gains = np.zeros(count)
    kind_losses = np.zeros(count)
    for i in range(count):
        own = weight[i]
        gain = 0.0
        skip = start if i < start else 0
        for k in range(count - skip):
            j = skip + k
            gain += matrix[i, j] * weight[j]
            kind_losses[j] += matrix[i, j] * own
        kind_gains[i] = gain

    shared_gains = np.zeros((kinds, 52))
    shared_losses = np.zeros((kinds, 52))
    block = np.zeros((kinds, kinds))
    for p in range(kinds):
        # Where a flush needs two cards of the suit, holdings that share another card do not make any.
        if live[p] == 0 or (p < 13 and start > CLASS_COUNT):
            continue
        for y in range(kinds):
            for x in range(kinds):
                block[y, x] = matrix[number[26 * p + y], number[26 * p + x]]
        for card in range(52):
            if kind_of[card] != p:
                continue
            for y in range(kinds):
                own = partner[y, card]
                gain = 0.0
                for x in range(kinds):
                    gain += block[y, x] * partner[x, card]
                    shared_losses[x, card] += block[y, x] * own
                shared_gains[y, card] = gain

    at = 0
    for card in range(52):
        p = kind_of[card]
        for other in range(card):
            q = kind_of[other]
            i = number[26 * p + q]
            gains[at] += kind_gains[i] - shared_gains[q, card] - shared_gains[p, other]
            losses[at] += kind_losses[i] - shared_losses[q, card] - shared_losses[p, other]
            at += 1
