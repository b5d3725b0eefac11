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

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT, CLASS_HIGH, CLASS_LOW, flush_rank, rank_classes
from railbird.kernels.compiling import kernel

_NO_CARD = 26  # the kind of the second card to come where only one comes


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

    plain_now = np.empty(CLASS_COUNT, np.int16)
    plain_later = np.empty((CLASS_COUNT, CLASS_COUNT), np.int16)
    rank_classes(table, rank_keys, rank_sum, counts, plain_now)
    _rank_runouts(table, rank_keys, rank_sum, counts, cards_to_come, plain_later)

    live = np.zeros(27, np.int64)
    opponents = np.zeros(676)
    entries = np.zeros(9)
    sorted_suit = np.int64(-1)
    for suit in range(4):
        if suit_counts[suit] + cards_to_come >= 3:
            sorted_suit = suit
    _sort_opponents(unseen, sorted_suit, weights, live, opponents)
    in_suit = suit_counts[sorted_suit] if sorted_suit >= 0 else 0
    if in_suit + (first & 3 == sorted_suit) + (second & 3 == sorted_suit) < 5:
        plain_live = np.zeros(27, np.int64)
        plain_opponents = np.zeros(676)
        _fold_kinds(live, opponents, 5 - in_suit, plain_live, plain_opponents)
        _count_by_rank(cards_to_come, own, plain_live, plain_opponents, plain_now, plain_later, entries)
    for suit in range(3, -1, -1):
        if suit_counts[suit] + cards_to_come >= 3:
            own_suited = (first & 3 == suit) + (second & 3 == suit)
            own_suit_sum = suit_sums[suit]
            if first & 3 == suit:
                own_suit_sum += rank_keys[a]
            if second & 3 == suit:
                own_suit_sum += rank_keys[b]
            if suit != sorted_suit:
                _sort_opponents(unseen, suit, weights, live, opponents)
            _count_flushes(
                table,
                rank_keys,
                suit_counts[suit],
                suit_sums[suit],
                cards_to_come,
                own,
                own_suited,
                own_suit_sum,
                live,
                opponents,
                plain_now,
                plain_later,
                entries,
            )
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
def _sort_opponents(unseen, suit, weights, live, opponents):
    """Count the unseen cards of each kind, and weigh the opponent's holdings of each pair of kinds."""
    live[:] = 0
    live[_NO_CARD] = 1
    opponents[:] = 0.0
    for i in range(len(unseen)):
        high = np.int64(unseen[i])
        row = high * (high - 1) // 2
        kind = (high >> 2) + (13 if high & 3 == suit else 0)
        live[kind] += 1
        for j in range(i):
            low = np.int64(unseen[j])
            # The higher card may be of the lower kind: those are added to their place below.
            opponents[26 * kind + (low >> 2) + (13 if low & 3 == suit else 0)] += weights[row + low]
    for p in range(26):
        for q in range(p):
            opponents[26 * p + q] += opponents[26 * q + p]


@kernel
def _fold_kinds(live, opponents, flush_from, plain_live, plain_opponents):
    """From 26 kinds of card the 13 ranks, without the holdings of `flush_from` or more cards of the suit."""
    plain_live[_NO_CARD] = 1
    for p in range(26):
        plain_live[p % 13] += live[p]
        for q in range(p + 1):
            if (p >= 13) + (q >= 13) < flush_from:
                a, b = p % 13, q % 13
                plain_opponents[26 * max(a, b) + min(a, b)] += opponents[26 * p + q]


