"""What an opponent does on one street, over all its betting rounds, with a weight for each unit of what he may hold.

Before the flop a unit is a holding; later it is a cell, a twentieth of strength, whose holdings act as they do on
average. See `railbird.search.outline`.
"""

from __future__ import annotations

from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into
from railbird.kernels.numbered_tree import DECISION
from railbird.kernels.search.beliefs import chances


@kernel
def pass_street(first, opponent, tree, codes, cells, reach, triples):
    """The reach at all nodes of a street's rounds, which have it where they begin, and what the opponent does there.

    `reach` is by node from `first` on, and unit; `codes` are the chances of folding and raising in 255ths, by row and
    unit, and `cells` the units' cells. `triples` stay as they are where the opponent never comes.
    """
    kind, actor, child, row = tree.kind, tree.actor, tree.child, tree.row
    contexts, views, floor, position = opponent.contexts, opponent.views, opponent.floor, opponent.position
    for node in range(first, first + len(reach)):
        if kind[node] != DECISION:
            continue
        here = reach[node - first]
        if actor[node] != position:
            for action in range(3):
                if child[node, action] >= 0:
                    copy_into(reach[child[node, action] - first], here)
            continue
        table, view = codes[row[node]], views[contexts[node]]
        fold_at, call_at, raise_at = child[node]
        sums = 0.0, 0.0, 0.0
        for unit in range(len(here)):
            weight = here[unit]
            if weight > 0.0:
                found = chances(table[unit, 0], table[unit, 1], fold_at >= 0, raise_at >= 0, floor, view[cells[unit]])
                if fold_at >= 0:
                    reach[fold_at - first, unit] = weight * found[0]
                reach[call_at - first, unit] = weight * found[1]
                if raise_at >= 0:
                    reach[raise_at - first, unit] = weight * found[2]
                sums = sums[0] + weight * found[0], sums[1] + weight * found[1], sums[2] + weight * found[2]
        total = sums[0] + sums[1] + sums[2]
        if total > 0.0:
            for action in range(3):
                triples[node, action] = sums[action] / total
