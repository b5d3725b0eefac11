"""Expected values of a decision after the flop, against an opponent whose holding is a weight for each of 1,326.

The searching player holds two known cards. A node of the betting has a *reach* vector: for every holding of the
opponent the chance that he has it and acts this way. It changes where the opponent acts. Values are sums over it, so at
the player's own decisions the largest of the children's values is the best reply, and at the opponent's they add up.

Cards to come are dealt outside the betting: for each card the rounds that follow all ends of the street are walked, and
their values are averaged. Holdings that the card takes away have no reach, so cards count as the belief has it. On a
flop the cards are sampled. Taking the larger of two sampled means promises too much; so each own decision is valued
three ways: by all samples (`ALL`, too high), and by choosing with one half of them and reading the other (`EVEN` and
`ODD`, too low). A round is worth the mean of the high and the low value.

On rivers that are looked at ahead, holdings are summed up in slices of hand strength, which act alike; on a river that
has been dealt all holdings are kept apart.

Arrays by node are those of `railbird.game.betting_tree`; a betting round is a run of nodes, children after parents.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.search.beliefs import CELLS, chances
from railbird.kernels.solve.buckets import read_buckets

DECISION, FOLDED, SHOWDOWN, STREET_START = range(4)  # as in railbird.game.betting_tree
ALL, EVEN, ODD = range(3)
UNSEEN_TURNS, UNSEEN_RIVERS = 47, 46
"""Cards that may come, to a player who sees his own two and the board's. Where all are dealt nothing is sampled."""
NEGLIGIBLE = 1e-3
"""Ends of a street with a smaller share of the belief are left out of the search."""


