"""What bots do wrong in a match: how it is told, and how it stands in a log.

A fault stands before the hand in which it happened, and the way to it through the bot's own files below it:

    # hand 17: mybot raised: KeyError: 'flop' at odds.py:3 (settled as a check or fold)
    #   mybot.py:17 in act: return self.best(view)
    #   odds.py:3 in best: return self.table[view.street]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from railbird.bots.places import MOST_WORDS, place_of, shortened
from railbird.words import harmless

_FAULT = re.compile(
    r"hand (\d{1,15}): (\S+) (raised|illegal|timeout|hook): (.*) \((?:settled as|its observation)[^)]*\)"
)
_TRACE = "  "
_LONGEST, _MOST_LINES = 2_000, 50
"""Signs of a comment and lines of a trace; none that was written here has as many."""


class FaultKind(Enum):
    """What a bot can do wrong."""

    RAISED = "raised"
    ILLEGAL = "illegal"
    NO_ACTION = "no action"
    """It answered with something that is not an `Action`; logs call this illegal too."""
    TIMEOUT = "timeout"
    HOOK = "hook"
    """An exception, or too long a thought, outside a decision."""

    @property
    def log_word(self) -> str:
        return FaultKind.ILLEGAL.value if self is FaultKind.NO_ACTION else self.value


@dataclass(frozen=True)
class Fault:
    """Something a bot did wrong in a hand, and what was done about it."""

    hand: int
    player: str
    kind: FaultKind
    message: str
    trace: tuple[str, ...] = ()
    """The way to it through the bot's own files, the last line where it happened; see `railbird.bots.places`."""
    leg: int = 0

    @property
    def place(self) -> str:
        """File and line, as in "mybot.py:17"; nothing where they are not known."""
        return place_of(self.trace)

    def __str__(self) -> str:
        settled = "its observation is lost" if self.kind is FaultKind.HOOK else "settled as a check or fold"
        at = f" at {self.place}" if self.place else ""
        return f"hand {self.hand}: {self.player} {self.kind.log_word}: {self.message}{at} ({settled})"

    def noted(self, leg: int) -> Fault:
        """The fault as the log of a leg keeps it."""
        message = shortened(self.message, MOST_WORDS)
        trace = tuple(map(harmless, self.trace))
        return replace(self, kind=FaultKind(self.kind.log_word), message=message, trace=trace, leg=leg)

    def lines(self) -> list[str]:
        """The comments of a log that say it."""
        return [f"# {self}", *(f"# {_TRACE}{line}" for line in self.trace)]


def noted_faults(comments: Sequence[str], leg: int) -> list[Fault]:
    """The faults in comments of a leg's log, which are given without the number sign and the blank after it."""
    found: list[Fault] = []
    for comment in comments:
        if len(comment) > _LONGEST:
            continue
        if comment.startswith(_TRACE) and found and len(found[-1].trace) < _MOST_LINES:
            found[-1] = replace(found[-1], trace=(*found[-1].trace, comment.removeprefix(_TRACE)))
        elif match := _FAULT.fullmatch(comment):
            hand, player, kind, message = match.groups()
            found.append(Fault(int(hand), player, FaultKind(kind), message, (), leg))
    at = [f" at {fault.place}" if fault.place else "" for fault in found]
    return [replace(fault, message=fault.message.removesuffix(end)) for fault, end in zip(found, at)]
