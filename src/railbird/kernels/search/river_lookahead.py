"""Rivers that are looked at ahead: the opponent's holdings summed up in slices of hand strength, which act alike.

Rivers follow the ends of turn rounds, up to 81 of them after a decision on the flop. Sixteen ends go side by side
(`lanes`): their reach is laid next to each other by holding, summed up by slice, and their river rounds, which are all
of one shape, are walked together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import LANES, fill, larger, load, store, transpose
from railbird.kernels.numbered_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.search.beliefs import CELLS, chances

ALL, EVEN, ODD = range(3)
"""Ways to value a decision: by all sampled cards, and by either half of them."""
HOLDINGS, CARDS = 1326, 52
OPPOSED = 990
"""Holdings that may meet one on five cards."""
UNSEEN_RIVERS = 46
"""River cards that may come, to a player who sees his own two cards and the board's."""


class Showdowns(NamedTuple):
    """What hands are compared by."""

    table: np.ndarray
    rank_keys: np.ndarray
    holding_cards: np.ndarray
    ones: np.ndarray


class Rivers(NamedTuple):
    """The river rounds that may follow, and what the opponent does there."""

    round_size: int
    first_row: int
    """The row of their first decision."""
    chances: np.ndarray
    """By row from there on, action and slice."""


class Belief(NamedTuple):
    """What the opponent may hold at the nodes of betting rounds."""

    live: np.ndarray
    """The possible holdings."""
    count: int
    reach: np.ndarray
    """By column and holding: the chance that he has it and acts this way."""
    column: np.ndarray
    """By node: the column of `reach` that belongs to it."""


class TurnRounds(NamedTuple):
    """Betting rounds of the turn; ends with a smaller reach than `least` are left out."""

    ends: np.ndarray
    """The ends of the flop that they follow, -1 where the search begins on the turn."""
    starts: np.ndarray
    """Their first nodes."""
    stops: np.ndarray
    """Their last nodes."""
    least: float


class RiverBoards(NamedTuple):
    """What rivers make of all holdings; a row for each, filled when it is first asked for."""

    keys: np.ndarray
    """By row: which turn and river card it has; -1 for none."""
    ranks: np.ndarray
    """By row and holding."""
    slices: np.ndarray
    """Sixteen times the slice of hand strength."""
    scores: np.ndarray
    """Twice the holdings that it beats, and once those that it ties with."""


class Dealt(NamedTuple):
    """A player's holding and river cards that may come, with what they make of all holdings."""

    own: int
    rivers: np.ndarray
    rows: np.ndarray
    """By river card: its row in `known`."""
    known: RiverBoards
    holding_cards: np.ndarray


class Ends(NamedTuple):
    """The ends of turn rounds, sixteen side by side, and the river rounds that follow them, which have one shape.

    Within a round nodes count from its first, and a *column* is what the opponent's actions on the way to a node leave
    of each slice.
    """

    count: int
    nodes: np.ndarray
    """The ends; the last block is filled up with the last of them."""
    first: int
    """The first node of one of the river rounds."""
    columns: np.ndarray
    """By node of a round: its column; 0 is that of all there is."""
    shares: np.ndarray
    """By block, column, slice and lane."""
    chips: np.ndarray
    """By block, node and lane: what the player wins where the hand ends; less than nothing where he folds."""


