"""Finding bots by name: built in, from installed packages, or from a file.

loki                       built in, or from a package's entry point in the group "railbird.bots"
loki:tightness=tight       with parameters
./mybot.py:MyBot           the class MyBot of a file
./mybot.py:MyBot:depth=3   the same with parameters

Programs that are no Python classes are asked for in `railbird.bots.programs`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import typing
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from railbird.bots.neighbours import foreign_neighbour, source_files, source_hash
from railbird.bots.places import located, source_of
from railbird.bots.variants import LOKI
from railbird.errors import UnknownBotError, did_you_mean
from railbird.numbers import quoted
from railbird.parameters import Parameter, parameters_of, read_arguments, split_parameters

if TYPE_CHECKING:
    from railbird.bots.base import Bot

ENTRY_POINTS = "railbird.bots"
LINES = "lines:"
"""What stands before the command of a program that speaks lines."""
bot_folders: list[str] = []
"""Where bots of this process may import their neighbours from."""


@dataclass(frozen=True)
class BotEntry:
    """A bot in the list: its name, where its class is, and a line about it. Nothing is imported to make it."""

    name: str
    target: str
    """The class as "module:Class"."""
    summary: str
    presets: str = ""
    """Parameters that this entry sets otherwise than the class does, as in "modeling=generic,tightness=tight"."""
    origin: str = ""
    """The package and version it comes from; nothing for built-in ones."""


_ENTRIES = (
    BotEntry("always-fold", "railbird.bots.simple:AlwaysFold", "folds whenever there is anything to call"),
    BotEntry("always-call", "railbird.bots.simple:AlwaysCall", "checks and calls to the end"),
    BotEntry("always-raise", "railbird.bots.simple:AlwaysRaise", "bets and raises until the cap"),
    BotEntry("random", "railbird.bots.simple:RandomBot", "picks a legal action by chance (fold=, call=, raise=)"),
    BotEntry("expert", "railbird.bots.expert:ExpertBot", "plays by a table of rules (Papp 1998, section 4.1)"),
    BotEntry(
        "simulation",
        "railbird.bots.simulation:SimulationBot",
        "plays the hand out against random holdings (Papp 1998, section 4.6; playouts=, edge=)",
    ),
    *(BotEntry(name, "railbird.bots.loki:Loki", summary, presets) for name, summary, presets in LOKI),
    BotEntry(
        "vexbot",
        "railbird.bots.vexbot:Vexbot",
        "searches the betting tree with a model of the opponent (Billings et al. 2004; search=, h=, m=, model=)",
    ),
    BotEntry(
        "vexbot2",
        "railbird.bots.vexbot2:Vexbot2",
        "best replies to a belief about the opponent's cards, around the equilibrium (trust=, memory=, model=)",
    ),
    BotEntry(
        "equilibrium",
        "railbird.bots.equilibrium:Equilibrium",
        "plays a near-equilibrium of heads-up limit hold'em (strategy=FILE for another)",
    ),
    BotEntry(
        "resolver",
        "railbird.bots.resolver:Resolver",
        "plays the equilibrium, and from the turn on solves the rest of the hand again (strategy=, turn=, ...)",
    ),
    BotEntry(
        "sparbot",
        "railbird.bots.sparbot:Sparbot",
        "plays a crude equilibrium of seven buckets a street, solved in two parts (after Billings et al. 2003)",
    ),
    BotEntry(
        "poki",
        "railbird.bots.loki:Loki",
        "Loki for two players, with opponent modelling (after Billings et al. 2004)",
        "inverse=yes,observed_variance=yes,fine_contexts=yes,income_shift=-200",
    ),
    BotEntry("jagbot", "railbird.bots.jagbot:JagBot", "plays a static formula heads-up (Billings et al. 2004)"),
    BotEntry("hobbybot", "railbird.bots.hobbybot:HobbyBot", "jagbot's formula that slowly fits itself to the opponent"),
    BotEntry(
        "switcher",
        "railbird.bots.switcher:Switcher",
        "changes style every 1,000 hands (every=, styles=always-raise+jagbot+...)",
    ),
    BotEntry(
        "nemesis",
        "railbird.bots.nemesis:Nemesis",
        "knows what one bot would do with every holding, and wins what is in sight (to=equilibrium)",
    ),
    BotEntry(
        "divat-baseline",
        "railbird.bots.divat_baseline:DivatBaseline",
        "bets its hand for value and no more: what DIVAT holds others against (Kan 2007; fold=, flop_bets=, ...)",
    ),
    BotEntry("yoki", "railbird.bots.yoki:Yoki", "bets on what its models of the opponents say (after Piël 2006)"),
    *(
        BotEntry(f"yoki-{name}", "railbird.bots.potential_player:PotentialPlayer", summary, presets)
        for name, summary, presets in (
            ("tight", "TIGHT of Piël 2006: folds soon, bets on high chances only", "fold_below=0.6,bet_above=0.85"),
            ("loose", "LOOSE of Piël 2006: bets on any chance, folds only the worst", "fold_below=0.2,bet_above=0.55"),
            ("default", "DEFAULT of Piël 2006: between the two", "fold_below=0.4,bet_above=0.7"),
        )
    ),
)
_BUILT_IN = {entry.name: entry for entry in _ENTRIES}


@dataclass(frozen=True)
class BotSpec:
    """A bot as it was asked for: text that leads to the same bot again, on any worker."""

    text: str
    is_program = False

    @property
    def label(self) -> str:
        """A short name without the characters that logs use as separators."""
        name, parameters = self._parts()
        if _is_file(name):
            name = name.rpartition(":")[2]
        return f"{name}({','.join(f'{k}={v}' for k, v in parameters.items())})" if parameters else name

    @property
    def file(self) -> Path | None:
        """The file the bot is loaded from, if it is one."""
        name = self._parts()[0]
        return Path(name.rsplit(":", 1)[0]) if _is_file(name) else None

    @property
    def is_built_in(self) -> bool:
        return self._parts()[0] in _BUILT_IN

    def fingerprint(self) -> str:
        """What the bot was: a hash of its file, or its package and version, and of files that its parameters name."""
        name, parameters = self._parts()
        if self.file:
            _refuse_missing(self.file)
        code = source_hash(self.file) if self.file else _entry(name).origin
        named = [Path(value) for value in parameters.values() if _is_there(value)]
        return " ".join(filter(None, [code, *[hashlib.sha256(file.read_bytes()).hexdigest() for file in named]]))

    @property
    def files(self) -> list[Path]:
        """All files that the fingerprint is made of: the bot's own with those it imports, and those that its parameters
        name."""
        named = [Path(value) for value in self._parts()[1].values() if _is_there(value)]
        return [*(source_files(self.file) if self.file else []), *named]

    def moved(self, places: Mapping[str, str]) -> BotSpec:
        """The same bot, of whose files some lie elsewhere: by the way to them, where."""
        name, parameters = self._parts()
        file, suffix, kind = name.rpartition(":") if self.file else ("", "", name)
        told = ",".join(f"{key}={new_place(places, value)}" for key, value in parameters.items())
        return type(self)(new_place(places, file) + suffix + kind + (f":{told}" if told else ""))

    @property
    def presets(self) -> dict[str, str]:
        """What the entry of this name sets."""
        name = self._parts()[0]
        return {} if _is_file(name) else split_parameters(f"{name}:{_entry(name).presets}", UnknownBotError)[1]

    @property
    def parameters(self) -> list[Parameter]:
        """What can be told to the bot, with its defaults under this name."""
        return list(parameters_of(self.load(), self.presets).values())

    def load(self) -> type[Bot]:
        """The bot's class."""
        name = self._parts()[0]
        return _class_in_file(name) if _is_file(name) else _class_named(name)

    def make(self) -> Bot:
        """A new bot."""
        kind = self.load()
        arguments = read_arguments(kind, self._parts()[1], self.text, UnknownBotError, presets=self.presets)
        return _made(kind, arguments, self.text)

    def _parts(self) -> tuple[str, dict[str, str]]:
        """The name (of a file, with its class) and the parameters."""
        file, suffix, rest = self.text.partition(".py:")
        if not suffix:
            return split_parameters(self.text, UnknownBotError)
        kind, parameters = split_parameters(rest, UnknownBotError)
        return file + suffix + kind, parameters


