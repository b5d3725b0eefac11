"""All measures of a match in one table: the mean with its interval, the deviation, and what that is worth in hands."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf
from typing import NamedTuple

from railbird.assess.pair_sums import PairSums
from railbird.assess.summary import MEASURES, PairSummary
from railbird.assess.verdicts import Verdict
from railbird.results.parts import Fitting, Line, Part, Table
from railbird.statistics import Estimate
from railbird.words import count_of, hands_needed, rate, roughly, signed

TELLING = 0.05
"""Small bets a hand: a difference that is worth knowing."""
_SAME = "for the same certainty"
_PLACE = " " * len(" ± 0.000")


class MeasureRow(NamedTuple):
    """One measure."""

    name: str
    value: str
    deviation: str = ""
    needed: str = ""
    """As in "3.6x fewer hands"."""
    remark: str = ""
    """What else is to be said of it."""

    @classmethod
    def of(cls, name: str, estimate: Estimate, needed: str = "", remark: str = "") -> MeasureRow:
        return cls(name, rate(estimate), deviation(estimate), needed, remark)

    @property
    def note(self) -> str:
        return ", ".join(filter(None, (self.remark, f"{self.needed} {_SAME}" if self.needed else "")))


def measure_table(rows: Sequence[MeasureRow], value: str = "mean (95%)") -> Fitting:
    """The measures; where there is little room, without remarks, and with what the value is above it."""
    wide = Table([(*row[:3], row.note) for row in rows], left=(3,))
    short = [
        (row.name, row.value, row.deviation.removeprefix("SD "), row.needed.replace(" fewer", "").replace(" hands", ""))
        for row in rows
    ]
    return Fitting(wide, (Table(short, ("", value, "SD", "fewer hands")),))


def pair_rows(pair: PairSummary | PairSums) -> list[MeasureRow]:
    """The measures of two players, for the first of them."""
    rows = []
    for name in pair.measures:
        measure, estimate = MEASURES[name], pair.estimate(name)
        if name == "position":  # known exactly
            rows.append(
                MeasureRow(measure.name, f"{signed(estimate.mean)}{_PLACE}", remark="what the seats were worth")
            )
            continue
        needed = hands_needed(pair.worth(name)) if measure.is_skill and measure.is_unbiased else ""
        pairs = count_of(estimate.count, "pair") if measure.is_paired else ""
        rows.append(MeasureRow.of(measure.name, estimate, needed, pairs))
    return rows


def surest_parts(pair: PairSummary | PairSums, verdict: Verdict) -> list[Part]:
    """Which measure says most, and what its hands are worth."""
    estimate = pair.estimate(verdict.surest)
    return surest_lines(MEASURES[verdict.surest].name, pair.worth(verdict.surest), len(pair), estimate.margin)


def surest_lines(name: str, worth: float, hands: int, margin: float, unit: str = "sb/hand") -> list[Part]:
    """What so many hands are worth by the surest measure, which has that margin; nothing where it has none."""
    if not 0 < margin < inf:
        return []
    told, telling = f"Surest of those without bias: {name}", f"{telling_words(hands, margin, unit)} to see."
    if not worth > 1:
        return [Line(f"{told}; {telling}")]
    counted = count_of(roughly(round(worth * hands)), "hand")
    return [Line(f"{told}. These hands are worth about {counted} of money; {telling}")]


def telling_words(hands: int, margin: float, unit: str = "sb/hand") -> str:
    """How many hands a difference that is worth knowing takes, where so many have that margin."""
    needed = count_of(roughly(ceil(hands * (margin / TELLING) ** 2)), "hand")
    return f"a difference of {TELLING} {unit} takes about {needed}"


def deviation(estimate: Estimate) -> str:
    """The standard deviation; one sample has none."""
    return f"SD {estimate.sd:.3f}" if estimate.count > 1 else ""
