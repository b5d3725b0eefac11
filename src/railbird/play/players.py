"""Players of matches: bots by name or file, classes and objects; and the bots themselves, made once in a process."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Protocol

from railbird.bots.base import Bot
from railbird.bots.registry import BotSpec
from railbird.errors import UnknownBotError

AnyBot = str | BotSpec | type[Bot] | Bot
"""A player as it may be asked for: a name or file as on the command line, a class, or an object."""


class Player(Protocol):
    """Somebody who plays in a match: from it come the bots that do so."""

    @property
    def text(self) -> str:
        """How the player stands in a manifest."""

    @property
    def label(self) -> str:
        """A short name for logs and tables."""

    @property
    def is_trusted(self) -> bool:
        """Whether it may be played in this process; others have processes that can be ended."""

    @property
    def travels(self) -> bool:
        """Whether other processes can make the bot too."""

    def make(self) -> Bot:
        """The bot."""

    def blank(self, bot: Bot | None) -> Bot:
        """A bot that has seen no hand: `bot`, which this player made, if there is one."""

    def fingerprint(self) -> str:
        """What the player was: changes when its code does; empty if that cannot be known."""


@dataclass(frozen=True)
class NamedPlayer:
    """A bot by name or in a file."""

    spec: BotSpec
    travels = True

    @property
    def text(self) -> str:
        return self.spec.text

    @property
    def label(self) -> str:
        return self.spec.label

    @property
    def is_trusted(self) -> bool:
        return self.spec.is_built_in

    def make(self) -> Bot:
        return self.spec.make()

    def blank(self, bot: Bot | None) -> Bot:
        return bot or self.make()

    def fingerprint(self) -> str:
        return self.spec.fingerprint()


@dataclass(frozen=True)
class ClassPlayer:
    """A class of bots, which can be made without parameters."""

    kind: type[Bot]
    is_trusted = True

    @property
    def text(self) -> str:
        return self.kind.__name__

    label = text

    @property
    def travels(self) -> bool:
        """Whether the class can be imported; one of a notebook, or inside a function, cannot."""
        module = inspect.getmodule(self.kind)
        is_there = getattr(module, self.kind.__qualname__, None) is self.kind
        return is_there and self.kind.__module__ != "__main__"

    def make(self) -> Bot:
        try:
            return self.kind()
        except Exception as error:
            raise UnknownBotError(f"{self.text}() could not be made: {type(error).__name__}: {error}") from error

    def blank(self, bot: Bot | None) -> Bot:
        return bot or self.make()

    def fingerprint(self) -> str:
        return _source_hash(self.kind)


@dataclass(frozen=True, eq=False)
class ObjectPlayer:
    """One bot that somebody else has made. It plays itself, so that what it notes down can be looked at."""

    bot: Bot
    is_trusted = True
    travels = False

    @property
    def text(self) -> str:
        return type(self.bot).__name__

    label = text

    def make(self) -> Bot:
        return self.bot

    def blank(self, _: Bot | None) -> Bot:
        """The bot, reset: it may have played elsewhere."""
        try:
            self.bot.reset()
        except (Exception, SystemExit) as error:
            raise UnknownBotError(f"{self.text} could not be reset: {type(error).__name__}: {error}") from error
        return self.bot

    def fingerprint(self) -> str:
        return _source_hash(type(self.bot))


def _source_hash(kind: type[Bot]) -> str:
    """A hash of the source of a class and of those it extends, as far as it can be read."""
    try:
        sources = [inspect.getsource(c) for c in kind.__mro__ if not c.__module__.startswith(("railbird.", "builtins"))]
    except (OSError, TypeError):
        return ""
    return hashlib.sha256("\n".join(sources).encode()).hexdigest()


@singledispatch
def player_of(bot: object) -> Player:
    """The player asked for by a name, a file, a class or an object."""
    raise UnknownBotError(f"{bot!r} is neither a bot's name nor a class that extends railbird.Bot, nor a bot")


@player_of.register
def _(bot: str) -> Player:
    return NamedPlayer(BotSpec(bot))


@player_of.register
def _(bot: BotSpec) -> Player:
    return NamedPlayer(bot)


@player_of.register
def _(bot: type) -> Player:
    if not issubclass(bot, Bot):
        raise UnknownBotError(f"{bot!r} is neither a bot's name nor a class that extends railbird.Bot")
    return ClassPlayer(bot)


@player_of.register
def _(bot: Bot) -> Player:
    return ObjectPlayer(bot)


class Roster:
    """The bots of a match in this process: made once, but learners anew for each run of consecutive hands.

    A bot that learns is another player after every hand, so hands that do not follow on those it has seen need a new
    one. One that does not learn is reset before each block, and is then as good as new.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.bots = {seat: player.make() for seat, player in enumerate(players)}
        """By seat; learners are here until they begin to play."""
        self.learners = frozenset(seat for seat, bot in self.bots.items() if bot.learns)
        self._prepared: set[int] = set()

    def ready(self) -> list[Bot]:
        """The bots for a run of hands, prepared; its learners know nothing yet."""
        for seat in self.learners:
            self.bots[seat] = self.players[seat].blank(self.bots.get(seat))
        for seat in self.bots:
            self.prepare(seat)
        bots = [self.bots[seat] for seat in range(len(self.players))]
        for seat in self.learners:
            del self.bots[seat]
        self._prepared -= self.learners
        return bots

    def prepare(self, seat: int) -> None:
        """Let a bot load and compile what it needs, if it has not yet."""
        if seat in self._prepared:
            return
        try:
            self.bots[seat].prepare()
        except (Exception, SystemExit) as error:
            text = self.players[seat].text
            raise UnknownBotError(f"{text!r} could not be prepared: {type(error).__name__}: {error}") from error
        self._prepared.add(seat)
