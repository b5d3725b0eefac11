"""Players of matches: bots by name or file, classes and objects; and the bots themselves, made once in a process."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import takewhile
from pathlib import Path
from typing import Protocol

from railbird.bots.base import Bot
from railbird.bots.places import located, source_of
from railbird.bots.programs import bot_spec
from railbird.bots.registry import BotSpec
from railbird.errors import MatchError, RailbirdError, UnknownBotError
from railbird.play.box import Housing
from railbird.play.boxed_bot import BoxedBot

_SEPARATORS = ":|# "
"""What no name in a log may contain, nor signs that cannot be printed."""

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
    def home(self) -> tuple[str, ...]:
        """The way to the file in which the bot is written, without its suffix; nothing for bots known by name."""

    @property
    def is_trusted(self) -> bool:
        """Whether it is built in, or was in this process already; others are played in boxes."""

    @property
    def is_program(self) -> bool:
        """Whether it is a program and no class of Python."""

    @property
    def travels(self) -> bool:
        """Whether other processes can make the bot too."""

    @property
    def files(self) -> list[Path]:
        """The files that another machine needs to make the bot."""

    def moved(self, places: Mapping[str, str]) -> AnyBot:
        """The bot to ask for on another machine, where those files lie elsewhere: by the way to them here, where."""

    def make(self, housing: Housing | None = None, name: str = "") -> Bot:
        """The bot; in a box if housing is given and somebody else wrote it."""

    def blank(self, bot: Bot) -> Bot:
        """A bot that this player made, as if it had seen no hand."""

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
    def home(self) -> tuple[str, ...]:
        if not self.spec.file:
            return ()
        file = self.spec.file.resolve()
        return file.parts if self.spec.is_program else file.with_suffix("").parts

    @property
    def is_trusted(self) -> bool:
        return self.spec.is_built_in

    @property
    def is_program(self) -> bool:
        return self.spec.is_program

    @property
    def files(self) -> list[Path]:
        return self.spec.files

    def moved(self, places: Mapping[str, str]) -> AnyBot:
        return self.spec.moved(places)

    def make(self, housing: Housing | None = None, name: str = "") -> Bot:
        return BoxedBot(self.spec, housing, name) if housing and not self.is_trusted else self.spec.make()

    def blank(self, bot: Bot) -> Bot:
        return bot

    def fingerprint(self) -> str:
        return self.spec.fingerprint()


@dataclass(frozen=True)
class ClassPlayer:
    """A class of bots, which can be made without parameters."""

    kind: type[Bot]
    is_trusted = True
    is_program = False

    @property
    def text(self) -> str:
        return self.kind.__name__

    label = text

    @property
    def home(self) -> tuple[str, ...]:
        return _home(self.kind)

    @property
    def travels(self) -> bool:
        """Whether the class can be imported; one of a notebook, or inside a function, cannot."""
        module = inspect.getmodule(self.kind)
        is_there = getattr(module, self.kind.__qualname__, None) is self.kind
        return is_there and self.kind.__module__ != "__main__"

    @property
    def files(self) -> list[Path]:
        return []

    def moved(self, _places: Mapping[str, str]) -> AnyBot:
        return self.kind

    def make(self, _: Housing | None = None, _name: str = "") -> Bot:
        try:
            return self.kind()
        except Exception as error:
            raise UnknownBotError(f"{self.text}() could not be made: {located(error, source_of(self.kind))}") from error

    def blank(self, bot: Bot) -> Bot:
        return bot

    def fingerprint(self) -> str:
        return _source_hash(self.kind)


@dataclass(frozen=True, eq=False)
class ObjectPlayer:
    """One bot that somebody else has made. It plays itself, so that what it notes down can be looked at."""

    bot: Bot
    is_trusted = True
    is_program = False
    travels = False

    @property
    def text(self) -> str:
        return type(self.bot).__name__

    label = text

    @property
    def home(self) -> tuple[str, ...]:
        return _home(type(self.bot))

    @property
    def files(self) -> list[Path]:
        return []

    def moved(self, _places: Mapping[str, str]) -> AnyBot:
        return self.bot

    def make(self, _: Housing | None = None, _name: str = "") -> Bot:
        return self.bot

    def blank(self, bot: Bot) -> Bot:
        """The bot, reset: it may have played elsewhere."""
        try:
            self.bot.reset()
        except (Exception, SystemExit) as error:
            where = located(error, source_of(type(self.bot)))
            raise UnknownBotError(f"{self.text} could not be reset: {where}") from error
        return bot

    def fingerprint(self) -> str:
        return _source_hash(type(self.bot))


def _source_hash(kind: type[Bot]) -> str:
    """A hash of the source of a class and of those it extends, as far as it can be read."""
    try:
        sources = [inspect.getsource(c) for c in kind.__mro__ if not c.__module__.startswith(("railbird.", "builtins"))]
    except (OSError, TypeError):
        return ""
    return hashlib.sha256("\n".join(sources).encode()).hexdigest()


def _home(kind: type[Bot]) -> tuple[str, ...]:
    """The way to the file of a class; that of a class of a notebook is nowhere."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return Path(file).resolve().with_suffix("").parts if file else ()


