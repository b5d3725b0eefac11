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

from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into
from railbird.kernels.numbered_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels.search.beliefs import Acts, chances
from railbird.kernels.search.river_lookahead import (
    ALL,
    CARDS,
    EVEN,
    HOLDINGS,
    ODD,
    UNSEEN_RIVERS,
    Belief,
    Dealt,
    Ends,
    RiverBoards,
    Rivers,
    TurnRounds,
    deal_rivers,
    find_ends,
    made_rivers,
    rank_board,
    share_column,
    take_river,
)
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
    own: int
    """The player's holding."""
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


class Kinds(NamedTuple):
    """Holdings of one bucket and cell, which act alike; make them with `find_kinds`."""

    of: np.ndarray
    """By possible holding: its kind."""
    buckets: np.ndarray
    cells: np.ndarray
    chances: np.ndarray
    """Room for fold, call and raise of each kind."""


@kernel(nogil=True)
def find_kinds(acts, belief):
    """The kinds of the possible holdings on a board; far fewer, where many share a bucket."""
    live, count, buckets, cells = belief.live, belief.count, acts.buckets, acts.cells
    of, kind_buckets, kind_cells = np.empty((3, count), np.int64)
    latest = np.full(acts.codes.shape[1], -1)
    before = np.empty(count, np.int64)
    found = 0
    for i in range(count):
        bucket, cell = buckets[live[i]], cells[live[i]]
        kind = latest[bucket]
        while kind >= 0 and kind_cells[kind] != cell:
            kind = before[kind]
        if kind < 0:
            kind = found
            kind_buckets[kind], kind_cells[kind], before[kind] = bucket, cell, latest[bucket]
            latest[bucket] = kind
            found += 1
        of[i] = kind
    return Kinds(of, kind_buckets[:found], kind_cells[:found], np.empty((3, found), np.float32))


@kernel(nogil=True)
def pass_round(first, last, free, tree, opponent, codes, kinds, belief):
    """The reach at all nodes of a round, whose first node has its own already; returns the next free column."""
    kind, actor, child, row = tree.kind, tree.actor, tree.child, tree.row
    contexts, views, floor = opponent.contexts, opponent.views, opponent.floor
    live, count, reach, column = belief.live, belief.count, belief.reach, belief.column
    position, acts, of = opponent.position, kinds.chances, kinds.of
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
        for k in range(len(kinds.buckets)):
            bucket = kinds.buckets[k]
            found = chances(table[bucket, 0], table[bucket, 1], can_fold, can_raise, floor, view[kinds.cells[k]])
            for action in range(3):
                acts[action, k] = found[action]
        for i in range(count):
            holding, k = live[i], of[i]
            weight = reach[at, holding]
            reach[free, holding] = weight * acts[0, k]
            reach[free + 1, holding] = weight * acts[1, k]
            reach[free + 2, holding] = weight * acts[2, k]
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
    pass_round(spot.root, spot.last, 1, tree, opponent, acts.codes, find_kinds(acts, belief), belief)
    if len(spot.board) == 5:
        ranks = np.empty(HOLDINGS, np.int32)
        rank_board(showdowns, spot.board, ranks)
        show_down(spot, spot.own, ranks, tree, belief, values)
    else:
        least = NEGLIGIBLE * _total(belief.reach[0], belief.live, belief.count)
        rounds = turn_rounds(spot, turns, tree, belief, least)
        ahead = look_ahead(rounds, turns, tree, opponent.position, turns.river_cards.shape[1], 1)
        deal_cards(spot, turns, ahead, showdowns, tree, opponent, belief, values)
    back_up(spot.root, spot.last, tree, opponent.position, belief, values)


@kernel(nogil=True)
def show_down(spot, own, ranks, tree, belief, values):
    """The values of the river's showdowns, all holdings apart."""
    live, count, reach, column = belief.live, belief.count, belief.reach, belief.column
    for node in range(spot.root, spot.last + 1):
        if tree.kind[node] == SHOWDOWN:
            total = 0.0
            for i in range(count):
                sign = np.float32(ranks[own] > ranks[live[i]]) - np.float32(ranks[own] < ranks[live[i]])
                total += reach[column[node], live[i]] * sign
            for way in range(3):
                values[node - spot.root, way] = tree.committed[node, 0] * total


@kernel(nogil=True)
def _give_halves(values):
    """Where no card was left out, each half is worth what all are."""
    for node in range(len(values)):
        values[node, EVEN] = values[node, ALL]
        values[node, ODD] = values[node, ALL]


class Ahead(NamedTuple):
    """What a search before the river knows of cards to come, whoever holds what; filled as they are dealt."""

    rounds: TurnRounds
    ends: Ends
    rivers: RiverBoards
    turns: np.ndarray
    """By slot: the turn card that it has, -1 for none. There is one slot, or one for every card."""
    reach: np.ndarray
    """By slot, column and holding: the opponent's reach in the turn rounds."""


@kernel(nogil=True)
def look_ahead(rounds, turns, tree, position, river_rows, turn_slots):
    """Room for what becomes known, where so many rivers and turns are kept."""
    ends = find_ends(rounds, tree, position, turns.rivers)
    reach = np.empty((turn_slots, 31 * len(rounds.starts), HOLDINGS), np.float32)
    return Ahead(rounds, ends, made_rivers(river_rows), np.full(turn_slots, -1), reach)


