"""The formats of hand histories: what each is called, how it is told by content, read and written.

A format is one file with one object:

    FORMAT = Format(
        name="pokerstars",
        title="PokerStars history",
        recognises=is_pokerstars,
        read=read,
        write=write,
        unsaid=unsaid,
        suffixes=(".txt",),
    )

One that ships with Railbird has a line in `_BUILT_IN`. One of somebody else is an entry point of the group
`railbird.formats` in that package's pyproject.toml, and is then read by every command:

    [project.entry-points."railbird.formats"]
    myroom = "my_package.my_room:FORMAT"
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from railbird.errors import InvalidRecordError, MatchError, RailbirdWarning, did_you_mean
from railbird.formats.acpc import first_hand
from railbird.formats.foreign import foreign_format
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.numbers import quoted
from railbird.progress import Watch

ENTRY_POINTS = "railbird.formats"
_OFTEN = 64
"""A watch is told how far a file is read after so many hands."""


@dataclass(frozen=True)
class Format:
    """A format of hand histories. Its functions know one file or one hand at a time, and never the name of a file."""

    name: str
    """Short, in lower case, as people ask for it and as `Telling.source` has it: "acpc", "phh", "pokerstars"."""
    title: str
    """In words, as errors tell it: "PokerStars history"."""
    recognises: Callable[[str], bool]
    """Whether a file that begins so (`HistoryFile.beginning`: at most 64 KiB, without a byte order mark, line ends as
    they are) is of this format. It must be sure: the first format that says yes reads the file."""
    read: Callable[[HistoryFile, Game | None], Iterator[HandRecord | Problem]]
    """The hands of a file, in order. The game is what a user has said, `None` where nobody has; a format whose files
    tell their games has no use for it.

    Each hand is a record that was held against the rules and knows its line (`HistoryFile.judged` sees to both), or a
    `Problem` with the line where the hand begins and the reason why it is set aside. A hand that is broken, torn, or of
    a game that Railbird does not play never takes its neighbour with it, nor does it end the reading. Nothing else is
    raised than a `RailbirdError` for a file that cannot be read at all.

    It is a generator that has one hand in memory, or a bounded number of them: files may have gigabytes. Numbers come
    through `railbird.numbers`, and nothing is as large as a file claims.

    In a record players stand by position: the first to act after the flop is 0, the last is the button (heads-up the
    button is 1 and the small blind). `Game.blinds` are what each has posted as a bet, `Game.dead` what was posted
    beside it, `Game.stacks` what each had before the hand, in whole chips: see `Telling.unit`; where somebody folded
    who could have checked, the hand's game has `free_fold`. `history` is the betting string of the competition (`f`,
    `c`, `r`, or where sizes are free `r` with all that the player has put into the hand, antes included), `payoffs`
    what each won or lost after rake, an uncalled bet given back. What the file says beside this goes into
    `record.telling`. Who acted can be held against the rules too: see `Retold`.
    """
    write: Callable[[Iterable[HandRecord]], Iterator[str]] | None
    """The text of a file with these hands, piece by piece, everything that stands before, between and after them
    included. Reading what was written gives the same records, and writing these the same text. `None` where such files
    are not written here."""
    unsaid: Callable[[HandRecord], Sequence[str]]
    """What of a hand this format cannot say, each in a few words that are the same for every hand: "the ante", "cards
    that were not shown". Empty where it says all. `railbird convert` counts and tells them."""
    suffixes: tuple[str, ...] = ()
    """How the names of such files end, in lower case, the usual one first. Used to name the format that is to be
    written, never to tell what is read."""
    refuses: Callable[[HandRecord], str] = lambda _record: ""
    """Why a hand cannot be written at all, in words; empty where it can."""
    folder_files: tuple[str, ...] = ()
    """Where a history is a folder of several files, their names with * for anything, that of the one to read first: in
    such a folder the others are not taken for histories of their own."""

    @property
    def plural(self) -> str:
        """The title of several such files: "PokerStars histories"."""
        first, _, rest = self.title.partition(" of ")
        several = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
        return f"{several} of {rest}" if rest else several


