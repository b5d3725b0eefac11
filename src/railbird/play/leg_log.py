"""The growing log of one leg of a match.

It begins with two comments, the first of which says how many hands the match is to have. The hands follow, a line each
in order, with faults of bots before the hand in which they happened, and after the last hand the sum. In a match that
goes on to more hands the log is written anew, whole or not at all: with the new number, and without the sum.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidRecordError, MatchError
from railbird.files import errors_named, write_whole
from railbird.formats import acpc
from railbird.play.faults import Fault, noted_faults
from railbird.play.match import MatchSpec


class HandLog:
    """The log of a leg in a match folder for `hands` hands, of which the spec may ask for the first only."""

    def __init__(self, path: Path, spec: MatchSpec, leg: int, hands: int = 0) -> None:
        self.path = path
        self.spec = spec
        self.leg = leg
        self.hands = hands or spec.hands
        self.faults: list[Fault] = []
        self.is_finished = False
        """Whether all hands of the folder are there, and the sum."""
        self._names = {order: [spec.names[player] for player in order] for order in spec.seating.rows}
        self._totals = np.zeros(len(spec.bots), np.int64)
        self._found = self._begin = self._end = 0
        """How many hands were found, and where they lie in the file."""
        self._written = (0, 0)
        """How many hands are known to be in the file, and how long it is with them."""
        self._begun = self.hands
        """How many hands the log says that it is to have: fewer than `hands` before a match goes on to more."""

    def header(self, hands: int) -> bytes:
        """The beginning of a log for so many hands."""
        spec = self.spec
        first = acpc.header("_v_".join(spec.names), f"{spec.game.name}.game", hands, spec.seed)
        return f"{first}\n# stream {self.leg + 1} of {spec.seating.legs}: {spec.seating.description}\n".encode()

    def scan(self) -> NDArray[np.int64]:
        """Chips by hand and player of the hands in the log, the first of them if the spec asks for fewer.

        A torn end is ignored; anything else wrong is refused.
        """
        data = self.path.read_bytes() if self.path.exists() else b""
        self.faults, self.is_finished, self._found = [], False, 0
        self._begin = self._end = position = self._read_header(data)
        won: list[list[int]] = []
        comments: list[str] = []
        line_number = data[:position].count(b"\n")
        while position and not self._is_enough(len(won)) and (at := data.find(b"\n", position)) >= 0:
            line = data[position:at]
            position = at + 1
            line_number += 1
            if line.startswith(b"#"):
                comments.append(line[2:].decode(errors="replace").rstrip())
                continue
            is_sum = line.startswith(b"SCORE:")
            if is_sum != (len(won) == self._begun) or (is_sum and position != len(data)):
                raise MatchError(f"{self.path}:{line_number}: the SCORE line is not the end of the match")
            if is_sum:
                self._check_score(line, won, line_number)
                self.is_finished = self._begun == self.hands
                break
            won.append(self._payoffs(line, len(won), line_number))
            self.faults += noted_faults(comments, self.leg)
            comments = []
            self._end = position
        self._found = len(won)
        return np.array(won, np.int64).reshape(-1, len(self.spec.bots))

    def open(self) -> NDArray[np.int64]:
        """Make ready to append: cut off a torn end and return what `scan` returns."""
        won = self.scan()
        self._totals = won.sum(axis=0, dtype=np.int64)
        if self.is_finished or self._is_enough(len(won)):
            self._note_written()
            return won
        if not self._begin:
            with errors_named(self.path):
                self.path.write_bytes(self.header(self.hands))
        elif self._begun != self.hands:
            write_whole(self.path, self.header(self.hands) + self.path.read_bytes()[self._begin : self._end])
        else:
            os.truncate(self.path, self._end)
        self._note_written()
        self._finish_if_whole()
        return won

    @property
    def hands_kept(self) -> int:
        """How many whole hands are in the file, also while a block is being written: those from which it goes on."""
        hands, size = self._written
        with self.path.open("rb") as file:
            file.seek(size)
            lines = file.read().split(b"\n")[:-1]
        return hands + sum(line.startswith(b"STATE:") for line in lines)

    def noted(self) -> list[Fault]:
        """The faults in the log, which is not checked."""
        comments = [line[2:].rstrip() for line in self.path.read_text(errors="replace").splitlines() if line[:1] == "#"]
        return noted_faults(comments, self.leg)

    def append(self, text: bytes, won: NDArray[np.int64]) -> None:
        """Add a block of hands; after the last one the SCORE line."""
        self._totals += won.sum(axis=0, dtype=np.int64)
        self._found += len(won)
        with errors_named(self.path), self.path.open("ab") as file:
            file.write(text)
        self._note_written()
        self._finish_if_whole()

    def _note_written(self) -> None:
        self._written = (self._found, self.path.stat().st_size)

    def _is_enough(self, hands: int) -> bool:
        """Whether nothing more is asked for, although the folder is for more."""
        return hands == self.spec.hands < self.hands

    def _finish_if_whole(self) -> None:
        if self._found < self.hands:
            return
        with errors_named(self.path), self.path.open("ab") as file:
            file.write((acpc.score_line(self._totals.tolist(), self.spec.names) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        self.is_finished = True

    def _read_header(self, data: bytes) -> int:
        """Where the hands begin, 0 if not even the header is whole; notes for how many hands the log was begun."""
        before, number, after = self.header(self.hands).partition(f"{self.hands} {self.spec.seed}\n".encode())
        number = number.partition(b" ")[2]
        found = re.match(re.escape(before) + rb"(\d{1,18}) " + re.escape(number + after), data)
        if found and int(found[1]) <= self.hands:
            self._begun = int(found[1])
            return found.end()
        if found is None and data.count(b"\n") < 2 and (before.startswith(data) or data.startswith(before)):
            return 0
        raise MatchError(f"{self.path}:1: not a log of this match: it begins {data[:60]!r}")

    def _payoffs(self, line: bytes, number: int, line_number: int) -> list[int]:
        """Chips by player of hand `number`, whose line must be this one."""
        order = self.spec.seating.order(self.leg, number)
        hand = None
        with suppress(UnicodeDecodeError, InvalidRecordError):
            hand = acpc.StateLine.parse(line.decode())
        if hand is None or hand.number != number or hand.names != self._names[order]:
            found = line[:60].decode(errors="replace")
            raise MatchError(f"{self.path}:{line_number}: not hand {number} of this match: {found!r}")
        try:
            payoffs = hand.payoffs()
        except InvalidRecordError as error:
            raise MatchError(f"{self.path}:{line_number}: {error}") from None
        if len(payoffs) != len(order) or sum(payoffs) != 0:
            raise MatchError(f"{self.path}:{line_number}: the payoffs {'|'.join(hand.won)!r} are wrong")
        won = [0] * len(order)
        for player, chips in zip(order, payoffs):
            won[player] = chips
        return won

    def _check_score(self, line: bytes, won: Sequence[Sequence[int]], line_number: int) -> None:
        totals = np.array(won, np.int64).reshape(-1, len(self.spec.bots)).sum(axis=0)
        expected = acpc.score_line(totals.tolist(), self.spec.names).encode()
        if line != expected:
            raise MatchError(f"{self.path}:{line_number}: the hands give {expected.decode()!r}, not this SCORE line")
