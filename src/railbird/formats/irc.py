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

from railbird.errors import MatchError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.irc_batch import BatchTeller, Parts
from railbird.formats.irc_text import unsaid, why_not, write
from railbird.formats.readers import Format
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_SEATS, Game
from railbird.numbers import quoted

_HAND = re.compile(r"\s*\d{6,12}\s+\d{1,9}\s+\d{1,15}\s+\d{1,9}(?:\s+\d{1,9}/\d{1,15}){4}(?:\s|$)")
_PLAYER = re.compile(r"\S+\s+\d{6,12}\s+\d{1,9}\s+\d{1,9}(?:\s+[-BfkbcrAQK]+){4}\s+\d+\s+\d+\s+\d+")
_BATCH = 4_000
"""Hands of a month that are in memory at once."""
_CHUNK = 1 << 16


def is_irc(beginning: str) -> bool:
    """Whether a file that begins so is of the IRC database.

    >>> is_irc("766303976   1   455  8  6/600   6/600   6/1200  3/1500  3s Jc Qd 5c Ah"), is_irc("STATE:0:cc")
    (True, False)
    """
    lines = [line for line in beginning.split("\n", 40)[:40] if line.strip()]
    return any(_HAND.match(line) or _PLAYER.match(line) for line in lines[:20])


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a month, or of a text that has all its lines. The game is told by each hand."""
    teller = BatchTeller()
    for batch in _whole_hands(file) if _has_players(file.beginning) else _Month(file).hands():
        for line, found in teller.told(batch):
            yield found.found_on(line) if isinstance(found, HandRecord) else file.problem(line, found)


def _has_players(beginning: str) -> bool:
    """Whether a text has players' lines among those of its hands."""
    return any(_PLAYER.match(line) for line in beginning.split("\n", 100)[:100])


def _whole_hands(file: HistoryFile) -> Iterator[list[Parts]]:
    """The hands of a text of all lines, some at a time: each begins with the line that hdb has."""
    batch: list[Parts] = []
    for block in file.blocks(_HAND.match):
        hand, names, players = list[str](), list[str](), list[str]()
        if _HAND.match(block.lines[0]):
            hand = block.lines[0].split(None, 4)
            for line in block.lines[1:]:
                words = line.split(None, 2)
                if words[0] == hand[0]:
                    names = line.split()[2:]
                elif len(words) > 1 and words[1] == hand[0] and len(players) <= MOST_SEATS:
                    players.append(line)
        batch.append(Parts(block.line, hand, names, players))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch


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

    def hands(self) -> Iterator[list[Parts]]:
        """The hands of hdb, some at a time, each with what the other files tell of it."""
        if not self._read_up_to:
            raise MatchError(f"no files of players (pdb) beside {quoted(str(self._file.path))}")
        waiting: list[tuple[int, list[str]]] = []
        for number, line in self._file.lines():
            if _HAND.match(line):
                waiting.append((number, line.split(None, 4)))
            elif line.strip():
                waiting.append((number, []))
            if len(waiting) == _BATCH:
                yield self._batch(waiting)
                waiting = []
        yield self._batch(waiting)

    def _batch(self, waiting: list[tuple[int, list[str]]]) -> list[Parts]:
        """Some hands, which come in order of time; a line that is of none has no words."""
        hands = [words for _, words in waiting if words]
        if not hands:
            return [Parts(number, [], [], []) for number, _ in waiting]
        last = max([int(words[0]) for words in hands])
        players: dict[str, list[str]] = {words[0]: [] for words in hands}
        for path in self._read_up_to:
            self._take(path, last, players)
        names: dict[str, list[str]] = {}
        if any(len(players[words[0]]) != int(words[3]) for words in hands):
            names = self._names(last, players)
        return [
            Parts(number, words, names.get(words[0], []), players[words[0]]) if words else Parts(number, [], [], [])
            for number, words in waiting
        ]

    def _names(self, last: int, players: dict[str, list[str]]) -> dict[str, list[str]]:
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

    def _take(self, path: Path, last: int, players: dict[str, list[str]]) -> None:
        """Take in the lines of one player up to a time."""
        at = self._read_up_to[path]
        try:
            with path.open("rb") as file:
                file.seek(at)
                while data := file.read(_CHUNK):
                    end = data.rfind(b"\n") + 1 or len(data)
                    for line in data[:end].decode("latin-1").splitlines(keepends=True):
                        words = line.split(None, 2)
                        if len(words) > 1:
                            found = players.get(words[1])
                            if found is not None:
                                found.append(line)
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
    folder_files=("hdb", "hroster", "pdb.*"),
)
