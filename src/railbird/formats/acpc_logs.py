"""Competition logs of any game, as one of the formats of hand histories.

A kernel reads and checks the plain lines of long logs; what it does not accept is read line by line. The game is the
one that is said, or that the log tells: in a comment of its own, by the name of its game file, or by its hands (see
`railbird.formats.told_games`).

A log that is written here says its game in comments, `# GAMEDEF ... END GAMEDEF` in one line before the hands that are
of it, which other programs pass over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError, InvalidRecordError, RailbirdError
from railbird.formats.acpc import cards_of_holding, game_text, is_hand, is_log, parse_game, parse_record, record_line
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.readers import Format
from railbird.formats.told_games import told_game
from railbird.game.quick_check import game_rules, working_room
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import any_lines, log_lines

_FEW = 1 << 16
"""Logs of fewer bytes are read without a kernel, which might have to be compiled."""
_GAME = b"GAMEDEF"
_GAME_LINE = re.compile(rb"^[ \t]*#[ \t]*(GAMEDEF .*)$", re.MULTILINE)
_SEPARATORS = str.maketrans(dict.fromkeys(":|#\r\n", "_"))
"""Signs that no name in a log can have, and what stands for them."""


def read(file: HistoryFile, game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a log."""
    reader = _LogReader(file, game)
    for data in file.pieces():
        at = 0
        for found in _GAME_LINE.finditer(data) if _GAME in data else ():
            yield from reader.hands(data[at : found.start()])
            at = found.start()
            reader.begin_game(found[1])
        yield from reader.hands(data[at:])


def tells_games(beginning: str) -> bool:
    """Whether a log that begins so says its games in comments.

    >>> tells_games("# GAMEDEF limit numPlayers = 2 END GAMEDEF\\nSTATE:0:f:|:1|-1:a|b")
    True
    """
    return _GAME_LINE.search(beginning.encode()) is not None


class _LogReader:
    """The reading of one log: how many lines have been read, and the game that the next ones are of."""

    def __init__(self, file: HistoryFile, game: Game | None) -> None:
        self._file = file
        self._lines = 0
        self._is_said = game is not None
        self._game = game
        self._unknown = ""
        """Why the hands that follow are of no game that is known, if they are not."""
        self._room = working_room()
        self._names: dict[bytes, tuple[str, ...]] = {}

    def begin_game(self, text: bytes) -> None:
        """The hands that follow are of the game of a comment, unless somebody has said another."""
        if self._is_said:
            return
        try:
            self._game, self._unknown = parse_game(text.decode(errors="replace")), ""
        except RailbirdError as error:
            self._unknown = str(error)

    def hands(self, data: bytes) -> Iterator[HandRecord | Problem]:
        """The hands of some whole lines."""
        if b"STATE" not in data:
            yield from self._slowly(data.split(b"\n"), self._lines + 1) if data.strip() else ()
            self._lines += data.count(b"\n")
            return
        if self._game is None and not self._unknown:
            self._game = told_game(self._file)
        if self._file.size < _FEW or self._unknown:
            yield from self._slowly(data.split(b"\n"), self._lines + 1)
        else:
            assert self._game is not None
            yield from self._quickly(data, self._game)
        self._lines += data.count(b"\n")

    def _slowly(self, lines: Iterable[bytes], first: int) -> Iterator[HandRecord | Problem]:
        for number, line in enumerate(lines, first):
            text = line.decode(errors="replace").strip().removeprefix("\ufeff")
            if is_hand(text):
                yield self._file.judged(number, self._parsed, text)

    def _parsed(self, text: str) -> HandRecord:
        if self._unknown:
            raise InvalidRecordError(f"a hand of a game that cannot be read: {self._unknown}", "other-game")
        return parse_record(text, self._game or told_game(self._file))

    def _quickly(self, data: bytes, game: Game) -> Iterator[HandRecord | Problem]:
        array = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(array == 10) + 1
        starts = np.concatenate([[0], ends, [] if data.endswith(b"\n") else [len(data)]]).astype(np.int64)
        found = _room_for(len(starts) - 1, game.seats)
        any_lines.read_any_lines(RANKING, game_rules(game), array, starts, found, self._room)
        boards, counts, numbers = found.board.tolist(), found.board_counts.tolist(), found.numbers.tolist()
        parts, payoffs = found.parts.tolist(), found.payoffs.tolist()
        text, names = data.decode("latin-1"), self._names
        for i, verdict in enumerate(found.verdicts.tolist()):
            if verdict == log_lines.HAND:
                betting, betting_end, cards, cards_end, named, named_end = parts[i]
                who = data[named:named_end]
                if who not in names:
                    names[who] = tuple(who.decode(errors="replace").split("|"))
                holes = text[cards:cards_end].partition("/")[0].split("|")
                yield HandRecord(
                    game,
                    numbers[i],
                    names[who],
                    tuple([cards_of_holding(hole) for hole in holes]),
                    tuple(boards[i][: counts[i]]),
                    text[betting:betting_end],
                    tuple(payoffs[i]),
                    line=self._lines + 1 + i,
                )
            elif verdict == log_lines.OTHER:
                yield from self._slowly([data[starts[i] : starts[i + 1]]], self._lines + 1 + i)
        if len(names) > _MOST_NAMES:
            names.clear()


