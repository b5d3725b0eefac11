"""An agent that was trained in these environments as a player of matches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from railbird.bots.base import Bot
from railbird.envs.menus import Mask, Menu
from railbird.envs.observations import Row, observation
from railbird.errors import IllegalActionError
from railbird.game.actions import Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView


class AgentBot(Bot):
    """Plays what `chances(row, mask)` says of an observation: the chances of all actions, of which it draws one.

    What is not legal gets no share. An agent that picks one action can answer with a row of zeros and a one.

    >>> from railbird.play.matches import play_match
    >>> caller = AgentBot(lambda row, mask: [0, 1, 0])
    >>> play_match(caller, "always-fold", hands=100, seed=7).players[0].money.mean > 0
    True
    """

    def __init__(self, chances: Callable[[Row, Mask], ArrayLike]) -> None:
        self._chances = chances
        self._menus: dict[Game, Menu] = {}

    def act(self, view: PlayerView) -> Action:
        menu = self._menus.get(view.game) or self._menus.setdefault(view.game, Menu(view.game))
        mask = menu.mask(view)
        weights = np.asarray(self._chances(observation(view), mask), np.float64)
        if weights.shape != mask.shape or not np.isfinite(weights).all() or weights.min() < 0:
            raise IllegalActionError(f"{weights!r:.80} are not chances of {', '.join(menu.names)}")
        bounds = np.cumsum(weights * mask)
        if bounds[-1] <= 0:
            return view.check_or_fold()
        number = int(np.searchsorted(bounds, self.rng.random() * bounds[-1], side="right"))
        return menu.action(view, number) or view.check_or_fold()