@kernel(nogil=True)
def fill_river_chances(first, last, kind, actor, child, row, opponent, slice_codes, first_row, floor, views, out):
    """What the opponent does at river decisions, by row from `first_row` on, action and slice, into `out`."""
    slices = out.shape[2]
    for node in range(first, last + 1):
        if kind[node] != DECISION or actor[node] != opponent:
            continue
        can_fold, can_raise = child[node, 0] >= 0, child[node, 2] >= 0
        at = row[node]
        for k in range(slices):
            found = chances(
                slice_codes[at, k, 0],
                slice_codes[at, k, 1],
                can_fold,
                can_raise,
                floor,
                views[node, k * CELLS // slices],
            )
            for action in range(3):
                out[at - first_row, action, k] = found[action]


@kernel(nogil=True)
def pass_round(
    first,
    last,
    free,
    kind,
    actor,
    child,
    row,
    opponent,
    codes,
    buckets,
    cells,
    floor,
    views,
    live,
    count,
    reach,
    column,
):
    """The reach at all nodes of a round, whose first node has its own already; returns the next free column.

    `column[node]` is the row of `reach` that belongs to a node.
    """
    for node in range(first, last + 1):
        if kind[node] != DECISION:
            continue
        at = column[node]
        if actor[node] != opponent:
            _share_column(child[node], at, column)
            continue
        can_fold, can_raise = child[node, 0] >= 0, child[node, 2] >= 0
        for action in range(3):
            if child[node, action] >= 0:
                column[child[node, action]] = free + action
        table = codes[row[node]]
        view = views[node]
        for i in range(count):
            holding = live[i]
            weight = reach[at, holding]
            bucket = buckets[holding]
            fold, call, raise_ = chances(
                table[bucket, 0], table[bucket, 1], can_fold, can_raise, floor, view[cells[holding]]
            )
            reach[free, holding] = weight * fold
            reach[free + 1, holding] = weight * call
            reach[free + 2, holding] = weight * raise_
        free += 3
    return free


@kernel(nogil=True)
def _share_column(children, at, column):
    """After an own decision the opponent's reach is what it was before."""
    for action in range(3):
        if children[action] >= 0:
            column[children[action]] = at


@kernel(nogil=True)
def _total(weights, live, count):
    total = 0.0
    for i in range(count):
        total += weights[live[i]]
    return total


@kernel(nogil=True)
def back_up(first, last, kind, actor, child, committed, opponent, live, count, reach, column, values):
    """The values of a round's nodes from those of its ends, in chips; `values` is by node from `first` on, and way.

    Ends that lead to another street, or to a showdown, have their values already.
    """
    own = 1 - opponent
    for node in range(last, first - 1, -1):
        value = values[node - first]
        if kind[node] == FOLDED:
            mass = _total(reach[column[node]], live, count)
            value[:] = mass * (committed[node, opponent] if actor[node] == opponent else -committed[node, own])
        elif kind[node] == DECISION:
            if actor[node] == opponent:
                value[:] = 0.0
                for action in range(3):
                    if child[node, action] >= 0:
                        value += values[child[node, action] - first]
            else:
                _choose(child[node], first, values, value)


@kernel(nogil=True)
def _choose(children, first, values, value):
    """The value of an own decision: the best of all, and each half by the other half's choice."""
    best_even, best_odd = -1, -1
    value[ALL] = -1e30
    for action in range(3):
        if children[action] >= 0:
            after = children[action] - first
            value[ALL] = max(value[ALL], values[after, ALL])
            if best_even < 0 or values[after, EVEN] > values[best_even, EVEN]:
                best_even = after
            if best_odd < 0 or values[after, ODD] > values[best_odd, ODD]:
                best_odd = after
    value[EVEN] = values[best_odd, EVEN]
    value[ODD] = values[best_even, ODD]


@kernel(nogil=True, inline="always")
def fair(value):
    """The middle of the high and the low value."""
    return 0.5 * value[ALL] + 0.25 * (value[EVEN] + value[ODD])


@kernel(nogil=True)
def live_holdings(weights, board, live):
    """Into `live`, the holdings of some weight that hold none of the board's cards; returns how many."""
    dead = np.uint64(0)
    for card in board:
        dead |= np.uint64(1) << np.uint64(card)
    count = 0
    holding = 0
    for high in range(52):
        high_dead = (dead >> np.uint64(high)) & np.uint64(1)
        for low in range(high):
            if weights[holding] > 0.0 and not high_dead and not (dead >> np.uint64(low)) & np.uint64(1):
                live[count] = holding
                count += 1
            holding += 1
    return count


@kernel(nogil=True)
def compare_holdings(table, first, second, board, live, count, holding_cards, signs):
    """`signs[holding]`: 1 where the player's hand beats it on five cards, -1 where it loses, 0 where they tie."""
    board_key = EMPTY_KEY
    for card in board:
        board_key += CARD_KEYS[card]
    mine = rank_of_key(table, board_key + CARD_KEYS[first] + CARD_KEYS[second])
    for i in range(count):
        holding = live[i]
        rank = rank_of_key(
            table, board_key + CARD_KEYS[holding_cards[holding, 0]] + CARD_KEYS[holding_cards[holding, 1]]
        )
        signs[holding] = np.float32(mine > rank) - np.float32(mine < rank)


@kernel(nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _dot(left, right):
    total = np.float32(0.0)
    for k in range(len(left)):
        total += left[k] * right[k]
    return total


@kernel(nogil=True)
def value_river(
    first,
    last,
    kind,
    actor,
    child,
    row,
    committed,
    opponent,
    first_row,
    river_chances,
    mass,
    score,
    part,
    column,
    values,
):
    """The value of a river round, in chips: the best replies to an opponent who acts by slice of hand strength.

    `mass` is the reach by slice, `score` the same counted by who wins. `part` is room: by column, the share of each
    slice that comes to a node.
    """
    own = 1 - opponent
    slices = len(mass)
    column[first] = 0
    part[0, :] = 1.0
    free = 1
    for node in range(first, last + 1):
        if kind[node] != DECISION:
            continue
        at = column[node]
        if actor[node] != opponent:
            _share_column(child[node], at, column)
            continue
        acts = river_chances[row[node] - first_row]
        for action in range(3):
            if child[node, action] >= 0:
                column[child[node, action]] = free
                for k in range(slices):
                    part[free, k] = part[at, k] * acts[action, k]
                free += 1
    for node in range(last, first - 1, -1):
        what = kind[node]
        if what == FOLDED:
            won = committed[node, opponent] if actor[node] == opponent else -committed[node, own]
            values[node - first] = won * _dot(part[column[node]], mass)
        elif what == SHOWDOWN:
            values[node - first] = committed[node, own] * _dot(part[column[node]], score)
        elif actor[node] == opponent:
            total = 0.0
            for action in range(3):
                if child[node, action] >= 0:
                    total += values[child[node, action] - first]
            values[node - first] = total
        else:
            best = -1e30
            for action in range(3):
                if child[node, action] >= 0:
                    best = max(best, values[child[node, action] - first])
            values[node - first] = best
    return values[0]


@kernel(nogil=True)
def deal_rivers(
    cards,
    board,
    rivers,
    starts,
    stops,
    round_size,
    tables,
    tree,
    opponent,
    least,
    first_row,
    river_chances,
    live,
    count,
    reach,
    column,
    values,
):
    """Deal river cards to turn rounds: what their ends are worth goes into `values` by node from `starts[0]` on.

    The rounds run from `starts[i]` to `stops[i]`; the river rounds below them are those of `river_chances`, whose rows
    begin at `first_row`. Ends with less reach than `least` count as nothing.
    """
    first, second = cards[0], cards[1]
    table, rank_keys, holding_cards, ones = tables
    kind, actor, child, row, committed = tree
    slices = river_chances.shape[2]
    mass = np.empty(slices, np.float32)
    score = np.empty(slices, np.float32)
    part = np.empty((24, slices), np.float32)
    room = np.empty(64)
    signs = np.empty(1326, np.float32)
    strengths = np.empty(1326)
    slice_of = np.empty(1326, np.int64)
    outcome = np.empty(1326, np.float32)
    river_live = np.empty(1326, np.int64)
    longer = np.empty(5, np.uint8)
    longer[:4] = board
    base = starts[0]
    values[: stops[len(stops) - 1] - base + 1] = 0.0
    halves = np.zeros(3)
    for at in range(len(rivers)):
        halves[ALL] += 1.0
        halves[EVEN + at % 2] += 1.0
    unseen = UNSEEN_RIVERS / 44.0
    for at in range(len(rivers)):
        longer[4] = rivers[at]
        half = EVEN + at % 2
        left = 0
        for i in range(count):
            holding = live[i]
            if holding_cards[holding, 0] != rivers[at] and holding_cards[holding, 1] != rivers[at]:
                river_live[left] = holding
                left += 1
        compare_holdings(table, first, second, longer, river_live, left, holding_cards, signs)
        find_strengths(table, rank_keys, longer, ones, strengths)
        for i in range(left):
            slice_of[i] = min(np.int64(strengths[river_live[i]] * slices), slices - 1)
            outcome[i] = signs[river_live[i]]
        for number in range(len(starts)):
            for node in range(starts[number], stops[number] + 1):
                if kind[node] != STREET_START:
                    continue
                weights = reach[column[node]]
                mass[:] = 0.0
                score[:] = 0.0
                whole = 0.0
                for i in range(left):
                    k = slice_of[i]
                    weight = weights[river_live[i]]
                    mass[k] += weight
                    score[k] += weight * outcome[i]
                for k in range(slices):
                    whole += mass[k]
                if whole < least:
                    continue
                start = child[node, 1]
                value = value_river(
                    start,
                    start + round_size - 1,
                    kind,
                    actor,
                    child,
                    row,
                    committed,
                    opponent,
                    first_row,
                    river_chances,
                    mass,
                    score,
                    part,
                    column,
                    room,
                )
                values[node - base, ALL] += unseen * value / halves[ALL]
                values[node - base, half] += unseen * value / halves[half]


@kernel(nogil=True)
def search_river(
    root, last, cards, board, tables, tree, opponent, codes, buckets, cells, floor, views, weights, values
):
    """The values of the nodes from a river decision on, in chips, times the sum of `weights`, all holdings apart."""
    kind, actor, child, row, committed = tree
    live = np.empty(1326, np.int64)
    count = live_holdings(weights, board, live)
    column = np.zeros(len(kind), np.int64)
    reach = np.empty((31, 1326), np.float32)
    reach[0] = weights
    signs = np.empty(1326, np.float32)
    compare_holdings(tables[0], cards[0], cards[1], board, live, count, tables[2], signs)
    pass_round(
        root,
        last,
        1,
        kind,
        actor,
        child,
        row,
        opponent,
        codes,
        buckets,
        cells,
        floor,
        views,
        live,
        count,
        reach,
        column,
    )
    for node in range(root, last + 1):
        if kind[node] == SHOWDOWN:
            total = 0.0
            for i in range(count):
                total += reach[column[node], live[i]] * signs[live[i]]
            values[node - root] = committed[node, 0] * total
    back_up(root, last, kind, actor, child, committed, opponent, live, count, reach, column, values)


@kernel(nogil=True)
def search_turn(
    root,
    last,
    cards,
    board,
    rivers,
    round_size,
    tables,
    tree,
    opponent,
    codes,
    buckets,
    cells,
    floor,
    views,
    first_row,
    river_chances,
    weights,
    values,
):
    """The same from a turn decision on, over all river cards that the player has not seen."""
    kind, actor, child, row, committed = tree
    live = np.empty(1326, np.int64)
    count = live_holdings(weights, board, live)
    column = np.zeros(len(kind), np.int64)
    reach = np.empty((31, 1326), np.float32)
    reach[0] = weights
    least = NEGLIGIBLE * _total(reach[0], live, count)
    pass_round(
        root,
        last,
        1,
        kind,
        actor,
        child,
        row,
        opponent,
        codes,
        buckets,
        cells,
        floor,
        views,
        live,
        count,
        reach,
        column,
    )
    deal_rivers(
        cards,
        board,
        rivers,
        np.array([root]),
        np.array([last]),
        round_size,
        tables,
        tree,
        opponent,
        least,
        first_row,
        river_chances,
        live,
        count,
        reach,
        column,
        values,
    )
    values[:, EVEN] = values[:, ALL]
    values[:, ODD] = values[:, ALL]
    back_up(root, last, kind, actor, child, committed, opponent, live, count, reach, column, values)


@kernel(nogil=True)
def search_flop(
    root,
    last,
    cards,
    board,
    turns,
    rivers,
    round_size,
    tables,
    tree,
    opponent,
    codes,
    buckets,
    cells,
    turn_codes,
    turn_cells,
    turn_buckets,
    isomorphisms,
    floor,
    views,
    first_row,
    river_chances,
    weights,
    values,
):
    """The same from a flop decision on, over sampled cards: `turns[i]` and for each of them `rivers[i]`.

    `turn_buckets` is the table of buckets by class of holding and board, `turn_cells` the cell of each bucket.
    """
    kind, actor, child, row, committed = tree
    live = np.empty(1326, np.int64)
    count = live_holdings(weights, board, live)
    column = np.zeros(len(kind), np.int64)
    reach = np.empty((31, 1326), np.float32)
    reach[0] = weights
    least = NEGLIGIBLE * _total(reach[0], live, count)
    pass_round(
        root,
        last,
        1,
        kind,
        actor,
        child,
        row,
        opponent,
        codes,
        buckets,
        cells,
        floor,
        views,
        live,
        count,
        reach,
        column,
    )
    ends = np.empty(16, np.int64)
    starts = np.empty(16, np.int64)
    stops = np.empty(16, np.int64)
    found = 0
    for node in range(root, last + 1):
        if kind[node] == STREET_START and _total(reach[column[node]], live, count) >= least:
            ends[found] = node
            starts[found] = child[node, 1]
            stops[found] = child[node, 1] + round_size - 1
            found += 1
    values[: last - root + 1] = 0.0
    if found:
        starts, stops = starts[:found], stops[:found]
        later = np.empty((stops[found - 1] - starts[0] + 1, 3))
        turn_reach = np.empty((31 * found, 1326), np.float32)
        longer = np.empty(4, np.uint8)
        longer[:3] = board
        board_buckets = np.empty(1326, np.uint16)
        board_cells = np.empty(1326, np.int64)
        turn_live = np.empty(1326, np.int64)
        unseen = UNSEEN_TURNS / 45.0
        evens = (len(turns) + 1) // 2
        for at in range(len(turns)):
            longer[3] = turns[at]
            read_buckets(isomorphisms, turn_buckets, longer, 4, board_buckets)
            left = live_holdings(weights, longer, turn_live)
            for i in range(left):
                board_cells[turn_live[i]] = turn_cells[board_buckets[turn_live[i]]]
            free = 0
            for number in range(found):
                column[starts[number]] = free
                turn_reach[free] = reach[column[ends[number]]]
                free = pass_round(
                    starts[number],
                    stops[number],
                    free + 1,
                    kind,
                    actor,
                    child,
                    row,
                    opponent,
                    turn_codes,
                    board_buckets,
                    board_cells,
                    floor,
                    views,
                    turn_live,
                    left,
                    turn_reach,
                    column,
                )
            deal_rivers(
                cards,
                longer,
                rivers[at],
                starts,
                stops,
                round_size,
                tables,
                tree,
                opponent,
                least,
                first_row,
                river_chances,
                turn_live,
                left,
                turn_reach,
                column,
                later,
            )
            if rivers.shape[1] == UNSEEN_RIVERS:
                later[:, EVEN] = later[:, ALL]
                later[:, ODD] = later[:, ALL]
            half = EVEN + at % 2
            in_half = evens if half == EVEN else len(turns) - evens
            for number in range(found):
                first = starts[number]
                part = later[first - starts[0] : stops[number] - starts[0] + 1]
                back_up(
                    first,
                    stops[number],
                    kind,
                    actor,
                    child,
                    committed,
                    opponent,
                    turn_live,
                    left,
                    turn_reach,
                    column,
                    part,
                )
                value = unseen * fair(part[0])
                values[ends[number] - root, ALL] += value / len(turns)
                values[ends[number] - root, half] += value / in_half
        if len(turns) == UNSEEN_TURNS:
            values[:, EVEN] = values[:, ALL]
            values[:, ODD] = values[:, ALL]
    back_up(root, last, kind, actor, child, committed, opponent, live, count, reach, column, values)