def bot_entries() -> dict[str, BotEntry]:
    """All bots that can be asked for by name, built in and from installed packages."""
    from importlib.metadata import entry_points

    return dict(_entries(entry_points, tuple(sys.path)))


@cache
def _entries(points: Callable[..., Any], path: tuple[str, ...]) -> dict[str, BotEntry]:
    """The same, looked for once on a path: all packages there are read for it."""
    entries = dict(_BUILT_IN)
    for point in points(group=ENTRY_POINTS):
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else "an installed package"
        entries.setdefault(point.name, BotEntry(point.name, point.value, f"from {origin}", origin=origin))
    return entries


def make_bot(bot: str | type[Bot]) -> Bot:
    """A new bot from its name, with parameters if any, from a file and the class in it, or from its class.

    >>> make_bot("random:fold=0,call=1,raise=1").policy()
    ProbabilityTriple(fold=0.0, call=1.0, raise_=1.0)
    """
    if isinstance(bot, str):
        if is_program(bot):
            raise UnknownBotError(
                f"{quoted(bot)} is a program: it plays in matches, tournaments, comparisons and checks, and gives no "
                "reasons"
            )
        return BotSpec(bot).make()
    return _made(_checked(bot, repr(bot)), {}, bot.__name__)


def is_program(text: str) -> bool:
    """Whether a text asks for a program and not for a bot of Python: the way to one has a slash in it.

    >>> [is_program(text) for text in ("lines:python3 caller.py", "./program", "./mybot.py:MyBot", "loki")]
    [True, True, False, False]
    """
    if text.startswith(LINES):
        return True
    file, suffix, rest = text.partition(".py:")
    if suffix and "=" not in rest.partition(":")[0]:
        return False
    name = (file + ".py") if suffix else text.partition(":")[0]
    return "/" in name and (not name.endswith(".py") or _begins_as_script(name))


