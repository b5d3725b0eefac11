"""What the report of an assessment says of a pair of players: words and numbers, which its template arranges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.leaks import Leak, deviation_codes, leaks, surest_leaks
from railbird.assess.shared_deals import hand_estimate
from railbird.assess.summary import MEASURES, PairSummary
from railbird.assess.verdicts import Verdict
from railbird.formats.hand_arrays import HandArrays
from railbird.game.record import HandRecord
from railbird.game.spec import STREETS
from railbird.report.hand_columns import deviation_letters
from railbird.statistics import Estimate
from railbird.words import count_of, in_favour, rate, signed, unsigned


class Tile(NamedTuple):
    """A number that stands out, with whom it speaks for."""

    name: str
    value: str
    whose: str
    note: str


class LeakRow(NamedTuple):
    """A way of leaving the baseline, and the filter that shows its hands."""

    leak: Leak
    player: str
    hands: str
    """The street, and the letters of `hand_columns.deviation_letters`."""


class HandRow(NamedTuple):
    """A hand of a list, with its place among the pair's hands."""

    at: int
    record: HandRecord
    first: int
    """The position of the pair's first player."""
    luck: float
    skill: float
    money: float


class HandList(NamedTuple):
    title: str
    measure: str
    sign: int
    rows: list[HandRow]


class MeasureRow(NamedTuple):
    name: str
    value: str
    whose: str
    sd: str
    fewer: str
    samples: str
    meaning: str


