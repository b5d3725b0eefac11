"""A bot that stays as it is: a learner who learns no more, and a switcher who keeps to one style."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.errors import UnknownBotError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.solve.policy import Policy


def copied(bot: Bot, name: str = "") -> Bot:
    """A copy of a bot, with a memory of its own; refuses one that cannot be copied."""
    try:
        return deepcopy(bot)
    except Exception as error:
        raise UnknownBotError(
            f"{name or type(bot).__name__} cannot be copied, as it has to be here: {error}"
        ) from error


class Frozen(Bot):
    """Plays every hand as a bot would play one certain hand now, and forgets it when it is over.

    bot: as it is before that hand. hand: the number of the hand.
    """

    def __init__(self, bot: Bot, hand: int = 0) -> None:
        self.kept, self._hand = bot, hand
        self._playing = bot
        self._asked: Bot | None = None
        self.tells_quickly = bot.tells_quickly

    def seed_hand(self, *key: int) -> None:
        if self.kept.learns:
            self._playing = copied(self.kept)
        self._playing.seed_hand(*key)

    def can_play(self, game: Game) -> bool:
        return self.kept.can_play(game)

    def prepare(self) -> None:
        self.kept.prepare()

    def act(self, view: PlayerView) -> Action:
        return self._playing.act(self._in_hand(view))

    def on_hand(self, view: PlayerView) -> None:
        self._playing.on_hand(self._in_hand(view))

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        self._playing.on_action(self._in_hand(view), position, action)

    def on_board(self, view: PlayerView) -> None:
        self._playing.on_board(self._in_hand(view))

    def table_policy(self, game: Game) -> Policy | None:
        return self.kept.table_policy(game)

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64] | None:
        seen = self._in_hand(view)
        if self._asked is None:
            start = seen._replace(betting=Betting.start(view.game), board_cards=())
            self._asked = begun(self.kept, start) if self.kept.learns else self.kept
        return self._asked.probabilities(seen, every)

    def _in_hand(self, view: PlayerView) -> PlayerView:
        return view._replace(hand_number=self._hand)


def begun(bot: Bot, start: PlayerView) -> Bot:
    """A bot to whom a hand has begun, as who is asked for its probabilities knows it; of a learner a copy."""
    made = copied(bot) if bot.learns else bot
    made.on_hand(start)
    return made
