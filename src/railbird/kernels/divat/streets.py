"""Whole hands of heads-up limit hold'em, street by street: what was done, what the baseline does, what each is worth.

Cards are renamed once so that the flop is the representative of its class; then everything about the hand lies in that
flop's rows. Amounts are in small bets, values those of position 0. The street's cards and the pot before the street are
what happened; the baseline is played on this street alone (Kan 2007, Algorithm 2), except for `dcash`, where it plays
all streets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.codes import CLASS_MASK, moved_holding, packed_class
from railbird.kernels.divat.two_holdings import SECOND_FOLDS, Deal, class_at, roll_out_flop, roll_out_turn

FOLD, CALL, RAISE = 0, 1, 2
NOBODY = -1
SEQUELS = (34_246_080, 1_980, 44, 1)
MOST_PREFLOP = 4
"""The table before the flop knows pots of up to this many small bets from each player."""
_AS_THEY_ARE = 0b11100100 << 18  # the packed class of a representative, but for its number


class Preflop(NamedTuple):
    """What the baseline does before the flop, and what it leads to."""

    sums: np.ndarray
    """[169, 1326, 5] sums over all boards: rollout with 1-4 small bets in from each player, then wins minus losses."""
    rows: np.ndarray
    suits: np.ndarray
    """By holding, its row in `sums` and its way to the representative."""
    classes: np.ndarray
    """By holding, 0-5 for F, C, M1-M4."""
    outcomes: np.ndarray
    lost: np.ndarray
    """At 6 * class + class: small bets in from each player or who folds, and half small bets lost by a fold."""


class Rules(NamedTuple):
    """What games of heads-up limit hold'em differ in."""

    blinds: np.ndarray
    """Small bets put in by positions 0 and 1."""
    first_before_flop: int
    caps: np.ndarray
    """By street, the most bets; 0 for any number."""


class PlayedHands(NamedTuple):
    """What happened, for n hands."""

    holes: np.ndarray
    boards: np.ndarray
    actions: np.ndarray
    action_counts: np.ndarray
    last_streets: np.ndarray


class Assessed(NamedTuple):
    """What is found of n hands.

    The first four are [n, 4] values after each street; one before the flop is nan where a pot is larger than the table
    knows.
    """

    actual: np.ndarray
    baseline: np.ndarray
    actual_all_in: np.ndarray
    baseline_all_in: np.ndarray
    edges: np.ndarray
    """[n, 4] position 0's share of the pot after the street's cards, twice, minus one."""
    dcash: np.ndarray
    evat: np.ndarray
    """[n, 2] by position, zero to begin with."""
    deviator: np.ndarray
    deviation: np.ndarray
    """[n, 4] see `_walk_street`."""
    classes: np.ndarray
    """[n, 4, 2] the baseline's classes of both players."""


class _Room(NamedTuple):
    """Room for what is known of one hand."""

    hands: np.ndarray
    """The four hole cards, renamed from the flop on."""
    board: np.ndarray
    dead: np.ndarray
    permutation: np.ndarray
    codes: np.ndarray
    """Both players' codes on this street; before the flop their classes."""
    pots: np.ndarray
    values: np.ndarray
    """Pots that matter, in small bets from each player, and their values."""
    sums: np.ndarray
    result: np.ndarray
    """See `_walk_street`."""


@kernel
def preflop_value(preflop, rows, suits, hands, column):
    """The sum of two holdings over all boards, in a column of the table before the flop."""
    own = max(hands[0], hands[1]) * (max(hands[0], hands[1]) - 1) // 2 + min(hands[0], hands[1])
    return preflop[rows[own], moved_holding(suits[own] << 18, hands[2], hands[3]), column]


@kernel
def _signed(amount, outcome):
    return amount if outcome == SECOND_FOLDS else -amount


@kernel
def _settle(bets_in, room, folded_for):
    """The value of a street's end: a fold, or the rollout with `bets_in` from each player."""
    if bets_in == 0:
        return folded_for
    for i in range(len(room.pots)):
        if room.pots[i] == bets_in:
            return room.values[i]
    return np.nan


