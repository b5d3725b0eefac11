"""The bots of a check, made one after another: in this process, or in a box if somebody else wrote them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol

from railbird.bots.base import Bot
from railbird.check.trial import trial_games
from railbird.errors import UnknownBotError
from railbird.game.spec import Game
from railbird.play.box import Housing
from railbird.play.boxed_bot import BoxedBot
from railbird.play.players import NamedPlayer, Player

_SURROUNDINGS = "railbird.check.surroundings"
_LOOK_EVERY = 10
MOST_LOSSES = 3
MOST_LEFT = 20
"""With more processes than these left running by its bots, a box is ended and another one begun."""


class Maker(Protocol):
    """Makes the bots; the one made last is the one that plays."""

    @property
    def bot(self) -> Bot:
        """The one made last."""

    def make(self) -> Bot:
        """A new bot, prepared; the one before is not called again."""

    def ask(self, function: str, *arguments: object) -> Any:
        """What a function of `railbird.check.surroundings` answers in the process of the bot."""

    def keeps_rules(self, game: Game) -> bool:
        """Whether the bot, which has played this game, has left its rules as they were."""

    def elsewhere(self) -> Maker | None:
        """A maker in another process, in which sets have another order, if the bot can be made there."""

    @property
    def left(self) -> int:
        """How many processes bots have left running."""

    @property
    def notes(self) -> list[str]:
        """What bots tried to reach and may not."""

    @property
    def printed(self) -> tuple[int, str]:
        """How many bytes bots have printed, and the beginning of it."""


class OwnMaker:
    """Makes bots in this process: built-in ones, and those given as classes."""

    def __init__(self, player: Player, housing: Housing) -> None:
        self._player, self._housing = player, housing
        self.bot = player.make()
        self._is_prepared = False
        self.notes: list[str] = []
        self.printed = 0, ""
        self.left = 0

    def make(self) -> Bot:
        if self._is_prepared:
            self.bot = self._player.make()
        self.bot.prepare()
        self._is_prepared = True
        return self.bot

    def ask(self, function: str, *arguments: object) -> Any:
        return getattr(import_module(_SURROUNDINGS), function)(self.bot, *arguments)

    def keeps_rules(self, game: Game) -> bool:
        return game in trial_games()

    def elsewhere(self) -> Maker | None:
        if not isinstance(self._player, NamedPlayer):
            return None
        return BoxedMaker(BoxedBot(self._player.spec, replace(self._housing, hash_seed=_other_hash_seed())))


class BoxedMaker:
    """Makes bots in a box, all in the same one: what outlives a bot there does so in a match too."""

    def __init__(self, bot: BoxedBot) -> None:
        self.bot = bot
        self._is_prepared = False
        self._made = 0
        self._notes: list[str] = []
        self._left = 0

    def make(self) -> Bot:
        self._made += 1
        if self.bot.losses > MOST_LOSSES:
            raise UnknownBotError(f"{self.bot.spec.text!r} ended its process {self.bot.losses} times")
        if self._made % _LOOK_EVERY == 0:
            company = self.bot.company
            self._left = max(self._left, company)
            if company > MOST_LEFT:
                self._notes += self.bot.notes
                self.bot.rest()  # and they are ended
        if self._is_prepared:
            self.bot.renew()
        else:
            self.bot.prepare()
            self._is_prepared = True
        return self.bot

    def ask(self, function: str, *arguments: object) -> Any:
        return self.bot.do(f"{_SURROUNDINGS}:{function}", *arguments)

    def keeps_rules(self, game: Game) -> bool:
        return self.bot.keeps_rules(game)

    def elsewhere(self) -> Maker | None:
        return BoxedMaker(BoxedBot(self.bot.spec, replace(self.bot.housing, hash_seed=_other_hash_seed())))

    @property
    def left(self) -> int:
        return max(self._left, self.bot.company)

    @property
    def notes(self) -> list[str]:
        return [*self._notes, *self.bot.notes]

    @property
    def printed(self) -> tuple[int, str]:
        return self.bot.printed


def maker_of(player: Player, housing: Housing) -> Maker:
    """How the bots of a player are made for a check."""
    bot = None if player.is_trusted else player.make(housing)
    return BoxedMaker(bot) if isinstance(bot, BoxedBot) else OwnMaker(player, housing)


def _other_hash_seed() -> str:
    return "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"


@contextmanager
def surroundings(maker: Maker, random_seed: int, numpy_seed: int, start: float, step: float) -> Iterator[None]:
    """Other global random numbers and another clock, for a while; see `railbird.check.surroundings`."""
    maker.ask("alter", random_seed, numpy_seed, start, step)
    try:
        yield
    finally:
        maker.ask("restore")
