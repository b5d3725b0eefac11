"""Rollout equity and all-in equity of two known holdings after the flop (Kan 2007, section 3.2).

Both players are worth so many bets (`level`) on each street, and a street played by the baseline ends with `bets` from
each, or with a fold: `outcomes[6 * class + class]` is the number of bets for the classes F, C, M1-M4 of the players who
act first and second, or `FIRST_FOLDS`, `SECOND_FOLDS`. Nobody puts in a bet on a street before folding to it.

A player's result over all rivers y of a turn card x, with c small bets in from each, is linear in c but for the folds:

    sum over y of sign(y) * (c + 2 * bets(y))  +  for each fold the difference between losing c and playing on

so `plain[x]` and `bet[x]` (the sums of sign and of 2 * sign * bets) serve every pot. A pair of cards is one river board
whichever of the two came first, so the flop's 1,980 sequels are 990 boards. Each board costs two rank look-ups and the
cuts of `divat_codes`, which lie close together for one flop by way of `rivers`.

All values are for the player who acts first after the flop, in small bets, summed over the sequels: integers.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from railbird.kernels.divat_codes import CUT_BETS_IN, moved_holding, packed_class
from railbird.kernels.ranking import EMPTY_KEY, rank_of_key

FIRST_FOLDS, SECOND_FOLDS = -1, -2
_CLASS_MASK = (1 << 18) - 1


@njit(cache=True)
def class_at(code, bets_in):
    """F, C, M1-M4 as 0-5: the class of a code where each player has put in `bets_in` small bets."""
    level = np.int64(code & 7)
    if level > 0:
        return level + 1
    return np.int64(0 if bets_in <= code >> 3 else 1)


@njit(cache=True)
def _river_level(codes, cuts, packed, first, second, rank):
    """How many bets a holding of this rank is worth on a river board."""
    board = packed & _CLASS_MASK
    row = cuts[board]
    sure = np.int64(rank >= row[0, 1]) + np.int64(rank >= row[1, 1])
    sure += np.int64(rank >= row[2, 1]) + np.int64(rank >= row[3, 1])
    maybe = np.int64(rank >= row[0, 0]) + np.int64(rank >= row[1, 0])
    maybe += np.int64(rank >= row[2, 0]) + np.int64(rank >= row[3, 0])
    if sure == maybe:
        return sure
    return np.int64(codes[board, moved_holding(packed, first, second)] & 7)


@njit(cache=True)
def _folds_river(codes, cuts, packed, first, second, rank, bets_in):
    """Whether a holding of level 0 folds on a river board."""
    board = packed & _CLASS_MASK
    if bets_in <= CUT_BETS_IN:
        if rank >= cuts[board, 3 + bets_in, 1]:
            return False
        if rank < cuts[board, 3 + bets_in, 0]:
            return True
    return bets_in <= codes[board, moved_holding(packed, first, second)] >> 3


@njit(cache=True)
def _fold_correction(codes, cuts, packed, hands, caller, rank, sign, bets_in):
    """What it changes if the caller of a river bet would rather fold; `sign` is the first player's result."""
    first, second = hands[2 * caller], hands[2 * caller + 1]
    if bets_in == 0 or not _folds_river(codes, cuts, packed, first, second, rank, bets_in):
        return np.int64(0)
    return (bets_in if caller == 1 else -bets_in) - sign * (bets_in + 2)


@njit(cache=True, nogil=True)
def roll_out_flop(
    table, card_keys, flop_key, turns, rivers, turn_codes, river_codes, cuts, outcomes, dead, hands, bets_in, values
):
    """`values[i]` becomes the sum over 1,980 turns and rivers with `bets_in[i]` small bets in from each player.

    `hands` are the four hole cards, first player's first, and all cards are those of the flop's representative, whose
    rows `turns` and `rivers` are; `dead` is true for these seven cards. Returns the first player's wins minus losses.
    """
    live = np.empty(45, np.int64)
    count = 0
    for card in range(52):
        if not dead[card]:
            live[count] = card
            count += 1
    wanted = len(bets_in)
    reached = np.zeros((45, wanted), np.int64)
    values[:] = 0
    for i in range(45):
        packed = np.int64(turns[live[i]])
        row = turn_codes[packed & _CLASS_MASK]
        code0 = row[moved_holding(packed, hands[0], hands[1])]
        code1 = row[moved_holding(packed, hands[2], hands[3])]
        for k in range(wanted):
            outcome = np.int64(outcomes[6 * class_at(code0, bets_in[k]) + class_at(code1, bets_in[k])])
            if outcome >= 0:
                reached[i, k] = bets_in[k] + 2 * outcome
            else:
                values[k] += 44 * (bets_in[k] if outcome == SECOND_FOLDS else -bets_in[k])

    plain = np.zeros(45, np.int64)
    bet = np.zeros(45, np.int64)
    key0 = flop_key + card_keys[hands[0]] + card_keys[hands[1]]
    key1 = flop_key + card_keys[hands[2]] + card_keys[hands[3]]
    for i in range(1, 45):
        high = live[i]
        pairs = high * (high - 1) // 2
        high_key0 = key0 + card_keys[high]
        high_key1 = key1 + card_keys[high]
        for j in range(i):
            low = live[j]
            packed = np.int64(rivers[pairs + low])
            rank0 = np.int64(rank_of_key(table, high_key0 + card_keys[low]))
            rank1 = np.int64(rank_of_key(table, high_key1 + card_keys[low]))
            sign = np.int64(rank0 > rank1) - np.int64(rank0 < rank1)
            level0 = _river_level(river_codes, cuts, packed, hands[0], hands[1], rank0)
            level1 = _river_level(river_codes, cuts, packed, hands[2], hands[3], rank1)
            more = 2 * sign * outcomes[6 * (level0 + 1) + level1 + 1]
            plain[i] += sign
            plain[j] += sign
            bet[i] += more
            bet[j] += more
            if (level0 == 0) != (level1 == 0):
                caller = 1 if level1 == 0 else 0
                rank = rank1 if caller == 1 else rank0
                for k in range(wanted):
                    values[k] += _fold_correction(river_codes, cuts, packed, hands, caller, rank, sign, reached[i, k])
                    values[k] += _fold_correction(river_codes, cuts, packed, hands, caller, rank, sign, reached[j, k])
    wins = np.int64(0)
    for i in range(45):
        wins += plain[i]
        for k in range(wanted):
            if reached[i, k] > 0:
                values[k] += plain[i] * reached[i, k] + bet[i]
    return wins


