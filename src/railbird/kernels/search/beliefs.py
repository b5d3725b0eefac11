"""What an opponent may hold, and how he plays it: Bayes' rule over all 1,326 holdings, and counts that bend a strategy.

The model of an opponent mixes two views of him, weighed by how well each has foretold what he did; each comes in
several, from memories of different length, and the bent table also as it is when nothing was seen. In a betting context
in which the opponent was seen to act n times, the weight of the frequencies counts n / (n + 2) times, and what it loses
the bent table of that memory gains (`HoldingModel.weights`). Shares are mixed as they are, and multipliers by their
logarithms, since only their ratios matter.

The *bent table* is a strategy whose probabilities are multiplied by what has been seen:

    chance(action, holding) ~ table(action, holding) x multiplier(context, cell of the holding, action)

scaled to a sum of one. A *cell* is a twentieth of the holdings by strength on the street. The multiplier is a product
over levels of context, from crude to fine. At each level, and for each cell or group of cells, two numbers are kept for
every action: how often it was seen, and how often the levels before it had expected it. With k imagined observations
that agreed, the level multiplies by (seen + k) / (expected + k): the mean of a rate with a Gamma prior around one. It
learns fast what a sensible player does otherwise, and nothing where the table knows better than the cells can tell.

The *frequencies* know no table: by cell, the shares of the actions seen, each level with k imagined observations that
repeat the level before it (Dirichlet priors), and at first all legal actions alike. They fit players whom no bending of
the table can describe.

Levels of one group ask how often an action is taken at all, whatever is held; they weigh holdings by what they were
believed to be before the action. Levels of many groups ask with what; they weigh them by what is known in the end, when
the cards were shown or, if not, by all that was done. So a hand that was folded unseen counts where it likely belongs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel

CELLS = 20
MOST = 200.0
"""No multiplier passes this, or falls below its inverse."""


class Acts(NamedTuple):
    """What the strategy does with each holding on a board."""

    codes: np.ndarray
    """The chances of folding and raising in 255ths, by bucket; or by row of a street and bucket."""
    buckets: np.ndarray
    """By holding."""
    cells: np.ndarray
    """By holding."""


class Opponent(NamedTuple):
    """The opponent as the model has him."""

    position: int
    floor: np.float32
    """The share of its chances that the strategy spreads evenly."""
    contexts: np.ndarray
    """By decision node: the number of its betting context. What the model tells apart by betting, contexts tell."""
    views: np.ndarray
    """By context and cell: see `chances`."""


class Levels(NamedTuple):
    """Levels of context, from crude to fine."""

    rows: np.ndarray
    """By level and node, or by level: the first row of counts, one row for each group of cells."""
    groups: np.ndarray
    prior: np.ndarray
    """Imagined observations."""


class Counts(NamedTuple):
    """What was seen, by row and action; or by memory, row and action."""

    seen: np.ndarray
    expected: np.ndarray
    shown: np.ndarray


@kernel(inline="always")
def bent(fold_code, raise_code, can_fold, can_raise, floor, multiplier):
    """Fold, call and raise of a holding: its codes in 255ths, floored at a share of `floor`, times the multipliers."""
    legal = np.float32(1.0 + can_fold + can_raise)
    fold = np.float32(fold_code) / np.float32(255.0)
    raise_ = np.float32(raise_code) / np.float32(255.0)
    call = np.float32(1.0) - fold - raise_
    keep = np.float32(1.0) - floor
    least = floor / legal
    fold = (keep * fold + least) * multiplier[0] if can_fold else np.float32(0.0)
    raise_ = (keep * raise_ + least) * multiplier[2] if can_raise else np.float32(0.0)
    call = (keep * call + least) * multiplier[1]
    scale = np.float32(1.0) / (fold + call + raise_)
    return fold * scale, call * scale, raise_ * scale


@kernel(inline="always")
def chances(fold_code, raise_code, can_fold, can_raise, floor, view):
    """Fold, call and raise of a holding, both views mixed.

    `view` belongs to its context and cell: three multipliers, the weight of the bent table, and three frequencies times
    theirs.
    """
    fold, call, raise_ = bent(fold_code, raise_code, can_fold, can_raise, floor, view)
    return view[3] * fold + view[4], view[3] * call + view[5], view[3] * raise_ + view[6]


@kernel(inline="always")
def _factor(seen, expected, prior, before):
    return min(MOST, max(1.0 / MOST, before * (seen + prior) / (expected + prior)))


@kernel
def fill_views(nodes, contexts, legal, bends, shares, counts, weights, out):
    """Both views of the contexts of decision nodes by cell, into `out[context, cell]` (see `chances`).

    `weights` are by context those of the unbent table, and then of the table and the frequencies of each memory.
    """
    room = np.empty((CELLS, 3)), np.empty((CELLS, 3))
    filled = np.zeros(len(out), np.bool_)
    for node in nodes:
        context = contexts[node]
        if not filled[context]:
            filled[context] = True
            at = node, context
            _fill_bends(at, bends, counts, weights[context], room, out)
            _fill_shares(at, legal, shares, counts, weights[context], room, out)


@kernel
def _fill_bends(at, bends, counts, weights, room, out):
    """The multipliers of a context, and the weight of the bent table. Groups of the finest level make up all others."""
    node, context = at
    seen, expected = counts.seen, counts.expected
    rows, groups, prior = bends.rows, bends.groups, bends.prior
    products, logarithms = room
    finest = groups.max()
    for group in range(finest):
        for action in range(3):
            logarithms[group, action] = 0.0
    table = weights[0]
    for memory in range(len(seen)):
        weight = weights[1 + 2 * memory]
        if weight > 0.0:
            table += weight
            for group in range(finest):
                for action in range(3):
                    products[group, action] = 1.0
            for level in range(len(groups)):
                first, count = rows[level, node], groups[level]
                for group in range(finest):
                    row = first + group * count // finest
                    for action in range(3):
                        had, planned = seen[memory, row, action], expected[memory, row, action]
                        products[group, action] = _factor(had, planned, prior[level], products[group, action])
            for group in range(finest):
                for action in range(3):
                    logarithms[group, action] += weight * np.log(products[group, action])
    for group in range(finest):
        for action in range(3):
            products[group, action] = np.exp(logarithms[group, action] / table) if table > 0.0 else 1.0
    for cell in range(CELLS):
        for action in range(3):
            out[context, cell, action] = products[cell * finest // CELLS, action]
        out[context, cell, 3] = table


@kernel
def _fill_shares(at, legal, shares, counts, weights, room, out):
    """The frequencies of a context, times their weights."""
    node, context = at
    found, _ = room
    for cell in range(CELLS):
        for action in range(3):
            out[context, cell, 4 + action] = 0.0
    for memory in range(len(counts.shown)):
        weight = weights[2 + 2 * memory]
        if weight > 0.0:
            _find_shares(legal[node], shares.rows[:, node], shares.groups, shares.prior, counts.shown[memory], found)
            for cell in range(CELLS):
                for action in range(3):
                    out[context, cell, 4 + action] += weight * found[cell, action]


@kernel
def _find_shares(legal, rows, groups, prior, shown, shares):
    """The frequencies of a node by cell, as one memory has them."""
    options = legal[0] + legal[1] + legal[2]
    for cell in range(CELLS):
        for action in range(3):
            shares[cell, action] = legal[action] / options
    for level in range(len(groups)):
        first, count, imagined = rows[level], groups[level], prior[level]
        for cell in range(CELLS):
            row = first + cell * count // CELLS
            total = shown[row, 0] + shown[row, 1] + shown[row, 2] + imagined
            for action in range(3):
                shares[cell, action] = (shown[row, action] + imagined * shares[cell, action]) / total


@kernel
def weigh_action(action, acts, can_fold, can_raise, floor, views, weights):
    """Bayes' rule: multiply the weight of each holding by the chance that it would act so."""
    codes, buckets, cells = acts.codes, acts.buckets, acts.cells
    for holding in range(1326):
        if weights[holding] > 0.0:
            bucket = buckets[holding]
            found = chances(codes[bucket, 0], codes[bucket, 1], can_fold, can_raise, floor, views[cells[holding]])
            weights[holding] *= found[action]


