"""How pots divide between hands with so many board cards known: exactly from the flop on, by samples before it.

On a flop, a turn or a river the board is completed in every way. Before the flop so many boards are dealt at random, by
a stream of the pot's own, so that the same pot is always divided alike; the mean over boards is then right on average.
"""

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, absorb, below, mix
from railbird.kernels.compiling import kernel

_ZERO = np.uint64(0)
_UNKNOWN = 255


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
def divide_pots(table, card_keys, holes, boards, contenders, known, streams, samples, shares):
    """Fill `shares[pot, seat]` with each seat's share of a pot.

    `holes` (pots x seats x 2) and `boards` (pots x 5) are uint8 cards, 255 where none is known; others cannot come.
    `contenders` has a bit for each seat that plays for the pot, `known` how many cards of the board lie there: 0, 3, 4
    or 5; `streams` a number for each pot, which begins its stream; `samples` is how many boards are dealt before the
    flop.
    """
    most = holes.shape[1]
    keys, ranks = np.empty(most, np.uint64), np.empty(most, np.int64)
    seats, deck = np.empty(most, np.int64), np.empty(52, np.uint8)
    for pot in range(len(holes)):
        count, seen = 0, np.uint64(0)
        board_key = EMPTY_KEY
        for at in range(known[pot]):
            board_key += card_keys[boards[pot, at]]
            seen |= np.uint64(1) << np.uint64(boards[pot, at])
        for seat in range(most):
            if holes[pot, seat, 0] != _UNKNOWN:
                first, second = holes[pot, seat, 0], holes[pot, seat, 1]
                seen |= np.uint64(1) << np.uint64(first) | np.uint64(1) << np.uint64(second)
                if contenders[pot] >> seat & 1:
                    keys[count] = board_key + card_keys[first] + card_keys[second]
                    seats[count] = seat
                    count += 1
        size = 0
        for card in range(52):
            if not seen >> np.uint64(card) & np.uint64(1):
                deck[size] = card
                size += 1
        row, boards_seen = shares[pot], 0
        for seat in range(most):
            row[seat] = 0.0
        if known[pot] == 5:
            _divide(table, keys, _ZERO, ranks, seats, count, row)
            boards_seen = 1
        elif known[pot] == 4:
            for at in range(size):
                _divide(table, keys, card_keys[deck[at]], ranks, seats, count, row)
            boards_seen = size
        elif known[pot] == 3:
            for at in range(size):
                for other in range(at):
                    _divide(table, keys, card_keys[deck[at]] + card_keys[deck[other]], ranks, seats, count, row)
            boards_seen = size * (size - 1) // 2
        else:
            state = absorb(_ZERO, streams[pot])
            for _ in range(samples):
                runout = _ZERO
                for at in range(5):
                    state = state + GOLDEN
                    other = at + np.int64(below(mix(state), size - at))
                    card = deck[at]
                    deck[at] = deck[other]
                    deck[other] = card
                    runout += card_keys[deck[at]]
                _divide(table, keys, runout, ranks, seats, count, row)
            boards_seen = samples
        for seat in range(most):
            row[seat] /= boards_seen
