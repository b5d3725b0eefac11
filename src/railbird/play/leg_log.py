"""The growing log of one leg of a match, and the index beside it.

It begins with two comments, the first of which says how many hands the match is to have. The hands follow, a line each
in order, with faults of bots before the hand in which they happened, and after the last hand the sum. In a match that
goes on to more hands the log is written anew, whole or not at all: with the new number, and without the sum.

The index has a checksum of each block of hands (`railbird.play.log_index`). A block is written before its checksum, so
after a kill the log may be longer than its index; what is, is read line by line, held against the rules, and indexed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from railbird.errors import DamagedLogError, MatchError
from railbird.files import errors_named, locked, open_whole
from railbird.formats import acpc
from railbird.game.record import HandRecord
from railbird.play.damage import Damage, damage_words
from railbird.play.faults import Fault, noted_faults
from railbird.play.log_check import BadLine, LineReader
from railbird.play.log_index import LogIndex, Part
from railbird.play.match import MatchSpec

_HEADER_LINES = 2
_LONGEST_HEADER = 64 * 1024
_MOST_MISSING = 3
"""So many beginnings of blocks that are not found one after the other end the search for them."""
_WINDOW = 1 << 24
"""Bytes that are looked at at once."""
_LONGEST_END = 1 << 20
_HASH = ord("#")
_WORTH_KEEPING = 20_000
"""A reader that had to check so many hands leaves an index for the next one."""


class HandLog:
    """The log of a leg in a match folder for `hands` hands, of which the spec may ask for the first only."""

    def __init__(self, path: Path, spec: MatchSpec, leg: int, hands: int = 0) -> None:
        self.path = path
        self.spec = spec
        self.leg = leg
        self.hands = hands or spec.hands
        self.is_finished = False
        """Whether all hands of the folder are there, and the sum."""
        self.found = 0
        """How many hands there are, as far as they are asked for."""
        self.damages: list[Damage] = []
        """What was found to be damaged."""
        self._reader = LineReader(spec, leg)
        self._index = LogIndex(path, self.header(0), len(spec.bots), spec.block_hands)
        self._tail = Part(len(spec.bots))
        """What is in the log of the block that is not whole yet."""
        self._begin = 0
        """Where the hands begin."""
        self._written = (0, 0)
        """How many hands are known to be in the file, and how long it is with them."""
        self._begun = self.hands
        """How many hands the log says that it is to have: fewer than `hands` before a match goes on to more."""

    def header(self, hands: int) -> bytes:
        """The beginning of a log for so many hands."""
        spec = self.spec
        first = acpc.header("_v_".join(spec.names), f"{spec.game.name}.game", hands, spec.seed)
        return f"{first}\n# stream {self.leg + 1} of {spec.seating.legs}: {spec.seating.description}\n".encode()

    # Reading

    def look(self) -> int:
        """See how far the log is: the number of hands in it, at most as many as the spec asks for.

        The index is believed, what it does not know is checked, a torn end is ignored. Refuses a log of another match,
        and damage in what had to be checked.
        """
        known = self._look()
        if self.damages and known:
            self._look(in_full=True)  # the damage may lie further ahead
        self._refuse_damages()
        if self._all_hands - known >= _WORTH_KEEPING:
            with suppress(OSError, MatchError), locked(self.path.parent):  # unless somebody plays here
                self._index.write()
        return self.found

    def verify(self) -> list[Damage]:
        """Hold every block against its checksum; what is damaged is returned, and not refused."""
        self._look(in_full=True)
        return self.damages

    @property
    def known_hands(self) -> int:
        """How many hands can be read one by one, the blocks that are damaged aside."""
        with suppress(DamagedLogError):
            self.look()
        return self._all_hands

    def won(self, first: int, last: int) -> NDArray[np.int64]:
        """Chips by hand and player of hands `first` to `last - 1`, which must be there."""
        size = self.spec.block_hands
        found = [np.empty((0, len(self.spec.bots)), np.int64)]
        with self.path.open("rb") as file:
            for block in range(first // size, -(-last // size)):
                hands = self._part(block).hands
                won = self._reader.won(self._text(file, block), block * size, hands)
                found.append(won[max(0, first - block * size) : last - block * size])
        return np.concatenate(found)

    def text(self, first: int, last: int) -> bytes:
        """The lines of hands `first` to `last - 1`, with the comments before them."""
        size, found = self.spec.block_hands, []
        with self.path.open("rb") as file:
            for block in range(first // size, -(-last // size)):
                found.append(_cut(self._text(file, block), block * size, first, last))
        return b"".join(found)

    def records(self, first: int, last: int) -> Iterator[HandRecord]:
        """Hands `first` to `last - 1`, block by block."""
        size = self.spec.block_hands
        for start in range(first - first % size, last, size):
            text = self.text(max(first, start), min(last, start + size))
            for line in text.decode().splitlines():
                if acpc.is_hand(line):
                    yield acpc.parse_record(line, self.spec.game)

    def record(self, number: int) -> HandRecord:
        """One hand, held against the rules; refuses one whose block is damaged."""
        [record] = self.records(number, number + 1)
        record.check()
        return record

    @property
    def faults(self) -> list[Fault]:
        """The faults in the log, as far as its hands are asked for."""
        commented = [*self._index.commented, *([len(self._index)] if self._tail.lines > self._tail.hands else [])]
        found = []
        with suppress(FileNotFoundError), self.path.open("rb") as file:
            for block in commented:
                found += self._faults_in(self._text(file, block))
        return [fault for fault in found if fault.hand < self._asked]

    def faults_of(self, number: int) -> list[Fault]:
        """The faults in one hand."""
        return [fault for fault in self._faults_in(self.text(number, number + 1)) if fault.hand == number]

    def _faults_in(self, text: bytes) -> list[Fault]:
        lines = [line for line in text.split(b"\n") if line.startswith(b"#")]
        return noted_faults([line[2:].decode(errors="replace").rstrip() for line in lines], self.leg)

    # Writing

    def open(self) -> int:
        """Make ready to append: refuse what is damaged, cut off a torn end, and return how many hands there are."""
        self.verify()
        self._refuse_damages()
        if self.is_finished or self._is_enough(self.found):
            self._index.write()
            self._note_written()
            return self.found
        end = self._begin + self._end
        if not self._begin:
            with errors_named(self.path):
                self.path.write_bytes(self.header(self.hands))
            self._begin = len(self.header(self.hands))
        elif self._begun != self.hands:
            self._write_header(end)
        elif self.path.stat().st_size != end:
            os.truncate(self.path, end)
        if self._index.hands < self.hands and self._index.hands % self.spec.block_hands:
            self._tail = self._index[len(self._index) - 1]  # the last block of a match that was shorter
            self._index.cut(len(self._index) - 1)
        self._index.write()
        self._note_written()
        self._finish_if_whole()
        return self.found

    def append(self, text: bytes, won: NDArray[np.int64]) -> None:
        """Add hands, all of one block; after the last one of all the SCORE line."""
        self._tail.grow(text, won)
        self.found += len(won)
        with errors_named(self.path), self.path.open("ab") as file:
            file.write(text)
        self._note_written()
        if self._tail.hands == self.spec.block_hands or self._all_hands == self.hands:
            self._index.append(self._tail)
            self._tail = Part(len(self.spec.bots))
        self._finish_if_whole()

    @property
    def hands_kept(self) -> int:
        """How many whole hands are in the file, also while a block is being written: those from which it goes on."""
        hands, size = self._written
        with self.path.open("rb") as file:
            file.seek(size)
            lines = file.read().split(b"\n")[:-1]
        return hands + sum(line.startswith(b"STATE:") for line in lines)

    def _note_written(self) -> None:
        self._written = (self._all_hands, self.path.stat().st_size)

    def _finish_if_whole(self) -> None:
        if self._all_hands < self.hands:
            return
        with errors_named(self.path), self.path.open("ab") as file:
            file.write(self._score())
            file.flush()
            os.fsync(file.fileno())
        self._index.sync()
        self.is_finished = True

    def _write_header(self, end: int) -> None:
        """Write the log anew for more hands, those that it has and without the sum."""
        with open_whole(self.path) as file, self.path.open("rb") as before:
            file.write(self.header(self.hands))
            before.seek(self._begin)
            left = end - self._begin
            while left:
                left -= file.write(before.read(min(left, _WINDOW)))
        self._begin, self._begun = len(self.header(self.hands)), self.hands

    def has_written(self, damage: Damage, text: bytes) -> bool:
        """Whether lines are those that were written where now there is damage, as far as the index knows."""
        size, at = self.spec.block_hands, 0
        for block in range(damage.first // size, -(-damage.last // size)):
            if block < len(self._index):
                known = self._index[block]
                if not known.fits(text[at : at + known.length]):
                    return False
                at += known.length
        return True

    def write_index(self) -> None:
        """Write to the index what was found out about the log."""
        self._index.write()

    # Looking

    @property
    def _asked(self) -> int:
        """How many hands are asked for, which may be fewer than the folder is for."""
        return min(self.spec.hands, self.hands)

    @property
    def _all_hands(self) -> int:
        """How many hands are known to be there."""
        return self._index.hands + self._tail.hands

    @property
    def _end(self) -> int:
        """Where the hands end, counted from the first."""
        return self._index.offset(len(self._index)) + self._tail.length

    def _is_enough(self, hands: int) -> bool:
        """Whether nothing more is asked for, although the folder is for more."""
        return hands >= self.spec.hands and self.spec.hands < self.hands

    def _look(self, in_full: bool = False) -> int:
        """Read the header, the index as far as the log is long enough for it, and what the index does not know: it
        knows so many hands. In full, hold its blocks against their checksums too."""
        self.damages, self.is_finished, self._tail = [], False, Part(len(self.spec.bots))
        self._index.read()  # before the log: one that is being played has at least what its index says
        size = self.path.stat().st_size if self.path.exists() else 0
        self._begin = self._read_header()
        blocks = len(self._index) if self._begin else 0
        while blocks and self._begin + self._index.offset(blocks) > size:
            blocks -= 1
        if blocks and self._index.hands % self._index.block_hands and self._index.hands != self._begun:
            blocks -= 1  # the last block of a match that was shorter is not whole in this one
        self._index.cut(blocks)
        known = self._index.hands
        if self._begin:
            with self.path.open("rb") as file:
                start = self._look_at_blocks(file) if in_full else self._begin + self._end
                if not self._is_enough(known):
                    self._look_at_rest(file, start)
        self.found = min(self._all_hands, self._asked)
        return known

    def _look_at_blocks(self, file: IO[bytes]) -> int:
        """Hold blocks against their checksums, as far as they are asked for, and return where the last one ends.

        A block that is damaged may have another length; it ends where the first hand of the next one is found."""
        block, start = 0, self._begin
        blocks = -(-min(self._index.hands, self._asked) // self.spec.block_hands)
        while block < blocks:
            part = self._index[block]
            file.seek(start)
            if part.fits(file.read(part.length)):
                block, start = block + 1, start + part.length
                continue
            ends = range(block + 1, min(block + 1 + _MOST_MISSING, len(self._index) + 1))
            found = next((each for each in ends if self._place_of(file, start, each) >= 0), block + 1)
            stop = self._place_of(file, start, found)
            stop = stop if stop >= 0 else start + part.length
            self.damages.append(self._damage(block, found, start, stop))
            block, start = found, stop
        return start

    def _place_of(self, file: IO[bytes], start: int, block: int) -> int:
        """Where a block begins that is somewhere after `start`; that after the last one where the sum or nothing is."""
        file.seek(start)
        data = file.read(self._part(block - 1).length * _MOST_MISSING + _WINDOW)
        if block < len(self._index) or self._index.hands < self._begun:
            at = _place(data, min(block * self.spec.block_hands, self._index.hands))
        else:
            at = data.find(b"\nSCORE:") + 1 or -1
        return start + at if at >= 0 else -1

    def _look_at_rest(self, file: IO[bytes], start: int) -> None:
        """Check what the index does not know, block by block, and see whether the sum is there."""
        damaged, line = len(self.damages), _HEADER_LINES + self._index.lines_before(len(self._index))
        file.seek(start)
        for text, first, last in _blocks(file, self._index.hands, self.spec.block_hands, self._begun):
            try:
                self._take_in(text, first, last, len(self.damages) > damaged)
            except BadLine as error:
                place = (line + 1, line + text.count(b"\n"), start, start + len(text))
                words = f"{self.path}:{line + error.line + 1}: {error}"
                self.damages.append(Damage(self.path, first, max(first, last), *place, words))
            start += len(text)
            line += text.count(b"\n")
            if self._is_enough(self._all_hands):
                return
        if len(self.damages) == damaged:
            start -= len(text) - self._tail.length if self._tail.hands else 0
            file.seek(start)
            self._look_at_end(file.read(_LONGEST_END), start)

    def _take_in(self, text: bytes, first: int, last: int, after_gap: bool) -> None:
        """Check the lines of a block, of which the last of all may have fewer hands than it should. After a gap nothing
        can be added."""
        won = self._reader.checked(text, first)
        if self._tail.hands or len(won) > last - first:
            line = 0 if self._tail.hands else text.count(b"\n") - 1
            raise BadLine(line, f"not hand {self._all_hands if self._tail.hands else last - 1} of this match")
        if after_gap:
            return
        part = Part(len(self.spec.bots))
        # Comments after the last hand belong to one that is torn off.
        part.grow(text[: text.find(b"\n", text.rfind(b"\nSTATE:") + 1) + 1] if len(won) else b"", won)
        if part.hands == self.spec.block_hands or first + part.hands == self._begun:
            self._index.add(part)
        else:
            self._tail = part

    def _look_at_end(self, rest: bytes, start: int) -> None:
        """What follows the last hand must be the sum, or nothing that has a line end."""
        lines = [line for line in rest.split(b"\n")[:-1] if not line.startswith(b"#")]
        if not lines:
            return
        line = _HEADER_LINES + self._index.lines_before(len(self._index)) + self._tail.lines + 1
        words = ""
        if self._all_hands != self._begun or not rest.startswith(b"SCORE:") or rest.count(b"\n") > 1 or lines[1:]:
            words = f"{self.path}:{line}: the SCORE line is not the end of the match"
        elif rest != self._score():
            words = f"{self.path}:{line}: the hands give {self._score().decode().strip()!r}, not this SCORE line"
        if words:
            place = (line, line + rest.count(b"\n") - 1, start, start + len(rest))
            self.damages.append(Damage(self.path, self._begun, self._begun, *place, words))
        self.is_finished = not words and self._begun == self.hands

    def _score(self) -> bytes:
        totals = self._index.totals + self._tail.totals
        return (acpc.score_line(totals.tolist(), self.spec.names) + "\n").encode()

    def _read_header(self) -> int:
        """Where the hands begin, 0 if not even the header is whole; notes for how many hands the log was begun."""
        data = b""
        with suppress(FileNotFoundError), self.path.open("rb") as file:
            data = file.read(_LONGEST_HEADER)
        before, number, after = self.header(self.hands).partition(f"{self.hands} {self.spec.seed}\n".encode())
        number = number.partition(b" ")[2]
        found = re.match(re.escape(before) + rb"(\d{1,18}) " + re.escape(number + after), data)
        if found and int(found[1]) <= self.hands:
            self._begun = int(found[1])
            return found.end()
        if found is None and data.count(b"\n") < 2 and (before.startswith(data) or data.startswith(before)):
            return 0
        raise MatchError(f"{self.path}:1: not a log of this match: it begins {data[:60]!r}")

    def _part(self, block: int) -> Part:
        return self._index[block] if block < len(self._index) else self._tail

    def _bytes(self, file: IO[bytes], block: int) -> bytes:
        """The bytes of a block, whatever they are."""
        file.seek(self._begin + self._index.offset(block))
        return file.read(self._part(block).length)

    def _text(self, file: IO[bytes], block: int) -> bytes:
        """The lines of a block, which must be those that were written."""
        text = self._bytes(file, block)
        if not self._part(block).fits(text):
            self._look(in_full=True)
            self.damages = self.damages or [self._damage(block, block + 1, 0, 0)]
            self._refuse_damages()
        return text

    def _damage(self, block: int, last: int, start: int, stop: int) -> Damage:
        """That of blocks `block` to `last - 1`."""
        hands = sum(self._part(each).hands for each in range(block, last))
        lines = sum(self._part(each).lines for each in range(block, last))
        first, line = block * self.spec.block_hands, _HEADER_LINES + self._index.lines_before(block) + 1
        return Damage(self.path, first, first + hands, line, line + lines - 1, start, stop)

    def _refuse_damages(self) -> None:
        if self.damages:
            raise DamagedLogError(damage_words(self.path.parent, self.damages))


def _blocks(file: IO[bytes], first: int, size: int, hands: int) -> Iterator[tuple[bytes, int, int]]:
    """The lines of hands from `first` on, block by block, each with its first hand and the one after its last.

    A block begins where its first hand does, with the comments before it; one whose first hand cannot be found goes
    with the block before. What is torn at the end, and the sum, is left out.
    """
    begun, last, missing = first, first - first % size + size, 0
    data, more, start = file.read(_WINDOW), file.read(_WINDOW), 0
    while last < hands and missing < _MOST_MISSING:
        at = _place(data, last, start)
        if at >= 0:
            yield data[start:at], begun, last
            start, begun, missing = at, last, 0
        elif more and len(data) - start < _MOST_MISSING * _WINDOW:
            data, more, start = data[start:] + more, file.read(_WINDOW), 0
            continue
        else:
            missing += 1
        last += size
    data = data[start:]
    while more:
        data, more = data + more, file.read(_WINDOW)
    end = data.rfind(b"\n") + 1
    sum_line = data.rfind(b"\n", 0, max(0, end - 1)) + 1
    end = sum_line if data.startswith(b"SCORE:", sum_line) else end
    if end:
        yield data[:end], begun, hands if missing else min(last, hands)


def _place(data: bytes, number: int, start: int = 0) -> int:
    """Where the line of a hand begins that is not the first one, with the comments before it; -1 if nowhere."""
    at = data.find(b"\nSTATE:%d:" % number, start) + 1
    while at and data[(before := data.rfind(b"\n", 0, at - 1) + 1)] == _HASH:
        at = before
    return at or -1


def _cut(text: bytes, begun: int, first: int, last: int) -> bytes:
    """Of the lines of a block that begins with hand `begun` those of hands `first` to `last - 1`."""
    end = _place(text, last)
    return text[_place(text, first) if first > begun else 0 : end if end >= 0 else len(text)]
