"""Hand potential: how likely the cards to come are to change who is ahead (Papp 1998, section 5.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, check_distinct, parse_cards
from railbird.errors import InvalidCardsError
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds import gains
from railbird.kernels.odds import transitions as kernels
from railbird.odds.first_answers import is_first, plain_transitions
from railbird.odds.strength import board_cards
from railbird.odds.weights import WeightArray, kernel_weights

FEW_POTENTIALS = 50
"""So many take NumPy no longer than compiling."""


@dataclass(frozen=True, eq=False)
class HandPotential:
    """How one holding stands now and later against an opponent's holdings.

    `transitions` has a row for now ahead, tied and behind and a column for the same later. An entry is the weight of
    the opponent's holdings, each counted once for every runout; without weights it is a count, a whole number.
    """

    transitions: NDArray[np.int64] | NDArray[np.float64]

    @property
    def ppot(self) -> float:
        """Positive potential: the probability to pull ahead when behind (equation 5.5). 0 if never behind or tied."""
        return _share(self.transitions[::-1, ::-1])

    @property
    def npot(self) -> float:
        """Negative potential: the probability to fall behind when ahead (equation 5.6). 0 if never ahead or tied."""
        return _share(self.transitions)


def hand_potential(
    holding: str, board: str, cards_to_come: int = 1, weights: WeightArray | None = None
) -> HandPotential:
    """What one or two more board cards do to `holding` (Papp 1998, section 5.3, figure 5.2).

    Without `weights`, every live holding of the opponent is equally likely.

    >>> one, two = hand_potential("AdQc", "3h4cJh"), hand_potential("AdQc", "3h4cJh", cards_to_come=2)
    >>> round(one.ppot, 3), round(one.npot, 3), round(two.ppot, 3), round(two.npot, 3)
    (0.108, 0.145, 0.208, 0.274)
    """
    first, second = parse_cards(holding, count=2)
    dealt = board_cards(board)
    check_distinct((first, second), dealt)
    if cards_to_come not in (1, 2) or len(dealt) + cards_to_come > 5:
        raise InvalidCardsError(
            f"{cards_to_come} cards cannot follow the board {board!r}; a flop is followed by 1 or 2, a turn by 1"
        )
    weighed = kernel_weights(weights)
    if is_first(kernels.weigh_transitions, FEW_POTENTIALS, weighed):
        transitions = plain_transitions((first, second), dealt, cards_to_come, weighed)
    else:
        transitions = np.empty((3, 3))
        cards = np.array(dealt, np.uint8)
        kernels.weigh_transitions(TABLE, RANK_KEYS, first, second, cards, cards_to_come, weighed, transitions)
    found = transitions.astype(np.int64) if weights is None else transitions
    found.flags.writeable = False
    return HandPotential(found)


def potentials(board: str, weights: WeightArray | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """PPOT and NPOT of every holding with one card to come on a flop or turn, by holding number.

    Holdings that share a card with the board have nan.

    >>> from railbird.cards import parse_holding
    >>> ppot, npot = potentials("3h4cJh")
    >>> round(float(ppot[parse_holding("AdQc")]), 3), round(float(npot[parse_holding("AdQc")]), 3)
    (0.108, 0.145)
    """
    dealt = board_cards(board)
    if len(dealt) == 5:
        raise InvalidCardsError(f"no card can follow the board {board!r}; potential is for a flop or a turn")
    ppot, npot = np.empty(HOLDING_COUNT), np.empty(HOLDING_COUNT)
    gains.find_potentials(TABLE, RANK_KEYS, np.array(dealt, np.uint8), kernel_weights(weights), ppot, npot)
    return ppot, npot


def _share(transitions: NDArray[np.int64] | NDArray[np.float64]) -> float:
    """Of the weight in the first row and half of the second, the part that ends in a later column."""
    moved = transitions[0, 2] + transitions[0, 1] / 2 + transitions[1, 2] / 2
    weight = transitions[0].sum() + transitions[1].sum() / 2
    return float(moved / weight) if weight > 0 else 0.0
