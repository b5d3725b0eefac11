"""What an assessment of two players comes to, added up part by part: for logs that are too long for memory.

`PairSums` answers what `PairSummary` does, hands aside.
"""

from __future__ import annotations

import numpy as np

from railbird.assess.leak_sums import LeakSums
from railbird.assess.raked import Rake
from railbird.assess.shared_deals import HandSums
from railbird.assess.summary import MEASURES, PairSummary, worth
from railbird.errors import AssessmentError
from railbird.game.spec import STREETS
from railbird.statistics import Estimate, Moments


class PairSums:
    """All hands between two players, seen by the first of them, as sums."""

    def __init__(self, first: str, second: str) -> None:
        self.first = first
        self.second = second
        self._hands = 0
        self.pair_count = 0
        self._sums = {name: HandSums() for name in MEASURES}
        self._streets = [HandSums() for _ in STREETS]
        self._points = {of: (HandSums(), HandSums()) for of in ("red_green", "evat")}
        self._paired_luck = Moments()
        self.rake = Rake()
        self._leaks = LeakSums(0), LeakSums(1)

    def __len__(self) -> int:
        return self._hands

    def add(self, part: PairSummary) -> None:
        """Add hands of the same two players."""
        self._hands += len(part)
        self.pair_count += part.pair_count
        self.rake = self.rake.plus(part.rake)
        partners = part.hands.pair_of
        for name, samples in part.values.items():
            alone = MEASURES[name].is_paired  # a sample is a deal
            self._sums[name].add(samples, np.full(len(samples), -1) if alone else partners)
        for street, sums in enumerate(self._streets):
            sums.add(part.by_street[:, street], partners)
        for of, both in self._points.items():
            for player, sums in enumerate(both):
                sums.add(part.point_samples(player, of), partners)
        if part.pair_count:
            self._paired_luck.add(part.luck[part.pairs].mean(axis=1))
        for leaks in self._leaks:
            leaks.add(part)

    @property
    def measures(self) -> list[str]:
        """The measures that there are."""
        return [name for name, sums in self._sums.items() if sums.count]

    def estimate(self, measure: str) -> Estimate:
        """The mean of a measure with its uncertainty."""
        if measure not in self.measures:
            raise AssessmentError(f"{measure!r} cannot be had of these hands (there are {', '.join(self.measures)})")
        return self._sums[measure].estimate()

    def worth(self, measure: str) -> float:
        """How many times as many hands of money would be as sure as a measure."""
        return worth(self.estimate("money"), self.estimate(measure))

    def street(self, street: int) -> Estimate:
        """The DIVAT difference of a street, in small bets a hand (whether the hand got there or not)."""
        return self._streets[street].estimate()

    def points(self, player: int, of: str = "red_green") -> Estimate:
        """Red-green points ("red_green") or all-in equity given away ("evat") of the first (0) or second (1) player."""
        return self._points[of][player].estimate()

    @property
    def fewer_hands(self) -> float:
        """How many times fewer hands DIVAT needs than money for the same certainty."""
        divat = self.estimate("divat").sd
        return float((self.estimate("money").sd / divat) ** 2) if divat > 0 else float("inf")

    @property
    def paired_luck(self) -> Estimate:
        """What the cards gave, by duplicate pair."""
        return self._paired_luck.estimate()

    def leak_sums(self, player: int) -> LeakSums:
        """How a player left the baseline."""
        return self._leaks[player]
