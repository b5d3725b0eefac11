"""How MIVAT's coefficients are learned, and which luck terms they are for: both by measurement on other matches.

For every match the coefficients are fitted to all others, so that none is judged by what it taught. What counts is how
many hands of money a hand is then worth. The terms that were thought of, beside those that MIVAT has, are their
products with what was there before the cards came: the size of the pot, who raised last, and the share before. (Such a
product has the mean zero too, since what was there before does not depend on the cards that come.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from railbird.assess.divat import Assessment
from railbird.assess.mivat import Mivat, Values, digest, fitted
from railbird.assess.summary import PairSummary
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import RAISE
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import count_of, plus_minus

_MIDDLE_POTS = (2.0, 4.0, 6.0)
"""Small bets from each player before flop, turn and river, around which a pot is large or small."""
_MEASURES = {"divat": "DIVAT", "mivat": "MIVAT", "duplicate_divat": "DIVAT, dupl.", "duplicate_mivat": "MIVAT, dupl."}


def _pots(assessment: Assessment) -> Values:
    """[n, 3] how much larger than usual the pot was before flop, turn and river."""
    raises = (assessment.hands.actions == RAISE).sum(axis=2)[:, :3] * [1, 1, 2]
    return 1.0 + np.cumsum(raises, axis=1) - _MIDDLE_POTS


def _initiative(assessment: Assessment) -> Values:
    """[n, 3] who raised last before flop, turn and river, on the street before: 1 for position 0, -1, or nobody."""
    actions, first = assessment.hands.actions, np.array(assessment.hands.game.first_to_act)
    found = np.zeros((len(assessment), 3))
    for street in range(3):
        for at in range(actions.shape[2]):
            sign = 1.0 if (first[street] + at) % 2 == 0 else -1.0
            found[:, street] = np.where(actions[:, street, at] == RAISE, sign, found[:, street])
    return found


def _shares(assessment: Assessment) -> Values:
    """[n, 3] position 0's share of the pot before flop, turn and river."""
    return np.nan_to_num(assessment.edges[:, :3])


Factor = Callable[[Assessment], Values]
_FACTORS: dict[str, tuple[Factor, bool]] = {
    "times the pot": (_pots, False),
    "times who raised last": (_initiative, True),
    "times the share before": (_shares, True),
}
"""What luck is multiplied by, and whether it changes its sign with the position."""


@dataclass(frozen=True)
class Lesson:
    """A match to learn from."""

    pair: PairSummary
    about: Mapping[str, Any]
    """How it came about."""

    @property
    def names(self) -> str:
        return f"{self.pair.first} v {self.pair.second}"

    @property
    def sample(self) -> tuple[Values, Values]:
        """Luck terms and money, for position 0."""
        return self.terms("rollout and share"), self.pair.assessments[0].fair_money

    def terms(self, name: str) -> Values:
        """[n, terms] of one of `CHOICES`, for position 0."""
        terms, assessment = self.pair.sign[:, None] * self.pair.luck_terms, self.pair.assessments[0]
        if name in ("rollout", "share"):
            return terms[:, :4] if name == "rollout" else terms[:, 4:]
        if name not in _FACTORS:
            return terms
        factor, signed = _FACTORS[name]
        more = factor(assessment)
        products = [more * terms[:, 1:4], more * terms[:, 5:]]
        if signed:  # what is multiplied by its square keeps its sign with the position
            products += [more**2 * terms[:, 1:4], more**2 * terms[:, 5:]]
        return np.column_stack([terms, *products])

    def worth(self, left: Values, paired: bool) -> Estimate | None:
        """How many hands of money a hand is worth of which so much is left for position 0; none without pairs."""
        money, samples, pairs = self.pair.fair_money, self.pair.sign * left, self.pair.pairs
        if not len(pairs):
            return None if paired else Estimate.of_reduction(money, samples)
        wide, narrow = money[pairs].T, samples[pairs].T
        if paired:  # a sample takes two hands
            narrow = np.broadcast_to(np.sqrt(2.0) * narrow.mean(axis=0), narrow.shape)
        return Estimate.of_reduction(wide, narrow)


CHOICES = ("rollout", "share", "rollout and share", *_FACTORS)
"""The sets of luck terms that were compared; the last have those before too."""


