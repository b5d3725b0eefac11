"""The numbers of an assessment for each pair of players: money, duplicate, DIVAT, MIVAT and AIVAT, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_hands import KnownPlayers
from railbird.assess.divat import Assessment, Values, assess
from railbird.assess.leak_sums import LeakSums
from railbird.assess.mivat import Weighing, luck_terms, shipped_mivat
from railbird.assess.raked import Rake
from railbird.assess.settings import STANDARD, Settings
from railbird.assess.shared_deals import hand_estimate
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import HandArrays
from railbird.progress import Watch, within
from railbird.statistics import Estimate
from railbird.words import count_of


@dataclass(frozen=True)
class PairSummary:
    """All hands between two players, seen by the first of them."""

    first: str
    second: str
    assessments: tuple[Assessment, ...]
    """One for each setting of the ensemble, over the same hands."""
    sign: Values
    """By hand, 1 where the first player is in position 0 and -1 where in position 1."""
    aivat: Values | None = None
    """By hand, AIVAT for the first player; none where neither is known."""
    weighing: Weighing | None = None
    """How much of the luck MIVAT takes off; none for the coefficients that ship."""

    def __len__(self) -> int:
        return len(self.sign)

    def __repr__(self) -> str:
        return f"<PairSummary {self.first} vs {self.second} | {count_of(len(self), 'hand')}>"

    @cached_property
    def values(self) -> dict[str, Values]:
        """The samples of each measure, by hand or by duplicate pair; measures that do not apply are left out."""
        found = {name: measure.samples(self) for name, measure in MEASURES.items()}
        return {name: samples for name, samples in found.items() if samples is not None}

    @cached_property
    def money(self) -> Values:
        """Small bets won, by hand."""
        own = np.where(self.sign > 0, self.hands.payoffs[:, 0], self.hands.payoffs[:, 1])
        return np.asarray(own / self.hands.small_bet, np.float64)

    @cached_property
    def fair_money(self) -> Values:
        """Small bets won before the house took its rake, by hand."""
        return self.sign * self.assessments[0].fair_money

    @cached_property
    def divat(self) -> Values:
        """The DIVAT difference, by hand."""
        return self.mean_of("divat")

    @cached_property
    def luck(self) -> Values:
        """What the cards gave, by hand."""
        total = sum((self.sign * each.luck.sum(axis=1) for each in self.assessments), np.zeros(len(self)))
        return total / len(self.assessments)

    @cached_property
    def luck_terms(self) -> Values:
        """[n, 8] the luck that MIVAT weighs, for the first player: the means over the ensemble."""
        return np.asarray(np.mean([self.sign[:, None] * luck_terms(each) for each in self.assessments], axis=0))

    @cached_property
    def mivat(self) -> Values:
        """Money less the learned share of luck, by hand."""
        return (self.weighing or shipped_mivat()).samples(self.luck_terms, self.fair_money, self.hands)

    def paired(self, by_hand: Values) -> Values | None:
        """The means of the two hands of each duplicate pair; none where there are no pairs."""
        return by_hand[self.pairs].mean(axis=1) if len(self.pairs) else None

    def mean_of(self, what: str) -> Values:
        """Something that assessments say of every hand, for the first player: the mean over the ensemble."""
        return np.asarray(np.mean([self.sign * getattr(each, what) for each in self.assessments], axis=0))

    def estimate(self, measure: str) -> Estimate:
        """The mean of a measure with its uncertainty."""
        if measure not in self.values:
            raise AssessmentError(f"{measure!r} cannot be had of these hands (there are {', '.join(self.values)})")
        samples = self.values[measure]
        return Estimate.of(samples) if MEASURES[measure].is_paired else self.by_hand(samples)

    def by_hand(self, samples: Values) -> Estimate:
        """The mean of something that is known of every hand. Where hands have a deal in common, its interval is by
        deals."""
        return hand_estimate(samples, self.hands.pair_of)

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
        return self.by_hand(self.by_street[:, street])

    def points(self, player: int, of: str = "red_green") -> Estimate:
        """Red-green points ("red_green") or all-in equity given away ("evat") of the first (0) or second (1) player."""
        return self.by_hand(self.point_samples(player, of))

    def point_samples(self, player: int, of: str) -> Values:
        """The same by hand."""
        position = np.where(self.sign > 0, player, 1 - player)
        found = np.mean([getattr(each, of) for each in self.assessments], axis=0)
        return np.asarray(np.take_along_axis(found, position[:, None], axis=1)[:, 0])

    @property
    def measures(self) -> list[str]:
        """The measures that there are."""
        return list(self.values)

    def worth(self, measure: str) -> float:
        """How many times as many hands of money would be as sure as a measure."""
        return worth(self.estimate("money"), self.estimate(measure))

    @property
    def pair_count(self) -> int:
        """How many duplicate pairs there are."""
        return len(self.pairs)

    @property
    def paired_luck(self) -> Estimate:
        """What the cards gave, by duplicate pair."""
        return Estimate.of(self.luck[self.pairs].mean(axis=1))

    @cached_property
    def rake(self) -> Rake:
        """What the house took."""
        return Rake.of(self)

    def leak_sums(self, player: int) -> LeakSums:
        """How a player left the baseline."""
        sums = LeakSums(player)
        sums.add(self)
        return sums

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


class Measure(NamedTuple):
    """Something that is told of a pair of players, in small bets a hand."""

    name: str
    samples: Callable[[PairSummary], Values | None]
    """By hand or duplicate pair, for the first player; none where it does not apply."""
    long_name: str
    """What the report calls it."""
    is_skill: bool = False
    """Whether it says who plays better, as money does, so that it can be told how many fewer hands it needs."""
    is_paired: bool = False
    """Whether a sample is a duplicate pair, and so takes two hands."""
    is_unbiased: bool = False
    """Whether its mean is that of the money, before rake."""
    meaning: str = ""
    """What it means and how far it can be trusted, for the report."""


MEASURES = {
    "money": Measure(
        "money",
        lambda pair: pair.money,
        "money",
        is_unbiased=True,
        meaning="What was won. It is right on average, and full of luck: the cards alone move it by about six small "
        "bets a hand, so it takes tens of thousands of hands to tell two good players apart.",
    ),
    "before_rake": Measure(
        "before rake",
        lambda pair: pair.fair_money if pair.rake.raked else None,
        "money before rake",
        meaning="What was won before the house took its rake: money as it is without a house. What DIVAT, luck and "
        "position come to together.",
    ),
    "duplicate": Measure(
        "duplicate",
        lambda pair: pair.paired(pair.fair_money),
        "duplicate money",
        is_skill=True,
        is_paired=True,
        is_unbiased=True,
        meaning="Each deal is played twice with the seats exchanged, and the mean of the two hands is one sample. "
        "Right on average, and less noisy than money, since both players get the same cards.",
    ),
    "all_in": Measure(
        "all-in DIVAT",
        lambda pair: pair.mean_of("all_in_divat"),
        "all-in DIVAT (biased)",
        is_skill=True,
        meaning="DIVAT with the share of the pot in a showdown without further betting as the value. It can be "
        "checked by hand, but it is biased: its mean differs from that of money, so do not decide by it.",
    ),
    "divat": Measure(
        "DIVAT",
        lambda pair: pair.divat,
        "DIVAT",
        is_skill=True,
        is_unbiased=True,
        meaning="What a player's decisions were worth against those of a baseline that bets its hands for value, "
        "street by street, with both hands known (Kan 2007). The baseline need not be good: the mean is that of money "
        "whatever the baseline (unbiased), because the values that are compared are exact averages over the cards to "
        "come. What a good baseline changes is how little noise is left.",
    ),
    "duplicate_divat": Measure(
        "duplicate DIVAT",
        lambda pair: pair.paired(pair.divat),
        "duplicate DIVAT",
        is_skill=True,
        is_paired=True,
        is_unbiased=True,
        meaning="DIVAT over the two hands of each deal, the mean of which is one sample. Where every deal was played "
        "from both seats it decides, since the two hands are not independent of each other.",
    ),
    "mivat": Measure(
        "MIVAT",
        lambda pair: pair.mivat,
        "MIVAT",
        is_skill=True,
        is_unbiased=True,
        meaning="What was won, less a share of what the cards of each street gave, by rollout equity and by the share "
        "of the pot. The shares were learned from other matches, so that little noise is left (White and Bowling "
        "2009). Its mean is that of money before rake, whatever the shares are.",
    ),
    "duplicate_mivat": Measure(
        "duplicate MIVAT",
        lambda pair: pair.paired(pair.mivat),
        "duplicate MIVAT",
        is_skill=True,
        is_paired=True,
        is_unbiased=True,
        meaning="MIVAT over the two hands of each deal, the mean of which is one sample.",
    ),
    "aivat": Measure(
        "AIVAT",
        lambda pair: pair.aivat,
        "AIVAT",
        is_skill=True,
        is_unbiased=True,
        meaning="What was won, less what the cards gave and what players whose probabilities are known drew by chance, "
        "averaged over all holdings that such a player may have had (Burch et al. 2018). Its mean is that of money "
        "before rake, whatever the values are that it compares.",
    ),
    "duplicate_aivat": Measure(
        "duplicate AIVAT",
        lambda pair: None if pair.aivat is None else pair.paired(pair.aivat),
        "duplicate AIVAT",
        is_skill=True,
        is_paired=True,
        is_unbiased=True,
        meaning="AIVAT over the two hands of each deal, the mean of which is one sample.",
    ),
    "dcash": Measure(
        "baseline's money",
        lambda pair: pair.mean_of("dcash"),
        "baseline's money (Dcash)",
        meaning="What the baseline would have won with the cards that were dealt; where a hand ended before its cards "
        "were out, their average. Money less Dcash is a rough measure of skill, and since players choose when hands "
        "end, both are biased.",
    ),
    "money_minus_dcash": Measure(
        "money less that",
        lambda pair: pair.fair_money - pair.mean_of("dcash"),
        "money less Dcash",
        is_skill=True,
        meaning="What was won beyond what the baseline would have won with the same cards.",
    ),
    "luck": Measure(
        "luck",
        lambda pair: pair.luck,
        "luck",
        meaning="How much the hole cards, the flop, the turn and the river changed the value of the hand. It averages "
        "to nothing over many hands.",
    ),
    "position": Measure(
        "position",
        lambda pair: pair.fair_money - pair.divat - pair.luck,
        "position",
        meaning="What the seats are worth when both play the baseline. For every hand, money is DIVAT, luck and "
        "position together.",
    ),
}
"""All that is told of a pair of players. A measure that is added here stands on the terminal, in JSON, frames and the
report."""


def worth(money: Estimate, measure: Estimate) -> float:
    """How many times as many hands, each with cards of its own, money would take for the interval of a measure."""
    alone = Estimate(money.mean, money.sd, money.count)
    return (alone.margin / measure.margin) ** 2 if 0 < measure.margin < np.inf else np.nan


def assess_pairs(
    hands: HandArrays,
    settings: Sequence[Settings] = (STANDARD,),
    watch: Watch | None = None,
    workers: int = 0,
    seen_by: Container[tuple[str, str]] = (),
    known: KnownPlayers | None = None,
    weighing: Weighing | None = None,
) -> list[PairSummary]:
    """Assess a log: a summary for each pair of players, those with most hands first. Hands with hidden cards are left
    out. Several settings make an ensemble, whose means count (the smoothing of Kan 2007, section 4.3).

    The first player of a pair is who sits first in its first hand, unless `seen_by` has the two in the other order.
    With `known` players there is AIVAT of their hands; `weighing` is MIVAT's, by default as it ships."""
    shown = hands.where(hands.complete)
    couples = np.sort(shown.players, axis=1)
    summaries = []
    different, counts = np.unique(couples, axis=0, return_counts=True) if len(shown) else (couples, np.array([]))
    total, done = len(shown) * (len(settings) + bool(known)), 0
    for couple in different[np.argsort(-counts, kind="stable")]:
        part = shown.where((couples == couple).all(axis=1))
        first, second = _in_order(part, couple, seen_by)
        found = []
        for setting in settings:
            found.append(assess(part, setting, within(watch, done, total), workers))
            done += len(part)
        sign = np.where(part.players[:, 0] == first, 1.0, -1.0)
        aivat = known.samples(part, within(watch, done, total)) if known else None
        done += len(part) if known else 0
        aivat = None if aivat is None else sign * aivat
        summaries.append(PairSummary(shown.names[first], shown.names[second], tuple(found), sign, aivat, weighing))
    return summaries