@dataclass(frozen=True)
class PairSection:
    """A pair of players in the report."""

    pair: PairSummary
    hands: HandArrays
    """All hands of the logs, those with hidden cards too."""
    place: int
    """Its place among the pairs of the report."""
    largest: int
    """How many hands the lists of the largest have."""

    @property
    def anchor(self) -> str:
        return f"pair-{self.place + 1}"

    @property
    def names(self) -> tuple[str, str]:
        return self.pair.first, self.pair.second

    @cached_property
    def judged(self) -> Verdict:
        return Verdict(self.pair)

    @property
    def verdict(self) -> str:
        """Who played better, in a sentence."""
        return str(self.judged)

    @property
    def certainty(self) -> str:
        """How sure the verdict is, and what luck did."""
        return " ".join(self.judged.reasons)

    @property
    def tiles(self) -> list[Tile]:
        """Skill, luck and money."""
        found = []
        for name, estimate, note in (
            ("skill", self.judged.skill, f"what decisions were worth ({self.judged.method})"),
            ("luck", self.pair.estimate("luck"), "what the cards gave"),
            ("money", self.judged.money, "what was won, before rake" if self.pair.rake.raked else "what was won"),
        ):
            better, whose = in_favour(estimate, *self.names)
            found.append(Tile(name, rate(better), whose, note))
        return found

    @property
    def leaks(self) -> list[LeakRow]:
        """What surely cost something, all ways of both players judged together."""
        return [self._leak_row(leak, name) for name, leak in surest_leaks(self.pair)[0]]

    @property
    def deviations(self) -> list[LeakRow]:
        """All ways in which the players left the baseline."""
        return [
            self._leak_row(leak, name) for player, name in enumerate(self.names) for leak in leaks(self.pair, player)
        ]

    def _leak_row(self, leak: Leak, name: str) -> LeakRow:
        letters = deviation_letters(self.names.index(name), deviation_codes(leak))
        return LeakRow(leak, name, f"{leak.street}:{letters}")

    @cached_property
    def lists(self) -> list[HandList]:
        """The hands with most luck and most skill for either player."""
        found = []
        for name, sign in zip(self.names, (1, -1)):
            found.append(self._list(f"Luckiest for {name}", "luck", sign))
        for name, sign in zip(self.names, (1, -1)):
            found.append(self._list(f"Largest skill difference for {name}", "skill", sign))
        return found

    def _list(self, title: str, measure: str, sign: int) -> HandList:
        values = sign * self.pair.values["luck" if measure == "luck" else "divat"]
        at = [int(n) for n in np.argsort(-values, kind="stable")[: self.largest] if values[n] > 0]
        return HandList(title, measure, sign, [self._hand_row(n) for n in at])

    def _hand_row(self, n: int) -> HandRow:
        values = self.pair.values
        numbers = [float(values[measure][n]) for measure in ("luck", "divat", "money")]
        return HandRow(n, self.pair.hands.record(n), 0 if self.pair.sign[n] > 0 else 1, *numbers)

    @property
    def has_band(self) -> bool:
        """Whether the curve of skill has an interval, hand by hand: hands that share a deal have none of their own."""
        return len(self.pair) > 1 and not self.pair.pair_count

    @property
    def streets(self) -> list[tuple[str, Estimate, Estimate]]:
        """By street: skill, and luck of its cards."""
        return [
            (name, self.pair.street(street), self.pair.by_hand(self.pair.luck_by_street[:, street]))
            for street, name in enumerate(STREETS)
        ]

    @property
    def positions(self) -> list[tuple[str, int, Estimate, Estimate, Estimate]]:
        """By position of the first player: hands, skill, luck and money."""
        found = []
        values = self.pair.values
        for name, chosen in (("on the button", self.pair.sign < 0), ("first to act", self.pair.sign > 0)):
            if chosen.any():
                numbers = [Estimate.of(values[measure][chosen]) for measure in ("divat", "luck", "money")]
                found.append((name, int(chosen.sum()), numbers[0], numbers[1], numbers[2]))
        return found

    @property
    def points(self) -> list[tuple[str, Estimate, Estimate]]:
        """By player: red-green points, and all-in equity given away."""
        return [(name, self.pair.points(n), self.pair.points(n, "evat")) for n, name in enumerate(self.names)]

    @property
    def measures(self) -> list[MeasureRow]:
        """All measures, with what they mean."""
        money, found = self.pair.estimate("money").sd, []
        for name in self.pair.values:
            measure, estimate = MEASURES[name], self.pair.estimate(name)
            each = 2 if measure.is_paired else 1
            fewer = ""
            if measure.is_skill and estimate.sd > 0 and math.isfinite(money):
                fewer = _times_fewer((money / estimate.sd) ** 2 / each)
            samples = count_of(estimate.count, "pair" if each == 2 else "hand")
            found.append(self._measure_row(measure.long_name, estimate, fewer, samples, measure.meaning))
        if runtime := self._runtime():
            hidden = count_of(runtime.count - len(self.pair), "hand")
            meaning = (
                f"Counts {hidden} with hidden cards by money; it is not proven to be unbiased. All other rows leave "
                "these hands out, and are as good as the choice of hands whose cards were shown."
            )
            found.append(self._measure_row("runtime DIVAT", runtime, "", count_of(runtime.count, "hand"), meaning))
        return found

    def _measure_row(self, name: str, estimate: Estimate, fewer: str, samples: str, meaning: str) -> MeasureRow:
        better, whose = in_favour(estimate, *self.names)
        if name == MEASURES["money"].long_name and self.pair.rake.raked:
            better, whose = estimate, self.names[0]  # the other one has not won what this one has lost
        value = rate(better) if name != MEASURES["position"].long_name else signed(better.mean)
        return MeasureRow(name, value, whose, unsigned(estimate.sd), fewer, samples, meaning)

    def _runtime(self) -> Estimate | None:
        """DIVAT of the assessed hands together with the money of those whose cards stayed hidden, if there are any."""
        hands = self.hands
        first, second = (hands.names.index(name) for name in self.names)
        ours = (np.sort(hands.players, axis=1) == sorted((first, second))).all(axis=1)
        hidden = hands.where(ours & ~hands.complete)
        if not len(hidden):
            return None
        money = hidden.fair_payoffs[:, 0] / hidden.small_bet * np.where(hidden.players[:, 0] == first, 1.0, -1.0)
        partners = np.concatenate([self.pair.hands.pair_of, hidden.pair_of])  # hidden hands have none
        return hand_estimate(np.concatenate([self.pair.values["divat"], money]), partners)


def _times_fewer(times: float) -> str:
    """How many times fewer hands a measure needs, or that it needs more."""
    return f"{times:,.1f}×" if times >= 1 else f"{1 / times:,.1f}× more" if times else ""


def telling(sections: Sequence[PairSection], most: int) -> list[NDArray[np.int64]]:
    """By pair, the hands that a page has: all of them, or those with most luck or skill, and all that are listed."""
    total = sum(len(section.pair) for section in sections)
    found = []
    for section in sections:
        n = len(section.pair)
        if total <= most:
            found.append(np.arange(n))
            continue
        sizes = [np.abs(section.pair.values[measure]) for measure in ("luck", "divat")]
        score = np.max([size / (size.std() or 1.0) for size in sizes], axis=0)
        listed = [row.at for each in section.lists for row in each.rows]
        kept = np.argsort(-score, kind="stable")[: most * n // total]
        found.append(np.unique(np.concatenate([kept, np.array(listed, np.int64)])))
    return found
