"""Betting rounds between a holding that is known and a range that is imagined, for AIVAT in heads-up limit hold'em.

All values are small bets won by the player whose holding is known (the *other*), on average over the range of the
player who is imagined. Cards are 0-51, holdings 0-1325.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT
from railbird.kernels.cards.isomorphism import card_bit, set_index
from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.numbered_tree import DECISION, FOLDED, Tree
from railbird.kernels.solve.buckets import Buckets, holding_bucket

HOLDINGS = 1326
_FLOPS_LEFT = 17_296
"""Flops of 48 cards."""
_LARGEST = 64
"""Nodes of a round."""


class Play(NamedTuple):
    """What both players do in a betting round."""

    table: np.ndarray
    """float32 [decision of the round, bucket, action] of the player who is imagined."""
    buckets: np.ndarray
    """By holding, his buckets on this board."""
    assumed: np.ndarray
    """By decision of the round and action: what the value function takes the other's chances for."""
    told: np.ndarray
    """The same as the other tells them; nothing but -1 if he does not."""


class Deal(NamedTuple):
    """What the cards to come are worth."""

    board: np.ndarray
    """The cards on the table."""
    after: np.ndarray
    """By closing of the round: before the flop by holding the sum over the flops with both of its cards; later by card;
    nothing on the river."""
    edges: np.ndarray
    """By holding, on turn and river: what a chip that each player has put in is worth beside that. On the river 1 if
    the other's holding is better, -1 if worse, 0 if equal or impossible."""


@kernel(nogil=True)
def bucket_last_cards(ranking: Ranking, buckets: Buckets, holding, board, street, found):
    """`found[card]` becomes the bucket of a holding on a street if that card is dealt last, the board before it being
    as it is; 0 for cards that are not left. `board` has room for the card."""
    counts, class_ranks = np.empty(13, np.int64), np.empty(CLASS_COUNT, np.int16)
    taken = np.int64(1) << holding[0] | np.int64(1) << holding[1]
    for at in range(street + 1):
        taken |= np.int64(1) << np.int64(board[at])
    for card in range(52):
        found[card] = 0
        if not taken >> card & 1:
            board[street + 1] = card
            class_ranks[0] = -1
            found[card] = holding_bucket(ranking, buckets, holding[0], holding[1], board, street, counts, class_ranks)


@kernel(nogil=True)
def value_flops(buckets: Buckets, holding, values, found):
    """`found[closing, pair]` becomes the sum over all flops with these two cards of what they are worth to a holding.
    `values` is [closing, bucket]."""
    own, closings = card_bit(np.int64(holding[0])) | card_bit(np.int64(holding[1])), len(found)
    found[:] = 0.0
    for c in range(52):
        for b in range(c):
            for a in range(b):
                flop = card_bit(a) | card_bit(b) | card_bit(c)
                if flop & own:
                    continue
                bucket = buckets.by_class[0][set_index(buckets.isomorphisms, own, flop, 3)]
                ab, ac, bc = b * (b - 1) // 2 + a, c * (c - 1) // 2 + a, c * (c - 1) // 2 + b
                for closing in range(closings):
                    value = values[closing, bucket]
                    found[closing, ab] += value
                    found[closing, ac] += value
                    found[closing, bc] += value


@kernel(nogil=True)
def compare_holdings(ranking: Ranking, holding, board, edges):
    """`edges` by holding on five cards: 1 where `holding` wins, -1 where it loses, otherwise 0."""
    table, card_keys = ranking.table, ranking.card_keys
    key, taken = EMPTY_KEY, np.int64(1) << holding[0] | np.int64(1) << holding[1]
    for card in board:
        key += card_keys[card]
        taken |= np.int64(1) << np.int64(card)
    own, at = rank_of_key(table, key + card_keys[holding[0]] + card_keys[holding[1]]), 0
    for high in range(52):
        for low in range(high):
            edges[at] = 0.0
            if not (taken >> high & 1 or taken >> low & 1):
                rank = rank_of_key(table, key + card_keys[high] + card_keys[low])
                edges[at] = np.float64(own > rank) - np.float64(own < rank)
            at += 1


@kernel(nogil=True)
def compare_on_turn(ranking: Ranking, holding, board, edges):
    """The same on four cards, on average over the rivers that both holdings leave."""
    longer, on_river = np.empty(5, np.int64), np.empty(HOLDINGS)
    taken = np.int64(1) << holding[0] | np.int64(1) << holding[1]
    for at in range(4):
        longer[at] = board[at]
        taken |= np.int64(1) << np.int64(board[at])
    for at in range(HOLDINGS):
        edges[at] = 0.0
    for card in range(52):
        if not taken >> card & 1:
            longer[4] = card
            compare_holdings(ranking, holding, longer, on_river)
            for at in range(HOLDINGS):
                edges[at] += on_river[at] / 44


@kernel(nogil=True)
def drop_cards(weights, cards):
    """Take the holdings with any of some cards out of a range."""
    taken = np.int64(0)
    for card in cards:
        taken |= np.int64(1) << np.int64(card)
    at = 0
    for high in range(52):
        for low in range(high):
            if taken >> high & 1 or taken >> low & 1:
                weights[at] = 0.0
            at += 1


