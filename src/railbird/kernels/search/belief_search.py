"""Expected values of a decision after the flop, against an opponent whose holding is a weight for each of 1,326.

The searching player holds two known cards. A node of the betting has a *reach* vector: for every holding of the
opponent the chance that he has it and acts this way. It changes where the opponent acts. Values are sums over it, so at
the player's own decisions the largest of the children's values is the best reply, and at the opponent's they add up.

Cards to come are dealt outside the betting: for each card the rounds that follow all ends of the street are walked, and
their values are averaged. Holdings that the card takes away have no reach, so cards count as the belief has it. On a
flop the cards are sampled. Taking the larger of two sampled means promises too much; so each own decision is valued
three ways: by all samples (`ALL`, too high), and by choosing with one half of them and reading the other (`EVEN` and
`ODD`, too low). A round is worth the mean of the high and the low value. Which cards are dealt follows from the
player's cards and the flop (`spread_cards`).

On rivers that are looked at ahead, holdings are summed up in slices of hand strength, which act alike
(`river_lookahead`); on a river that has been dealt all holdings are kept apart.

Arrays by node are those of `railbird.game.betting_tree`; a betting round is a run of nodes, children after parents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import CARD_KEYS
from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into
from railbird.kernels.numbered_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels.search.beliefs import Acts, chances
from railbird.kernels.search.river_lookahead import (
    ALL,
    EVEN,
    ODD,
    UNSEEN_RIVERS,
    Belief,
    Dealt,
    Rivers,
    TurnRounds,
    compare_holdings,
    deal_rivers,
    share_column,
)
from railbird.kernels.search.spread_cards import spread_cards
from railbird.kernels.solve.buckets import read_buckets

UNSEEN_TURNS = 47
"""Turn cards that may come. Where all cards are dealt nothing is sampled."""
NEGLIGIBLE = 1e-3
"""Ends of a street with a smaller share of the belief are left out of the search."""


class Spot(NamedTuple):
    """A decision that is searched."""

    root: int
    last: int
    """The last node that follows from it on its street."""
    cards: np.ndarray
    """The player's two cards."""
    board: np.ndarray
    weights: np.ndarray
    """By holding of the opponent: how likely it is."""


class Turns(NamedTuple):
    """Cards to come, and how the opponent acts on turns and rivers; a search on the river has none of them."""

    turns: np.ndarray
    """Sampled after a flop."""
    river_cards: np.ndarray
    """By turn card: the river cards dealt after it."""
    codes: np.ndarray
    cells: np.ndarray
    """By bucket."""
    buckets: np.ndarray
    """By class of holding and board."""
    isomorphisms: np.ndarray
    rivers: Rivers


@kernel(nogil=True)
def pass_round(first, last, free, tree, opponent, acts, belief):
    """The reach at all nodes of a round, whose first node has its own already; returns the next free column."""
    kind, actor, child, row = tree.kind, tree.actor, tree.child, tree.row
    codes, buckets, cells = acts.codes, acts.buckets, acts.cells
    contexts, views, floor = opponent.contexts, opponent.views, opponent.floor
    live, count, reach, column = belief.live, belief.count, belief.reach, belief.column
    position = opponent.position
    for node in range(first, last + 1):
        if kind[node] != DECISION:
            continue
        at = column[node]
        if actor[node] != position:
            share_column(child[node], at, column)
            continue
        can_fold, can_raise = child[node, 0] >= 0, child[node, 2] >= 0
        for action in range(3):
            if child[node, action] >= 0:
                column[child[node, action]] = free + action
        table = codes[row[node]]
        view = views[contexts[node]]
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
def _total(weights, live, count):
    total = 0.0
    for i in range(count):
        total += weights[live[i]]
    return total


@kernel(nogil=True)
def back_up(first, last, tree, opponent, belief, values):
    """The values of a round's nodes from those of its ends, in chips; `values` is by node from `first` on, and way.

    Ends that lead to another street, or to a showdown, have their values already.
    """
    kind, actor, child, committed = tree.kind, tree.actor, tree.child, tree.committed
    live, count, reach, column = belief.live, belief.count, belief.reach, belief.column
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
                        for way in range(3):
                            value[way] += values[child[node, action] - first, way]
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


