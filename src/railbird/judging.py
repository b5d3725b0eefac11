"""One judge of published numbers: whether they agree with measured ones follows from intervals, never from looking.

The rule, for every claim of every study:

1. A claim is about one number that was measured: a mean, a deviation, a factor. That one player is ahead of another is
   a claim about the mean of their differences on the same deals, so that the luck of the deal is in both and cancels.
2. Its interval is Student's, and of such a level that the intervals of all claims judged together hold at once at least
   nineteen times in twenty (Bonferroni: 1 - 0.05/k each for k claims). A study's claims are judged together, in
   whatever reading of the paper; a claim about the best of several rivals counts as often as there are rivals. Where
   the published number is itself a measurement, its error is in the interval too: it is then the interval in which the
   paper's number would lie if both had measured the same thing.
3. The interval that is printed is the one that decides:
   - a number is said to exceed a bound: reproduced if the whole interval lies above the bound, contradicted if the
     whole interval lies below it;
   - a number is said to be the published one: contradicted if the interval leaves it out; reproduced if the interval
     holds it and is not coarse. An interval is coarse that reaches further than a tenth of the published number either
     way, or than a tenth of a small bet where zero was published: it would hold much else besides.
4. Nothing is settled otherwise, nor ever by fewer than 30 samples. Where all samples are equal there is nothing to make
   an interval of: whether the number is the published one is settled by 3,000 of them at least, since what happens once
   in a thousand hands need not be among fewer. A bound is settled by 30 of them, whose interval has no width, as it is
   printed; of fewer no interval is printed.

So whatever is said of a study's claims is all true at least nineteen times in twenty, as far as "is the published
number" is read as "within twice a tenth of it": no claim is called reproduced that is false, and none contradicted that
is true. A study that is not settled needs more hands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from railbird.statistics import FEWEST, FEWEST_EQUAL, Estimate
from railbird.words import count_of, rate

REPRODUCED, CONTRADICTED, NOT_SETTLED = OUTCOMES = ("reproduced", "contradicted", "not settled")
COARSE = 0.1
"""An interval that reaches further than this share of the published number either way supports nothing."""
COARSE_MEAN = 0.1
"""The same where zero was published, in small bets."""


@dataclass(frozen=True)
class Finding:
    """A claim and what became of it. `equals` and `exceeds` make them, `together` those of a whole study."""

    claim: str
    paper: str
    """What the paper says, in its own figures."""
    ours: Estimate
    """What was measured, with the interval that decides."""
    published: float
    is_bound: bool
    """Whether the published number is one to exceed, and not the number itself."""
    reading: str = ""
    """Where the paper can be read in several ways: the one that was measured."""
    comparisons: int = 1
    """How many comparisons it stands for, such as with each of several rivals."""

    @property
    def outcome(self) -> str:
        above = self.ours.mean - self.published
        margin = self.ours.margin
        if self.ours.count < FEWEST or not math.isfinite(above) or not math.isfinite(margin):
            return NOT_SETTLED
        if self.is_bound:
            return NOT_SETTLED if abs(above) <= margin else REPRODUCED if above > 0 else CONTRADICTED
        if abs(above) > margin:
            return CONTRADICTED
        return NOT_SETTLED if margin > (COARSE * abs(self.published) or COARSE_MEAN) else REPRODUCED

    def __str__(self) -> str:
        return f"{self.claim}, {self.reading}" if self.reading else self.claim

    @property
    def measured(self) -> str:
        """The number with the interval that decides."""
        return rate(self.ours)

    def to_json(self) -> dict[str, Any]:
        ours = self.ours.to_json()
        return {
            "claim": str(self),
            "paper": self.paper,
            "value": ours["mean"],
            "margin95": ours["margin95"],
            "samples": ours["samples"],
            "outcome": self.outcome,
        }


def equals(
    claim: str,
    ours: Estimate,
    published: float,
    paper: str = "",
    paper_samples: int | None = None,
    reading: str = "",
) -> Finding:
    """The claim that a measured number is the published one, judged by itself.

    With `paper_samples` the published number is itself a measurement, of so many samples.
    """
    if paper_samples:
        ours = replace(ours, sd=ours.sd * math.sqrt(1 + ours.count / paper_samples))
    return Finding(claim, paper or f"{published:g}", _doubted(ours), published, False, reading)


def exceeds(claim: str, ours: Estimate, bound: float, paper: str) -> Finding:
    """The claim that a measured number is larger than a bound, judged by itself."""
    return Finding(claim, paper, ours, bound, True)


def exceeds_all(claim: str, leads: Mapping[str, Estimate], paper: str) -> Finding:
    """The claim that somebody is ahead of all rivals, from the lead on each; the rival named is the one that decides.

    >>> leads = {"B": Estimate(0.5, 1.0, 100), "C": Estimate(0.3, 1.0, 100)}
    >>> first = exceeds_all("A wins the most", leads, "largest")
    >>> str(first), first.comparisons
    ('A wins the most, next C', 2)
    """
    near = min(leads, key=lambda rival: _errors_off(leads[rival]))
    return replace(exceeds(f"{claim}, next {near}", leads[near], 0.0, paper), comparisons=len(leads))


def _errors_off(lead: Estimate) -> float:
    """How many standard errors a lead is away from zero."""
    error = lead.sd / math.sqrt(lead.count) if lead.count else math.nan
    return lead.mean / error if error else math.copysign(math.inf, lead.mean) if lead.mean else 0.0


def _doubted(ours: Estimate) -> Estimate:
    """An estimate without an interval where its samples are all equal, and too few for that to mean anything."""
    return replace(ours, sd=math.nan) if ours.is_equal and ours.count < FEWEST_EQUAL else ours


def together(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same claims, judged together.

    >>> lead = Estimate(0.22, 1.0, 100)
    >>> alone = exceeds("A ahead of B", lead, 0.0, "ahead")
    >>> [(each.measured, each.outcome) for each in (alone, *together([alone, alone]))]  # doctest: +NORMALIZE_WHITESPACE
    [('+0.220 ± 0.198', 'reproduced'),
     ('+0.220 ± 0.228', 'not settled'), ('+0.220 ± 0.228', 'not settled')]
    """
    claims = list(findings)
    count = sum(claim.comparisons for claim in claims)
    return tuple(replace(claim, ours=replace(claim.ours, claims=count)) for claim in claims)


