"""The steps of vector CFR for one bucket in one block of openings: 1, 2, 5, and of 4 the folds.

`vector_cfr` explains the steps, the arrays and the shape of a round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import LANES, fill, larger, load, share, store

CLOSING, FOLD = 1000, 2000
HEAD, NODE_FIELDS, MIX_FIELDS = 5, 5, 4


class Weights(NamedTuple):
    """What a board counts in regrets and in the average strategy, and the floor of regrets."""

    regret: np.float32
    average: np.float32
    floor: np.float32


class Chips(NamedTuple):
    """The chips of one block."""

    closings: np.ndarray
    folds: np.ndarray


class Room(NamedTuple):
    """Room to work in, for one block: by action, node or fold of one bucket, by holding, by card, and
    [player, closing, place] for all buckets of the board."""

    sigma: np.ndarray
    node_paths: np.ndarray
    node_values: np.ndarray
    fold_paths: np.ndarray
    fold_values: np.ndarray
    reaches: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    upto: np.ndarray
    paths: np.ndarray
    rates: np.ndarray
    wins: np.ndarray
    meetings: np.ndarray
    passing: np.ndarray
    few: np.ndarray


@kernel
def match_regrets(shape, regrets, bases, sigma):
    """Step 1: the strategy of one bucket in one block, by node and action.

    `bases` say for each player where the bucket's regrets begin.
    """
    for node in range(shape[0]):
        at = HEAD + NODE_FIELDS * node
        slot = 3 * LANES * node
        base = bases[0] if shape[at] == 0 else bases[1]
        whole = fill(np.float32(0.0))
        for action in range(3):
            if shape[at + 1 + action] >= 0:
                positive = larger(load(regrets, base + slot + LANES * action), fill(np.float32(0.0)))
                whole = whole + positive
                store(positive, sigma, slot + LANES * action)
        even = fill(np.float32(1.0) / np.float32(shape[at + 4]))
        for action in range(3):
            if shape[at + 1 + action] >= 0:
                store(share(load(sigma, slot + LANES * action), whole, even), sigma, slot + LANES * action)


@kernel
def find_paths(shape, sigma, node_paths, closing_paths, fold_paths, place, places):
    """Step 1: the products along the paths. Those of closings go to [player, closing, place], for `places` buckets."""
    nodes, closings, folds = shape[0], shape[1], shape[2]
    one = fill(np.float32(1.0))
    store(one, node_paths, 0)
    store(one, node_paths, LANES * nodes)
    store(one, closing_paths, LANES * ((closings - 1) * places + place))
    store(one, closing_paths, LANES * ((2 * closings - 1) * places + place))
    for node in range(nodes):
        at = HEAD + NODE_FIELDS * node
        actor = shape[at]
        own = load(node_paths, LANES * (nodes * actor + node))
        others = load(node_paths, LANES * (nodes * (1 - actor) + node))
        for action in range(3):
            to = shape[at + 1 + action]
            if to < 0:
                continue
            after = own * load(sigma, LANES * (3 * node + action))
            if to >= FOLD:
                store(after, fold_paths, LANES * (folds * actor + to - FOLD))
                store(others, fold_paths, LANES * (folds * (1 - actor) + to - FOLD))
            elif to >= CLOSING:
                store(after, closing_paths, LANES * ((closings * actor + to - CLOSING) * places + place))
                store(others, closing_paths, LANES * ((closings * (1 - actor) + to - CLOSING) * places + place))
            else:
                store(after, node_paths, LANES * (nodes * actor + to))
                store(others, node_paths, LANES * (nodes * (1 - actor) + to))


@kernel
def add_strategy(shape, sigma, node_paths, reaches, weight, sums, bases):
    """Step 2, for one bucket: `reaches` has the sum of r over its holdings for each player.

    A player whose base is -1 is left out.
    """
    nodes = shape[0]
    for node in range(nodes):
        at = HEAD + NODE_FIELDS * node
        actor = shape[at]
        base = bases[0] if actor == 0 else bases[1]
        if base < 0:
            continue
        here = fill(weight) * load(reaches, LANES * actor) * load(node_paths, LANES * (nodes * actor + node))
        for action in range(3):
            if shape[at + 1 + action] >= 0:
                slot = LANES * (3 * node + action)
                store(load(sums, base + slot) + here * load(sigma, slot), sums, base + slot)


@kernel
def weigh_folds(shape, fold_chips, fold_paths, rates, place, places):
    """Step 4: by how much each F enters a player's value, to [player, closing, place]."""
    closings, folds, mixes = shape[1], shape[2], shape[3]
    for i in range(2 * closings):
        store(fill(np.float32(0.0)), rates, LANES * (i * places + place))
    first = HEAD + NODE_FIELDS * shape[0]
    for mix in range(mixes):
        at = first + MIX_FIELDS * mix
        player, fold = shape[at], shape[at + 1]
        to = LANES * ((closings * player + shape[at + 2]) * places + place)
        chips = load(fold_chips, LANES * (folds * player + fold))
        part = fill(np.float32(shape[at + 3])) * chips * load(fold_paths, LANES * (folds * player + fold))
        store(load(rates, to) + part, rates, to)


