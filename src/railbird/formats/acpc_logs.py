"""Competition logs of any game, as one of the formats of hand histories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from railbird.errors import MatchError
from railbird.formats.acpc import is_hand, is_log, parse_record, record_line
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.readers import Format
from railbird.game.record import HandRecord
from railbird.game.spec import Game


def read(file: HistoryFile, game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a log; the game must be said."""
    if game is None:
        raise MatchError(f"{str(file.path)!r} does not tell its game; say it")
    for number, line in file.lines():
        text = line.strip()
        if is_hand(text):
            yield file.judged(number, parse_record, text, game)


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    """A line for each hand."""
    for record in records:
        yield f"{record_line(record)}\n"


def unsaid(record: HandRecord) -> list[str]:
    """A log says the cards, the betting and the payoffs, and nothing else of the hand."""
    return ["the game"] if record.telling is None else ["the game", "table, time and seats"]


FORMAT = Format("acpc", "competition log", is_log, read, write, unsaid, (".log",))
