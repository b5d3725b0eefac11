"""Bots whose reasons are kept whenever they decide, for somebody who looks inside.

Such a bot decides through `explain`, which by its contract answers as `act` would, so the hands are the same whether
anybody looks or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.bots.registry import BotSpec
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.box import Housing
from railbird.play.boxed_bot import BoxedBot
from railbird.play.players import NamedPlayer, Player, player_of

Listener = Callable[[PlayerView, Decision], None]
"""Told each decision with what the bot saw, before anybody else is."""


@dataclass(frozen=True)
class OpenMind(BotSpec):
    """A bot by name or in a file, whose reasons somebody listens to. One that gives none plays as ever."""

    listener: Listener


class OpenPlayer(NamedPlayer):
    """The player of such a bot; in manifests it is the bot."""

    spec: OpenMind

    def make(self, housing: Housing | None = None, name: str = "") -> Bot:
        bot = super().make(housing, name)
        if isinstance(bot, BoxedBot) or type(bot).explain is Bot.explain:
            return bot

        own = bot.act

        def act(view: PlayerView) -> Action:
            vars(bot)["act"] = own  # by which some bots explain
            try:
                decision = bot.explain(view)
            finally:
                vars(bot)["act"] = act
            self.spec.listener(view, decision)
            return decision.action

        vars(bot)["act"] = act
        return bot


@player_of.register
def _(bot: OpenMind) -> Player:
    return OpenPlayer(bot)
