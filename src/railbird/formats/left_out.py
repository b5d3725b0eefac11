"""Which hands of logs could not be read, and whether those that could are still a fair sample.

A result must not rest on what happens to fit. The rule, for everything that sums up logs:

1. A trace of hands may be missing: one hand alone, or up to one in fifty (`TRACE`). Above that a result is refused.
2. Less may be missing only if it has nothing to do with the result: where the betting of at least two of the missing
   hands can be read, their pots, and what the players won in them, must be like those of the others, to within four
   standard errors. Otherwise a result is refused as well.

Missing are lines that should be hands of the game: with impossible cards, illegal betting, payoffs that do not follow,
other stakes, no-limit betting, or torn; and of heads-up limit hold'em those that were all-in, which DIVAT does not
know. Hands that were read already, the cut end of a file, and hands of other tables (another number of players, or one
player against himself) are not missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from railbird.errors import UnfairSampleError
from railbird.statistics import Moments, Samples
from railbird.words import count_of

TRACE = 50
"""One hand in so many may be missing."""
_FAR = 4.0
"""Standard errors by which missing hands may differ from the others."""
_FEWEST = 2
"""So many missing hands say something about the others that are missing."""
MISSING = {
    "not-a-hand": "lines that cannot be read",
    "cards": "impossible cards",
    "betting": "illegal betting",
    "payoffs": "payoffs that do not follow",
    "bet-size": "other stakes",
    "no-limit": "no-limit betting",
    "all-in": "all-in hands",
    "incomplete": "incomplete hands",
    "unplayable": "hands that no rule covers",
    "stacks": "stacks that do not fit",
    "rake": "rakes that do not follow",
}
"""The kinds of problems that leave out a hand which should be there, in words."""


def is_trace(missing: int, whole: int) -> bool:
    """Whether so many hands of all may be missing.

    >>> is_trace(1, 2), is_trace(2, 99), is_trace(2, 100), is_trace(3, 149)
    (True, False, True, False)
    """
    return missing <= 1 or TRACE * missing <= whole


class LeftOut:
    """The hands that are missing from logs, beside those that are not; logs are added up part by part."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        """How many hands are missing, by kind of problem."""
        self.hands = 0
        """How many are there."""
        self.ties = 0
        """How many of those are ties."""
        self.first = ""
        """The first problem, in words."""
        self.fitting: Counter[str] = Counter()
        """How many hands other rules would fit, by what stands after --game."""
        self._there, self._missing = Moments(2), Moments(2)

    def add(self, there: Samples, missing: Samples) -> None:
        """Count hands whose betting can be read: what each player put in, and what one of them won, in small bets."""
        self.hands += len(there)
        self.ties += int((there[:, 1] == 0).sum())
        self._there.add(there)
        self._missing.add(missing)

    def add_problems(self, kinds: Mapping[str, int], first: str) -> None:
        """Count missing hands by kind of problem."""
        self.kinds.update({kind: count for kind, count in kinds.items() if kind in MISSING})
        self.first = self.first or first

    def join(self, other: LeftOut) -> None:
        """Count what another one has counted."""
        self.add_problems(other.kinds, other.first)
        self.hands, self.ties = self.hands + other.hands, self.ties + other.ties
        self.fitting.update(other.fitting)
        self._there.join(other._there)
        self._missing.join(other._missing)

    @property
    def missing(self) -> int:
        return self.kinds.total()

    @property
    def whole(self) -> int:
        """How many hands there should be."""
        return self.missing + self.hands

    @property
    def is_trace(self) -> bool:
        return is_trace(self.missing, self.whole)

    @property
    def is_by_chance(self) -> bool:
        """Whether the missing hands are like the others, as far as they can be read."""
        count = self._missing.count
        if count < _FEWEST or not self._there.count:
            return True
        apart = np.abs(self._missing.total / count - self._there.total / self._there.count)
        spread = [self._there.estimate(*weights).sd for weights in ((1.0, 0.0), (0.0, 1.0))]
        return bool((apart <= _FAR * np.nan_to_num(spread) / np.sqrt(count)).all())

    def refuse(self, where: str) -> None:
        """Refuse hands of `where` that are no fair sample, with the reasons and the way out."""
        if not self.missing or (self.is_trace and self.is_by_chance):
            return
        counts = ", ".join(f"{MISSING[kind]} {count:,}" for kind, count in self.kinds.most_common())
        said = f"{where}: {self.missing:,} of {count_of(self.whole, 'hand')} do not fit the game ({counts}), "
        if self.is_trace:
            pots = [each.total[0] / each.count for each in (self._missing, self._there)]
            said += (
                "and not by chance: they differ from the others in what was won, or in their pots, to which each "
                f"player put {pots[0]:.1f} small bets against {pots[1]:.1f}"
            )
        else:
            ties = self.ties == self.hands > 0
            said += "and all others are ties: no result" if ties else f"more than one in {TRACE}: no result"
        raise UnfairSampleError(f"{said}; {self._way_out()}")

    def _way_out(self) -> str:
        if self.fitting:
            (option, count), *_ = self.fitting.most_common()
            which = "all" if count == self.whole else f"{count:,}"
            return f"{which} fit {option}; if that is the game, say --game {option}"
        return f"correct these lines, or put # before them if they are of another match; the first: {self.first}"
