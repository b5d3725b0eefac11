"""Rollout equity and all-in equity of two known holdings (Kan 2007, section 3.2).

Both players are worth so many bets (`level`) on each street, and a street played by the baseline ends with `bets` from
each, or with a fold: `outcomes[6 * class + class]` is the number of bets for the classes F, C, M1-M4 of the players who
act first and second, or `FIRST_FOLDS`, `SECOND_FOLDS`. Nobody puts in a bet on a street before folding to it.

A player's result over all rivers y of a turn card x, with c small bets in from each, is linear in c but for the folds:

    sum over y of sign(y) * (c + 2 * bets(y))  +  for each fold the difference between losing c and playing on

so `plain[x]` and `bet[x]` (the sums of sign and of 2 * sign * bets) serve every pot. A pair of cards is one river board
whichever of the two came first, so the flop's 1,980 sequels are 990 boards. Each board costs two rank look-ups and two
codes, from one row; the rows of a flop's rivers lie together.

All values are for the player who acts first after the flop, in small bets, summed over the sequels: integers. Cards are
those of the flop's representative; see `boards`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.boards import CLASS_MASK, START_MASK, flop_number, moved_card, place
from railbird.kernels.divat.outcomes import SECOND_FOLDS

_FOURTH = np.array([d * (d - 1) * (d - 2) * (d - 3) // 24 for d in range(48)])


class Baseline(NamedTuple):
    """What it takes to play the baseline on any board: ranks, boards, codes by street, how streets end."""

    table: np.ndarray
    card_keys: np.ndarray
    flops: np.ndarray
    flop_rows: np.ndarray
    turns: np.ndarray
    rivers: np.ndarray
    flop_codes: np.ndarray
    turn_codes: np.ndarray
    river_codes: np.ndarray
    outcomes: np.ndarray


@kernel
def class_at(code, bets_in):
    """F, C, M1-M4 as 0-5: the class of a code where each player has put in `bets_in` small bets."""
    level = np.int64(code & 7)
    if level > 0:
        return level + 1
    return np.int64(0 if bets_in <= code >> 3 else 1)


@kernel
def _list_cards(hands, board, street, live):
    """The 45 cards of which turn and river are made: all that are left on the flop; on the turn that card first."""
    taken = np.int64(0)
    for i in range(4):
        taken |= 1 << hands[i]
    for i in range(street + 2):
        taken |= 1 << board[i]
    live[0] = board[3]
    count = street - 1
    for card in range(52):
        if not taken >> card & 1:
            live[count] = card
            count += 1


@kernel
def _play_turn_cards(codes, outcomes, turns, hands, live, bets_in, reached, sums):
    """For each turn card and pot the small bets in after it, 0 after a fold; the folds are added to `sums`."""
    for i in range(45):
        row = np.int64(turns[live[i]])
        code0 = np.int64(codes[place(row, hands[0], hands[1])])
        code1 = np.int64(codes[place(row, hands[2], hands[3])])
        for k in range(len(bets_in)):
            outcome = np.int64(outcomes[6 * class_at(code0, bets_in[k]) + class_at(code1, bets_in[k])])
            if outcome >= 0:
                reached[i, k] = bets_in[k] + 2 * outcome
            else:
                sums[k] += 44 * (bets_in[k] if outcome == SECOND_FOLDS else -bets_in[k])


@kernel
def _place_rivers(hands, places):
    """`places[player, suits]` in the rows of rivers with these suits, which are none or one."""
    for p in range(2):
        places[p, 0] = place(np.int64(0), hands[2 * p], hands[2 * p + 1])
        for suit in range(4):
            live = np.int64(1) << 2 * suit
            places[p, live] = place(live << 24, hands[2 * p], hands[2 * p + 1])


@kernel
def roll_out(baseline, flop, hands, board, street, bets_in, sums):
    """`sums[i]` becomes the sum over 1,980 turns and rivers of a flop (street 1) or 44 rivers of a turn (2), with
    `bets_in[i]` small bets in from each player. Returns the first player's wins minus losses."""
    table, card_keys, codes, outcomes = baseline.table, baseline.card_keys, baseline.river_codes, baseline.outcomes
    rivers, wanted = baseline.rivers[flop], len(bets_in)
    live, reached = np.empty(45, np.int64), np.zeros((45, wanted), np.int64)
    plain, bet, places = np.zeros(45, np.int64), np.zeros(45, np.int64), np.empty((2, 65), np.int64)
    _list_cards(hands, board, street, live)
    _place_rivers(hands, places)
    for k in range(wanted):
        sums[k] = 0
        reached[0, k] = bets_in[k] if street == 2 else 0
    if street == 1:
        turns, turn_codes = baseline.turns[flop], baseline.turn_codes
        _play_turn_cards(turn_codes, outcomes, turns, hands, live, bets_in, reached, sums)
    key = EMPTY_KEY + card_keys[board[0]] + card_keys[board[1]] + card_keys[board[2]]
    key0, key1 = key + card_keys[hands[0]] + card_keys[hands[1]], key + card_keys[hands[2]] + card_keys[hands[3]]
    for i in range(1, 45):
        high_key0, high_key1 = key0 + card_keys[live[i]], key1 + card_keys[live[i]]
        for j in range(i if street == 1 else 1):
            high, low = max(live[i], live[j]), min(live[i], live[j])
            row = np.int64(rivers[high * (high - 1) // 2 + low])
            rank0 = rank_of_key(table, high_key0 + card_keys[live[j]])
            rank1 = rank_of_key(table, high_key1 + card_keys[live[j]])
            sign = np.int64(rank0 > rank1) - np.int64(rank0 < rank1)
            code0 = np.int64(codes[(row & START_MASK) + places[0, row >> 24]])
            code1 = np.int64(codes[(row & START_MASK) + places[1, row >> 24]])
            level0, level1 = code0 & 7, code1 & 7
            more = 2 * sign * outcomes[6 * level0 + level1 + 7]
            plain[i] += sign
            plain[j] += sign
            bet[i] += more
            bet[j] += more
            if (level0 == 0) != (level1 == 0):
                folder = 1 if level1 == 0 else -1
                largest = code1 >> 3 if level1 == 0 else code0 >> 3
                for k in range(wanted):
                    sums[k] += _river_fold(reached[i, k], largest, folder, sign)
                    sums[k] += _river_fold(reached[j, k], largest, folder, sign)
    wins = np.int64(0)
    for i in range(45 if street == 1 else 1):
        wins += plain[i]
        for k in range(wanted):
            if reached[i, k] > 0:
                sums[k] += plain[i] * reached[i, k] + bet[i]
    return wins


@kernel
def _river_fold(bets_in, largest, folder, sign):
    """What it changes that a player folds to a river bet in pots of up to `largest` small bets from each player:
    `folder` is 1 for the second, -1 for the first; `sign` is the first player's result."""
    if bets_in == 0 or bets_in > largest:
        return np.int64(0)
    return folder * bets_in - sign * (bets_in + 2)


@kernel
def _play_flops(baseline, live, hands, bets_in, flops, reached):
    """For each flop its packed class and the small bets in after it, 0 after a fold. Returns the sum of the folds."""
    rows, codes, outcomes, moved = baseline.flop_rows, baseline.flop_codes, baseline.outcomes, np.empty(4, np.int64)
    folded = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                packed = baseline.flops[flop_number(live[a], live[b], live[c])]
                for i in range(4):
                    moved[i] = moved_card(packed, hands[i])
                row = np.int64(rows[packed & CLASS_MASK])
                class0 = class_at(np.int64(codes[place(row, moved[0], moved[1])]), bets_in)
                class1 = class_at(np.int64(codes[place(row, moved[2], moved[3])]), bets_in)
                outcome = np.int64(outcomes[6 * class0 + class1])
                number = flop_number(a, b, c)
                flops[number] = packed
                reached[number] = bets_in + outcome if outcome >= 0 else 0
                if outcome < 0:
                    folded += 1980 * (bets_in if outcome == SECOND_FOLDS else -bets_in)
    return folded


@kernel
def _play_turns(baseline, live, hands, flops, after_flop, pots, summed):
    """For each four cards the pots with which the river is reached. Returns the sum of the folds.

    `pots[four]` are small bets in from each player by the flop among the four cards, 0 where somebody folded;
    `summed[four]` are these added up, and 65536 times how many there are.
    """
    turns, turn_codes, outcomes = baseline.turns, baseline.turn_codes, baseline.outcomes
    moved, choices = np.empty(4, np.int64), np.empty(4, np.int64)
    folded = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                choices[0] = flop_number(a, b, c)
                packed = flops[choices[0]]
                for i in range(4):
                    moved[i] = moved_card(packed, hands[i])
                for d in range(c + 1, 48):
                    choices[1], choices[2] = flop_number(a, b, d), flop_number(a, c, d)
                    choices[3] = flop_number(b, c, d)
                    row = np.int64(turns[packed & CLASS_MASK, moved_card(packed, live[d])])
                    code0 = np.int64(turn_codes[place(row, moved[0], moved[1])])
                    code1 = np.int64(turn_codes[place(row, moved[2], moved[3])])
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
def roll_out_preflop(baseline, hands, bets_in):
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
    total += _play_turns(baseline, live, hands, flops, after_flop, pots, summed)
    return total + _play_rivers(baseline, live, hands, bets_in, flops, pots, summed)


@kernel
def _play_rivers(baseline, live, hands, bets_in, flops, pots, summed):
    """The sum over all boards of what is won there, for all pots with which the river is reached."""
    table, card_keys, rivers = baseline.table, baseline.card_keys, baseline.rivers
    codes, outcomes = baseline.river_codes, baseline.outcomes
    moved, fours = np.empty(4, np.int64), np.empty(5, np.int64)
    own_key = card_keys[hands[0]] + card_keys[hands[1]]
    other_key = card_keys[hands[2]] + card_keys[hands[3]]
    total = np.int64(0)
    for c in range(48):
        for b in range(c):
            for a in range(b):
                packed = flops[flop_number(a, b, c)]
                boards = rivers[packed & CLASS_MASK]
                for i in range(4):
                    moved[i] = moved_card(packed, hands[i])
                flop_key = EMPTY_KEY + card_keys[live[a]] + card_keys[live[b]] + card_keys[live[c]]
                for d in range(c + 1, 48):
                    fours[0] = flop_number(a, b, c) + _FOURTH[d]
                    turn_key = flop_key + card_keys[live[d]]
                    turn_card = moved_card(packed, live[d])
                    for e in range(d + 1, 48):
                        fours[1] = flop_number(a, b, c) + _FOURTH[e]
                        fours[2] = flop_number(a, b, d) + _FOURTH[e]
                        fours[3] = flop_number(a, c, d) + _FOURTH[e]
                        fours[4] = flop_number(b, c, d) + _FOURTH[e]
                        both = np.int64(0)
                        for i in range(5):
                            both += summed[fours[i]]
                        if both == 0:
                            continue
                        key = turn_key + card_keys[live[e]]
                        river_card = moved_card(packed, live[e])
                        high, low = max(turn_card, river_card), min(turn_card, river_card)
                        row = np.int64(boards[high * (high - 1) // 2 + low])
                        rank0, rank1 = rank_of_key(table, key + own_key), rank_of_key(table, key + other_key)
                        sign = np.int64(rank0 > rank1) - np.int64(rank0 < rank1)
                        code0 = np.int64(codes[place(row, moved[0], moved[1])])
                        code1 = np.int64(codes[place(row, moved[2], moved[3])])
                        level0, level1 = code0 & 7, code1 & 7
                        bets = 2 * np.int64(outcomes[6 * level0 + level1 + 7])
                        total += sign * ((both & 65535) + bets * (both >> 16))
                        largest = code1 >> 3 if level1 == 0 else code0 >> 3
                        if (level0 == 0) != (level1 == 0) and largest >= bets_in:
                            total += _pot_folds(pots, fours, largest, 1 if level1 == 0 else -1, sign)
    return total


@kernel
def _pot_folds(pots, fours, largest, folder, sign):
    """What a fold on the river changes in all pots with which a board can be reached; see `_river_fold`."""
    change = np.int64(0)
    for i in range(5):
        for k in range(4):
            change += _river_fold(np.int64(pots[fours[i], k]), largest, folder, sign)
    return change
