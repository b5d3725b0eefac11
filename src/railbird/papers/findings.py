"""Published numbers against measured ones: whether they agree follows from standard errors, never from looking.

A number is reproduced if the published one lies in its 95% interval, and contradicted if it lies outside the 99.9%
interval; between the two, or where the interval is too wide to say much, nothing is settled. The levels hold for all
claims of a study together (Bonferroni), since a study is reproduced only if all of them are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
OUTCOMES = ("reproduced", "contradicted", "not settled")
COARSE = 0.1
"""An interval of more than this share of the published number either way supports nothing."""
COARSE_MEAN = 0.1
"""The same where nothing is published but zero, in small bets."""
_FEWEST = 30


@dataclass(frozen=True)
class Measured:
    """A number with its standard error."""

    value: float
    error: float
    samples: int
    form: str = ".3f"
    """How the value is written."""

    @classmethod
    def mean(cls, samples: Samples) -> Measured:
        """The mean of independent samples.

        >>> str(Measured.mean(np.array([1.0, -1.0] * 200)))
        '+0.000 ± 0.098'
        """
        return cls(float(samples.mean()), float(samples.std(ddof=1)) / math.sqrt(len(samples)), len(samples), "+.3f")

    @classmethod
    def sd(cls, samples: Samples) -> Measured:
        """The standard deviation of a sample. Its error follows from the fourth moment."""
        squares = (samples - samples.mean()) ** 2
        sd = math.sqrt(float(squares.mean()))
        error = float(squares.std()) / math.sqrt(len(samples)) / (2 * sd) if sd else math.nan
        return cls(sd, error, len(samples))

    @classmethod
    def reduction(cls, wide: Samples, narrow: Samples) -> Measured:
        """How many times the variance of `narrow` goes into that of `wide`, from samples of the same hands."""
        squares = [(samples - samples.mean()) ** 2 for samples in (wide, narrow)]
        variances = [float(each.mean()) for each in squares]
        if not variances[1]:
            return cls(math.inf, math.nan, len(wide))
        factor = variances[0] / variances[1]
        # What each hand contributes to the logarithm of the ratio.
        shares = squares[0] / variances[0] - squares[1] / variances[1]
        return cls(factor, factor * float(shares.std()) / math.sqrt(len(wide)), len(wide))

    def __str__(self) -> str:
        return f"{self.value:{self.form}} ± {_z(0.95) * self.error:.3f}"

    def error_of(self, samples: int) -> float:
        """The standard error that so many samples would have had."""
        return self.error * math.sqrt(self.samples / samples)


@dataclass(frozen=True)
class Finding:
    """What became of a claim."""

    claim: str
    paper: str
    ours: Measured
    outcome: str
    reading: str = ""
    """Where the paper can be read in several ways: the one that was measured."""

    def __str__(self) -> str:
        return f"{self.claim}, {self.reading}" if self.reading else self.claim

    def to_json(self) -> dict[str, Any]:
        return {
            "claim": str(self),
            "paper": self.paper,
            "value": self.ours.value,
            "margin95": _z(0.95) * self.ours.error,
            "samples": self.ours.samples,
            "outcome": self.outcome,
        }


def equals(
    claim: str,
    ours: Measured,
    published: float,
    joint: int = 1,
    paper: str = "",
    paper_samples: int | None = None,
    reading: str = "",
) -> Finding:
    """Whether a measured number is the published one, as one of `joint` claims that are judged together.

    With `paper_samples` the published number is itself a measurement, of so many samples.
    """
    error = math.hypot(ours.error, ours.error_of(paper_samples) if paper_samples else 0.0)
    outcome = _outcome(ours, abs(ours.value - published), error, joint)
    if outcome == "reproduced" and _z(0.95) * ours.error > (COARSE * abs(published) or COARSE_MEAN):
        outcome = "not settled"
    return Finding(claim, paper or f"{published:g}", ours, outcome, reading)


def exceeds(claim: str, ours: Measured, bound: float, paper: str) -> Finding:
    """Whether a measured number is larger than a bound."""
    distance = ours.value - bound
    if not ours.samples >= _FEWEST or not abs(distance) > _z(0.95) * ours.error:
        return Finding(claim, paper, ours, "not settled")
    return Finding(claim, paper, ours, "reproduced" if distance > 0 else "contradicted")


def verdict(findings: Sequence[Finding]) -> str:
    """Whether a study is reproduced: all its claims are, in at least one reading of the paper.

    >>> money, skill = Measured(0.0, 0.01, 100), Measured(2.0, 0.1, 100)
    >>> verdict([equals("money", money, 0), equals("SD", skill, 2, reading="a"), equals("SD", skill, 3, reading="b")])
    'reproduced, if read as a (2 claims reproduced; as b: 1 reproduced, 1 contradicted)'
    """
    readings = list(dict.fromkeys(finding.reading for finding in findings if finding.reading)) or [""]
    counts = {}
    for reading in readings:
        outcomes = [finding.outcome for finding in findings if finding.reading in ("", reading)]
        counts[reading] = {outcome: outcomes.count(outcome) for outcome in OUTCOMES if outcome in outcomes}
    words = {reading: ", ".join(f"{n} {outcome}" for outcome, n in count.items()) for reading, count in counts.items()}
    done = next((reading for reading, count in counts.items() if set(count) == {"reproduced"}), None)
    if done is not None:
        others = "".join([f"; as {reading}: {text}" for reading, text in words.items() if reading != done])
        as_read = f", if read as {done}" if done else ""
        claims = counts[done]["reproduced"]
        return f"reproduced{as_read} ({claims} claim{'s' if claims > 1 else ''} reproduced{others})"
    whole = "not reproduced" if all("contradicted" in count for count in counts.values()) else "not settled"
    return f"{whole} ({'; '.join(f'as {reading}: {text}' if reading else text for reading, text in words.items())})"


def _outcome(ours: Measured, distance: float, error: float, joint: int) -> str:
    if ours.samples < _FEWEST or not math.isfinite(distance) or math.isnan(error):
        return "not settled"
    if distance <= _z(1 - 0.05 / joint) * error:
        return "reproduced"
    return "contradicted" if distance > _z(1 - 0.001 / joint) * error else "not settled"


def _z(level: float) -> float:
    """How many standard errors the two-sided interval of a level reaches."""
    return NormalDist().inv_cdf((1 + level) / 2)
