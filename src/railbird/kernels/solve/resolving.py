"""A rest of a hand, solved at the table: regrets and averages of both players, iteration by iteration (CFR+).

The rest begins with a betting round on the river, or with one on the turn and then has all its rivers in it. One player
solves it for himself; his opponent has an *alternative*: with every holding he may, before the rest begins, take what
that holding was worth to him before (Burch, Johanson and Bowling 2014). The opponent's reach at the beginning is

    forced * range + asked * (how often he follows)

where he learns how often to follow as he learns everything else. With `forced` at 0 the solution gives no holding of
his more than its alternative, if that can be done; what is forced makes the solver look at the holdings that the
opponent is thought to have.

The two players take turns; regrets below zero are forgotten, and later iterations count more in averages (Tammelin
2014). They may begin with a strategy (`begin_with`), whose chances become regrets as if some iterations had led there.
Numbers by holding follow the order of the first street's board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into
from railbird.kernels.numbered_tree import STREET_START
from railbird.kernels.solve.resolving_rounds import (
    BEST,
    LEARN,
    Level,
    Planes,
    add_played,
    spread_reach,
    value_ends,
    value_round,
)


class Rest(NamedTuple):
    """What is solved. A rest that begins on the river has two levels that are the same."""

    first: Level
    later: Level
    """Its rivers; the rounds follow the closings of the first round."""
    is_last: bool
    """Whether the first level is the river."""
    above: np.ndarray
    """By river and place of a holding on it: the holding's place on the first board."""
    chance: float
    """The chance of each river, of those that neither player holds."""


class Weights(NamedTuple):
    """What both players do: on the first level, and on the rivers."""

    first: np.ndarray
    later: np.ndarray


class Room(NamedTuple):
    """Room to work in."""

    first: Planes
    later: Planes
    opening: np.ndarray
    """By place: what a player's reach is where the rest begins; then what it is worth to the other."""


class Gadget(NamedTuple):
    """How both come into the rest, by place."""

    own: np.ndarray
    """The reach of the player who solves."""
    forced: np.ndarray
    asked: np.ndarray
    alternative: np.ndarray
    """In the unit of the values: chips, summed over the player's holdings by their reach."""
    regrets: np.ndarray
    """Of following and of the alternative."""


class Averages(NamedTuple):
    """What comes of it: sums over the iterations, by their weights."""

    first: np.ndarray
    """What both players did on the first level, times their reach."""
    values: np.ndarray
    """By river, round and place: the value of the opening to the opponent."""


@kernel(nogil=True)
def _value_river(level, board, player, mode, weights, planes):
    """The values of a board's rounds to a player; the opponent's reach at their openings is there already."""
    width, rounds = level.cards.shape[1], len(level.before)
    size = 3 * (1 + level.number.max()) * width
    at = board * rounds * size
    for number in range(rounds):
        spread_reach(level, 1 - player, weights, at + number * size, planes.reach, number * planes.reach_count * width)
    value_ends(level, board, player, planes)
    for number in range(rounds):
        base = number * planes.values_count * width
        value_round(level, player, mode, weights, at + number * size, planes.values, base)


@kernel(nogil=True)
def _value_rivers(rest, player, mode, weights, room, weight, sums):
    """What the rivers make of the closings of the first level, added up into its values.

    What they are worth is added to `sums` so many times, by river, round and place.
    """
    first, later, above, planes = rest.first, rest.later, rest.above, room.later
    reach, values = room.first.reach, room.first.values
    width, wide = later.cards.shape[1], first.cards.shape[1]
    closings = np.flatnonzero(first.kind == STREET_START)
    columns, plane, opening = first.columns[1 - player], first.plane, later.plane[0]
    for closing in closings:
        values[plane[closing] * wide : (plane[closing] + 1) * wide] = 0.0
    chance = np.float32(rest.chance)
    times = np.float32(weight)
    for river in range(len(later.counts)):
        count = later.counts[river]
        for number in range(len(closings)):
            origin, to = columns[closings[number]] * wide, number * planes.reach_count * width
            for i in range(count):
                planes.reach[to + i] = reach[origin + above[river, i]]
            for i in range(count, width):
                planes.reach[to + i] = 0.0
        _value_river(later, river, player, mode, weights.later, planes)
        for number in range(len(closings)):
            origin = (number * planes.values_count + opening) * width
            to = plane[closings[number]] * wide
            for i in range(count):
                values[to + above[river, i]] += chance * planes.values[origin + i]
            if times > 0.0:
                at = (river * len(closings) + number) * width
                for i in range(count):
                    sums[at + i] += times * planes.values[origin + i]


@kernel(nogil=True)
def _value_rest(rest, player, mode, weights, room, times, averages):
    """What the rest is worth to a player, into `room.opening`, which has the opponent's reach before.

    `times` says how often what the opponent does on the first level, and what the rivers are worth to the player, are
    added to the averages.
    """
    level, planes = rest.first, room.first
    width = level.cards.shape[1]
    copy_into(planes.reach[:width], room.opening)
    spread_reach(level, 1 - player, weights.first, 0, planes.reach, 0)
    if times[0] > 0.0:
        add_played(level, 1 - player, planes.reach, 0, times[0], averages.first, 0)
    value_ends(level, 0, player, planes)
    if not rest.is_last:
        _value_rivers(rest, player, mode, weights, room, times[1], averages.values)
    value_round(level, player, mode, weights.first, 0, planes.values, 0)
    start = level.plane[0] * width
    copy_into(room.opening, planes.values[start : start + width])


