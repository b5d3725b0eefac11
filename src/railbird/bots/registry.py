"""Finding bots by name: built in, from installed packages, or from a file.

    loki                       built in, or from a package's entry point in the group "railbird.bots"
    loki:tightness=tight       with parameters
    ./mybot.py:MyBot           the class MyBot of a file
    ./mybot.py:MyBot:depth=3   the same with parameters
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import math
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.errors import UnknownBotError, did_you_mean

if TYPE_CHECKING:
    from railbird.bots.base import Bot

ENTRY_POINTS = "railbird.bots"


@dataclass(frozen=True)
class BotEntry:
    """A bot in the list: its name, where its class is, and a line about it. Nothing is imported to make it."""

    name: str
    target: str
    """The class as "module:Class"."""
    summary: str


_BUILT_IN = (
    BotEntry("always-fold", "railbird.bots.simple:AlwaysFold", "folds whenever there is anything to call"),
    BotEntry("always-call", "railbird.bots.simple:AlwaysCall", "checks and calls to the end"),
    BotEntry("always-raise", "railbird.bots.simple:AlwaysRaise", "bets and raises until the cap"),
    BotEntry("random", "railbird.bots.simple:RandomBot", "picks a legal action by chance (fold=, call=, raise=)"),
)


@dataclass(frozen=True)
class BotSpec:
    """A bot as it was asked for: text that leads to the same bot again, on any worker."""

    text: str

    @property
    def label(self) -> str:
        """A short name without the characters that logs use as separators."""
        name, parameters = self._parts()
        if _is_file(name):
            name = name.rsplit(":", 1)[1]
        return f"{name}({','.join(f'{k}={v}' for k, v in parameters.items())})" if parameters else name

    @property
    def file(self) -> Path | None:
        """The file the bot is loaded from, if it is one."""
        name = self._parts()[0]
        return Path(name.rsplit(":", 1)[0]) if _is_file(name) else None

    def fingerprint(self) -> str:
        """A hash of the file the bot is loaded from; empty for bots found by name."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest() if self.file else ""

    def load(self) -> type[Bot]:
        """The bot's class."""
        name = self._parts()[0]
        return _class_in_file(name) if _is_file(name) else _class_named(name)

    def make(self) -> Bot:
        """A new bot."""
        kind = self.load()
        arguments = _arguments(kind, self._parts()[1], self.text)
        try:
            return kind(**arguments)
        except UnknownBotError:
            raise
        except Exception as error:
            raise UnknownBotError(f"{self.text!r} could not be made: {type(error).__name__}: {error}") from error

    def _parts(self) -> tuple[str, dict[str, str]]:
        """The name and the parameters."""
        pieces = self.text.split(":")
        last = 2 if len(pieces) > 1 and pieces[0].endswith(".py") else 1
        name = ":".join(pieces[:last])
        parameters: dict[str, str] = {}
        for item in filter(None, ",".join(pieces[last:]).split(",")):
            key, equals, value = item.partition("=")
            if not equals or not key.strip():
                raise UnknownBotError(f"{item!r} in {self.text!r} is not a parameter; write name:key=value,key=value")
            parameters[key.strip()] = value.strip()
        return name, parameters


def bot_entries() -> dict[str, BotEntry]:
    """All bots that can be asked for by name, built in and from installed packages."""
    from importlib.metadata import entry_points

    entries = {entry.name: entry for entry in _BUILT_IN}
    for point in entry_points(group=ENTRY_POINTS):
        package = point.dist.name if point.dist else "an installed package"
        entries.setdefault(point.name, BotEntry(point.name, point.value, f"from {package}"))
    return entries


def make_bot(text: str) -> Bot:
    """A new bot from its name, with parameters if any.

    >>> make_bot("random:fold=0,call=1,raise=1").policy()
    ProbabilityTriple(fold=0.0, call=1.0, raise_=1.0)
    """
    return BotSpec(text).make()


def parameters_of(kind: type[Bot]) -> Mapping[str, inspect.Parameter]:
    """The constructor's parameters, by the names they have on the command line."""
    found = dict(inspect.signature(kind).parameters)
    return {name.rstrip("_"): p for name, p in found.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _is_file(name: str) -> bool:
    return ".py:" in name or name.endswith(".py")


def _class_named(name: str) -> type[Bot]:
    entries = bot_entries()
    if name not in entries:
        raise UnknownBotError(f"no bot {name!r}{did_you_mean(name, entries)} (all: railbird bots)")
    module, _, attribute = entries[name].target.partition(":")
    try:
        return _checked(getattr(importlib.import_module(module), attribute, None), f"bot {name!r}")
    except ImportError as error:
        raise UnknownBotError(f"bot {name!r} cannot be imported: {error}") from error


def _class_in_file(name: str) -> type[Bot]:
    path_text, _, attribute = name.partition(".py:")
    path = Path(path_text.removesuffix(".py") + ".py")
    if not path.is_file():
        raise UnknownBotError(f"no file {str(path)!r} to load a bot from")
    module_name = f"railbird_user_bot_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UnknownBotError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    classes = [n for n, o in vars(module).items() if _is_bot_class(o) and o.__module__ == module_name]
    if not attribute:
        raise UnknownBotError(f"name the class too: {path}:{classes[0] if classes else 'MyBot'}")
    if attribute not in vars(module):
        hint = f" (bots in it: {', '.join(classes)})" if classes else " (no bot is in it)"
        raise UnknownBotError(f"no class {attribute!r} in {path}{did_you_mean(attribute, classes)}{hint}")
    return _checked(getattr(module, attribute), f"{attribute} of {path}")


def _is_bot_class(thing: object) -> bool:
    from railbird.bots.base import Bot

    return isinstance(thing, type) and issubclass(thing, Bot)


def _checked(thing: Any, what: str) -> type[Bot]:
    if not _is_bot_class(thing):
        raise UnknownBotError(f"{what} is not a class that extends railbird.Bot")
    return typing.cast("type[Bot]", thing)


def _arguments(kind: type[Bot], given: Mapping[str, str], text: str) -> dict[str, Any]:
    """The constructor's arguments, read from text by their annotations."""
    known = parameters_of(kind)
    hints = typing.get_type_hints(kind.__init__)
    arguments = {}
    for name, value in given.items():
        if name not in known:
            takes = ", ".join(f"{n}={p.default}" for n, p in known.items()) or "no parameters"
            raise UnknownBotError(f"no parameter {name!r} in {text!r}{did_you_mean(name, known)} (it takes {takes})")
        arguments[known[name].name] = _value(value, hints.get(known[name].name, str), name, text)
    missing = [n for n, p in known.items() if p.default is p.empty and n not in given]
    if missing:
        raise UnknownBotError(f"{text!r} needs a value for {', '.join(missing)} (as in {text}:{missing[0]}=...)")
    return arguments


def _value(value: str, hint: Any, name: str, text: str) -> Any:
    """`value` as the annotation wants it."""
    options = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        for option in options:
            if value == str(option):
                return option
        raise UnknownBotError(f"{name}={value} in {text!r}: choose one of {', '.join(map(str, options))}")
    if type(None) in options:
        if value.lower() == "none":
            return None
        hint = next(option for option in options if option is not type(None))
    if hint is bool:
        if value.lower() in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            return value.lower() in ("true", "yes", "on", "1")
        raise UnknownBotError(f"{name}={value} in {text!r}: write yes or no")
    if hint in (int, float):
        try:
            number = hint(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            article = "a whole number" if hint is int else "a number"
            raise UnknownBotError(f"{name}={value} in {text!r} is not {article}")
        return number
    return value
