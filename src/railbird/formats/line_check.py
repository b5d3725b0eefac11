"""One line of a heads-up limit log, judged: the hand, or which rule it breaks and how.

This is the slow and thorough reader behind `railbird.kernels.play.log_lines`, and the authority over it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from railbird.errors import RailbirdError, UnreadableLineError
from railbird.formats.acpc import StateLine
from railbird.game.rake import is_raked
from railbird.game.record import HandRecord
from railbird.game.spec import Game

_NO_LIMIT = re.compile(r"r\d")
_LONGEST_MESSAGE = 240
_KIND_OF_PART = {"line": "not-a-hand"}
"""The kind of problem that a part of a line which cannot be read is; the others have the same name."""


class Judgement(NamedTuple):
    """What a line is: a hand, or a problem and its kind (see `hand_arrays.PROBLEM_KINDS`)."""

    record: HandRecord | None
    kind: str = ""
    message: str = ""


def judged(line: str, game: Game, may_be_raked: bool = True) -> Judgement:
    """The hand of a line that is no comment, checked against the rules of a heads-up limit game.

    >>> from railbird.game.spec import limit_holdem
    >>> judged("STATE:3:rrf:AsKd|2c7d:6|-6:Ann|Bob", limit_holdem()).kind
    'payoffs'
    """
    try:
        state = StateLine.parse(line)
        if not len(state.names) == len(state.holes) == len(state.won) == 2:
            counts = f"{len(state.names)} names, {len(state.holes)} holdings and {len(state.won)} payoffs"
            return _refused("players", f"hand {state.number}: {counts}; a heads-up hand has 2 of each")
        if _NO_LIMIT.search(state.history):
            message = f"hand {state.number}: no-limit betting {state.history!r} in a log of limit hold'em"
            return _refused("no-limit", message)
        record = state.record(game)
    except UnreadableLineError as error:
        return _refused(_KIND_OF_PART.get(error.part, error.part), error)
    try:
        node = record.final()
    except RailbirdError as error:
        return _refused("betting", error)
    try:
        record.check_cards()
    except RailbirdError as error:
        return _refused("cards", error)
    if node.is_showdown and not all(record.holes):
        stake = node.committed[0]
        ends = ((stake, -stake), (-stake, stake), (0, 0))
        raked = may_be_raked and any(is_raked(record.payoffs, end, node.committed, game.small_bet) for end in ends)
        if record.payoffs not in ends and not raked:
            return _refused(
                "payoffs",
                f"hand {record.number}: payoffs {record.payoffs} recorded, but a showdown for {stake} chips each "
                f"gives {(stake, -stake)}, {(-stake, stake)} or nothing",
            )
    try:
        record.check_payoffs(may_be_raked)
    except RailbirdError as error:
        return _refused("payoffs", error)
    return Judgement(record)


def _refused(kind: str, error: object) -> Judgement:
    return Judgement(None, kind, printable(str(error)))


def printable(text: str) -> str:
    """The text on one line of bounded length, without characters that a terminal would obey."""
    shown = "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])
    return shown if len(shown) <= _LONGEST_MESSAGE else shown[: _LONGEST_MESSAGE - 3] + "..."
