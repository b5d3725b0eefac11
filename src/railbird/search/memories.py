"""Memories of different length, weighed by how well each has foretold what the opponent did.

A long memory knows most of an opponent who stays as he is, a short one is the first to know one who has changed, and
the strategy that memories bend, which remembers nothing, stands for an opponent of whom nothing is known. Weights
follow Bayes' rule, but a little of all weight is dealt out anew after each action (the fixed share of Herbster and
Warmuth 1998), so that none ever falls so low that it would not soon be back. Where a memory has fallen far behind the
next shorter one, the opponent has changed, and it goes on from what the shorter one holds: it forgets by evidence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SHARE = 0.001
"""How much of all weight is dealt out anew after an action."""
OUTDONE = 100.0
"""How many times the weight of a memory the next shorter one must have to take its place."""
_LEAST_SURPRISE = -5.0
_NEGLIGIBLE = 1e-3
_RUN = 4.0


def lengths_of(longest: float) -> tuple[float, ...]:
    """The lengths of memories in hands: the longest, a tenth and a hundredth of it, but a hand at least.

    >>> lengths_of(5000.0)
    (5000.0, 500.0, 50.0)
    """
    return longest, max(1.0, longest / 10), max(1.0, longest / 100)


class Memories:
    """The strategy, numbered 0, and memories from the longest, numbered 1, to the shortest.

    Without `strategy` it has no weight.
    """

    def __init__(self, lengths: tuple[float, ...], strategy: bool = True) -> None:
        self.lengths = np.array([lengths[0], *lengths])
        """In hands; what an observation counts falls to about a third in so many. The strategy's is for `lasted`."""
        prior = np.ones(len(self.lengths))
        prior[0] = len(lengths) * strategy
        self._prior: Array = prior / prior.sum()
        self.weights = self._prior.copy()
        self.lasted: Array = np.zeros(len(self.lengths))
        """How many hands each knows of the opponent; of the strategy, for how many it has held good."""
        self.surprises: Array = np.zeros(len(self.lengths))
        """By how much each has foretold actions better than the strategy: the logarithm of the ratio of the chances
        that they gave to all that was seen. It never falls far below zero, so that a player who leaves the strategy
        after a long time is found out."""

    @property
    def table(self) -> Array:
        """All that changes, as it is kept in a file."""
        return np.stack([self.weights, self.lasted, self.surprises])

    @table.setter
    def table(self, known: Array) -> None:
        self.weights, self.lasted, self.surprises = known.copy()

    @property
    def counting(self) -> Array:
        """The weights, without those that are too small to matter."""
        kept = np.where(self.weights < _NEGLIGIBLE, 0.0, self.weights)
        return np.asarray(kept / kept.sum())

    @property
    def hands(self) -> float:
        """How many hands are known of the opponent as he is now."""
        return float(self.weights @ self.lasted)

    @property
    def surprise(self) -> float:
        """By how much his actions were foretold better than by the strategy."""
        return float(self.weights @ self.surprises)

    def foretold(self, chances: Array) -> None:
        """The opponent did what each had given these chances."""
        if chances.min() <= 0.0:
            return
        self.surprises = np.maximum(_LEAST_SURPRISE, self.surprises + np.log(chances / chances[0]))
        found = self.weights * chances
        self.weights = (1 - SHARE) * found / found.sum() + SHARE * self._prior

    def outdone(self) -> list[int]:
        """The memories that are to go on from the next shorter one, the shortest of them first."""
        found = []
        for older in range(len(self.weights) - 2, 0, -1):
            if OUTDONE * self.weights[older] < self.weights[older + 1]:
                self.weights[older : older + 2] = self.weights[older : older + 2].mean()
                for each in (self.lasted, self.surprises):
                    each[older] = each[older + 1]
                found.append(older)
        return found

    def end_hand(self) -> Array:
        """A hand is over; returns by memory how much of what was seen before still counts."""
        keep = 1.0 - 1.0 / self.lengths
        self.lasted[0] *= min(1.0, _RUN * self.weights[0])
        self.lasted = keep * self.lasted + 1.0
        self.surprises *= keep
        return np.asarray(keep[1:])