@kernel(nogil=True)
def _following(gadget, i):
    """How often the opponent follows with a holding; at first always."""
    follow, leave = gadget.regrets[0, i], gadget.regrets[1, i]
    return follow / (follow + leave) if follow + leave > 0.0 else np.float32(1.0)


@kernel(nogil=True)
def _enter(gadget, opening):
    """The opponent's reach where the rest begins."""
    for i in range(len(opening)):
        opening[i] = gadget.forced[i] + gadget.asked[i] * _following(gadget, i)


@kernel(nogil=True)
def _learn_to_follow(gadget, values):
    """The opponent learns with which holdings to follow, from what following is worth."""
    for i in range(len(values)):
        follow, leave, share = gadget.regrets[0, i], gadget.regrets[1, i], _following(gadget, i)
        gain = values[i] - gadget.alternative[i]
        gadget.regrets[0, i] = max(np.float32(0.0), follow + (np.float32(1.0) - share) * gain)
        gadget.regrets[1, i] = max(np.float32(0.0), leave - share * gain)


@kernel(nogil=True)
def solve(rest, player, gadget, weights, averages, room, iterations, power):
    """Solve a rest of a hand for a player, with so many iterations, of which number t counts t to the `power`.

    Without any, `room.opening` becomes what a best response to the player's weights wins with each holding of the
    opponent's. One call for all of it is compiled once.
    """
    mode = LEARN if iterations > 0 else BEST
    for turn in range(max(1, 2 * iterations)):
        weight = float(turn // 2 + 1) ** power if iterations > 0 else 0.0
        if turn % 2 == 0:  # the opponent's
            copy_into(room.opening, gadget.own)
            acting, times = 1 - player, (weight, weight)
        else:
            _learn_to_follow(gadget, room.opening)
            _enter(gadget, room.opening)
            acting, times = player, (weight, 0.0)
        _value_rest(rest, acting, mode, weights, room, times, averages)


@kernel(nogil=True)
def look_up_chances(level, codes, buckets, weights):
    """The weights of players who follow a table over buckets, of which `codes` are the rows of the level's rounds.

    `codes` are by row, bucket and whether it is fold or raise, in 255ths; `buckets` by board and place of a holding.
    """
    width, whole = level.cards.shape[1], np.float32(1.0 / 255.0)
    for board in range(len(level.counts)):
        found, count = buckets[board], level.counts[board]
        for row in range(len(codes)):
            table = codes[row]
            at = (board * len(codes) + row) * 3 * width
            for i in range(count):
                fold, raised = whole * np.float32(table[found[i], 0]), whole * np.float32(table[found[i], 1])
                weights[at + i] = fold
                weights[at + width + i] = np.float32(1.0) - fold - raised
                weights[at + 2 * width + i] = raised


@kernel(nogil=True)
def _scale_round(level, number, reach, weights, at, times):
    """Scale the chances of a round's decisions to what is at stake there: chips times the other player's reach."""
    width = level.cards.shape[1]
    for place in range(len(level.kind)):
        if level.number[place] < 0:
            continue
        other = 1 - level.actor[place]
        column = level.columns[other, place] * width
        met = reach[other, column : column + width].sum()
        scale = np.float32(times * met * (level.before[number] + level.added[place, other]))
        first = at + level.number[place] * 3 * width
        for i in range(first, first + 3 * width):
            weights[i] *= scale


@kernel(nogil=True)
def begin_with(rest, reaches, weights, room, times):
    """Turn the chances of both players into regrets that ask for them, as if so many iterations had led there.

    `reaches` are those of both players where the rest begins, by player and place.
    """
    first, later = rest.first, rest.later
    width, wide = later.cards.shape[1], first.cards.shape[1]
    reach = np.zeros((2, room.first.reach_count * wide), np.float32)
    for player in range(2):
        copy_into(reach[player, :wide], reaches[player])
        spread_reach(first, player, weights.first, 0, reach[player], 0)
    _scale_round(first, 0, reach, weights.first, 0, times)
    if rest.is_last:
        return
    closings = np.flatnonzero(first.kind == STREET_START)
    inner = np.zeros((2, room.later.reach_count * width), np.float32)
    size = 3 * (1 + later.number.max()) * width
    for river in range(len(later.counts)):
        count = later.counts[river]
        for number in range(len(closings)):
            at = (river * len(closings) + number) * size
            for player in range(2):
                origin = first.columns[player, closings[number]] * wide
                for i in range(count):
                    inner[player, i] = reach[player, origin + rest.above[river, i]]
                inner[player, count:width] = 0.0
                spread_reach(later, player, weights.later, at, inner[player], 0)
            _scale_round(later, number, inner, weights.later, at, times)
