"""Which holdings can meet: those that share no card."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards


@cache
def holding_pairs() -> NDArray[np.int32]:
    """By holding: its two cards."""
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.int32)


def reach_met(reach: NDArray[np.floating]) -> NDArray[np.float64]:
    """By holding: the reach of all holdings that share no card with it.

    >>> set(reach_met(np.ones(HOLDING_COUNT)).tolist())
    {1225.0}
    """
    pairs = holding_pairs()
    by_card = np.bincount(pairs.ravel(), np.repeat(reach, 2), CARD_COUNT)
    return np.asarray(reach.sum(dtype=np.float64) - by_card[pairs].sum(axis=1) + reach)
