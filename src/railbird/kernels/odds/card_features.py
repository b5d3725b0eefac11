"""The crude potential: what each card to come is worth, from a few features of the hand (Papp 1998, section 7.2.3).

A card to come is worth between 0 and 1 out, by what it makes of the holding as it stands now: a pair of nothing, trips
or two pair of a pair, a full house of two pair, a straight, a flush. No opponent's holding is looked at. The thesis
prints one rule of its function, that for flush draws, and it is used here; the other values were set so that the sum
agrees with the exact potential against a random holding, on flops and turns alike, and rounded.

Suits aside, holdings fall into 91 classes and cards to come into 13 ranks, so there is one table of 91 x 13 values. A
holding with a flush draw then trades the values of the cards of its suit for those of a flush.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT
from railbird.kernels.compiling import kernel

# How a class stands now, suits aside.
_NOTHING, _PAIR, _POCKET, _PAIR_AND_BOARD, _POCKET_AND_BOARD, _TWO_PAIR, _SET, _TRIPS, _MADE = range(9)

# What a card is worth, in outs.
_FLUSH = 0.9  # two cards of the suit on the board
_FLUSH_OF_TWO, _FLUSH_OF_ACE = 0.5, 1.0  # three on the board: by the rank of the suited hole card, as in the thesis
_STRAIGHT, _STRAIGHT_IN_DANGER = 0.8, 0.7  # in danger: the board has a pair or three cards of a suit
_FIRST_PAIR, _LESS_BY_OVERCARD, _MORE_ON_PAIRED_BOARD = 0.75, 0.07, 0.1
_PAIR_IMPROVES = 0.8
_POCKET_IMPROVES, _POCKET_BOARD_PAIRS = 0.6, 0.1
_PAIR_AND_BOARD_IMPROVES, _PAIR_AND_BOARD_ELSE = 0.5, 0.1
_TWO_PAIR_IMPROVES, _TWO_PAIR_IMPROVES_QUIET = 0.85, 0.5  # quiet: no straight or flush can be held yet
_SET_BOARD_PAIRS, _SET_BOARD_PAIRS_QUIET, _SET_TO_FOUR = 0.95, 0.1, 0.2
_TRIPS_KICKER_PAIRS, _TRIPS_BOARD_PAIRS = 1.0, 0.4
_MADE_BOARD_PAIRS = 0.07


@kernel
def estimate_potentials(board, potentials):
    """PPOTc of every holding on a flop or turn board; nan for those that meet the board."""
    counts = np.zeros(13, np.int64)
    suit_counts = np.zeros(4, np.int64)
    dead = np.zeros(52, np.bool_)
    ranks_mask = np.int64(0)
    for card in board:
        counts[card >> 2] += 1
        suit_counts[card & 3] += 1
        dead[card] = True
        ranks_mask |= np.int64(1) << np.int64(card >> 2)
    paired = False
    for rank in range(13):
        paired |= counts[rank] > 1
    three_suited = suit_counts.max() >= 3
    values = np.zeros((CLASS_COUNT, 13))
    outs = np.zeros(CLASS_COUNT)
    _value_cards(counts, ranks_mask, paired, three_suited, values, outs)
    # An opponent's cards are unknown but not to come.
    unseen = 48 - len(board)
    board_pairs = 0
    for rank in range(13):
        board_pairs += 4 - counts[rank] if counts[rank] > 0 else 0
    at = 0
    for high in range(52):
        for low in range(high):
            a, b = high >> 2, low >> 2
            kind = a * (a + 1) // 2 + b
            found = outs[kind]
            for suit in range(4):
                held = (high & 3 == suit) + (low & 3 == suit)
                if held == 0 or suit_counts[suit] + held < 4:
                    continue
                if suit_counts[suit] + held > 4:
                    found = _MADE_BOARD_PAIRS * (board_pairs - (counts[a] > 0) - (counts[b] > 0))
                    continue
                flush = _FLUSH
                if held == 1:
                    rank = a if high & 3 == suit else b
                    flush = _FLUSH_OF_TWO + (_FLUSH_OF_ACE - _FLUSH_OF_TWO) * rank / 12
                for rank in range(13):
                    card = 4 * rank + suit
                    if not dead[card] and card != high and card != low:
                        found += max(flush - values[kind, rank], 0.0)
            potentials[at] = np.nan if dead[high] or dead[low] else found / unseen
            at += 1


@kernel
def _value_cards(counts, ranks_mask, paired, three_suited, values, outs):
    """What a card of each rank is worth to each class without regard to suits, and the sum over the cards left."""
    overcards = np.zeros(13, np.int64)
    for rank in range(11, -1, -1):
        overcards[rank] = overcards[rank + 1] + (counts[rank + 1] > 0)
    quiet = not three_suited and not _straight_is_possible(ranks_mask)
    straight = _STRAIGHT_IN_DANGER if paired or three_suited else _STRAIGHT
    kind = 0
    for a in range(13):
        for b in range(a + 1):
            mask = ranks_mask | np.int64(1) << a | np.int64(1) << b
            now = _MADE if _makes_straight(mask, ranks_mask) else _standing(a, b, counts, paired)
            for rank in range(13):
                own = rank in (a, b)
                left = 4 - counts[rank] - (rank == a) - (rank == b)
                if left <= 0:
                    continue
                bit = np.int64(1) << rank
                if now < _SET and _makes_straight(mask | bit, ranks_mask | bit):
                    value = straight
                elif now == _NOTHING and own:
                    value = _FIRST_PAIR - _LESS_BY_OVERCARD * overcards[rank] + _MORE_ON_PAIRED_BOARD * paired
                else:
                    value = _improvement(now, own, counts[rank] > 0, quiet)
                values[kind, rank] = value
                outs[kind] += left * value
            kind += 1


@kernel
def _standing(a, b, counts, paired):
    """How the class of ranks a and b stands now, straights and flushes aside."""
    if a == b:
        return _SET if counts[a] > 0 else _POCKET_AND_BOARD if paired else _POCKET
    met = counts[a] + counts[b]
    if counts[a] > 0 and counts[b] > 0:
        return _TWO_PAIR if met == 2 else _MADE
    if met == 1:
        return _PAIR_AND_BOARD if paired else _PAIR
    return _NOTHING if met == 0 else _TRIPS


@kernel
def _improvement(now, own, on_board, quiet):
    """What a card is worth to a pair or better: `own` if the holding has its rank, `on_board` if the board has it."""
    if now == _PAIR and own:
        return _PAIR_IMPROVES
    if now in (_POCKET, _POCKET_AND_BOARD):
        return _POCKET_IMPROVES if own else _POCKET_BOARD_PAIRS if on_board else 0.0
    if now == _PAIR_AND_BOARD:
        return _PAIR_AND_BOARD_IMPROVES if own else _PAIR_AND_BOARD_ELSE if on_board else 0.0
    if now == _TWO_PAIR and own:
        return _TWO_PAIR_IMPROVES_QUIET if quiet else _TWO_PAIR_IMPROVES
    if now == _SET and own:
        return _SET_TO_FOUR
    if now == _SET and on_board:
        return _SET_BOARD_PAIRS_QUIET if quiet else _SET_BOARD_PAIRS
    if now == _TRIPS and own and not on_board:
        return _TRIPS_KICKER_PAIRS
    if now == _TRIPS and on_board:
        return _TRIPS_BOARD_PAIRS
    return _MADE_BOARD_PAIRS if now == _MADE and on_board else 0.0


@kernel
def _straights(ranks_mask):
    """A bit for each of the ten runs of five that the ranks contain, the wheel lowest."""
    with_ace = ranks_mask << 1 | ranks_mask >> 12 & 1
    pairs = with_ace & with_ace >> 1
    return pairs & pairs >> 2 & with_ace >> 4


@kernel
def _makes_straight(ranks_mask, board_mask):
    """Whether the best straight of a holding with a board is better than the board's own."""
    of_board = _straights(board_mask)
    return _straights(ranks_mask) & ~of_board > of_board


@kernel
def _straight_is_possible(board_mask):
    """Whether three ranks of the board lie within a run of five."""
    with_ace = board_mask << 1 | board_mask >> 12 & 1
    for lowest in range(10):
        found = 0
        for step in range(5):
            found += with_ace >> (lowest + step) & 1
        if found >= 3:
            return True
    return False
