"""One holding's potential: how it stands now and after one or two more cards, against a weighted opponent.

The table of Papp 1998 (figure 5.2) is filled by kinds, not by cards. Suits aside, a card has 13 kinds, an opponent's
holding 91 and two cards to come 91. How many runouts of a kind are left depends only on how many cards of those ranks
the opponent holds, so each entry is one comparison, a weight and a small product.

For a suit that can make a flush a card has 26 kinds, a rank and whether of the suit. If the board has three cards of
the suit, the whole table is filled by these kinds. If it has fewer, no flush is there yet, and for the runouts that
bring one, the opponents concerned (those who make it, or all of them if the holding itself makes it) move within their
row from the column they were counted in to the one where they belong.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from railbird.kernels.classes import CLASS_COUNT, CLASS_HIGH, CLASS_LOW, flush_rank, rank_classes

_NO_CARD = 26  # the kind of the second card to come where only one comes


@njit(cache=True)
def weigh_transitions(table, rank_keys, first, second, board, cards_to_come, weights, transitions):
    """Fill the 3 x 3 table of weights: how `first`, `second` stands now (row) and later (column).

    0 is ahead, 1 tied and 2 behind. Each opponent's holding counts once for each runout.
    """
    dead = np.zeros(52, np.bool_)
    dead[first] = True
    dead[second] = True
    rank_sum = np.uint64(0)
    counts = np.zeros(13, np.int64)
    suit_counts = np.zeros(4, np.int64)
    suit_sums = np.zeros(4, np.uint64)
    for card in board:
        dead[card] = True
        rank_sum += rank_keys[card >> 2]
        counts[card >> 2] += 1
        suit_counts[card & 3] += 1
        suit_sums[card & 3] += rank_keys[card >> 2]
    unseen = np.empty(52, np.uint8)
    left = 0
    for card in range(52):
        if not dead[card]:
            unseen[left] = card
            left += 1
    unseen = unseen[:left]
    a, b = first >> 2, second >> 2
    own = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a

    plain_now = np.empty(CLASS_COUNT, np.int16)
    plain_later = np.empty((CLASS_COUNT, CLASS_COUNT), np.int16)
    rank_classes(table, rank_keys, rank_sum, counts, plain_now)
    _rank_runouts(table, rank_keys, rank_sum, counts, cards_to_come, plain_later)

    live = np.zeros(27, np.int64)
    opponents = np.zeros(676)
    entries = np.zeros(9)
    if suit_counts.max() < 3:
        _sort_opponents(unseen, np.int64(-1), weights, live, opponents)
        _count_by_rank(cards_to_come, own, live, opponents, plain_now, plain_later, entries)
    for suit in range(4):
        if suit_counts[suit] + cards_to_come >= 3:
            own_suited = (first & 3 == suit) + (second & 3 == suit)
            own_suit_sum = suit_sums[suit]
            if first & 3 == suit:
                own_suit_sum += rank_keys[a]
            if second & 3 == suit:
                own_suit_sum += rank_keys[b]
            _sort_opponents(unseen, suit, weights, live, opponents)
            _count_flushes(
                table, rank_keys, suit_counts[suit], suit_sums[suit], cards_to_come, own, own_suited, own_suit_sum,
                live, opponents, plain_now, plain_later, entries,
            )  # fmt: skip
    # Moving weights leaves rounding errors where nothing should be left.
    for now in range(3):
        for later in range(3):
            transitions[now, later] = max(entries[3 * now + later], 0.0)


@njit(cache=True)
def _rank_runouts(table, rank_keys, rank_sum, counts, cards_to_come, plain_later):
    """The rank of every class without regard to suits, after every runout that the board leaves, by ranks."""
    for group in range(CLASS_COUNT if cards_to_come == 2 else 13):
        a = np.int64(CLASS_HIGH[group] if cards_to_come == 2 else group)
        later_sum = rank_sum + rank_keys[a]
        counts[a] += 1
        b = a
        if cards_to_come == 2:
            b = np.int64(CLASS_LOW[group])
            later_sum += rank_keys[b]
            counts[b] += 1
        if counts[a] <= 4 and counts[b] <= 4:
            rank_classes(table, rank_keys, later_sum, counts, plain_later[group])
        counts[a] -= 1
        if cards_to_come == 2:
            counts[b] -= 1


@njit(cache=True)
def _sort_opponents(unseen, suit, weights, live, opponents):
    """Count the unseen cards of each kind, and weigh the opponent's holdings of each pair of kinds."""
    live[:] = 0
    live[_NO_CARD] = 1
    opponents[:] = 0.0
    for i in range(len(unseen)):
        high = np.int64(unseen[i])
        row = high * (high - 1) // 2
        kind = (high >> 2) + (13 if high & 3 == suit else 0)
        live[kind] += 1
        for j in range(i):
            low = np.int64(unseen[j])
            # The higher card may be of the lower kind: those are added to their place below.
            opponents[26 * kind + (low >> 2) + (13 if low & 3 == suit else 0)] += weights[row + low]
    for p in range(26):
        for q in range(p):
            opponents[26 * p + q] += opponents[26 * q + p]


