"""Bots whose reasons are kept whenever they decide, for somebody who looks inside.

Such a bot decides through `explain`, which by its contract answers as `act` would, so the hands are the same whether
anybody looks or not. One in a box decides as ever, and a copy of it there is asked why.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.bots.registry import BotSpec
from railbird.errors import UnknownBotError
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.asking import Wrong
from railbird.play.box import Housing
from railbird.play.boxed_bot import BoxedBot, seen_plainly
from railbird.play.players import NamedPlayer, Player, player_of
from railbird.play.told_reasons import decision_of

_REASONS = "railbird.play.told_reasons:reasons_of"

Listener = Callable[[PlayerView, Decision], None]
"""Told each decision with what the bot saw, before anybody else is."""


@dataclass(frozen=True)
class OpenMind(BotSpec):
    """A bot by name or in a file, whose reasons somebody listens to. One that gives none plays as ever."""

    listener: Listener


class OpenBoxedBot(BoxedBot):
    """A bot in a box, whose reasons are asked for when it has decided; a program gives none."""

    def __init__(self, spec: BotSpec, housing: Housing, name: str, listener: Listener) -> None:
        super().__init__(spec, housing, name)
        self._listener = listener
        self._explains = not spec.is_program

    def decided(self, view: PlayerView) -> Action | Wrong:
        found = super().decided(view)
        if self._explains and isinstance(found, Action):
            with suppress(UnknownBotError, ValueError, RecursionError):  # it says nothing that is understood
                told = self.do(_REASONS, pickle.dumps(view.game), self._key, seen_plainly(view))
                self._explains = bool(told)
                if isinstance(told, str) and told:
                    self._listener(view, decision_of(told, found))
        return found


class OpenPlayer(NamedPlayer):
    """The player of such a bot; in manifests it is the bot."""

    spec: OpenMind

    def make(self, housing: Housing | None = None, name: str = "") -> Bot:
        if housing and not self.is_trusted:
            return OpenBoxedBot(self.spec, housing, name, self.spec.listener)
        bot = super().make(housing, name)
        if type(bot).explain is Bot.explain:
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
