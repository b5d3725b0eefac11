"""What the report of an assessment says of a pair of players: words and numbers, which its template arranges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.leaks import Leak, deviation_codes, judged_together, leaks
from railbird.assess.summary import MEASURES, PairSummary
from railbird.formats.hand_arrays import HandArrays
from railbird.game.record import HandRecord
from railbird.game.spec import STREETS
from railbird.report.hand_columns import deviation_letters
from railbird.statistics import Estimate
from railbird.words import count_of, favour, in_favour, rate, roughly, signed, unsigned


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
    def _is_paired(self) -> bool:
        """Whether the pairs decide: the two hands of a deal are not independent."""
        return 2 * len(self.pair.pairs) == len(self.pair)

    @cached_property
    def skill(self) -> Estimate:
        return self.pair.estimate("duplicate_divat" if self._is_paired else "divat")

    @cached_property
    def money(self) -> Estimate:
        return self.pair.estimate("duplicate" if self._is_paired else "money")

    @property
    def verdict(self) -> str:
        """Who played better, in a sentence."""
        if not self.skill.is_clear:
            verb = "does" if self.skill.count == 1 else "do"
            return f"{self._counted} {verb} not settle who plays better."
        better = in_favour(self.skill, *self.names)[1]
        other = self.names[better == self.names[0]]
        return f"{better} played better than {other}."

    @property
    def certainty(self) -> str:
        """How sure the verdict is, and what luck did."""
        words = "Duplicate DIVAT" if self._is_paired else "DIVAT"
        level = " (95%)" if math.isfinite(self.skill.margin) else ""
        said = [f"{words} says {favour(self.skill, *self.names)}{level}, over {self._counted}."]
        said.append(f"In money it was {favour(self.money, *self.names)}.")
        more = self.skill.further_samples
        sample = "pair" if self._is_paired else "hand"
        if more and more < 20 * self.skill.count:
            said.append(
                f"About {count_of(roughly(more), f'more {sample}')} would settle it if mean and deviation stay."
            )
        elif more:
            said.append(
                f"A difference of more than {abs(self.skill.mean) + self.skill.margin:.3f} sb/hand is unlikely."
            )
        return " ".join([*said, self._luck_words])

    @property
    def _counted(self) -> str:
        return count_of(self.skill.count, "pair" if self._is_paired else "hand") + " of hands" * self._is_paired

    @property
    def _luck_words(self) -> str:
        luck = self.pair.estimate("luck")
        total, name = luck.mean * luck.count, in_favour(luck, *self.names)[1]
        if not name:
            return "The cards favoured nobody."
        gave = f"The cards gave {name} {abs(total):,.1f} sb in all"
        if luck.count < 2:
            return f"{gave}."
        usual = luck.margin * luck.count
        how = "no more than is usual" if abs(total) <= usual else "more than in nineteen of twenty matches so long"
        return f"{gave}, {how} (up to {usual:,.1f} sb)."

    @property
    def tiles(self) -> list[Tile]:
        """Skill, luck and money."""
        found = []
        for name, estimate, note in (
            ("skill", self.skill, "what decisions were worth (DIVAT)"),
            ("luck", self.pair.estimate("luck"), "what the cards gave"),
            ("money", self.money, "what was won"),
        ):
            better, whose = in_favour(estimate, *self.names)
            found.append(Tile(name, rate(better), whose, note))
        return found

    @cached_property
    def _all_leaks(self) -> list[LeakRow]:
        return [
            LeakRow(leak, name, f"{leak.street}:{deviation_letters(player, deviation_codes(leak))}")
            for player, name in enumerate(self.names)
            for leak in leaks(self.pair, player)
        ]

    @property
    def leaks(self) -> list[LeakRow]:
        """What surely cost something, all ways of both players judged together."""
        rows = self._all_leaks
        judged = judged_together([row.leak for row in rows])
        found = [row._replace(leak=leak) for row, leak in zip(rows, judged) if leak.is_costly]
        return sorted(found, key=lambda row: row.leak.per_hand.mean)

    @property
    def deviations(self) -> list[LeakRow]:
        """All ways in which the players left the baseline."""
        return self._all_leaks

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
    def streets(self) -> list[tuple[str, Estimate, Estimate]]:
        """By street: skill, and luck of its cards."""
        return [
            (name, self.pair.street(street), Estimate.of(self.pair.luck_by_street[:, street]))
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
                fewer = f"{(money / estimate.sd) ** 2 / each:,.1f}×"
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
        money = hidden.payoffs[:, 0] / hidden.small_bet * np.where(hidden.players[:, 0] == first, 1.0, -1.0)
        return Estimate.of(np.concatenate([self.pair.values["divat"], money]))


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
