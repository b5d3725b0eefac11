"""River buckets by opponent-cluster hand strength (OCHS; Johanson, Burch, Valenzano and Bowling 2013).

The 169 classes of holdings are put into a few *groups*, which are alike before the flop. A holding on five cards is
then described by its hand strength against each group apart: it may beat most pairs and few high cards, or the other
way round. Buckets are clusters of such points, told by their centres, and a holding goes to the nearest one.

Strengths are whole numbers of 0 to `WHOLE`: with s twice the holdings of the group that are beaten and once those tied
with, of n that share no card with board and holding, s * WHOLE / 2n rounded down, and the half of it where n is 0.
Centres are whole numbers too, so that buckets are the same on every machine (`nearest_centres`).
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.solve.nearest_centres import nearest

GROUPS = 8
WHOLE = 512
_WHOLES = (1,) * GROUPS


@kernel(nogil=True)
def group_strengths(order, ends, count, cards, groups, points):
    """The strengths of all holdings that a board leaves, `points[holding * GROUPS + group]` (float32).

    `order` and `ends` are those of `response_rounds.sort_holdings`; `groups` and `cards` are by holding.
    """
    whole = np.zeros(GROUPS, np.int64)
    whole_with = np.zeros((52, GROUPS), np.int64)
    for i in range(count):
        holding = order[i]
        group = groups[holding]
        whole[group] += 1
        whole_with[cards[holding, 0], group] += 1
        whole_with[cards[holding, 1], group] += 1
    passed = np.zeros(GROUPS, np.int64)
    passed_with = np.zeros((52, GROUPS), np.int64)
    start = 0
    while start < count:
        end = ends[start]
        for time in range(2):  # before and after the holdings that tie
            for i in range(start, end):
                holding = order[i]
                first, second = cards[holding, 0], cards[holding, 1]
                for group in range(GROUPS):
                    beaten = passed[group] - passed_with[first, group] - passed_with[second, group]
                    if time == 0:
                        points[holding * GROUPS + group] = beaten
                    else:
                        own = np.int64(groups[holding] == group)  # counted once, and taken off twice
                        score = np.int64(points[holding * GROUPS + group]) + beaten + own
                        met = whole[group] - whole_with[first, group] - whole_with[second, group] + own
                        points[holding * GROUPS + group] = _strength(score, met)
            if time == 0:
                for i in range(start, end):
                    holding = order[i]
                    group = groups[holding]
                    passed[group] += 1
                    passed_with[cards[holding, 0], group] += 1
                    passed_with[cards[holding, 1], group] += 1
        start = end


@kernel
def _strength(score, met):
    return score * (WHOLE // 2) // met if met > 0 else WHOLE // 2


@kernel(nogil=True)
def clustered_buckets(order, count, points, centres, sums, buckets):
    """The buckets of all holdings on five cards; 0 for blocked ones.

    Neighbours in rank are often in one bucket, and often alike.
    """
    buckets[:] = 0
    guess, before = np.int64(-1), np.int64(-1)
    for i in range(count):
        at = GROUPS * order[i]
        if before < 0 or not _are_alike(points, at, before):
            guess = nearest(centres, sums, points, at, _WHOLES, guess)
        buckets[order[i]], before = guess, at


@kernel
def _are_alike(points, first, second):
    alike = True
    for group in range(GROUPS):
        alike &= points[first + group] == points[second + group]
    return alike


@kernel
def clustered_bucket(table, card_keys, groups, centres, sums, first, second, board):
    """The bucket of one holding on five cards."""
    dead = np.int64(1) << first | np.int64(1) << second
    board_key = EMPTY_KEY
    for card in board:
        dead |= np.int64(1) << np.int64(card)
        board_key += card_keys[card]
    own = rank_of_key(table, board_key + card_keys[first] + card_keys[second])
    scores, met = np.zeros(GROUPS, np.int64), np.zeros(GROUPS, np.int64)
    for high in range(52):
        if dead >> high & 1:
            continue
        high_key = board_key + card_keys[high]
        for low in range(high):
            if not dead >> low & 1:
                rank = rank_of_key(table, high_key + card_keys[low])
                group = groups[high * (high - 1) // 2 + low]
                scores[group] += np.int64(rank < own) + np.int64(rank <= own)
                met[group] += 1
    point = np.empty(GROUPS, np.float32)
    for group in range(GROUPS):
        point[group] = _strength(scores[group], met[group])
    return nearest(centres, sums, point, 0, _WHOLES, -1)
