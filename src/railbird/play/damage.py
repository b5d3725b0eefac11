"""Damage in the logs of a match: where it is, in words, and what mends it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from railbird.words import count_of


class Damage(NamedTuple):
    """A part of a log that does not hold what was written there."""

    log: Path
    first: int
    last: int
    """Hands `first` to `last - 1`; none where it is the sum that is wrong."""
    first_line: int
    last_line: int
    start: int
    stop: int
    """Where it lies in the file."""
    words: str = ""
    """What is wrong with which line, where that is known."""

    def __str__(self) -> str:
        if self.words:
            return self.words
        hands = f"hands {self.first:,} to {self.last - 1:,}" if self.last - self.first > 1 else f"hand {self.first:,}"
        return f"{self.log}:{self.first_line}-{self.last_line}: {hands} are not as they were written (checksum)"


def damage_words(folder: Path, damages: Sequence[Damage]) -> str:
    """What is said where damage was found, in one line."""
    more = f"; and {count_of(len(damages) - 1, 'block')} more" if len(damages) > 1 else ""
    return f"{damages[0]}{more}; mend it with: railbird repair {shlex.quote(str(folder))}"
