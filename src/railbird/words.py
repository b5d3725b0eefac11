"""Numbers in words, the same on the terminal, in reports and in notebooks."""

from __future__ import annotations

import math

from railbird.statistics import Estimate


def rate(estimate: Estimate) -> str:
    """A win rate with its 95% interval.

    >>> rate(Estimate(0.1042, 5.1, 10_000))
    '+0.104 ± 0.100'
    """
    if math.isinf(estimate.margin):
        return f"{estimate.mean:+.3f} ± ?"
    return f"{estimate.mean:+.3f} ± {estimate.margin:.3f}"


def further(estimate: Estimate, unit: str) -> str:
    """What it would take to settle the sign of an estimate, in words."""
    more = estimate.further_samples
    if more == 0:
        return "clear"
    if more is None:
        return "no difference" if estimate.mean == 0 else "too few hands to say"
    return f"about {_rounded(more):,} more {unit} needed"


def more_samples(estimate: Estimate) -> str:
    """The same for a column of a table: how many more samples, or that it is clear."""
    more = estimate.further_samples
    return "clear" if more == 0 else "?" if more is None else f"+{_rounded(more):,}"


def _rounded(number: int) -> int:
    """Two digits are all that an estimate of an effort deserves."""
    digits = len(str(number)) - 2
    return number if digits <= 0 else math.ceil(number / 10**digits) * 10**digits
