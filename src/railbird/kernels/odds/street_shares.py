"""How pots divide between hands with so many board cards known: exactly from the flop on, by samples before it.

On a flop, a turn or a river the board is completed in every way. Before the flop so many boards are dealt at random, by
a stream of the pot's own, so that the same pot is always divided alike; the mean over boards is then right on average.
"""

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, absorb, below, mix
from railbird.kernels.compiling import kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_UNKNOWN = 255


class Pots(NamedTuple):
    """Pots, each at one moment of a hand."""

    holes: np.ndarray
    """[pots, seats, 2] (uint8) cards, 255 where none is known; those that are known cannot come."""
    boards: np.ndarray
    """[pots, 5] (uint8) cards."""
    known: np.ndarray
    """How many cards of the board lie there: 0, 3, 4 or 5."""
    contenders: np.ndarray
    """A bit for each seat that plays for the pot."""
    streams: np.ndarray
    """(uint64) begins the random numbers of each."""


@kernel
def _divide(table, keys, runout, ranks, seats, count, shares):
    """Add one pot on one board to those who win it."""
    best, winners = -1, 0
    for at in range(count):
        rank = np.int64(rank_of_key(table, keys[at] + runout))
        ranks[at] = rank
        if rank > best:
            best, winners = rank, 1
        elif rank == best:
            winners += 1
    for at in range(count):
        if ranks[at] == best:
            shares[seats[at]] += 1.0 / winners


@kernel
def _seat_contenders(card_keys, pots, pot, keys, seats, deck):
    """Fill the keys and seats of those who play for a pot, and the cards that can come; how many there are of each."""
    count, size, seen, board_key = 0, 0, _ZERO, EMPTY_KEY
    for at in range(pots.known[pot]):
        board_key += card_keys[pots.boards[pot, at]]
        seen |= _ONE << np.uint64(pots.boards[pot, at])
    for seat in range(pots.holes.shape[1]):
        first, second = pots.holes[pot, seat, 0], pots.holes[pot, seat, 1]
        if first != _UNKNOWN:
            seen |= _ONE << np.uint64(first) | _ONE << np.uint64(second)
            if pots.contenders[pot] >> seat & 1:
                keys[count] = board_key + card_keys[first] + card_keys[second]
                seats[count] = seat
                count += 1
    for card in range(52):
        if not seen >> np.uint64(card) & _ONE:
            deck[size] = card
            size += 1
    return count, size


@kernel
def _draw(card_keys, deck, size, state):
    """Five cards of the deck at random: the sum of their keys, and the state after them."""
    runout = _ZERO
    for at in range(5):
        state = state + GOLDEN
        other = at + np.int64(below(mix(state), size - at))
        card = deck[at]
        deck[at] = deck[other]
        deck[other] = card
        runout += card_keys[deck[at]]
    return runout, state


@kernel
def divide_pots(table, card_keys, pots, samples, shares):
    """Fill `shares[pot, seat]` with each seat's share of a pot; `samples` is how many boards are dealt before the
    flop."""
    most = pots.holes.shape[1]
    keys, ranks = np.empty(most, np.uint64), np.empty(most, np.int64)
    seats, deck = np.empty(most, np.int64), np.empty(52, np.uint8)
    for pot in range(len(pots.holes)):
        count, size = _seat_contenders(card_keys, pots, pot, keys, seats, deck)
        row, known = shares[pot], pots.known[pot]
        row[:] = 0.0
        if known == 5:
            _divide(table, keys, _ZERO, ranks, seats, count, row)
            boards = 1
        elif known == 4:
            for at in range(size):
                _divide(table, keys, card_keys[deck[at]], ranks, seats, count, row)
            boards = size
        elif known == 3:
            for at in range(size):
                for other in range(at):
                    _divide(table, keys, card_keys[deck[at]] + card_keys[deck[other]], ranks, seats, count, row)
            boards = size * (size - 1) // 2
        else:
            state = absorb(_ZERO, pots.streams[pot])
            for _ in range(samples):
                runout, state = _draw(card_keys, deck, size, state)
                _divide(table, keys, runout, ranks, seats, count, row)
            boards = samples
        for seat in range(most):
            row[seat] /= boards
