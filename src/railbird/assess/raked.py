"""How much rake was taken from the hands of two players, and who paid it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.words import count_of, signed

if TYPE_CHECKING:
    from railbird.assess.summary import PairSummary


class Rake(NamedTuple):
    """Sums over the hands of two players; amounts are small bets but for the chips."""

    hands: int = 0
    """All hands."""
    raked: int = 0
    """Those from which something was taken."""
    chips: float = 0.0
    paid: tuple[float, float] = (0.0, 0.0)
    """What the first and the second player paid."""
    won: tuple[float, float] = (0.0, 0.0)
    """What was left for the first and the second player."""

    @classmethod
    def of(cls, pair: PairSummary) -> Rake:
        """The rake of all hands of a pair of players."""
        hands, here = pair.hands, np.arange(len(pair))
        first = np.where(pair.sign > 0, 0, 1)

        def both(chips: NDArray[np.float64]) -> tuple[float, float]:
            bets = chips / hands.small_bet[:, None]
            return float(bets[here, first].sum()), float(bets[here, 1 - first].sum())

        paid, won = both(hands.fair_payoffs - hands.payoffs), both(np.asarray(hands.payoffs, np.float64))
        return cls(len(pair), int((hands.rake > 0).sum()), float(hands.rake.sum()), paid, won)

    def plus(self, other: Rake) -> Rake:
        """This and that of more hands of the same two."""
        both = [(a[0] + b[0], a[1] + b[1]) for a, b in ((self.paid, other.paid), (self.won, other.won))]
        return Rake(self.hands + other.hands, self.raked + other.raked, self.chips + other.chips, both[0], both[1])

    def words(self, first: str, second: str) -> list[str]:
        """How much it was, and what is told before it and after it."""
        chips, hands = f"{round(self.chips, 2):,}".removesuffix(".0"), max(1, self.hands)
        left = " and ".join(f"{name} {signed(won / hands)}" for name, won in zip((first, second), self.won))
        return [
            f"Rake: {chips} chips, from {self.raked:,} of {count_of(self.hands, 'hand')}; "
            f"{sum(self.paid) / hands:.3f} sb/hand, of which {first} paid {self.paid[0] / hands:.3f}.",
            f"Money is what was left: {left} sb/hand. DIVAT, luck and position are without rake.",
        ]

    def to_json(self) -> dict[str, Any] | None:
        """Small bets a hand; nothing where no rake was taken."""
        if not self.raked:
            return None
        hands = max(1, self.hands)
        return {
            "hands": self.raked,
            "chips": round(self.chips, 6),
            "per_hand": sum(self.paid) / hands,
            "paid": [each / hands for each in self.paid],
            "left": [each / hands for each in self.won],
        }
