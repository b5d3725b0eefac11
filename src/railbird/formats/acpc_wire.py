"""What went over the competition's wire: the dealer's own account on stderr, captures of a connection, bots' notes.

Such a file has states in it, whatever stands around them:

    TO 1 at 1794725120.955467 MATCHSTATE:0:0:c:5d5c|
    read(3, "MATCHSTATE:0:0:c:5d5c|\\r\\n", 4096) = 24

The last state of a hand tells its betting and the cards that its seat has seen; the dealer's account tells all of them.
Payoffs follow from the rules. States with an action behind them are answers, which the next state repeats. A hand that
is not played to its end is set aside.

The names are those of the SCORE line at the end, if there is one. The game is the one said, or that of the game file
which the first line names, or else the competition's for so many players and such betting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from railbird.cards import parse_cards
from railbird.errors import InvalidRecordError, MatchError, RailbirdError
from railbird.formats.acpc import named_game_file
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.readers import Format
from railbird.formats.told_games import game_beside, known_game
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_SEATS, Game, limit_holdem, no_limit_holdem

_STATE = re.compile(
    r"(?:TO (\d{1,2}) at [\d.]{1,40} )?MATCHSTATE:(\d{1,2}):(\d{1,15}):([fcr\d/]{0,2000}):([\w|/]{0,400})(:?)"
)
_SCORE = re.compile(rb"^SCORE:[-\d.|]{1,400}:([^\r\n]{1,4000})", re.MULTILINE)
_TAIL = 8_192
_OWN = 0
"""The seat of a capture, which does not say it."""


@dataclass
class _Seen:
    """What was seen of one hand."""

    number: int
    line: int
    states: dict[int, tuple[int, str, str]] = field(default_factory=dict)
    """By seat the last state: its position, the betting and the cards."""

    def continues(self, seat: int, number: int, betting: str) -> bool:
        """Whether a state is a later one of this hand."""
        before = self.states.get(seat)
        return number == self.number and (before is None or betting.startswith(before[1]))


def is_capture(beginning: str) -> bool:
    """Whether a file that begins so holds states of the wire.

    >>> is_capture("STARTED at 1.5\\nTO 1 at 1.6 MATCHSTATE:0:0::5d5c|\\n"), is_capture("STATE:0:rf:|:-1|1:a|b")
    (True, False)
    """
    return _STATE.search(beginning) is not None and not re.search(r"^\s*STATE:", beginning, re.MULTILINE)


def read(file: HistoryFile, game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a capture."""
    chosen, names = game or _told_game(file), _names(file)
    seen: _Seen | None = None
    for line, text in file.lines():
        for found in _STATE.finditer(text):
            seat, position, number, betting, cards, answer = found.groups()
            if answer:
                continue
            place, hand = int(seat or _OWN), int(number)
            if seen is not None and not seen.continues(place, hand, betting):
                yield file.judged(seen.line, _record, seen, chosen, names)
                seen = None
            seen = seen or _Seen(hand, line)
            seen.states[place] = int(position), betting, cards
    if seen is not None:
        yield file.judged(seen.line, _record, seen, chosen, names)


def _record(seen: _Seen, game: Game, names: tuple[str, ...]) -> HandRecord:
    """The hand of its last states."""
    history = max((betting for _, betting, _ in seen.states.values()), key=len)
    seats, board = game.seats, ""
    holes, who = [""] * seats, [""] * seats
    for seat, (position, _, cards) in sorted(seen.states.items()):
        held, _, dealt = cards.partition("/")
        parts = held.split("|")
        if len(parts) != seats or position >= seats:
            raise InvalidRecordError(f"hand {seen.number}: {len(parts)} holdings in a game of {seats}", "players")
        holes = [before or after for before, after in zip(holes, parts)]
        board = max(board, dealt, key=len)
        for place in range(seats):
            apart = (place - position) % seats
            if place == position or seat == _OWN:
                who[place] = _name(seat, apart, seats, names)
    try:
        known = tuple([parse_cards(hole) for hole in holes])
        record = HandRecord(
            game, seen.number, tuple(who), known, parse_cards(board.replace("/", "")), history, (0,) * seats
        )
    except RailbirdError as error:
        raise InvalidRecordError(f"hand {seen.number}: {error}", "cards") from None
    return replace(record, payoffs=record.replayed_payoffs())


def _name(seat: int, apart: int, seats: int, names: tuple[str, ...]) -> str:
    """The name of a seat's player, or of the one who sits so many places after the owner of a capture."""
    if seat == _OWN:
        return "self" if not apart else "opponent" if seats == 2 else f"opponent {apart}"
    return names[seat - 1] if 0 < seat <= len(names) else f"seat {seat}"


def _names(file: HistoryFile) -> tuple[str, ...]:
    """The players by seat, as the SCORE line at the end of the file has them."""
    try:
        with file.path.open("rb") as raw:
            raw.seek(max(0, file.size - _TAIL))
            found = _SCORE.findall(raw.read(_TAIL))
    except OSError as error:
        raise MatchError(f"cannot read {str(file.path)!r}: {error.strerror}") from None
    return tuple(found[-1].decode(errors="replace").strip().split("|")) if found else ()


def _told_game(file: HistoryFile) -> Game:
    """The game that the first line names, or the competition's for so many players and such betting."""
    named = game_beside(file) or known_game(named_game_file(file.beginning))
    if named is not None:
        return named
    states = list(_STATE.finditer(file.beginning))
    holes = states[0][5].partition("/")[0].split("|") if states else []
    seats = len(holes)
    if any(len(hole) == 2 for hole in holes) or not 2 <= seats <= MOST_SEATS:
        raise MatchError(f"{str(file.path)!r} does not tell its game; say it with --game, as in --game some.game")
    is_sized = any(letter.isdigit() for state in states for letter in state[4])
    return no_limit_holdem(seats) if is_sized else limit_holdem(seats, small_bet=10)


FORMAT = Format("acpc-wire", "capture of the competition's wire", is_capture, read, None, lambda _record: ())
