"""The crude potential PPOTc: an estimate of PPOT1 from a few features of the hand (Papp 1998, section 7.2.3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import InvalidCardsError
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.card_features import estimate_potentials
from railbird.kernels.odds.sweep import find_strengths
from railbird.odds.effective import strength_and_potential

Array = NDArray[np.float64]
PotentialKind = Literal["exact", "crude"]


@lru_cache(maxsize=64)
def crude_potentials(board_cards: tuple[int, ...]) -> Array:
    """PPOTc of every holding on a flop or turn, by holding number; nan for those that share a card with the board.

    Loki took it for PPOT1 when it re-weighted holdings. It knows no weights.

    >>> from railbird.cards import parse_cards, parse_holding
    >>> round(float(crude_potentials(parse_cards("3h4cJh"))[parse_holding("AdQc")]), 3)  # PPOT1 is 0.108
    0.1
    """
    if len(board_cards) not in (3, 4):
        raise InvalidCardsError(f"potential is for a flop or a turn; the board has {len(board_cards)} cards")
    found = np.empty(HOLDING_COUNT)
    estimate_potentials(np.array(board_cards, np.uint8), found)
    found.setflags(write=False)
    return found


def strength_and_potential_by(
    kind: PotentialKind, board: tuple[int, ...], weights: Array
) -> tuple[Array, Array | None]:
    """`strength_and_potential` with the exact or the crude potential; the strength is exact in both."""
    if kind == "exact" or len(board) == 5:
        return strength_and_potential(board, weights)
    hs = np.empty(HOLDING_COUNT)
    find_strengths(TABLE, RANK_KEYS, np.array(board, np.uint8), weights, hs)
    return hs, crude_potentials(board)
