"""How a pot divides for every holding that one seat may have, the others' cards being known.

On turn and river the board is completed in every way; earlier so many boards are dealt at random, by a stream of the
pot's own. A holding counts the boards that leave it, so that each mean is over boards that can come with it.
"""

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, absorb, below, mix
from railbird.kernels.compiling import kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class ImaginedPot(NamedTuple):
    """A pot at one moment of a hand."""

    board: np.ndarray
    """(int64) the cards that lie there: 0, 3, 4 or 5."""
    holes: np.ndarray
    """[others, 2] (int64) the cards of those who play for it, the imagined seat aside."""
    seats: np.ndarray
    """Their seats."""
    gone: np.ndarray
    """(int64) cards of players who folded; they cannot come."""
    imagined: int
    """The seat that is imagined."""
    plays: bool
    """Whether it plays for the pot."""
    stream: np.uint64
    """Begins the random numbers."""


@kernel
def _bits(cards):
    found = _ZERO
    for card in cards:
        found |= _ONE << np.uint64(card)
    return found


@kernel
def _complete(card_keys, taken, missing, samples, stream):
    """The key and the bits of the cards that complete a board, for each board."""
    deck, size = np.empty(52, np.int64), 0
    for card in range(52):
        if not taken >> np.uint64(card) & _ONE:
            deck[size] = card
            size += 1
    count = 1 if missing == 0 else size if missing == 1 else samples
    keys, bits = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    state = absorb(_ZERO, stream)
    for board in range(count):
        for at in range(missing):
            other = board
            if missing > 1:
                state = state + GOLDEN
                other = at + np.int64(below(mix(state), size - at))
                deck[at], deck[other] = deck[other], deck[at]
                other = at
            keys[board] += card_keys[deck[other]]
            bits[board] |= _ONE << np.uint64(deck[other])
    return keys, bits


@kernel(nogil=True)
def share_imagined_pot(table, card_keys, pot: ImaginedPot, weights, samples, shares):
    """Fill `shares[holding, seat]` with each seat's share of a pot, for the holdings that have weight; 0 for others."""
    taken = _bits(pot.board) | _bits(pot.gone) | _bits(pot.holes.ravel())
    board_key, others = EMPTY_KEY, len(pot.holes)
    for card in pot.board:
        board_key += card_keys[card]
    missing = 5 - len(pot.board)
    run_keys, run_bits = _complete(card_keys, taken, missing, samples, pot.stream)
    held, held_keys, held_bits = np.empty(1326, np.int64), np.empty(1326, np.uint64), np.empty(1326, np.uint64)
    count, at = 0, 0
    for high in range(52):
        for low in range(high):
            bits = _ONE << np.uint64(high) | _ONE << np.uint64(low)
            if weights[at] > 0 and not bits & taken:
                held[count], held_bits[count] = at, bits
                held_keys[count] = card_keys[high] + card_keys[low]
                count += 1
            at += 1
    shares[:] = 0.0
    boards, ranks = np.zeros(1326, np.int64), np.empty(others, np.int64)
    for run in range(len(run_keys)):
        key, best, winners = board_key + run_keys[run], np.int64(-1), 0
        for other in range(others):
            own = card_keys[pot.holes[other, 0]] + card_keys[pot.holes[other, 1]]
            ranks[other] = np.int64(rank_of_key(table, key + own))
            if ranks[other] > best:
                best, winners = ranks[other], 1
            elif ranks[other] == best:
                winners += 1
        for each in range(count):
            if held_bits[each] & run_bits[run]:
                continue
            holding, equal = held[each], winners
            boards[holding] += 1
            if pot.plays:
                rank = np.int64(rank_of_key(table, key + held_keys[each]))
                if rank > best:
                    shares[holding, pot.imagined] += 1.0
                    continue
                if rank == best:
                    equal += 1
                    shares[holding, pot.imagined] += 1.0 / equal
            for other in range(others):
                if ranks[other] == best:
                    shares[holding, pot.seats[other]] += 1.0 / equal
    for holding in range(1326):
        if boards[holding]:
            for seat in range(shares.shape[1]):
                shares[holding, seat] /= boards[holding]
