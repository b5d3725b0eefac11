"""Where a player leaves the baseline, how often, and what it costs: DIVAT's differences by street and situation.

Each street's difference belongs to the player who first left the baseline on it (the red-green points of Kan 2007,
section 3.3). What either player did later on that street is in that number too, so a bluff that works shows as a
gain, and a street on which the opponent erred first says nothing about the player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan, sqrt
from typing import Any

import numpy as np

from railbird.assess.leak_sums import LeakSums
from railbird.assess.pair_sums import PairSums
from railbird.assess.shared_deals import HandEstimate
from railbird.assess.summary import PairSummary
from railbird.formats.hand_arrays import CALL, FOLD, RAISE
from railbird.game.spec import STREETS
from railbird.statistics import Estimate, Moments

KINDS = {
    "folded": "the baseline calls or raises; the player folded",
    "called": "the baseline folds; the player called",
    "missed": "the baseline bets or raises; the player checked or called",
    "raised": "the baseline checks or calls; the player bet or raised",
    "bluffed": "the baseline folds; the player raised",
}
"""The ways to leave the baseline."""
_BASELINE = {"folded": (CALL, RAISE), "called": (FOLD,), "missed": (RAISE,), "raised": (CALL,), "bluffed": (FOLD,)}
_DONE = {"folded": FOLD, "called": CALL, "missed": CALL, "raised": RAISE, "bluffed": RAISE}


@dataclass(frozen=True)
class Leak:
    """One way in which a player left the baseline first, on one street. Amounts are small bets for the player."""

    kind: str
    """One of `KINDS`."""
    street: int
    facing_bet: bool
    occasions: int
    """How often the player did it."""
    opportunities: int
    """How often it could be done: the player's decisions on the street in this situation at which the baseline does
    what `kind` says, and nobody had left the baseline before."""
    per_hand: Estimate
    """Gain (or loss, if negative) over all hands, whether it happened or not."""
    per_occasion: Estimate
    """Gain (or loss) where it happened."""

    @property
    def share(self) -> float:
        """Occasions by opportunities."""
        return self.occasions / self.opportunities

    @property
    def is_costly(self) -> bool:
        """Whether it surely cost something, by the interval it was judged with."""
        return self.per_hand.is_clear and self.per_hand.mean < 0

    @property
    def words(self) -> str:
        """What the player did, in plain words; what the baseline does not do can still pay.

        >>> nothing = Estimate(0.0, 0.0, 0)
        >>> Leak("missed", 1, False, 1, 2, nothing, nothing).words
        'missed bets'
        """
        # Before the flop the big blind is a bet, and whoever puts in more raises.
        opens = self.street > 0 and not self.facing_bet
        if self.per_hand.mean > 0:
            return {
                "folded": "folds that paid",
                "called": "calls that paid",
                "missed": "slow play that paid" if self.facing_bet else "checks that paid",
                "raised": "bets that paid" if opens else "raises that paid",
                "bluffed": "bluff raises that paid",
            }[self.kind]
        return {
            "folded": "folded too much",
            "called": "called too much",
            "missed": "missed bets" if opens else "missed raises",
            "raised": "bet too much" if opens else "raised too much",
            "bluffed": "bluff raised too much",
        }[self.kind]

    @property
    def situation(self) -> str:
        """Where the player did it, in plain words.

        >>> nothing = Estimate(0.0, 0.0, 0)
        >>> Leak("missed", 1, False, 1, 2, nothing, nothing).situation
        'flop, no bet to call'
        """
        return f"{STREETS[self.street]}, {'facing a bet' if self.facing_bet else 'no bet to call'}"

    def to_json(self) -> dict[str, Any]:
        """The leak for `--json`; numbers that do not exist are null."""
        return {
            "kind": self.kind,
            "words": self.words,
            "street": STREETS[self.street],
            "facing_bet": self.facing_bet,
            "occasions": self.occasions,
            "opportunities": self.opportunities,
            "per_hand": _as_json(self.per_hand),
            "per_occasion": _as_json(self.per_occasion),
        }


def _as_json(estimate: Estimate) -> dict[str, float | None]:
    numbers = {"mean": estimate.mean, "margin95": estimate.margin, "sd": estimate.sd}
    return {name: value if isfinite(value) else None for name, value in numbers.items()}


def leaks(summary: PairSummary | PairSums, player: int) -> list[Leak]:
    """What the first (0) or second (1) player of a pair did that the baseline does not, the most costly first.

    Of an ensemble of settings the first counts.
    """
    found = summary.leak_sums(player)
    rows = []
    for street in range(len(STREETS)):
        for kind in KINDS:
            for facing in (True, False):
                wanted = _BASELINE[kind]
                codes = [9 * facing + 3 * action + _DONE[kind] for action in wanted]
                gains = _together([found.gains[street, code] for code in codes if (street, code) in found.gains])
                if gains.count:
                    opportunities = int(sum(found.chances[street, int(facing), action] for action in wanted))
                    both = _by_deal(found, gains, street, codes)
                    rows.append(Leak(kind, street, facing, gains.count, opportunities, *both))
    return sorted(rows, key=lambda leak: leak.per_hand.mean)


def judged_together(found: Sequence[Leak]) -> list[Leak]:
    """The same with the intervals that decide what is a leak: with so many ways of leaving the baseline, one in twenty
    would seem to cost something by chance alone, so that all are judged together, as `railbird.judging` has it."""
    return [replace(leak, per_hand=replace(leak.per_hand, claims=len(found))) for leak in found]


def surest_leaks(summary: PairSummary | PairSums) -> tuple[list[tuple[str, Leak]], int]:
    """What surely cost one of two players something, the most costly first, with whose it is; all ways in which either
    left the baseline are judged together, and their number is given too."""
    both = [
        (name, leak) for player, name in enumerate((summary.first, summary.second)) for leak in leaks(summary, player)
    ]
    judged = judged_together([leak for _, leak in both])
    found = [(name, leak) for (name, _), leak in zip(both, judged) if leak.is_costly]
    return sorted(found, key=lambda each: each[1].per_hand.mean), len(both)


def deviation_codes(leak: Leak) -> list[int]:
    """The codes of `Assessment.deviation` that are this way of leaving the baseline."""
    return [9 * leak.facing_bet + 3 * action + _DONE[leak.kind] for action in _BASELINE[leak.kind]]


def _together(parts: Sequence[Moments]) -> Moments:
    """The sums of all parts."""
    whole = Moments()
    for part in parts:
        whole.join(part)
    return whole


def _by_deal(found: LeakSums, gains: Moments, street: int, codes: Sequence[int]) -> tuple[Estimate, Estimate]:
    """What a way of leaving the baseline comes to over all hands, and where it happened. The two hands of a deal are
    not independent, so that the intervals are by deals: those of ratios of two sums over deals."""
    per_hand, per_occasion = _among(gains, found.hands), gains.estimate()
    if not found.pairs:
        return per_hand, per_occasion
    count, sums, products = (float(each[street][np.ix_(codes, codes)].sum()) for each in found.in_both)
    total = float(gains.total[0])
    squares = float(gains.products[0, 0]) + total**2 / gains.count + 2 * products

    def of_deals(by_hand: Estimate, deals: float, crossed: float, sizes: float) -> Estimate:
        away = squares - 2 * by_hand.mean * crossed + by_hand.mean**2 * sizes
        spread = sqrt(max(0.0, away) / (deals - 1)) * deals / by_hand.count if deals > 1 else nan
        return HandEstimate.of_deals(by_hand, Estimate(by_hand.mean, spread, int(deals)))

    in_pairs = float(found.gains_in_pairs[street, list(codes)].sum())
    return (
        of_deals(per_hand, found.hands - found.pairs, total + in_pairs, found.hands + 2 * found.pairs),
        of_deals(per_occasion, gains.count - count, total + sums, gains.count + 2 * count),
    )


def _among(gains: Moments, count: int) -> Estimate:
    """The estimate over `count` hands, those without a sample counting zero."""
    whole = Moments()
    whole.join(gains)
    rest = Moments()
    rest.count = count - gains.count
    whole.join(rest)
    return whole.estimate()
