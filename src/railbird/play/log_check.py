"""Lines of a match's log held against the match: whose hands they must be, and what the rules say of each.

This is for what no checksum vouches for: the end of a log that was being written, and logs without an index.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError, InvalidRecordError, MatchError
from railbird.formats import acpc
from railbird.formats.hand_logs import heads_up_limit
from railbird.play.match import MatchSpec

_WORTH_A_KERNEL = 2_000
"""So many hands are read by the kernel; fewer are not worth compiling it."""


class BadLine(MatchError):
    """A line that is not what it must be, counted from 0."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class LineReader:
    """Reads the lines of one leg of a match."""

    def __init__(self, spec: MatchSpec, leg: int) -> None:
        self.spec = spec
        self.leg = leg
        self._names = {order: [spec.names[player] for player in order] for order in spec.seating.rows}

    @cached_property
    def _seats(self) -> Any:
        """What the kernel knows of the seating."""
        from railbird.kernels.play.log_payoffs import Seats

        rows = self.spec.seating.rows
        endings = [(":" + "|".join(self._names[row]) + "\n").encode() for row in rows]
        wide = np.zeros((len(rows), max(map(len, endings))), np.uint8)
        for at, ending in enumerate(endings):
            wide[at, : len(ending)] = np.frombuffer(ending, np.uint8)
        return Seats(np.array(rows, np.int64), self.leg, wide, np.array([len(each) for each in endings], np.int64))

    def won(self, text: bytes, first: int, hands: int) -> NDArray[np.int64]:
        """Chips by hand and player of lines that are known to be hand `first` and those after it."""
        from railbird.kernels.play.log_payoffs import read_payoffs

        won = np.empty((hands, len(self.spec.bots)), np.int64)
        found = int(read_payoffs(np.frombuffer(text, np.uint8), self._seats, first, won))
        if found != hands:
            line = -1 - found if found < 0 else text.count(b"\n")
            raise BadLine(line, f"not hand {first} and those after it of this match")
        return won

    def checked(self, text: bytes, first: int) -> NDArray[np.int64]:
        """The same of lines that must be so and keep the rules; refuses others."""
        hands = text.count(b"\nSTATE:") + text.startswith(b"STATE:")
        if hands >= _WORTH_A_KERNEL:
            with suppress(InvalidGameError, BadLine):
                game = heads_up_limit(self.spec.game, "the match")
                won = self.won(text, first, hands)
                if self._keeps_rules(text, hands, game):
                    return won
        return self._checked_slowly(text, first)

    def _keeps_rules(self, text: bytes, hands: int, game: Any) -> bool:
        """Whether the kernel finds nothing wrong with lines of heads-up limit hold'em."""
        from railbird.formats.log_file import LogFile
        from railbird.kernels.play.log_lines import HAND

        log = LogFile("", text, game, may_be_raked=False)
        found = log.read(lambda _done: None)
        return found is not None and not log.problems and int((found.verdicts == HAND).sum()) == hands

    def _checked_slowly(self, text: bytes, first: int) -> NDArray[np.int64]:
        won: list[list[int]] = []
        for at, line in enumerate(text.split(b"\n")[:-1]):
            if not line.startswith(b"#"):
                won.append(self._payoffs(line, first + len(won), at))
        return np.array(won, np.int64).reshape(-1, len(self.spec.bots))

    def _payoffs(self, line: bytes, number: int, at: int) -> list[int]:
        """Chips by player of hand `number`, whose line must be this one."""
        order = self.spec.seating.order(self.leg, number)
        hand = None
        with suppress(UnicodeDecodeError, InvalidRecordError):
            hand = acpc.StateLine.parse(line.decode())
        if hand is None or hand.number != number or hand.names != self._names[order]:
            raise BadLine(at, f"not hand {number} of this match: {line[:60].decode(errors='replace')!r}")
        try:
            payoffs = [int(chips) for chips in hand.payoffs()]
            if len(payoffs) != len(order) or sum(payoffs) != 0 or tuple(payoffs) != hand.payoffs():
                raise InvalidRecordError(f"the payoffs {'|'.join(hand.won)!r} are wrong")
            hand.record(self.spec.game).check()
        except InvalidRecordError as error:
            raise BadLine(at, str(error)) from None
        won = [0] * len(order)
        for player, chips in zip(order, payoffs):
            won[player] = chips
        return won
