"""The chance to win the showdown against several weighted opponents at once.

To beat one opponent and to beat another are not independent before all board cards are out: a board that helps against
one helps against all. Given the whole board they nearly are. So the chance is the average, over ways to finish the
board, of the product of the chances against each opponent. On a finished board there is one way and on the turn all 46
are taken; before that the ways are drawn by chance.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, below, mix
from railbird.kernels.compiling import kernel

_ONE = np.uint64(1)


@kernel
def showdown_chance(table, card_keys, hole, board, weights, runouts, state):
    """The chance of `hole` (uint8) to win against opponents whose weights are the columns of `weights`, ties half.

    `weights` has a row for each of the 1,326 holdings; rows that meet the known cards are ignored. `runouts` says how
    many ways to finish a flop, or the five cards before it, are drawn from the stream that begins at `state` (uint64).
    """
    opponents = weights.shape[1]
    known = np.uint64(0)
    board_key = EMPTY_KEY
    for card in board:
        known |= _ONE << np.uint64(card)
        board_key += card_keys[card]
    own_key = np.uint64(0)
    for card in hole:
        known |= _ONE << np.uint64(card)
        own_key += card_keys[card]
    unseen = np.empty(52, np.int64)
    left = 0
    for card in range(52):
        if not known >> np.uint64(card) & _ONE:
            unseen[left] = card
            left += 1
    holdings = np.empty(1326, np.int64)
    keys = np.empty(1326, np.uint64)
    masks = np.empty(1326, np.uint64)
    count = 0
    for i in range(left):
        for j in range(i):
            high, low = unseen[i], unseen[j]
            holdings[count] = high * (high - 1) // 2 + low
            keys[count] = card_keys[high] + card_keys[low]
            masks[count] = _ONE << np.uint64(high) | _ONE << np.uint64(low)
            count += 1
    to_come = 5 - len(board)
    if to_come == 0:
        runouts = 1
    elif to_come == 1:
        runouts = left
    beaten = np.empty(opponents)
    met = np.empty(opponents)
    total = 0.0
    for runout in range(runouts):
        full_key = board_key
        dealt = np.uint64(0)
        for at in range(to_come):
            other = runout
            if to_come > 1:
                state += GOLDEN
                other = at + np.int64(below(mix(state), left - at))
            card = unseen[other]
            if to_come > 1:
                unseen[other] = unseen[at]
                unseen[at] = card
            full_key += card_keys[card]
            dealt |= _ONE << np.uint64(card)
        own_rank = rank_of_key(table, full_key + own_key)
        beaten[:] = 0.0
        met[:] = 0.0
        for i in range(count):
            if masks[i] & dealt:
                continue
            rank = rank_of_key(table, full_key + keys[i])
            share = 1.0 if rank < own_rank else 0.5 if rank == own_rank else 0.0
            row = holdings[i]
            for opponent in range(opponents):
                weight = weights[row, opponent]
                met[opponent] += weight
                beaten[opponent] += share * weight
        product = 1.0
        for opponent in range(opponents):
            product *= beaten[opponent] / met[opponent] if met[opponent] > 0 else 0.5
        total += product
    return total / runouts
