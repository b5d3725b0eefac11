"""Dealing: the cards of a hand follow from the match seed and the hand's number alone.

A partial Fisher-Yates shuffle, its numbers from the stream (deck seed, hand), where the deck seed is that of the match,
or in a secret match the hand's own. The order is that of the competition's dealer: the hole cards of position 0, of
position 1, and so on, then all the board cards.
"""

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, absorb, below, mix
from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into

_ZERO = np.uint64(0)


@kernel
def hand_stream(seed, hand):
    """The start of the stream (seed, hand)."""
    return absorb(absorb(_ZERO, seed), np.uint64(hand))


@kernel
def shuffle_front(state, deck, count):
    """Draw the first `count` cards of `deck` in place. Any order of the deck beforehand will do, but the same one."""
    size = len(deck)
    for at in range(count):
        state = state + GOLDEN
        other = at + np.int64(below(mix(state), size - at))
        card = deck[at]
        deck[at] = deck[other]
        deck[other] = card


@kernel
def deal_block(seeds, first, deck, cards):
    """Deal hands first, first + 1, ... into the rows of `cards` (uint8), from one seed for all or one for each."""
    count = cards.shape[1]
    working = deck.copy()
    for row in range(cards.shape[0]):
        copy_into(working, deck)
        shuffle_front(hand_stream(seeds[min(row, len(seeds) - 1)], first + row), working, count)
        for at in range(count):
            cards[row, at] = working[at]


@kernel
def rank_deals(table, card_keys, cards, ranks):
    """The seven-card rank of every position of every row of hold'em `cards`, into `ranks` (uint16)."""
    seats = ranks.shape[1]
    for row in range(cards.shape[0]):
        board = EMPTY_KEY
        for at in range(2 * seats, 2 * seats + 5):
            board += card_keys[cards[row, at]]
        for seat in range(seats):
            key = board + card_keys[cards[row, 2 * seat]] + card_keys[cards[row, 2 * seat + 1]]
            ranks[row, seat] = rank_of_key(table, key)
