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

    >>> found, names = meetings(), [grid_name(*divmod(at, 13)) for at in range(CLASSES)]
    >>> at = names.index("AA"), names.index("KK")
    >>> round((found.wins[at] + found.ties[at] / 2) / found.met[at], 4)
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


def made_meetings() -> bytes:
    """The table, made anew in some seconds, as it is shipped."""
    cells, every = grid_cells(), np.ones(HOLDING_COUNT)
    wins, ties = np.zeros((2, CLASSES, CLASSES), np.int64)
    for other in range(CLASSES):
        beaten, tied, _ = weighed(every, (cells == other).astype(np.float64), ())
        wins[:, other] = np.bincount(cells, beaten, minlength=CLASSES)
        ties[:, other] = np.bincount(cells, tied, minlength=CLASSES)
    both = np.stack([wins[_ROWS, _COLUMNS], ties[_ROWS, _COLUMNS]])
    return lzma.compress(both.astype("<u4").tobytes(), preset=9 | lzma.PRESET_EXTREME)


if __name__ == "__main__":
    (Path(__file__).parent / "data" / _NAME).write_bytes(made_meetings())
