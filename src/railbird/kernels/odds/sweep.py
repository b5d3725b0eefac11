"""How much of an opponent's weight each holding beats on a board: one holding, or all of them in one sweep.

The sweep walks the holdings in rising order of rank and keeps the weight passed so far, in all and per card. What a
holding beats is then `all - with its first card - with its second card`, which leaves out every holding that it blocks
(none contains both cards but itself). Reading before and after the holdings of equal rank, and adding the two, counts
wins twice and ties once: the score.

The 91 classes of `classes` are walked, not 1,326 holdings. For a class of ranks (a, b) the sweep needs the weight of
the class, and of each of its cards with a partner of the other rank: `partner[52 * b + card]`, four neighbours in
memory. It leaves `totals[class]` and `shares[52 * b + card]`, both read before and after, and the score of a holding is

    totals[class] - shares[52 * b + first card] - shares[52 * a + second card] + own weight

Holdings that make a flush are taken out of the classes and walked by themselves: after the classes below a flush and
before the full houses, straight flushes last. `extra[52 * card + card]` collects by how much their score differs from
the formula.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import (
    CLASS_COUNT,
    CLASS_HIGH,
    CLASS_LOW,
    TWO_SUITED,
    WITH_OFFSUIT,
    flush_rank,
    rank_classes,
    sort_classes,
    sort_flushes,
)
from railbird.kernels.cards.ranking import EMPTY_KEY, FULL_HOUSE, STRAIGHT_FLUSH, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.fours import pass_four, read_four, read_pass_read_four

# Taking blocked holdings off a sum leaves rounding errors: less than this share of the whole weight counts as none.
NEGLIGIBLE = 1e-12


class SortedClasses(NamedTuple):
    """The classes in rising order, and their ranks; see `sort_classes`."""

    order: np.ndarray
    ranks: np.ndarray


class Flushes(NamedTuple):
    """Holdings that make a flush with a board, in rising order (see `sort_flushes`): lists for one board or several."""

    items: np.ndarray
    ranks: np.ndarray
    live: np.ndarray
    """1 for the cards that can stand beside a card of the suit: those of other suits, not dealt."""


class SpreadWeights(NamedTuple):
    """The weights by two cards (`spread_weights`), and by card and the rank of its partner (`sum_partners`)."""

    square: np.ndarray
    partner: np.ndarray


class Swept(NamedTuple):
    """What a sweep leaves: `upto` the weight of each card's holdings, `totals`, `shares` and `extra` as said above."""

    upto: np.ndarray
    totals: np.ndarray
    shares: np.ndarray
    extra: np.ndarray


@kernel
def mark_dead(card_keys, first, second, board, dead):
    """Mark the cards of a holding and a board in `dead`; returns the key of the board."""
    board_key = EMPTY_KEY
    dead[first] = True
    dead[second] = True
    for card in board:
        board_key += card_keys[card]
        dead[card] = True
    return board_key


@kernel
def weigh_standings(table, card_keys, first, second, board, weights):
    """The weight of the holdings that `first`, `second` is ahead of, tied with and behind on a board."""
    dead = np.zeros(52, np.bool_)
    board_key = mark_dead(card_keys, first, second, board, dead)
    own = rank_of_key(table, board_key + card_keys[first] + card_keys[second])
    ahead, tied, behind = 0.0, 0.0, 0.0
    for high in range(52):
        if dead[high]:
            continue
        high_key = board_key + card_keys[high]
        row = high * (high - 1) // 2
        for low in range(high):
            if dead[low]:
                continue
            rank = rank_of_key(table, high_key + card_keys[low])
            weight = weights[row + low]
            if rank < own:
                ahead += weight
            elif rank == own:
                tied += weight
            else:
                behind += weight
    return ahead, tied, behind


@kernel
def spread_weights(weights, board, square):
    """Lay weights by holding out by first and second card (52 x 52, both ways), with those of dead cards at zero."""
    at = 0
    for high in range(52):
        square[53 * high] = 0.0
        for low in range(high):
            square[52 * high + low] = weights[at]
            square[52 * low + high] = weights[at]
            at += 1
    for dead in board:
        for card in range(52):
            square[52 * dead + card] = 0.0
            square[52 * card + dead] = 0.0


