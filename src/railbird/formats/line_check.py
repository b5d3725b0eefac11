"""One line of a heads-up limit log, judged: the hand, or which rule it breaks and how.

This is the slow and thorough reader behind `railbird.kernels.play.log_lines`, and the authority over it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from railbird.cards import parse_cards
from railbird.errors import InvalidCardsError, InvalidRecordError, RailbirdError
from railbird.formats.acpc import parse_record
from railbird.game.record import HandRecord
from railbird.game.spec import Game

MOST_DIGITS = 15
"""Hand numbers and payoffs with more digits are refused."""
_NO_LIMIT = re.compile(r"r\d")
_LONGEST_MESSAGE = 240


class Judgement(NamedTuple):
    """What a line is: a hand, or a problem and its kind (see `hand_arrays.PROBLEM_KINDS`)."""

    record: HandRecord | None
    kind: str = ""
    message: str = ""


def judged(line: str, game: Game) -> Judgement:
    """The hand of a line that is no comment, checked against the rules of a heads-up limit game.

    >>> from railbird.game.spec import limit_holdem
    >>> judged("STATE:3:rrf:AsKd|2c7d:6|-6:Ann|Bob", limit_holdem()).kind
    'payoffs'
    """
    try:
        record = parse_record(line, game)
    except RailbirdError as error:
        return _refused(_kind_of_unreadable(line), error)
    except ValueError:  # a hand number of thousands of digits
        return _refused("not-a-hand", "the hand's number has too many digits")
    kind = _kind_of_unreadable(line)
    if kind in ("players", "no-limit"):
        return _refused(kind, _foreign(record, kind))
    if max(record.number, *(abs(chips) for chips in record.payoffs)) >= 10**MOST_DIGITS:
        return _refused("not-a-hand", f"hand {record.number}: a number of more than {MOST_DIGITS} digits")
    try:
        node = record.final()
    except RailbirdError as error:
        return _refused("betting", error)
    try:
        record.check()
    except InvalidCardsError as error:
        return _refused("cards", f"hand {record.number}: {error}")
    except InvalidRecordError as error:
        return _refused("payoffs" if " recorded, but " in str(error) else "cards", error)
    if node.is_showdown and not all(record.holes):
        stake = node.committed[0]
        if record.payoffs not in ((stake, -stake), (-stake, stake), (0, 0)):
            return _refused(
                "payoffs",
                f"hand {record.number}: payoffs {record.payoffs} recorded, but a showdown for {stake} chips each "
                f"gives {(stake, -stake)}, {(-stake, stake)} or nothing",
            )
    return Judgement(record)


def _kind_of_unreadable(line: str) -> str:
    """Which part of a line is to blame."""
    fields = re.sub(r"\s+#.*$", "", line.strip()).split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        return "not-a-hand"
    _, number, history, cards, won, names = fields
    if not (number.isascii() and number.isdigit()):
        return "not-a-hand"
    holes, _, board = cards.partition("/")
    if not len(names.split("|")) == len(holes.split("|")) == len(won.split("|")) == 2:
        return "players"
    if _NO_LIMIT.search(history):
        return "no-limit"
    try:
        for text in (*holes.split("|"), board.replace("/", "")):
            parse_cards(text)
    except InvalidCardsError:
        return "cards"
    if any(letter not in "fcr/" for letter in history):
        return "betting"
    return "payoffs"


def _foreign(record: HandRecord, kind: str) -> str:
    if kind == "no-limit":
        return f"hand {record.number}: no-limit betting {record.history!r} in a log of limit hold'em"
    counts = f"{len(record.names)} names, {len(record.holes)} holdings and {len(record.payoffs)} payoffs"
    return f"hand {record.number}: {counts}; a heads-up hand has 2 of each"


def _refused(kind: str, error: object) -> Judgement:
    return Judgement(None, kind, printable(str(error)))


def printable(text: str) -> str:
    """The text on one line of bounded length, without characters that a terminal would obey."""
    shown = "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])
    return shown if len(shown) <= _LONGEST_MESSAGE else shown[: _LONGEST_MESSAGE - 3] + "..."
