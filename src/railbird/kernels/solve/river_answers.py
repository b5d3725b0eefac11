"""The best answers to a learner on a river: what one who needs no buckets wins, holding by holding, and how.

The words, the shape of a round and the lanes are those of `vector_cfr`. The learner's strategy is known, and with it
what reaches each closing (x of step 3). So for each holding of the opponent the best action at each of its decisions
follows from what the round's ends are worth, from the last decision to the first:

    value(own node)       = largest of value(a)      a call before a raise before a fold, where they are worth the same
    value(learner's node) = sum of value(a)

On the way back the opponent's paths are written down, 1 where all its answers lead to a closing and 0 elsewhere, from
which step 4 finds what the learner wins.

F of a fold is a sum of those of closings with signs (the `mixes`). F is linear in the sums over all holdings and by
card, and in x, so these are mixed, once for all holdings. A few holdings go through the round together, so that what
they need stays near the processor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import LANES, at_least, fill, larger, load, store
from railbird.kernels.solve.cfr_buckets import CLOSING, FOLD, HEAD, MIX_FIELDS, NODE_FIELDS

_TOGETHER = 16
"""Holdings that go through the round together."""
_SUMS = 53
"""One by card, and the whole."""


class Answers(NamedTuple):
    """Room for one block: [closing, holding] what is won and the paths, each followed by numbers of a few holdings,
    [fold, holding] and [node, holding] values and [node, holding] paths; [closing or fold, card] sums, [fold, place]
    paths of the learner."""

    values: np.ndarray
    paths: np.ndarray
    choices: np.ndarray
    sums: np.ndarray
    fold_sums: np.ndarray
    fold_paths: np.ndarray
    holdings: np.ndarray
    """int64: 0, 1, 2 and so on, by which a holding is found as a bucket is."""


@kernel(inline="always")
def made_answers(shape, count, places):
    nodes, closings, folds = shape[0], shape[1], shape[2]
    return Answers(
        np.empty((closings * count + (folds + nodes) * _TOGETHER) * LANES, np.float32),
        np.empty((closings * count + nodes * _TOGETHER) * LANES, np.float32),
        np.empty(3 * nodes * _TOGETHER * LANES, np.float32),
        np.empty(closings * _SUMS * LANES, np.float32),
        np.empty(folds * _SUMS * LANES, np.float32),
        np.empty(folds * places * LANES, np.float32),
        np.arange(count),
    )


@kernel
def note_closing(closing, board, total, stake, room, answers):
    """After a sweep: what a closing is worth to each holding of the opponent, and the sums of what it meets."""
    count, cards, upto = len(board.ends), board.cards, room.upto
    for i in range(count):
        most = total - load(upto, LANES * cards[2 * i]) - load(upto, LANES * cards[2 * i + 1])
        store((load(room.scores, LANES * i) - most) * stake, answers.values, LANES * (closing * count + i))
    for card in range(_SUMS - 1):
        store(load(upto, LANES * card), answers.sums, LANES * (_SUMS * closing + card))
    store(total, answers.sums, LANES * (_SUMS * closing + _SUMS - 1))


@kernel
def mix_folds(shape, player, folds, paths, places, answers):
    """The same sums for the folds, and the learner's paths to them, each times what the fold is worth to `player`."""
    zero = fill(np.float32(0.0))
    for at in range(shape[2] * _SUMS):
        store(zero, answers.fold_sums, LANES * at)
    for at in range(shape[2] * places):
        store(zero, answers.fold_paths, LANES * at)
    first = HEAD + NODE_FIELDS * shape[0]
    for mix in range(shape[3]):
        at = first + MIX_FIELDS * mix
        if shape[at] != player:
            continue
        fold, closing = shape[at + 1], shape[at + 2]
        scale = fill(np.float32(shape[at + 3])) * load(folds, LANES * (shape[2] * player + fold))
        _add_scaled(_SUMS, scale, answers.sums, closing, answers.fold_sums, fold)
        _add_scaled(places, scale, paths, closing, answers.fold_paths, fold)


@kernel
def _add_scaled(width, scale, source, source_row, target, target_row):
    for k in range(width):
        to = LANES * (target_row * width + k)
        store(load(target, to) + scale * load(source, LANES * (source_row * width + k)), target, to)