@kernel
def sum_partners(square, suit, on_board, partner):
    """The weight of each card's holdings with a partner of each rank, without those that make a flush in `suit`.

    With three cards of the suit on the board these are the holdings with two of them, with more those with any.
    """
    for rank in range(13):
        for card in range(52):
            at = 52 * card + 4 * rank
            partner[52 * rank + card] = square[at] + square[at + 1] + square[at + 2] + square[at + 3]
    if on_board < 3:
        return
    for rank in range(13):
        for card in range(52):
            if card & 3 == suit and on_board > 3:
                partner[52 * rank + card] = 0.0
            elif (card & 3 == suit) == (on_board == 3):
                partner[52 * rank + card] -= square[52 * card + 4 * rank + suit]


@kernel
def sweep_board(classes, flushes, first, count, suit, lowest, weights, swept):
    """Walk all holdings on one board; leaves all of `swept`, to `extra` adding; returns the whole weight.

    Its flushes are `count` of those listed, from `first` on, in `suit`. `lowest` is the rank of the board itself if it
    is a flush, otherwise 0. (These numbers are not part of the named tuple, so that one serves for all runouts:
    whenever one is made its arrays are counted as in use.)
    """
    class_ranks, flush_ranks = classes.ranks, flushes.ranks
    upto, partner, square = swept.upto, weights.partner, weights.square
    upto[:] = 0.0
    total = 0.0
    at, flush_at, stop = np.int64(0), first, first + count
    if lowest > 0:
        while flush_at < stop and flush_ranks[flush_at] == lowest:
            flush_at += 1
        total = _sweep_tied(flushes, first, flush_at, suit, weights, swept)
        at += CLASS_COUNT
    while at < CLASS_COUNT or flush_at < stop:
        end = np.int64(CLASS_COUNT)
        if flush_at < stop and flush_ranks[flush_at] < FULL_HOUSE:
            while end > at and class_ranks[end - 1] >= FULL_HOUSE:
                end -= 1
        total = _sweep_classes(classes, at, end, total, partner, swept)
        at = end
        end = stop
        if at < CLASS_COUNT:
            while end > flush_at and flush_ranks[end - 1] >= STRAIGHT_FLUSH:
                end -= 1
        if flush_at < end:
            total = _sweep_flushes(flushes, flush_at, end, total, suit, square, swept)
            flush_at = end
    if count > 0:
        _take_formula_off(flushes, first, stop, suit, swept)
    return total


@kernel
def _sweep_classes(classes, start, stop, total, partner, swept):
    """Walk the classes from `start` to `stop`; returns the weight passed."""
    order, ranks = classes.order, classes.ranks
    upto, totals, shares = swept.upto, swept.totals, swept.shares
    while start < stop:
        end = start + 1
        while end < stop and ranks[end] == ranks[start]:
            end += 1
        if end == start + 1:
            # Usually a class ties with no other.
            a = 4 * CLASS_HIGH[order[start]]
            b = 4 * CLASS_LOW[order[start]]
            weight = read_pass_read_four(partner, 13 * b + a, upto, a, shares)
            if a == b:
                weight *= 0.5
            else:
                read_pass_read_four(partner, 13 * a + b, upto, b, shares)
            totals[order[start]] = 2.0 * total + weight
            total += weight
        else:
            for i in range(start, end):
                a = 4 * CLASS_HIGH[order[i]]
                b = 4 * CLASS_LOW[order[i]]
                totals[order[i]] = total
                for k in range(4):
                    shares[13 * b + a + k] = upto[a + k]
                    shares[13 * a + b + k] = upto[b + k]
            for i in range(start, end):
                a = 4 * CLASS_HIGH[order[i]]
                b = 4 * CLASS_LOW[order[i]]
                weight = pass_four(partner, 13 * b + a, upto, a)
                if a == b:
                    weight *= 0.5
                else:
                    pass_four(partner, 13 * a + b, upto, b)
                total += weight
            for i in range(start, end):
                a = 4 * CLASS_HIGH[order[i]]
                b = 4 * CLASS_LOW[order[i]]
                totals[order[i]] += total
                read_four(upto, a, shares, 13 * b + a)
                if a != b:
                    read_four(upto, b, shares, 13 * a + b)
        start = end
    return total


