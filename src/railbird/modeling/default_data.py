"""Default data for a context tree: how a known strategy plays against itself, in every betting context.

The paper seeds its context tree with "default data based on rational play for both players, derived in a manner
analogous to Nash equilibrium strategies" (Billings et al. 2004, section 4.6.2). Any strategy will do here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from railbird.cards import HOLDING_COUNT
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds import sweep as strength
from railbird.kernels.solve import seeding
from railbird.modeling.context_tree import CELLS, DefaultData
from railbird.randomness import Stream

if TYPE_CHECKING:
    from railbird.game.betting_tree import BettingTree
    from railbird.solve.policy import Policy

BOARDS = 100
_SMOOTHING = 0.02
"""The share of a sampled histogram or triple that is spread evenly: a sample of boards proves nothing impossible."""


def default_data(tree: BettingTree, policy: Policy, boards: int = BOARDS, seed: int = 0) -> DefaultData:
    """How a strategy acts and what it shows down when it plays itself, by context; contexts it avoids are flat."""
    flat = DefaultData.flat(tree)
    triples, histograms = np.zeros_like(flat.triples), np.zeros_like(flat.histograms)
    showdown = np.full(len(tree), -1)
    shown = np.flatnonzero((tree.child < 0).all(axis=1) & (tree.actor < 0))
    showdown[shown] = np.arange(len(shown))
    ones, ranks = np.ones(HOLDING_COUNT), np.empty(HOLDING_COUNT)
    for number in range(boards):
        board = Stream(seed, number).deal(range(52), 5)
        tables = tuple(
            np.ascontiguousarray(policy.probabilities(street, tuple(board[: tree.game.board_seen(street)])), np.float32)
            for street in range(tree.game.streets)
        )
        strength.find_strengths(TABLE, RANK_KEYS, np.array(board, np.uint8), ones, ranks)
        live = (~np.isnan(ranks)).astype(np.float64)
        cells = np.minimum(CELLS - 1, (np.nan_to_num(ranks) * CELLS + 1e-9).astype(np.int64))
        seeding.play_itself(tables, tree.arrays, showdown, cells, live, triples, histograms)
    return DefaultData(_shares(triples, flat.triples), _shares(histograms, flat.histograms))


def _shares(found: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Weights as shares of their sum, slightly levelled; flat ones where there are none."""
    total = found.sum(axis=-1, keepdims=True)
    shares = np.divide(found, total, out=np.array(flat), where=total > 0)
    return np.asarray((1 - _SMOOTHING) * shares + _SMOOTHING * flat)