@kernel
def _value_folds(shape, board, reaches, first, stop, answers):
    """What the folds are worth to some holdings."""
    cards, buckets, places, count = board.cards, board.places, len(board.present), len(board.ends)
    sums, paths, values = answers.fold_sums, answers.fold_paths, answers.values
    for fold in range(shape[2]):
        row, to = _SUMS * fold, _values_at(shape, FOLD + fold, first, count)
        total = load(sums, LANES * (row + _SUMS - 1))
        for i in range(first, stop):
            blocked = load(sums, LANES * (row + cards[2 * i])) + load(sums, LANES * (row + cards[2 * i + 1]))
            own = load(reaches, LANES * i) * load(paths, LANES * (fold * places + buckets[i]))
            store(total - blocked + own, values, to + LANES * (i - first))


@kernel
def _values_at(shape, to, first, count):
    """Where the values of some holdings are, after an action that leads to `to`."""
    if to >= FOLD:
        return LANES * (shape[1] * count + _TOGETHER * (to - FOLD))
    if to >= CLOSING:
        return LANES * ((to - CLOSING) * count + first)
    return LANES * (shape[1] * count + _TOGETHER * (shape[2] + max(to, 0)))


@kernel
def _choose(shape, node, first, stop, count, values, choices):
    """The best actions of some holdings at one of their decisions, into `choices`, and what they are worth."""
    at, row = HEAD + NODE_FIELDS * node, 3 * LANES * _TOGETHER * node
    here = _values_at(shape, node, first, count)
    one, never = fill(np.float32(1.0)), fill(np.float32(-3e38))
    folds, raises = shape[at + 1] >= 0, shape[at + 3] >= 0
    fold_at = _values_at(shape, shape[at + 1], first, count)
    call_at = _values_at(shape, shape[at + 2], first, count)
    raise_at = _values_at(shape, shape[at + 3], first, count)
    for j in range(0, LANES * (stop - first), LANES):
        called, raised, folded = load(values, call_at + j), never, never
        if raises:
            raised = load(values, raise_at + j)
        if folds:
            folded = load(values, fold_at + j)
        best = larger(larger(raised, called), folded)
        calls = at_least(called, best)
        raising = (one - calls) * at_least(raised, best)
        store(one - calls - raising, choices, row + j)
        store(calls, choices, row + LANES * _TOGETHER + j)
        store(raising, choices, row + 2 * LANES * _TOGETHER + j)
        store(best, values, here + j)


@kernel
def _add_up(shape, node, first, stop, count, values):
    """What one of the learner's decisions is worth to some holdings."""
    at, here = HEAD + NODE_FIELDS * node, _values_at(shape, node, first, count)
    begun = False
    for action in range(3):
        to = shape[at + 1 + action]
        if to < 0:
            continue
        after = _values_at(shape, to, first, count)
        for j in range(0, LANES * (stop - first), LANES):
            value = load(values, after + j)
            if begun:
                value = value + load(values, here + j)
            store(value, values, here + j)
        begun = True


@kernel
def _find_paths(shape, player, first, stop, count, choices, paths):
    """The paths of some holdings to all closings."""
    nodes_at = LANES * shape[1] * count
    for j in range(0, LANES * (stop - first), LANES):
        store(fill(np.float32(1.0)), paths, nodes_at + j)
    for node in range(shape[0]):
        at, row = HEAD + NODE_FIELDS * node, LANES * _TOGETHER * node
        for action in range(3):
            to = shape[at + 1 + action]
            if to < 0 or to >= FOLD:
                continue
            after = nodes_at + LANES * _TOGETHER * to
            if to >= CLOSING:
                after = LANES * ((to - CLOSING) * count + first)
            chosen = 3 * row + LANES * _TOGETHER * action
            for j in range(0, LANES * (stop - first), LANES):
                path = load(paths, nodes_at + row + j)
                if shape[at] == player:
                    path = path * load(choices, chosen + j)
                store(path, paths, after + j)


@kernel
def answer(shape, player, board, reaches, found, found_at, width, answers):
    """Let all holdings of the opponent answer, who is `player`: their paths to all closings, and what they win.

    `reaches` are the learner's; the value of holding i goes to `found` at `found_at` + `width` * i.
    """
    count, values, choices, paths = len(board.ends), answers.values, answers.choices, answers.paths
    for first in range(0, count, _TOGETHER):
        stop = min(first + _TOGETHER, count)
        _value_folds(shape, board, reaches, first, stop, answers)
        for node in range(shape[0] - 1, -1, -1):
            if shape[HEAD + NODE_FIELDS * node] == player:
                _choose(shape, node, first, stop, count, values, choices)
            else:
                _add_up(shape, node, first, stop, count, values)
        root = _values_at(shape, 0, first, count)
        for i in range(first, stop):
            store(load(values, root + LANES * (i - first)), found, found_at + width * i)
        _find_paths(shape, player, first, stop, count, choices, paths)
