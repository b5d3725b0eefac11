"""One holding's potential: how it stands now and after one or two more cards, against a weighted opponent.

The table of Papp 1998 (figure 5.2) is filled by kinds, not by cards. Suits aside, a card has 13 kinds, an opponent's
holding 91 and two cards to come 91. How many runouts of a kind are left depends only on how many cards of those ranks
the opponent holds, so each entry is one comparison, a weight and a small product.

For a suit that can make a flush a card has 26 kinds, a rank and whether of the suit. Against a flush that is there
already, all runouts are counted by these kinds. For runouts that bring a flush, the opponents concerned (those who make
it, or all of them if the holding itself makes it) move from the column they were counted in to the one where they
belong. They stay in their row, so that rounding errors are small beside the row, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT, CLASS_HIGH, CLASS_LOW, flush_rank, rank_classes
from railbird.kernels.compiling import kernel

_NO_CARD = 26  # the kind of the second card to come where only one comes


class _Plain(NamedTuple):
    """Ranks without regard to suits, and the class of the holding in question."""

    now: np.ndarray
    """By class."""
    later: np.ndarray
    """By class and runout."""
    own: int


class _Suit(NamedTuple):
    """The cards of one suit: how many there are and the sum of their rank constants, on the board and with the hole
    cards."""

    on_board: int
    board_sum: np.uint64
    held: int
    held_sum: np.uint64


class _Opponents(NamedTuple):
    """By kind of card how many are unseen, and at 26 * kind + kind the weight of the opponent's holdings."""

    live: np.ndarray
    weights: np.ndarray


# The rows of the list of runouts that allow a flush: the kinds of their two cards, how many cards of these are unseen,
# the column of `_Plain.later`, how many cards of the suit the finished board has, and the rank of the holding without
# and with flushes. (One array with rows compiles in half the time that a tuple of arrays takes.)
_FIRST, _SECOND, _OF_FIRST, _OF_SECOND, _GROUP, _IN_SUIT, _OWN_PLAIN, _OWN_RANK = range(8)


@kernel
def weigh_transitions(table, rank_keys, first, second, board, cards_to_come, weights, transitions):
    """Fill the 3 x 3 table of weights: how `first`, `second` stands now (row) and later (column).

    0 is ahead, 1 tied and 2 behind. Each opponent's holding counts once for each runout.
    """
    dead = np.zeros(52, np.bool_)
    dead[first] = True
    dead[second] = True
    rank_sum = np.uint64(0)
    counts = np.zeros(13, np.int64)
    suit_counts = np.zeros(4, np.int64)
    suit_sums = np.zeros(4, np.uint64)
    for card in board:
        dead[card] = True
        rank_sum += rank_keys[card >> 2]
        counts[card >> 2] += 1
        suit_counts[card & 3] += 1
        suit_sums[card & 3] += rank_keys[card >> 2]
    unseen = np.empty(52, np.uint8)
    left = 0
    for card in range(52):
        if not dead[card]:
            unseen[left] = card
            left += 1
    unseen = unseen[:left]
    a, b = first >> 2, second >> 2
    own = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a

    plain = _Plain(np.empty(CLASS_COUNT, np.int16), np.empty((CLASS_COUNT, CLASS_COUNT), np.int16), own)
    rank_classes(table, rank_keys, rank_sum, counts, plain.now)
    _rank_runouts(table, rank_keys, rank_sum, counts, cards_to_come, plain.later)

    opponents = _Opponents(np.zeros(27, np.int64), np.zeros(676))
    entries = np.zeros(9)
    sorted_suit = np.int64(-1)
    for suit in range(4):
        if suit_counts[suit] + cards_to_come >= 3:
            sorted_suit = suit
    _sort_opponents(unseen, sorted_suit, weights, opponents)
    in_suit = suit_counts[sorted_suit] if sorted_suit >= 0 else 0
    if in_suit + (first & 3 == sorted_suit) + (second & 3 == sorted_suit) < 5:
        by_rank = _Opponents(np.zeros(27, np.int64), np.zeros(676))
        _fold_kinds(opponents, 5 - in_suit, by_rank)
        _count_by_rank(cards_to_come, by_rank, plain, entries)
    for suit in range(3, -1, -1):
        if suit_counts[suit] + cards_to_come >= 3:
            held_sum = suit_sums[suit]
            if first & 3 == suit:
                held_sum += rank_keys[a]
            if second & 3 == suit:
                held_sum += rank_keys[b]
            held = (first & 3 == suit) + (second & 3 == suit)
            if suit != sorted_suit:
                _sort_opponents(unseen, suit, weights, opponents)
            cards = _Suit(suit_counts[suit], suit_sums[suit], held, held_sum)
            _count_flushes(table, rank_keys, cards, cards_to_come, opponents, plain, entries)
    # Moving weights leaves rounding errors where nothing should be left.
    for now in range(3):
        for later in range(3):
            transitions[now, later] = max(entries[3 * now + later], 0.0)


