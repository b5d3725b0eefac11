"""Re-weighting: what an action says about the holdings of the player who took it (Papp 1998, section 7.2).

A player is thought to act as seen with holdings above a threshold mu, not quite sharply: a holding sigma above it keeps
its weight, one sigma below it keeps a hundredth, and between them the factor grows in a straight line. Holdings are
ranked by income rate before the flop and by effective hand strength after it.

Inverse re-weighting, which the thesis names as missing, is the same upside down: a player who only checked or called is
thought to have raised with holdings above an upper threshold. It takes no more than seven tenths of a weight, as
players do lie in wait.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.odds.income_rates import income_rates

Weights = NDArray[np.float64]

LOWEST = 0.01
LOWEST_INVERSE = 0.3
PREFLOP_SIGMA = 330.0
LOW_PERCENTILE = 0.05
"""Before the flop, thresholds below this share of holdings say too little to re-weight by."""


def preflop_factors(threshold: float, spread: float = 1.0) -> Weights | float:
    """The factor of each holding after an action before the flop that takes holdings above `threshold`, a share of all.

    `spread` multiplies the usual sigma of 330.
    """
    if threshold < LOW_PERCENTILE:
        return 1.0
    mu, sigma = income_at(threshold), PREFLOP_SIGMA * spread
    return np.clip((income_rates(7) - mu + sigma) / (2 * sigma), LOWEST, 1.0)


def preflop_reweighted(weights: Weights, threshold: float, upper: float | None = None, spread: float = 1.0) -> Weights:
    """The weights after an action before the flop, with an upper threshold if inverse re-weighting is asked for."""
    factors = preflop_factors(threshold, spread)
    if upper is not None and upper >= LOW_PERCENTILE:
        factors = factors * inverse(preflop_factors(upper, spread))
    return floored(weights * factors)


def postflop_factors(values: Weights, threshold: float, spread: float = 1.0) -> Weights:
    """The factor of each holding whose effective hand strength is `values`. `spread` multiplies sigma = 0.4 (1 - mu).

    Where mu < sigma, the line would end above zero strength and take too much from weak holdings; it then starts from
    r = 1 - 2 mu / (mu + sigma) at zero, so that the area stays 1 - mu (equations 7.5 to 7.8).
    """
    mu = threshold
    sigma = 0.4 * (1 - mu) * spread
    if sigma > mu:
        lowest = 1 - 2 * mu / (mu + sigma)
        return np.minimum(1.0, lowest + (1 - lowest) * values / (mu + sigma))
    if sigma == 0:
        return np.where(values >= mu, 1.0, LOWEST)
    return np.clip((values - mu + sigma) / (2 * sigma), LOWEST, 1.0)


def postflop_reweighted(
    weights: Weights,
    values: Weights,
    potential: Weights | None,
    threshold: float,
    pot_odds: float,
    upper: float | None = None,
    spread: float = 1.0,
) -> Weights:
    """The weights after an action after the flop, with an upper threshold if inverse re-weighting is asked for.

    Holdings whose potential is worth the price of the action (`pot_odds`) are spared: they may have played for that.
    On the river there is no potential. Holdings that meet the board have nan values and keep their weights.
    """
    factors = postflop_factors(values, threshold, spread)
    if potential is not None:
        factors = np.where(potential >= pot_odds, 1.0, factors)
    if upper is not None:
        factors = factors * inverse(postflop_factors(values, upper, spread))
    return floored(weights * np.nan_to_num(factors, nan=1.0))


def inverse(factors: Weights | float) -> Weights:
    """What is left of a weight when an action with these factors was not taken."""
    return np.maximum(1.0 - np.asarray(factors), LOWEST_INVERSE)


def floored(weights: Weights) -> Weights:
    """No holding is ever quite ruled out."""
    return np.maximum(weights, LOWEST)


def income_at(share: float) -> float:
    """The income rate among seven below which lies this share of the 1,326 holdings (the nearest one).

    >>> 100 < income_at(0.7) < 140  # Papp 1998, section 7.2.2: the best 30% have +118 or more
    True
    """
    rates = _sorted_incomes()
    return float(rates[min(len(rates) - 1, round(share * (len(rates) - 1)))])


@cache
def _sorted_incomes() -> Weights:
    return np.sort(income_rates(7))