@kernel
def _count_by_rank(cards_to_come, own, live, opponents, plain_now, plain_later, entries):
    """Weigh all transitions without regard to suits."""
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
        weight = opponents[26 * high + low]
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
def _count_flushes(
    table,
    rank_keys,
    on_board,
    suit_sum,
    cards_to_come,
    own,
    own_suited,
    own_suit_sum,
    live,
    opponents,
    plain_now,
    plain_later,
    entries,
):
    """Weigh the transitions against flushes of a suit that are there now, and move what later flushes change."""
    own_now = np.int64(plain_now[own])
    if on_board + own_suited >= 5:
        own_now = flush_rank(table, own_suit_sum)

    # The kinds of runout that allow a flush, and how the holding ranks after them without and with flushes.
    most = 351 if cards_to_come == 2 else 26
    first = np.empty(most, np.int16)
    second = np.empty(most, np.int16)
    of_first = np.empty(most, np.int16)
    of_second = np.empty(most, np.int16)
    group = np.empty(most, np.int16)
    in_suit = np.empty(most, np.int16)
    later_sums = np.empty(most, np.uint64)
    own_plain = np.empty(most, np.int16)
    own_ranks = np.empty(most, np.int16)
    count = 0
    own_changes = False
    for p in range(26):
        for q in range(p + 1) if cards_to_come == 2 else range(_NO_CARD, _NO_CARD + 1):
            suited = on_board + (p >= 13) + (13 <= q < _NO_CARD)
            if suited < 3 or live[p] == 0 or live[q] <= (p == q):
                continue
            a, b = p % 13, q % 13
            first[count], second[count] = p, q
            of_first[count], of_second[count] = live[p], live[q]
            group[count] = a if q == _NO_CARD else a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
            in_suit[count] = suited
            later_sums[count] = rank_keys[a] if p >= 13 else np.uint64(0)
            if 13 <= q < _NO_CARD:
                later_sums[count] += rank_keys[b]
            own_plain[count] = plain_later[own, group[count]]
            own_ranks[count] = own_plain[count]
            if suited + own_suited >= 5:
                own_ranks[count] = flush_rank(table, own_suit_sum + later_sums[count])
                own_changes = True
            count += 1

    plain = np.empty(most, np.int16)
    flushes = np.empty(most, np.int16)
    for suited in range(2, -1, -1):
        if not own_changes and on_board + cards_to_come + suited < 5:
            break  # neither makes a flush
        flushes_of = np.uint64(0)
        # Against a flush that is there now nothing has been counted yet.
        counted = on_board + max(suited, own_suited) < 5
        for p in range(0 if suited == 0 else 13, 13 if suited == 0 else 26):
            for q in range(13 if suited == 2 else 0, 13 if suited == 1 else p + 1):
                weight = opponents[26 * p + q]
                if weight == 0.0:
                    continue
                a, b = p % 13, q % 13
                kind = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
                held_sum = suit_sum
                if suited > 0:
                    held_sum += rank_keys[a]
                if suited > 1:
                    held_sum += rank_keys[b]
                if held_sum != flushes_of:
                    flushes_of = held_sum
                    for i in range(count):
                        flushes[i] = flush_rank(table, held_sum + later_sums[i]) if in_suit[i] + suited >= 5 else 0
                for i in range(count):
                    plain[i] = plain_later[kind, group[i]]
                high, low = np.int16(p), np.int16(q)
                every, not_ahead, behind, plain_not_ahead, plain_behind = 0, 0, 0, 0, 0
                for i in range(count):
                    one = of_first[i] - (first[i] == high) - (first[i] == low)
                    two = of_second[i] - (second[i] == high) - (second[i] == low)
                    runouts = one * (one - 1) >> 1 if first[i] == second[i] else one * two
                    rank = plain[i] if plain[i] > flushes[i] else flushes[i]
                    every += runouts
                    not_ahead += runouts if rank >= own_ranks[i] else 0
                    behind += runouts if rank > own_ranks[i] else 0
                    plain_not_ahead += runouts if plain[i] >= own_plain[i] else 0
                    plain_behind += runouts if plain[i] > own_plain[i] else 0
                rank = np.int64(plain_now[kind])
                if on_board + suited >= 5:
                    rank = flush_rank(table, held_sum)
                now = 3 * ((rank >= own_now) + (rank > own_now))
                entries[now] += weight * (every - not_ahead)
                entries[now + 1] += weight * (not_ahead - behind)
                entries[now + 2] += weight * behind
                if counted:
                    entries[now] -= weight * (every - plain_not_ahead)
                    entries[now + 1] -= weight * (plain_not_ahead - plain_behind)
                    entries[now + 2] -= weight * plain_behind
