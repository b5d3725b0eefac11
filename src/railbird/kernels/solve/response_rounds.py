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
showdown, or for the next street) or leads to a decision, its fold ends the hand, and its raise leads to a decision
whose values are there already, in a plane of holding x lane. A stage needs what is left of the reach after the
opponent's call and after its fold, or once for both where the responder acts, and changes its plane in place. Sums over
the opponent's holdings go by `bunches`, which are far fewer. The responder takes the best action for each holding; the
opponent's actions add up, since the reach has their chances in it.

Where they are asked for, the responder's *answers* are noted: by block, holding and lane one number of 16 bits, two for
each of its decisions in the round (0 fold, 1 call, 2 raise). Of equally good actions a call comes first, then a raise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.lane_sums import plus_exactly
from railbird.kernels.lanes import LANES, fill, larger, load, store
from railbird.kernels.solve.bunches import CARDS, add_by_card, find_bunches, gather, weighed

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

PLANE = 1326 * LANES
PLANES = 4  # two of decisions' values, the reach where the round begins, and the values where a call ends
REACH, ENDS = 2, 3
SIGNED_AT = PLANES * PLANE
SUMS_AT = SIGNED_AT + CARDS * LANES
WEIGHTS_AT = SUMS_AT + CARDS * LANES
BUNCHES_AT = WEIGHTS_AT + 2 * PLANE
SHARES_AT = BUNCHES_AT + PLANE
FEW_AT = SHARES_AT + 2 * PLANE
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
def parts_of(room):
    """Of the room to work in: the planes; the signed sums by card, and the plain ones; weights by bucket; reach by
    bunch, and by share."""
    return (
        room[:SIGNED_AT],
        room[SIGNED_AT:SUMS_AT],
        room[SUMS_AT:WEIGHTS_AT],
        room[WEIGHTS_AT:BUNCHES_AT],
        room[BUNCHES_AT:SHARES_AT],
        room[SHARES_AT:FEW_AT],
    )


@kernel(nogil=True)
def bunches_of(live, chances):
    """How the holdings of a board fall together for an opponent."""
    return find_bunches(live.order, live.ends, live.count, live.cards, chances.buckets, chances.bucket_count)


@kernel(nogil=True)
def take_reach(live, bunches, reach, block, room):
    """The reach where the rounds of a block begin: by holding in order, by bunch and by share."""
    order = live.order
    planes, _, _, _, of_bunches, of_shares = parts_of(room)
    for i in range(live.count):
        store(load(reach, block * PLANE + LANES * order[i]), planes, REACH * PLANE + LANES * i)
    here = planes[REACH * PLANE :]
    gather(bunches.bunch_members, bunches.members_ends, here, of_bunches)
    gather(bunches.share_members, bunches.share_members_ends, here, of_shares)


@kernel(nogil=True)
def _follow(stage, path, chances, bunches, block, weights):
    """What the opponent's steps on a path leave of its reach, by bucket."""
    table, present = chances.table, bunches.buckets
    row = chances.bucket_count * LANES
    table_at = block * chances.decisions * 3 * row
    for k in range(len(present)):
        weight, at = fill(np.float32(1.0)), table_at + present[k] * LANES
        for step in range(path, path + PATH_STEPS):
            if stage[step] < 0:
                break
            weight = weight * load(table, at + stage[step] * row)
        store(weight, weights, LANES * k)


@kernel(nogil=True)
def _sum_up(bunches, weights, room, sums):
    """The sums by card of what the weights leave of the reach; returns all of it."""
    _, _, _, _, of_bunches, of_shares = parts_of(room)
    zero = fill(np.float32(0.0))
    for card in range(CARDS):
        store(zero, sums, LANES * card)
    add_by_card(bunches, of_shares, weights, 0, len(bunches.share_cards), sums)
    total, error, start = zero, zero, 0
    for stop in bunches.bunch_ends:
        total, error = plus_exactly(total, error, weighed(of_bunches, bunches.bunch_places, weights, start, stop))
        start = stop
    return total


@kernel(nogil=True)
def weigh(stage, weighs, chances, bunches, block, room):
    """What is left of the reach after call and fold: weights by bucket, the fold's after the call's, and the sums.

    The sums are signed for a showdown after the call, plain for the fold. Returns the whole, signed and plain.
    """
    _, signed, sums, weights, _, _ = parts_of(room)
    zero = fill(np.float32(0.0))
    balance, total = zero, zero
    folds, same = stage[FOLD_KIND] > 0, stage[SAME_REACH] == 1
    if weighs:
        _follow(stage, CALL_PATH, chances, bunches, block, weights)
        total = _sum_up(bunches, weights, room, sums)
        balance = zero - total
        for card in range(CARDS):
            store(zero - load(sums, LANES * card), signed, LANES * card)
    if folds and not same:
        of_fold = weights[PLANE:]
        _follow(stage, FOLD_PATH, chances, bunches, block, of_fold)
        total = _sum_up(bunches, of_fold, room, sums)
    return balance, total


