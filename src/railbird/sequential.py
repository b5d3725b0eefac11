"""Tests that stop as soon as they may, and intervals that may be looked at after every block of samples.

A sample is what a new player won more than an old one, on one deal, or on average over one episode of learners. Samples
come in blocks, and after each block there is a look:

1. **The test.** No gain (a mean of 0) against a gain that matters (a mean of `StoppingRule.gain`). The spread of the
   samples is not known: under each of the two it takes the value that suits the samples best, so that the generalised
   likelihood ratio after n samples of mean m and variance v is ((v + m^2) / (v + (m - gain)^2))^(n/2). It is the ratio
   by which fishtest decides on patches (Van den Bergh 2020, "The generalised SPRT"). The test ends when the ratio
   leaves its bounds, 1/0.05 for a gain and 0.05 against one. By Ville's inequality a ratio of fixed densities reaches
   1/0.05 with probability 0.05 at most where there is no gain, however often one looks; Wald's bounds would be a
   little narrower, and hold on average only.
2. **The sequence.** A 95% confidence sequence: an interval for the mean that holds at all looks at once. It is the
   asymptotic one by a normal mixture (Robbins 1970; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024), narrowest
   around `NARROWEST` samples.

Both rest on the central limit theorem and on a spread that is known well enough: nothing is said before the samples
are worth 30 of a normal distribution (`effective_samples`). Without that condition differences that are seldom and
large end a test early and wrongly. `python -m trials sequential` measures it all, beside intervals for one look and an
empirical Bernstein sequence. That one rests on the bounds of payoffs alone, 24 small bets a hand in limit hold'em; but
it is five times as wide after 1,000 deals and about twice as wide after 6,000, so it is not the one that is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from railbird.statistics import FEWEST, FEWEST_EQUAL, Estimate, Moments, Samples

GAIN, NO_GAIN = "gain", "no gain"
NARROWEST = 1_000
"""Around so many samples the sequence is as narrow as it can be; it is little wider at a tenth or at ten times that."""
_WRONG = 0.05
_ROUNDING = 1e-12
"""Deviations up to this are what summing up equal numbers leaves."""


def log_ratio(count: Any, mean: Any, variance: Any, gain: float) -> Any:
    """The logarithm of the generalised likelihood ratio, for a gain where it is above 0; numbers or arrays.

    >>> round(float(log_ratio(1000, 0.1, 1.0, 0.1)), 2), round(float(log_ratio(1000, 0.05, 1.0, 0.1)), 2)
    (4.98, 0.0)
    """
    none, some = variance + np.square(mean), variance + np.square(mean - gain)
    with np.errstate(divide="ignore", invalid="ignore"):
        return count / 2 * (np.log(none) - np.log(some))


def sequence_margin(count: Any, sd: Any) -> Any:
    """Half the width of the 95% confidence sequence after so many samples; numbers or arrays.

    >>> [round(float(sequence_margin(count, 1.0)), 3) for count in (100, 1_000, 10_000)]
    [0.376, 0.096, 0.033]
    """
    peak = -2 * math.log(_WRONG)
    share = (peak + math.log(peak) + 1) / NARROWEST
    grown = count * share + 1
    return sd * np.sqrt(2 * grown / (count * count * share) * np.log(np.sqrt(grown) / _WRONG))


def effective_samples(count: Any, variance: Any, of_squares: Any) -> Any:
    """How many samples of a normal distribution tell as much; numbers or arrays.

    n samples with an excess kurtosis of e are worth n/(1 + e). `of_squares` is the variance of the squares of what
    samples are away from their mean. Samples that are all equal are worth nothing before there are 3,000 of them.

    >>> float(effective_samples(100, 1.0, 2.0)), float(effective_samples(100, 1.0, 6.0))
    (100.0, 20.0)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = count / np.maximum(1.0, of_squares / np.square(variance) - 1)
    return np.where(variance > _ROUNDING, worth, np.where(np.asarray(count) >= FEWEST_EQUAL, count, 0))


