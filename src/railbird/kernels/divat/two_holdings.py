"""Rollout equity and all-in equity of two known holdings after the flop (Kan 2007, section 3.2).

Both players are worth so many bets (`level`) on each street, and a street played by the baseline ends with `bets` from
each, or with a fold: `outcomes[6 * class + class]` is the number of bets for the classes F, C, M1-M4 of the players who
act first and second, or `FIRST_FOLDS`, `SECOND_FOLDS`. Nobody puts in a bet on a street before folding to it.

A player's result over all rivers y of a turn card x, with c small bets in from each, is linear in c but for the folds:

    sum over y of sign(y) * (c + 2 * bets(y))  +  for each fold the difference between losing c and playing on

so `plain[x]` and `bet[x]` (the sums of sign and of 2 * sign * bets) serve every pot. A pair of cards is one river board
whichever of the two came first, so the flop's 1,980 sequels are 990 boards. Each board costs two rank look-ups and the
cuts of `codes`, which lie close together for one flop by way of `rivers`.

All values are for the player who acts first after the flop, in small bets, summed over the sequels: integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.codes import CLASS_MASK, CUT_BETS_IN, moved_holding, packed_class

FIRST_FOLDS, SECOND_FOLDS = -1, -2
_FOURTH = np.array([d * (d - 1) * (d - 2) * (d - 3) // 24 for d in range(48)])


class Deal(NamedTuple):
    """Two holdings and a board, their cards those of the flop's representative."""

    hands: np.ndarray
    """The four hole cards, first player's first."""
    dead: np.ndarray
    """True for the hole cards and the cards of the board."""
    flop: int
    """The class of the flop."""
    key: np.uint64
    """`EMPTY_KEY` and the keys of the board."""


@kernel
def class_at(code, bets_in):
    """F, C, M1-M4 as 0-5: the class of a code where each player has put in `bets_in` small bets."""
    level = np.int64(code & 7)
    if level > 0:
        return level + 1
    return np.int64(0 if bets_in <= code >> 3 else 1)


@kernel
def _river_level(codes, cuts, packed, first, second, rank):
    """How many bets a holding of this rank is worth on a river board."""
    board = packed & CLASS_MASK
    row = cuts[board]
    sure = np.int64(rank >= row[0, 1]) + np.int64(rank >= row[1, 1])
    sure += np.int64(rank >= row[2, 1]) + np.int64(rank >= row[3, 1])
    maybe = np.int64(rank >= row[0, 0]) + np.int64(rank >= row[1, 0])
    maybe += np.int64(rank >= row[2, 0]) + np.int64(rank >= row[3, 0])
    if sure == maybe:
        return sure
    return np.int64(codes[board, moved_holding(packed, first, second)] & 7)


@kernel
def _folds_river(codes, cuts, packed, first, second, rank, bets_in):
    """Whether a holding of level 0 folds on a river board."""
    board = packed & CLASS_MASK
    if bets_in <= CUT_BETS_IN:
        if rank >= cuts[board, 3 + bets_in, 1]:
            return False
        if rank < cuts[board, 3 + bets_in, 0]:
            return True
    return bets_in <= codes[board, moved_holding(packed, first, second)] >> 3


@kernel
def _fold_correction(codes, cuts, packed, hands, caller, rank, sign, bets_in):
    """What it changes if the caller of a river bet would rather fold; `sign` is the first player's result."""
    first, second = hands[2 * caller], hands[2 * caller + 1]
    if bets_in == 0 or not _folds_river(codes, cuts, packed, first, second, rank, bets_in):
        return np.int64(0)
    return (bets_in if caller == 1 else -bets_in) - sign * (bets_in + 2)


@kernel(nogil=True)
def roll_out_flop(baseline, futures, deal, bets_in, values):
    """`values[i]` becomes the sum over 1,980 turns and rivers with `bets_in[i]` small bets in from each player.

    Returns the first player's wins minus losses.
    """
    live = np.empty(45, np.int64)
    count = 0
    for card in range(52):
        if not deal.dead[card]:
            live[count] = card
            count += 1
    reached = np.zeros((45, len(bets_in)), np.int64)
    _play_turn_cards(baseline, futures.turns[deal.flop], deal.hands, live, bets_in, reached, values)
    # The arrays of the loop by themselves: it is where the time goes.
    table, card_keys = baseline.ranking.table, baseline.ranking.card_keys
    river_codes, cuts, outcomes = baseline.codes.river, futures.cuts, baseline.outcomes
    rivers, hands = futures.rivers[deal.flop], deal.hands
    wanted = len(bets_in)
    plain = np.zeros(45, np.int64)
    bet = np.zeros(45, np.int64)
    key0 = deal.key + card_keys[hands[0]] + card_keys[hands[1]]
    key1 = deal.key + card_keys[hands[2]] + card_keys[hands[3]]
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


