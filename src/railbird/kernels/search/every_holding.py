"""The search of a decision for every holding that the player may have, what depends on none of them being done once.

The opponent's reach follows from what he did and not from the player's cards, which only take holdings away from him.
So it is passed down once, for each turn card that anybody's search deals, and rivers are ranked once. What is left for
each holding are its sums. The values are those of `belief_search.search`.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.search.belief_search import (
    NEGLIGIBLE,
    Ahead,
    Spot,
    Turns,
    back_up,
    begin,
    deal_cards,
    dealt_rivers,
    fair,
    find_kinds,
    look_ahead,
    pass_round,
    show_down,
    turn_rounds,
)
from railbird.kernels.search.river_lookahead import CARDS, HOLDINGS, Belief, TurnRounds, rank_board
from railbird.kernels.search.spread_cards import spread_by_scores


@kernel(nogil=True)
def search_holdings(spot, deals, turns, showdowns, tree, opponent, acts, found):
    """The values of fold, call and raise in chips for all holdings of the searching player, into the rows of `found`.

    `spot.weights` are the opponent's as they are for who holds no cards, and `spot.own` is not looked at; nor are the
    cards of `turns`: each holding has its own, as many as `deals` has turn and river cards. The values of actions that
    are not legal are left as they are.
    """
    belief = begin(spot, len(tree.kind))
    pass_round(spot.root, spot.last, 1, tree, opponent, acts.codes, find_kinds(acts, belief), belief)
    if len(spot.board) == 5:
        _search_on_river(spot, showdowns, tree, opponent, belief, found)
    else:
        _search_before_river(spot, deals, turns, showdowns, tree, opponent, belief, found)


@kernel(nogil=True)
def _search_on_river(spot, showdowns, tree, opponent, belief, found):
    ranks, values = np.empty(HOLDINGS, np.int32), np.empty((spot.last - spot.root + 1, 3))
    rank_board(showdowns, spot.board, ranks)
    for own in range(HOLDINGS):
        if _is_possible(own, spot.board, showdowns.holding_cards):
            left = _left_to(own, belief, showdowns.holding_cards)
            show_down(spot, own, ranks, tree, left, values)
            back_up(spot.root, spot.last, tree, opponent.position, left, values)
            _note(own, spot, tree, left, values, found)


@kernel(nogil=True)
def _search_before_river(spot, deals, turns, showdowns, tree, opponent, belief, found):
    board, cards = spot.board, showdowns.holding_cards
    every = turn_rounds(spot, turns, tree, belief, 0.0)
    rows, slots = (HOLDINGS, CARDS) if len(board) == 3 else (CARDS, 1)
    room = look_ahead(every, turns, tree, opponent.position, rows, slots)
    values = np.empty((spot.last - spot.root + 1, 3))
    if len(board) == 3:
        _rank_rivers(board, room, showdowns, turns.rivers)
    for own in range(HOLDINGS):
        if not _is_possible(own, board, cards):
            continue
        left = _left_to(own, belief, cards)
        dealt, rivers = _cards_for(own, board, deals, room.rivers.scores, cards)
        coming = Turns(dealt, rivers, turns.codes, turns.cells, turns.buckets, turns.isomorphisms, turns.rivers)
        rounds = TurnRounds(every.ends, every.starts, every.stops, NEGLIGIBLE * _whole(left))
        ahead = Ahead(rounds, room.ends, room.rivers, room.turns, room.reach)
        mine = Spot(spot.root, spot.last, own, board, spot.weights)
        deal_cards(mine, coming, ahead, showdowns, tree, opponent, left, values)
        back_up(spot.root, spot.last, tree, opponent.position, left, values)
        _note(own, spot, tree, left, values, found)


@kernel(nogil=True)
def _rank_rivers(board, room, showdowns, rivers):
    """Have all rivers ready that may follow a flop."""
    longer = np.empty(4, np.uint8)
    longer[:3] = board
    unseen = _unseen(board)
    for at in range(len(unseen)):
        longer[3] = unseen[at]
        dealt_rivers(0, longer, unseen[:at], room, showdowns, rivers)


@kernel(nogil=True)
def _unseen(cards):
    """The cards that are left, in rising order."""
    found = np.empty(CARDS - len(cards), np.uint8)
    count = 0
    for card in range(CARDS):
        is_seen = False
        for other in cards:
            is_seen |= card == other
        if not is_seen:
            found[count] = card
            count += 1
    return found


@kernel(nogil=True)
def _cards_for(own, board, deals, scores, cards):
    """The turn and river cards that are dealt for a holding; see `spread_cards`."""
    seen = np.empty(len(board) + 2, np.int64)
    seen[:2] = cards[own]
    seen[2:] = board
    live = _unseen(seen)
    if len(board) == 4:
        return live[:0], live.reshape(1, len(live))
    mine = np.zeros((CARDS, CARDS), np.int32)
    for i in range(len(live)):
        for j in range(i):
            high, low = np.int64(live[i]), np.int64(live[j])
            mine[high, low] = mine[low, high] = scores[high * (high - 1) // 2 + low, own]
    return spread_by_scores(live, mine, deals[0], deals[1])


@kernel(nogil=True)
def _is_possible(own, board, cards):
    possible = True
    for card in board:
        possible &= cards[own, 0] != card and cards[own, 1] != card
    return possible


@kernel(nogil=True)
def _left_to(own, belief, cards):
    """The belief of who has a holding: without those that share a card with it."""
    first, second = cards[own, 0], cards[own, 1]
    live = np.empty(belief.count, np.int64)
    count = 0
    for i in range(belief.count):
        high, low = cards[belief.live[i], 0], cards[belief.live[i], 1]
        if high != first and high != second and low != first and low != second:
            live[count] = belief.live[i]
            count += 1
    return Belief(live, count, belief.reach, belief.column)


@kernel(nogil=True)
def _whole(belief):
    total = 0.0
    for i in range(belief.count):
        total += belief.reach[0, belief.live[i]]
    return total


@kernel(nogil=True)
def _note(own, spot, tree, belief, values, found):
    """What the actions are worth, for one hand of the opponent's."""
    whole = _whole(belief)
    for action in range(3):
        child = tree.child[spot.root, action]
        if child >= 0:
            found[own, action] = fair(values[child - spot.root]) / whole
