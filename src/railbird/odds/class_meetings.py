"""How each of the 169 classes fares against each other before the flop, all-in: exact, from a table that is shipped.

For ranges that name whole classes this answers at once what takes up to a second and a half otherwise. The table is
made by `python -m railbird.odds.class_meetings`; a test adds up its rows and compares with the equities of all classes.
"""

from __future__ import annotations

import lzma
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.kernels.odds.all_in import BOARDS_BEFORE_FLOP
from railbird.odds.equity import weighed
from railbird.odds.ranges import grid_cells

CLASSES = 169
_NAME = "class_meetings.xz"
_ROWS, _COLUMNS = np.tril_indices(CLASSES)


class Meetings(NamedTuple):
    """By class and class of the other, as they lie on the grid: over all pairs of holdings and all boards, how often
    the first wins and ties, and how many there are (169 x 169, int64)."""

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    met: NDArray[np.int64]


@cache
def meetings() -> Meetings:
    """The table.

    >>> wins, ties, met = (table[0, 14] for table in meetings())  # aces against kings
    >>> round(float((wins + ties / 2) / met), 4)
    0.8195
    """
    content = lzma.decompress((files("railbird.odds") / "data" / _NAME).read_bytes())
    wins_below, ties_below = np.frombuffer(content, "<u4").reshape(2, -1).astype(np.int64)
    wins, ties, met = np.zeros((3, CLASSES, CLASSES), np.int64)
    ties[_ROWS, _COLUMNS] = ties[_COLUMNS, _ROWS] = ties_below
    met[:] = _pairs() * BOARDS_BEFORE_FLOP
    wins[_ROWS, _COLUMNS] = wins_below
    wins[_COLUMNS, _ROWS] = met[_COLUMNS, _ROWS] - ties_below - wins_below
    # A class meets itself as often one way as the other, which the line above has right too.
    return Meetings(wins, ties, met)


@cache
def _pairs() -> NDArray[np.int64]:
    """How many pairs of holdings without a common card two classes have."""
    cells, cards = grid_cells(), holding_cards()
    held = np.zeros((CLASSES, 52), np.int64)
    for column in range(2):
        np.add.at(held, (cells, cards[:, column]), 1)
    sizes = np.bincount(cells, minlength=CLASSES)
    # All pairs, less those that share a card; those that share both were taken off twice.
    return sizes[:, None] * sizes - held @ held.T + np.diag(sizes)


def holding_cards() -> NDArray[np.int64]:
    """The two cards of each holding (1,326 x 2)."""
    return np.array([(high, low) for high in range(52) for low in range(high)])


def against_class(other: int) -> NDArray[np.int64]:
    """How often each class wins and ties against one, worked out (2 x 169)."""
    cells = grid_cells()
    beaten, tied, _ = weighed(np.ones(HOLDING_COUNT), (cells == other).astype(np.float64), ())
    sums = [np.bincount(cells, row, minlength=CLASSES) for row in (beaten, tied)]
    return np.array(sums).astype(np.int64)


def made_meetings() -> bytes:
    """The table, made anew in some seconds, as it is shipped."""
    table = np.stack([against_class(other) for other in range(CLASSES)], axis=-1)
    both = table[:, _ROWS, _COLUMNS]
    return lzma.compress(both.astype("<u4").tobytes(), preset=9 | lzma.PRESET_EXTREME)


if __name__ == "__main__":
    (Path(__file__).parent / "data" / _NAME).write_bytes(made_meetings())
