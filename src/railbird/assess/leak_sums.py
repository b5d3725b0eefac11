"""Counts behind leaks: how often a player left the baseline first, in which way, and what that came to.

They are added up part by part, so that a log of any length can be told about in little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from railbird.formats.hand_arrays import CALL, FOLD, RAISE
from railbird.game.spec import STREETS
from railbird.statistics import Moments

if TYPE_CHECKING:
    from railbird.assess.summary import PairSummary

Decisions = tuple[int, int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
_CODES = 18
"""Ways to leave the baseline: see `railbird.assess.divat.Assessment.deviation`."""


class LeakSums:
    """How the first (0) or second (1) player of a pair left the baseline."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.hands = 0
        self.gains: dict[tuple[int, int], Moments] = {}
        """By street and code, what it gained or cost where it happened."""
        self.pairs = 0
        """How many pairs of hands have a deal in common."""
        self.gains_in_pairs = np.zeros((len(STREETS), _CODES))
        """By street and code, what it gained or cost in hands of such pairs."""
        self.in_both = np.zeros((3, len(STREETS), _CODES, _CODES))
        """By street and code in one hand and in the other, over pairs in which the player left the baseline on the
        street in both: how many they are, the sum of the two gains, and their product."""
        self.chances = np.zeros((len(STREETS), 2, 3), np.int64)
        """[street, facing a bet, what the baseline does] the player's decisions before which nobody left the
        baseline."""

    def add(self, summary: PairSummary) -> None:
        """Count the hands of a pair; of an ensemble of settings the first counts."""
        found = summary.assessments[0]
        position = np.where(summary.sign > 0, self.player, 1 - self.player)
        gain = found.difference * np.where(position == 0, 1.0, -1.0)[:, None]
        for street in range(len(STREETS)):
            own = found.deviator[:, street] == position
            codes, gains = found.deviation[own, street], gain[own, street]
            for code in np.flatnonzero(np.bincount(codes, minlength=_CODES)):
                self.gains.setdefault((street, int(code)), Moments()).add(gains[codes == code])
            self._add_pairs(street, summary.pairs, own, found.deviation[:, street], gain[:, street])
        for street, actor, hands, facing, wanted in _baseline_decisions(summary):
            own = (summary.sign[hands] > 0) == (actor == self.player)
            self.chances[street] += np.bincount(3 * facing[own] + wanted[own], minlength=6).reshape(2, 3)
        self.hands += len(summary)
        self.pairs += summary.pair_count

    def _add_pairs(
        self,
        street: int,
        pairs: NDArray[np.int64],
        own: NDArray[np.bool_],
        codes: NDArray[np.int8],
        gains: NDArray[np.float64],
    ) -> None:
        """Count what happened on a street in pairs of hands that have a deal in common."""
        left = pairs[own[pairs]]
        np.add.at(self.gains_in_pairs[street], codes[left], gains[left])
        one, other = pairs[own[pairs].all(axis=1)].T
        where = codes[one], codes[other]
        for at, values in enumerate((1.0, gains[one] + gains[other], gains[one] * gains[other])):
            np.add.at(self.in_both[at, street], where, values)


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
