"""How one holding stands on many boards, one after the other; holdings without weight are left out beforehand."""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel


@kernel
def weigh_on_boards(table, card_keys, first, second, boards, weights, standings):
    """`standings[i]` becomes the weight that `first`, `second` is ahead of, tied with and behind on `boards[i]`."""
    cards = np.empty((1326, 2), np.int64)
    keys = np.empty(1326, np.uint64)
    held = np.empty(1326)
    count = 0
    for high in range(52):
        for low in range(high):
            weight = weights[high * (high - 1) // 2 + low]
            if weight > 0 and high != first and high != second and low != first and low != second:
                cards[count, 0], cards[count, 1] = high, low
                keys[count] = card_keys[high] + card_keys[low]
                held[count] = weight
                count += 1
    dead = np.zeros(52, np.bool_)
    for i in range(len(boards)):
        board_key = EMPTY_KEY
        for card in boards[i]:
            board_key += card_keys[card]
            dead[card] = True
        own = rank_of_key(table, board_key + card_keys[first] + card_keys[second])
        ahead, tied, behind = 0.0, 0.0, 0.0
        for at in range(count):
            if dead[cards[at, 0]] or dead[cards[at, 1]]:
                continue
            rank = rank_of_key(table, board_key + keys[at])
            if rank < own:
                ahead += held[at]
            elif rank == own:
                tied += held[at]
            else:
                behind += held[at]
        standings[i, 0], standings[i, 1], standings[i, 2] = ahead, tied, behind
        for card in boards[i]:
            dead[card] = False