@kernel
def _walk_street(actions, street, rules, classes, bets_in, edge, evat, result):
    """Play a street as it was played. Fills `result` with the bets in at its end (0 after a fold), the net result of a
    fold, the first to leave the baseline and how: 9 * facing a bet + 3 * what the baseline does + what was done.

    `edge` is the all-in edge of position 0: twice its share of the pot minus one.
    """
    bet = 1.0 if street < 2 else 2.0
    cap = rules.caps[street]
    put_in = np.empty(2)
    for p in range(2):
        put_in[p] = rules.blinds[p] if street == 0 else bets_in
    bets = 1 if street == 0 else 0
    actor = rules.first_before_flop if street == 0 else 0
    result[2], result[3] = NOBODY, 0
    for done in actions:
        action = np.int64(done)
        to_call = max(put_in[1 - actor] - put_in[actor], 0.0)
        can_raise = cap == 0 or bets < cap
        wanted = np.int64(CALL)
        if classes[actor] == 0 and to_call > 0:
            wanted = np.int64(FOLD)
        elif bets < classes[actor] - 1 and can_raise:
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


@kernel
def _empty_room():
    return _Room(
        np.empty(4, np.int64),
        np.empty(5, np.int64),
        np.empty(52, np.bool_),
        np.empty(4, np.int64),
        np.empty(2, np.int64),
        np.empty(3, np.int64),
        np.empty(3),
        np.empty(3, np.int64),
        np.empty(4),
    )


@kernel(nogil=True)
def assess_hands(baseline, futures, preflop, rules, played, found):
    """Assess every hand that was `played`, into `found`; streets that were not played are left as they are there."""
    room = _empty_room()
    for n in range(len(played.holes)):
        bets_in, cash_in = np.int64(1), np.int64(1)
        cash = np.nan  # what the baseline makes of the whole hand, once it is settled
        flop, key = np.int64(0), EMPTY_KEY
        last = np.int64(played.last_streets[n])
        for street in range(last + 1):
            if street == 0:
                _deal_holes(preflop.classes, played.holes[n], room)
            else:
                if street == 1:
                    flop = _deal_flop(baseline.isomorphisms, played.boards[n], room)
                else:
                    card = np.int64(played.boards[n, street + 1])
                    room.board[street + 1] = (card & ~3) | room.permutation[card & 3]
                    room.dead[room.board[street + 1]] = True
                for i in range(0 if street == 1 else street + 1, street + 2):
                    key += baseline.ranking.card_keys[room.board[i]]
                _find_codes(baseline.codes, futures, street, flop, room)
            for p in range(2):
                found.classes[n, street, p] = _class_on(street, room.codes[p], bets_in)
            base_in, folded_for = _play_baseline(baseline.outcomes, preflop, street, room.codes, bets_in)
            if np.isnan(cash):
                cash_in, cash_folded = _play_baseline(baseline.outcomes, preflop, street, room.codes, cash_in)
                cash = cash_folded if cash_in == 0 else np.nan
            # The pots that matter: as played, the baseline's, the whole hand's.
            actions = played.actions[n, street, : played.action_counts[n, street]]
            done_in = _bets_after(actions, street, bets_in)
            room.pots[0], room.pots[1] = done_in, base_in
            room.pots[2] = cash_in if np.isnan(cash) and street == last else np.int64(0)
            edge = _value_pots(baseline, futures, preflop, street, flop, key, room)
            _walk_street(actions, street, rules, found.classes[n, street], bets_in, edge, found.evat[n], room.result)
            found.edges[n, street] = edge
            found.deviator[n, street] = np.int8(room.result[2])
            found.deviation[n, street] = np.int8(room.result[3])
            found.actual[n, street] = _settle(done_in, room, room.result[1])
            found.baseline[n, street] = _settle(base_in, room, folded_for)
            found.actual_all_in[n, street] = done_in * edge if done_in > 0 else room.result[1]
            found.baseline_all_in[n, street] = base_in * edge if base_in > 0 else folded_for
            if street == last and np.isnan(cash):
                cash = _settle(cash_in, room, 0.0)
            bets_in = done_in
        found.dcash[n] = cash


