"""The formats that can be read, each told by what its files hold.

To add a format, write a module beside `acpc.py` that turns a file into records, and name it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from railbird.errors import InvalidRecordError, MatchError
from railbird.formats import acpc
from railbird.formats.foreign import foreign_format
from railbird.game.record import HandRecord
from railbird.game.spec import Game

_BEGINNING = 64 * 1024


class Reader(NamedTuple):
    """A format of hand logs."""

    name: str
    recognises: Callable[[str], bool]
    """Whether a file that begins so is of this format."""
    read: Callable[[Path, Game], Iterator[HandRecord]]
    """The hands of a file of a game, in order."""


COMPETITION = Reader("competition log", acpc.is_log, acpc.read_log)
READERS = (COMPETITION,)


def beginning_of(path: Path) -> str:
    """How a file begins, as far as it is looked at to tell its format."""
    try:
        with path.open("rb") as file:
            return file.read(_BEGINNING).decode(errors="replace")
    except OSError as error:
        raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None


def recognised(path: Path) -> Reader | None:
    """The reader for a file, by what it holds; none for what is of no format that is known here.

    Refuses, by its name, a format that is known and cannot be read.
    """
    beginning = beginning_of(path)
    reader = next((reader for reader in READERS if reader.recognises(beginning)), None)
    if reader is None and (foreign := foreign_format(beginning)):
        raise InvalidRecordError(
            f"{str(path)!r} looks like {foreign}, which Railbird does not read yet; it reads {_readable()}"
        )
    return reader


def reader_of(path: Path) -> Reader:
    """The reader for a file; refuses what is of no format that is known here."""
    reader = recognised(path)
    if reader is not None:
        return reader
    raise InvalidRecordError(f"{str(path)!r} is of no format that is known here; Railbird reads {_readable()}")


def _readable() -> str:
    return " and ".join([*(f"{reader.name}s" for reader in READERS), "its own match folders"])