def names_of(players: Sequence[Player]) -> tuple[str, ...]:
    """The players' names in logs and tables: the shortest that tell them apart.

    Labels of bots from several files have before them as much of the way to the file as is needed. Copies of the same
    bot are numbered.
    """
    homes: dict[str, set[tuple[str, ...]]] = {}
    for player in players:
        homes.setdefault(player.label, set()).add(player.home)
    seen: Counter[str] = Counter()
    names = []
    for player in players:
        name = ".".join((*_telling(player.home, homes[player.label]), player.label))
        if not name.isprintable():
            raise MatchError(f"{name!r} cannot be a player's name in a log: it has signs that cannot be printed")
        if set(name) & set(_SEPARATORS):
            raise MatchError(f"{name!r} cannot be a player's name in a log: leave out blanks, ':', '|' and '#'")
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return tuple(names)


def _telling(home: tuple[str, ...], homes: set[tuple[str, ...]]) -> list[str]:
    """The end of the way to a file by which it is told from the others."""
    if len(homes) == 1:
        return []
    parents = zip(*[each[:-1] for each in homes])
    common = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, parents))
    ends = next(
        ends
        for most in range(1, max(map(len, homes)) + 1)
        if len(set((ends := {each: each[common:][-most:] for each in homes}).values())) == len(homes)
    )
    return [
        "".join("_" if sign in _SEPARATORS or not sign.isprintable() else sign for sign in part) for part in ends[home]
    ]


@singledispatch
def player_of(bot: object) -> Player:
    """The player asked for by a name, a file, a class or an object."""
    raise UnknownBotError(f"{bot!r} is neither a bot's name nor a class that extends railbird.Bot, nor a bot")


@player_of.register
def _(bot: str) -> Player:
    return NamedPlayer(bot_spec(bot))


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

    def __init__(self, players: Sequence[Player], names: Sequence[str], housing: Housing | None = None) -> None:
        self.players = players
        self._names = names
        self._housing = housing
        self.bots = {seat: self._made(seat) for seat in range(len(players))}
        """By seat; learners are here until they begin to play."""
        self.learners = frozenset(seat for seat, bot in self.bots.items() if bot.learns)
        self._prepared: set[int] = set()

    def ready(self) -> list[Bot]:
        """The bots for a run of hands, prepared; its learners know nothing yet."""
        for seat in self.learners:
            self.bots[seat] = self.players[seat].blank(self.bots.get(seat) or self._made(seat))
        for seat in self.bots:
            self.prepare(seat)
        bots = [self.bots[seat] for seat in range(len(self.players))]
        for seat in self.learners:
            del self.bots[seat]
        self._prepared -= self.learners
        return bots

    def rest(self) -> None:
        """Nobody plays for now: end the boxes, which begin anew when they are needed."""
        for bot in self.bots.values():
            if isinstance(bot, BoxedBot):
                bot.rest()

    def _made(self, seat: int) -> Bot:
        return self.players[seat].make(self._housing, self._names[seat])

    def prepare(self, seat: int) -> None:
        """Let a bot load and compile what it needs, if it has not yet."""
        if seat in self._prepared:
            return
        bot, text = self.bots[seat], self.players[seat].text
        is_ours = type(bot).__module__.startswith("railbird.")
        try:
            bot.prepare()
        except (Exception, SystemExit) as error:
            says_all = isinstance(error, UnknownBotError) or (is_ours and isinstance(error, RailbirdError))
            words = str(error) if says_all else located(error, source_of(type(bot)))
            raise UnknownBotError(f"{text!r} could not be prepared: {words}") from error
        self._prepared.add(seat)