@kernel
def _value_folds(shape, chips, meetings, fold_values, place, places):
    """Step 5: what each fold is worth to the bucket at a place."""
    closings, folds = shape[1], shape[2]
    for i in range(2 * folds):
        store(fill(np.float32(0.0)), fold_values, LANES * i)
    first = HEAD + NODE_FIELDS * shape[0]
    for mix in range(shape[3]):
        at = first + MIX_FIELDS * mix
        player, fold = shape[at], shape[at + 1]
        met = load(meetings, LANES * ((closings * player + shape[at + 2]) * places + place))
        to = LANES * (folds * player + fold)
        store(load(fold_values, to) + fill(np.float32(shape[at + 3])) * met * load(chips.folds, to), fold_values, to)


@kernel
def add_regrets(shape, chips, place, places, weights, regrets, bases, room):
    """Step 5, for one bucket: `wins` and `meetings` hold the bucket's closing values and F by [player, closing].

    A player whose base is -1 learns nothing, and what is worth what to it need not be known. (What an action is worth
    is written out for both players: a function for it that is given `room` takes three times as long.)
    """
    nodes, closings, folds, showdowns = shape[0], shape[1], shape[2], shape[4]
    sigma, wins, node_values, fold_values = room.sigma, room.wins, room.node_values, room.fold_values
    closing_chips = chips.closings
    _value_folds(shape, chips, room.meetings, fold_values, place, places)
    bottom, rate = fill(weights.floor), fill(weights.regret)
    for node in range(nodes - 1, -1, -1):
        at = HEAD + NODE_FIELDS * node
        actor = shape[at]
        base = bases[0] if actor == 0 else bases[1]
        own, others = fill(np.float32(0.0)), fill(np.float32(0.0))
        for action in range(3):
            to = shape[at + 1 + action]
            if to < 0:
                continue
            slot = LANES * (3 * node + action)
            if to >= FOLD:
                value = load(fold_values, LANES * (folds * actor + to - FOLD))
                other_value = load(fold_values, LANES * (folds * (1 - actor) + to - FOLD))
            elif to >= CLOSING:
                value = load(wins, LANES * ((closings * actor + to - CLOSING) * places + place))
                other_value = load(wins, LANES * ((closings * (1 - actor) + to - CLOSING) * places + place))
                if showdowns:
                    stake = load(closing_chips, LANES * (to - CLOSING))
                    value = value * stake
                    other_value = other_value * stake
            else:
                value = load(node_values, LANES * (nodes * actor + to))
                other_value = load(node_values, LANES * (nodes * (1 - actor) + to))
            if base >= 0:
                store(load(regrets, base + slot) + rate * value, regrets, base + slot)
            own = own + load(sigma, slot) * value
            others = others + other_value
        store(own, node_values, LANES * (nodes * actor + node))
        store(others, node_values, LANES * (nodes * (1 - actor) + node))
        if base < 0:
            continue
        for action in range(3):
            if shape[at + 1 + action] >= 0:
                slot = base + LANES * (3 * node + action)
                store(larger(load(regrets, slot) - rate * own, bottom), regrets, slot)