@kernel
def _sweep_flushes(flushes, start, stop, total, suit, square, swept):
    """Walk the flushes from `start` to `stop`; returns the weight passed."""
    items, ranks, live = flushes.items, flushes.ranks, flushes.live
    upto, extra = swept.upto, swept.extra
    while start < stop:
        end = start + 1
        while end < stop and ranks[end] == ranks[start]:
            end += 1
        if end == start + 1 and items[start] >= TWO_SUITED:
            # Usually a flush of two cards ties with no other.
            a = 4 * ((items[start] - TWO_SUITED) >> 4) + suit
            b = 4 * (items[start] & 15) + suit
            weight = square[52 * a + b]
            extra[52 * a + b] += 2.0 * (total - upto[a] - upto[b]) - weight
            upto[a] += weight
            upto[b] += weight
            total += weight
        else:
            for i in range(start, end):
                _read_flush(items[i], total, suit, live, upto, extra)
            for i in range(start, end):
                total += _pass_flush(items[i], suit, live, square, upto)
            for i in range(start, end):
                _read_flush(items[i], total, suit, live, upto, extra)
        start = end
    return total


@kernel
def _read_flush(item, total, suit, live, upto, extra):
    """Add to the score of an item that makes a flush what it beats when `total` and `upto` have been passed."""
    if item >= TWO_SUITED:
        a = 4 * ((item - TWO_SUITED) >> 4) + suit
        b = 4 * (item & 15) + suit
        extra[52 * a + b] += total - upto[a] - upto[b]
    else:
        a = max(4 * (item - WITH_OFFSUIT) + suit, 0)  # tells the compiler that no index is negative
        beside = total - upto[a]
        for card in range(52):
            extra[52 * a + card] += live[card] * (beside - upto[card])


@kernel
def _pass_flush(item, suit, live, square, upto):
    """Pass an item that makes a flush; returns its weight."""
    if item >= TWO_SUITED:
        a = 4 * ((item - TWO_SUITED) >> 4) + suit
        b = 4 * (item & 15) + suit
        weight = square[52 * a + b]
        upto[b] += weight
    else:
        a = max(4 * (item - WITH_OFFSUIT) + suit, 0)
        for card in range(52):
            upto[card] += live[card] * square[52 * a + card]
        weight = 0.0
        for card in range(0, 52, 4):
            weight += (live[card] * square[52 * a + card] + live[card + 1] * square[52 * a + card + 1]) + (
                live[card + 2] * square[52 * a + card + 2] + live[card + 3] * square[52 * a + card + 3]
            )
    upto[a] += weight
    return weight


@kernel
def _sweep_tied(flushes, start, stop, suit, weights, swept):
    """Walk what ties on a board of five cards of one suit: all classes and the flushes from `start` to `stop`."""
    items, live = flushes.items, flushes.live
    partner, square = weights.partner, weights.square
    upto, totals, shares, extra = swept.upto, swept.totals, swept.shares, swept.extra
    total = 0.0
    for i in range(start, stop):
        total += _pass_flush(items[i], suit, live, square, upto)
    for rank in range(13):
        for card in range(52):
            upto[card] += partner[52 * rank + card]
            total += 0.5 * partner[52 * rank + card]
    totals[:] = total
    for rank in range(13):
        for card in range(52):
            shares[52 * rank + card] = upto[card]
    for i in range(start, stop):
        _read_flush(items[i], total, suit, live, upto, extra)
    return total


