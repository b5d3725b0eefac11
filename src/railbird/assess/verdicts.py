"""What an assessment of two players comes to, in sentences: who played better, how sure that is, and what luck did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from railbird.assess.pair_sums import PairSums
from railbird.assess.summary import MEASURES, PairSummary
from railbird.statistics import Estimate
from railbird.words import count_of, favour, in_favour, roughly


@dataclass(frozen=True)
class Verdict:
    """The verdict on a pair of players. Where every deal was played from both seats the pairs decide: the two hands of
    a deal are not independent."""

    pair: PairSummary | PairSums

    @property
    def names(self) -> tuple[str, str]:
        return self.pair.first, self.pair.second

    @cached_property
    def is_paired(self) -> bool:
        return 2 * self.pair.pair_count == len(self.pair)

    @cached_property
    def skill(self) -> Estimate:
        """The number that decides."""
        return self.pair.estimate(self.decisive)

    @cached_property
    def decisive(self) -> str:
        """The measure that decides: AIVAT where a player is known, otherwise DIVAT. (Not the one that happens to have
        the smallest interval: to choose among results by what they are would bias them.)"""
        measure = self.method.lower()
        return f"duplicate_{measure}" if self.is_paired else measure

    @property
    def method(self) -> str:
        """How it takes out luck."""
        return "AIVAT" if "aivat" in self.pair.measures else "DIVAT"

    @property
    def surest(self) -> str:
        """The measure with the smallest interval of those whose mean is that of the money; of two with the same, that
        of pairs."""

        def width(name: str) -> tuple[float, bool]:
            return float(f"{self.pair.estimate(name).margin:.9g}"), not MEASURES[name].is_paired

        return min([name for name in self.pair.measures if MEASURES[name].is_unbiased], key=width)

    @cached_property
    def money(self) -> Estimate:
        """What was won, before rake."""
        return self.pair.estimate("duplicate" if self.is_paired else "before_rake" if self._is_raked else "money")

    @property
    def _is_raked(self) -> bool:
        return self.pair.rake.raked > 0

    @cached_property
    def luck(self) -> Estimate:
        """What the cards gave to the first player."""
        return self.pair.paired_luck if self.is_paired and self.pair.pair_count else self.pair.estimate("luck")

    def __str__(self) -> str:
        """Who played better."""
        if not self.skill.is_clear:
            verb = "does" if self.skill.count == 1 else "do"
            return f"{self._counted} {verb} not settle who plays better."
        better = in_favour(self.skill, *self.names)[1]
        other = self.names[better == self.names[0]]
        return f"{better} played better than {other}."

    @property
    def reasons(self) -> list[str]:
        """How sure it is, what would settle it, and what luck did, a sentence each."""
        name = MEASURES[self.decisive].name
        words = name[0].upper() + name[1:]
        level = " (95%)" if math.isfinite(self.skill.margin) else ""
        said = [f"{words} says {favour(self.skill, *self.names)}{level}, over {self._counted}."]
        counted = "In money, deal by deal," if self.is_paired else "In money"
        counted += " before rake" if self._is_raked else ""
        said.append(f"{counted} it was {favour(self.money, *self.names)}.")
        more = self.skill.further_samples
        sample = "pair" if self.is_paired else "hand"
        if more and more < 20 * self.skill.count:
            said.append(
                f"About {count_of(roughly(more), f'more {sample}')} would settle it if mean and deviation stay."
            )
        elif more:
            said.append(
                f"A difference of more than {abs(self.skill.mean) + self.skill.margin:.3f} sb/hand is unlikely."
            )
        return [*said, self._luck, *(self.pair.rake.words(*self.names) if self._is_raked else [])]

    @property
    def _counted(self) -> str:
        return count_of(self.skill.count, "pair" if self.is_paired else "hand") + " of hands" * self.is_paired

    @property
    def _luck(self) -> str:
        return luck_words(self.luck, len(self.pair), self.names)


def luck_words(luck: Estimate, hands: int, names: tuple[str, str], unit: str = "sb") -> str:
    """What the cards of so many hands gave the first or the second player."""
    total, name = luck.mean * hands, in_favour(luck, *names)[1]
    if not name:
        return "The cards favoured nobody."
    gave = f"The cards gave {name} {abs(total):,.1f} {unit} in all"
    if luck.count < 2:
        return f"{gave}."
    usual = luck.margin * hands
    how = "no more than is usual" if abs(total) <= usual else "more than in nineteen of twenty matches so long"
    return f"{gave}, {how} (up to {usual:,.1f} {unit})."