@kernel
def _rank_runouts(table, rank_keys, rank_sum, counts, cards_to_come, plain_later):
    """The rank of every class (row) after every runout (column) by ranks, both without regard to suits."""
    ranks = np.empty(CLASS_COUNT, np.int16)
    for group in range(CLASS_COUNT if cards_to_come == 2 else 13):
        a = np.int64(CLASS_HIGH[group] if cards_to_come == 2 else group)
        later_sum = rank_sum + rank_keys[a]
        counts[a] += 1
        b = a
        if cards_to_come == 2:
            b = np.int64(CLASS_LOW[group])
            later_sum += rank_keys[b]
            counts[b] += 1
        if counts[a] <= 4 and counts[b] <= 4:
            rank_classes(table, rank_keys, later_sum, counts, ranks)
        counts[a] -= 1
        if cards_to_come == 2:
            counts[b] -= 1
        for i in range(CLASS_COUNT):
            plain_later[i, group] = ranks[i]


@kernel
def _sort_opponents(unseen, suit, weights, opponents):
    """Count the unseen cards of each kind, and weigh the opponent's holdings of each pair of kinds."""
    live, weighed = opponents.live, opponents.weights
    live[:] = 0
    live[_NO_CARD] = 1
    weighed[:] = 0.0
    for i in range(len(unseen)):
        high = np.int64(unseen[i])
        row = high * (high - 1) // 2
        kind = (high >> 2) + (13 if high & 3 == suit else 0)
        live[kind] += 1
        for j in range(i):
            low = np.int64(unseen[j])
            # The higher card may be of the lower kind: those are added to their place below.
            weighed[26 * kind + (low >> 2) + (13 if low & 3 == suit else 0)] += weights[row + low]
    for p in range(26):
        for q in range(p):
            weighed[26 * p + q] += weighed[26 * q + p]


@kernel
def _fold_kinds(opponents, flush_from, by_rank):
    """From 26 kinds of card the 13 ranks, without the holdings of `flush_from` or more cards of the suit."""
    by_rank.live[_NO_CARD] = 1
    for p in range(26):
        by_rank.live[p % 13] += opponents.live[p]
        for q in range(p + 1):
            if (p >= 13) + (q >= 13) < flush_from:
                a, b = p % 13, q % 13
                by_rank.weights[26 * max(a, b) + min(a, b)] += opponents.weights[26 * p + q]


@kernel
def _count_by_rank(cards_to_come, opponents, plain, entries):
    """Weigh all transitions without regard to suits."""
    live, plain_now, plain_later, own = opponents.live, plain.now, plain.later, plain.own
    groups = CLASS_COUNT if cards_to_come == 2 else 13
    p = np.empty(groups, np.int16)
    q = np.empty(groups, np.int16)
    of_p = np.empty(groups, np.int16)
    of_q = np.empty(groups, np.int16)
    for group in range(groups):
        p[group] = CLASS_HIGH[group] if cards_to_come == 2 else group
        q[group] = CLASS_LOW[group] if cards_to_come == 2 else _NO_CARD
        of_p[group] = live[p[group]]
        of_q[group] = live[q[group]]
    for i in range(CLASS_COUNT):
        high, low = np.int16(CLASS_HIGH[i]), np.int16(CLASS_LOW[i])
        weight = opponents.weights[26 * high + low]
        if weight == 0.0:
            continue
        # Runouts of a kind that are left beside this opponent: in all, and those after which it is not behind or ahead.
        every, not_ahead, behind = 0, 0, 0
        for group in range(groups):
            first = of_p[group] - (p[group] == high) - (p[group] == low)
            second = of_q[group] - (q[group] == high) - (q[group] == low)
            runouts = first * (first - 1) >> 1 if p[group] == q[group] else first * second
            every += runouts
            not_ahead += runouts if plain_later[i, group] >= plain_later[own, group] else 0
            behind += runouts if plain_later[i, group] > plain_later[own, group] else 0
        now = 3 * ((plain_now[i] >= plain_now[own]) + (plain_now[i] > plain_now[own]))
        entries[now] += weight * (every - not_ahead)
        entries[now + 1] += weight * (not_ahead - behind)
        entries[now + 2] += weight * behind


