"""Strategies packed for shipping: probabilities in a few parts of one, a byte for each decision and bucket.

In 255ths a strategy of many buckets hardly packs. In `levels` parts, 15 at most, fold and raise make one code of a
byte, calling has the rest, and neighbouring buckets often have the same code. Decisions that the strategy itself never
gets to, because it never plays what leads there with any holding, are all played as a call; nobody can tell.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.game.betting_tree import BettingTree

Codes = NDArray[np.uint8]

WHOLE = 255
MOST_LEVELS = 15


def check_levels(levels: int) -> None:
    """Refuse a number of parts that does not fit into a byte."""
    if not 1 <= levels <= MOST_LEVELS:
        raise RailbirdError(f"{levels} levels; probabilities are packed in 1 to {MOST_LEVELS} parts")


def packed_codes(codes: Codes, levels: int) -> Codes:
    """Fold and raise in 255ths, rows x buckets x 2, as codes (levels + 1) * fold + raise by row and bucket.

    Parts that are left over go to the actions that lost most by rounding down, so that no illegal one gets any.
    """
    pairs = np.ascontiguousarray(codes).view("<u2")[:, :, 0]
    return np.asarray(_code_by_pair(levels)[pairs])


@cache
def _code_by_pair(levels: int) -> Codes:
    """By fold + 256 * raise: the code."""
    raise_, fold = np.divmod(np.arange(256 * 256), 256)
    exact = np.stack([fold, np.maximum(WHOLE - fold - raise_, 0), raise_], axis=1) * levels
    parts, rest = exact // WHOLE, exact % WHOLE
    for _ in range(2):
        short = parts.sum(axis=1) < levels
        most = rest.argmax(axis=1)
        parts[short, most[short]] += 1
        rest[short, most[short]] = 0
    return np.asarray(parts[:, 0] * (levels + 1) + parts[:, 2], np.uint8)  # pairs of more than one in all mean nothing


def unpacked_codes(packed: Codes, levels: int) -> Codes:
    """The way back: fold and raise in 255ths."""
    fold, raise_ = np.divmod(np.arange(256), levels + 1)
    if packed.size and (fold + raise_ > levels)[packed].any():
        raise RailbirdError("packed probabilities of more than one in all")
    pairs = np.rint(np.stack([fold, raise_], axis=1) * (WHOLE / levels)).clip(0, WHOLE)
    pairs[:, 1] = np.minimum(pairs[:, 1], WHOLE - pairs[:, 0])
    return pairs.astype(np.uint8).view("<u2")[:, 0][packed].view(np.uint8).reshape(*packed.shape, 2)


def unreached_rows(tree: BettingTree, packed: list[Codes], levels: int) -> list[NDArray[np.bool_]]:
    """By street and row: whether the strategy never gets there by its own decisions, whatever it holds."""
    played = {}
    for street, codes in enumerate(packed):
        fold, raise_ = np.divmod(codes, levels + 1)
        call = levels - fold.astype(np.int16) - raise_
        for row, node in enumerate(tree.decisions[street].tolist()):
            played[node] = [bool((part[row] > 0).any()) for part in (fold, call, raise_)]
    found = [np.zeros(len(codes), np.bool_) for codes in packed]
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