def _begins_as_script(path: str) -> bool:
    """Whether a file says what runs it."""
    if not _is_there(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def _made(kind: type[Bot], arguments: Mapping[str, Any], text: str) -> Bot:
    """A new bot of a class; what it prints meanwhile goes to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            return kind(**arguments)
    except UnknownBotError:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownBotError(f"{quoted(text)} could not be made: {located(error, source_of(kind))}") from error


def new_place(places: Mapping[str, str], text: str) -> str:
    """A text, or where the file is now that it is the way to."""
    return places.get(str(Path(text)), text) if text and "\0" not in text else text


def _is_there(path: str) -> bool:
    """Whether a text names a file; one that cannot be a path names none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _refuse_missing(file: Path) -> None:
    if _is_there(str(file)):
        return
    told = str(file)
    if told.startswith("nemesis:to="):
        raise UnknownBotError(
            f"a bot from a file has its nemesis in railbird exploit {told[11:]}:... --nemesis 300; to= takes names"
        )
    raise UnknownBotError(f"no file {quoted(told, 200)} to load a bot from")


def _is_file(name: str) -> bool:
    return ".py:" in name or name.endswith(".py")


def _entry(name: str) -> BotEntry:
    if name in _BUILT_IN:
        return _BUILT_IN[name]  # installed packages, which take a while to look through, cannot replace these
    entries = bot_entries()
    if name not in entries:
        raise UnknownBotError(f"no bot {quoted(name)}{did_you_mean(name, entries)} (all: railbird bots)")
    return entries[name]


def _class_named(name: str) -> type[Bot]:
    module, _, attribute = _entry(name).target.partition(":")
    try:
        return _checked(getattr(importlib.import_module(module), attribute, None), f"bot {name!r}")
    except UnknownBotError:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownBotError(f"bot {name!r} cannot be imported: {type(error).__name__}: {error}") from error


def _class_in_file(name: str) -> type[Bot]:
    path_text, _, attribute = name.partition(".py:")
    path = Path(path_text.removesuffix(".py") + ".py")
    _refuse_missing(path)
    module = _module_of(path.resolve(), hashlib.sha256(path.read_bytes()).hexdigest())
    classes = [n for n, o in vars(module).items() if _is_bot_class(o) and o.__module__ == module.__name__]
    if not attribute and classes:
        raise UnknownBotError(f"name the class too: {path}:{classes[0]}")
    if not attribute:
        raise UnknownBotError(f"no class in {path} extends railbird.Bot")
    if attribute not in vars(module):
        hint = f" (bots in it: {', '.join(classes)})" if classes else " (no bot is in it)"
        raise UnknownBotError(f"no class {attribute!r} in {path}{did_you_mean(attribute, classes)}{hint}")
    return _checked(getattr(module, attribute), f"{attribute} of {path}")


class _SourceLoader(SourceFileLoader):
    """Reads the source, never compiled code beside it: of a file edited in the same second that would be the old."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        raise OSError(f"{path} is not to be cached")


@cache
def _module_of(path: Path, sha256: str) -> ModuleType:
    """The module in a bot's file, executed once for each version of the file; it may import its neighbours."""
    name = f"railbird_user_bot_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_SourceLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
        bot_folders.append(str(path.parent))
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise UnknownBotError(f"{path} cannot be loaded: {located(error, str(path))}") from error
    if clash := foreign_neighbour(path):
        raise UnknownBotError(f"{path} imports {clash[0].name}, but {clash[1]} is loaded already; rename one of them")
    return module


def _is_bot_class(thing: object) -> bool:
    from railbird.bots.base import Bot

    return isinstance(thing, type) and issubclass(thing, Bot)


def _checked(thing: Any, what: str) -> type[Bot]:
    if not _is_bot_class(thing):
        raise UnknownBotError(f"{what} is not a class that extends railbird.Bot")
    return typing.cast("type[Bot]", thing)
