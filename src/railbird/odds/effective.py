"""Effective hand strength: strength and potential in one number (Papp 1998, sections 5.2.1 and 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, parse_cards
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds.gains import find_chances
from railbird.kernels.odds.sweep import weigh_standings
from railbird.kernels.odds.transitions import weigh_transitions
from railbird.odds.potential import hand_potential
from railbird.odds.strength import hand_strength
from railbird.odds.weights import WeightArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EffectiveStrength:
    """A holding's chances against `opponents` opponents."""

    hs: float
    """Probability to be ahead of one opponent."""
    opponents: int
    ppot: float
    npot: float

    @property
    def hs_n(self) -> float:
        """Probability to be ahead of all opponents, taken as independent (equation 5.3)."""
        return float(self.hs**self.opponents)

    @property
    def ehs(self) -> float:
        """Probability to be ahead after the next card (equation 6.3): the one for calling."""
        return self.hs_n + (1 - self.hs_n) * self.ppot - self.hs_n * self.npot

    @property
    def ehs_prime(self) -> float:
        """Probability to be ahead now or after the next card (equation 6.4): the one for betting."""
        return self.hs_n + (1 - self.hs_n) * self.ppot


def effective_strength(
    holding: str, board: str, opponents: int = 1, weights: WeightArray | None = None
) -> EffectiveStrength:
    """Strength, potential and what follows from them, against opponents whose holdings are weighted alike.

    >>> chances = effective_strength("AdQc", "3h4cJh", opponents=5)
    >>> round(chances.hs_n, 3), round(chances.ppot, 3), round(chances.ehs_prime, 2)  # Billings et al. 1998, section 4.4
    (0.069, 0.108, 0.17)
    """
    hs = hand_strength(holding, board, weights)
    if len(parse_cards(board.replace("/", " "))) == 5:
        return EffectiveStrength(hs, opponents, 0.0, 0.0)
    potential = hand_potential(holding, board, weights=weights)
    return EffectiveStrength(hs, opponents, potential.ppot, potential.npot)


def effective_of(hole: tuple[int, ...], board: tuple[int, ...], opponents: int, weights: Array) -> EffectiveStrength:
    """The same from card numbers and an array of weights, for players."""
    dealt = np.array(board, np.uint8)
    ahead, tied, behind = weigh_standings(TABLE, CARD_KEYS, hole[0], hole[1], dealt, weights)
    total = ahead + tied + behind
    hs = float((ahead + tied / 2) / total) if total > 0 else 0.5
    if len(board) == 5:
        return EffectiveStrength(hs, opponents, 0.0, 0.0)
    moves = np.empty((3, 3))
    weigh_transitions(TABLE, RANK_KEYS, hole[0], hole[1], dealt, 1, weights, moves)
    worse = moves[2].sum() + moves[1].sum() / 2
    better = moves[0].sum() + moves[1].sum() / 2
    ppot = (moves[2, 0] + moves[2, 1] / 2 + moves[1, 0] / 2) / worse if worse > 0 else 0.0
    npot = (moves[0, 2] + moves[0, 1] / 2 + moves[1, 2] / 2) / better if better > 0 else 0.0
    return EffectiveStrength(hs, opponents, float(ppot), float(npot))


@dataclass(frozen=True)
class EffectiveStrengths:
    """The chances of all holdings against one opponent, as in `EffectiveStrength`; nan for those on the board."""

    hs: Array
    ppot: Array
    npot: Array

    @property
    def ehs(self) -> Array:
        return self.hs + (1 - self.hs) * self.ppot - self.hs * self.npot

    @property
    def ehs_prime(self) -> Array:
        return self.hs + (1 - self.hs) * self.ppot


def effective_of_all(board: tuple[int, ...], weights: Array) -> EffectiveStrengths:
    """`effective_of` for all holdings against one opponent, whose holdings are weighted."""
    hs, ppot, npot = np.zeros((3, HOLDING_COUNT))
    find_chances(TABLE, RANK_KEYS, np.array(board, np.uint8), weights, hs, ppot, npot)
    return EffectiveStrengths(hs, ppot, npot)


def strength_and_potential(board: tuple[int, ...], weights: Array) -> tuple[Array, Array | None]:
    """Hand strength and PPOT (none on the river) of all holdings against weighted ones; nan for those on the board."""
    found = effective_of_all(board, weights)
    return found.hs, None if len(board) == 5 else found.ppot


@lru_cache(maxsize=64)
def possible_holdings(dead: tuple[int, ...]) -> Array:
    """1 for each holding that has none of the `dead` cards, 0 for the others."""
    gone = np.zeros(CARD_COUNT, bool)
    gone[list(dead)] = True
    cards = _holding_table()
    mask = (~(gone[cards[:, 0]] | gone[cards[:, 1]])).astype(np.float64)
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=1)
def _holding_table() -> NDArray[np.int64]:
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
