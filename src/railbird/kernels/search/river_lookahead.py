"""Rivers that are looked at ahead: the opponent's holdings summed up in slices of hand strength, which act alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into
from railbird.kernels.numbered_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.search.beliefs import CELLS, chances

ALL, EVEN, ODD = range(3)
"""Ways to value a decision: by all sampled cards, and by either half of them."""
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


class Dealt(NamedTuple):
    """The player's two cards, a turn board, and river cards that may come."""

    cards: np.ndarray
    board: np.ndarray
    rivers: np.ndarray


class Slices(NamedTuple):
    """The opponent's reach by slice of hand strength, and room to walk a river round with it."""

    mass: np.ndarray
    score: np.ndarray
    """The mass that the player beats less that which beats him."""
    part: np.ndarray
    """By column: the share of each slice that comes to a node."""
    values: np.ndarray


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
def compare_holdings(table, cards, board, live, count, holding_cards, signs):
    """`signs[holding]`: 1 where the player's hand beats it on five cards, -1 where it loses, 0 where they tie."""
    board_key = EMPTY_KEY
    for card in board:
        board_key += CARD_KEYS[card]
    mine = rank_of_key(table, board_key + CARD_KEYS[cards[0]] + CARD_KEYS[cards[1]])
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


@kernel(nogil=True, inline="always")
def value_river(first, tree, opponent, rivers, slices, column):
    """The value of a river round, in chips: the best replies to an opponent who acts by slice of hand strength."""
    kind, actor, child, row, committed = tree.kind, tree.actor, tree.child, tree.row, tree.committed
    mass, score, part, values = slices.mass, slices.score, slices.part, slices.values
    acts_by_row, first_row = rivers.chances, rivers.first_row
    own, last = 1 - opponent, first + rivers.round_size - 1
    column[first] = 0
    part[0, :] = 1.0
    free = 1
    for node in range(first, last + 1):
        if kind[node] != DECISION:
            continue
        at = column[node]
        if actor[node] != opponent:
            share_column(child[node], at, column)
            continue
        acts = acts_by_row[row[node] - first_row]
        for action in range(3):
            if child[node, action] >= 0:
                column[child[node, action]] = free
                for k in range(len(mass)):
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
def deal_rivers(dealt, rounds, showdowns, tree, opponent, rivers, belief, values):
    """Deal river cards to turn rounds: what their ends are worth goes into `values` by node from `starts[0]` on."""
    starts, stops, river_cards = rounds.starts, rounds.stops, dealt.rivers
    live, holding_cards = belief.live, showdowns.holding_cards
    slice_count = rivers.chances.shape[2]
    slices = Slices(
        np.empty(slice_count, np.float32),
        np.empty(slice_count, np.float32),
        np.empty((24, slice_count), np.float32),
        np.empty(64),
    )
    signs = np.empty(1326, np.float32)
    strengths = np.empty(1326)
    slice_of = np.empty(1326, np.int64)
    outcome = np.empty(1326, np.float32)
    river_live = np.empty(1326, np.int64)
    longer = np.empty(5, np.uint8)
    copy_into(longer[:4], dealt.board)
    values[: stops[len(stops) - 1] - starts[0] + 1] = 0.0
    halves = np.zeros(3)
    for at in range(len(river_cards)):
        halves[ALL] += 1.0
        halves[EVEN + at % 2] += 1.0
    for at in range(len(river_cards)):
        river = river_cards[at]
        longer[4] = river
        left = 0
        for i in range(belief.count):
            holding = live[i]
            if holding_cards[holding, 0] != river and holding_cards[holding, 1] != river:
                river_live[left] = holding
                left += 1
        compare_holdings(showdowns.table, dealt.cards, longer, river_live, left, holding_cards, signs)
        find_strengths(showdowns.table, showdowns.rank_keys, longer, showdowns.ones, strengths)
        for i in range(left):
            slice_of[i] = min(np.int64(strengths[river_live[i]] * slice_count), slice_count - 1)
            outcome[i] = signs[river_live[i]]
        half = EVEN + at % 2
        sliced = (river_live[:left], slice_of, outcome)
        _value_ends(sliced, rounds, tree, opponent, rivers, slices, belief, (half, halves[ALL], halves[half], values))


@kernel(nogil=True, inline="always")
def _value_ends(sliced, rounds, tree, opponent, rivers, slices, belief, into):
    """Add what one river card makes of the turn rounds' ends.

    `sliced` are the holdings that it leaves, their slices, and who wins; `into` are the half that the card belongs to,
    how many cards there are in all and in that half, and the values.
    """
    live, slice_of, outcome = sliced
    half, cards, cards_in_half, values = into
    starts, stops, mass, score = rounds.starts, rounds.stops, slices.mass, slices.score
    reach, column, kind, child, least = belief.reach, belief.column, tree.kind, tree.child, rounds.least
    unseen = UNSEEN_RIVERS / 44.0
    for number in range(len(starts)):
        for node in range(starts[number], stops[number] + 1):
            if kind[node] != STREET_START:
                continue
            weights = reach[column[node]]
            mass[:] = 0.0
            score[:] = 0.0
            whole = 0.0
            for i in range(len(live)):
                k = slice_of[i]
                weight = weights[live[i]]
                mass[k] += weight
                score[k] += weight * outcome[i]
            for k in range(len(mass)):
                whole += mass[k]
            if whole < least:
                continue
            value = value_river(child[node, 1], tree, opponent, rivers, slices, column)
            values[node - starts[0], ALL] += unseen * value / cards
            values[node - starts[0], half] += unseen * value / cards_in_half