@dataclass(frozen=True, repr=False)
class MivatTraining(Result):
    """Coefficients of MIVAT, and what they are worth in matches that they were not learned from."""

    lessons: tuple[Lesson, ...]

    @cached_property
    def mivat(self) -> Mivat:
        """The coefficients from all matches."""
        trained = []
        for lesson in self.lessons:
            hands = lesson.pair.hands
            players = [lesson.pair.first, lesson.pair.second]
            trained.append({"players": players, **lesson.about, "hands": len(hands), "hands_digest": digest(hands)})
        return Mivat(fitted([lesson.sample for lesson in self.lessons]), tuple(trained))

    @cached_property
    def worth(self) -> dict[str, list[Estimate | None]]:
        """By measure and match."""
        left = {"divat": [each.pair.assessments[0].divat for each in self.lessons], "mivat": self._left(CHOICES[2])}
        return {
            f"{'duplicate_' * paired}{name}": [each.worth(one, paired) for each, one in zip(self.lessons, samples)]
            for paired in (False, True)
            for name, samples in left.items()
        }

    @cached_property
    def choices(self) -> dict[str, tuple[float, float]]:
        """By set of luck terms: the geometric means over matches of what a hand is worth, alone and in duplicate."""
        found = {}
        for name in CHOICES:
            left = self._left(name)
            both = [[each.worth(one, paired) for each, one in zip(self.lessons, left)] for paired in (False, True)]
            alone, paired = [_middle([each.mean for each in worth if each is not None]) for worth in both]
            found[name] = alone, paired
        return found

    def _left(self, name: str) -> list[Values]:
        """By match, what is left of money by coefficients from all other matches."""
        if len(self.lessons) < 2:
            raise AssessmentError("one match cannot tell what its coefficients are worth in others; give two or more")
        samples = [(lesson.terms(name), lesson.pair.assessments[0].fair_money) for lesson in self.lessons]
        found = []
        for at, (terms, money) in enumerate(samples):
            found.append(money - terms @ fitted(samples[:at] + samples[at + 1 :]))
        return found

    def parts(self) -> list[Part]:
        hands = sum(len(lesson.pair) for lesson in self.lessons)
        facts = count_of(hands, "hand"), f"{len(self.lessons)} matches"
        known = [name for name in _MEASURES if any(self.worth[name])]
        rows = [
            (lesson.names, *(_factor(self.worth[name][at]) for name in known)) for at, lesson in enumerate(self.lessons)
        ]
        rows.append(
            ("all", *(f"{_middle([each.mean for each in self.worth[name] if each]):.1f}      " for name in known))
        )
        chosen = [(name, *(f"{each:.2f}" for each in both if each > 0)) for name, both in self.choices.items()]
        header = "luck terms", *("alone", "in duplicate")[: len(chosen[0]) - 1]
        coefficients = self.mivat.to_json()["coefficients"]
        return [
            Heading("MIVAT", facts),
            Line("How many hands of money a hand is worth (95%), by coefficients from the other matches:", 0),
            Table(rows, ("match", *(_MEASURES[name] for name in known)), repeated=1),
            Line("The same for other luck terms, geometric means over the matches:", 0),
            Table(chosen, header),
            Line("Coefficients from all matches:", 0),
            Table([(name, f"{each:+.4f}") for name, each in coefficients.items()]),
        ]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.mivat/1, with what it is worth."""
        return {
            **self.mivat.to_json(),
            "worth": {
                name: [each and {"factor": each.mean, "margin95": each.margin} for each in worth]
                for name, worth in self.worth.items()
            },
            "choices": {name: list(both) for name, both in self.choices.items()},
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match and measure."""
        return [
            {"match": self.lessons[at].names, "measure": name, "worth": each.mean, "margin95": each.margin}
            for name, worth in self.worth.items()
            for at, each in enumerate(worth)
            if each is not None
        ]


def lesson_of(pair: PairSummary, **about: Any) -> Lesson:
    """A match to learn from, seen without any coefficients."""
    return Lesson(replace(pair, weighing=Mivat(np.zeros(pair.luck_terms.shape[1]))), about)


def _middle(factors: Sequence[float]) -> float:
    """The geometric mean; 0 of none."""
    return float(np.exp(np.mean(np.log(factors)))) if factors else 0.0


def _factor(found: Estimate | None) -> str:
    return f"{found.mean:.1f} {plus_minus(found.told_margin, '.1f')}" if found else ""
