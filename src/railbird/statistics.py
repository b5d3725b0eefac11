"""Numbers with their uncertainty, and how many hands more would settle the matter.

An interval holds for one number alone, or for all claims that are judged together (`Estimate.claims`): with k of them
each has the level 1 - 0.05/k, so that all k intervals hold at once at least nineteen times in twenty (Bonferroni). It
is always Student's. What is printed and what decides is the same interval; see `railbird.judging`. Less than
30 samples that are all equal decide nothing, and none is printed (`± ?`): of no width it would say that the number is
known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
FEWEST = 30
"""Fewer samples than this settle nothing."""
FEWEST_EQUAL = 3_000
"""So many equal samples it takes to say that a number is what they are: if one in a thousand were another, one such
would be among them nineteen times in twenty."""
_ROUNDING = 1e-12
"""Deviations up to this are what summing up equal numbers leaves."""
_Z95 = 1.959963984540054  # the standard library's is off by the last bit
_WRONG = 0.05
"""How often an interval, or one of all that hold together, may leave out the truth."""


@dataclass(frozen=True)
class Estimate:
    """A mean of independent samples, or another number that comes from them as a mean does."""

    mean: float
    sd: float
    """Standard deviation of one sample, or of what one sample adds to the number."""
    count: int
    claims: int = 1
    """How many claims are judged together, this number's among them."""
    is_signed: bool = True
    """Whether it is written with a sign: a win rate is, a deviation or a factor is not."""

    @classmethod
    def of(cls, samples: Samples) -> Estimate:
        """The mean of samples along the first axis.

        >>> Estimate.of(np.array([1.0, 2.0, 3.0, 4.0])).mean
        2.5
        """
        count = len(samples)
        mean = float(samples.mean()) if count else math.nan
        return cls(mean, float(samples.std(ddof=1)) if count > 1 else math.nan, count)

    @classmethod
    def of_deviation(cls, samples: Samples) -> Estimate:
        """The standard deviation of samples. Its uncertainty follows from the fourth moment."""
        squares = (samples - samples.mean()) ** 2
        sd = math.sqrt(float(squares.mean()))
        return cls(sd, float(squares.std()) / (2 * sd) if sd else math.nan, len(samples), is_signed=False)

    @classmethod
    def of_reduction(cls, wide: Samples, narrow: Samples) -> Estimate:
        """How many times the variance of `narrow` goes into that of `wide`, from samples of the same hands.

        Where each deal was played more than once, samples are by leg and deal: a deal is one sample, for what its hands
        say is not independent.
        """
        squares = [(samples - samples.mean()) ** 2 for samples in (wide, narrow)]
        variances = [float(each.mean()) for each in squares]
        count = wide.shape[-1]
        if not variances[1]:
            return cls(math.inf, math.nan, count, is_signed=False)
        factor = variances[0] / variances[1]
        # What each hand contributes to the logarithm of the ratio.
        shares = squares[0] / variances[0] - squares[1] / variances[1] if factor else np.zeros(wide.shape)
        by_deal = shares.reshape(-1, count).mean(axis=0)
        return cls(factor, factor * float(by_deal.std()), count, is_signed=False)

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        if self.count < 2 or math.isnan(self.sd):
            return math.inf
        return t_point(self.count - 1, 1 - _WRONG / self.claims) * self.sd / math.sqrt(self.count)

    @property
    def is_few(self) -> bool:
        """Whether there are fewer samples than can settle anything."""
        return self.count < FEWEST

    @property
    def is_equal(self) -> bool:
        """Whether all samples are equal."""
        return self.sd <= _ROUNDING * max(1.0, abs(self.mean))

    @property
    def told_margin(self) -> float:
        """The margin as it is told: none of less than 30 equal samples, which have no spread and settle nothing."""
        return math.inf if self.is_equal and self.is_few else self.margin

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero; never from fewer than 30 samples, which say too little."""
        return self.count >= FEWEST and abs(self.mean) > self.margin

    @property
    def further_samples(self) -> int | None:
        """How many more samples would bring the interval off zero if mean and deviation stay; 0 if it is off now.

        `None` where that cannot be said: no samples, no deviation, or a mean of exactly zero.
        """
        if self.is_clear:
            return 0
        if self.count < FEWEST or not self.mean or not math.isfinite(self.sd):
            return None
        return max(1, math.ceil((_z(1 - _WRONG / self.claims) * self.sd / self.mean) ** 2) - self.count)

    @property
    def opposite(self) -> Estimate:
        """The same of the other side, who loses what is won here."""
        return replace(self, mean=-self.mean)

    def to_json(self) -> dict[str, Any]:
        """The estimate for `--json`; numbers that do not exist are null."""
        numbers = {"mean": self.mean, "margin95": self.told_margin, "sd": self.sd}
        known = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {**known, "samples": self.count, "further_samples": self.further_samples}


class Moments:
    """Running sums of samples, each a number or several: enough for the mean and the deviation of any of them, and of
    differences between them, in memory that does not grow with the samples.

    Sums of whole numbers are exact. Squares are taken around the mean, part by part (Chan, Golub and LeVeque 1979).

    >>> sums = Moments()
    >>> sums.add(np.array([1.0, 2.0]))
    >>> sums.add(np.array([3.0, 4.0]))
    >>> sums.estimate().mean, sums.estimate() == Estimate.of(np.array([1.0, 2.0, 3.0, 4.0]))
    (2.5, True)
    """

    def __init__(self, width: int = 1) -> None:
        self.count = 0
        self.total = np.zeros(width)
        self.products = np.zeros((width, width))
        """Sums of the products of what two numbers of a sample are away from their means."""

    def add(self, samples: Samples) -> None:
        """Count samples, in rows or, where each is one number, as they are."""
        rows = np.asarray(samples, np.float64).reshape(-1, len(self.total))
        count = len(rows)
        if not count:
            return
        part = Moments(len(self.total))
        part.count, part.total = count, rows.sum(axis=0)
        away = rows - part.total / count
        part.products = np.einsum("ij,ik->jk", away, away)
        self.join(part)

    def join(self, part: Moments) -> None:
        """Count the samples of another one too."""
        if not part.count:
            return
        self.products += part.products
        if self.count:
            apart = part.total / part.count - self.total / self.count
            self.products += np.outer(apart, apart) * (self.count * part.count / (self.count + part.count))
        self.count += part.count
        self.total += part.total

    def estimate(self, *weights: float, divisor: float = 1.0) -> Estimate:
        """The mean of the numbers of a sample, each with its weight, all divided by `divisor`."""
        given = np.array(weights or (1.0,))
        if not self.count:
            return Estimate(math.nan, math.nan, 0)
        squares = max(0.0, float(given @ self.products @ given))
        sd = math.sqrt(squares / (self.count - 1)) / divisor if self.count > 1 else math.nan
        return Estimate(float(given @ self.total) / self.count / divisor, sd, self.count)


@lru_cache
def t_point(degrees: int, level: float = 0.95) -> float:
    """How many standard errors the two-sided interval of a level reaches, by Student's t distribution.

    To nine digits for 1 and 2 degrees of freedom; for more the expansion in 1/degrees of Abramowitz and Stegun 26.7.5,
    good to 0.1% at 95%, and from 29 degrees on at the levels of a thousand claims too.

    >>> [round(t_point(degrees), 2) for degrees in (1, 2, 5, 10, 30, 100000)]
    [12.71, 4.3, 2.57, 2.23, 2.04, 1.96]
    """
    if degrees < 1:
        return math.inf
    if degrees == 1:
        return round(math.tan(math.pi * level / 2), 9)
    if degrees == 2:
        return round(level * math.sqrt(2 / (1 - level**2)), 9)
    z, n = _z(level), degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def _z(level: float) -> float:
    """The same by the normal distribution."""
    return _Z95 if level == 0.95 else NormalDist().inv_cdf((1 + level) / 2)
