"""How often a player folds, calls and raises, by street and by bets to call (Papp 1998, section 7.1.2).

Until a context has been seen twenty times its frequencies are mixed with those of the street before, and before the
flop with the defaults of Table B.2 (equation 7.4, whose second line should read f, not f'', on the right).

Papp names recency and finer contexts as missing; both can be asked for. Finer contexts are backed off: each detail of
the situation that is added speaks for itself as far as it was seen, and twenty times for the context without it.
"""

from __future__ import annotations

from railbird.modeling.contexts import Details

FOLD, CALL, RAISE = 0, 1, 2
KINDS = {"f": FOLD, "c": CALL, "r": RAISE}
ENOUGH = 20
"""After so many observations of a context its own frequencies are used alone."""

Frequencies = tuple[float, float, float]
"""Of folding, checking or calling, and betting or raising."""

# Papp 1998, Table B.2: fold, check or call, bet or raise, with 0, 1, and 2 or more bets to call.
DEFAULTS: tuple[Frequencies, ...] = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))


class ActionFrequencies:
    """One player's actions, counted by street and bets to call, and by the details of the situation where given.

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
        self._fine: dict[tuple[int, ...], list[float]] = {}

    def count(self, street: int, bets: int, action: int, details: Details = ()) -> None:
        """Record an action."""
        self._add(self.counts[street][bets], action)
        for depth in range(1, len(details) + 1):
            self._add(self._fine.setdefault((street, bets, *details[:depth]), [0.0] * 3), action)

    def _add(self, counts: list[float], action: int) -> None:
        if self._keep < 1.0:
            for kind in range(3):
                counts[kind] *= self._keep
        counts[action] += 1.0

    def frequencies(self, street: int, bets: int, details: Details = ()) -> Frequencies:
        """How often the player folds, calls and raises there, mixed with wider contexts while little is known."""
        found = DEFAULTS[bets]
        for earlier in range(street + 1):
            counts = self.counts[earlier][bets]
            seen = sum(counts)
            found = _mixed(counts, found, max(0.0, ENOUGH - seen), max(ENOUGH, seen))
        for depth in range(1, len(details) + 1):
            fine = self._fine.get((street, bets, *details[:depth]))
            if fine is None:
                break
            found = _mixed(fine, found, ENOUGH, ENOUGH + sum(fine))
        return found

    def frequency(self, street: int, bets: int, action: int, details: Details = ()) -> float:
        """How often the player does `action` there."""
        return self.frequencies(street, bets, details)[action]

    def threshold(self, street: int, bets: int, action: int, details: Details = ()) -> float:
        """The share of holdings below which the player would not do `action` (mu of section 7.2.1).

        A player who raises with the best 20% and calls with the next 70% has thresholds 0.8 and 0.1.
        """
        _, calls, raises = self.frequencies(street, bets, details)
        above = raises + calls if action == CALL else raises
        return min(1.0, max(0.0, 1.0 - above))


def _mixed(counts: list[float], wider: Frequencies, share: float, total: float) -> Frequencies:
    """The counts and `share` observations' worth of the wider context, of `total` in all."""
    fold, call, raises = counts
    return ((fold + share * wider[0]) / total, (call + share * wider[1]) / total, (raises + share * wider[2]) / total)


GENERIC = ActionFrequencies()
"""The player nothing is known of: generic modelling uses it for everybody."""