def _in_order(hands: HandArrays, couple: NDArray[np.int32], seen_by: Container[tuple[str, str]]) -> tuple[int, int]:
    """A couple as it is told: first who sits first in the first of its hands, or the other way round in `seen_by`."""
    first = int(hands.players[0, 0])
    second = int(couple.sum()) - first
    return (second, first) if (hands.names[second], hands.names[first]) in seen_by else (first, second)


def runtime_divat(hands: HandArrays, settings: Sequence[Settings] = (STANDARD,)) -> Values:
    """[n] for position 0: the DIVAT difference of hands whose cards were all shown, and money where they were not.

    What a player can know during a match (Kan 2007, section 3.3). Not proven to be unbiased: whose cards are shown
    depends on the play.
    """
    found = hands.fair_payoffs[:, 0] / hands.small_bet
    if hands.complete.any():
        shown = hands.where(hands.complete)
        found[hands.complete] = np.mean([assess(shown, setting).divat for setting in settings], axis=0)
    return found


def runtime_estimates(hands: HandArrays, settings: Sequence[Settings] = (STANDARD,)) -> dict[tuple[str, str], Estimate]:
    """The runtime variant for each pair of players, for the first of them."""
    return {names: hand_estimate(*samples) for names, samples in runtime_samples(hands, settings).items()}


def runtime_samples(
    hands: HandArrays, settings: Sequence[Settings] = (STANDARD,), seen_by: Container[tuple[str, str]] = ()
) -> dict[tuple[str, str], tuple[Values, NDArray[np.int64]]]:
    """The same by hand, and the place of each hand's partner, or -1; `seen_by` as in `assess_pairs`."""
    values = runtime_divat(hands, settings)
    couples = np.sort(hands.players, axis=1)
    found = {}
    for couple in np.unique(couples, axis=0):
        here = (couples == couple).all(axis=1)
        shown = here & hands.complete
        first, second = _in_order(hands.where(shown if shown.any() else here), couple, seen_by)
        sign = np.where(hands.players[here, 0] == first, 1.0, -1.0)
        found[hands.names[first], hands.names[second]] = sign * values[here], hands.where(here).pair_of
    return found
