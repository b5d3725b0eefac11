"""Running sums of a match: what its result needs to know, however many hands there are.

Deals come part by part, as chips (or DIVAT differences) by leg, deal and player, the same deals of every leg. What is
kept of them does not grow: counts, sums, sums of products, and the running total at some of the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.assess.shared_deals import HandEstimate
from railbird.errors import DamagedLogError
from railbird.play.leg_log import HandLog
from railbird.results.figures import RunningTotal
from railbird.statistics import Estimate, Moments

PIECE = 20_000
"""So many deals are looked at at once."""
Numbers = NDArray[Any]


def pieces(deals: int, size: int = PIECE) -> Iterator[tuple[int, int]]:
    """Deals in parts, each as its first deal and the one after its last."""
    return ((first, min(first + size, deals)) for first in range(0, deals, size))


class PlayedDeals(Protocol):
    """The deals of a match as far as all legs have come."""

    @property
    def deals(self) -> int: ...

    def won(self, first: int, last: int) -> NDArray[np.int64]:
        """Chips by leg, deal and player of deals `first` to `last - 1`."""


@dataclass(frozen=True)
class GivenDeals:
    """Deals in memory."""

    chips: NDArray[np.int64]
    """By leg, deal and player."""

    @property
    def deals(self) -> int:
        return int(self.chips.shape[1])

    def won(self, first: int, last: int) -> NDArray[np.int64]:
        return self.chips[:, first:last]


@dataclass(frozen=True)
class LoggedDeals:
    """Deals in the logs of a match, one for each leg."""

    logs: Sequence[HandLog]
    deals: int

    def won(self, first: int, last: int) -> NDArray[np.int64]:
        try:
            return np.stack([log.won(first, last) for log in self.logs])
        except (DamagedLogError, OSError):  # or they have been written anew since they were looked at
            for log in self.logs:
                log.look()
            return np.stack([log.won(first, last) for log in self.logs])


class DealSums:
    """Sums of something that is known of each player (or of one) in every hand."""

    def __init__(self, legs: int, deals: int, width: int, unit: float = 1.0) -> None:
        self.legs = legs
        self.deals = deals
        self.unit = unit
        """What is added is so many times what is told."""
        self.by_hand = [Moments() for _ in range(width)] if legs > 1 else []
        """By player; of one leg, a deal is a hand."""
        self.by_deal = Moments(width)
        """Sums over the legs."""
        self.curve = RunningTotal(deals, width)

    def add(self, part: Numbers) -> None:
        """Count deals, by leg, deal and player."""
        numbers = np.asarray(part, np.float64)
        by_deal = numbers.sum(axis=0)
        for player, sums in enumerate(self.by_hand):
            sums.add(numbers[:, :, player].ravel())
        self.by_deal.add(by_deal)
        self.curve.add(by_deal)

    @property
    def hands(self) -> int:
        """How many hands there are in all."""
        return self.legs * self.deals

    @property
    def totals(self) -> list[int]:
        """What each player has in all, in whole chips."""
        return [round(total) for total in self.by_deal.total.tolist()]

    def each_hand(self, player: int) -> Estimate:
        """Of every hand by itself; the interval is by deals, whose hands are not independent."""
        by_deal = self.each_deal(*(float(other == player) for other in range(len(self.by_deal.total))))
        if self.legs == 1:
            return by_deal
        return HandEstimate.of_deals(self.by_hand[player].estimate(divisor=self.unit), by_deal)

    def each_deal(self, *weights: float) -> Estimate:
        """Of the means over each deal's legs, of all players with a weight each."""
        return self.by_deal.estimate(*weights, divisor=self.unit * self.legs)