@kernel(nogil=True)
def walk_ranks(balance, call_stake, bunches, room):
    """What each holding wins at a showdown: the stakes times the reach it beats minus the reach that beats it."""
    planes, signed, _, weights, of_bunches, of_shares = parts_of(room)
    first_cards, second_cards = bunches.first_cards, bunches.second_cards
    start = bunch = share = 0
    error = fill(np.float32(0.0))
    for tie in range(len(bunches.tie_ends)):
        stop, bunch_stop, share_stop = bunches.tie_ends[tie], bunches.bunch_ends[tie], bunches.share_ends[tie]
        tied = weighed(of_bunches, bunches.bunch_places, weights, bunch, bunch_stop)
        add_by_card(bunches, of_shares, weights, share, share_stop, signed)
        balance, error = plus_exactly(balance, error, tied)
        for i in range(start, stop):
            won = (balance - load(signed, first_cards[i]) - load(signed, second_cards[i])) * call_stake
            store(won, planes, ENDS * PLANE + LANES * i)
        add_by_card(bunches, of_shares, weights, share, share_stop, signed)
        balance, error = plus_exactly(balance, error, tied)
        start, bunch, share = stop, bunch_stop, share_stop


@kernel(nogil=True)
def given_up(i, total, stake, bunches, weights, planes, sums):
    """What a fold wins for a holding: the stake times the reach that it meets."""
    unblocked = total - load(sums, bunches.first_cards[i]) - load(sums, bunches.second_cards[i])
    own = load(planes, REACH * PLANE + LANES * i) * load(weights, bunches.places[i])
    return (unblocked + own) * stake


@kernel(nogil=True)
def fold_stake(stage, chips):
    """What a fold is worth to the responder."""
    sign = fill(np.float32(1.0 if stage[FOLD_KIND] == 2 else -1.0))
    return (chips + fill(np.float32(stage[FOLD_STAKE]))) * sign


@kernel(nogil=True)
def fold_weights(stage, weights):
    """Those that `weigh` left for the fold."""
    return weights if stage[SAME_REACH] == 1 else weights[PLANE:]


@kernel(nogil=True)
def _note_answers(stage, live, bunches, total, stake, block, room, answers):
    """Note which action is best at one of the responder's decisions, before its values take the place of others."""
    order = live.order
    planes, _, sums, weights, _, _ = parts_of(room)
    left, few = fold_weights(stage, weights), room[FEW_AT:]
    call_at = PLANE * (stage[CALL_PLANE] if stage[CALL_PLANE] >= 0 else ENDS)
    raise_at = PLANE * stage[RAISE_PLANE]
    for i in range(live.count):
        store(load(planes, call_at + LANES * i), few, 0)
        raised = folded = fill(np.float32(-1e38))
        if raise_at >= 0:
            raised = load(planes, raise_at + LANES * i)
        if stage[FOLD_KIND] > 0:
            folded = given_up(i, total, stake, bunches, left, planes, sums)
        store(raised, few, LANES)
        store(folded, few, 2 * LANES)
        for lane in range(LANES):
            best, most = 1, few[lane]
            if few[LANES + lane] > most:
                best, most = 2, few[LANES + lane]
            if few[2 * LANES + lane] > most:
                best = 0
            answers[block * PLANE + LANES * order[i] + lane] |= np.uint16(best << 2 * stage[CHOICE])


@kernel(nogil=True)
def _work_stage(stage, is_scaled, chances, live, bunches, block, chips, room, answers):
    planes, _, sums, weights, _, _ = parts_of(room)
    own, walks, folds = stage[OWN] == 1, stage[CALL_KIND] == 1, stage[FOLD_KIND] > 0
    scales = is_scaled and stage[CALL_KIND] == 2
    total = fill(np.float32(0.0))
    if walks or scales or folds:
        balance, total = weigh(stage, walks or scales or stage[SAME_REACH] == 1, chances, bunches, block, room)
        if walks:
            walk_ranks(balance, chips + fill(np.float32(stage[CALL_STAKE])), bunches, room)
    stake, left = fold_stake(stage, chips), fold_weights(stage, weights)
    if own and len(answers) > 0:
        _note_answers(stage, live, bunches, total, stake, block, room, answers)
    call_at = PLANE * (stage[CALL_PLANE] if stage[CALL_PLANE] >= 0 else ENDS)
    raise_at, out_at = PLANE * stage[RAISE_PLANE], PLANE * stage[OUT_PLANE]
    for i in range(live.count):
        value = load(planes, call_at + LANES * i)
        if scales:
            value = value * load(planes, REACH * PLANE + LANES * i) * load(weights, bunches.places[i])
        if raise_at >= 0:
            raised = load(planes, raise_at + LANES * i)
            value = larger(value, raised) if own else value + raised
        if folds:
            folded = given_up(i, total, stake, bunches, left, planes, sums)
            value = larger(value, folded) if own else value + folded
        store(value, planes, out_at + LANES * i)


@kernel(nogil=True)
def take_closing(stage, block, live, later, room):
    """Lay the values of a stage's closing, those of the openings that follow, where the stage looks for them."""
    order, values = live.order, later.values
    planes = room[:SIGNED_AT]
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
    planes, bunches = room[:SIGNED_AT], bunches_of(live, chances)
    answers[:] = 0
    for block in range(len(committed) // LANES):
        chips = load(committed, LANES * block)
        take_reach(live, bunches, reach, block, room)
        for s in range(len(stages)):
            stage = stages[s]
            if stage[CALL_KIND] == 2:
                take_closing(stage, block, live, later, room)
            _work_stage(stage, later.is_scaled, chances, live, bunches, block, chips, room, answers)
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
