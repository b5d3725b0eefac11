"""What came of a test of a gain: the decision, the likelihood ratio between its bounds, and the sequence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.play.comparison import MEASURES, Comparison
from railbird.play.episodes import LearningCurves
from railbird.play.match_result import fault_parts
from railbird.play.match_sums import pieces
from railbird.play.restarts import restart_parts
from railbird.results.figures import POINTS, Figure
from railbird.results.figures import Line as Curve
from railbird.results.parts import Fitting, Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import PlayedResult
from railbird.sequential import GAIN, Look, SequentialEstimate, SequentialTest, StoppingRule
from railbird.statistics import FEWEST, FEWEST_EQUAL
from railbird.words import NONE, rate, roughly, signed

_BAR_CELLS = 11
_WIDEST = 12
"""A figure begins where the interval is at most so many times as wide as in the end."""


class Sample(NamedTuple):
    """What one sample is."""

    deals: int = 1
    """One, or those of an episode where somebody learns."""
    measure: str = "money"
    """What differences are taken of: money, divat, or aivat, which is fixed before the first deal."""


@dataclass(frozen=True, repr=False)
class GainTest(PlayedResult):
    """Whether a new bot gains on an old one, as far as it is known. Rates are small bets per hand."""

    comparison: Comparison
    """The matches, up to the deal at which it was decided."""
    test: SequentialTest
    sample: Sample
    decided: str = ""
    """What was written down as the decision."""

    @property
    def decision(self) -> str:
        """ "gain", "no gain", or nothing as long as it is open."""
        return self.decided or self.test.decision

    @property
    def is_complete(self) -> bool:
        return bool(self.decision) or self.comparison.is_complete

    @property
    def measure(self) -> str:
        """What differences are taken of."""
        return MEASURES[self.sample.measure]

    @property
    def rule(self) -> StoppingRule:
        return self.test.rule

    @property
    def deals(self) -> int:
        """How many deals count; each was played by both bots, in duplicate in both seats."""
        return self.test.samples * self.sample.deals

    @property
    def difference(self) -> SequentialEstimate:
        """How much more the new bot made, with an interval that holds at all looks at once."""
        return self.test.estimate

    @property
    def fixed_deals(self) -> int:
        """How many deals a test of a fixed length takes that errs as often, by the spread that was seen."""
        return self._fixed_deals(self.difference.sd)

    @property
    def fixed_deals_in_money(self) -> int:
        """The same in money."""
        return self._fixed_deals(self.comparison.difference(self._money).sd)

    def _fixed_deals(self, sd: float) -> int:
        return self.rule.fixed_samples(sd) * self.sample.deals if math.isfinite(sd) else 0

    @property
    def further_deals(self) -> int:
        """How many more deals it takes on average if the difference stays; 0 when it is decided."""
        return 0 if self.decision else self.test.further_samples * self.sample.deals

    @property
    def _rate_unit(self) -> str:
        return self.comparison.spec.game.rate_unit

    @property
    def verdict(self) -> str:
        """What is decided, in a sentence."""
        new, old = self.comparison.names
        gain, unit = f"{self.rule.gain:g} {self._rate_unit}", self._unit
        if not self.decision:
            return f"not decided after {self.deals:,} {unit}: {self._open_words}"
        found = f"likelihood ratio {ratio_words(self.test.log_ratio)} after {self.deals:,} {unit}"
        if self.decision == GAIN:
            return f"{new} gains on {old}: {found}"
        return f"{new} does not gain {gain} on {old}: {found}"

    @property
    def _open_words(self) -> str:
        if not self.test.looks:
            return f"nothing has been looked at yet; the first look is after {self.sample.deals * self.test.block:,}"
        if self.test.is_level:
            decided = f"after {FEWEST_EQUAL * self.sample.deals:,} such {self._unit} that is no gain"
            return f"by {self.measure} the two played alike in every hand; {decided}"
        if self.difference.effective < FEWEST:
            return (
                f"the spread is not known yet (samples worth {self.difference.effective:.0f} of the {FEWEST} it takes)"
            )
        more = f"about {roughly(self.further_deals):,} more {self._unit} if the difference stays"
        return f"likelihood ratio {ratio_words(self.test.log_ratio)}; {more}"

    @property
    def _unit(self) -> str:
        return "pairs" if self.comparison.spec.duplicate else "hands"

    @property
    def _money(self) -> str:
        """Money as it tells most."""
        return "duplicate" if self.comparison.spec.duplicate else "money"

    def parts(self) -> list[Part]:
        spec, found = self.comparison.spec, self.comparison
        asked = "" if self.decision or self.deals == spec.hands else f" of {spec.hands:,}"
        kind = "duplicate pairs" if spec.duplicate else "hands"
        facts = (
            f"test of a gain of {self.rule.gain:g}",
            f"{spec.game.name} heads-up",
            f"{self.deals:,}{asked} {kind}",
            spec.seed_words,
        )
        head: list[Part] = [Heading(" vs ".join(found.names), facts), Words(self.verdict, style="bold")]
        rows = [
            (
                "likelihood ratio",
                ratio_words(self.test.log_ratio),
                f"none {ratio_bar(self.test.log_ratio, self.rule)} gain",
            ),
            (
                "difference",
                f"{rate(self.difference)}",
                f"{self._rate_unit} by {self.measure}, 95% at all looks at once",
            ),
            (self._unit, f"{self.deals:,}", self._saved_words),
        ]
        below = [part for label, told, more in rows for part in ((label, told), *((("", more),) if more else ()))]
        table = Fitting(Table(rows, left=(1, 2)), (Table(below, left=(1,), folded=(1,)),))
        body: list[Part] = [Words("", 0), table, Words("", 0), self._opponents()]
        if self.learning:
            body += [Words("", 0), self.learning.table()]
        return [*head, *body, *self._remarks(), *fault_parts(found.faults), *restart_parts(found.restarts)]

    @cached_property
    def learning(self) -> LearningCurves | None:
        """How both bots do in the course of an episode; `None` where nobody learns, or only one episode is over."""
        return self.comparison.learned_by(self.sample.measure)

    @property
    def _saved_words(self) -> str:
        fixed = self.fixed_deals
        if not fixed:
            return ""
        times = f", {fixed / self.deals:.1f} times as many" if self.decision and fixed > 1.05 * self.deals else ""
        money = self.fixed_deals_in_money if self.sample.measure != "money" else 0
        in_money = f"; in money {roughly(money):,}" if money else ""
        return f"a test of a fixed length takes {roughly(fixed):,}{times}{in_money}"

    def _opponents(self) -> Table:
        """What each bot made of each opponent, and how much that counts."""
        found, rows = self.comparison, []
        weights = found.weights or (1.0,) * len(found.opponents)
        for name, weight in zip(found.opponents, weights):
            new, old = (found.rate(side, self._money, name).mean for side in (0, 1))
            rows.append((name, f"{weight / sum(weights):.0%}", signed(new), signed(old), signed(new - old)))
        return Table(rows, ("money against", "counts", *found.names, "ahead"), folded=(0, 2, 3), bold=(4,))

    def _remarks(self) -> list[Part]:
        rule = self.rule
        said = f"H0: no gain, wrongly given up in {rule.wrong_gain:.3g} of tests at most; "
        said += f"H1: a gain of {rule.gain:g}, in {rule.wrong_none:.3g}"
        found = [said, *([self.comparison.known_words] if self.comparison.known else []), self.comparison.episode_words]
        return [Words(each) for each in found if each]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each look."""
        return [
            {
                "deals": look.samples * self.sample.deals,
                "log_ratio": look.log_ratio,
                "mean": look.mean,
                "margin95": look.margin if math.isfinite(look.margin) else None,
            }
            for look in self.test.looks
        ]

    def panels(self) -> Sequence[Figure]:
        """The narrowing sequence, the ratio between its bounds, and what is learned."""
        learned = [self.learning.figure()] if self.learning else []
        return learned if learned and not self.has_interval else [self.figure(), self.ratio_figure(), *learned]

    @property
    def has_interval(self) -> bool:
        """Whether enough is known of the spread for an interval."""
        return math.isfinite(self.difference.margin)

    def figure(self) -> Figure:
        """The difference with its confidence sequence as a band, and the gain that matters."""
        known = [look for look in self.test.looks if math.isfinite(look.margin)]
        if not known:
            raise RailbirdError(f"there is nothing to draw yet: {self.verdict}")
        looks = _thinned([each for each in self.test.looks if not known[-1].margin * _WIDEST < each.margin < math.inf])
        deals = self._deals_at(looks)
        mean, margin = (np.array([getattr(look, name) for look in looks]) for name in ("mean", "margin"))
        ends = np.array([0.0, deals[-1]]) if len(deals) == 1 else deals
        gain = Curve(f"a gain of {self.rule.gain:g}", ends, np.full(len(ends), self.rule.gain), dashes="--")
        narrowing = np.where(np.isfinite(margin), margin, np.nan)
        lines = [Curve("difference, 95% at all looks at once", deals, mean, narrowing), gain]
        title = f"{self.comparison.names[0]} ahead of {self.comparison.names[1]}"
        said = "All intervals of the band hold at once in 95% of tests; there is none before the spread is known."
        return Figure(title, self._unit, f"small bets per hand by {self.measure}", lines, said)

    def ratio_figure(self) -> Figure:
        """The logarithm of the likelihood ratio on its way to a bound, from even odds on."""
        looks = _thinned(self.test.looks)
        deals = np.concatenate([[0.0], self._deals_at(looks)])
        against, in_favour = (np.full(len(deals), bound) for bound in self.rule.bounds)
        ratio = np.array([0.0, *(look.log_ratio for look in looks)])
        lines = [
            Curve("likelihood ratio", deals, ratio),
            Curve("a gain", deals, in_favour, colour="#009E73", dashes="--"),
            Curve("no gain", deals, against, colour="#D55E00", dashes="--"),
        ]
        title = f"likelihood ratio {ratio_words(self.test.log_ratio)}"
        said = "The test ends at the first look at which the ratio is beyond a dashed line."
        return Figure(title, self._unit, "logarithm of the ratio", lines, said)

    def _deals_at(self, looks: Sequence[Look]) -> NDArray[np.float64]:
        return np.array([look.samples * self.sample.deals for look in looks], np.float64)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.test/1."""
        found, (against, in_favour) = self.comparison, self.rule.bounds
        return {
            "schema": "railbird.test/1",
            "unit": "small bets per hand",
            "new": found.names[0],
            "old": found.names[1],
            "game": found.spec.game.name,
            "measure": self.sample.measure,
            **self.comparison.known_json,
            "gain": self.rule.gain,
            "wrong_gain": self.rule.wrong_gain,
            "wrong_none": self.rule.wrong_none,
            "decision": self.decision or None,
            "verdict": self.verdict,
            "log_ratio": self.test.log_ratio if math.isfinite(self.test.log_ratio) else None,
            "bounds": [against, in_favour],
            "deals": self.deals,
            "deals_in_sample": self.sample.deals,
            "duplicate": found.spec.duplicate,
            "seed": found.spec.plain_seed,
            "difference": self.difference.to_json(),
            "fixed_deals": self.fixed_deals or None,
            "fixed_deals_in_money": self.fixed_deals_in_money or None,
            "further_deals": self.further_deals,
            "against": {
                name: {
                    "weight": weight,
                    "new": found.rate(0, self._money, name).mean,
                    "old": found.rate(1, self._money, name).mean,
                }
                for name, weight in zip(found.opponents, found.weights or (1.0,) * len(found.opponents))
            },
            "learning": self.learning.to_json() if self.learning else None,
            "faults": [str(fault) for fault in found.faults],
            "restarts": found.restarts,
        }


def samples_of(found: Comparison, sample: Sample, first: int, last: int) -> NDArray[np.float64]:
    """The differences of deals `first` to `last - 1`, averaged over the deals of every sample."""
    parts = [found.sampled(first + start, first + end, sample.measure) for start, end in pieces(last - first)]
    return np.asarray(np.concatenate([np.zeros(0), *parts]).reshape(-1, sample.deals).mean(axis=1))


def ratio_words(log_ratio: float) -> str:
    """A likelihood ratio in words.

    >>> ratio_words(2.5), ratio_words(-3.2), ratio_words(0.0)
    ('12 : 1 for a gain', '25 : 1 for none', '1 : 1')
    """
    if math.isnan(log_ratio):
        return NONE
    most = 50.0  # beyond it the number says nothing
    size = abs(log_ratio)
    if size < 0.05:
        return "1 : 1"
    times = f"over {10**9:,}" if size > math.log(10**9) else f"{math.exp(min(size, most)):,.{0 if size > 2.3 else 1}f}"
    return f"{times} : 1 for {'a gain' if log_ratio >= 0 else 'none'}"


def ratio_bar(log_ratio: float, rule: StoppingRule) -> str:
    """Where the ratio is between its bounds.

    >>> ratio_bar(0.0, StoppingRule(0.1)), ratio_bar(9.0, StoppingRule(0.1))
    ('├─────●─────┤', '├───────────●')
    """
    against, in_favour = rule.bounds
    share = (log_ratio - against) / (in_favour - against)
    at = round(min(max(share, 0.0), 1.0) * (_BAR_CELLS + 1))
    cells = ["├", *"─" * _BAR_CELLS, "┤"]
    cells[at] = "●"
    return "".join(cells)


def _thinned(looks: Sequence[Look]) -> list[Look]:
    """At most as many looks as a curve has points, the last among them."""
    at = np.unique(np.linspace(0, len(looks) - 1, min(len(looks), POINTS)).astype(int))
    return [looks[index] for index in at]