@kernel
def _count_flushes(table, rank_keys, suit, cards_to_come, opponents, plain, entries):
    """Weigh the transitions against flushes of a suit that are there now, and move what later flushes change."""
    own_now = np.int64(plain.now[plain.own])
    if suit.on_board + suit.held >= 5:
        own_now = flush_rank(table, suit.held_sum)
    most = 351 if cards_to_come == 2 else 26
    runouts, sums = np.empty((8, most), np.int16), np.empty(most, np.uint64)
    count, own_changes = _list_runouts(table, rank_keys, suit, cards_to_come, opponents.live, plain, runouts, sums)
    groups, in_suit = runouts[_GROUP], runouts[_IN_SUIT]
    without, flushes = np.empty(most, np.int16), np.empty(most, np.int16)
    moves = np.empty(5, np.int64)
    for suited in range(2, -1, -1):
        if not own_changes and suit.on_board + cards_to_come + suited < 5:
            break  # neither makes a flush
        flushes_of = np.uint64(0)
        # Against a flush that is there now nothing has been counted yet.
        counted = suit.on_board + max(suited, suit.held) < 5
        for p in range(0 if suited == 0 else 13, 13 if suited == 0 else 26):
            for q in range(13 if suited == 2 else 0, 13 if suited == 1 else p + 1):
                weight = opponents.weights[26 * p + q]
                if weight == 0.0:
                    continue
                a, b = p % 13, q % 13
                kind = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
                held_sum = suit.board_sum
                if suited > 0:
                    held_sum += rank_keys[a]
                if suited > 1:
                    held_sum += rank_keys[b]
                if held_sum != flushes_of:
                    flushes_of = held_sum
                    for i in range(count):
                        makes = in_suit[i] + suited >= 5
                        flushes[i] = flush_rank(table, held_sum + sums[i]) if makes else 0
                for i in range(count):
                    without[i] = plain.later[kind, groups[i]]
                _count_runouts(runouts, count, np.int16(p), np.int16(q), without, flushes, moves)
                rank = np.int64(plain.now[kind])
                if suit.on_board + suited >= 5:
                    rank = flush_rank(table, held_sum)
                now = 3 * ((rank >= own_now) + (rank > own_now))
                every, not_ahead, behind = moves[0], moves[1], moves[2]
                entries[now] += weight * (every - not_ahead)
                entries[now + 1] += weight * (not_ahead - behind)
                entries[now + 2] += weight * behind
                if counted:
                    entries[now] -= weight * (every - moves[3])
                    entries[now + 1] -= weight * (moves[3] - moves[4])
                    entries[now + 2] -= weight * moves[4]


@kernel
def _list_runouts(table, rank_keys, suit, cards_to_come, live, plain, runouts, sums):
    """Fill the list of runouts, and the sums of the rank constants of those of their cards that are of the suit.

    Returns their number, and whether the holding makes a flush with one of them.
    """
    count = 0
    own_changes = False
    for p in range(26):
        for q in range(p + 1) if cards_to_come == 2 else range(_NO_CARD, _NO_CARD + 1):
            suited = suit.on_board + (p >= 13) + (13 <= q < _NO_CARD)
            if suited < 3 or live[p] == 0 or live[q] <= (p == q):
                continue
            a, b = p % 13, q % 13
            group = a if q == _NO_CARD else a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
            later_sum = rank_keys[a] if p >= 13 else np.uint64(0)
            if 13 <= q < _NO_CARD:
                later_sum += rank_keys[b]
            own = plain.later[plain.own, group]
            runouts[_FIRST, count], runouts[_SECOND, count] = p, q
            runouts[_OF_FIRST, count], runouts[_OF_SECOND, count] = live[p], live[q]
            runouts[_GROUP, count], runouts[_IN_SUIT, count] = group, suited
            runouts[_OWN_PLAIN, count] = runouts[_OWN_RANK, count] = own
            sums[count] = later_sum
            if suited + suit.held >= 5:
                runouts[_OWN_RANK, count] = flush_rank(table, suit.held_sum + later_sum)
                own_changes = True
            count += 1
    return count, own_changes


@kernel
def _count_runouts(runouts, count, high, low, without, flushes, moves):
    """The runouts left beside a holding of kinds `high` and `low`: all, those after which the holding in question is
    not ahead of it and those after which it is behind, and these two without regard to suits.

    `without` and `flushes` are that holding's ranks after each runout. (They are gathered before: with the gathering in
    this loop it is not done many numbers at a time, and takes a tenth longer.)
    """
    first, second, of_first, of_second = runouts[_FIRST], runouts[_SECOND], runouts[_OF_FIRST], runouts[_OF_SECOND]
    own_plain, own_ranks = runouts[_OWN_PLAIN], runouts[_OWN_RANK]
    every, not_ahead, behind, plain_not_ahead, plain_behind = 0, 0, 0, 0, 0
    for i in range(count):
        one = of_first[i] - (first[i] == high) - (first[i] == low)
        two = of_second[i] - (second[i] == high) - (second[i] == low)
        left = one * (one - 1) >> 1 if first[i] == second[i] else one * two
        rank = without[i] if without[i] > flushes[i] else flushes[i]
        every += left
        not_ahead += left if rank >= own_ranks[i] else 0
        behind += left if rank > own_ranks[i] else 0
        plain_not_ahead += left if without[i] >= own_plain[i] else 0
        plain_behind += left if without[i] > own_plain[i] else 0
    moves[0], moves[1], moves[2], moves[3], moves[4] = every, not_ahead, behind, plain_not_ahead, plain_behind
