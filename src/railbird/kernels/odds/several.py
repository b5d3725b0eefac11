"""One holding against several opponents at once, none of whom can hold a card that another holds.

Both kernels sum products of weights over holdings without a common card. For two opponents, take from the product of
the totals the pairs that share a card: for each card the product of the weights with it. A pair of equal holdings
shares two cards and was taken off twice, so it is given back once:

    sum over disjoint a, b of u[a] v[b] = U V - sum over cards c of U_c V_c + sum over holdings h of u[h] v[h]

For three opponents the first one's holdings are tried one after another, and the other two are summed by the same
formula without the two cards he holds: about 1,000 x 50 steps instead of 1,000 x 1,000 x 1,000.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.odds.sweep import mark_dead


@kernel
def compare_holdings(table, card_keys, first, second, board, standings):
    """How `first`, `second` stands against every holding: 0 ahead, 1 tied, 2 behind, -1 if it cannot be dealt."""
    dead = np.zeros(52, np.bool_)
    board_key = mark_dead(card_keys, first, second, board, dead)
    own = rank_of_key(table, board_key + card_keys[first] + card_keys[second])
    at = 0
    for high in range(52):
        for low in range(high):
            if dead[high] or dead[low]:
                standings[at] = -1
            else:
                rank = rank_of_key(table, board_key + card_keys[high] + card_keys[low])
                standings[at] = (rank >= own) + (rank > own)
            at += 1


@kernel
def sum_pairs(u, v):
    """The sum of u[a] v[b] over all holdings a and b without a common card."""
    with_u = np.zeros(52)
    with_v = np.zeros(52)
    total_u, total_v, same = 0.0, 0.0, 0.0
    at = 0
    for high in range(52):
        for low in range(high):
            total_u += u[at]
            total_v += v[at]
            same += u[at] * v[at]
            with_u[high] += u[at]
            with_u[low] += u[at]
            with_v[high] += v[at]
            with_v[low] += v[at]
            at += 1
    shared = 0.0
    for card in range(52):
        shared += with_u[card] * with_v[card]
    return total_u * total_v - shared + same


@kernel
def sum_triples(u, v, w):
    """The sum of u[a] v[b] w[c] over all holdings a, b and c, no two of which have a common card."""
    square_v = np.zeros((52, 52))
    square_w = np.zeros((52, 52))
    with_v = np.zeros(52)
    with_w = np.zeros(52)
    with_same = np.zeros(52)
    total_v, total_w, total_same = 0.0, 0.0, 0.0
    at = 0
    for high in range(52):
        for low in range(high):
            same = v[at] * w[at]
            for card, other in ((high, low), (low, high)):
                square_v[card, other] = v[at]
                square_w[card, other] = w[at]
                with_v[card] += v[at]
                with_w[card] += w[at]
                with_same[card] += same
            total_v += v[at]
            total_w += w[at]
            total_same += same
            at += 1
    found = 0.0
    at = 0
    for high in range(52):
        for low in range(high):
            if u[at] != 0.0:
                left_v = total_v - with_v[high] - with_v[low] + v[at]
                left_w = total_w - with_w[high] - with_w[low] + w[at]
                left_same = total_same - with_same[high] - with_same[low] + v[at] * w[at]
                shared = 0.0
                for card in range(52):
                    beside_v = with_v[card] - square_v[high, card] - square_v[low, card]
                    beside_w = with_w[card] - square_w[high, card] - square_w[low, card]
                    shared += beside_v * beside_w
                # The first opponent's own two cards were among them.
                shared -= (with_v[high] - v[at]) * (with_w[high] - w[at])
                shared -= (with_v[low] - v[at]) * (with_w[low] - w[at])
                found += u[at] * (left_v * left_w - shared + left_same)
            at += 1
    return found