@njit(cache=True, nogil=True)
def roll_out_turn(
    table, card_keys, turn_key, turn, rivers, river_codes, cuts, outcomes, dead, hands, bets_in, values
):  # fmt: skip
    """`values[i]` becomes the sum over 44 rivers with `bets_in[i]` small bets in; see `roll_out_flop`."""
    values[:] = 0
    wins = np.int64(0)
    key0 = turn_key + card_keys[hands[0]] + card_keys[hands[1]]
    key1 = turn_key + card_keys[hands[2]] + card_keys[hands[3]]
    for card in range(52):
        if dead[card]:
            continue
        high, low = max(card, turn), min(card, turn)
        packed = np.int64(rivers[high * (high - 1) // 2 + low])
        rank0 = np.int64(rank_of_key(table, key0 + card_keys[card]))
        rank1 = np.int64(rank_of_key(table, key1 + card_keys[card]))
        sign = np.int64(rank0 > rank1) - np.int64(rank0 < rank1)
        level0 = _river_level(river_codes, cuts, packed, hands[0], hands[1], rank0)
        level1 = _river_level(river_codes, cuts, packed, hands[2], hands[3], rank1)
        more = 2 * sign * outcomes[6 * (level0 + 1) + level1 + 1]
        wins += sign
        for k in range(len(bets_in)):
            values[k] += sign * bets_in[k] + more
            if level0 == 0 and level1 > 0:
                values[k] += _fold_correction(river_codes, cuts, packed, hands, 0, rank0, sign, bets_in[k])
            elif level1 == 0 and level0 > 0:
                values[k] += _fold_correction(river_codes, cuts, packed, hands, 1, rank1, sign, bets_in[k])
    return wins


@njit(cache=True, nogil=True)
def roll_out_preflop(
    table, card_keys, isomorphisms, turns, rivers, flop_codes, turn_codes, river_codes, cuts, outcomes, hands, bets_in
):
    """The sum over all flops, turns and rivers with `bets_in` small bets in from each player, flop by flop.

    The slow way, a second for one pair: for pots that the table before the flop does not know, and to check it.
    """
    total = np.int64(0)
    board = np.empty(3, np.int64)
    moved = np.empty(4, np.int64)
    permutation = np.empty(4, np.int64)
    dead = np.zeros(52, np.bool_)
    reached, value = np.empty(1, np.int64), np.empty(1, np.int64)
    held = np.zeros(52, np.bool_)
    for card in hands:
        held[card] = True
    for first in range(52):
        for second in range(first):
            for third in range(second):
                if held[first] or held[second] or held[third]:
                    continue
                board[0], board[1], board[2] = first, second, third
                packed = packed_class(isomorphisms, board, 3, permutation)
                flop = packed & _CLASS_MASK
                row = flop_codes[flop]
                class0 = class_at(row[moved_holding(packed, hands[0], hands[1])], bets_in)
                class1 = class_at(row[moved_holding(packed, hands[2], hands[3])], bets_in)
                outcome = np.int64(outcomes[6 * class0 + class1])
                if outcome < 0:
                    total += 1980 * (bets_in if outcome == SECOND_FOLDS else -bets_in)
                    continue
                reached[0] = bets_in + outcome
                dead[:] = False
                flop_key = EMPTY_KEY
                for card in board:
                    card = (card & ~3) | permutation[card & 3]
                    dead[card] = True
                    flop_key += card_keys[card]
                for i in range(4):
                    moved[i] = (hands[i] & ~3) | permutation[hands[i] & 3]
                    dead[moved[i]] = True
                roll_out_flop(
                    table, card_keys, flop_key, turns[flop], rivers[flop], turn_codes, river_codes, cuts, outcomes,
                    dead, moved, reached, value,
                )  # fmt: skip
                total += value[0]
    return total