def counted(findings: Sequence[Finding]) -> str:
    """How many claims came to which outcome."""
    outcomes = [finding.outcome for finding in findings]
    return ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in OUTCOMES if outcome in outcomes)


def verdict(findings: Sequence[Finding]) -> str:
    """Whether a study is reproduced: all its claims are, in at least one reading of the paper.

    >>> money, skill = Estimate(0.0, 0.1, 100), Estimate(2.0, 0.5, 100)
    >>> verdict([equals("money", money, 0), equals("SD", skill, 2, reading="a"), equals("SD", skill, 3, reading="b")])
    'reproduced, if read as a (2 claims reproduced; as b: 1 reproduced, 1 contradicted)'
    """
    readings = list(dict.fromkeys(finding.reading for finding in findings if finding.reading)) or [""]
    read_as = {reading: [each for each in findings if each.reading in ("", reading)] for reading in readings}
    outcomes = {reading: {each.outcome for each in claims} for reading, claims in read_as.items()}
    done = next((reading for reading, found in outcomes.items() if found == {REPRODUCED}), None)
    if done is not None:
        others = "".join([f"; as {each}: {counted(claims)}" for each, claims in read_as.items() if each != done])
        as_read = f", if read as {done}" if done else ""
        return f"reproduced{as_read} ({count_of(len(read_as[done]), 'claim')} reproduced{others})"
    whole = "not reproduced" if all(CONTRADICTED in found for found in outcomes.values()) else NOT_SETTLED
    parts = [f"as {reading}: {counted(claims)}" if reading else counted(claims) for reading, claims in read_as.items()]
    return f"{whole} ({'; '.join(parts)})"