_MOST_NAMES = 10_000


def _room_for(lines: int, seats: int) -> any_lines.AnyHands:
    def room(kind: type, *shape: int) -> NDArray[np.generic]:
        return np.zeros((lines, *shape), kind)

    return any_lines.AnyHands(
        room(np.uint8), room(np.int64), room(np.int64, 6), room(np.uint8, 5), room(np.int64), room(np.int64, seats)
    )


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    """A line for each hand, and one for the game where it is another than before."""
    game: Game | None = None
    for record in records:
        said = said_game(record)
        if said != game:
            game = said
            yield f"# {' '.join(game_text(said).split())}\n"
        names = tuple(map(_said_name, record.names))
        yield f"{record_line(replace(record, game=said, names=names))}\n"


def _said_name(name: str) -> str:
    """A name as it can stand in a log."""
    return name.translate(_SEPARATORS).strip()


def said_game(record: HandRecord) -> Game:
    """The game of a hand as a game file can say it, in which the hand is played the same; refuses what none can say.

    A limit game has no stacks there, which does not matter unless somebody is all-in; no-limit stands for pot-limit,
    and its smallest bet is the largest blind.
    """
    game = record.game
    if game.dead is not None and any(game.dead):
        raise InvalidGameError("a game file cannot say that blinds were missed")
    if game.structure is Structure.FIXED_LIMIT and game.stacks is not None:
        final = record.final()
        if any(paid >= stack for paid, stack in zip(final.committed, game.stacks)):
            raise InvalidGameError("a limit game file cannot say stacks, and somebody is all-in")
        game = replace(game, stacks=None)
    if game.structure is Structure.POT_LIMIT:
        game = replace(game, name="no-limit", structure=Structure.NO_LIMIT)
    if game.structure is Structure.NO_LIMIT and game.bet_sizes != (least := _least_bets(game)):
        game = replace(game, bet_sizes=least)
        try:
            replace(record, game=game).final()
        except RailbirdError:
            raise InvalidGameError(
                f"a game file cannot say a smallest bet of {record.game.bet_sizes[0]} where {least[0]} was posted"
            ) from None
    game_text(game)
    return replace(game, dead=None)


def _least_bets(game: Game) -> tuple[int, ...]:
    """The smallest bets of a no-limit game, as one is read from a game file."""
    return (max(*game.blinds, game.ante),) * game.streets


def refuses(record: HandRecord) -> str:
    """Why a log cannot say a hand."""
    try:
        said = replace(record, game=said_game(record), telling=None)
        told = record.telling
        if told is not None and (told.rake or any(told.shown)):
            # A log says neither that somebody mucked what would have won, nor how large a rake may be.
            said.check(may_be_raked=True)
    except RailbirdError as error:
        return str(error)
    return ""


def unsaid(record: HandRecord) -> list[str]:
    """A log says the game, the cards, the betting and the payoffs, and nothing else of a hand."""
    game, told, found = record.game, record.telling, list[str]()
    if game.structure is Structure.FIXED_LIMIT and game.stacks is not None:
        found.append("stacks of a limit game")
    if game.structure is Structure.POT_LIMIT:
        found.append("that the pot limits the bets")
    if game.structure is not Structure.FIXED_LIMIT and game.bet_sizes != _least_bets(game):
        found.append("the smallest bet")
    if any(name != _said_name(name) for name in record.names):
        found.append("the signs : | # in names, and blanks around them")
    if told is None:
        return found
    said = {
        "the hand's own name": told.hand not in ("", str(record.number)),
        "table and seats": told.table or told.seats or told.places,
        "time": told.time,
        "currency": told.currency or told.unit != 1,
        "who showed the cards": told.shown,
        "whose file it is": told.hero >= 0,
        "other remarks": told.extra,
    }
    return [*found, *(what for what, is_told in said.items() if is_told)]


FORMAT = Format("acpc", "competition log", is_log, read, write, unsaid, (".log",), refuses)
