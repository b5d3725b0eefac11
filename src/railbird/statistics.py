"""Means with their uncertainty, and how many hands more would settle the matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FEWEST = 30
_Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A mean of independent samples."""

    mean: float
    sd: float
    """Standard deviation of one sample."""
    count: int

    @classmethod
    def of(cls, samples: NDArray[np.float64]) -> Estimate:
        """The estimate from samples along the first axis.

        >>> Estimate.of(np.array([1.0, 2.0, 3.0, 4.0])).mean
        2.5
        """
        count = len(samples)
        mean = float(samples.mean()) if count else math.nan
        return cls(mean, float(samples.std(ddof=1)) if count > 1 else math.nan, count)

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval (Student's t)."""
        return t95(self.count - 1) * self.sd / math.sqrt(self.count) if self.count > 1 else math.inf

    @property
    def is_clear(self) -> bool:
        """Whether the 95% interval leaves out zero; never from fewer than 30 samples, which say too little."""
        return self.count >= FEWEST and abs(self.mean) > self.margin

    @property
    def further_samples(self) -> int | None:
        """How many more samples would bring the 95% interval off zero if mean and deviation stay; 0 if it is off now.

        `None` where that cannot be said: no samples, no deviation, or a mean of exactly zero.
        """
        if self.is_clear:
            return 0
        if self.count < FEWEST or not self.mean or not math.isfinite(self.sd):
            return None
        return max(1, math.ceil((_Z95 * self.sd / self.mean) ** 2) - self.count)

    def to_json(self) -> dict[str, Any]:
        """The estimate for `--json`; numbers that do not exist are null."""
        numbers = {"mean": self.mean, "margin95": self.margin, "sd": self.sd}
        known = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {**known, "samples": self.count, "further_samples": self.further_samples}


def t95(degrees: int) -> float:
    """The 97.5% point of Student's t distribution, exact for 1 and 2 degrees of freedom and to 0.1% for more.

    The expansion in 1/degrees is that of Abramowitz and Stegun 26.7.5.

    >>> [round(t95(degrees), 2) for degrees in (1, 2, 5, 10, 30, 100000)]
    [12.71, 4.3, 2.57, 2.23, 2.04, 1.96]
    """
    if degrees < 3:
        return {1: 12.706204736, 2: 4.302652730}.get(degrees, math.inf)
    z, n = _Z95, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
