"""The betting of a hand of any game, replayed from its text, and who may have won what.

This is `railbird.game.betting` and `railbird.game.payoffs` once more, for readers that go through many hands. A game is
one row of whole numbers, its rules (`game_rules` of `railbird.formats.rules` makes it). Whatever is wrong, the answer
is only that something is: the slow way says what. So a kernel may refuse a good hand but must never accept a bad one.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel

MOST_SEATS = 23
SEATS, STREETS, STRUCTURE, FREE_FOLD, HAS_STACKS, ANTE, HOLE_CARDS, IS_HOLDEM = range(8)
"""Where the numbers of a game stand in its row, ..."""
BET_SIZES, MAX_RAISES, FIRST, LARGEST, BOARD_SEEN = 8, 12, 16, 20, 24
"""... those by street, four each, ..."""
BLINDS, ANTES, STACKS = 28, 28 + MOST_SEATS, 28 + 2 * MOST_SEATS
"""... and those by position: blinds, antes with missed blinds, and stacks."""
RULES = 28 + 3 * MOST_SEATS
FIXED, SPREAD, POT, NO_LIMIT = 0, 1, 2, 3
UNKNOWN, MUCKED = -1, -2
"""Ranks of cards that nobody knows, and of those that were not shown where others were: they win nothing."""
_SLASH, _ZERO, _FOLD, _CALL, _RAISE = 47, 48, 102, 99, 114
_MOST_DIGITS = 15


@kernel
def _with_chips(rules, committed, seats):
    """A bit for each position that has chips behind."""
    bits = 0
    for p in range(seats):
        if rules[STACKS + p] > committed[p]:
            bits |= 1 << p
    return bits


@kernel
def _owed(rules, p, committed, bets, level, folded, seats):
    """Chips missing to match the bet, whatever the stack; against opponents all-in, no more than they can win."""
    owed = level - bets[p]
    if rules[HAS_STACKS] == 0 or owed == 0:
        return owed
    others = ~folded & ~(1 << p)
    if _with_chips(rules, committed, seats) & others:
        return owed
    most = np.int64(0)
    for q in range(seats):
        if others >> q & 1 and bets[q] > most:
            most = bets[q]
    return max(0, most - bets[p])


@kernel
def _next_turn(rules, position, committed, bets, level, folded, to_play, seats):
    """Who is to act on this street from `position` on, or -1 if nobody is."""
    with_chips = (1 << seats) - 1
    if rules[HAS_STACKS]:
        with_chips = _with_chips(rules, committed, seats)
    to_play &= with_chips
    for step in range(seats):
        p = (position + step) % seats
        if to_play >> p & 1:
            if (
                rules[HAS_STACKS] == 0
                or with_chips & ~folded & ~(1 << p)
                or _owed(rules, p, committed, bets, level, folded, seats) != 0
            ):
                return p
            return -1
    return -1


@kernel
def _may_raise(rules, p, street, committed, bets, level, step, raises, folded, acted, seats):
    if raises >= rules[MAX_RAISES + street]:
        return False
    if rules[HAS_STACKS] == 0:
        return True
    owed = level - bets[p]
    if rules[STACKS + p] - committed[p] <= owed:
        return False
    if acted >> p & 1:
        if rules[STRUCTURE] == FIXED:
            if 2 * owed < rules[BET_SIZES + street]:
                return False
        elif owed < step:
            return False
    others, can_be_called = ~folded & ~(1 << p), False
    for q in range(seats):
        if others >> q & 1:
            can_be_called |= rules[STACKS + q] - committed[q] + bets[q] > level
    return can_be_called


@kernel
def _raise_bounds(rules, p, street, committed, bets, level, step, seats):
    """The smallest and the largest raise, as totals put into the hand."""
    before = committed[p] - bets[p]
    least = before + level + step
    most = least
    if rules[STRUCTURE] == SPREAD:
        most = before + level + rules[LARGEST + street]
    elif rules[STRUCTURE] == POT:
        pot = np.int64(0)
        for q in range(seats):
            pot += committed[q]
        most = before + level + pot + level - bets[p]
    elif rules[STRUCTURE] == NO_LIMIT:
        most = rules[STACKS + p]
    most = max(least, most)
    if rules[HAS_STACKS]:
        least, most = min(least, rules[STACKS + p]), min(most, rules[STACKS + p])
    return least, most


# One long kernel: it is one automaton, whose state stays in registers.
@kernel
def replay(rules, data, at, end, committed, bets, turns):
    """Play the betting text data[at:end]; the last street and a bit for each position that folded, or -1 and 0.

    `committed` and `bets`, with room for every seat, have at the end what each put into the hand, and on the street,
    `turns` who acted, as far as there is room.
    """
    wrong = (np.int64(-1), np.int64(0))
    seats, streets, structure = rules[SEATS], rules[STREETS], rules[STRUCTURE]
    level = np.int64(0)
    for p in range(seats):
        ante, blind = rules[ANTES + p], rules[BLINDS + p]
        level = max(level, blind)
        if rules[HAS_STACKS]:
            ante = min(ante, rules[STACKS + p])
            blind = min(blind, rules[STACKS + p] - ante)
        committed[p] = ante + blind
        bets[p] = blind
    everyone = (1 << seats) - 1
    street, position, step, raises = 0, rules[FIRST], rules[BET_SIZES], np.int64(0)
    folded, to_play, acted, left, slashes, count = 0, everyone, 0, seats, 0, 0
    while True:
        turn = -1
        while left > 1:
            turn = _next_turn(rules, position, committed, bets, level, folded, to_play, seats)
            if turn >= 0 or street == streets - 1:
                break
            street += 1
            slashes += 1
            position, step, level, raises = rules[FIRST + street], rules[BET_SIZES + street], np.int64(0), np.int64(0)
            for p in range(seats):
                bets[p] = 0
            to_play, acted = everyone & ~folded, 0
        if turn < 0:
            break
        while slashes > 0:
            if at >= end or data[at] != _SLASH:
                return wrong
            at += 1
            slashes -= 1
        if at >= end:
            return wrong
        letter = data[at]
        at += 1
        if count < len(turns):
            turns[count] = turn
        count += 1
        bit = 1 << turn
        if letter == _CALL:
            owed = _owed(rules, turn, committed, bets, level, folded, seats)
            if rules[HAS_STACKS]:
                owed = min(owed, rules[STACKS + turn] - committed[turn])
            committed[turn] += owed
            bets[turn] += owed
            to_play &= ~bit
            acted |= bit
        elif letter == _FOLD:
            if not rules[FREE_FOLD] and _owed(rules, turn, committed, bets, level, folded, seats) <= 0:
                return wrong
            folded |= bit
            to_play &= ~bit
            left -= 1
        elif letter == _RAISE:
            if not _may_raise(rules, turn, street, committed, bets, level, step, raises, folded, acted, seats):
                return wrong
            least, most = _raise_bounds(rules, turn, street, committed, bets, level, step, seats)
            total = least
            if structure != FIXED:
                start, total = at, np.int64(0)
                while at < end and _ZERO <= data[at] <= _ZERO + 9 and at - start < _MOST_DIGITS:
                    total = 10 * total + (np.int64(data[at]) - _ZERO)
                    at += 1
                if at == start or data[start] == _ZERO or total < least or total > most:
                    return wrong
            bets[turn] += total - committed[turn]
            committed[turn] = total
            size = bets[turn] - level
            if structure == FIXED:
                bet = rules[BET_SIZES + street]
                if 2 * (size + bet - step) >= bet:
                    raises, step = raises + 1, bet
                else:
                    step -= size
            elif size >= step:
                raises, step = raises + 1, size
            level = bets[turn]
            to_play = everyone & ~bit & ~folded
            acted |= bit
        else:
            return wrong
        position = turn + 1
    while at < end and data[at] == _SLASH and slashes > 0:
        at += 1
        slashes -= 1
    if at < end:
        return wrong
    return np.int64(street), np.int64(folded)


@kernel
def share_pots(rules, folded, committed, ranks, won, least, most):
    """Who wins what before rake: `won` with odd chips in order of position, and the `least` and the `most` that each
    may have won, whoever got odd chips. `ranks` are `UNKNOWN` where cards are not known; then `won` means nothing.

    True if all is known that decides.
    """
    seats = rules[SEATS]
    missed, pot, left, last = np.int64(0), np.int64(0), 0, 0
    for p in range(seats):
        pot += committed[p]
        won[p] = least[p] = most[p] = -committed[p]
        if not folded >> p & 1:
            left += 1
            last = p
    if left == 1:
        won[last] += pot
        least[last] += pot
        most[last] += pot
        return True
    for p in range(seats):  # what is left in committed plays in layers, and missed blinds go with the first
        dead = rules[ANTES + p]
        if rules[HAS_STACKS]:
            dead = min(dead, rules[STACKS + p])
        dead = max(0, dead - rules[ANTE])
        missed += dead
        committed[p] -= dead
    below, is_known = np.int64(-1), True
    while True:
        layer, is_last = np.int64(-1), True
        for p in range(seats):
            if not folded >> p & 1 and committed[p] > below:
                if layer >= 0 and committed[p] != layer:
                    is_last = False
                if layer < 0 or committed[p] < layer:
                    layer = committed[p]
        if layer < 0:
            break
        pot, best, winners, unknown = missed, np.int64(MUCKED), 0, 0
        for p in range(seats):
            top = committed[p] if is_last else min(committed[p], layer)
            pot += max(0, top - max(0, below))
            if not folded >> p & 1 and committed[p] >= layer:
                unknown += ranks[p] == UNKNOWN
                if ranks[p] != UNKNOWN:
                    best = max(best, ranks[p])
        for p in range(seats):
            if not folded >> p & 1 and committed[p] >= layer and (ranks[p] == UNKNOWN or ranks[p] == best):
                winners += 1
        share, odd = pot // winners, pot % winners
        is_known &= unknown == 0
        given = np.int64(0)
        for p in range(seats):
            if not folded >> p & 1 and committed[p] >= layer and (ranks[p] == UNKNOWN or ranks[p] == best):
                won[p] += share + (given < odd)
                given += 1
                least[p] += 0 if unknown > 0 and winners > 1 else share
                most[p] += pot if unknown > 0 else share + odd
        missed, below = np.int64(0), layer
    return is_known
