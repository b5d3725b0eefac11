"""One flat family of exceptions. Each is a `ValueError` whose message quotes the input and says what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class RailbirdError(ValueError):
    """Anything Railbird refuses. The command line prints its message in one line and exits with code 2."""

    exit_code = 2


class RailbirdWarning(UserWarning):
    """Something that was wrong and could be helped. The command line prints its message in one line and goes on."""


class InvalidCardsError(RailbirdError):
    """Text that is not cards, a card named twice, or the wrong number of cards."""


class InvalidRangeError(RailbirdError):
    """Text that is not a range of holdings ("QQ+, AKs, 76s-54s, 40%")."""


class InvalidGameError(RailbirdError):
    """A game that cannot be played: too many seats for the deck, blinds that do not fit, an unknown structure."""


class IllegalActionError(RailbirdError):
    """An action the rules do not allow in this position."""


class InvalidRecordError(RailbirdError):
    """A hand record or log line that contradicts the rules or cannot be read."""

    def __init__(self, message: str, part: str = "line") -> None:
        super().__init__(message)
        self.part = part
        """What is to blame: the "line" as a whole, its "cards", "betting", "payoffs", ...: a kind of problem of
        `railbird.formats.hand_arrays`."""


class UnreadableLineError(InvalidRecordError):
    """A line of a log that is no hand, or a hand of which a part cannot be read."""


class UnknownBotError(RailbirdError):
    """A bot name, file or parameter that leads nowhere."""


class BadAnswerError(RailbirdError):
    """An answer of a program that is none, or not to what it was asked."""


class InvalidChancesError(RailbirdError):
    """Probabilities that a bot tells of itself and that are none."""


class MatchError(RailbirdError):
    """A match that cannot be played, resumed or read."""


class BrokenOffError(MatchError):
    """A match over the network that ended before its last hand: somebody vanished, was too slow or was not understood.
    The command line exits with code 1."""

    exit_code = 1


class DamagedLogError(MatchError):
    """A log in a match folder that does not hold what was written; `railbird repair` mends it."""


class AssessmentError(RailbirdError):
    """Hands that cannot be assessed, or settings that lead nowhere."""


class UnfairSampleError(AssessmentError):
    """Hands from which so many are missing, or just those with certain results, that they say nothing about the rest.
    The command line exits with code 1: all was asked for as it should be, and the answer is that there is none."""

    exit_code = 1


class HiddenCardsError(UnfairSampleError):
    """Hands of which too many hide cards for what was asked; other measures remain."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint that follows an unknown name: "; did you mean 'vexbot'?", or nothing where no name is near.

    >>> did_you_mean("vexbt", ["loki", "vexbot"])
    "; did you mean 'vexbot'?"
    """
    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
