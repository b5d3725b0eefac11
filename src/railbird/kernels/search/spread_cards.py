"""Cards to come that stand for all of them: few, but spread evenly over what they make of a holding.

A card drawn by chance hits or misses, and six of them hit a flush draw anything between never and half of the time. So
turn cards are put in order of the holding's mean strength on the rivers that follow, and cut into runs of equal length,
of which the middle one is dealt; and so are river cards after each turn card, by strength, though not the middle of
each run but for every turn card another place, so that together they are spread as well.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.search.tree_values import score_runouts

_STEP = 0.6180339887498949
"""The golden section: its multiples, less whole numbers, are spread evenly however many there are."""


@kernel(nogil=True)
def spread_cards(table, card_keys, cards, board, turn_count, river_count):
    """Turn cards after a flop, and for each of them river cards, as many as asked for; all river cards after a turn.

    `cards` are the player's own. After a turn there are no turn cards and one row of river cards, after a river none.
    """
    live = np.empty(52, np.uint8)
    count = 0
    for card in range(52):
        is_dead = card == cards[0] or card == cards[1]
        for other in board:
            is_dead |= card == other
        if not is_dead:
            live[count] = card
            count += 1
    if len(board) > 3:
        rest = np.empty((1, count if len(board) == 4 else 0), np.uint8)
        for at in range(rest.shape[1]):
            rest[0, at] = live[at]
        return np.empty(0, np.uint8), rest
    scores = np.zeros((52, 52), np.int32)
    score_runouts(table, card_keys, cards[0], cards[1], board, scores)
    return spread_by_scores(live[:count], scores, turn_count, river_count)


@kernel(nogil=True)
def spread_by_scores(live, scores, turn_count, river_count):
    """The same after a flop, where it is known how the holding stands with each two of the cards that may come."""
    count = len(live)
    means = np.zeros(52, np.int32)
    for i in range(count):
        for j in range(count):
            means[live[i]] += scores[live[i], live[j]] if i != j else 0
    turns, rivers = np.empty(turn_count, np.uint8), np.empty((turn_count, river_count), np.uint8)
    order = live.copy()
    _sort(order, means)
    _pick(order, 0.5, turns)
    after = np.empty(count - 1, np.uint8)
    for number in range(turn_count):
        at = 0
        for i in range(count):
            if live[i] != turns[number]:
                after[at] = live[i]
                at += 1
        _sort(after, scores[turns[number]])
        _pick(after, (0.5 + number * _STEP) % 1.0, rivers[number])
    return turns, rivers


@kernel(nogil=True)
def _sort(cards, scores):
    """Put cards in rising order of their scores, equals in order of the cards."""
    for i in range(1, len(cards)):
        card = cards[i]
        at = i
        while at > 0 and scores[cards[at - 1]] > scores[card]:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card


@kernel(nogil=True)
def _pick(cards, place, found):
    """One card of each of as many runs as there is room for, from that place in the run, 0 to 1."""
    for at in range(len(found)):
        found[at] = cards[int((at + place) * len(cards) / len(found))]