@kernel
def _deal_holes(classes, holes, room):
    for i in range(4):
        room.hands[i] = holes[i >> 1, i & 1]
    for p in range(2):
        first, second = room.hands[2 * p], room.hands[2 * p + 1]
        high, low = max(first, second), min(first, second)
        room.codes[p] = classes[high * (high - 1) // 2 + low]


@kernel
def _deal_flop(isomorphisms, board, room):
    """Rename all cards so that the flop is the representative of its class; returns the class."""
    for i in range(3):
        room.board[i] = board[i]
    packed = packed_class(isomorphisms, room.board, 3, room.permutation)
    room.dead[:] = False
    for i in range(4):
        room.hands[i] = (room.hands[i] & ~3) | room.permutation[room.hands[i] & 3]
        room.dead[room.hands[i]] = True
    for i in range(3):
        room.board[i] = (room.board[i] & ~3) | room.permutation[room.board[i] & 3]
        room.dead[room.board[i]] = True
    return packed & CLASS_MASK


@kernel
def _find_codes(codes, futures, street, flop, room):
    """Both players' codes on the board of a street after the flop."""
    if street == 1:
        _read_codes(codes.flop, _AS_THEY_ARE | flop, room)
    elif street == 2:
        _read_codes(codes.turn, np.int64(futures.turns[flop, room.board[3]]), room)
    else:
        high, low = max(room.board[3], room.board[4]), min(room.board[3], room.board[4])
        _read_codes(codes.river, np.int64(futures.rivers[flop, high * (high - 1) // 2 + low]), room)


@kernel
def _read_codes(codes, packed, room):
    for p in range(2):
        holding = moved_holding(packed, room.hands[2 * p], room.hands[2 * p + 1])
        room.codes[p] = codes[packed & CLASS_MASK, holding]


@kernel
def _class_on(street, code, bets_in):
    return code if street == 0 else class_at(code, bets_in)


@kernel
def _play_baseline(outcomes, preflop, street, codes, bets_in):
    """How the baseline ends a street that begins with `bets_in` from each player: the bets in at its end (0 after a
    fold), and the net result of a fold."""
    at = 6 * _class_on(street, codes[0], bets_in) + _class_on(street, codes[1], bets_in)
    if street == 0:
        outcome = np.int64(preflop.outcomes[at])
        return max(outcome, 0), _signed(preflop.lost[at] / 2, outcome)
    outcome = np.int64(outcomes[at])
    after = bets_in + (1 if street == 1 else 2) * outcome
    return after if outcome >= 0 else np.int64(0), _signed(1.0 * bets_in, outcome)


@kernel
def _value_pots(baseline, futures, preflop, street, flop, key, room):
    """Fill the values of `room.pots`, which may change places; returns the all-in edge."""
    hands, board, pots, values = room.hands, room.board, room.pots, room.values
    if street == 0:
        for i in range(3):
            if pots[i] > MOST_PREFLOP:
                values[i] = np.nan
            elif pots[i] > 0:
                values[i] = preflop_value(preflop.sums, preflop.rows, preflop.suits, hands, pots[i] - 1) / SEQUELS[0]
        return preflop_value(preflop.sums, preflop.rows, preflop.suits, hands, 4) / SEQUELS[0]
    if street == 3:
        table, card_keys = baseline.ranking.table, baseline.ranking.card_keys
        own = np.int64(rank_of_key(table, key + card_keys[hands[0]] + card_keys[hands[1]]))
        other = np.int64(rank_of_key(table, key + card_keys[hands[2]] + card_keys[hands[3]]))
        edge = 1.0 * np.sign(own - other)
        for i in range(3):
            values[i] = pots[i] * edge
        return edge
    # Each pot once.
    wanted = 0
    for i in range(3):
        if pots[i] > 0 and not ((wanted > 0 and pots[i] == pots[0]) or (wanted > 1 and pots[i] == pots[1])):
            pots[wanted] = pots[i]
            wanted += 1
    pots[wanted:] = 0
    deal = Deal(hands, room.dead, flop, key)
    if street == 1:
        wins = roll_out_flop(baseline, futures, deal, pots[:wanted], room.sums[:wanted])
    else:
        wins = roll_out_turn(baseline, futures, deal, board[3], pots[:wanted], room.sums[:wanted])
    for i in range(wanted):
        values[i] = room.sums[i] / SEQUELS[street]
    return wins / SEQUELS[street]


@kernel
def _bets_after(actions, street, bets_in):
    """The small bets in from each player after a street, 0 if it ended with a fold."""
    count = len(actions)
    if count > 0 and actions[count - 1] == FOLD:
        return np.int64(0)
    bets = np.int64(0)
    for i in range(count):
        bets += actions[i] == RAISE
    return bets_in + (bets if street < 2 else 2 * bets)
