"""Betting rounds of a rest of a hand that is solved at the table, all holdings at once and each for itself.

A *level* is a street of the rest: its boards (one, or every river that may come), on each some betting rounds of one
shape. What a player does is told by *weights* by board, round, decision, action and holding, from which he plays in
proportion to the positive ones, and evenly where there are none: regrets, sums of an average strategy, or chances.

Numbers by holding are *planes* of `width` numbers, a multiple of sixteen. The holdings of a board lie in rising order
of rank where it has five cards. A player's reach has a plane for every place that his own actions lead to; values have
one for every end of a round, and a decision takes over that of its call. Betting works on sixteen holdings at a time.
Where a hand ends, sixteen ends of any of the rounds are turned into lanes and go through the holdings together, as
`response_rounds` tells:

    fold      chips * (whole reach - reach with its first card - reach with its second card + reach of the holding)
    showdown  chips * (reach that it beats - reach that beats it), with signed sums in rising order of rank
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lane_sums import add_to, plus_exactly, take_from
from railbird.kernels.lanes import LANES, fill, larger, load, share, store, transpose
from railbird.kernels.numbered_tree import DECISION, FOLDED, SHOWDOWN

TINY = 1e-25
"""What is less is taken for nothing; numbers that a processor can hardly hold would be ten times as slow."""
LEARN, BEST = range(2)
"""What a player does whose values are asked for: he plays by his weights, which learn; or his best."""


class Level(NamedTuple):
    """The betting rounds of one street."""

    kind: np.ndarray
    """By place in a round, as in `numbered_tree`."""
    actor: np.ndarray
    child: np.ndarray
    """By place and action: the place that it leads to, -1 where there is none."""
    number: np.ndarray
    """By place: its number among the decisions of the round."""
    columns: np.ndarray
    """By player and place: the plane of his reach."""
    plane: np.ndarray
    """By place: the plane of its values."""
    added: np.ndarray
    """By place and player: chips put in during the round."""
    before: np.ndarray
    """By round: chips that each player has put in when it begins."""
    cards: np.ndarray
    """By board, place of a holding and card: the card, times sixteen."""
    ends: np.ndarray
    """By board and place of a holding: one past the last of those that tie with it."""
    counts: np.ndarray
    """By board: how many holdings it leaves possible."""


class Planes(NamedTuple):
    """Room to work in: planes by round, and sixteen ends at a time."""

    reach: np.ndarray
    values: np.ndarray
    reach_count: int
    """How many planes of reach a round has."""
    values_count: int
    turned: np.ndarray
    """By holding and lane."""
    shown: np.ndarray
    sums: np.ndarray
    """By card and lane."""
    froms: np.ndarray
    """By lane: where the reach of an end is; and where its values go."""
    tos: np.ndarray
    grid: np.ndarray
    """By row of sixteen: where it begins among numbers by holding and lane."""
    stakes: np.ndarray
    """By lane: chips won or lost."""


@kernel(nogil=True)
def _cut(number):
    """The number, or 0 where it is less than nearly nothing."""
    return larger(number - fill(np.float32(TINY)), fill(np.float32(0.0)))


@kernel(nogil=True)
def spread_reach(level, player, weights, at, reach, base):
    """The reach of a player at all places of a round, from that at its opening, which is the first plane from `base`.

    The weights of the round begin at `at`.
    """
    kind, actor, child, number, columns = level.kind, level.actor, level.child, level.number, level.columns[player]
    width = level.cards.shape[1]
    zero = fill(np.float32(0.0))
    for place in range(len(kind)):
        if kind[place] != DECISION or actor[place] != player:
            continue
        fold, call, raised = child[place, 0], child[place, 1], child[place, 2]
        even = fill(np.float32(1.0) / np.float32(1 + (fold >= 0) + (raised >= 0)))
        first = at + number[place] * 3 * width
        origin = base + columns[place] * width
        for i in range(0, width, LANES):
            before = load(reach, origin + i)
            calls = larger(load(weights, first + width + i), zero)
            folds = raises = zero
            if fold >= 0:
                folds = larger(load(weights, first + i), zero)
            if raised >= 0:
                raises = larger(load(weights, first + 2 * width + i), zero)
            whole = folds + calls + raises
            store(_cut(before * share(calls, whole, even)), reach, base + columns[call] * width + i)
            if fold >= 0:
                store(_cut(before * share(folds, whole, even)), reach, base + columns[fold] * width + i)
            if raised >= 0:
                store(_cut(before * share(raises, whole, even)), reach, base + columns[raised] * width + i)


@kernel(nogil=True)
def add_played(level, player, reach, base, weight, sums, at):
    """Add to `sums`, from `at` on, what a player does in a round times his reach, so many times."""
    kind, actor, child, number, columns = level.kind, level.actor, level.child, level.number, level.columns[player]
    width = level.cards.shape[1]
    times = fill(np.float32(weight))
    for place in range(len(kind)):
        if kind[place] != DECISION or actor[place] != player:
            continue
        for action in range(3):
            to = child[place, action]
            if to >= 0:
                first, origin = at + (number[place] * 3 + action) * width, base + columns[to] * width
                for i in range(0, width, LANES):
                    add_to(sums, first + i, times * load(reach, origin + i))


@kernel(nogil=True)
def _show_down(level, board, planes):
    """What every holding wins where sixteen hands end by a showdown."""
    cards, ends, count = level.cards[board], level.ends[board], level.counts[board]
    reach, turned, shown, signed = planes.reach, planes.turned, planes.shown, planes.sums
    zero = fill(np.float32(0.0))
    for i in range(0, len(cards), LANES):
        transpose(reach, planes.froms, i, turned, planes.grid, i * LANES)
    for card in range(52):
        store(zero, signed, LANES * card)
    balance, error = zero, zero
    for i in range(count):
        weight = load(turned, LANES * i)
        balance, error = plus_exactly(balance, error, zero - weight)
        take_from(signed, cards[i, 0], weight)
        take_from(signed, cards[i, 1], weight)
    stakes = load(planes.stakes, 0)
    start = 0
    error = zero
    while start < count:
        end = ends[start]
        tied = zero
        for i in range(start, end):
            weight = load(turned, LANES * i)
            tied = tied + weight
            add_to(signed, cards[i, 0], weight)
            add_to(signed, cards[i, 1], weight)
        balance, error = plus_exactly(balance, error, tied)
        for i in range(start, end):
            won = balance - load(signed, cards[i, 0]) - load(signed, cards[i, 1])
            store(won * stakes, shown, LANES * i)
        for i in range(start, end):
            weight = load(turned, LANES * i)
            add_to(signed, cards[i, 0], weight)
            add_to(signed, cards[i, 1], weight)
        balance, error = plus_exactly(balance, error, tied)
        start = end
    for i in range(0, len(cards), LANES):
        transpose(shown, planes.grid, i * LANES, planes.values, planes.tos, i)


@kernel(nogil=True)
def _give_up(level, board, planes):
    """What every holding wins where sixteen hands end by a fold."""
    cards, count = level.cards[board], level.counts[board]
    turned, shown, sums = planes.turned, planes.shown, planes.sums
    zero = fill(np.float32(0.0))
    for i in range(0, len(cards), LANES):
        transpose(planes.reach, planes.froms, i, turned, planes.grid, i * LANES)
    for card in range(52):
        store(zero, sums, LANES * card)
    total, error = zero, zero
    for i in range(count):
        weight = load(turned, LANES * i)
        total, error = plus_exactly(total, error, weight)
        add_to(sums, cards[i, 0], weight)
        add_to(sums, cards[i, 1], weight)
    stakes = load(planes.stakes, 0)
    for i in range(count):
        met = total - load(sums, cards[i, 0]) - load(sums, cards[i, 1]) + load(turned, LANES * i)
        store(met * stakes, shown, LANES * i)
    for i in range(0, len(cards), LANES):
        transpose(shown, planes.grid, i * LANES, planes.values, planes.tos, i)


@kernel(nogil=True)
def value_ends(level, board, player, planes):
    """What a player wins with every holding where hands end, against the opponent's reach, into the values' planes."""
    kind, actor, columns, plane = level.kind, level.actor, level.columns[1 - player], level.plane
    width, rounds = level.cards.shape[1], len(level.before)
    for wanted in (SHOWDOWN, FOLDED):
        lane = 0
        for at in range(rounds):
            for place in range(len(kind)):
                if kind[place] == wanted:
                    planes.froms[lane] = (at * planes.reach_count + columns[place]) * width
                    planes.tos[lane] = (at * planes.values_count + plane[place]) * width
                    chips = level.before[at]
                    if wanted == SHOWDOWN:
                        chips += level.added[place, player]
                    elif actor[place] == player:
                        chips = -chips - level.added[place, player]
                    else:
                        chips += level.added[place, 1 - player]
                    planes.stakes[lane] = chips
                    lane += 1
                if lane == LANES or (lane > 0 and at == rounds - 1 and place == len(kind) - 1):
                    for left in range(lane, LANES):  # no more ends: a second time the first one
                        planes.froms[left], planes.tos[left] = planes.froms[0], planes.tos[0]
                        planes.stakes[left] = planes.stakes[0]
                    if wanted == SHOWDOWN:
                        _show_down(level, board, planes)
                    else:
                        _give_up(level, board, planes)
                    lane = 0


@kernel(nogil=True)
def _decide(level, place, mode, weights, first, values, base):
    """The values of a decision of the player's own; by `LEARN` his weights, which are regrets, learn what they are."""
    child, plane, width = level.child, level.plane, level.cards.shape[1]
    fold, raised = child[place, 0], child[place, 2]
    fold_at, call_at = base + plane[fold] * width, base + plane[child[place, 1]] * width
    raise_at = base + plane[raised] * width
    zero = fill(np.float32(0.0))
    even = fill(np.float32(1.0) / np.float32(1 + (fold >= 0) + (raised >= 0)))
    for i in range(0, width, LANES):
        called = load(values, call_at + i)
        given_up = raising = called
        if fold >= 0:
            given_up = load(values, fold_at + i)
        if raised >= 0:
            raising = load(values, raise_at + i)
        if mode == BEST:
            store(larger(larger(called, raising), given_up), values, call_at + i)
            continue
        call_to = first + width + i
        calls = larger(load(weights, call_to), zero)
        folds = raises = zero
        if fold >= 0:
            folds = larger(load(weights, first + i), zero)
        if raised >= 0:
            raises = larger(load(weights, first + 2 * width + i), zero)
        whole = folds + calls + raises
        value = share(calls, whole, even) * called
        if fold >= 0:
            value = value + share(folds, whole, even) * given_up
        if raised >= 0:
            value = value + share(raises, whole, even) * raising
        store(_cut(calls + (called - value)), weights, call_to)
        if fold >= 0:
            store(_cut(folds + (given_up - value)), weights, first + i)
        if raised >= 0:
            store(_cut(raises + (raising - value)), weights, first + 2 * width + i)
        store(value, values, call_at + i)


@kernel(nogil=True)
def value_round(level, player, mode, weights, at, values, base):
    """The values of a round's decisions to a player, from those of its ends; the opening's go where its plane is.

    The opponent's actions add up, as his reach has their chances in it.
    """
    kind, actor, child, plane, width = level.kind, level.actor, level.child, level.plane, level.cards.shape[1]
    for place in range(len(kind) - 1, -1, -1):
        if kind[place] != DECISION:
            continue
        if actor[place] == player:
            _decide(level, place, mode, weights, at + level.number[place] * 3 * width, values, base)
            continue
        to = base + plane[child[place, 1]] * width
        for action in (0, 2):
            if child[place, action] >= 0:
                origin = base + plane[child[place, action]] * width
                for i in range(0, width, LANES):
                    add_to(values, to + i, load(values, origin + i))