@kernel(nogil=True)
def fill_river_chances(first, last, tree, opponent, slice_codes, first_row, out):
    """What the opponent does at river decisions, by row from `first_row` on, action and slice, into `out`."""
    kind, actor, child, row = tree.kind, tree.actor, tree.child, tree.row
    contexts, views, floor, position = opponent.contexts, opponent.views, opponent.floor, opponent.position
    slices = out.shape[2]
    for node in range(first, last + 1):
        if kind[node] != DECISION or actor[node] != position:
            continue
        can_fold, can_raise = child[node, 0] >= 0, child[node, 2] >= 0
        at, view = row[node], views[contexts[node]]
        for k in range(slices):
            found = chances(
                slice_codes[at, k, 0],
                slice_codes[at, k, 1],
                can_fold,
                can_raise,
                floor,
                view[k * CELLS // slices],
            )
            for action in range(3):
                out[at - first_row, action, k] = found[action]


@kernel(nogil=True)
def share_column(children, at, column):
    """After an own decision the opponent's reach is what it was before."""
    for action in range(3):
        if children[action] >= 0:
            column[children[action]] = at


@kernel(nogil=True)
def made_rivers(rows):
    """Room for so many rivers: all that two cards may make of a flop, all after a turn, or a few at a time."""
    ranks, slices, scores = np.empty((3, rows, HOLDINGS), np.int32)
    return RiverBoards(np.full(rows, -1), ranks, slices, scores)


@kernel(nogil=True)
def rank_board(showdowns, board, ranks):
    """The ranks of all holdings on five cards; what those get that the board rules out means nothing."""
    cards, board_key = showdowns.holding_cards, EMPTY_KEY
    dead = np.zeros(CARDS, np.bool_)
    for card in board:
        dead[card] = True
        board_key += CARD_KEYS[card]
    for holding in range(HOLDINGS):
        high, low = cards[holding, 0], cards[holding, 1]
        ranks[holding] = 0
        if not (dead[high] or dead[low]):
            ranks[holding] = rank_of_key(showdowns.table, board_key + CARD_KEYS[high] + CARD_KEYS[low])


@kernel(nogil=True)
def take_river(known, row, showdowns, board, slice_count):
    """Fill a row with what five cards make of all holdings, unless it has that already."""
    high, low = max(board[3], board[4]), min(board[3], board[4])
    key = np.int64(high) * CARDS + np.int64(low)
    if known.keys[row] == key:
        return
    known.keys[row] = key
    rank_board(showdowns, board, known.ranks[row])
    strengths = np.empty(HOLDINGS)
    find_strengths(showdowns.table, showdowns.rank_keys, board, showdowns.ones, strengths)
    slices, scores = known.slices[row], known.scores[row]
    for holding in range(HOLDINGS):
        strength = strengths[holding]
        slices[holding], scores[holding] = 0, 0
        if strength >= 0.0:  # not nan, as where the board rules it out
            slices[holding] = LANES * min(np.int64(strength * slice_count), slice_count - 1)
            scores[holding] = np.int64(2 * OPPOSED * strength + 0.5)


@kernel(nogil=True)
def find_ends(rounds, tree, opponent, rivers):
    """The ends of some turn rounds, and what the opponent does on the rivers after them."""
    kind, actor, child, committed = tree.kind, tree.actor, tree.child, tree.committed
    count = 0
    for number in range(len(rounds.starts)):
        for node in range(rounds.starts[number], rounds.stops[number] + 1):
            count += kind[node] == STREET_START
    width, size, slices = (count + LANES - 1) // LANES * LANES, rivers.round_size, rivers.chances.shape[2]
    nodes = np.zeros(width, np.int64)
    at = 0
    for number in range(len(rounds.starts)):
        for node in range(rounds.starts[number], rounds.stops[number] + 1):
            if kind[node] == STREET_START:
                nodes[at:] = node
                at += 1
    first = child[nodes[0], 1] if count else 0
    columns = np.zeros(size, np.int64)
    free = 1
    for node in range(size):
        for action in range(3):
            to = child[first + node, action] - first
            if kind[first + node] == DECISION and to >= 0:
                columns[to] = columns[node]
                if actor[first + node] == opponent:
                    columns[to] = free
                    free += 1
    shares, chips = np.empty(free * slices * width, np.float32), np.zeros(size * width, np.float32)
    for end in range(width):
        begin, block, lane = child[nodes[end], 1], end // LANES, end % LANES
        _share_out(begin, first, tree, opponent, rivers, columns, shares[block * free * slices * LANES + lane :])
        for node in range(size):
            won = committed[begin + node, opponent]
            if kind[first + node] == FOLDED and actor[first + node] != opponent:
                won = -committed[begin + node, 1 - opponent]
            chips[(block * size + node) * LANES + lane] = won
    return Ends(count, nodes, first, columns, shares, chips)


@kernel(nogil=True)
def _share_out(begin, first, tree, opponent, rivers, columns, shares):
    """The columns of the river round that begins at a node, into one lane."""
    kind, actor, child, row = tree.kind, tree.actor, tree.child, tree.row
    slices = rivers.chances.shape[2]
    for k in range(slices):
        shares[LANES * k] = 1.0
    for node in range(len(columns)):
        if kind[first + node] != DECISION or actor[first + node] != opponent:
            continue
        acts, before = rivers.chances[row[begin + node] - rivers.first_row], LANES * slices * columns[node]
        for action in range(3):
            to = child[first + node, action] - first
            if to >= 0:
                after = LANES * slices * columns[to]
                for k in range(slices):
                    shares[after + LANES * k] = shares[before + LANES * k] * acts[action, k]


@kernel(nogil=True)
def _dot(left, at, right, length):
    """The products of sixteen pairs of rows, summed up; in four parts, for which nobody has to wait."""
    first = second = third = fourth = fill(np.float32(0.0))
    k = 0
    while k + 4 <= length:
        first = first + load(left, at + LANES * k) * load(right, LANES * k)
        second = second + load(left, at + LANES * (k + 1)) * load(right, LANES * (k + 1))
        third = third + load(left, at + LANES * (k + 2)) * load(right, LANES * (k + 2))
        fourth = fourth + load(left, at + LANES * (k + 3)) * load(right, LANES * (k + 3))
        k += 4
    while k < length:
        first = first + load(left, at + LANES * k) * load(right, LANES * k)
        k += 1
    return first + second + (third + fourth)


@kernel(nogil=True)
def _value_rounds(tree, opponent, ends, block, mass, score, values):
    """The values of a block's river rounds by node, in chips: best replies to who acts by slice of hand strength."""
    kind, actor, child, first = tree.kind, tree.actor, tree.child, ends.first
    size, slices = len(ends.columns), len(mass) // LANES
    width = len(ends.nodes)
    column_count = len(ends.shares) // (slices * width)
    for node in range(size - 1, -1, -1):
        what = kind[first + node]
        if what in (FOLDED, SHOWDOWN):
            at = LANES * slices * (column_count * block + ends.columns[node])
            total = _dot(ends.shares, at, mass if what == FOLDED else score, slices)
            store(load(ends.chips, LANES * (size * block + node)) * total, values, LANES * node)
            continue
        value, begun = fill(np.float32(0.0)), False
        for action in range(3):
            to = child[first + node, action] - first
            if to < 0:
                continue
            after = load(values, LANES * to)
            if not begun:
                value = after
            elif actor[first + node] == opponent:
                value = value + after
            else:
                value = larger(value, after)
            begun = True
        store(value, values, LANES * node)


@kernel(nogil=True)
def _take_reach(belief, nodes, reach):
    """The reach at sixteen ends, by holding and lane."""
    froms, tos = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    for lane in range(LANES):
        froms[lane] = HOLDINGS * belief.column[nodes[lane]]
        tos[lane] = LANES * lane
    flat = belief.reach.reshape(-1)
    for at in range(0, HOLDINGS, LANES):
        start = min(at, HOLDINGS - LANES)  # the last sixteen overlap those before
        transpose(flat, froms, start, reach, tos, LANES * start)


@kernel(nogil=True)
def _take_slices(holdings, count, places, outcome, reach, mass, score):
    """The reach of holdings by slice, and what it is worth to the player: that which he beats less that which beats
    him."""
    zero = fill(np.float32(0.0))
    for at in range(0, len(mass), LANES):
        store(zero, mass, at)
        store(zero, score, at)
    for i in range(count):
        weight, at = load(reach, holdings[i]), places[i]
        store(load(mass, at) + weight, mass, at)
        store(load(score, at) + weight * fill(outcome[i]), score, at)


@kernel(nogil=True)
def deal_rivers(dealt, rounds, ends, tree, opponent, rivers, belief, values):
    """Deal river cards to turn rounds: what their `ends` are worth goes into `values` by node from `starts[0]` on."""
    slices, cards, first = rivers.chances.shape[2], len(dealt.rivers), rounds.starts[0]
    holdings, places = np.empty((cards, belief.count), np.int64), np.empty((cards, belief.count), np.int64)
    outcome, counts = np.empty((cards, belief.count), np.float32), np.empty(cards, np.int64)
    for at in range(cards):
        into = holdings[at], places[at], outcome[at]
        counts[at] = _leave(dealt, at, belief, into)
    values[: rounds.stops[len(rounds.stops) - 1] - first + 1] = 0.0
    reach, (mass, score) = np.empty(HOLDINGS * LANES, np.float32), np.empty((2, slices * LANES), np.float32)
    round_values, whole = np.empty(rivers.round_size * LANES, np.float32), np.empty(LANES, np.float32)
    in_half = np.array([cards, (cards + 1) // 2, cards // 2])
    for block in range(len(ends.nodes) // LANES):
        nodes = ends.nodes[LANES * block : LANES * block + LANES]
        _take_reach(belief, nodes, reach)
        for at in range(cards):
            _take_slices(holdings[at], counts[at], places[at], outcome[at], reach, mass, score)
            _value_rounds(tree, opponent, ends, block, mass, score, round_values)
            total = load(mass, 0)
            for k in range(1, slices):
                total = total + load(mass, LANES * k)
            store(total, whole, 0)
            half = EVEN + at % 2
            for lane in range(min(LANES, ends.count - LANES * block)):
                if whole[lane] >= rounds.least:
                    value = UNSEEN_RIVERS / 44.0 * round_values[lane]
                    values[nodes[lane] - first, ALL] += value / cards
                    values[nodes[lane] - first, half] += value / in_half[half]


@kernel(nogil=True)
def _leave(dealt, at, belief, into):
    """The holdings that a river card leaves, their slices, and whether the player beats them; returns how many."""
    holdings, places, outcome = into
    river, cards, row = dealt.rivers[at], dealt.holding_cards, dealt.rows[at]
    ranks, slices = dealt.known.ranks[row], dealt.known.slices[row]
    left, mine = 0, ranks[dealt.own]
    for i in range(belief.count):
        holding = belief.live[i]
        if cards[holding, 0] == river or cards[holding, 1] == river:
            continue
        holdings[left] = LANES * holding
        places[left] = slices[holding]
        outcome[left] = np.float32(mine > ranks[holding]) - np.float32(mine < ranks[holding])
        left += 1
    return left
