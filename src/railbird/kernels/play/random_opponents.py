"""Playing a hold'em hand out to the showdown against random holdings, many times.

Each playout deals the missing board cards and then the opponents' holdings from the cards not seen, one opponent at a
time, and ends as soon as an opponent is ahead. The unseen cards are kept as ranking keys and drawn by swapping to the
front; any order will do for the next draw, so they are never put back. A tie of k players is worth 1/k of a win.
"""

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, below, mix
from railbird.kernels.compiling import kernel


@kernel
def _drawn(unseen, at, size, bits):
    """The key of a card drawn by chance from place `at` on, which is moved to `at`."""
    other = at + np.int64(below(bits, size - at))
    key = unseen[other]
    unseen[other] = unseen[at]
    unseen[at] = key
    return key


@kernel
def playout_share(table, card_keys, hole, board, opponents, playouts, state):
    """The share of `playouts` won by `hole` on `board` (uint8 arrays) against that many random holdings."""
    seen = np.zeros(52, np.bool_)
    own_key = EMPTY_KEY
    for card in hole:
        seen[card] = True
        own_key += card_keys[card]
    board_key = np.uint64(0)
    for card in board:
        seen[card] = True
        board_key += card_keys[card]
    unseen = np.empty(52, np.uint64)
    size = 0
    for card in range(52):
        if not seen[card]:
            unseen[size] = card_keys[card]
            size += 1

    to_come = 5 - len(board)
    won = 0.0
    for _ in range(playouts):
        full_board = board_key
        for at in range(to_come):
            state += GOLDEN
            full_board += _drawn(unseen, at, size, mix(state))
        own_rank = rank_of_key(table, own_key + full_board)
        tied = 1
        for at in range(to_come, to_come + 2 * opponents, 2):
            state += GOLDEN
            key = full_board + _drawn(unseen, at, size, mix(state))
            state += GOLDEN
            key += _drawn(unseen, at + 1, size, mix(state))
            rank = rank_of_key(table, EMPTY_KEY + key)
            if rank > own_rank:
                tied = 0
                break
            if rank == own_rank:
                tied += 1
        if tied:
            won += 1.0 / tied
    return won / playouts
