"""Calling a bot: whatever it does, what comes back are plain values.

A decision is an `Action` made of a plain string and a plain number, or it is `Wrong`, which says in bounded, printable
words what happened. The bot's own objects (exceptions, strange answers) are looked at here and nowhere else.
"""

from __future__ import annotations

from typing import NamedTuple

from railbird.bots.base import Bot
from railbird.bots.places import MOST_WORDS, definition, error_words, shortened, source_of, trace_of
from railbird.errors import BadAnswerError
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.clock import BotTimeout, Clock
from railbird.play.faults import FaultKind

_MOST_LETTERS, _MANY = 9, 2**63
NO_WORDS = "an exception that cannot be said in words"
"""What is said of one that raises when it is told, or that takes for ever."""
HOOKS = ("on_hand", "on_action", "on_board", "on_showdown", "on_result")


class Wrong(NamedTuple):
    """What a bot did instead of what it was called for."""

    kind: FaultKind
    message: str
    trace: tuple[str, ...] = ()
    """The way to it through the bot's own files; see `railbird.bots.places`."""
    is_late: bool = False


def decided(bot: Bot, view: PlayerView, clock: Clock, call: int) -> Action | Wrong:
    """A bot's decision. An answer that came after the alarm is too late, whatever it is."""
    action: object = None
    error: BaseException | None = None
    said = ""
    try:
        try:
            clock.start(call)
            action = bot.act(view)
            if type(action) is Action and _is_plain(*action) and not clock.rang:
                return action
            said = shortened(repr(action[:MOST_WORDS] if isinstance(action, str | bytes) else action), MOST_WORDS)
        except (Exception, SystemExit) as raised:
            error, said = raised, error_words(raised)
        finally:
            clock.stop()
    except (Exception, BotTimeout) as raised:
        error, said = raised, said or NO_WORDS
    if clock.rang:
        return Wrong(FaultKind.TIMEOUT, clock.late_words, way_to(bot, "act", error), True)
    if isinstance(error, BadAnswerError):
        return Wrong(FaultKind.ILLEGAL, shortened(str(error), MOST_WORDS), way_to(bot, "act"))
    if error is not None:
        return Wrong(FaultKind.RAISED, said, way_to(bot, "act", error))
    if type(action) is Action:
        return Wrong(FaultKind.ILLEGAL, f"{said} is not made of a letter and a whole number", way_to(bot, "act"))
    return Wrong(FaultKind.NO_ACTION, f"answered {said}, which is not an Action", way_to(bot, "act"))


def _is_plain(kind: object, amount: object) -> bool:
    """Whether an action is made of what it should be; whether it is legal is for the rules to say."""
    return type(kind) is str and type(amount) is int and len(kind) < _MOST_LETTERS and -_MANY < amount < _MANY


def told(bot: Bot, method: str, facts: tuple[object, ...], clock: Clock, call: int) -> Wrong | None:
    """Call something of a bot that is not a decision; `None` if all went well."""
    error: BaseException | None = None
    said = ""
    try:
        try:
            clock.start(call)
            getattr(bot, method)(*facts)
        except (Exception, SystemExit) as raised:
            error, said = raised, error_words(raised)
        finally:
            clock.stop()
    except (Exception, BotTimeout) as raised:
        error, said = raised, said or NO_WORDS
    if clock.rang:
        return Wrong(FaultKind.HOOK, f"{method}: {clock.late_words}", way_to(bot, method, error), True)
    if error is not None:
        return Wrong(FaultKind.HOOK, f"{method}: {said}", way_to(bot, method, error))
    return None


def way_to(bot: Bot, method: str, error: BaseException | None = None) -> tuple[str, ...]:
    """The way through the bot's files to an exception, or else where it says what to do; of programs nobody knows."""
    kind = type(bot)
    if kind.is_program:
        return ()
    if method == "act" and kind.act is Bot.act:
        method = "explain"
    return (trace_of(error, source_of(kind)) if error else ()) or definition(kind, method)


def hooks_of(bot: Bot) -> frozenset[str]:
    """The hooks that a bot has written."""
    return frozenset(hook for hook in HOOKS if getattr(type(bot), hook) is not getattr(Bot, hook))
