"""One betting round of a best response: the values of all holdings at all of a street's openings at once.

The responder faces an opponent whose strategy is known. At each node of the betting the opponent's *reach* is a vector:
for every holding the chance that the opponent would have played this way with it. It changes where the opponent acts
and nowhere else. All rounds of a street have the same shape, whatever came before them; they are worked side by side,
one *lane* for each opening (567 on the river of heads-up limit hold'em), sixteen lanes to a block. Arrays by opening
are flat and laid out by block, then holding, then lane; tables of probabilities by block, decision of the round,
action, bucket and lane. They should begin at a multiple of 64 bytes, which is a third quicker.

What a holding wins is summed over the opponent's holdings that share no card with it. Where the hand ends by a fold
that is the chips won times the whole reach, and leaving out what the holding blocks takes two sums by card:

    all(h) = whole reach - reach with its first card - reach with its second card + reach of the holding itself

At a showdown the holdings are walked in rising order of rank with signed sums, which begin as minus everything: the
reach above counts -1, and +1 once it has been passed. Holdings of equal rank enter together at 0, are read, and leave
together at +1; being at 0 itself, a holding needs no correction for its own reach.

A round is worked from its last decision to its first. Each decision is a *stage*: its call closes the round (by a
showdown, or for the next street) or leads to a decision, its fold ends the hand, and its raise leads to a
decision whose values are there already, in a plane of holding x lane. A stage needs two reach vectors at most (after
the opponent's call and fold, or one for both where the responder acts), takes two sweeps over the holdings, and changes
its plane in place. The responder takes the best action for each holding; the opponent's actions add up, since the reach
has their chances in it.

Where they are asked for, the responder's *answers* are noted: by block, holding and lane one number of 16 bits, two for
each of its decisions in the round (0 fold, 1 call, 2 raise). Of equally good actions a call comes first, then a raise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import LANES, fill, larger, load, store

# The numbers of a stage.
OWN = 0  # 1 where the responder acts
CALL_KIND = 1  # 0: the call leads to a decision; 1: showdown; 2: the next street
CLOSING = 2  # number of the closing that the call leads to
CALL_STAKE = 3  # chips that the responder has added to the opening's at a showdown
FOLD_KIND = 4  # 0: no fold; 1: the responder folds; 2: the opponent folds
FOLD_STAKE = 5  # chips that the one who folds has added to the opening's
RAISE_PLANE = 6  # the plane with the values after a raise, -1 if there is none
OUT_PLANE = 7  # the plane to leave the values in
CALL_PLANE = 8  # the plane with the values after a call that leads to a decision, -1 if there is none
SAME_REACH = 9  # 1 where call and fold share one reach vector
DECISION = 10  # number of the decision in its round
CALL_PATH = 11  # the opponent's steps on the way to the call's end, each 3 * decision + action, -1 after the last
PATH_STEPS = 4
FOLD_PATH = CALL_PATH + PATH_STEPS
CHOICE = FOLD_PATH + PATH_STEPS  # number of the decision among the responder's, -1 where the opponent acts
STAGE_LENGTH = CHOICE + 1

PLANES = 5  # two of decisions' values, the reach after a call and after a fold, and the values where a call ends
CALLED, FOLDED, ENDS = 2, 3, 4
PLANE = 1326 * LANES
SUMS_AT = PLANES * PLANE + 52 * LANES
FEW_AT = SUMS_AT + 52 * LANES
ROOM = FEW_AT + 3 * LANES


class Chances(NamedTuple):
    """What the opponent does on one board."""

    table: np.ndarray
    """Flat, by block, decision, action, bucket and lane."""
    decisions: int
    """Of a round."""
    bucket_count: int
    buckets: np.ndarray
    """By holding."""


class Live(NamedTuple):
    """The holdings that a board leaves possible."""

    order: np.ndarray
    """Those holdings, in rising order of rank where the board has five cards."""
    ends: np.ndarray
    """By place in that order: one past the last of those that tie."""
    count: int
    cards: np.ndarray
    """By holding: its two cards."""


NO_ANSWERS = np.empty(0, np.uint16)


class Later(NamedTuple):
    """What the next street is worth."""

    openings: np.ndarray
    """By block, closing and lane: the opening that follows, -1 for lanes left over."""
    values: np.ndarray
    """Of those openings, flat."""
    is_scaled: bool
    """Whether the values have yet to be multiplied by the opponent's reach."""


