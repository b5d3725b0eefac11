"""Single decisions in which a player left the baseline, and what each was worth.

A street's DIVAT difference belongs to the player who first left the baseline on it, as in `railbird.assess.leaks`.
What was done later on that street is in that number too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from railbird.assess.summary import PairSummary
from railbird.cards import cards_text
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import CALL, FOLD, RAISE
from railbird.game.spec import STREETS


@dataclass(frozen=True)
class Departure:
    """A decision that the baseline would have made otherwise."""

    hand: int
    street: int
    holding: tuple[int, ...]
    board: tuple[int, ...]
    facing_bet: bool
    baseline: int
    done: int
    """What the baseline does and what the player did: 0 fold, 1 check or call, 2 bet or raise."""
    gain: float
    """What the street was worth to the player beside the baseline's, in small bets."""

    @property
    def words(self) -> str:
        """What was done and where.

        >>> print(Departure(7, 1, (49, 40), (6, 8, 38), False, RAISE, CALL, -0.5).words)
        checked A♦ Q♣ on the flop 3♥ 4♣ J♥ where the baseline bets
        """
        done = {FOLD: "folded", CALL: "called with" if self.facing_bet else "checked", RAISE: f"{self._raise} with"}
        does = {FOLD: "folds", CALL: "calls" if self.facing_bet else "checks", RAISE: f"{self._raise.rstrip('d')}s"}
        board = f"on the {STREETS[self.street]} {cards_text(self.board, pretty=True)}" if self.board else "preflop"
        return (
            f"{done[self.done]} {cards_text(self.holding, pretty=True)} {board} where the baseline "
            f"{does[self.baseline]}"
        )

    @property
    def _raise(self) -> str:
        """Before the flop the big blind is a bet, and whoever puts in more raises."""
        return "raised" if self.facing_bet or self.street == 0 else "bet"

    def to_json(self) -> dict[str, Any]:
        return {
            "hand": self.hand,
            "street": STREETS[self.street],
            "holding": cards_text(self.holding),
            "board": cards_text(self.board),
            "words": self.words,
            "gain": self.gain,
        }


def departures(pair: PairSummary, player: str) -> list[Departure]:
    """The decisions in which a player of the pair left the baseline first, the worst first.

    Of an ensemble of settings the first counts.
    """
    if player not in (pair.first, pair.second):
        raise AssessmentError(f"no player {player!r} among {pair.first}, {pair.second}")
    found, hands = pair.assessments[0], pair.hands
    position = np.where((pair.sign > 0) == (player == pair.first), 0, 1)
    gains = found.difference * np.where(position == 0, 1.0, -1.0)[:, None]
    rows = []
    for n, street in np.argwhere(found.deviator == position[:, None]).tolist():
        facing, actions = divmod(int(found.deviation[n, street]), 9)
        record = hands.record(n)
        rows.append(
            Departure(
                record.number,
                street,
                record.holes[int(position[n])],
                record.board_on(street),
                bool(facing),
                *divmod(actions, 3),
                float(gains[n, street]),
            )
        )
    return sorted(rows, key=lambda row: row.gain)
