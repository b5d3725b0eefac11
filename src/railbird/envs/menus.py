"""What an agent chooses among: the actions of a game as numbers, and which of them are legal.

fixed limit     0 fold   1 check or call   2 bet or raise
any other       0 fold   1 check or call   2 the smallest raise   3 half the pot   4 the pot   5 the largest raise
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import IllegalActionError
from railbird.game.actions import CALL, FOLD, Action, raise_to
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.play.choices import SIZES, sizes

FOLDS, CALLS, RAISES = 0, 1, 2
"""The numbers that all games share; from `RAISES` on an action raises."""
Mask = NDArray[np.int8]
Whole = int | np.integer[Any]


class Menu:
    """The actions of a game by number.

    >>> from railbird.game.spec import limit_holdem, no_limit_holdem
    >>> Menu(limit_holdem()).names
    ('fold', 'call', 'raise')
    >>> Menu(no_limit_holdem()).names
    ('fold', 'call', 'raise min', 'raise half', 'raise pot', 'raise max')
    """

    def __init__(self, game: Game) -> None:
        self._is_fixed = game.structure is Structure.FIXED_LIMIT
        raises = ("raise",) if self._is_fixed else tuple([f"raise {size}" for size in SIZES])
        self.names = ("fold", "call", *raises)

    def __len__(self) -> int:
        return len(self.names)

    def mask(self, view: PlayerView) -> Mask:
        """By action, 1 if it is legal; all 0 where it is somebody else's turn."""
        found = np.zeros(len(self.names), np.int8)
        if view.betting.to_act == view.position:
            found[FOLDS], found[CALLS] = view.can_fold, 1
            if view.can_raise and self._is_fixed:
                found[RAISES] = 1
            elif view.can_raise:
                allowed = sizes(view)
                found[RAISES:] = [size in allowed for size in SIZES]
        return found

    def action(self, view: PlayerView, chosen: Whole) -> Action | None:
        """The action of a number in a decision; None if it is not legal there. What is no number of one is refused."""
        try:
            number = index(chosen)
        except TypeError:
            number = -1
        if not 0 <= number < len(self.names):
            listed = ", ".join(f"{at} {name}" for at, name in enumerate(self.names))
            raise IllegalActionError(f"{quoted(chosen)} is no action ({listed})")
        if number == FOLDS:
            return FOLD if view.can_fold else None
        if number == CALLS:
            return CALL
        if not view.can_raise:
            return None
        if self._is_fixed:
            return view.smallest_raise()
        chips = sizes(view).get(SIZES[number - RAISES])
        if chips is None:
            return None
        node, position = view.betting, view.position
        return raise_to(chips + node.committed[position] - node.street_bets[position])
