"""Rollout equity before the flop, for all pairs of holdings and all pots at once (Kan 2007, section 3.2.2).

The sum runs over the 16,432 classes of four board cards. On one of them, with all 1,128 live holdings:

1. For each pair of holdings, the first player's wins minus losses over the rivers, and twice the bets won minus lost
   when nobody folds: 48 passes over rows of ranks, one addition a lane. River folds are taken off by bit counting:
   `bets[h]` are the rivers (as bits) on which h bets, `folds[h, c]` those on which it folds with c small bets in. Where
   the loser of a bet folds, the winner gets two small bets less. (That a holding which folds could beat one that bets
   happens on no board with any of the published settings; `tabulate_river_masks` says so if it does.)
2. The turn's classes turn each of 1-8 small bets in before the turn into a result over the rivers.
3. Each of the four cards in turn is the turn card and the other three the flop, whose classes turn each of 1-4 small
   bets in before the flop into one of those results.

Results of a class of boards count as often as it has boards. Summing what relabelled pairs of holdings got then gives
every pair its sum over all boards; see `gather_pairs`. Everything is a whole number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int16, int64, uint64

from railbird.kernels.cards.isomorphism import class_size, representative_sets, set_cards
from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.boards import CLASS_MASK, flop_number, holding_number, moved_card, place
from railbird.kernels.divat.outcomes import SECOND_FOLDS
from railbird.kernels.divat.two_holdings import class_at

COLUMNS = 5
"""Sums of a pair: the rollout with 1, 2, 3 and 4 small bets in from each player, then wins minus losses."""
_LIVE = 1128


class _Holdings(NamedTuple):
    """The holdings without a card of the board: higher card, lower card, number."""

    highs: np.ndarray
    lows: np.ndarray
    numbers: np.ndarray


class _Rivers(NamedTuple):
    """What `_fill_rivers` says of each river card and holding."""

    upper: np.ndarray
    lower: np.ndarray
    levels: np.ndarray
    masks: np.ndarray


class _Weighing(NamedTuple):
    """How the sums of a holding against those of each profile become results; see `_weigh_profile`."""

    lines: np.ndarray
    pot_counts: np.ndarray
    pots: np.ndarray
    weights: np.ndarray


@kernel
def popcount(bits):
    """How many bits are set."""
    bits = bits - ((bits >> uint64(1)) & uint64(0x5555555555555555))
    bits = (bits & uint64(0x3333333333333333)) + ((bits >> uint64(2)) & uint64(0x3333333333333333))
    bits = (bits + (bits >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return int64((bits * uint64(0x0101010101010101)) >> uint64(56))


@kernel
def _list_live(board_set, live):
    """Fill the list of holdings without a card of the board."""
    at = 0
    for high in range(52):
        if board_set >> (13 * (high & 3) + (high >> 2)) & 1:
            continue
        for low in range(high):
            if not board_set >> (13 * (low & 3) + (low >> 2)) & 1:
                live.highs[at] = high
                live.lows[at] = low
                live.numbers[at] = high * (high - 1) // 2 + low
                at += 1


@kernel
def _fill_rivers(baseline, cards, dealt, live, rivers):
    """For each river card the ranks and levels of all holdings, and for each holding its river masks.

    A holding with the river card has no rank: nothing is above `upper` or below `lower`. `masks[0, h]` are the rivers
    on which it bets, `masks[c, h]` those on which it folds with c small bets in. Returns whether some folder would beat
    some bettor.
    """
    table, card_keys, codes = baseline.table, baseline.card_keys, baseline.river_codes
    highs, lows = live.highs, live.lows
    upper, lower, levels, masks = rivers.upper, rivers.lower, rivers.levels, rivers.masks
    packed = baseline.flops[flop_number(cards[2], cards[1], cards[0])]
    turn = moved_card(packed, cards[3])
    masks[:] = 0
    wrong = False
    turn_key = EMPTY_KEY
    for card in cards:
        turn_key += card_keys[card]
    at = 0
    for river in range(52):
        if dealt[river]:
            continue
        row = int64(baseline.rivers[packed & CLASS_MASK, holding_number(turn, moved_card(packed, river))])
        key = turn_key + card_keys[river]
        bit = uint64(1) << uint64(at)
        best_folder, worst_bettor = -1, 7462
        for h in range(_LIVE):
            high, low = highs[h], lows[h]
            if high == river or low == river:
                upper[at, h] = 32767
                lower[at, h] = -1
                levels[at, h] = 0
                continue
            rank = int64(rank_of_key(table, key + card_keys[high] + card_keys[low]))
            upper[at, h] = rank
            lower[at, h] = rank
            code = int64(codes[place(row, moved_card(packed, high), moved_card(packed, low))])
            level = code & 7
            levels[at, h] = level
            if level > 0:
                masks[0, h] |= bit
                worst_bettor = min(worst_bettor, rank)
            else:
                for c in range(1, min(code >> 3, 16) + 1):
                    masks[c, h] |= bit
                if code >> 3:
                    best_folder = max(best_folder, rank)
        wrong |= best_folder >= worst_bettor
        at += 1
    return wrong


@kernel
def _sum_rivers(rivers, weights, own, plain, bet):
    """Add up the rivers of one holding against all: `plain` gets wins minus losses, `bet` these times the bets."""
    plain[:] = 0
    bet[:] = 0
    for river in range(48):
        rank = rivers.lower[river, own]
        if rank < 0:
            continue
        above, below, weight = rivers.upper[river], rivers.lower[river], weights[rivers.levels[river, own], river]
        for h in range(_LIVE):
            sign = int16(int16(rank > above[h]) - int16(rank < below[h]))
            plain[h] += sign
            bet[h] += int16(sign * weight[h])


@kernel
def _find_profiles(baseline, cards, live, profile_of, profiles):
    """Number the different profiles of the holdings: `profile_of[h]`, and `profiles[p]` as 8 + 16 classes.

    A profile is what the baseline knows of a holding on flop and turn: its class on the turn with 1-8 small bets in,
    and for each choice of turn card its class on the flop with 1-4 in. There are about a hundred. Returns how many.
    """
    packed, rows = np.empty(4, np.int64), np.empty(5, np.int64)
    for turn in range(4):
        high, middle, low = cards[0 if turn > 0 else 1], cards[1 if turn > 1 else 2], cards[2 if turn > 2 else 3]
        packed[turn] = baseline.flops[flop_number(low, middle, high)]
        rows[turn] = baseline.flop_rows[packed[turn] & CLASS_MASK]
    rows[4] = baseline.turns[packed[3] & CLASS_MASK, moved_card(packed[3], cards[3])]
    # Profiles are looked up by a hash of their five codes.
    slots = np.full(4096, -1, np.int64)
    keys = np.empty(_LIVE, np.int64)
    count = 0
    for h in range(_LIVE):
        high, low = live.highs[h], live.lows[h]
        code = int64(baseline.turn_codes[place(rows[4], moved_card(packed[3], high), moved_card(packed[3], low))])
        key = (code & 7) | min(code >> 3, 8) << 3
        for turn in range(4):
            way = packed[turn]
            code = int64(baseline.flop_codes[place(rows[turn], moved_card(way, high), moved_card(way, low))])
            key = key << 7 | (code & 7) | min(code >> 3, 4) << 3
        slot = (key * int64(0x9E3779B1) >> 11) & 4095
        while slots[slot] >= 0 and keys[slots[slot]] != key:
            slot = (slot + 1) & 4095
        if slots[slot] < 0:
            slots[slot] = count
            keys[count] = key
            for bets_in in range(1, 9):
                profiles[count, bets_in - 1] = class_at(key >> 28, bets_in)
            for turn in range(4):
                for bets_in in range(1, 5):
                    profiles[count, 8 + 4 * turn + bets_in - 1] = class_at(key >> (7 * (3 - turn)) & 127, bets_in)
            count += 1
        profile_of[h] = slots[slot]
    return count


@kernel
def _weigh_profile(own, other, outcomes, line, pots, weights):
    """How the results with 1-4 small bets in before the flop come from the sums of a pair with these profiles.

    The result with a bets in is `line[0, a] + line[1, a] * plain + line[2, a] * bet - sum of weights[i, a] * (fold
    difference with pots[i] in)`. Returns the number of pots.
    """
    line[:] = 0
    place = np.full(17, -1, np.int64)
    count = 0
    for a in range(4):
        for turn in range(4):
            at = 8 + 4 * turn + a
            outcome = int64(outcomes[6 * own[at] + other[at]])
            if outcome < 0:
                line[0, a] += 44 * (a + 1 if outcome == SECOND_FOLDS else -a - 1)
                continue
            bets_in = a + 1 + outcome
            outcome = int64(outcomes[6 * own[bets_in - 1] + other[bets_in - 1]])
            if outcome < 0:
                line[0, a] += 44 * (bets_in if outcome == SECOND_FOLDS else -bets_in)
                continue
            pot = bets_in + 2 * outcome
            line[1, a] += pot
            line[2, a] += 1
            if place[pot] < 0:
                place[pot] = count
                pots[count] = pot
                weights[count] = 0
                count += 1
            weights[place[pot], a] += 2
    return count


@kernel(nogil=True)
def roll_out_boards(baseline, isomorphisms, start, stop, part, parts, sums):
    """Add to `sums[holding, holding, column]` (int32) the results on the classes of four board cards.

    Of the first holdings only those whose number leaves `part` when divided by `parts` are done, so that work can be
    shared out: a row of `sums` belongs to one part, whatever the board. Returns whether some river folder would have
    beaten a bettor: the sums are then wrong. (No sum is larger than 24 small bets on each of 176 sequels of 270,725
    boards. Of pairs that share a card the sums mean nothing.)
    """
    cards = np.empty(4, np.int64)
    live = _Holdings(np.empty(_LIVE, np.int64), np.empty(_LIVE, np.int64), np.empty(_LIVE, np.int64))
    rivers = _Rivers(
        np.empty((48, _LIVE), np.int16),
        np.empty((48, _LIVE), np.int16),
        np.empty((48, _LIVE), np.int8),
        np.empty((17, _LIVE), np.uint64),
    )
    weights = np.empty((5, 48, _LIVE), np.int16)
    profile_of, profiles = np.empty(_LIVE, np.int64), np.empty((_LIVE, 24), np.int8)
    weighing = _Weighing(
        np.empty((_LIVE, 3, 4), np.int32),
        np.empty(_LIVE, np.int64),
        np.empty((_LIVE, 16), np.int64),
        np.empty((_LIVE, 16, 4), np.int32),
    )
    plain, bet = np.empty(_LIVE, np.int16), np.empty(_LIVE, np.int16)
    dealt = np.empty(52, np.bool_)
    wrong = False
    for index in range(start, stop):
        _, board_set = representative_sets(isomorphisms, False, 4, index)
        set_cards(board_set, cards, 0)
        times = np.int32(class_size(isomorphisms, int64(0), board_set))
        dealt[:] = False
        for card in cards:
            dealt[card] = True
        _list_live(board_set, live)
        wrong |= _fill_rivers(baseline, cards, dealt, live, rivers)
        for level in range(5):
            for river in range(48):
                for h in range(_LIVE):
                    weights[level, river, h] = 2 * baseline.outcomes[6 * (level + 1) + rivers.levels[river, h] + 1]
        count = _find_profiles(baseline, cards, live, profile_of, profiles)
        order = np.argsort(profile_of)  # holdings of one profile weigh the others alike
        weighed = int64(-1)
        for h in order:
            if live.numbers[h] % parts != part:
                continue
            _sum_rivers(rivers, weights, h, plain, bet)
            if profile_of[h] != weighed:
                weighed = profile_of[h]
                _weigh_profiles(profiles[:count], weighed, baseline.outcomes, weighing)
            _add_results(h, times, live.numbers, rivers.masks, profile_of, weighing, (plain, bet), sums)
    return wrong


@kernel
def _weigh_profiles(profiles, own, outcomes, weighing):
    for p in range(len(profiles)):
        weighing.pot_counts[p] = _weigh_profile(
            profiles[own], profiles[p], outcomes, weighing.lines[p], weighing.pots[p], weighing.weights[p]
        )


@kernel
def _add_results(h, times, numbers, masks, profile_of, weighing, summed, sums):
    """Add the results of one holding against all others, from what `_sum_rivers` summed."""
    plain, bet = summed
    row = sums[numbers[h]]
    own_bets = masks[0, h]
    for other in range(_LIVE):
        p = profile_of[other]
        signs, bets = np.int32(plain[other]), np.int32(bet[other])
        line = weighing.lines[p]
        one = line[0, 0] + line[1, 0] * signs + line[2, 0] * bets
        two = line[0, 1] + line[1, 1] * signs + line[2, 1] * bets
        three = line[0, 2] + line[1, 2] * signs + line[2, 2] * bets
        four = line[0, 3] + line[1, 3] * signs + line[2, 3] * bets
        for i in range(weighing.pot_counts[p]):
            pot = weighing.pots[p, i]
            folds = popcount(own_bets & masks[pot, other]) - popcount(masks[0, other] & masks[pot, h])
            one -= folds * weighing.weights[p, i, 0]
            two -= folds * weighing.weights[p, i, 1]
            three -= folds * weighing.weights[p, i, 2]
            four -= folds * weighing.weights[p, i, 3]
        cell = row[numbers[other]]
        cell[0] += times * one
        cell[1] += times * two
        cell[2] += times * three
        cell[3] += times * four
        cell[4] += times * 4 * signs


@kernel
def gather_pairs(sums, permutations, representatives, table):
    """`table[class, holding, column]` (int64) becomes the sum over all boards, for first holdings `representatives`.

    A pair of holdings meets the boards of a class in all 24 namings of the suits, and the sums hold each class of
    boards in one naming, counted as often as it has boards. So the sums of the pair's 24 relabellings are 24 times too
    many. Pairs that share a card have 0.
    """
    for row in range(len(representatives)):
        first = representatives[row]
        for high in range(52):
            for low in range(high):
                cell = table[row, high * (high - 1) // 2 + low]
                cell[:] = 0
                if high == first[0] or high == first[1] or low == first[0] or low == first[1]:
                    continue
                for moved in permutations:
                    own = _relabelled(moved, first[0], first[1])
                    other = _relabelled(moved, high, low)
                    for column in range(COLUMNS):
                        cell[column] += sums[own, other, column]
                for column in range(COLUMNS):
                    cell[column] //= 24


@kernel
def _relabelled(moved, first, second):
    first = (first & ~3) | moved[first & 3]
    second = (second & ~3) | moved[second & 3]
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low
