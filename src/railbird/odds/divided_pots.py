"""How pots divide as the board cards come, for many pots at once: the friendly face of `kernels.odds.street_shares`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.street_shares import Pots, divide_pots

SAMPLES = 2_000
"""Boards that are dealt before the flop: a share is off by 0.01 or so, and right on average."""
_UNKNOWN = 255


class Pot(NamedTuple):
    """A pot at one moment of a hand. Holes are in order of position, empty where they are not known."""

    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    """The board cards that lie there: none, 3, 4 or 5."""
    contenders: Sequence[int]
    """The positions that play for it, all of whose cards are known."""
    stream: int
    """Begins the numbers of the boards that are dealt before the flop."""


def shares_of_pots(pots: Sequence[Pot], samples: int = SAMPLES) -> NDArray[np.float64]:
    """[n, seats] the share of each position; exact from the flop on. Known cards of others cannot come.

    >>> from railbird.cards import parse_cards
    >>> holes = tuple(map(parse_cards, ("AsKs", "QdQh", "7c7d")))
    >>> shares_of_pots([Pot(holes, parse_cards("2s7sJd"), (0, 1, 2), 0)]).round(3).tolist()
    [[0.258, 0.044, 0.698]]
    """
    seats = max((len(pot.holes) for pot in pots), default=0)
    holes = np.full((len(pots), seats, 2), _UNKNOWN, np.uint8)
    boards = np.full((len(pots), 5), _UNKNOWN, np.uint8)
    contenders, known = np.zeros(len(pots), np.int64), np.zeros(len(pots), np.int64)
    for at, pot in enumerate(pots):
        for position, hole in enumerate(pot.holes):
            if hole:
                holes[at, position] = hole
        boards[at, : len(pot.board)] = pot.board
        known[at] = len(pot.board)
        contenders[at] = sum(1 << position for position in pot.contenders)
    streams = np.array([pot.stream for pot in pots], np.uint64)
    shares = np.zeros((len(pots), seats))
    divide_pots(TABLE, CARD_KEYS, Pots(holes, boards, known, contenders, streams), samples, shares)
    return shares