@kernel(nogil=True, inline="always")
def begin(spot, nodes):
    """The belief at the decision that is searched, with room for what follows on its street in a tree of `nodes`."""
    live = np.empty(1326, np.int64)
    count = live_holdings(spot.weights, spot.board, live)
    reach = np.empty((31, 1326), np.float32)
    copy_into(reach[0], spot.weights)
    return Belief(live, count, reach, np.zeros(nodes, np.int64))


@kernel(nogil=True)
def search(spot, turns, showdowns, tree, opponent, acts, values):
    """The values of the nodes from a decision after the flop on, in chips, times the sum of `weights`.

    On the river all holdings are kept apart; on the turn all river cards are dealt that `turns` has for its one turn
    card, on the flop sampled turn and river cards. One kernel for all three, since they share most of their code.
    """
    belief = begin(spot, len(tree.kind))
    pass_round(spot.root, spot.last, 1, tree, opponent, acts, belief)
    if len(spot.board) == 5:
        _show_down(spot, showdowns, tree, belief, values)
    elif len(spot.board) == 4:
        least = NEGLIGIBLE * _total(belief.reach[0], belief.live, belief.count)
        rounds = TurnRounds(np.array([-1]), np.array([spot.root]), np.array([spot.last]), least)
        dealt = Dealt(spot.cards, spot.board, turns.river_cards[0])
        deal_rivers(dealt, rounds, showdowns, tree, opponent.position, turns.rivers, belief, values)
        _give_halves(values)
    else:
        _deal_flop(spot, turns, showdowns, tree, opponent, belief, values)
    back_up(spot.root, spot.last, tree, opponent.position, belief, values)


@kernel(nogil=True)
def search_holdings(spot, deals, turns, showdowns, tree, opponent, acts, found):
    """The values of fold, call and raise in chips for all holdings of the searching player, into the rows of `found`.

    `spot.weights` are the opponent's as they are for who holds no cards, and its cards are not looked at; nor are those
    of `turns`: each holding has its own, as many as `deals` has turn and river cards. The values of actions that are
    not legal are left as they are.
    """
    holding_cards = showdowns.holding_cards
    children = tree.child[spot.root]
    weights = np.empty(1326, np.float32)
    values = np.empty((spot.last - spot.root + 1, 3))
    dead = np.zeros(52, np.bool_)
    for card in spot.board:
        dead[card] = True
    for own in range(1326):
        cards = holding_cards[own]
        if dead[cards[0]] or dead[cards[1]]:
            continue
        total = 0.0
        for holding in range(1326):
            high, low = holding_cards[holding]
            shares = high == cards[0] or high == cards[1] or low == cards[0] or low == cards[1]
            weights[holding] = 0.0 if shares else spot.weights[holding]
            total += 0.0 if shares else spot.weights[holding]
        whole = 0.0
        for holding in range(1326):
            weights[holding] /= total
            whole += weights[holding]
        dealt, rivers = spread_cards(showdowns.table, CARD_KEYS, cards, spot.board, deals[0], deals[1])
        coming = Turns(dealt, rivers, turns.codes, turns.cells, turns.buckets, turns.isomorphisms, turns.rivers)
        values[:] = 0.0
        search(Spot(spot.root, spot.last, cards, spot.board, weights), coming, showdowns, tree, opponent, acts, values)
        for action in range(3):
            if children[action] >= 0:
                found[own, action] = fair(values[children[action] - spot.root]) / whole


