"""How a pot divides for every holding that one player may have: the friendly face of `kernels.odds.imagined_shares`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.imagined_shares import ImaginedPot, share_imagined_pot
from railbird.odds.divided_pots import Pot

BOARDS = 128
"""Boards that are dealt before the flop and on it: a share is off by 0.04 or so, and right on average."""


def imagined_shares(pot: Pot, imagined: int, weights: NDArray[np.float64], boards: int = BOARDS) -> NDArray[np.float64]:
    """[1326, seats] the share of each position in a pot, by the holding of the position that is imagined, whose cards
    in the pot are left out; exact on turn and river. Holdings without weight have none.

    >>> from railbird.cards import holding_index, parse_cards
    >>> holes = (parse_cards("AsKs"), (), parse_cards("7c7d"))
    >>> pot = Pot(holes, parse_cards("2s7sJdQh"), (0, 1, 2), 0)
    >>> imagined_shares(pot, 1, np.ones(1326))[holding_index(*parse_cards("QdQc"))].round(3).tolist()
    [0.143, 0.833, 0.024]
    """
    others = [position for position in pot.contenders if position != imagined]
    gone = [card for at, hole in enumerate(pot.holes) if at != imagined and at not in others for card in hole]
    asked = ImaginedPot(
        np.array(pot.board, np.int64),
        np.array([pot.holes[position] for position in others], np.int64).reshape(-1, 2),
        np.array(others, np.int64),
        np.array(gone, np.int64),
        imagined,
        imagined in pot.contenders,
        np.uint64(pot.stream),
    )
    shares = np.empty((HOLDING_COUNT, len(pot.holes)))
    share_imagined_pot(TABLE, CARD_KEYS, asked, weights, boards, shares)
    return shares
