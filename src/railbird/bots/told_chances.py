"""What a bot says in `probabilities`, looked at before anybody reckons with it.

AIVAT, best responses and `check_bot` all believe what a bot says of itself, and a wrong row would make a wrong verdict
that looks as sure as a right one. So it is asked here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.bots.places import error_words, place_of, source_of, trace_of
from railbird.cards import HOLDING_COUNT, holding_text
from railbird.errors import AssessmentError, InvalidChancesError, RailbirdError
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.odds.effective import possible_holdings

Array = NDArray[np.float64]
TOLERANCE = 1e-6
"""What rounding may do, in tables of 32 bits too."""
LIMIT_ACTIONS = FOLD, CALL, RAISE
_NO_NUMBERS = "cSUmM"
"""Kinds of arrays that NumPy would make numbers of, and that are none."""


@dataclass(frozen=True)
class Teller:
    """A player of a log, by his name there, and the bot that he is."""

    name: str
    bot: Bot
    text: str
    """How the bot is written."""

    def chances(self, view: PlayerView, actions: Sequence[Action] = LIMIT_ACTIONS) -> Array:
        """What he says in a hand; refuses a bot that does not tell."""
        found = told_chances(self.bot, view, self._in_hand(view), actions)
        if found is None:
            raise self.silence
        return found

    def actions(self, view: PlayerView) -> tuple[Action, ...]:
        """What the columns stand for."""
        return told_actions(self.bot, view, self._in_hand(view))

    @property
    def silence(self) -> AssessmentError:
        return AssessmentError(f"{quoted(self.text)} does not tell its probabilities, so it cannot be known")

    def is_silent(self, view: PlayerView) -> bool:
        """Whether he does not tell in a view. Whatever else is wrong comes again in a hand, and is told there."""
        try:
            return self.bot.probabilities(view, every=True) is None
        except Exception:
            return False

    def _in_hand(self, view: PlayerView) -> str:
        return f"hand {view.hand_number}: {self.name}{f' ({self.text})' if self.text != self.name else ''}"


def told_chances(
    bot: Bot, view: PlayerView, who: str, actions: Sequence[Action] = LIMIT_ACTIONS, is_legal_only: bool = True
) -> Array | None:
    """How likely a bot does each of some actions in `view`, by holding; none where it does not tell.

    Rows of holdings that share a card with the board are nothing but zeros, whatever the bot says of them. Anything
    else that is not chances is refused with an `InvalidChancesError`, which begins with `who` it is; `is_legal_only`
    also chances of what is not legal.
    """
    said = _numbers(bot, view, who, every=True)
    if said is None:
        return None
    if said.shape != (HOLDING_COUNT, len(actions)):
        raise InvalidChancesError(
            f"{who} gives an array of {said.shape} {place_words(view)}, where {HOLDING_COUNT:,} x {len(actions)} "
            f"belongs: {_names(actions)} by holding"
        )
    if view.board_cards:
        said[_on_board(view.board_cards)] = 0.0
    return _checked(said, view, who, actions, is_legal_only)


def own_chances(
    bot: Bot, view: PlayerView, who: str, actions: Sequence[Action] = LIMIT_ACTIONS, is_legal_only: bool = True
) -> Array | None:
    """The same of the cards that it holds, without the others."""
    said = _numbers(bot, view, who, every=False)
    if said is None:
        return None
    if said.shape != (len(actions),):
        raise InvalidChancesError(
            f"{who} gives an array of {said.shape} with {view.holding} {place_words(view)}, where {len(actions)} "
            f"numbers belong: {_names(actions)}"
        )
    return _checked(said[None], view, who, actions, is_legal_only).ravel()


def told_actions(bot: Bot, view: PlayerView, who: str) -> tuple[Action, ...]:
    """What the columns of a bot's chances stand for."""
    try:
        said = tuple(bot.told_actions(view))
    except Exception as error:
        raise _raised(bot, error, "told_actions", view, who) from error
    if not said or not all(isinstance(action, Action) for action in said):
        raise InvalidChancesError(f"{who} tells no actions {place_words(view)} (told_actions): {quoted(said, 60)}")
    return said