@kernel(nogil=True)
def sort_holdings(table, card_keys, board, order, ends, ranks):
    """The holdings that are possible on a board of five cards, in rising order of rank; returns how many.

    `ends[i]` is one past the last of those that tie with the holding at place i. `ranks` is room for 1,326 numbers.
    On a shorter board the order means nothing, and every holding is a group by itself.
    """
    dead = np.uint64(0)
    board_key = EMPTY_KEY
    for card in board:
        dead |= np.uint64(1) << np.uint64(card)
        board_key += card_keys[card]
    complete = len(board) == 5
    count = 0
    holding = 0
    for high in range(52):
        for low in range(high):
            if not (dead >> np.uint64(high) | dead >> np.uint64(low)) & np.uint64(1):
                rank = rank_of_key(table, board_key + card_keys[high] + card_keys[low]) if complete else 0
                ranks[count] = rank << 11 | holding
                count += 1
            holding += 1
    if complete:
        ranks[:count].sort()
    end = count
    for i in range(count - 1, -1, -1):
        order[i] = ranks[i] & 2047
        if i + 1 < count and (not complete or ranks[i] >> 11 != ranks[i + 1] >> 11):
            end = i + 1
        ends[i] = end
    return count


@kernel(nogil=True)
def pass_reach(closing_paths, chances, live, reach, next_openings, room, later):
    """The opponent's reach at the closings of a round: into `later`, at `next_openings` (see `Later.openings`).

    `room` has place for sixteen numbers.
    """
    order, buckets, table = live.order, chances.buckets, chances.table
    row = chances.bucket_count * LANES
    for block in range(len(next_openings)):
        for i in range(live.count):
            holding = order[i]
            at = block * chances.decisions * 3 * row + buckets[holding] * LANES
            before = load(reach, block * PLANE + holding * LANES)
            for closing in range(len(closing_paths)):
                weight = before
                for step in closing_paths[closing]:
                    if step >= 0:
                        weight = weight * load(table, at + step * row)
                store(weight, room, 0)
                for lane in range(LANES):
                    to = next_openings[block, closing, lane]
                    if to >= 0:
                        later[to // LANES * PLANE + holding * LANES + to % LANES] = room[lane]


@kernel(nogil=True)
def take_from(sums, at, weight):
    store(load(sums, at) - weight, sums, at)


@kernel(nogil=True)
def add_to(sums, at, weight):
    store(load(sums, at) + weight, sums, at)


@kernel(nogil=True)
def plus_exactly(total, error, weight):
    """The total with a weight added, and what rounding took from it, to be made good the next time (Kahan 1965).

    A thousand nearly equal numbers added up plainly in single precision drift by a hundred-thousandth.
    """
    weight = weight - error
    larger_total = total + weight
    return larger_total, larger_total - total - weight


@kernel(nogil=True)
def parts_of(room):
    """Of the room to work in: the planes, the signed sums by card, and the plain ones."""
    return room[: PLANES * PLANE], room[PLANES * PLANE : SUMS_AT], room[SUMS_AT:FEW_AT]


@kernel(nogil=True)
def weigh(stage, weighs, chances, live, reach, block, room):
    """The reach after call and fold by holding, and its sums: signed for the call, plain for the fold; returns both."""
    order, cards, buckets, table = live.order, live.cards, chances.buckets, chances.table
    planes, signed, sums = parts_of(room)
    walks, folds = stage[CALL_KIND] == 1, stage[FOLD_KIND] > 0
    row = chances.bucket_count * LANES
    table_at = block * chances.decisions * 3 * row
    zero = fill(np.float32(0.0))
    balance, total, of_balance, of_total = zero, zero, zero, zero
    for card in range(52):
        store(zero, signed, LANES * card)
        store(zero, sums, LANES * card)
    same = stage[SAME_REACH] == 1
    for i in range(live.count):
        holding = order[i]
        first, second = LANES * cards[holding, 0], LANES * cards[holding, 1]
        at = table_at + buckets[holding] * LANES
        before = load(reach, block * PLANE + holding * LANES)
        called = before
        if weighs:
            for step in range(CALL_PATH, CALL_PATH + PATH_STEPS):
                if stage[step] < 0:
                    break
                called = called * load(table, at + stage[step] * row)
            store(called, planes, CALLED * PLANE + LANES * i)
        if walks:
            balance, of_balance = plus_exactly(balance, of_balance, zero - called)
            take_from(signed, first, called)
            take_from(signed, second, called)
        if folds:
            folded = called
            if not same:
                folded = before
                for step in range(FOLD_PATH, FOLD_PATH + PATH_STEPS):
                    if stage[step] < 0:
                        break
                    folded = folded * load(table, at + stage[step] * row)
            store(folded, planes, FOLDED * PLANE + LANES * i)
            total, of_total = plus_exactly(total, of_total, folded)
            add_to(sums, first, folded)
            add_to(sums, second, folded)
    return balance, total


@kernel(nogil=True)
def walk_ranks(balance, call_stake, live, room):
    """What each holding wins at a showdown: the stakes times the reach it beats minus the reach that beats it."""
    order, ends, cards = live.order, live.ends, live.cards
    planes, signed, _ = parts_of(room)
    start = 0
    error = fill(np.float32(0.0))
    while start < live.count:
        end = ends[start]
        tied = fill(np.float32(0.0))
        for i in range(start, end):
            weight = load(planes, CALLED * PLANE + LANES * i)
            tied = tied + weight
            add_to(signed, LANES * cards[order[i], 0], weight)
            add_to(signed, LANES * cards[order[i], 1], weight)
        balance, error = plus_exactly(balance, error, tied)
        for i in range(start, end):
            first, second = LANES * cards[order[i], 0], LANES * cards[order[i], 1]
            won = (balance - load(signed, first) - load(signed, second)) * call_stake
            store(won, planes, ENDS * PLANE + LANES * i)
        for i in range(start, end):
            weight = load(planes, CALLED * PLANE + LANES * i)
            add_to(signed, LANES * cards[order[i], 0], weight)
            add_to(signed, LANES * cards[order[i], 1], weight)
        balance, error = plus_exactly(balance, error, tied)
        start = end


@kernel(nogil=True)
def _note_answers(stage, live, total, fold_stake, block, room, answers):
    """Note which action is best at one of the responder's decisions, before its values take the place of others."""
    order, cards = live.order, live.cards
    planes, _, sums = parts_of(room)
    few = room[FEW_AT:]
    call_at = PLANE * (stage[CALL_PLANE] if stage[CALL_PLANE] >= 0 else ENDS)
    raise_at = PLANE * stage[RAISE_PLANE]
    for i in range(live.count):
        store(load(planes, call_at + LANES * i), few, 0)
        raised = given_up = fill(np.float32(-1e38))
        if raise_at >= 0:
            raised = load(planes, raise_at + LANES * i)
        if stage[FOLD_KIND] > 0:
            unblocked = total - load(sums, LANES * cards[order[i], 0]) - load(sums, LANES * cards[order[i], 1])
            given_up = (unblocked + load(planes, FOLDED * PLANE + LANES * i)) * fold_stake
        store(raised, few, LANES)
        store(given_up, few, 2 * LANES)
        for lane in range(LANES):
            best, most = 1, few[lane]
            if few[LANES + lane] > most:
                best, most = 2, few[LANES + lane]
            if few[2 * LANES + lane] > most:
                best = 0
            answers[block * PLANE + LANES * order[i] + lane] |= np.uint16(best << 2 * stage[CHOICE])


@kernel(nogil=True)
def _work_stage(stage, is_scaled, chances, live, reach, block, chips, room, answers):
    order, cards = live.order, live.cards
    planes, _, sums = parts_of(room)
    own, walks, folds = stage[OWN] == 1, stage[CALL_KIND] == 1, stage[FOLD_KIND] > 0
    scales = is_scaled and stage[CALL_KIND] == 2
    weighs = walks or scales or stage[SAME_REACH] == 1
    total = fill(np.float32(0.0))
    if weighs or folds:
        balance, total = weigh(stage, weighs, chances, live, reach, block, room)
        if walks:
            walk_ranks(balance, chips + fill(np.float32(stage[CALL_STAKE])), live, room)
    fold_stake = (chips + fill(np.float32(stage[FOLD_STAKE]))) * fill(
        np.float32(1.0 if stage[FOLD_KIND] == 2 else -1.0)
    )
    if own and len(answers) > 0:
        _note_answers(stage, live, total, fold_stake, block, room, answers)
    call_at = PLANE * (stage[CALL_PLANE] if stage[CALL_PLANE] >= 0 else ENDS)
    raise_at, out_at = PLANE * stage[RAISE_PLANE], PLANE * stage[OUT_PLANE]
    for i in range(live.count):
        value = load(planes, call_at + LANES * i)
        if scales:
            value = value * load(planes, CALLED * PLANE + LANES * i)
        if raise_at >= 0:
            raised = load(planes, raise_at + LANES * i)
            value = larger(value, raised) if own else value + raised
        if folds:
            unblocked = total - load(sums, LANES * cards[order[i], 0]) - load(sums, LANES * cards[order[i], 1])
            given_up = (unblocked + load(planes, FOLDED * PLANE + LANES * i)) * fold_stake
            value = larger(value, given_up) if own else value + given_up
        store(value, planes, out_at + LANES * i)


@kernel(nogil=True)
def take_closing(stage, block, live, later, room):
    """Lay the values of a stage's closing, those of the openings that follow, where the stage looks for them."""
    order, values = live.order, later.values
    planes, _, _ = parts_of(room)
    for lane in range(LANES):
        to = later.openings[block, stage[CLOSING], lane]
        for i in range(live.count):
            value = np.float32(0.0)
            if to >= 0:
                value = values[to // LANES * PLANE + order[i] * LANES + to % LANES]
            planes[ENDS * PLANE + LANES * i + lane] = value


@kernel(nogil=True)
def respond(stages, chances, live, reach, committed, later, room, out, answers):
    """The value of a round's opening to each holding of a responder who plays the rest perfectly, in chips.

    `committed` is what each player has put in by block and lane. A closing is worth what `later` says for the opening
    that follows. `room` has place for `ROOM` numbers. The best actions are noted in `answers`, unless it is empty.
    """
    order = live.order
    planes, _, _ = parts_of(room)
    answers[:] = 0
    for block in range(len(committed) // LANES):
        chips = load(committed, LANES * block)
        for s in range(len(stages)):
            stage = stages[s]
            if stage[CALL_KIND] == 2:
                take_closing(stage, block, live, later, room)
            _work_stage(stage, later.is_scaled, chances, live, reach, block, chips, room, answers)
        last = stages[len(stages) - 1, OUT_PLANE] * PLANE
        for i in range(live.count):
            store(load(planes, last + LANES * i), out, block * PLANE + LANES * order[i])


@kernel(nogil=True)
def add_relabelled(values, live, relabelled, sums):
    """Add the values of one board to `sums`, as those of the board whose suits are relabelled."""
    order = live.order
    for block in range(len(values) // PLANE):
        for i in range(live.count):
            to = block * PLANE + relabelled[order[i]] * LANES
            store(load(sums, to) + load(values, block * PLANE + order[i] * LANES), sums, to)
