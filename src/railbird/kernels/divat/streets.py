"""Whole hands of heads-up limit hold'em, street by street: what was done, what the baseline does, what each is worth.

Cards are renamed once so that the flop is the representative of its class; then everything about the hand lies in that
flop's rows. Amounts are in small bets, values those of position 0. The street's cards and the pot before the street are
what happened; the baseline is played on this street alone (Kan 2007, Algorithm 2), except for `dcash`, where it plays
all streets.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.codes import moved_holding, packed_class
from railbird.kernels.divat.two_holdings import SECOND_FOLDS, class_at, roll_out_flop, roll_out_turn

FOLD, CALL, RAISE = 0, 1, 2
NOBODY = -1
SEQUELS = (34_246_080, 1_980, 44, 1)
MOST_PREFLOP = 4
"""The table before the flop knows pots of up to this many small bets from each player."""
_CLASS_MASK = (1 << 18) - 1


@kernel
def preflop_value(preflop, rows, suits, hands, column):
    """The sum of two holdings over all boards, in a column of the table before the flop."""
    own = max(hands[0], hands[1]) * (max(hands[0], hands[1]) - 1) // 2 + min(hands[0], hands[1])
    return preflop[rows[own], moved_holding(suits[own] << 18, hands[2], hands[3]), column]


@kernel
def _signed(amount, outcome):
    return amount if outcome == SECOND_FOLDS else -amount


@kernel
def _settle(bets_in, value_of, pots, folded_for):
    """The value of a street's end: a fold, or the rollout with `bets_in` from each player."""
    if bets_in == 0:
        return folded_for
    for i in range(len(pots)):
        if pots[i] == bets_in:
            return value_of[i]
    return np.nan


@kernel
def _walk_street(actions, count, street, first, levels, classes, bets_in, blinds, cap, edge, evat, result):
    """Play a street as it was played. Fills `result` with the bets in at its end (0 after a fold), the net result of a
    fold, the first to leave the baseline and how: 9 * facing a bet + 3 * what the baseline does + what was done.

    `edge` is the all-in edge of position 0: twice its share of the pot minus one.
    """
    bet = 1.0 if street < 2 else 2.0
    put_in = np.zeros(2)
    bets = 0
    if street == 0:
        put_in[:] = blinds
        bets = 1
    else:
        put_in[:] = bets_in
    actor = first
    result[2], result[3] = NOBODY, 0
    for i in range(count):
        action = np.int64(actions[i])
        to_call = max(put_in[1 - actor] - put_in[actor], 0.0)
        can_raise = cap == 0 or bets < cap
        wanted = np.int64(CALL)
        if classes[actor] == 0 and to_call > 0:
            wanted = np.int64(FOLD)
        elif bets < levels[actor] and can_raise:
            wanted = np.int64(RAISE)
        if wanted != action and result[2] == NOBODY:
            result[2] = actor
            result[3] = 9 * (to_call > 0) + 3 * wanted + action
        share = (1.0 + (edge if actor == 0 else -edge)) / 2
        pot = put_in[0] + put_in[1]
        call = share * (pot + to_call) - to_call
        raised = share * (pot + to_call + 2 * bet) - to_call - bet
        best = max(call, raised) if can_raise else call
        if to_call > 0:
            best = max(best, 0.0)
        evat[actor] += (0.0 if action == FOLD else call if action == CALL else raised) - best
        if action == FOLD:
            result[0] = 0
            result[1] = put_in[actor] if actor == 1 else -put_in[actor]
            return
        put_in[actor] += to_call
        if action == RAISE:
            put_in[actor] += bet
            bets += 1
        actor = 1 - actor
    result[0] = put_in[0]
    result[1] = 0