@kernel
def count_action(action, acts, legal, floor, held, bends, shares, counts):
    """Add one decision of the opponent to the counts of all levels.

    `held` are the weights of holdings before the action and at the end of the hand, each of sum one; the rows are those
    of the node. Returns the chances that the strategy, the bent table and the frequencies had given to the action.
    """
    multiplier = np.ones((CELLS, 3), np.float32)
    _count_bends(action, acts, legal, floor, held, bends, counts, multiplier)
    before, after = held
    codes, buckets, cells, shown = acts.codes, acts.buckets, acts.cells, counts.shown
    share_rows, share_groups, share_prior = shares.rows, shares.groups, shares.prior
    can_fold, can_raise = legal[0] > 0, legal[2] > 0
    found_shares = np.empty((CELLS, 3))
    _find_shares(legal, share_rows, share_groups, share_prior, shown, found_shares)
    by_strategy, by_table, by_shares = 0.0, 0.0, 0.0
    unbent = np.ones(3, np.float32)
    for holding in range(1326):
        weight = before[holding]
        if weight > 0.0:
            cell = cells[holding]
            bucket = buckets[holding]
            found = bent(codes[bucket, 0], codes[bucket, 1], can_fold, can_raise, floor, unbent)
            by_strategy += weight * found[action]
            found = bent(codes[bucket, 0], codes[bucket, 1], can_fold, can_raise, floor, multiplier[cell])
            by_table += weight * found[action]
            by_shares += weight * found_shares[cell, action]
        for level in range(len(share_groups)):
            count = share_groups[level]
            weight = before[holding] if count == 1 else after[holding]
            if weight > 0.0:
                shown[share_rows[level] + cells[holding] * count // CELLS, action] += weight
    return by_strategy, by_table, by_shares


@kernel
def _count_bends(action, acts, legal, floor, held_weights, bends, counts, multiplier):
    """The part of `count_action` that bends the strategy; `multiplier` becomes that of all levels, by cell."""
    before, after = held_weights
    codes, buckets, cells, seen, expected = acts.codes, acts.buckets, acts.cells, counts.seen, counts.expected
    bend_rows, bend_groups, bend_prior = bends.rows, bends.groups, bends.prior
    can_fold, can_raise = legal[0] > 0, legal[2] > 0
    held = np.empty(CELLS)
    planned = np.empty((CELLS, 3))
    for level in range(len(bend_groups)):
        count, first = bend_groups[level], bend_rows[level]
        weights = before if count == 1 else after
        held[:] = 0.0
        planned[:] = 0.0
        for holding in range(1326):
            weight = weights[holding]
            if weight > 0.0:
                cell = cells[holding]
                bucket = buckets[holding]
                found = bent(codes[bucket, 0], codes[bucket, 1], can_fold, can_raise, floor, multiplier[cell])
                group = cell * count // CELLS
                held[group] += weight
                for option in range(3):
                    planned[group, option] += weight * found[option]
        for cell in range(CELLS):
            row = first + cell * count // CELLS
            for option in range(3):
                multiplier[cell, option] = _factor(
                    seen[row, option], expected[row, option], bend_prior[level], multiplier[cell, option]
                )
        for group in range(count):
            seen[first + group, action] += held[group]
            for option in range(3):
                expected[first + group, option] += planned[group, option]
