"""The numbers of an assessment for each pair of players: money, duplicate, all-in equity and DIVAT, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.assess.divat import Assessment, Values, assess
from railbird.assess.settings import STANDARD, Settings
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import HandArrays
from railbird.progress import Watch, within
from railbird.statistics import Estimate

MEASURES = {
    "money": "small bets won",
    "duplicate": "money, each deal played twice with the seats exchanged: the mean of the two is one sample",
    "all_in": "DIVAT with all-in equity: simpler, and biased",
    "divat": "the DIVAT difference: skill without the luck",
    "duplicate_divat": "the DIVAT difference of duplicate pairs",
    "dcash": "what the baseline would have won with the same cards",
    "money_minus_dcash": "money less that",
    "luck": "what the cards gave",
    "position": "what the seats gave",
}
"""What can be asked of a pair of players, in words. All are in small bets a hand."""


@dataclass(frozen=True)
class PairSummary:
    """All hands between two players, seen by the first of them."""

    first: str
    second: str
    assessments: tuple[Assessment, ...]
    """One for each setting of the ensemble, over the same hands."""
    sign: Values
    """By hand, 1 where the first player is in position 0 and -1 where in position 1."""

    def __len__(self) -> int:
        return len(self.sign)

    @cached_property
    def values(self) -> dict[str, Values]:
        """The samples of each measure, by hand or by duplicate pair; measures that do not apply are left out."""
        one = self.assessments[0]
        found = {"money": self.sign * one.money}
        pairs = self.pairs
        if len(pairs):
            found["duplicate"] = found["money"][pairs].mean(axis=1)
        found["all_in"] = self._mean("all_in_divat")
        found["divat"] = self._mean("divat")
        if len(pairs):
            found["duplicate_divat"] = found["divat"][pairs].mean(axis=1)
        found["dcash"] = self._mean("dcash")
        found["money_minus_dcash"] = found["money"] - found["dcash"]
        found["luck"] = sum((self.sign * each.luck.sum(axis=1) for each in self.assessments), np.zeros(len(self)))
        found["luck"] /= len(self.assessments)
        found["position"] = found["money"] - found["divat"] - found["luck"]
        return found

    def estimate(self, measure: str) -> Estimate:
        """The mean of a measure with its uncertainty."""
        if measure not in self.values:
            raise AssessmentError(f"{measure!r} cannot be had of these hands (there are {', '.join(self.values)})")
        return Estimate.of(self.values[measure])

    @cached_property
    def by_street(self) -> Values:
        """[n, 4] the DIVAT difference of each street, for the first player."""
        return np.asarray(np.mean([self.sign[:, None] * each.difference for each in self.assessments], axis=0))

    @cached_property
    def luck_by_street(self) -> Values:
        """[n, 4] what hole cards, flop, turn and river gave the first player."""
        return np.asarray(np.mean([self.sign[:, None] * each.luck for each in self.assessments], axis=0))

    def street(self, street: int) -> Estimate:
        """The DIVAT difference of a street, in small bets a hand (whether the hand got there or not)."""
        return Estimate.of(self.by_street[:, street])

    def points(self, player: int, of: str = "red_green") -> Estimate:
        """Red-green points ("red_green") or all-in equity given away ("evat") of the first (0) or second (1) player."""
        position = np.where(self.sign > 0, player, 1 - player)
        found = np.mean([getattr(each, of) for each in self.assessments], axis=0)
        return Estimate.of(np.take_along_axis(found, position[:, None], axis=1)[:, 0])

    @property
    def fewer_hands(self) -> float:
        """How many times fewer hands DIVAT needs than money for the same certainty."""
        divat = self.estimate("divat").sd
        return float((self.estimate("money").sd / divat) ** 2) if divat > 0 else np.inf

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """[m, 2] the two hands of each duplicate pair."""
        partner = self.assessments[0].hands.pair_of
        here = np.arange(len(partner))
        return np.column_stack([here, partner])[(partner > here)]

    @property
    def hands(self) -> HandArrays:
        return self.assessments[0].hands

    def _mean(self, what: str) -> Values:
        return np.asarray(np.mean([self.sign * getattr(each, what) for each in self.assessments], axis=0))


def assess_pairs(
    hands: HandArrays, settings: Sequence[Settings] = (STANDARD,), watch: Watch | None = None, workers: int = 0
) -> list[PairSummary]:
    """Assess a log: a summary for each pair of players, those with most hands first. Hands with hidden cards are left
    out. Several settings make an ensemble, whose means count (the smoothing of Kan 2007, section 4.3)."""
    known = hands.where(hands.complete)
    couples = np.sort(known.players, axis=1)
    summaries = []
    different, counts = np.unique(couples, axis=0, return_counts=True) if len(known) else (couples, np.array([]))
    total, done = len(known) * len(settings), 0
    for couple in different[np.argsort(-counts, kind="stable")]:
        part = known.where((couples == couple).all(axis=1))
        first = int(part.players[0, 0]) if len(part) else 0
        second = int(couple.sum()) - first
        found = []
        for setting in settings:
            found.append(assess(part, setting, within(watch, done, total), workers))
            done += len(part)
        sign = np.where(part.players[:, 0] == first, 1.0, -1.0)
        summaries.append(PairSummary(known.names[first], known.names[second], tuple(found), sign))
    return summaries


def runtime_divat(hands: HandArrays, settings: Sequence[Settings] = (STANDARD,)) -> Values:
    """[n] for position 0: the DIVAT difference of hands whose cards were all shown, and money where they were not.

    What a player can know during a match (Kan 2007, section 3.3). Not proven to be unbiased: whose cards are shown
    depends on the play.
    """
    found = hands.payoffs[:, 0] / hands.small_bet
    if hands.complete.any():
        shown = hands.where(hands.complete)
        found[hands.complete] = np.mean([assess(shown, setting).divat for setting in settings], axis=0)
    return found


def runtime_estimates(hands: HandArrays, settings: Sequence[Settings] = (STANDARD,)) -> dict[tuple[str, str], Estimate]:
    """The runtime variant for each pair of players, for the first of them."""
    values = runtime_divat(hands, settings)
    couples = np.sort(hands.players, axis=1)
    found = {}
    for couple in np.unique(couples, axis=0):
        here = (couples == couple).all(axis=1)
        shown = here & hands.complete
        first = int(hands.players[shown if shown.any() else here][0, 0])
        sign = np.where(hands.players[here, 0] == first, 1.0, -1.0)
        names = hands.names[first], hands.names[int(couple.sum()) - first]
        found[names] = Estimate.of(sign * values[here])
    return found