@kernel(nogil=True)
def _show_down(spot, showdowns, tree, belief, values):
    """The values of the river's showdowns, all holdings apart."""
    live, count, reach, column = belief.live, belief.count, belief.reach, belief.column
    kind, committed = tree.kind, tree.committed
    signs = np.empty(1326, np.float32)
    compare_holdings(showdowns.table, spot.cards, spot.board, live, count, showdowns.holding_cards, signs)
    for node in range(spot.root, spot.last + 1):
        if kind[node] == SHOWDOWN:
            total = 0.0
            for i in range(count):
                total += reach[column[node], live[i]] * signs[live[i]]
            for way in range(3):
                values[node - spot.root, way] = committed[node, 0] * total


@kernel(nogil=True)
def _give_halves(values):
    """Where no card was left out, each half is worth what all are."""
    for node in range(len(values)):
        values[node, EVEN] = values[node, ALL]
        values[node, ODD] = values[node, ALL]


@kernel(nogil=True, inline="always")
def _deal_flop(spot, turns, showdowns, tree, opponent, belief, values):
    """The values of the ends of a flop round, over sampled cards."""
    reach, column, kind, child = belief.reach, belief.column, tree.kind, tree.child
    least = NEGLIGIBLE * _total(reach[0], belief.live, belief.count)
    ends = np.empty(16, np.int64)
    starts = np.empty(16, np.int64)
    found = 0
    for node in range(spot.root, spot.last + 1):
        if kind[node] == STREET_START and _total(reach[column[node]], belief.live, belief.count) >= least:
            ends[found] = node
            starts[found] = child[node, 1]
            found += 1
    values[: spot.last - spot.root + 1] = 0.0
    if found:
        rounds = TurnRounds(ends[:found], starts[:found], starts[:found] + (turns.rivers.round_size - 1), least)
        _deal_turns(spot, turns, rounds, showdowns, tree, opponent, belief, values)


@kernel(nogil=True, inline="always")
def _deal_turns(spot, turns, rounds, showdowns, tree, opponent, belief, values):
    """Deal sampled turn cards to the ends of a flop round, and add up what they are worth."""
    ends, starts, stops, dealt = rounds.ends, rounds.starts, rounds.stops, turns.turns
    weights, turn_cells, column = spot.weights, turns.cells, belief.column
    later = np.empty((stops[len(ends) - 1] - starts[0] + 1, 3))
    turn_reach = np.empty((31 * len(ends), 1326), np.float32)
    longer = np.empty(4, np.uint8)
    copy_into(longer[:3], spot.board)
    buckets = np.empty(1326, np.uint16)
    cells = np.empty(1326, np.int64)
    live = np.empty(1326, np.int64)
    unseen = UNSEEN_TURNS / 45.0
    evens = (len(dealt) + 1) // 2
    for at in range(len(dealt)):
        longer[3] = dealt[at]
        read_buckets(turns.isomorphisms, turns.buckets, longer, buckets)
        left = live_holdings(weights, longer, live)
        for i in range(left):
            cells[live[i]] = turn_cells[buckets[live[i]]]
        on_turn = Belief(live, left, turn_reach, column)
        acts = Acts(turns.codes, buckets, cells)
        free = 0
        for number in range(len(ends)):
            column[starts[number]] = free
            copy_into(turn_reach[free], belief.reach[column[ends[number]]])
            free = pass_round(starts[number], stops[number], free + 1, tree, opponent, acts, on_turn)
        on_board = Dealt(spot.cards, longer, turns.river_cards[at])
        deal_rivers(on_board, rounds, showdowns, tree, opponent.position, turns.rivers, on_turn, later)
        if turns.river_cards.shape[1] == UNSEEN_RIVERS:
            _give_halves(later)
        half = EVEN + at % 2
        in_half = evens if half == EVEN else len(dealt) - evens
        for number in range(len(ends)):
            first = starts[number]
            part = later[first - starts[0] : stops[number] - starts[0] + 1]
            back_up(first, stops[number], tree, opponent.position, on_turn, part)
            value = unseen * fair(part[0])
            values[ends[number] - spot.root, ALL] += value / len(dealt)
            values[ends[number] - spot.root, half] += value / in_half
    if len(dealt) == UNSEEN_TURNS:
        _give_halves(values)