_BUILT_IN = {
    "acpc": "railbird.formats.acpc_logs:FORMAT",
    "acpc-wire": "railbird.formats.acpc_wire:FORMAT",
    "phh": "railbird.formats.phh:FORMAT",
    "phhs": "railbird.formats.phh:MANY",
    "pokerstars": "railbird.formats.pokerstars:FORMAT",
    "bovada": "railbird.formats.bovada:FORMAT",
    "irc": "railbird.formats.irc:FORMAT",
}
"""By name, where the formats that ship are, in the order in which files are shown to them."""


def format_named(name: str) -> Format:
    """The format of a name."""
    if name in _BUILT_IN:
        return _built_in(name)
    found = {each.name: each for each in formats()}
    if name not in found:
        raise InvalidRecordError(f"no format {quoted(name)}{did_you_mean(name, found)} (known: {', '.join(found)})")
    return found[name]


def formats() -> tuple[Format, ...]:
    """All formats: those that ship, and those of other packages."""
    return (*map(_built_in, _BUILT_IN), *_plugged_in())


def recognised(path: Path | HistoryFile) -> Format | None:
    """The format of a file, by what it holds; none for what is of no format that is known here.

    Refuses, by its name, a format that is known and cannot be read.
    """
    file = path if isinstance(path, HistoryFile) else HistoryFile(path)
    beginning = file.beginning
    found = _first(map(_built_in, _BUILT_IN), beginning) or _first(_plugged_in(), beginning)
    if found is None and (foreign := foreign_format(beginning)):
        raise InvalidRecordError(
            f"{str(file.path)!r} looks like {foreign}, which Railbird does not read yet; it reads {readable_formats()}"
        )
    return found


def format_of(path: Path | HistoryFile) -> Format:
    """The format of a file; refuses what is of none that is known here."""
    found = recognised(path)
    if found is not None:
        return found
    name = str(path.path if isinstance(path, HistoryFile) else path)
    raise InvalidRecordError(f"{name!r} is of no format that is known here; Railbird reads {readable_formats()}")


def hands_in(
    path: str | Path, game: str | Game | None = None, watch: Watch | None = None
) -> Iterator[HandRecord | Problem]:
    """The hands of a file of any format one by one, each held against the rules; a `Problem` for one that is set aside.

    The game of a competition log can be given, as for `read_hands`. Memory does not grow with the file. `watch` is told
    bytes read, and bytes in all.
    """
    file = HistoryFile(Path(path))
    if file.path.is_dir():
        raise MatchError(f"{str(path)!r} is a folder; hands_in reads one file (read_hands takes folders)")
    told = read_game(game, seats_at(file)) if isinstance(game, str) else game
    for at, found in enumerate(format_of(file).read(file, told)):
        if watch is not None and at % _OFTEN == 0:
            watch(file.done, file.size)
        yield found
    if watch is not None:
        watch(file.size, file.size)


def seats_at(file: HistoryFile) -> int:
    """How many players sit at the table of a competition log, by its first hand."""
    first = first_hand(file.beginning)
    return len(first.names) if first else 2


def is_part_of_folder(path: Path) -> bool:
    """Whether a file is read with another one that lies beside it, as the players of a month of the IRC database."""
    return any(
        (path.parent / first).is_file() and any(fnmatchcase(path.name, name) for name in others)
        for first, *others in _folder_files()
    )


def _folder_files() -> list[tuple[str, ...]]:
    return [each.folder_files for each in formats() if each.folder_files]


def beginning_of(path: Path) -> str:
    """How a file begins, as far as it is looked at to tell its format."""
    return HistoryFile(path).beginning


def _first(known: Iterable[Format], beginning: str) -> Format | None:
    return next((each for each in known if each.recognises(beginning)), None)


def _built_in(name: str) -> Format:
    module, _, attribute = _BUILT_IN[name].partition(":")
    found = getattr(import_module(module), attribute)
    assert isinstance(found, Format)
    return found


@cache
def _plugged_in() -> tuple[Format, ...]:
    """The formats of other packages; one that cannot be loaded is told, and left out."""
    found: list[Format] = []
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            loaded = entry.load()
            if not isinstance(loaded, Format):
                raise TypeError(f"{type(loaded).__name__} is no railbird.formats.readers.Format")
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            warnings.warn(
                f"the format {entry.name!r} ({entry.value}) cannot be loaded and is left out: {why}",
                RailbirdWarning,
                stacklevel=2,
            )
        else:
            found.append(loaded)
    return tuple(found)


def readable_formats() -> str:
    """All that is read, in words."""
    return ", ".join(["its own match folders", *(each.plural for each in formats())])
