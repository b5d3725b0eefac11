"""Where a player leaves the baseline, how often, and what it costs: DIVAT's differences by street and situation.

Each street's difference belongs to the player who first left the baseline on it (the red-green points of Kan 2007,
section 3.3). What either player did later on that street is in that number too, so a bluff that works shows as a
gain, and a street on which the opponent erred first says nothing about the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.summary import PairSummary
from railbird.formats.hand_arrays import CALL, FOLD, RAISE
from railbird.game.spec import STREETS
from railbird.statistics import Estimate

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


def leaks(summary: PairSummary, player: int) -> list[Leak]:
    """What the first (0) or second (1) player of a pair did that the baseline does not, the most costly first.

    Of an ensemble of settings the first counts.
    """
    found = summary.assessments[0]
    position = np.where(summary.sign > 0, player, 1 - player)
    gain = found.difference * np.where(position == 0, 1.0, -1.0)[:, None]
    chances = _opportunities(summary, player)
    rows = []
    for street in range(len(STREETS)):
        own = found.deviator[:, street] == position
        codes, gains = found.deviation[own, street], gain[own, street]
        for kind in KINDS:
            for facing in (True, False):
                wanted = _BASELINE[kind]
                chosen = gains[np.isin(codes, [9 * facing + 3 * action + _DONE[kind] for action in wanted])]
                if len(chosen):
                    opportunities = int(sum(chances[street, int(facing), action] for action in wanted))
                    rows.append(
                        Leak(
                            kind,
                            street,
                            facing,
                            len(chosen),
                            opportunities,
                            _among(chosen, len(summary)),
                            Estimate.of(chosen),
                        )
                    )
    return sorted(rows, key=lambda leak: leak.per_hand.mean)


def judged_together(found: Sequence[Leak]) -> list[Leak]:
    """The same with the intervals that decide what is a leak: with so many ways of leaving the baseline, one in twenty
    would seem to cost something by chance alone, so that all are judged together, as `railbird.judging` has it."""
    return [replace(leak, per_hand=replace(leak.per_hand, claims=len(found))) for leak in found]


def surest_leaks(summary: PairSummary) -> tuple[list[tuple[str, Leak]], int]:
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


def _among(samples: NDArray[np.float64], count: int) -> Estimate:
    """The estimate over `count` hands, those without a sample counting zero."""
    mean = float(samples.sum()) / count
    squares = float(((samples - mean) ** 2).sum()) + (count - len(samples)) * mean**2
    return Estimate(mean, sqrt(squares / (count - 1)) if count > 1 else nan, count)


def _opportunities(summary: PairSummary, player: int) -> NDArray[np.int64]:
    """[street, facing a bet, what the baseline does] the player's decisions before which nobody left the baseline."""
    counts = np.zeros((len(STREETS), 2, 3), np.int64)
    for street, actor, hands, facing, wanted in _baseline_decisions(summary):
        own = (summary.sign[hands] > 0) == (actor == player)
        counts[street] += np.bincount(3 * facing[own] + wanted[own], minlength=6).reshape(2, 3)
    return counts


Decisions = tuple[int, int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _baseline_decisions(summary: PairSummary) -> Iterator[Decisions]:
    """Every decision before which both players kept to the baseline on its street, many hands at a time: street,
    position, the hands, whether each faces a bet, and what the baseline does."""
    found, hands = summary.assessments[0], summary.hands
    game = hands.game
    for street in range(len(STREETS)):
        first = game.first_to_act[0] if street == 0 else 0
        most = game.max_raises[street]
        at = np.flatnonzero(hands.last_street >= street)
        owes = street == 0 and game.blinds[first] < game.blinds[1 - first]
        facing = np.full(len(at), int(owes))
        raises = np.zeros(len(at), np.int64)
        for number in range(hands.actions.shape[2]):
            going = hands.action_counts[at, street] > number
            at, facing, raises = at[going], facing[going], raises[going]
            actor = (first + number) % 2
            category = found.classes[at, street, actor].astype(np.int64)
            # Classes 2 to 5 are worth 1 to 4 bets; the big blind is the first.
            raising = raises + (street == 0) < category - 1
            if most is not None:
                raising &= raises < most
            wanted = np.where((category == 0) & (facing == 1), FOLD, np.where(raising, RAISE, CALL))
            yield street, actor, at, facing, wanted
            done = hands.actions[at, street, number].astype(np.int64)
            kept = done == wanted
            at, raises, facing = at[kept], (raises + (done == RAISE))[kept], (done == RAISE)[kept].astype(np.int64)
