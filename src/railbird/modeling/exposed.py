"""Learning from exposed cards (Piël 2006, section 4.4.2).

At a showdown the hand is gone through again with the cards that were shown: at each bet, raise or call the score of
the player's holding on the board of that moment is worked out, and an average is kept of the scores at which he acts
so. Piël keeps the average; what to do with it he leaves open. Here a score is a percentile in the order of expected
ranks, so that scores on different boards compare, and a later action of the same kind makes holdings near the average
likelier, by a normal curve whose width is the spread that was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from railbird.cards import holding_index
from railbird.modeling.frequencies import CALL, RAISE
from railbird.modeling.reweighting import Weights
from railbird.odds.expected_rank import holding_order

TRUST = 10
"""After so many exposed actions the average counts half."""
NARROWEST = 0.15
"""The curve is never narrower than this, in percentiles."""
PRIOR_SPREAD = 0.29
"""The spread of a score nothing is known of: that of a number between 0 and 1."""


class SeenAction(NamedTuple):
    """An action as everybody saw it."""

    position: int
    action: int
    bets: int
    """Bets to call: 0, 1, or 2 for two and more."""
    board: tuple[int, ...]

    @property
    def is_telling(self) -> bool:
        """Whether it is a bet, a raise, or the call of a bet."""
        return self.action == RAISE or (self.action == CALL and self.bets > 0)


@dataclass
class ScoreAverage:
    """A running average of scores and their spread.

    >>> average = ScoreAverage()
    >>> for score in (0.5, 0.7, 0.9):
    ...     average.add(score)
    >>> average.count, round(average.mean, 3), round(average.spread, 3)
    (3, 0.7, 0.266)
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """The sum of squared differences from the mean."""

    def add(self, score: float) -> None:
        self.count += 1
        off = score - self.mean
        self.mean += off / self.count
        self.squares += off * (score - self.mean)

    @property
    def spread(self) -> float:
        """The standard deviation, with `TRUST` scores of the prior spread added to those seen."""
        variance = (self.squares + TRUST * PRIOR_SPREAD**2) / (self.count + TRUST)
        return max(NARROWEST, sqrt(variance))


class ExposedScores:
    """The averages of all players, for calls and for bets and raises."""

    def __init__(self) -> None:
        self.players: dict[str, dict[int, ScoreAverage]] = {}

    def forget(self) -> None:
        """Forget all players."""
        self.players.clear()

    def learn(self, names: Sequence[str], seen: Iterable[SeenAction], shown: Mapping[int, tuple[int, ...]]) -> None:
        """Look back over the actions of a hand in which these cards were shown."""
        for action in seen:
            if action.position in shown and action.is_telling:
                score = holding_order(action.board).percentiles[holding_index(*shown[action.position])]
                averages = self.players.setdefault(names[action.position], {})
                averages.setdefault(action.action, ScoreAverage()).add(float(score))

    def average(self, name: str, action: int) -> ScoreAverage:
        """A player's average for calls or for bets and raises; of no scores if none was exposed."""
        return self.players.get(name, {}).get(action, ScoreAverage())

    def factors(self, name: str, action: int, percentiles: Weights) -> Weights:
        """How likely each holding makes the player act so, by its percentile: 1 at most, nan counting as 1."""
        average = self.average(name, action)
        if not average.count:
            return np.ones_like(percentiles)
        trust = average.count / (average.count + TRUST)
        curve = np.exp(-0.5 * ((percentiles - average.mean) / average.spread) ** 2)
        return np.asarray(1 - trust + trust * np.nan_to_num(curve, nan=1.0))
