"""Strategies rounded for shipping: neighbouring buckets then often have the same probabilities, and the file packs.

In 255ths a strategy of many buckets hardly packs. So fold, call and raise are rounded, each to the nearest of
`levels` + 1 values, and then scaled to a sum of one; with 15 levels 123 different probabilities come of it. The values
lie the closer together the nearer they are to 0 or 1, as sines of even angles squared do: a little bluffing is to
remain a little, and not to become none at all. Decisions that the strategy itself never gets to, because it never plays
what leads there with any holding, are all played as a call; nobody can tell.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.game.betting_tree import BettingTree

Codes = NDArray[np.uint8]

WHOLE = 255
MOST_LEVELS = 64


def check_levels(levels: int) -> None:
    """Refuse a number of levels that there cannot be."""
    if not 1 <= levels <= MOST_LEVELS:
        raise RailbirdError(f"{levels} levels; probabilities are rounded to 1 to {MOST_LEVELS}")


def rounded_codes(codes: Codes, levels: int) -> Codes:
    """Fold and raise in 255ths, rows x buckets x 2, rounded. What is never done stays so."""
    pairs = np.ascontiguousarray(codes).view("<u2")[:, :, 0]
    return np.asarray(_rounded_pairs(levels)[pairs].view(np.uint8).reshape(codes.shape))


@cache
def _rounded_pairs(levels: int) -> NDArray[np.uint16]:
    """By fold + 256 * raise: the same, rounded."""
    raise_, fold = np.divmod(np.arange(256 * 256), 256)
    exact = np.stack([fold, np.maximum(WHOLE - fold - raise_, 0), raise_], axis=1) / WHOLE
    values = np.sin(np.pi / 2 * np.arange(levels + 1) / levels) ** 2
    found = values[np.searchsorted((values[1:] + values[:-1]) / 2, exact)]
    empty = found.sum(axis=1) == 0  # three actions, each nearer to none than to the first level
    found[empty] = exact[empty] == exact[empty].max(axis=1, keepdims=True)
    codes = np.rint(WHOLE * found / found.sum(axis=1, keepdims=True)).astype(np.uint16)
    codes[:, 2] = np.where(found[:, 1] == 0, WHOLE - codes[:, 0], np.minimum(codes[:, 2], WHOLE - codes[:, 0]))
    return np.asarray(codes[:, 0] + 256 * codes[:, 2], np.uint16)  # pairs of more than one in all mean nothing


def unreached_rows(tree: BettingTree, tables: list[Codes]) -> list[NDArray[np.bool_]]:
    """By street and row: whether a strategy never gets there by its own decisions, whatever it holds."""
    played = {}
    for street, codes in enumerate(tables):
        fold, raise_ = codes[:, :, 0], codes[:, :, 1]
        for row, node in enumerate(tree.decisions[street].tolist()):
            calls = (fold[row].astype(np.int16) + raise_[row] < WHOLE).any()
            played[node] = [bool(fold[row].any()), bool(calls), bool(raise_[row].any())]
    found = [np.zeros(len(codes), np.bool_) for codes in tables]
    for street, rows in enumerate(found):
        for row, node in enumerate(tree.decisions[street].tolist()):
            rows[row] = not _is_reached(tree, played, node)
    return found


def _is_reached(tree: BettingTree, played: dict[int, list[bool]], node: int) -> bool:
    """Whether all of a position's own decisions on the way to one of its nodes may be played."""
    actor = tree.actor[node]
    while tree.parent[node] >= 0:
        before = int(tree.parent[node])
        if before in played and tree.actor[before] == actor:
            action = tree.child[before].tolist().index(node)
            if not played[before][action]:
                return False
        node = before
    return True
