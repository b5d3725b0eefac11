"""Numbers in words, the same on the terminal, in pages and in figures."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from railbird.statistics import Estimate

NONE = "–"
"""Stands for a number that there is not."""
_NOT_SHOWN = "\N{REPLACEMENT CHARACTER}"


def harmless(text: str, in_lines: bool = False) -> str:
    """Text with � for every sign that a terminal would obey instead of showing it.

    Among them are escapes, bells, line ends (which stay with `in_lines`), signs that turn the direction of writing, and
    halves of a sign.

    >>> harmless("red \\x1b[31malert\\x07")
    'red �[31malert�'
    """
    if text.isprintable():
        return text
    return "".join([sign if sign.isprintable() or (in_lines and sign == "\n") else _NOT_SHOWN for sign in text])


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, or a dash where there is none.

    >>> signed(0.5), signed(float("nan")), signed(-0.0001)
    ('+0.500', '–', '+0.000')
    """
    if not math.isfinite(value):
        return NONE
    # Adding zero turns -0.0 into 0.0.
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def unsigned(value: float, digits: int = 3) -> str:
    """A number without a sign, or a dash where there is none.

    >>> unsigned(1234.5, 1)
    '1,234.5'
    """
    return f"{value:,.{digits}f}" if math.isfinite(value) else NONE


def rate(estimate: Estimate) -> str:
    """A number with its interval: a mean with its sign, a deviation or a factor without.

    >>> from railbird.statistics import Estimate
    >>> rate(Estimate(0.1042, 5.1, 10_000)), rate(Estimate(1.0, float("nan"), 1))
    ('+0.104 ± 0.100', '+1.000 ± ?')
    """
    written = (signed if estimate.is_signed else unsigned)(estimate.mean)
    if written == NONE:
        return NONE
    return f"{written} {plus_minus(estimate.told_margin)}"


def plus_minus(margin: float, form: str = ".3f") -> str:
    """Half the width of an interval in some format; it is infinite where too little is known.

    >>> plus_minus(0.1), plus_minus(0.031, ".1%"), plus_minus(float("inf"))
    ('± 0.100', '± 3.1%', '± ?')
    """
    return "± ?" if math.isinf(margin) else f"± {margin:{form}}"


def in_favour(estimate: Estimate, first: str, second: str) -> tuple[Estimate, str]:
    """A win rate of the first of two players as that of whoever it speaks for, and the name; none for zero.

    >>> from railbird.statistics import Estimate
    >>> in_favour(Estimate(-0.1, 5.1, 10_000), "Ann", "Bob")[1]
    'Bob'
    """
    if not math.isfinite(estimate.mean) or not round(estimate.mean, 3):
        return estimate, ""
    return (estimate, first) if estimate.mean > 0 else (replace(estimate, mean=-estimate.mean), second)


def favour(estimate: Estimate, first: str, second: str, unit: str = "sb/hand") -> str:
    """A win rate with its interval, and whom it speaks for.

    >>> from railbird.statistics import Estimate
    >>> favour(Estimate(-0.1042, 5.1, 10_000), "Ann", "Bob")
    '+0.104 ± 0.100 sb/hand for Bob'
    """
    better, name = in_favour(estimate, first, second)
    return f"{rate(better)} {unit} for {name or 'either'}"


def further(estimate: Estimate, unit: str) -> str:
    """What it would take to settle the sign of an estimate.

    >>> from railbird.statistics import Estimate
    >>> further(Estimate(0.05, 5.0, 10_000), "hands")
    'about 29,000 more hands needed'
    """
    more = estimate.further_samples
    if more == 0:
        return "clear"
    if more is None:
        return "no difference" if estimate.mean == 0 and not estimate.is_few else "too few hands to say"
    return f"about {roughly(more):,} more {unit if more > 1 else unit.removesuffix('s')} needed"


def more_samples(estimate: Estimate) -> str:
    """The same for a column of a table: how many more samples, or that it is clear."""
    more = estimate.further_samples
    return "clear" if more == 0 else "?" if more is None else f"+{roughly(more):,}"


def hands_needed(fewer: float, digits: int = 1) -> str:
    """How many hands a measure takes beside another that takes `fewer` times as many, where they differ: it may take
    more.

    >>> hands_needed(3.62), hands_needed(0.9), hands_needed(1.02)
    ('3.6x fewer hands', '1.1x more hands', '')
    """
    if not 1e-6 < fewer < 1e6 or 1 / 1.05 <= fewer <= 1.05:
        return ""
    times, how = (fewer, "fewer") if fewer > 1 else (1 / fewer, "more")
    return f"{times:.{digits}f}x {how} hands"


def roughly(number: int) -> int:
    """A number of hands that are needed, rounded up: two digits are all that an estimate of an effort deserves.

    >>> roughly(28_416), roughly(99), roughly(991)
    (29000, 99, 1000)
    """
    digits = len(str(number)) - 2
    return number if digits <= 0 else math.ceil(number / 10**digits) * 10**digits


def count_of(number: int, thing: str) -> str:
    """A number of things.

    >>> count_of(1, "hand"), count_of(2000, "hand")
    ('1 hand', '2,000 hands')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def so_many(number: int, things: str) -> str:
    """A number of things that are told in the plural, with more said of them.

    >>> so_many(1, "matches, each played twice"), so_many(1, "hands"), so_many(2000, "deals, each played twice")
    ('1 match, each played twice', '1 hand', '2,000 deals, each played twice')
    """
    said = re.sub(r"(?<=ch)es\b|s\b", "", things, count=1) if number == 1 else things
    return f"{number:,} {said}"


def listed(names: Sequence[str]) -> str:
    """Names one after the other.

    >>> listed(["loki"]), listed(["loki", "poki", "yoki"])
    ('loki', 'loki, poki and yoki')
    """
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def time_text(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> time_text(12.345), time_text(0.0021), time_text(3e-6)
    ('12.3 s', '2.1 ms', '3 µs')
    """
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"