@njit(cache=True)
def _runouts_left(p, q, live, high, low):
    """How many runouts of card kinds p and q are left beside an opponent's holding of card kinds high and low."""
    of_p = live[p] - (high == p) - (low == p)
    if p == q:
        return of_p * (of_p - 1) >> 1
    return of_p * (live[q] - (high == q) - (low == q))


@njit(cache=True)
def _count_by_rank(cards_to_come, own, live, opponents, plain_now, plain_later, entries):
    """Weigh all transitions without regard to suits."""
    now = np.empty(CLASS_COUNT, np.int64)
    weight = np.empty(CLASS_COUNT)
    for i in range(CLASS_COUNT):
        now[i] = 3 * ((plain_now[i] >= plain_now[own]) + (plain_now[i] > plain_now[own]))
        weight[i] = opponents[26 * CLASS_HIGH[i] + CLASS_LOW[i]]
    for group in range(CLASS_COUNT if cards_to_come == 2 else 13):
        p = np.int64(CLASS_HIGH[group] if cards_to_come == 2 else group)
        q = np.int64(CLASS_LOW[group] if cards_to_come == 2 else _NO_CARD)
        if live[p] == 0 or live[q] <= (p == q):
            continue
        own_rank = plain_later[group, own]
        for i in range(CLASS_COUNT):
            # Where the number of runouts is negative there is no such opponent.
            part = weight[i] * _runouts_left(p, q, live, np.int64(CLASS_HIGH[i]), np.int64(CLASS_LOW[i]))
            rank = plain_later[group, i]
            entries[now[i] + (rank >= own_rank) + (rank > own_rank)] += part


@njit(cache=True)
def _count_flushes(
    table, rank_keys, on_board, suit_sum, cards_to_come, own, own_suited, own_suit_sum, live, opponents, plain_now,
    plain_later, entries,
):  # fmt: skip
    """Weigh all transitions where the board has three cards of a suit, else move what its flushes change."""
    whole = on_board >= 3
    own_now = np.int64(plain_now[own])
    if on_board + own_suited >= 5:
        own_now = flush_rank(table, own_suit_sum)

    # Opponents with two cards of the suit come first, then those with one, then the others.
    high = np.empty(351, np.int64)
    low = np.empty(351, np.int64)
    kind = np.empty(351, np.int64)
    suit_sums = np.empty(351, np.uint64)
    weight = np.empty(351)
    now = np.empty(351, np.int64)
    end = np.zeros(3, np.int64)  # where those with 0, 1 and 2 cards of the suit end
    count = 0
    for suited in range(2, -1, -1):
        if not whole and on_board + cards_to_come + max(suited, own_suited) < 5:
            break  # neither can make a flush
        for p in range(0 if suited == 0 else 13, 13 if suited == 0 else 26):
            for q in range(13 if suited == 2 else 0, 13 if suited == 1 else p + 1):
                if opponents[26 * p + q] == 0.0:
                    continue
                a, b = p % 13, q % 13
                high[count] = p
                low[count] = q
                kind[count] = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
                suit_sums[count] = suit_sum
                if suited > 0:
                    suit_sums[count] += rank_keys[a]
                if suited > 1:
                    suit_sums[count] += rank_keys[b]
                weight[count] = opponents[26 * p + q]
                rank = np.int64(plain_now[kind[count]])
                if on_board + suited >= 5:
                    rank = flush_rank(table, suit_sums[count])
                now[count] = 3 * ((rank >= own_now) + (rank > own_now))
                count += 1
        end[suited] = count

    for p in range(26):
        for q in range(p + 1) if cards_to_come == 2 else range(_NO_CARD, _NO_CARD + 1):
            in_suit = on_board + (p >= 13) + (13 <= q < _NO_CARD)
            if in_suit < 3 or live[p] == 0 or live[q] <= (p == q):
                continue
            a, b = p % 13, q % 13
            later_suit_sum = rank_keys[a] if p >= 13 else np.uint64(0)
            if 13 <= q < _NO_CARD:
                later_suit_sum += rank_keys[b]
            group = a if q == _NO_CARD else a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
            own_plain = np.int64(plain_later[group, own])
            own_rank = own_plain
            if in_suit + own_suited >= 5:
                own_rank = flush_rank(table, own_suit_sum + later_suit_sum)
            flushes = end[5 - in_suit]
            for i in range(count if whole or own_rank != own_plain else flushes):
                rank = np.int64(plain_later[group, kind[i]])
                part = weight[i] * _runouts_left(p, q, live, high[i], low[i])
                if not whole:
                    entries[now[i] + (rank >= own_plain) + (rank > own_plain)] -= part
                if i < flushes:
                    rank = flush_rank(table, suit_sums[i] + later_suit_sum)
                entries[now[i] + (rank >= own_rank) + (rank > own_rank)] += part
