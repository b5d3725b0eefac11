"""Hand strength and all-in equity on a board, of one holding or of all 1,326 at once.

The opponent's holding is weighted by a `WeightArray`, or every holding is equally likely. Holdings that share a card
with the board or with the holding in question are left out. If that leaves the opponent nothing, there is nobody to
compare with, and the answer is 1/2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, check_distinct, parse_board, parse_cards
from railbird.errors import InvalidCardsError
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds import runouts
from railbird.kernels.odds import sweep as kernels
from railbird.odds.weights import WeightArray, kernel_weights


def hand_strength(holding: str, board: str, weights: WeightArray | None = None) -> float:
    """Probability that `holding` is ahead right now, ties counting half (Papp 1998, section 5.2).

    Cards to come are ignored; see `hand_potential`. Without `weights`, every live holding is equally likely.

    >>> round(hand_strength("AdQc", "3h4cJh"), 3)
    0.585
    >>> round(hand_strength("AdQc", "3h4cJh", WeightArray.parse("QQ+, AK")), 3)
    0.0
    """
    first, second = parse_cards(holding, count=2)
    dealt = board_cards(board)
    check_distinct((first, second), dealt)
    ahead, tied, behind = kernels.weigh_standings(
        TABLE, CARD_KEYS, first, second, np.array(dealt, np.uint8), kernel_weights(weights)
    )
    total = ahead + tied + behind
    return float((ahead + tied / 2) / total) if total > 0 else 0.5


def strengths(board: str, weights: WeightArray | None = None) -> NDArray[np.float64]:
    """The hand strength of every holding, by holding number; nan for those that share a card with the board.

    >>> from railbird.cards import parse_holding
    >>> round(float(strengths("3h4cJh")[parse_holding("AdQc")]), 3)
    0.585
    """
    found = np.empty(HOLDING_COUNT)
    kernels.find_strengths(TABLE, RANK_KEYS, np.array(board_cards(board), np.uint8), kernel_weights(weights), found)
    return found


def equities(board: str, weights: WeightArray | None = None) -> NDArray[np.float64]:
    """The all-in equity of every holding over all ways to finish the board, by holding number.

    The probability to win when no more bets are made, ties counting half. Holdings that share a card with the board
    have nan.

    >>> from railbird.cards import parse_holding
    >>> round(float(equities("3h4cJh")[parse_holding("AdQc")]), 3)
    0.511
    """
    dealt = np.array(board_cards(board), np.uint8)
    found = np.empty(HOLDING_COUNT)
    if len(dealt) == 5:
        kernels.find_strengths(TABLE, RANK_KEYS, dealt, kernel_weights(weights), found)
    else:
        runouts.find_equities(TABLE, RANK_KEYS, dealt, 5 - len(dealt), kernel_weights(weights), found)
    return found


def board_cards(board: str) -> tuple[int, ...]:
    """The cards of a board of 3, 4 or 5 cards."""
    cards = parse_board(board)
    if not cards:
        raise InvalidCardsError(f"the board {board!r} has no cards; hand strength needs 3, 4 or 5")
    return cards
