"""One betting round of CFR-BR: a learner against an opponent whose answers are known, for all holdings at once.

The words and the layout are those of `response_rounds`. The opponent has answered the learner's strategy perfectly and
its answers were noted there. Spread out, they are a table of probabilities 0 and 1 in which every holding is a bucket
of its own, so that what a holding of the learner wins is found as it is for a responder. The learner then plays what
its table says, instead of the best action:

    value(h) = sum over actions a of chance(a, bucket of h) * value(h, a)
    regret(a, bucket) += weight * (value(h, a) - value(h))       for every holding h of the bucket
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lane_sums import add_to
from railbird.kernels.lanes import LANES, fill, larger, load, share, store
from railbird.kernels.solve.response_rounds import (
    CALL_KIND,
    CALL_PLANE,
    CALL_STAKE,
    DECISION,
    ENDS,
    FOLD_KIND,
    OUT_PLANE,
    OWN,
    PLANE,
    RAISE_PLANE,
    SAME_REACH,
    SIGNED_AT,
    bunches_of,
    fold_stake,
    fold_weights,
    given_up,
    parts_of,
    take_closing,
    take_reach,
    walk_ranks,
    weigh,
)

CHOICES = 5
"""The most decisions that a player has in a round."""


@kernel(nogil=True)
def spread_answers(answers, table):
    """Answers by block, holding and lane as a table by block, choice, action, holding and lane."""
    row = PLANE
    for block in range(len(answers) // row):
        for at in range(row):
            answer = np.int64(answers[block * row + at])
            for choice in range(CHOICES):
                chosen = answer >> 2 * choice & 3
                for action in range(3):
                    table[((block * CHOICES + choice) * 3 + action) * row + at] = np.float32(action == chosen)


@kernel(nogil=True)
def _learn_stage(stage, other, own, live, bunches, block, chips, weight, room, gains):
    """What a decision is worth by holding; at one of the learner's, what each action would have gained."""
    order, buckets, table = live.order, own.buckets, own.table
    planes, _, sums, weights, _, _ = parts_of(room)
    acts, walks, folds = stage[OWN] == 1, stage[CALL_KIND] == 1, stage[FOLD_KIND] > 0
    zero = fill(np.float32(0.0))
    total = zero
    if walks or folds:
        balance, total = weigh(stage, walks or stage[SAME_REACH] == 1, other, bunches, block, room)
        if walks:
            walk_ranks(balance, chips + fill(np.float32(stage[CALL_STAKE])), bunches, room)
    stake, left = fold_stake(stage, chips), fold_weights(stage, weights)
    call_at = PLANE * (stage[CALL_PLANE] if stage[CALL_PLANE] >= 0 else ENDS)
    raise_at, out_at = PLANE * stage[RAISE_PLANE], PLANE * stage[OUT_PLANE]
    row = own.bucket_count * LANES
    first = (block * own.decisions + stage[DECISION]) * 3 * row
    scale = fill(weight)
    for i in range(live.count):
        called, raised, folded = load(planes, call_at + LANES * i), zero, zero
        if raise_at >= 0:
            raised = load(planes, raise_at + LANES * i)
        if folds:
            folded = given_up(i, total, stake, bunches, left, planes, sums)
        if not acts:
            store(called + raised + folded, planes, out_at + LANES * i)
            continue
        fold_at = first + buckets[order[i]] * LANES
        call_to, raise_to = fold_at + row, fold_at + 2 * row
        value = load(table, call_to) * called
        if raise_at >= 0:
            value = value + load(table, raise_to) * raised
        if folds:
            value = value + load(table, fold_at) * folded
        add_to(gains, call_to, scale * (called - value))
        if raise_at >= 0:
            add_to(gains, raise_to, scale * (raised - value))
        if folds:
            add_to(gains, fold_at, scale * (folded - value))
        store(value, planes, out_at + LANES * i)


@kernel(nogil=True)
def learn(stages, other, own, live, reach, committed, later, weight, room, out, gains):
    """The value of a round's opening to each holding of the learner, in chips, and the regrets of its decisions.

    `other` are the opponent's `Chances`, every holding a bucket of its own, and `reach` its reach; `own` the learner's.
    What an action gains more than the learner's play is added to `gains`, laid out as the learner's table is, `weight`
    times. The rest is as in `response_rounds.respond`.
    """
    order = live.order
    planes, bunches = room[:SIGNED_AT], bunches_of(live, other)
    for block in range(len(committed) // LANES):
        chips = load(committed, LANES * block)
        take_reach(live, bunches, reach, block, room)
        for s in range(len(stages)):
            if stages[s, CALL_KIND] == 2:
                take_closing(stages[s], block, live, later, room)
            _learn_stage(stages[s], other, own, live, bunches, block, chips, weight, room, gains)
        last = stages[len(stages) - 1, OUT_PLANE] * PLANE
        for i in range(live.count):
            store(load(planes, last + LANES * i), out, block * PLANE + LANES * order[i])


@kernel(nogil=True)
def add_strategy(steps, chances, live, reach, weight, sums):
    """Add to `sums`, laid out as the table is, what a player does on its way through a round, weighted by its reach.

    A row of `steps` has the number of a step, 3 * decision + action, and the path that ends with it.
    """
    order, buckets, table = live.order, chances.buckets, chances.table
    row = chances.bucket_count * LANES
    blocks = len(table) // (chances.decisions * 3 * row)
    for block in range(blocks):
        for i in range(live.count):
            holding = order[i]
            at = block * chances.decisions * 3 * row + buckets[holding] * LANES
            before = fill(weight) * load(reach, block * PLANE + holding * LANES)
            for s in range(len(steps)):
                chance = before
                for step in steps[s, 1:]:
                    if step >= 0:
                        chance = chance * load(table, at + step * row)
                add_to(sums, at + steps[s, 0] * row, chance)


@kernel(nogil=True)
def match_regrets(regrets, legal, bucket_count, table):
    """The strategy that regrets ask for: in proportion to the positive ones, evenly among legal actions where none is.

    Both are by block, decision, action, bucket and lane; `legal` by decision and action.
    """
    decisions, row = len(legal), bucket_count * LANES
    zero = fill(np.float32(0.0))
    for group in range(len(regrets) // (3 * row)):
        allowed = legal[group % decisions]
        even = np.float32(1.0) / np.float32(allowed.sum())
        for bucket in range(bucket_count):
            at = group * 3 * row + bucket * LANES
            whole = zero
            for action in range(3):
                if allowed[action]:
                    whole = whole + larger(load(regrets, at + action * row), zero)
            for action in range(3):
                wanted = zero
                if allowed[action]:
                    wanted = share(larger(load(regrets, at + action * row), zero), whole, fill(even))
                store(wanted, table, at + action * row)


@kernel(nogil=True)
def take_over(kept, found, weight, floor):
    """Take over what was found: kept = max(floor, kept + weight * found); found = 0."""
    for at in range(len(kept)):
        kept[at] = max(floor, kept[at] + weight * found[at])
        found[at] = 0.0