@kernel
def _sum_by_card(weights, by_card):
    at = 0
    for card in range(52):
        by_card[card] = 0.0
    for high in range(52):
        for low in range(high):
            by_card[high] += weights[at]
            by_card[low] += weights[at]
            at += 1


@kernel
def _closing_value(deal: Deal, closing, weights, total, chips, by_card):
    """What an end of the round with both players in is worth."""
    shown, won = 0.0, 0.0
    if len(deal.board) > 3:
        for at in range(HOLDINGS):
            shown += weights[at] * deal.edges[at]
        shown *= chips / total
    if len(deal.board) == 5:
        return shown
    _sum_by_card(weights, by_card)
    after = deal.after[closing]
    if len(deal.board) == 0:
        # Each flop with the weight of the holdings that it leaves, by inclusion and exclusion.
        at, pairs = 0, 0.0
        for high in range(52):
            for low in range(high):
                won += (weights[at] - 0.5 * (by_card[high] + by_card[low])) * after[at]
                pairs += after[at]
                at += 1
        return (won + total * pairs / 3) / (_FLOPS_LEFT * total)
    for card in range(52):
        won += (total - by_card[card]) * after[card]
    return shown + won / ((48 - len(deal.board)) * total)


class Round(NamedTuple):
    """What is found of a betting round; places count its nodes from the opening."""

    row_of: np.ndarray
    """By place: the row of `ranges` that is the imagined player's there."""
    closing_of: np.ndarray
    """By place where the round ends with both players in: the number of that closing."""
    ranges: np.ndarray
    totals: np.ndarray
    """By row: the sum of the range."""
    values: np.ndarray
    """By place."""


@kernel
def _spread_ranges(tree: Tree, opening, imagined, play: Play, weights, found: Round):
    """Forward: the ranges of the imagined player at every node of a round. Returns how many nodes there are."""
    size, last, used, closings = 0, opening, 1, 0
    first_row = tree.row[opening]
    for at in range(HOLDINGS):
        found.ranges[0, at] = weights[at]
        found.totals[0] += weights[at]
    while opening + size <= last:
        node, row = opening + size, found.row_of[size]
        if tree.kind[node] == DECISION:
            for action in range(3):
                child = tree.child[node, action]
                if child < 0:
                    continue
                last = max(last, child)
                found.row_of[child - opening] = row
                if tree.actor[node] == imagined:
                    total = 0.0
                    for at in range(HOLDINGS):
                        chance = play.table[tree.row[node] - first_row, play.buckets[at], action]
                        found.ranges[used, at] = found.ranges[row, at] * chance
                        total += found.ranges[used, at]
                    found.totals[used] = total
                    found.row_of[child - opening] = used
                    used += 1
        elif tree.kind[node] != FOLDED:
            found.closing_of[size] = closings
            closings += 1
        size += 1
    return size


@kernel
def _value_nodes(tree: Tree, opening, size, imagined, play: Play, deal: Deal, small_bet, found: Round):
    """Backward: what every node of a round is worth."""
    by_card, first_row, values = np.empty(52), tree.row[opening], found.values
    for place in range(size - 1, -1, -1):
        node, row = opening + place, found.row_of[place]
        total = found.totals[row]
        if total <= 0.0:
            continue
        if tree.kind[node] == FOLDED:
            lost = tree.committed[node, tree.actor[node]] / small_bet
            values[place] = lost if tree.actor[node] == imagined else -lost
        elif tree.kind[node] == DECISION:
            for action in range(3):
                child = tree.child[node, action] - opening
                if child >= 0 and tree.actor[node] == imagined:
                    values[place] += found.totals[found.row_of[child]] / total * values[child]
                elif child >= 0:
                    values[place] += play.assumed[tree.row[node] - first_row, action] * values[child]
        else:
            chips = tree.committed[node, 0] / small_bet
            values[place] = _closing_value(deal, found.closing_of[place], found.ranges[row], total, chips, by_card)


@kernel(nogil=True)
def follow_round(tree: Tree, opening, imagined, play: Play, deal: Deal, actions, small_bet, weights):
    """Follow the actions of a round. Returns the sum of its corrections, the node where it ends and the value there;
    `weights`, the range of the player who is imagined, becomes that at the end.

    A range in which no holding does what was done ends the round: the node is then -1.
    """
    found = Round(
        np.zeros(_LARGEST, np.int64),
        np.zeros(_LARGEST, np.int64),
        np.empty((_LARGEST, HOLDINGS)),
        np.zeros(_LARGEST),
        np.zeros(_LARGEST),
    )
    size = _spread_ranges(tree, opening, imagined, play, weights, found)
    _value_nodes(tree, opening, size, imagined, play, deal, small_bet, found)
    place, correction, values = 0, 0.0, found.values
    for action in actions:
        node = opening + place
        after = tree.child[node, action] - opening
        if found.totals[found.row_of[after]] <= 0.0:
            return 0.0, np.int64(-1), 0.0
        told = play.told[tree.row[node] - tree.row[opening]]
        if tree.actor[node] == imagined:
            correction += values[place] - values[after]
        elif told[1] >= 0.0:
            for choice in range(3):
                if tree.child[node, choice] >= 0:
                    correction += told[choice] * values[tree.child[node, choice] - opening]
            correction -= values[after]
        place = after
    for at in range(HOLDINGS):
        weights[at] = found.ranges[found.row_of[place], at]
    return correction, np.int64(opening + place), values[place]
