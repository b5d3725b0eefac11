"""Expected values over a betting tree, many hands of cards at once (Miximax and Miximix; Billings et al. 2004, 4.4).

A betting round is a run of nodes in which children come after their parents, so one walk backwards values all of them.
Every node has a row of numbers, one for each *column*: a way the cards of this street may lie, as far as the searching
player is concerned. On the river a column is a hand rank (the share of holdings beaten), on the turn a turn card, on
the flop a flop. What a round is worth becomes, averaged over the cards that lead to its columns, what the end of an
earlier round is worth: a product of matrices that the caller does between streets.

The opponent's actions and the hand ranks that he shows down depend on the betting alone, as in the paper, so they are
one triple for each node and one cumulative histogram for each showdown. The chance to win with a hand rank inside a
cell is read off by a straight line.

`roles` tells what a node is to the searching player.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.copying import copy_into

OWN, OPPONENT, FOLDED, SHOWDOWN, DEAL = range(5)


class SeenTree(NamedTuple):
    """A betting tree as the searching player sees it, by node."""

    roles: np.ndarray
    child: np.ndarray
    places: np.ndarray
    """The row of what is known of later streets that a deal leads to, or the row of the histogram of a showdown."""
    amounts: np.ndarray
    """What a fold ends with, or what a showdown has cost."""
    pots: np.ndarray
    """What a showdown is played for."""


class Model(NamedTuple):
    """What the opponent does."""

    triples: np.ndarray
    """By node."""
    cumulative: np.ndarray
    """By showdown: the cumulative histogram of the hand ranks that he shows."""


class HandRanks(NamedTuple):
    """The player's hand ranks on the river, by column: the cell of a histogram, and how far inside it."""

    cells: np.ndarray
    fractions: np.ndarray


class Runs(NamedTuple):
    """Betting rounds, or ends of them, as runs of nodes."""

    first: np.ndarray
    last: np.ndarray


@kernel
def value_rounds(runs, tree, model, hand_ranks, later, temperature, rows, found):
    """The values of betting rounds by column, into `found[i]`.

    With a `temperature` of 0 the player takes the best action, otherwise each with a probability proportional to
    exp(value / temperature). `rows` is room for the longest round; after the call it holds the nodes of the last one.
    """
    first, last = runs.first, runs.last
    roles, child, places, amounts, pots = tree.roles, tree.child, tree.places, tree.amounts, tree.pots
    triples, cumulative, cells, fractions = model.triples, model.cumulative, hand_ranks.cells, hand_ranks.fractions
    columns = found.shape[1]
    for at in range(len(first)):
        start = first[at]
        for node in range(last[at], start - 1, -1):
            row = rows[node - start]
            role = roles[node]
            if role == FOLDED:
                row[:] = amounts[node]
            elif role == SHOWDOWN:
                won = cumulative[places[node]]
                pot, cost = pots[node], amounts[node]
                for column in range(columns):
                    cell = cells[column]
                    low = won[cell]
                    row[column] = pot * (low + fractions[column] * (won[cell + 1] - low)) - cost
            elif role == DEAL:
                copy_into(row, later[places[node]])
            elif role == OPPONENT:
                row[:] = 0.0
                for action in range(3):
                    if child[node, action] >= 0:
                        chance = triples[node, action]
                        after = rows[child[node, action] - start]
                        for column in range(columns):
                            row[column] += chance * after[column]
            else:
                _choose(child[node], start, temperature, rows, row)
        copy_into(found[at], rows[0])


@kernel
def _choose(children, start, temperature, rows, row):
    """The value of a decision of the player's own: the largest, or the mean that the temperature gives."""
    row[:] = -1e300
    for action in range(3):
        if children[action] >= 0:
            after = rows[children[action] - start]
            for column in range(len(row)):
                row[column] = max(row[column], after[column])
    if temperature == 0.0:
        return
    for column in range(len(row)):
        best, weights, total = row[column], 0.0, 0.0
        for action in range(3):
            if children[action] >= 0:
                value = rows[children[action] - start, column]
                weight = np.exp((value - best) / temperature)
                weights += weight
                total += weight * value
        row[column] = total / weights


@kernel
def average_over_cards(values, step, out):
    """The product of two matrices: `values` by round and later column, `step` by later and earlier column.

    By hand, as a library would wake all cores for a matter of milliseconds.
    """
    out[:] = 0.0
    for at in range(values.shape[0]):
        row = out[at]
        for later in range(values.shape[1]):
            value, chances = values[at, later], step[later]
            for earlier in range(step.shape[1]):
                row[earlier] += value * chances[earlier]