@kernel
def _play_turn_cards(baseline, turns, hands, live, bets_in, reached, values):
    """For each turn card and pot the small bets in after it, 0 after a fold; `values` becomes the sum of the folds."""
    values[:] = 0
    for i in range(45):
        packed = np.int64(turns[live[i]])
        row = baseline.codes.turn[packed & CLASS_MASK]
        code0 = row[moved_holding(packed, hands[0], hands[1])]
        code1 = row[moved_holding(packed, hands[2], hands[3])]
        for k in range(len(bets_in)):
            outcome = np.int64(baseline.outcomes[6 * class_at(code0, bets_in[k]) + class_at(code1, bets_in[k])])
            if outcome >= 0:
                reached[i, k] = bets_in[k] + 2 * outcome
            else:
                values[k] += 44 * (bets_in[k] if outcome == SECOND_FOLDS else -bets_in[k])


@kernel(nogil=True)
def roll_out_turn(baseline, futures, deal, turn, bets_in, values):
    """`values[i]` becomes the sum over 44 rivers with `bets_in[i]` small bets in; see `roll_out_flop`."""
    table, card_keys = baseline.ranking.table, baseline.ranking.card_keys
    river_codes, cuts, outcomes = baseline.codes.river, futures.cuts, baseline.outcomes
    rivers, hands = futures.rivers[deal.flop], deal.hands
    values[:] = 0
    wins = np.int64(0)
    key0 = deal.key + card_keys[hands[0]] + card_keys[hands[1]]
    key1 = deal.key + card_keys[hands[2]] + card_keys[hands[3]]
    for card in range(52):
        if deal.dead[card]:
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