def place_words(view: PlayerView) -> str:
    """Where a bot was asked."""
    return f"on {view.board or 'no board'} after {view.history!r}"


def _numbers(bot: Bot, view: PlayerView, who: str, every: bool) -> Array | None:
    """What a bot says, as far as it is numbers at all."""
    try:
        said = bot.probabilities(view, every)
    except Exception as error:
        if isinstance(error, RailbirdError) and type(bot).__module__.startswith("railbird."):
            raise
        raise _raised(bot, error, "probabilities", view, who) from error
    if said is None:
        return None
    try:
        if np.asarray(said).dtype.kind not in _NO_NUMBERS:
            found: Array = np.array(said, np.float64)  # a copy, which the bot cannot change any more
            return found
    except Exception:
        pass
    raise InvalidChancesError(f"{who} gives no numbers {place_words(view)}: {quoted(said, 60)}")


def _raised(bot: Bot, error: Exception, method: str, view: PlayerView, who: str) -> InvalidChancesError:
    at = place_of(trace_of(error, source_of(type(bot))))
    words = f"{place_words(view)}{f', {at}' if at else ''}"
    return InvalidChancesError(f"{who} raised {error_words(error)} in {method} ({words})")


def _checked(said: Array, view: PlayerView, who: str, actions: Sequence[Action], is_legal_only: bool) -> Array:
    """Rows that are chances; what rounding has left of less than nothing, and of what is not legal, is taken away."""
    barred = [at for at, action in enumerate(actions) if is_legal_only and not view.betting.is_legal(action)]
    with np.errstate(invalid="ignore"):
        off = np.abs(said @ np.ones(len(actions)) - 1.0)
    if len(said) == HOLDING_COUNT and view.board_cards:
        off[_on_board(view.board_cards)] = 0.0
    least = said.min()
    # What is not a number fails every comparison.
    if not (off.max() <= TOLERANCE and least >= -TOLERANCE and all(said[:, at].max() <= TOLERANCE for at in barred)):
        raise InvalidChancesError(_objection(said, off, barred, view, who, actions))
    if least < 0:
        np.maximum(said, 0.0, out=said)
    for at in barred:
        said[:, at] = 0.0
    return said


@lru_cache(maxsize=64)
def _on_board(board: tuple[int, ...]) -> NDArray[np.int64]:
    """The holdings that share a card with a board."""
    return np.flatnonzero(possible_holdings(board) == 0)


def _objection(
    said: Array, off: Array, barred: Sequence[int], view: PlayerView, who: str, actions: Sequence[Action]
) -> str:
    """What is wrong with the first row that is."""
    wrong = ~(off <= TOLERANCE) | ~(said >= -TOLERANCE).all(axis=1) | (said[:, barred] > TOLERANCE).any(axis=1)
    at = int(np.argmax(wrong))
    row = said[at]
    holding = holding_text(at) if len(said) == HOLDING_COUNT else view.holding
    if np.isnan(row).any():
        why = "nan is not a number"
    elif (row < -TOLERANCE).any():
        why = "chances are not negative"
    elif not off[at] <= TOLERANCE:
        why = f"chances sum to 1, and these to {row.sum():.6g}"
    else:
        action = next(actions[column] for column in barred if row[column] > TOLERANCE)
        legal = ", ".join(map(str, view.legal_actions))
        why = f"{str(action)!r} is not legal there (legal: {legal}), so its chance is 0"
    return f"{who} gives {tuple(np.round(row, 6).tolist())} for {holding} {place_words(view)}: {why}"


def _names(actions: Sequence[Action]) -> str:
    return "fold, call and raise" if tuple(actions) == LIMIT_ACTIONS else ", ".join(map(str, actions))