@kernel
def mix_levels(wanted, classes, data, counts, defaults, keep, out):
    """Blend what is known of contexts at several levels of abstraction (section 4.6.2) into rows of `out`.

    `classes[i]` are the rows of `data` and `counts` that context i belongs to, the finest level first. A class with n
    observations takes 1 - keep**n of the weight that finer levels have left; what remains goes to `defaults`.
    """
    width = data.shape[1]
    for i in wanted:
        left = 1.0
        out[i] = 0.0
        for level in range(classes.shape[1]):
            of = classes[i, level]
            if counts[of] == 0:
                continue
            share = left * (1.0 - keep ** counts[of])
            left -= share
            total = 0.0
            for cell in range(width):
                total += data[of, cell]
            for cell in range(width):
                out[i, cell] += share / total * data[of, cell]
        for cell in range(width):
            out[i, cell] += left * defaults[i, cell]


@kernel
def accumulate_cells(wanted, histograms, cumulative):
    """Running totals of histograms: `cumulative[i, k]` is the weight of the cells before k."""
    for i in wanted:
        total = 0.0
        cumulative[i, 0] = 0.0
        for cell in range(histograms.shape[1]):
            total += histograms[i, cell]
            cumulative[i, cell + 1] = total


@kernel
def score_runouts(table, card_keys, first, second, board, scores):
    """How a holding stands on each finished board that may follow a flop, turn or river.

    `scores[a, b]` becomes twice the holdings beaten plus the holdings tied with, of 990, when cards a and b are dealt
    to a flop (either order); for a turn the river card is b and a the turn card; for a river, both are dealt cards.

    An opponent's seven cards are the same whichever two of the four cards outside the flop are his, so each set of four
    is ranked once and compared with the holding on six boards.
    """
    live = np.empty(52, np.int64)
    dead = np.zeros(52, np.bool_)
    dead[first] = True
    dead[second] = True
    flop_key = EMPTY_KEY
    for at in range(len(board)):
        dead[board[at]] = True
        if at < 3:
            flop_key += card_keys[board[at]]
    count = 0
    for card in range(52):
        if not dead[card]:
            live[count] = card
            count += 1
    live = live[:count]
    if len(board) == 3:
        _score_flop(table, card_keys, flop_key, card_keys[first] + card_keys[second], live, scores)
        return
    turn = board[3]
    turn_key = flop_key + card_keys[turn]
    for i in range(count if len(board) == 4 else 1):
        river = live[i] if len(board) == 4 else board[4]
        river_key = turn_key + card_keys[river]
        mine = rank_of_key(table, river_key + card_keys[first] + card_keys[second])
        score = 0
        for j in range(count):
            if live[j] == river:
                continue
            for k in range(j):
                if live[k] != river:
                    rank = rank_of_key(table, river_key + card_keys[live[j]] + card_keys[live[k]])
                    score += (mine > rank) + (mine >= rank)
        scores[turn, river] = score


@kernel
def _score_flop(table, card_keys, flop_key, holding_key, live, scores):
    """The part of `score_runouts` for a flop: `live` are the cards not seen, in rising order."""
    own = np.zeros((52, 52), np.int64)
    own_key = flop_key + holding_key
    count = len(live)
    for i in range(count):
        for j in range(i):
            a, b = live[i], live[j]
            own[a, b] = rank_of_key(table, own_key + card_keys[a] + card_keys[b])
            scores[a, b] = 0
    for i in range(count):
        a = live[i]
        a_key = flop_key + card_keys[a]
        for j in range(i):
            b = live[j]
            b_key = a_key + card_keys[b]
            for k in range(j):
                c = live[k]
                c_key = b_key + card_keys[c]
                for m in range(k):
                    d = live[m]
                    rank = rank_of_key(table, c_key + card_keys[d])
                    scores[a, b] += (own[a, b] > rank) + (own[a, b] >= rank)
                    scores[a, c] += (own[a, c] > rank) + (own[a, c] >= rank)
                    scores[a, d] += (own[a, d] > rank) + (own[a, d] >= rank)
                    scores[b, c] += (own[b, c] > rank) + (own[b, c] >= rank)
                    scores[b, d] += (own[b, d] > rank) + (own[b, d] >= rank)
                    scores[c, d] += (own[c, d] > rank) + (own[c, d] >= rank)
    for i in range(count):
        for j in range(i):
            scores[live[j], live[i]] = scores[live[i], live[j]]