@kernel
def _place(a, b, c):
    """The number of three of 48 cards, places a < b < c; a fourth d adds `_FOURTH[d]`."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@kernel
def _play_flops(baseline, live, hands, bets_in, flops, reached):
    """For each flop its packed class and the small bets in after it, 0 after a fold. Returns the sum of the folds."""
    board = np.empty(3, np.int64)
    permutation = np.empty(4, np.int64)
    folded = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                board[0], board[1], board[2] = live[a], live[b], live[c]
                packed = np.int64(packed_class(baseline.isomorphisms, board, 3, permutation))
                row = baseline.codes.flop[packed & CLASS_MASK]
                class0 = class_at(row[moved_holding(packed, hands[0], hands[1])], bets_in)
                class1 = class_at(row[moved_holding(packed, hands[2], hands[3])], bets_in)
                outcome = np.int64(baseline.outcomes[6 * class0 + class1])
                place = _place(a, b, c)
                flops[place] = packed
                reached[place] = bets_in + outcome if outcome >= 0 else 0
                if outcome < 0:
                    folded += 1980 * (bets_in if outcome == SECOND_FOLDS else -bets_in)
    return folded


@kernel
def _moved_card(packed, card):
    return (card & ~3) | (packed >> (18 + 2 * (card & 3)) & 3)


@kernel
def _play_turns(baseline, turns, live, hands, flops, after_flop, pots, summed):
    """For each four cards the pots with which the river is reached. Returns the sum of the folds.

    `pots[four]` are small bets in from each player by the flop among the four cards, 0 where somebody folded;
    `summed[four]` are these added up, and 65536 times how many there are.
    """
    turn_codes, outcomes = baseline.codes.turn, baseline.outcomes
    moved, choices = np.empty(4, np.int64), np.empty(4, np.int64)
    folded = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                choices[0] = _place(a, b, c)
                packed = flops[choices[0]]
                for i in range(4):
                    moved[i] = _moved_card(packed, hands[i])
                for d in range(c + 1, 48):
                    choices[1], choices[2], choices[3] = _place(a, b, d), _place(a, c, d), _place(b, c, d)
                    turn = np.int64(turns[packed & CLASS_MASK, _moved_card(packed, live[d])])
                    row = turn_codes[turn & CLASS_MASK]
                    code0 = row[moved_holding(turn, moved[0], moved[1])]
                    code1 = row[moved_holding(turn, moved[2], moved[3])]
                    four = choices[0] + _FOURTH[d]
                    for i in range(4):
                        reached = after_flop[choices[i]]
                        if reached == 0:
                            continue
                        outcome = np.int64(outcomes[6 * class_at(code0, reached) + class_at(code1, reached)])
                        if outcome >= 0:
                            pots[four, i] = reached + 2 * outcome
                            summed[four] += 65536 + reached + 2 * outcome
                        else:
                            folded += 44 * (reached if outcome == SECOND_FOLDS else -reached)
    return folded


@kernel(nogil=True)
def roll_out_preflop(baseline, futures, hands, bets_in):
    """The sum over all flops, turns and rivers with `bets_in` small bets in from each player.

    For pots that the table before the flop does not know, and to check it. Each set of five cards is ranked once, for
    the ten flops and two turns that it can be: what matters of these are the pots with which the river is reached, and
    they are worked out before, for each set of four cards and each flop among them.
    """
    live = np.empty(48, np.int64)
    count = 0
    for card in range(52):
        if card != hands[0] and card != hands[1] and card != hands[2] and card != hands[3]:
            live[count] = card
            count += 1
    flops, after_flop = np.empty(17_296, np.int64), np.empty(17_296, np.int64)
    pots, summed = np.zeros((194_580, 4), np.uint8), np.zeros(194_580, np.int32)
    total = _play_flops(baseline, live, hands, bets_in, flops, after_flop)
    total += _play_turns(baseline, futures.turns, live, hands, flops, after_flop, pots, summed)
    return total + _play_rivers(baseline, futures, live, hands, bets_in, flops, pots, summed)


@kernel
def _play_rivers(baseline, futures, live, hands, bets_in, flops, pots, summed):
    """The sum over all boards of what is won there, for all pots with which the river is reached."""
    table, card_keys = baseline.ranking.table, baseline.ranking.card_keys
    codes, cuts, outcomes, rivers = baseline.codes.river, futures.cuts, baseline.outcomes, futures.rivers
    moved, fours = np.empty(4, np.int64), np.empty(5, np.int64)
    own_key = card_keys[hands[0]] + card_keys[hands[1]]
    other_key = card_keys[hands[2]] + card_keys[hands[3]]
    total = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                packed = flops[_place(a, b, c)]
                boards = rivers[packed & CLASS_MASK]
                for i in range(4):
                    moved[i] = _moved_card(packed, hands[i])
                flop_key = EMPTY_KEY + card_keys[live[a]] + card_keys[live[b]] + card_keys[live[c]]
                for d in range(c + 1, 48):
                    fours[0] = _place(a, b, c) + _FOURTH[d]
                    turn_key = flop_key + card_keys[live[d]]
                    turn_card = _moved_card(packed, live[d])
                    for e in range(d + 1, 48):
                        fours[1] = _place(a, b, c) + _FOURTH[e]
                        fours[2] = _place(a, b, d) + _FOURTH[e]
                        fours[3] = _place(a, c, d) + _FOURTH[e]
                        fours[4] = _place(b, c, d) + _FOURTH[e]
                        both = np.int64(0)
                        for i in range(5):
                            both += summed[fours[i]]
                        if both == 0:
                            continue
                        key = turn_key + card_keys[live[e]]
                        river_card = _moved_card(packed, live[e])
                        high, low = max(turn_card, river_card), min(turn_card, river_card)
                        board = np.int64(boards[high * (high - 1) // 2 + low])
                        rank0 = np.int64(rank_of_key(table, key + own_key))
                        rank1 = np.int64(rank_of_key(table, key + other_key))
                        sign = np.int64(rank0 > rank1) - np.int64(rank0 < rank1)
                        level0 = _river_level(codes, cuts, board, moved[0], moved[1], rank0)
                        level1 = _river_level(codes, cuts, board, moved[2], moved[3], rank1)
                        bets = 2 * np.int64(outcomes[6 * (level0 + 1) + level1 + 1])
                        total += sign * ((both & 65535) + bets * (both >> 16))
                        if (level0 == 0) == (level1 == 0):
                            continue
                        caller = 1 if level1 == 0 else 0
                        rank = rank1 if caller == 1 else rank0
                        # Who does not fold in the smallest pot there can be folds in none.
                        if bets_in <= CUT_BETS_IN and rank >= cuts[board & CLASS_MASK, 3 + bets_in, 1]:
                            continue
                        holding = moved_holding(board, moved[2 * caller], moved[2 * caller + 1])
                        largest = np.int64(codes[board & CLASS_MASK, holding]) >> 3
                        if largest >= bets_in:
                            total += _pot_folds(pots, fours, largest, caller, sign)
    return total


@kernel
def _pot_folds(pots, fours, largest, caller, sign):
    """What it changes that the caller of a river bet folds in pots of up to `largest` small bets from each player."""
    change = np.int64(0)
    for i in range(5):
        for k in range(4):
            pot = np.int64(pots[fours[i], k])
            if 0 < pot <= largest:
                change += (pot if caller == 1 else -pot) - sign * (pot + 2)
    return change
