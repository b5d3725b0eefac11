"""Hand strength against several opponents: the estimates of Papp 1998, section 5.2, and the exact value.

The estimates treat the opponents' holdings as independent. The exact value takes into account that no two players can
hold the same card, which the thesis calls infeasible from three opponents on; card by card it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, check_distinct, parse_cards
from railbird.errors import InvalidRangeError
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.several import compare_holdings, sum_pairs, sum_triples
from railbird.kernels.odds.sweep import NEGLIGIBLE
from railbird.odds.strength import board_cards, hand_strength
from railbird.odds.weights import WeightArray, kernel_weights

Array = NDArray[np.float64]
Ties = Literal["half", "share"]
MOST_OPPONENTS = 3

# Two-point Gauss-Legendre nodes on [0, 1]: exact for polynomials up to the third degree.
_NODES = (0.5 - 0.75**0.5 / 3, 0.5 + 0.75**0.5 / 3)


class MultiwayStrength(NamedTuple):
    """The probability to be ahead of all opponents, three ways."""

    exact: float
    product: float
    """The product of the strengths against each opponent (equation 5.4)."""
    field: float
    """A power of the strength against the field array (equation 5.3)."""


def strength_by_power(holding: str, board: str, opponents: int, weights: WeightArray | None = None) -> float:
    """HS_n for opponents whose holdings are weighted alike: HS_1 to the n-th power (equations 5.2 and 5.3).

    >>> round(strength_by_power("AdQc", "3h4cJh", 5), 3)
    0.069
    """
    return float(hand_strength(holding, board, weights) ** opponents)


def strength_by_product(holding: str, board: str, arrays: Sequence[WeightArray]) -> float:
    """HS_n as the product of the strengths against each opponent (equation 5.4)."""
    return float(np.prod([hand_strength(holding, board, weights) for weights in _known(arrays)]))


def strength_by_field(holding: str, board: str, arrays: Sequence[WeightArray]) -> float:
    """HS_n from the field array, the average of the opponents' arrays without dead cards (equation 5.3): Loki's way."""
    dead = holding + board.replace("/", " ")
    field = WeightArray.field([weights.without(dead) for weights in _known(arrays)])
    return strength_by_power(holding, board, len(arrays), field)


def exact_strength(holding: str, board: str, arrays: Sequence[WeightArray], ties: Ties = "half") -> float:
    """HS_n by enumeration over the holdings of one, two or three opponents, who cannot hold each other's cards.

    `ties` is "half" to count each tied opponent as half beaten, as HS does for one and as the product of strengths
    does for several; or "share" to count a tie for the lead with k opponents as 1 / (k + 1). If the opponents cannot
    all be dealt a holding, there is nobody to compare with, and each counts half.

    >>> uniform = WeightArray.uniform()
    >>> round(exact_strength("AdQc", "3h4cJh", [uniform] * 2), 4), round(strength_by_power("AdQc", "3h4cJh", 2), 4)
    (0.335, 0.3423)
    """
    first, second = parse_cards(holding, count=2)
    dealt = board_cards(board)
    check_distinct((first, second), dealt)
    if not 1 <= len(arrays) <= MOST_OPPONENTS:
        raise InvalidRangeError(f"{len(arrays)} opponents; the exact strength is for 1 to {MOST_OPPONENTS}")
    standings = _standings((first, second), dealt)
    return _exact(standings, [kernel_weights(weights) for weights in arrays], ties)


def multiway_strength(hole: tuple[int, ...], board: tuple[int, ...], arrays: Sequence[Array]) -> MultiwayStrength:
    """The exact strength and both estimates from card numbers and weight arrays, ties counting half."""
    standings = _standings(hole, board)
    live = standings >= 0
    scores = np.where(live, 1 - standings / 2, 0.0)
    chances = [weights * live / (weights * live).sum() for weights in arrays]
    product = float(np.prod([chance @ scores for chance in chances]))
    field = float((np.mean(chances, axis=0) @ scores) ** len(chances))
    return MultiwayStrength(_exact(standings, arrays, "half"), product, field)


def _standings(hole: tuple[int, ...], board: tuple[int, ...]) -> NDArray[np.int8]:
    standings = np.empty(HOLDING_COUNT, np.int8)
    compare_holdings(TABLE, CARD_KEYS, hole[0], hole[1], np.array(board, np.uint8), standings)
    return standings


def _exact(standings: NDArray[np.int8], arrays: Sequence[Array], ties: Ties) -> float:
    """The weight of all deals, each counted by how it is won, as a share of the weight of all deals."""
    every = [np.where(standings >= 0, weights, 0.0) for weights in arrays]
    total = _sum_deals(every)
    if total <= NEGLIGIBLE * np.prod([weights.sum() for weights in every]):
        return 0.5 ** len(arrays)
    # A tie with k opponents is to count t^k for t = 1/2, or 1 / (k + 1), which is the integral of t^k from 0 to 1.
    won = 0.0
    nodes = (0.5,) if ties == "half" else _NODES
    for tied in nodes:
        factors = np.where(standings == 0, 1.0, np.where(standings == 1, tied, 0.0))
        won += _sum_deals([weights * factors for weights in arrays]) / len(nodes)
    return min(1.0, max(0.0, won / total))


def _sum_deals(arrays: Sequence[Array]) -> float:
    if len(arrays) == 1:
        return float(arrays[0].sum())
    return float(sum_pairs(*arrays) if len(arrays) == 2 else sum_triples(*arrays))


def _known(arrays: Sequence[WeightArray]) -> Sequence[WeightArray]:
    if not arrays:
        raise InvalidRangeError("the strength against nobody: give at least one weight array")
    return arrays
