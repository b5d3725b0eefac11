"""DIVAT's baseline: what two players do who bet their hands for value and nothing else (Kan 2007, Table 3.1).

A player of class M1 to M4 raises while fewer bets than that are in, and then calls; C calls, F folds to a bet. Before
the flop the big blind is the first bet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import AssessmentError
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.kernels.divat.outcomes import FIRST_FOLDS, SECOND_FOLDS

CLASSES = ("F", "C", "M1", "M2", "M3", "M4")
DEFINED_FOR = (
    "heads-up fixed-limit hold'em with blinds of half a small bet and a small bet, big bets twice the small ones, four "
    "bets a street or more, and no limit on stacks"
)


def baseline_action(node: Betting, class_name: str) -> Action:
    """What a player of a class does at a node of the betting.

    >>> from railbird.game.spec import limit_holdem
    >>> node = Betting.start(limit_holdem())
    >>> [str(baseline_action(node, name)) for name in CLASSES]
    ['f', 'c', 'c', 'r', 'r', 'r']
    """
    bets = node.raises + (1 if node.street == 0 else 0)
    if class_name == "F":
        return FOLD if node.to_call else CALL
    worth = 0 if class_name == "C" else int(class_name[1])
    return RAISE if bets < worth and node.can_raise else CALL


def bets_before(node: Betting) -> int:
    """Small bets from each player before the street; before the flop the big blind counts."""
    return max(1, (node.committed[0] - node.street_bets[0]) // node.game.small_bet)


def baseline_end(node: Betting, classes: tuple[str, str]) -> Betting:
    """The node at which a street ends that the baseline plays from `node` on, for the classes of positions 0 and 1."""
    street = node.street
    while not node.is_over and node.street == street:
        node = node.after(baseline_action(node, classes[node.to_act]))
    return node


@dataclass(frozen=True)
class Outcomes:
    """How baseline streets end in a game, as arrays for the kernels, at 6 * class + class, position 0 first."""

    preflop: NDArray[np.int8]
    """The small bets in from each player, or `FIRST_FOLDS`, `SECOND_FOLDS`."""
    preflop_lost: NDArray[np.int8]
    """Half small bets that the folder has put in."""
    later: NDArray[np.int8]
    """The bets put in on a later street by each player, or `FIRST_FOLDS`, `SECOND_FOLDS`."""


@cache
def baseline_outcomes(game: Game) -> Outcomes:
    """How the baseline plays the streets of heads-up limit hold'em."""
    check_game(game)
    arrays = Outcomes(*[np.zeros(36, np.int8) for _ in range(3)])
    start = flop = Betting.start(game)
    while flop.street == 0:
        flop = flop.after(CALL)
    for i, first in enumerate(CLASSES):
        for j, second in enumerate(CLASSES):
            at = 6 * i + j
            end = baseline_end(start, (first, second))
            arrays.preflop[at] = end.committed[0] // game.small_bet
            if end.is_over:
                arrays.preflop[at] = SECOND_FOLDS if end.live == (0,) else FIRST_FOLDS
                arrays.preflop_lost[at] = 2 * end.committed[1 if end.live == (0,) else 0] // game.small_bet
            end = baseline_end(flop, (first, second))
            arrays.later[at] = (end.committed[0] - flop.committed[0]) // game.small_bet
            if end.is_over:
                arrays.later[at] = SECOND_FOLDS if end.live == (0,) else FIRST_FOLDS
    for array in (arrays.preflop, arrays.preflop_lost, arrays.later):
        array.setflags(write=False)
    return arrays


def is_defined_for(game: Game) -> bool:
    """Whether the baseline plays a game."""
    bet = game.small_bet
    return (
        game.is_holdem
        and game.seats == 2
        and game.structure.value == "fixed-limit"
        and game.bet_sizes == (bet, bet, 2 * bet, 2 * bet)
        and sorted(2 * blind for blind in game.blinds) == [bet, 2 * bet]
        and game.stacks is None
        and game.ante == 0
        and game.first_to_act[1:] == (0, 0, 0)
        and all(most is None or most >= 3 + (street > 0) for street, most in enumerate(game.max_raises))
    )


def check_game(game: Game) -> None:
    """Refuse a game for which DIVAT is not defined here."""
    if not is_defined_for(game):
        raise AssessmentError(f"{game.name} cannot be assessed: DIVAT is for {DEFINED_FOR}")