@kernel(nogil=True)
def turn_rounds(spot, turns, tree, belief, least):
    """The turn rounds after a decision on the flop, but for those whose reach is less than `least`; on the turn its
    own."""
    if len(spot.board) == 4:
        return TurnRounds(np.array([-1]), np.array([spot.root]), np.array([spot.last]), least)
    ends, starts = np.empty(16, np.int64), np.empty(16, np.int64)
    found = 0
    for node in range(spot.root, spot.last + 1):
        if tree.kind[node] == STREET_START and reach_at(node, belief) >= least:
            ends[found] = node
            starts[found] = tree.child[node, 1]
            found += 1
    return TurnRounds(ends[:found], starts[:found], starts[:found] + (turns.rivers.round_size - 1), least)


@kernel(nogil=True)
def reach_at(node, belief):
    """How likely the opponent comes to a node, with any of the holdings that are left."""
    return _total(belief.reach[belief.column[node]], belief.live, belief.count)


@kernel(nogil=True)
def deal_cards(spot, turns, ahead, showdowns, tree, opponent, belief, values):
    """The values of the ends of a flop or turn round, over the cards to come that are dealt."""
    values[: spot.last - spot.root + 1] = 0.0
    if len(spot.board) == 4:
        dealt = dealt_rivers(spot.own, spot.board, turns.river_cards[0], ahead, showdowns, turns.rivers)
        deal_rivers(dealt, ahead.rounds, ahead.ends, tree, opponent.position, turns.rivers, belief, values)
        _give_halves(values)
    elif len(ahead.rounds.ends):
        _deal_turns(spot, turns, ahead, showdowns, tree, opponent, belief, values)


@kernel(nogil=True)
def dealt_rivers(own, board, river_cards, ahead, showdowns, rivers):
    """River cards after a turn, and what they make of all holdings."""
    known, longer, turn = ahead.rivers, np.empty(5, np.uint8), np.int64(board[3])
    copy_into(longer[:4], board)
    rows = np.empty(len(river_cards), np.int64)
    for at in range(len(river_cards)):
        longer[4] = river_cards[at]
        river = np.int64(longer[4])
        rows[at] = at
        if len(known.keys) == HOLDINGS:  # any two cards, numbered as holdings are
            rows[at] = max(turn, river) * (max(turn, river) - 1) // 2 + min(turn, river)
        elif len(known.keys) == CARDS:
            rows[at] = river
        take_river(known, rows[at], showdowns, longer, rivers.chances.shape[2])
    return Dealt(own, river_cards, rows, known, showdowns.holding_cards)


@kernel(nogil=True, inline="always")
def _deal_turns(spot, turns, ahead, showdowns, tree, opponent, belief, values):
    """Deal turn cards to the ends of a flop round, and add up what they are worth."""
    rounds, dealt, cards = ahead.rounds, turns.turns, showdowns.holding_cards
    ends, starts, stops = rounds.ends, rounds.starts, rounds.stops
    later = np.empty((stops[len(ends) - 1] - starts[0] + 1, 3))
    longer, live = np.empty(4, np.uint8), np.empty(belief.count, np.int64)
    copy_into(longer[:3], spot.board)
    unseen = UNSEEN_TURNS / 45.0
    evens = (len(dealt) + 1) // 2
    for at in range(len(dealt)):
        turn = dealt[at]
        longer[3] = turn
        slot = np.int64(turn) if len(ahead.turns) > 1 else 0
        _take_turn(slot, longer, spot.weights, turns, ahead, tree, opponent, belief)
        left = 0
        for i in range(belief.count):
            if cards[belief.live[i], 0] != turn and cards[belief.live[i], 1] != turn:
                live[left] = belief.live[i]
                left += 1
        on_turn = Belief(live, left, ahead.reach[slot], belief.column)
        on_rivers = dealt_rivers(spot.own, longer, turns.river_cards[at], ahead, showdowns, turns.rivers)
        deal_rivers(on_rivers, rounds, ahead.ends, tree, opponent.position, turns.rivers, on_turn, later)
        if turns.river_cards.shape[1] == UNSEEN_RIVERS:
            _give_halves(later)
        half = EVEN + at % 2
        in_half = evens if half == EVEN else len(dealt) - evens
        for number in range(len(ends)):
            if reach_at(ends[number], belief) < rounds.least:
                continue
            first = starts[number]
            part = later[first - starts[0] : stops[number] - starts[0] + 1]
            back_up(first, stops[number], tree, opponent.position, on_turn, part)
            value = unseen * fair(part[0])
            values[ends[number] - spot.root, ALL] += value / len(dealt)
            values[ends[number] - spot.root, half] += value / in_half
    if len(dealt) == UNSEEN_TURNS:
        _give_halves(values)


@kernel(nogil=True)
def _take_turn(slot, board, weights, turns, ahead, tree, opponent, belief):
    """Have the opponent's reach in the turn rounds ready, unless it is."""
    if ahead.turns[slot] == board[3]:
        return
    ahead.turns[slot] = board[3]
    reach, column, rounds = ahead.reach[slot], belief.column, ahead.rounds
    buckets, cells, live = np.empty(HOLDINGS, np.uint16), np.empty(HOLDINGS, np.int64), np.empty(HOLDINGS, np.int64)
    read_buckets(turns.isomorphisms, turns.buckets, board, buckets)
    left = live_holdings(weights, board, live)
    for i in range(left):
        cells[live[i]] = turns.cells[buckets[live[i]]]
    on_turn = Belief(live, left, reach, column)
    kinds = find_kinds(Acts(turns.codes, buckets, cells), on_turn)
    free = 0
    for number in range(len(rounds.ends)):
        start = rounds.starts[number]
        column[start] = free
        copy_into(reach[free], belief.reach[column[rounds.ends[number]]])
        free = pass_round(start, rounds.stops[number], free + 1, tree, opponent, turns.codes, kinds, on_turn)