@kernel
def _take_formula_off(flushes, start, stop, suit, swept):
    """Subtract the formula's score of every holding that makes a flush."""
    items, live = flushes.items, flushes.live
    totals, shares, extra = swept.totals, swept.shares, swept.extra
    for i in range(start, stop):
        if items[i] >= TWO_SUITED:
            a = (items[i] - TWO_SUITED) >> 4
            b = items[i] & 15
            formula = totals[a * (a + 1) // 2 + b] - shares[52 * b + 4 * a + suit] - shares[52 * a + 4 * b + suit]
            extra[52 * (4 * a + suit) + 4 * b + suit] -= formula
        else:
            a = items[i] - WITH_OFFSUIT
            row = max(52 * (4 * a + suit), 0)
            for b in range(13):
                at = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
                given = totals[at] - shares[52 * b + 4 * a + suit]
                for card in range(4 * b, 4 * b + 4):
                    extra[row + card] -= live[card] * (given - shares[52 * a + card])


@kernel
def score_holdings(table, rank_keys, board, weights, scores, opponents):
    """For every holding on a board: twice the weight it beats plus the weight it ties with, and the weight in all.

    Of holdings that meet the board the numbers mean nothing. Returns the weight of all holdings that do not.
    """
    classes = SortedClasses(np.empty(CLASS_COUNT, np.uint16), np.empty(CLASS_COUNT, np.uint16))
    _sort_classes_on(table, rank_keys, board, classes)
    items, ranks, live = np.empty(128, np.uint16), np.empty(128, np.uint16), np.empty(52)
    count, suit, in_suit, lowest = _sort_flushes_on(table, rank_keys, board, items, ranks, live)
    flushes = Flushes(items, ranks, live)
    spread = SpreadWeights(np.empty(2704), np.empty(676))
    spread_weights(weights, board, spread.square)
    sum_partners(spread.square, suit, in_suit, spread.partner)
    swept = Swept(np.empty(52), np.empty(CLASS_COUNT), np.empty(676), np.zeros(2704))
    total = sweep_board(classes, flushes, np.int64(0), count, suit, lowest, spread, swept)
    upto, totals, shares, extra = swept.upto, swept.totals, swept.shares, swept.extra
    formula = np.empty(52)
    for high in range(52):
        a = high >> 2
        for b in range(a + 1):
            given = totals[a * (a + 1) // 2 + b] - shares[52 * b + high]
            for low in range(4):
                formula[4 * b + low] = given
        row = max(high * (high - 1) // 2, 0)
        for low in range(high):
            scores[row + low] = formula[low] - shares[52 * a + low] + weights[row + low]
        for low in range(high):
            opponents[row + low] = total - upto[high] - upto[low] + weights[row + low]
        if count > 0:
            for low in range(high):
                scores[row + low] += extra[52 * high + low] + extra[52 * low + high]
    return total


@kernel
def _sort_classes_on(table, rank_keys, board, classes):
    """Sort the classes of holdings on a board."""
    rank_sum = np.uint64(0)
    counts = np.zeros(13, np.int64)
    for card in board:
        rank_sum += rank_keys[card >> 2]
        counts[card >> 2] += 1
    class_ranks = np.empty(CLASS_COUNT, np.int16)
    starts = np.empty(128, np.uint16)
    rank_classes(table, rank_keys, rank_sum, counts, class_ranks)
    sort_classes(class_ranks, starts, classes.order, classes.ranks)


@kernel
def _sort_flushes_on(table, rank_keys, board, items, ranks, live):
    """List what `Flushes` says of a board; returns its count, suit, cards of that suit on the board, and lowest."""
    suit_counts = np.zeros(4, np.int64)
    for card in board:
        suit_counts[card & 3] += 1
    suit = np.int64(0)
    for other in range(1, 4):
        if suit_counts[other] > suit_counts[suit]:
            suit = other
    in_suit = suit_counts[suit]
    suit_sum, suit_mask = np.uint64(0), np.int64(0)
    for card in board:
        if card & 3 == suit:
            suit_sum += rank_keys[card >> 2]
            suit_mask |= 1 << (card >> 2)
    count = sort_flushes(table, rank_keys, suit_sum, suit_mask, in_suit, items, ranks)
    lowest = flush_rank(table, suit_sum) if in_suit == 5 else np.int64(0)
    for card in range(52):
        live[card] = card & 3 != suit
    return count, suit, in_suit, lowest


@kernel(nogil=True)
def find_strengths(table, rank_keys, board, weights, strengths):
    """The hand strength of every holding: nan for those that meet the board, 1/2 against nobody."""
    opponents = np.empty(1326)
    total = score_holdings(table, rank_keys, board, weights, strengths, opponents)
    divide_scores(strengths, opponents, total, np.int64(1), board)


@kernel(nogil=True)
def fill_strengths(table, rank_keys, boards, weights, rows):
    """`rows[i]` becomes the hand strengths of all holdings on `boards[i]`."""
    for i in range(len(boards)):
        find_strengths(table, rank_keys, boards[i], weights, rows[i])


@kernel(error_model="numpy")
def divide_scores(scores, opponents, total, runouts, board):
    """Turn scores into shares of what there is to win: nan for holdings that meet the board, 1/2 against nobody."""
    least = NEGLIGIBLE * total
    for i in range(1326):
        share = 0.5 * scores[i] / (runouts * opponents[i])
        share = share if share > 0.0 else 0.0
        share = share if share < 1.0 else 1.0
        scores[i] = share if opponents[i] > least else 0.5
    for dead in board:
        for card in range(52):
            if card != dead:
                scores[max(card, dead) * (max(card, dead) - 1) // 2 + min(card, dead)] = np.nan
