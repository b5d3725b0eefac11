"""The IRC poker database: limit hold'em of the nineties, a month of a channel in three kinds of file.

    hdb         timestamp  game set  number  players  flop turn river showdown (each players/pot)  board
    hroster     timestamp  players  names
    pdb/pdb.X   name timestamp players position  preflop flop turn river  bankroll put-in won  [cards]

The file to give is hdb (or its folder); the others lie beside it. A text that has the lines of all three kinds, hand by
hand, is read too, and is what Railbird writes.

Nothing tells the sizes of bets: they follow from what everybody put in, which only fits if the betting was put together
rightly. Hands of no-limit channels do not fit, and are set aside. Times are the timestamps, which count seconds of UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from railbird.errors import InvalidRecordError, MatchError, RailbirdError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.irc_hand import HandTeller
from railbird.formats.irc_text import unsaid, why_not, write
from railbird.formats.readers import Format
from railbird.formats.site_text import of_hand
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_SEATS, Game
from railbird.numbers import quoted

_HAND = re.compile(r"\s*\d{6,12}\s+\d{1,9}\s+\d{1,15}\s+\d{1,9}(?:\s+\d{1,9}/\d{1,15}){4}(?:\s|$)")
_PLAYER = re.compile(r"\S+\s+\d{6,12}\s+\d{1,9}\s+\d{1,9}(?:\s+[-BfkbcrAQK]+){4}\s+\d+\s+\d+\s+\d+")
_BATCH = 4_000
"""Hands of a month that are in memory at once."""
_CHUNK = 1 << 16


class Parts(NamedTuple):
    """All that the database tells of a hand, in words."""

    line: int
    hand: list[str]
    """The words of its line in hdb; none where the line is of no hand."""
    names: list[str]
    """Its names in hroster; none where it is not there."""
    players: list[list[str]]
    """The words of its lines in the files of the players."""


def is_irc(beginning: str) -> bool:
    """Whether a file that begins so is of the IRC database.

    >>> is_irc("766303976   1   455  8  6/600   6/600   6/1200  3/1500  3s Jc Qd 5c Ah"), is_irc("STATE:0:cc")
    (True, False)
    """
    lines = [line for line in beginning.split("\n", 40)[:40] if line.strip()]
    return any(_HAND.match(line) or _PLAYER.match(line) for line in lines[:20])


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a month, or of a text that has all its lines. The game is told by each hand."""
    teller = HandTeller()
    for parts in _whole_hands(file) if _has_players(file.beginning) else _Month(file).hands():
        try:
            if not parts.hand:
                raise InvalidRecordError("not a hand of the IRC database; give the hdb file of a month, or its folder")
            yield teller.record(parts.hand, parts.names, parts.players)
        except RailbirdError as error:
            yield file.problem(parts.line, of_hand(parts.hand[2], error) if parts.hand else error)


def _has_players(beginning: str) -> bool:
    """Whether a text has players' lines among those of its hands."""
    return any(_PLAYER.match(line) for line in beginning.split("\n", 100)[:100])


def _whole_hands(file: HistoryFile) -> Iterator[Parts]:
    """The hands of a text of all lines: each begins with the line that hdb has."""
    for block in file.blocks(_HAND.match):
        if not _HAND.match(block.lines[0]):
            yield Parts(block.line, [], [], [])
            continue
        words = [line.split() for line in block.lines]
        time, names, players = words[0][0], list[str](), list[list[str]]()
        for each in words[1:]:
            if each[0] == time:
                names = each[2:]
            elif len(each) > 1 and each[1] == time and len(players) <= MOST_SEATS:
                players.append(each)
        yield Parts(block.line, words[0], names, players)


class _Month:
    """The files of a month: hdb, and what lies beside it."""

    def __init__(self, file: HistoryFile) -> None:
        self._file = file
        folder = file.path.parent
        roster = folder / "hroster"
        self._rosters = (
            (line.split() for _, line in HistoryFile(roster).lines() if line.strip()) if roster.is_file() else iter(())
        )
        self._ahead: list[str] = []
        """A line of the roster that is for later."""
        found = _files(folder / "pdb") or _files(folder)
        self._read_up_to = {path: 0 for path in found if path.name.startswith("pdb.")}

    def hands(self) -> Iterator[Parts]:
        """The hands of hdb, each with what the other files tell of it."""
        if not self._read_up_to:
            raise MatchError(f"no files of players (pdb) beside {quoted(str(self._file.path))}")
        waiting: list[tuple[int, list[str]]] = []
        for number, line in self._file.lines():
            if _HAND.match(line):
                waiting.append((number, line.split()))
            elif line.strip():
                yield Parts(number, [], [], [])
            if len(waiting) == _BATCH:
                yield from self._batch(waiting)
                waiting = []
        yield from self._batch(waiting)

    def _batch(self, waiting: list[tuple[int, list[str]]]) -> Iterator[Parts]:
        """Some hands, which come in order of time."""
        if not waiting:
            return
        last = max([int(words[0]) for _, words in waiting])
        players: dict[str, list[list[str]]] = {words[0]: [] for _, words in waiting}
        for path in self._read_up_to:
            self._take(path, last, players)
        names: dict[str, list[str]] = {}
        if any(len(players[words[0]]) != int(words[3]) for _, words in waiting):
            names = self._names(last, players)
        for number, words in waiting:
            yield Parts(number, words, names.get(words[0], []), players[words[0]])

    def _names(self, last: int, players: dict[str, list[list[str]]]) -> dict[str, list[str]]:
        """Who was at the table in hands up to a time, by the roster."""
        names: dict[str, list[str]] = {}
        while words := self._ahead or next(self._rosters, []):
            self._ahead = []
            if words[0] in players:
                names[words[0]] = words[2:]
            elif _is_later(words[0], last):
                self._ahead = words
                break
        return names

    def _take(self, path: Path, last: int, players: dict[str, list[list[str]]]) -> None:
        """Take in the lines of one player up to a time."""
        at = self._read_up_to[path]
        try:
            with path.open("rb") as file:
                file.seek(at)
                while data := file.read(_CHUNK):
                    end = data.rfind(b"\n") + 1 or len(data)
                    for line in data[:end].decode("latin-1").splitlines(keepends=True):
                        words = line.split()
                        if len(words) > 1:
                            found = players.get(words[1])
                            if found is not None:
                                found.append(words)
                            elif _is_later(words[1], last):
                                self._read_up_to[path] = at
                                return
                        at += len(line)
                    file.seek(at)
        except OSError as error:
            raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
        self._read_up_to[path] = at


def _is_later(word: str, last: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 13 and int(word) > last


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except OSError:
        return []


FORMAT = Format(
    name="irc",
    title="file of the IRC database",
    recognises=is_irc,
    read=read,
    write=write,
    unsaid=unsaid,
    suffixes=(".irc",),
    refuses=why_not,
)
