"""What the explorer answers of a range against a range. Thinkers work it out; all are plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from railbird.cards import cards_text
from railbird.errors import InvalidRangeError
from railbird.numbers import quoted
from railbird.odds.class_meetings import CLASSES, holding_cards
from railbird.odds.range_odds import RangeOdds
from railbird.odds.ranges import grid_cells, grid_name
from railbird.web.exploring import Cells, as_cells

SIDES = ("own", "versus")
_KEPT = 128


@dataclass(frozen=True)
class Side:
    """One range of two."""

    name: str
    """Of `SIDES`."""
    title: str
    holdings: float
    """That can be dealt, by their weight."""
    share: float
    words: str
    cells: Cells
    """The equity of each class."""


@dataclass(frozen=True)
class Meeting:
    """A range against a range."""

    how: str
    margin: float | None
    sides: tuple[Side, ...]


@dataclass(frozen=True)
class HoldingEquity:
    """One holding of a range, with its cards and its weight."""

    cards: tuple[int, ...]
    weight: float
    share: float


def meeting(own: str, versus: str, board: str) -> Meeting:
    """The equity of two ranges, and of each class of both."""
    odds = _odds(own, versus, board)
    sides = tuple(
        Side(
            name,
            title,
            float(odds.weights[side].sum()),
            equity.share,
            f"wins {equity.win:.1%}, ties {equity.tie:.1%}, loses {1 - equity.win - equity.tie:.1%}",
            as_cells(odds.grid(side)),
        )
        for side, (name, title, equity) in enumerate(zip(SIDES, ("Your range", "The opponent's"), odds.equities))
    )
    return Meeting(odds.how, odds.margin, sides)


def holdings_of(own: str, versus: str, board: str, side: str, name: str) -> list[HoldingEquity]:
    """The holdings of a class on one side, the best first."""
    names = [grid_name(*divmod(cell, 13)) for cell in range(CLASSES)]
    if side not in SIDES or name not in names:
        raise InvalidRangeError(f"no class {quoted(name)} of a range; write for example AKs")
    odds, at = _odds(own, versus, board), SIDES.index(side)
    shares, cards = odds.holdings(at), holding_cards()
    members = np.flatnonzero((grid_cells() == names.index(name)) & ~np.isnan(shares))
    found = [
        HoldingEquity(tuple(cards[holding].tolist()), float(odds.weights[at][holding]), float(shares[holding]))
        for holding in members
    ]
    return sorted(found, key=lambda one: (-one.share, cards_text(one.cards)))


def warm_meetings() -> Iterator[None]:
    """Load what these answers need."""
    for board in ("", "3h4cJh"):
        meeting("QQ+, AdKd", "any, 2c2d:0.5", board)
        yield


@lru_cache(_KEPT)
def _odds(own: str, versus: str, board: str) -> RangeOdds:
    return RangeOdds.parse(own, versus, board)