@kernel(nogil=True)
def assess_hands(
    table,
    card_keys,
    isomorphisms,
    preflop,
    preflop_rows,
    preflop_suits,
    preflop_classes,
    flop_codes,
    turn_codes,
    river_codes,
    cuts,
    turns,
    rivers,
    preflop_outcomes,
    preflop_lost,
    outcomes,
    blinds,
    first_before_flop,
    caps,
    holes,
    boards,
    actions,
    action_counts,
    last_streets,
    actual,
    baseline,
    actual_all_in,
    baseline_all_in,
    edges,
    dcash,
    evat,
    deviator,
    deviation,
    classes,
):
    """Assess every hand; the last line of parameters is filled in.

    `actual`, `baseline` and the two with all-in equity are [n, 4] values after each street, nan where the hand was
    over; a value before the flop is nan too where a pot is larger than the table knows. `edges` [n, 4] is position 0's
    share of the pot after the street's cards, twice, minus one. `evat` is [n, 2], `deviator` and `deviation` are
    [n, 4] (see `_walk_street`) and `classes` [n, 4, 2] has the baseline's classes of both players.
    """
    hands = np.empty(4, np.int64)
    board = np.empty(5, np.int64)
    dead = np.empty(52, np.bool_)
    permutation = np.empty(4, np.int64)
    levels = np.empty(2, np.int64)
    result = np.empty(4)
    sums = np.empty(3, np.int64)
    for n in range(len(holes)):
        last = np.int64(last_streets[n])
        for i in range(4):
            hands[i] = holes[n, i >> 1, i & 1]
        actual[n] = np.nan
        baseline[n] = np.nan
        actual_all_in[n] = np.nan
        baseline_all_in[n] = np.nan
        edges[n] = np.nan
        evat[n] = 0.0
        deviator[n] = NOBODY
        deviation[n] = 0
        classes[n] = -1
        bets_in, cash_in, flop = np.int64(1), np.int64(1), np.int64(0)
        cash = np.nan  # what the baseline makes of the whole hand, once it is settled
        flop_key = EMPTY_KEY
        for street in range(last + 1):
            # The cards of the street, both players' classes, and how the baseline ends it.
            if street == 0:
                for p in range(2):
                    a, b = max(hands[2 * p], hands[2 * p + 1]), min(hands[2 * p], hands[2 * p + 1])
                    classes[n, 0, p] = preflop_classes[a * (a - 1) // 2 + b]
                at = 6 * classes[n, 0, 0] + classes[n, 0, 1]
                outcome = np.int64(preflop_outcomes[at])
                base_in = max(outcome, 0)
                folded_for = _signed(preflop_lost[at] / 2, outcome)
            else:
                if street == 1:
                    for i in range(3):
                        board[i] = boards[n, i]
                    packed = packed_class(isomorphisms, board, 3, permutation)
                    flop = packed & _CLASS_MASK
                    dead[:] = False
                    for i in range(4):
                        hands[i] = (hands[i] & ~3) | permutation[hands[i] & 3]
                        dead[hands[i]] = True
                    for i in range(3):
                        board[i] = (board[i] & ~3) | permutation[board[i] & 3]
                        dead[board[i]] = True
                        flop_key += card_keys[board[i]]
                    packed = np.int64(0b11100100) << 18
                    row = flop_codes[flop]
                else:
                    card = np.int64(boards[n, street + 1])
                    board[street + 1] = (card & ~3) | permutation[card & 3]
                    dead[board[street + 1]] = True
                    if street == 2:
                        packed = np.int64(turns[flop, board[3]])
                        row = turn_codes[packed & _CLASS_MASK]
                    else:
                        a, b = max(board[3], board[4]), min(board[3], board[4])
                        packed = np.int64(rivers[flop, a * (a - 1) // 2 + b])
                        row = river_codes[packed & _CLASS_MASK]
                for p in range(2):
                    code = row[moved_holding(packed, hands[2 * p], hands[2 * p + 1])]
                    classes[n, street, p] = class_at(code, bets_in)
                bet = 1 if street == 1 else 2
                outcome = np.int64(outcomes[6 * classes[n, street, 0] + classes[n, street, 1]])
                base_in = bets_in + bet * outcome if outcome >= 0 else np.int64(0)
                folded_for = _signed(1.0 * bets_in, outcome)
            for p in range(2):
                levels[p] = max(classes[n, street, p] - 1, 0)
            # The whole hand by the baseline, until its cards run out.
            if np.isnan(cash):
                if street == 0:
                    cash_in = base_in
                    if outcome < 0:
                        cash = folded_for
                else:
                    first_class = class_at(row[moved_holding(packed, hands[0], hands[1])], cash_in)
                    second_class = class_at(row[moved_holding(packed, hands[2], hands[3])], cash_in)
                    cash_outcome = np.int64(outcomes[6 * first_class + second_class])
                    if cash_outcome < 0:
                        cash = _signed(1.0 * cash_in, cash_outcome)
                    else:
                        cash_in += bet * cash_outcome
            # The all-in edge, and the values of the pots that matter: as played, the baseline's, the whole hand's.
            done_in = _bets_after(actions[n, street], action_counts[n, street], street, bets_in)
            pots = np.array((done_in, base_in, cash_in if np.isnan(cash) and street == last else np.int64(0)))
            values = np.empty(3)
            if street == 3:
                river_key = flop_key + card_keys[board[3]] + card_keys[board[4]]
                own = np.int64(rank_of_key(table, river_key + card_keys[hands[0]] + card_keys[hands[1]]))
                other = np.int64(rank_of_key(table, river_key + card_keys[hands[2]] + card_keys[hands[3]]))
                edges[n, 3] = np.sign(own - other)
                for i in range(3):
                    values[i] = pots[i] * edges[n, 3]
            elif street == 0:
                edges[n, 0] = preflop_value(preflop, preflop_rows, preflop_suits, hands, 4) / SEQUELS[0]
                for i in range(3):
                    if pots[i] > MOST_PREFLOP:
                        values[i] = np.nan
                    elif pots[i] > 0:
                        column = pots[i] - 1
                        values[i] = preflop_value(preflop, preflop_rows, preflop_suits, hands, column) / SEQUELS[0]
            else:
                wanted = 0
                for i in range(3):
                    if pots[i] > 0 and not ((wanted > 0 and pots[i] == pots[0]) or (wanted > 1 and pots[i] == pots[1])):
                        pots[wanted] = pots[i]
                        wanted += 1
                if street == 1:
                    wins = roll_out_flop(
                        table,
                        card_keys,
                        flop_key,
                        turns[flop],
                        rivers[flop],
                        turn_codes,
                        river_codes,
                        cuts,
                        outcomes,
                        dead,
                        hands,
                        pots[:wanted],
                        sums[:wanted],
                    )
                else:
                    wins = roll_out_turn(
                        table,
                        card_keys,
                        flop_key + card_keys[board[3]],
                        board[3],
                        rivers[flop],
                        river_codes,
                        cuts,
                        outcomes,
                        dead,
                        hands,
                        pots[:wanted],
                        sums[:wanted],
                    )
                edges[n, street] = wins / SEQUELS[street]
                for i in range(wanted):
                    values[i] = sums[i] / SEQUELS[street]
                pots = pots[:wanted]
            edge = edges[n, street]
            first = first_before_flop if street == 0 else 0
            _walk_street(
                actions[n, street],
                action_counts[n, street],
                street,
                first,
                levels,
                classes[n, street],
                bets_in,
                blinds,
                caps[street],
                edge,
                evat[n],
                result,
            )
            deviator[n, street] = np.int8(result[2])
            deviation[n, street] = np.int8(result[3])
            actual[n, street] = _settle(done_in, values, pots, result[1])
            baseline[n, street] = _settle(base_in, values, pots, folded_for)
            actual_all_in[n, street] = done_in * edge if done_in > 0 else result[1]
            baseline_all_in[n, street] = base_in * edge if base_in > 0 else folded_for
            if street == last and np.isnan(cash):
                cash = _settle(cash_in, values, pots, 0.0)
            bets_in = done_in
        dcash[n] = cash


@kernel
def _bets_after(actions, count, street, bets_in):
    """The small bets in from each player after a street, 0 if it ended with a fold."""
    if count > 0 and actions[count - 1] == FOLD:
        return np.int64(0)
    bets = np.int64(0)
    for i in range(count):
        bets += actions[i] == RAISE
    return bets_in + (bets if street < 2 else 2 * bets)
