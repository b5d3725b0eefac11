"""Rake: what the house takes out of a pot, so that its winners get less than the others put in.

Whoever loses pays what was put in, rake or no rake. So a hand's payoffs that sum to less than nothing are believed if
the losers paid just that, and the winners lack no more than houses take: at most a tenth of the pot, or a quarter of a
small bet where that is more (a fixed drop weighs heavily on a small pot).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_POT_SHARE = 10
"""At most one in so many chips of a pot is taken,"""
_BET_SHARE = 4
"""or the small bet divided by this."""
_ROUNDING = 1e-5
"""Parts of a chip have six digits."""


def most_rake(pot: float, small_bet: float) -> float:
    """The most that a house takes from a pot.

    >>> most_rake(32, 8), most_rake(16, 8)
    (3.2, 2.0)
    """
    return max(pot / _POT_SHARE, small_bet / _BET_SHARE)


def most_rakes(pots: NDArray[Any], small_bets: NDArray[Any] | int) -> NDArray[np.float64]:
    """The same of many pots."""
    return np.maximum(pots / _POT_SHARE, np.asarray(small_bets) / _BET_SHARE)


def is_raked(paid: Sequence[float], fair: Sequence[float], committed: Sequence[int], small_bet: int) -> bool:
    """Whether `paid` is what the rules give, `fair`, less a rake; `committed` is what each position put in.

    >>> is_raked((15, -16), (16, -16), (16, 16), 8), is_raked((16, -15), (16, -16), (16, 16), 8)
    (True, False)
    """
    rake = -sum(paid)
    most, second = sorted(committed)[-1:-3:-1]
    pot = sum(committed) - (most - second)  # an uncalled bet goes back
    if not _ROUNDING < rake <= most_rake(pot, small_bet):
        return False
    return all(
        chips == right if right == -put_in else right - rake - _ROUNDING <= chips <= right
        for chips, right, put_in in zip(paid, fair, committed)
    )
