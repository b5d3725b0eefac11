"""Counterfactual regret minimisation with public chance sampling, for all holdings of both players at once.

One board of five cards is sampled (Johanson, Bard, Lanctot, Gibson and Bowling 2012, "public chance sampling"). The
n = 1,081 holdings that it leaves are numbered in rising order of their rank on it. Every holding of each player plays
the whole betting tree, and regrets are kept by bucket: `bucket(street, holding)`.

**Words.** On a street all betting rounds have one shape. An *opening* is the beginning of one of them: 1, 7, 63 and 567
openings by street in heads-up limit hold'em with four bets at most. Within a round, *nodes* are its decisions in
depth-first order, *closings* its ends with both players in (9 after the flop; each leads to an opening of the next
street, on the river to a showdown) and *folds* its ends by a fold. With S openings on a street, closing l of the
opening in lane s leads to that in lane l * S + s of the next (`railbird.solve.training_rounds`).

**Lanes.** Sixteen openings make a *block*, and every number below is sixteen numbers side by side, one for each of its
openings (`lanes`). A table of regrets, and likewise one of strategy sums, is a flat float32 array
[block, bucket, 3 * node + action, lane] with the actions fold, call, raise; the last block is filled up with openings
that do not exist.

**Arithmetic.** For each opening, let r_p(h) be the chance that player p's own decisions lead here with holding h
(1 for all before the flop).

1. Strategy, by bucket. x+ = max(x, 0).
       sigma(a) = regret(a)+ / sum over legal b of regret(b)+, or 1 / (number of legal actions) where the sum is 0
   From it, for each player, the product of the player's own sigmas from the opening to each node, closing and fold:
   path_p(node), path_p(closing), path_p(fold).
2. Strategy sums, for the player p who acts at a node:
       sum(a) += average_weight * path_p(node) * sigma(a) * (sum of r_p(h) over the bucket's holdings)
3. What reaches a closing: x(h) = r_o(h) * path_o(closing), for the opponent o of p. With T the sum of x, and C[c] the
   sum of x over the holdings with card c, each holding h = (c, d) of p meets
       F(h) = T - C[c] - C[d] + x(h)
   and with T<, C< and T<=, C<= the same sums over the holdings of lower, and of lower or equal rank, wins by
       W(h) = (T< - C<[c] - C<[d]) + (T<= - C<=[c] - C<=[d]) - (T - C[c] - C[d])
   more than it loses (inclusion and exclusion; the holding itself cancels).
4. Values for p. A showdown is worth chips(closing) * W(h), where `chips` is what each player has put in; a closing
   before the river the value of its opening on the next street. A fold is worth +-chips(who folded) * F(h), with F of
   the opponent's chances there. That need no sweep of its own: who may fold may call, so if p folds, the opponent's
   chances are those of the closing that p's call leads to; and if o folds they are those before the decision less
   those after o's call and o's raise. So F of a fold is a sum of F of closings with signs +1 and -1: the `mixes`,
   rows of (p, fold, closing, sign). Before the flop one more closing, the last, has path 1: the opening itself.
       value(h) = sum over closings of path_p * value(closing) + sum over folds of path_p * value(fold)
5. Regrets, by bucket. The values of step 4 summed over the bucket's holdings give a value to each end, and upwards to
   each node: sum of sigma(a) * value(a) at p's own nodes, sum of value(a) at the opponent's. For each action of p
       regret(a) = max(floor, regret(a) + regret_weight * (value(a) - value(node)))
   Both players are updated from the same strategies. A floor of 0 makes it regret matching+ (Tammelin 2014); without
   a floor and with weights that rise by one for each board it is linear CFR (Brown and Sandholm 2019).

A street that weighs nothing is played as its regrets say and learns nothing: what comes before and after is trained for
it.

**Two tables.** Both players may go by the regrets of one table, or each by its own. Then one of them learns, and the
other is there to oppose it: it has finer buckets, no average is kept of it, and on the river it answers perfectly,
holding by holding (`river_answers`).

The board's chance is left out: it is the same for all boards, and regret matching does not mind a factor.

The shape of a round comes in one int32 array (`shape`): node count, closing count (with the extra one), fold count, mix
count, whether the street ends in showdowns, then five numbers for each node (actor; what fold, call and raise lead to:
-1 nothing, n a node, 1000 + l a closing, 2000 + f a fold; number of legal actions), then the mixes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import LANES, fill, load, store
from railbird.kernels.solve.cfr_buckets import (
    Chips,
    Room,
    Weights,
    add_regrets,
    add_strategy,
    find_paths,
    match_regrets,
    weigh_folds,
)
from railbird.kernels.solve.river_answers import answer, made_answers, mix_folds, note_closing
from railbird.kernels.solve.training_boards import Board

LEARNS, OPPOSES, ANSWERS = 0, 1, 2
"""Parts that a player has on a street: to learn what is kept, to learn so that the other learns, or to answer."""


class Rounds(NamedTuple):
    """The betting rounds of a street. All arrays here and below are flat."""

    shape: np.ndarray
    count: int
    """How many openings there are."""
    closing_chips: np.ndarray
    """float32 [block, closing, lane]: chips that each player has put in."""
    fold_chips: np.ndarray
    """float32 [block, player, fold, lane]: what the fold is worth to the player."""


class Table(NamedTuple):
    """What is learned on a street."""

    layout: np.ndarray
    """int64 [player, 3]: where the regrets begin that the player goes by, how many buckets they have, and the player's
    part: `LEARNS`, `OPPOSES` or `ANSWERS`."""
    regrets: np.ndarray
    sums: np.ndarray


class Rows(NamedTuple):
    """Room for numbers on a street, [player, holding, opening]: rows of whole blocks, 16 numbers to spare."""

    reaches: np.ndarray
    values: np.ndarray


@kernel
def _base(shape, block, layout, board, place, player):
    """Where the regrets begin that a player goes by, of one bucket in one block."""
    bucket = board.finer[place] if layout[player, 2] == OPPOSES else board.present[place]
    return layout[player, 0] + LANES * 3 * shape[0] * (block * layout[player, 1] + bucket)


@kernel
def _bases(shape, block, layout, board, place, last_part):
    """The same for both players; -1 for one whose part comes after `last_part`."""
    first, second = np.int64(-1), np.int64(-1)
    if layout[0, 2] <= last_part:
        first = _base(shape, block, layout, board, place, 0)
    if layout[1, 2] <= last_part:
        second = _base(shape, block, layout, board, place, 1)
    return first, second


@kernel
def _sweep(board, reaches, buckets, paths, room):
    """Step 3: `passing` becomes x, `scores` the two brackets of W(h) added up; `upto` ends as C. Returns T."""
    ends, cards, upto, scores, passing = board.ends, board.cards, room.upto, room.scores, room.passing
    count = len(ends)
    total = fill(np.float32(0.0))
    for card in range(52):
        store(total, upto, LANES * card)
    start = 0
    while start < count:
        end = ends[start]
        if end == start + 1:
            passed = load(reaches, LANES * start) * load(paths, LANES * buckets[start])
            store(passed, passing, LANES * start)
            first, second = LANES * cards[2 * start], LANES * cards[2 * start + 1]
            with_first, with_second = load(upto, first), load(upto, second)
            ahead = total - with_first - with_second
            store(ahead + ahead - passed, scores, LANES * start)
            store(with_first + passed, upto, first)
            store(with_second + passed, upto, second)
            total = total + passed
        else:
            before = total
            for i in range(start, end):
                blocked = load(upto, LANES * cards[2 * i]) + load(upto, LANES * cards[2 * i + 1])
                store(blocked, scores, LANES * i)
            for i in range(start, end):
                passed = load(reaches, LANES * i) * load(paths, LANES * buckets[i])
                store(passed, passing, LANES * i)
                first, second = LANES * cards[2 * i], LANES * cards[2 * i + 1]
                store(load(upto, first) + passed, upto, first)
                store(load(upto, second) + passed, upto, second)
                total = total + passed
            before = before + total
            for i in range(start, end):
                blocked = load(upto, LANES * cards[2 * i]) + load(upto, LANES * cards[2 * i + 1])
                store(before - load(scores, LANES * i) - blocked, scores, LANES * i)
        start = end
    return total


@kernel
def _sum_up(board, reaches, buckets, paths, room):
    """Step 3 without ranks: `passing` becomes x, `upto` C. Returns T."""
    cards, upto, passing = board.cards, room.upto, room.passing
    total = fill(np.float32(0.0))
    for card in range(52):
        store(total, upto, LANES * card)
    for i in range(len(board.ends)):
        passed = load(reaches, LANES * i) * load(paths, LANES * buckets[i])
        store(passed, passing, LANES * i)
        first, second = LANES * cards[2 * i], LANES * cards[2 * i + 1]
        store(load(upto, first) + passed, upto, first)
        store(load(upto, second) + passed, upto, second)
        total = total + passed
    return total


@kernel
def _value_holdings(shape, player, closing, board, total, stake, later, room):
    """Steps 3 and 4 for one closing: add its part to the values of all holdings, and sum up by bucket for step 5.

    What the closing is worth stands in an array (`later`: the array, its numbers for each holding, and where they
    begin): the sum of brackets that `_sweep` left, or the value that the next street found.
    """
    closings, showdowns = shape[1], shape[4]
    cards, starts, members, places = board.cards, board.starts, board.members, len(board.present)
    upto, paths, rates, values, wins, meetings = (
        room.upto,
        room.paths,
        room.rates,
        room.values,
        room.wins,
        room.meetings,
    )
    results, stride, offset = later
    passing = room.passing
    is_opening = closing == closings - 1
    own_row = (closings * player + closing) * places
    for place in range(places):
        rate = load(rates, LANES * (own_row + place))
        own = load(paths, LANES * (own_row + place)) * stake
        won, met = fill(np.float32(0.0)), fill(np.float32(0.0))
        for at in range(starts[place], starts[place + 1]):
            i = members[at]
            x = load(passing, LANES * i)
            most = total - load(upto, LANES * cards[2 * i]) - load(upto, LANES * cards[2 * i + 1])
            value = load(values, LANES * i) + rate * (most + x)
            met = met + most + x
            if not is_opening:
                result = load(results, stride * i + offset)
                if showdowns:
                    result = result - most
                won = won + result
                value = value + own * result
            store(value, values, LANES * i)
        store(won, wins, LANES * (own_row + place))
        store(met, meetings, LANES * (own_row + place))


@kernel
def _find_strategies(shape, block, table, board, chips, weight, room):
    """Steps 1 and 2, and the fold rates of step 4, for all buckets that the board shows, in one block."""
    starts, members = board.starts, board.members
    sigma, node_paths, reaches, few = room.sigma, room.node_paths, room.reaches, room.few
    places, count = len(board.present), len(board.ends)
    for place in range(places):
        match_regrets(shape, table.regrets, _bases(shape, block, table.layout, board, place, ANSWERS), sigma)
        find_paths(shape, sigma, node_paths, room.paths, room.fold_paths, place, places)
        weigh_folds(shape, chips.folds, room.fold_paths, room.rates, place, places)
        if weight > 0.0:
            for player in range(2):
                here = fill(np.float32(0.0))
                for at in range(starts[place], starts[place + 1]):
                    here = here + load(reaches, LANES * (count * player + members[at]))
                store(here, few, LANES * player)
            bases = _bases(shape, block, table.layout, board, place, LEARNS)
            add_strategy(shape, sigma, node_paths, few, weight, table.sums, bases)


@kernel
def _copy_reaches(count, reaches, width, at, block_reaches):
    """The chances of both players at the openings of a block, laid close together."""
    for i in range(2 * count):
        store(load(reaches, width * i + at), block_reaches, LANES * i)


@kernel
def _pass_reaches(rounds, at, board, next_reaches, next_width, room):
    """The chances at the closings of a block, which are those at the openings of the next street."""
    closings, openings, count, places = rounds.shape[1], rounds.count, len(board.ends), len(board.present)
    buckets, reaches, paths, few = board.places, room.reaches, room.paths, room.few
    real = min(LANES, openings - at)
    for player in range(2):
        for i in range(count):
            here = load(reaches, LANES * (count * player + i))
            row = next_width * (count * player + i)
            for closing in range(closings - 1):
                passed = here * load(paths, LANES * ((closings * player + closing) * places + buckets[i]))
                to = row + closing * openings + at
                if real == LANES:
                    store(passed, next_reaches, to)
                else:
                    store(passed, few, 0)
                    for lane in range(real):
                        next_reaches[to + lane] = few[lane]


@kernel(inline="always")
def _value_block(rounds, at, board, chips, values, next_values, next_width, room):
    """Steps 3 and 4 for the openings of a block: what they are worth to both players, into `values`."""
    shape, count, places = rounds.shape, len(board.ends), len(board.present)
    closings, showdowns = shape[1], shape[4]
    width = _width(rounds)
    for player in range(2):
        room.values[:] = 0.0
        opponents = room.reaches[count * (1 - player) * LANES :]
        for closing in range(closings):
            other_paths = room.paths[(closings * (1 - player) + closing) * places * LANES :]
            if closing == closings - 1 and showdowns:
                continue
            if showdowns:
                stake = load(chips.closings, LANES * closing)
                total = _sweep(board, opponents, board.places, other_paths, room)
                _value_holdings(shape, player, closing, board, total, stake, (room.scores, LANES, 0), room)
            else:
                stake = fill(np.float32(1.0))
                total = _sum_up(board, opponents, board.places, other_paths, room)
                later = (next_values, next_width, next_width * count * player + closing * rounds.count + at)
                _value_holdings(shape, player, closing, board, total, stake, later, room)
        for i in range(count):
            store(load(room.values, LANES * i), values, width * (count * player + i) + at)


@kernel(inline="always")
def _value_answered(rounds, at, player, board, chips, values, room, answers):
    """The same on a river where the opponent of `player` answers perfectly, instead of going by a table."""
    shape, count, places = rounds.shape, len(board.ends), len(board.present)
    closings, width = shape[1], _width(rounds)
    opponent = 1 - player
    reaches = room.reaches[count * player * LANES :]
    own_paths = room.paths[closings * player * places * LANES :]
    for closing in range(closings - 1):
        total = _sweep(board, reaches, board.places, own_paths[closing * places * LANES :], room)
        note_closing(closing, board, total, load(chips.closings, LANES * closing), room, answers)
    mix_folds(shape, opponent, chips.folds, own_paths, places, answers)
    answer(shape, opponent, board, reaches, values, width * count * opponent + at, width, answers)
    room.values[:] = 0.0
    opponents = room.reaches[count * opponent * LANES :]
    for closing in range(closings - 1):
        total = _sweep(board, opponents, answers.holdings, answers.paths[closing * count * LANES :], room)
        stake = load(chips.closings, LANES * closing)
        _value_holdings(shape, player, closing, board, total, stake, (room.scores, LANES, 0), room)
    for i in range(count):
        store(load(room.values, LANES * i), values, width * (count * player + i) + at)


@kernel(inline="always")
def _learn(shape, block, table, board, chips, weights, room):
    """Step 5, for all buckets that the board shows, in one block."""
    places = len(board.present)
    for place in range(places):
        known = _bases(shape, block, table.layout, board, place, ANSWERS)
        match_regrets(shape, table.regrets, known, room.sigma)
        learning = _bases(shape, block, table.layout, board, place, OPPOSES)
        add_regrets(shape, chips, place, places, weights, table.regrets, learning, room)


@kernel
def _width(rounds):
    """The openings of a street, filled up to whole blocks."""
    return (rounds.count + LANES - 1) // LANES * LANES


@kernel(inline="always")
def _made_room(rounds, boards):
    nodes, folds, by_bucket = 0, 0, 0
    count = len(boards[0].ends)
    for street in range(len(rounds)):
        shape = rounds[street].shape
        nodes, folds = max(nodes, shape[0]), max(folds, shape[2])
        by_bucket = max(by_bucket, shape[1] * len(boards[street].present))
    return Room(
        np.empty(3 * nodes * LANES, np.float32),
        np.empty(2 * nodes * LANES, np.float32),
        np.empty(2 * nodes * LANES, np.float32),
        np.empty(2 * folds * LANES, np.float32),
        np.empty(2 * folds * LANES, np.float32),
        np.empty(2 * count * LANES, np.float32),
        np.empty(count * LANES, np.float32),
        np.empty(count * LANES, np.float32),
        np.empty(52 * LANES, np.float32),
        np.empty(2 * by_bucket * LANES, np.float32),
        np.empty(2 * by_bucket * LANES, np.float32),
        np.empty(2 * by_bucket * LANES, np.float32),
        np.empty(2 * by_bucket * LANES, np.float32),
        np.empty(count * LANES, np.float32),
        np.empty(2 * LANES, np.float32),
    )


@kernel(nogil=True)
def train_on_board(all_rounds, tables, rows, boards: tuple[Board, ...], weights: tuple[Weights, ...]):
    """One board: steps 1 to 5 on every street. Tuples have an entry for each street."""
    room = _made_room(all_rounds, boards)
    streets = len(all_rounds)
    answers = made_answers(all_rounds[streets - 1].shape, len(boards[0].ends), len(boards[streets - 1].present))
    rows[0].reaches[:] = 1.0
    for step in range(2 * streets - 1):
        street = step if step < streets else 2 * streets - 2 - step
        down, up = step < streets, step >= streets - 1
        rounds, table, board, here = all_rounds[street], tables[street], boards[street], rows[street]
        shape, count, width = rounds.shape, len(board.ends), _width(rounds)
        following = min(street + 1, streets - 1)
        next_width, later = _width(all_rounds[following]), rows[following]
        for block in range(width // LANES):
            at = LANES * block
            chips = Chips(rounds.closing_chips[shape[1] * at :], rounds.fold_chips[2 * shape[2] * at :])
            _copy_reaches(count, here.reaches, width, at, room.reaches)
            average = weights[street].average if down else np.float32(0.0)
            _find_strategies(shape, block, table, board, chips, average, room)
            if up and max(table.layout[0, 2], table.layout[1, 2]) == ANSWERS:
                learner = 0 if table.layout[1, 2] == ANSWERS else 1
                _value_answered(rounds, at, learner, board, chips, here.values, room, answers)
            elif up:
                _value_block(rounds, at, board, chips, here.values, later.values, next_width, room)
            if up and weights[street].regret > 0.0:
                _learn(shape, block, table, board, chips, weights[street], room)
            if not up:
                _pass_reaches(rounds, at, board, later.reaches, next_width, room)
