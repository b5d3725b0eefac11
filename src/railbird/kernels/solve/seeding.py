"""What both players do, and what they show down, when a known strategy plays itself on one board.

The betting tree is walked depth first. For each player every holding carries the chance that its own decisions lead to
the node; a node's share of all hands is the product of both players' sums. That the players' cards exclude each other
is left out: it hardly changes how often an action is taken or how strong a hand is at showdown.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.numbered_tree import Tree


@kernel
def play_itself(tables, tree: Tree, showdown, cells, live, triples, histograms):
    """Add one board's actions to `triples` (by node) and hands shown to `histograms` (by position, showdown, cell).

    `tables` has the strategy of each street by row, holding and action; `showdown` the number of a showdown node, -1
    for others. `cells` is the histogram cell of each holding on the board, `live` 1.0 for those that can be dealt.
    """
    streets, rows, actor, child = tree.street, tree.row, tree.actor, tree.child
    depth_limit = 64
    holdings = len(cells)
    reach = np.zeros((depth_limit, 2, holdings))
    nodes = np.empty(4 * depth_limit, np.int64)
    depths = np.empty(4 * depth_limit, np.int64)
    actions = np.empty(4 * depth_limit, np.int64)
    parents = np.empty(4 * depth_limit, np.int64)
    nodes[0], depths[0], actions[0], parents[0] = 0, 0, -1, -1
    size = 1
    while size > 0:
        size -= 1
        node, depth, action, before = nodes[size], depths[size], actions[size], parents[size]
        here = reach[depth]
        if action < 0 and before < 0:
            here[0] = live
            here[1] = live
        else:
            here[:] = reach[depth - 1]
            if action >= 0:
                table = tables[streets[before]][rows[before]]
                mine = here[actor[before]]
                for holding in range(holdings):
                    mine[holding] *= table[holding, action]
        sums = here[0].sum(), here[1].sum()
        if sums[0] * sums[1] <= 0.0:
            continue
        if showdown[node] >= 0:
            for position in range(2):
                for holding in range(holdings):
                    histograms[position, showdown[node], cells[holding]] += here[position, holding] * sums[1 - position]
            continue
        decides = rows[node] >= 0
        if decides:
            table = tables[streets[node]][rows[node]]
            mine = here[actor[node]]
            for holding in range(holdings):
                weight = mine[holding] * sums[1 - actor[node]]
                for choice in range(3):
                    triples[node, choice] += weight * table[holding, choice]
        for choice in range(3):
            if child[node, choice] >= 0:
                nodes[size], depths[size], parents[size] = child[node, choice], depth + 1, node
                actions[size] = choice if decides else -1
                size += 1