@dataclass(frozen=True)
class SequentialEstimate(Estimate):
    """A mean whose interval may be looked at after every block of samples: it is one of a confidence sequence."""

    effective: float = 0.0
    """How many samples of a normal distribution these are worth; there is no interval before it is 30."""

    @property
    def margin(self) -> float:
        return self._margin_after(self.count) if self.effective >= FEWEST else math.inf

    @property
    def further_samples(self) -> int | None:
        if self.is_clear:
            return 0
        if self.effective < FEWEST or not self.mean:
            return None
        enough = self.count
        while self._margin_after(enough) >= abs(self.mean):
            enough += max(1, enough // 100)
        return enough - self.count

    def _margin_after(self, count: int) -> float:
        return float(sequence_margin(count, self.sd))


@dataclass(frozen=True)
class StoppingRule:
    """When a test ends, and what it then says."""

    gain: float
    """The smallest difference that matters."""
    wrong_gain: float = _WRONG
    """How often it may find a gain where there is none."""
    wrong_none: float = _WRONG
    """How often it may find none where there is one that matters."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms between which the ratio lies while nothing is decided."""
        return math.log(self.wrong_none), -math.log(self.wrong_gain)

    def decision(self, ratio: float) -> str:
        """What a logarithm of the ratio says; nothing between the bounds.

        >>> StoppingRule(0.1).decision(3.5), StoppingRule(0.1).decision(-2.0)
        ('gain', '')
        """
        against, in_favour = self.bounds
        return GAIN if ratio >= in_favour else NO_GAIN if ratio <= against else ""

    def fixed_samples(self, sd: float) -> int:
        """How many samples a test of a fixed length takes that errs as often.

        >>> StoppingRule(0.1).fixed_samples(1.0)
        1083
        """
        reach = sum(NormalDist().inv_cdf(1 - wrong) for wrong in (self.wrong_gain, self.wrong_none))
        return math.ceil((reach * sd / self.gain) ** 2)

    def further_samples(self, ratio: float, mean: float, sd: float) -> int:
        """How many more samples it takes on average from here if the mean stays: how long a Brownian motion with the
        drift of the logarithm of the ratio is between the bounds."""
        against, in_favour = self.bounds
        ahead, behind = max(0.0, in_favour - ratio), max(0.0, ratio - against)
        if not sd > 0 or not ahead or not behind:
            return 0
        drift, spread = self.gain / sd**2 * (mean - self.gain / 2), (self.gain / sd) ** 2
        if drift < 0:
            ahead, behind, drift = behind, ahead, -drift
        steep = 2 * drift / spread
        if steep * (ahead + behind) < 1e-6:
            return math.ceil(ahead * behind / spread)
        arrives = math.expm1(-steep * behind) / math.expm1(-steep * (ahead + behind))
        return math.ceil((arrives * ahead - (1 - arrives) * behind) / drift)


class Look(NamedTuple):
    """What was known after so many samples."""

    samples: int
    log_ratio: float
    """0 as long as too little is known of the spread."""
    mean: float
    margin: float
    """Of the confidence sequence; infinite as long."""


class SequentialTest:
    """A test under way: samples are added, there is a look after every block, and after a decision none count.

    >>> test = SequentialTest(StoppingRule(0.5), block=50)
    >>> test.add(np.random.default_rng(1).normal(0.5, 1.0, 1_000))
    >>> test.decision, test.samples
    ('gain', 100)
    """

    def __init__(self, rule: StoppingRule, block: int) -> None:
        self.rule = rule
        self.block = block
        self.decision = ""
        self.looks: list[Look] = []
        self._sums = Moments(2)
        """Of samples and their squares."""
        self._waiting = np.zeros(0)
        """Samples of a block that is not whole."""

    @property
    def samples(self) -> int:
        """How many samples count."""
        return self._sums.count

    @property
    def estimate(self) -> SequentialEstimate:
        """The mean, with the interval of the confidence sequence."""
        found = self._sums.estimate(1.0, 0.0)
        return SequentialEstimate(found.mean, found.sd, found.count, effective=self._effective)

    @property
    def log_ratio(self) -> float:
        """As it was at the last look; 0 before the first."""
        return self.looks[-1].log_ratio if self.looks else 0.0

    @property
    def further_samples(self) -> int:
        """How many more samples it takes on average if the mean stays; 0 when it is decided."""
        if self.decision or not self.looks:
            return 0
        found = self.estimate
        if self.is_level:
            return max(0, FEWEST_EQUAL - found.count)
        unknown = math.ceil(found.count * (FEWEST / max(found.effective, 1.0) - 1))
        return max(unknown, self.rule.further_samples(self.log_ratio, found.mean, found.sd))

    @property
    def is_level(self) -> bool:
        """Whether all samples were 0, as of two players who do the same."""
        found = self.estimate
        return bool(self.looks) and abs(found.mean) <= _ROUNDING and (found.count < 2 or found.sd**2 <= _ROUNDING)

    def add(self, samples: Samples) -> None:
        """Go on with samples, as many as there are."""
        rows = np.concatenate([self._waiting, samples])
        whole = len(rows) - len(rows) % self.block
        for first in range(0, whole, self.block):
            if self.decision:
                break
            part = rows[first : first + self.block]
            self._sums.add(np.column_stack([part, part**2]))
            self._look()
        self._waiting = rows[whole:]

    def _look(self) -> None:
        found, count = self.estimate, self.samples
        variance = found.sd**2 * (count - 1) / count if count > 1 else 0.0
        is_known = found.effective >= FEWEST
        ratio = float(log_ratio(count, found.mean, variance, self.rule.gain)) if is_known else 0.0
        self.decision = self.rule.decision(ratio)
        self.looks.append(Look(count, ratio, found.mean, found.margin))

    @property
    def _effective(self) -> float:
        count = self._sums.count
        if count < 2:
            return 0.0
        found = self._sums.estimate(1.0, 0.0)
        of_squares = self._sums.estimate(-2 * found.mean, 1.0).sd ** 2
        return float(effective_samples(count, found.sd**2, of_squares))
