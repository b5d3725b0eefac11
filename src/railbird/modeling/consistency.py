"""How closely a player keeps to his thresholds, learned from the holdings he shows (Papp 1998, sections 7.2.2 and 9).

Papp's sigma is the same for everybody, and he names what is missing: two opponents with the same threshold "may have a
very different standard deviation to the distribution of hands they call with". Here a few multiples of his sigma
compete. Each holding shown is evidence for those multiples under which it was likely, given what the player did; sigma
is then multiplied by their geometric mean under the posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

SPREADS = (0.25, 0.5, 1.0, 2.0, 4.0)
_PRIOR = (0.05, 0.15, 0.6, 0.15, 0.05)


class Consistency:
    """What is known of the spread of one player's thresholds, as a multiple of the usual one.

    >>> player = Consistency()
    >>> player.spread
    1.0
    >>> for _ in range(20):
    ...     player.learn([0.1, 0.2, 0.3, 0.4, 0.5])  # what he showed is likeliest if his thresholds vary most
    >>> 3.8 < player.spread < 4
    True
    """

    def __init__(self) -> None:
        self._scores = [log(prior) for prior in _PRIOR]
        self.spread = 1.0

    def learn(self, likelihoods: Sequence[float]) -> None:
        """A holding was shown, with these likelihoods under each of `SPREADS`."""
        self._scores = [score + log(likelihood) for score, likelihood in zip(self._scores, likelihoods, strict=True)]
        best = max(self._scores)
        odds = [exp(score - best) for score in self._scores]
        self.spread = exp(sum(odd * log(spread) for odd, spread in zip(odds, SPREADS)) / sum(odds))
