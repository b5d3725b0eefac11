"""How often a player folds, calls and raises, by street and by bets to call (Papp 1998, section 7.1.2).

Until a context has been seen twenty times its frequencies are mixed with those of the street before, and before the
flop with the defaults of Table B.2 (equation 7.4, whose second line should read f, not f'', on the right).
"""

from __future__ import annotations

from railbird.game.betting import Betting

FOLD, CALL, RAISE = 0, 1, 2
ENOUGH = 20
"""After so many observations of a context its own frequencies are used alone."""

# Papp 1998, Table B.2: fold, check or call, bet or raise, with 0, 1, and 2 or more bets to call.
DEFAULTS = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))


def bets_to_call(node: Betting) -> int:
    """The context of the player to act: 0, 1, or 2 for two bets or more. Half a bet (the small blind's) counts as one.

    >>> from railbird.game.spec import limit_holdem
    >>> [bets_to_call(Betting.start(limit_holdem(3)).play(history)) for history in ("", "c", "r", "cc", "ccc/")]
    [1, 1, 2, 0, 0]
    """
    chips = node.to_call
    return 0 if chips == 0 else 1 if chips <= node.game.bet_sizes[node.street] else 2


class ActionFrequencies:
    """One player's actions, counted by street and bets to call.

    `half_life` gives recent actions more weight: an action counts half after that many more in the same context. Papp
    names recency as missing; without it all actions count alike.

    >>> player = ActionFrequencies()
    >>> player.frequency(0, 1, RAISE)
    0.2
    >>> for _ in range(10):
    ...     player.count(0, 1, RAISE)
    >>> player.frequency(0, 1, RAISE)  # half observed (1.0), half default (0.2)
    0.6
    """

    def __init__(self, half_life: float | None = None) -> None:
        self._keep = 0.5 ** (1 / half_life) if half_life else 1.0
        self.counts = [[[0.0] * 3 for _ in range(3)] for _ in range(4)]

    def count(self, street: int, bets: int, action: int) -> None:
        """Record an action."""
        counts = self.counts[street][bets]
        if self._keep < 1.0:
            for kind in range(3):
                counts[kind] *= self._keep
        counts[action] += 1.0

    def frequency(self, street: int, bets: int, action: int) -> float:
        """How often the player does `action` there, mixed with earlier streets and defaults while little is known."""
        if street < 0:
            return DEFAULTS[bets][action]
        counts = self.counts[street][bets]
        seen = sum(counts)
        own = counts[action] / seen if seen else 0.0
        if seen >= ENOUGH:
            return own
        return own * seen / ENOUGH + self.frequency(street - 1, bets, action) * (ENOUGH - seen) / ENOUGH

    def threshold(self, street: int, bets: int, action: int) -> float:
        """The share of holdings below which the player would not do `action` (mu of section 7.2.1).

        A player who raises with the best 20% and calls with the next 70% has thresholds 0.8 and 0.1.
        """
        above = self.frequency(street, bets, RAISE)
        if action == CALL:
            above += self.frequency(street, bets, CALL)
        return min(1.0, max(0.0, 1.0 - above))


GENERIC = ActionFrequencies()
"""The player nothing is known of: generic modelling uses it for everybody."""
