"""A learner who learns no more: as it is now, hand after hand."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.game.actions import Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView


class Frozen(Bot):
    """Plays as a bot that has learned something does now, and forgets each hand when it is over."""

    def __init__(self, bot: Bot) -> None:
        self._kept = bot
        self._playing = deepcopy(bot)

    def seed_hand(self, *key: int) -> None:
        self._playing = deepcopy(self._kept)
        self._playing.seed_hand(*key)

    def can_play(self, game: Game) -> bool:
        return self._kept.can_play(game)

    def prepare(self) -> None:
        self._kept.prepare()

    def act(self, view: PlayerView) -> Action:
        return self._playing.act(view)

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64] | None:
        return self._kept.probabilities(view, every)

    def on_hand(self, view: PlayerView) -> None:
        self._playing.on_hand(view)

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        self._playing.on_action(view, position, action)

    def on_board(self, view: PlayerView) -> None:
        self._playing.on_board(view)
