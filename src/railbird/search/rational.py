"""A simple rational strategy for heads-up limit hold'em: bet what is likely ahead, fold what is likely behind.

It is what Vexbot assumes of an opponent of whom it has seen nothing, where there is no trained strategy. A holding is
placed by its percentile: among all holdings by equity against a random one before the flop, by all-in equity after it.
At each decision the bottom folds, the top raises, and a few of the worst hands bet or raise as bluffs; the borders
(`_FOLD`, `_RAISE`) rise with the number of bets made on the street and are softened, as no opponent has sharp ones.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds import runouts
from railbird.kernels.odds import sweep as strength
from railbird.odds.expected_rank import HoldingOrder
from railbird.odds.income_rates import income_rates

# By bets and raises that the player faces on the street (the blind counts as one): below the first percentile it folds,
# above the second it raises.
_FOLD = (0.0, 0.25, 0.35, 0.4, 0.4)
_RAISE = (0.6, 0.8, 0.9, 0.95, 1.0)
_FOLD_PREFLOP = (0.0, 0.1, 0.15, 0.2, 0.2)
_RAISE_PREFLOP = (0.5, 0.6, 0.85, 0.93, 1.0)
_BLUFFS = (0.15, 0.08, 0.04, 0.0, 0.0)
"""How often the lowest fifth bets or raises instead."""
_SOFTNESS = 0.04


class RationalPolicy:
    """The strategy as a table (`railbird.solve.policy.Policy`)."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._tree = BettingTree.of(game)

    @property
    def game(self) -> Game:
        return self._game

    def probabilities(self, street: int, board: tuple[int, ...]) -> NDArray[np.float32]:
        """Fold, call and raise by row of the street's decisions and holding."""
        percentiles = np.nan_to_num(_percentiles(board), nan=0.5)
        nodes = self._tree.decisions[street]
        found = np.empty((len(nodes), HOLDING_COUNT, 3), np.float32)
        by_bets: dict[tuple[int, bool, bool], NDArray[np.float32]] = {}
        for row, node in enumerate(nodes.tolist()):
            made = self._tree.history[node].rpartition("/")[2].count("r") + (street == 0)
            key = (made, bool(self._tree.child[node, 0] >= 0), bool(self._tree.child[node, 2] >= 0))
            if key not in by_bets:
                by_bets[key] = _chances(percentiles, street, *key)
            found[row] = by_bets[key]
        return found


def _chances(
    percentiles: NDArray[np.float64], street: int, made: int, can_fold: bool, can_raise: bool
) -> NDArray[np.float32]:
    """Fold, call and raise by holding at a decision with so many bets made."""
    bets = min(made, len(_FOLD) - 1)
    folds_below, raises_above = (_FOLD_PREFLOP, _RAISE_PREFLOP) if street == 0 else (_FOLD, _RAISE)
    fold = _step(folds_below[bets] - percentiles) if can_fold else np.zeros_like(percentiles)
    raise_ = np.zeros_like(percentiles)
    if can_raise:
        raise_ = np.maximum(_step(percentiles - raises_above[bets]), _BLUFFS[bets] * (percentiles < 0.2))
    fold = fold * (1 - raise_)
    return np.stack([fold, 1 - fold - raise_, raise_], axis=1).astype(np.float32)


def _step(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-distance / _SOFTNESS)))


@lru_cache(maxsize=8)
def _percentiles(board: tuple[int, ...]) -> NDArray[np.float64]:
    """By holding: its place among all holdings on a board, by all-in equity."""
    if not board:
        return HoldingOrder(np.array(income_rates(2))).percentiles
    found, ones, cards = np.empty(HOLDING_COUNT), np.ones(HOLDING_COUNT), np.array(board, np.uint8)
    if len(board) == 5:
        strength.find_strengths(TABLE, RANK_KEYS, cards, ones, found)
    else:
        runouts.find_equities(TABLE, RANK_KEYS, cards, 5 - len(board), ones, found)
    return HoldingOrder(found).percentiles
