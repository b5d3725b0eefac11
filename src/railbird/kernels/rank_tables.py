"""The tables that hands are ranked by, as kernels hand them on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE


class Ranking(NamedTuple):
    """What `rank_of_key` and those that call it need."""

    table: np.ndarray
    card_keys: np.ndarray
    rank_keys: np.ndarray


RANKING = Ranking(TABLE, CARD_KEYS, RANK_KEYS)
