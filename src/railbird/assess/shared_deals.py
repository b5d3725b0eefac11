"""What hands come to where two or more of them have a deal in common, as in duplicate.

The hands of a deal are not independent: what one player wins with good cards the other wins with them later. So the
mean over hands has the interval of the means over deals, while its deviation is still told of one hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.statistics import Estimate, Moments, Samples

_ROUNDING = 1e-12
"""Standard deviations of a hand."""


@dataclass(frozen=True)
class HandEstimate(Estimate):
    """A mean over hands, of which some have a deal in common; `sd` and `count` are of hands, the interval is not."""

    deals: int = 0
    """How many deals the hands are of."""
    deal_sd: float = nan
    """The deviation of what one deal adds to the mean."""

    @classmethod
    def of_deals(cls, by_hand: Estimate, by_deal: Estimate) -> HandEstimate:
        """The mean over hands with the interval of the same mean over deals."""
        # Where the hands of every deal make up for each other, what is left of the mean is rounding.
        mean = 0.0 if abs(by_hand.mean) <= _ROUNDING * by_hand.sd else by_hand.mean
        return cls(mean, by_hand.sd, by_hand.count, by_hand.claims, by_hand.is_signed, by_deal.count, by_deal.sd)

    @property
    def by_deal(self) -> Estimate:
        """The same mean, whose samples are deals."""
        return Estimate(self.mean, self.deal_sd, self.deals, self.claims, self.is_signed)

    @property
    def margin(self) -> float:
        return self.by_deal.margin

    @property
    def is_few(self) -> bool:
        """Whether there are fewer deals than can settle anything."""
        return self.by_deal.is_few

    @property
    def is_equal(self) -> bool:
        """Whether all deals come to the same."""
        return self.by_deal.is_equal

    @property
    def told_margin(self) -> float:
        return self.by_deal.told_margin

    @property
    def is_clear(self) -> bool:
        return self.by_deal.is_clear

    @property
    def further_samples(self) -> int | None:
        """How many more hands it would take, so many to a deal as now."""
        more = self.by_deal.further_samples
        return more and -(-more * self.count // self.deals)


class HandSums:
    """Running sums of something that is known of every hand; hands that are partners have one deal."""

    def __init__(self) -> None:
        self.by_hand = Moments()
        self._by_deal = Moments(2)
        """Of each deal what its hands come to, and how many they are."""

    def add(self, values: Samples, partners: NDArray[np.int64]) -> None:
        """Count hands, each with the place of its partner among them, or -1."""
        self.by_hand.add(values)
        self._by_deal.add(np.column_stack(deal_sums(values, partners)))

    @property
    def count(self) -> int:
        return self.by_hand.count

    def estimate(self) -> Estimate:
        """The mean over hands, with its interval by deals."""
        found = self.by_hand.estimate()
        return found if self._by_deal.count == found.count else with_deals(found, self._by_deal)


def with_deals(by_hand: Estimate, deals: Moments) -> HandEstimate:
    """A mean over hands with its interval by deals, of each of which is known what its hands come to and how many they
    are (a ratio of two sums: what a deal adds is what it is away from the mean of so many hands)."""
    away = deals.estimate(1.0, -by_hand.mean, divisor=by_hand.count / deals.count if deals.count else 1.0)
    return HandEstimate.of_deals(by_hand, away)


def hand_estimate(values: Samples, partners: NDArray[np.int64]) -> Estimate:
    """The mean over hands, with its interval by deals.

    >>> hand_estimate(np.array([2.0, -1.0, 4.0, -3.0]), np.array([1, 0, 3, 2])).margin
    0.0
    """
    found = Estimate.of(values)
    if (partners < 0).all():
        return found
    deals = Moments(2)
    deals.add(np.column_stack(deal_sums(values, partners)))
    return with_deals(found, deals)


def deal_sums(values: NDArray[Any], partners: NDArray[np.int64]) -> tuple[Samples, Samples]:
    """By deal, what its hands come to, and how many they are."""
    here = np.flatnonzero((partners < 0) | (partners > np.arange(len(partners))))
    other = partners[here]
    sums = np.asarray(values, np.float64)[here] + np.where(other >= 0, np.asarray(values, np.float64)[other], 0.0)
    return sums, np.where(other >= 0, 2.0, 1.0)
