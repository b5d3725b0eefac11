"""What was won in each hand of a match's log, from its bytes: the last but one field of each line.

A line is looked at from both ends: at its beginning stands the hand's number, at its end the names of those who played
it, before them the payoffs. The betting and the cards between are not read; whoever calls knows that the bytes are what
was written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel

_STATE = np.frombuffer(b"STATE:", dtype=np.uint8)
_NEWLINE, _COLON, _BAR, _MINUS, _ZERO, _HASH = 10, 58, 124, 45, 48, 35
_MOST_DIGITS = 18


class Seats(NamedTuple):
    """Who sits where: row (shift + hand) mod the number of rows names the player at each position."""

    rows: np.ndarray
    shift: int
    endings: np.ndarray
    """By row, how the line of a hand ends: a colon, the names, a line end."""
    lengths: np.ndarray


@kernel
def read_payoffs(data, seats: Seats, number, won):
    """Fill in the chips by hand and player of the hands from `number` on that are in the bytes, which are whole lines;
    how many they are, or -1 - the line that is not the next hand. Lines that begin with # are passed over."""
    hands, line, start = 0, 0, 0
    rows, endings, lengths = seats.rows, seats.endings, seats.lengths
    while start < len(data):
        stop = start
        while stop < len(data) and data[stop] != _NEWLINE:
            stop += 1
        if data[start] != _HASH:
            row = (seats.shift + number) % len(rows)
            at = stop + 1 - lengths[row]
            if stop == len(data) or hands == len(won) or not _begins(data, start, at, number):
                return -1 - line
            for i in range(lengths[row]):
                if data[at + i] != endings[row, i]:
                    return -1 - line
            for position in range(rows.shape[1] - 1, -1, -1):
                chips, digits, scale = np.int64(0), 0, np.int64(1)
                at -= 1
                while at > start and _ZERO <= data[at] <= _ZERO + 9:
                    digits += 1
                    if digits > _MOST_DIGITS:
                        return -1 - line
                    chips += scale * (np.int64(data[at]) - _ZERO)
                    scale *= 10
                    at -= 1
                if data[at] == _MINUS:
                    chips = -chips
                    at -= 1
                if digits == 0 or data[at] != (_BAR if position > 0 else _COLON):
                    return -1 - line
                won[hands, rows[row, position]] = chips
            hands += 1
            number += 1
        line += 1
        start = stop + 1
    return hands


@kernel
def _begins(data, start, end, number):
    """Whether a line that begins at `start` is that of hand `number`, as far as its beginning tells."""
    digits, rest = 1, number
    while rest >= 10:
        rest //= 10
        digits += 1
    if end - start < len(_STATE) + digits + 1 or data[start + len(_STATE) + digits] != _COLON:
        return False
    for i in range(len(_STATE)):
        if data[start + i] != _STATE[i]:
            return False
    rest = number
    for i in range(digits - 1, -1, -1):
        if data[start + len(_STATE) + i] != _ZERO + rest % 10:
            return False
        rest //= 10
    return True
