"""What a person can do in a decision, in words and keys, and what was meant by an answer.

Amounts are those of the street, as players say them: "raise to 300" makes 300 the chips in front of the player.
"""

from __future__ import annotations

from typing import NamedTuple

from railbird.errors import IllegalActionError
from railbird.game.actions import CALL, FOLD, Action, raise_to
from railbird.game.spec import Structure
from railbird.game.view import PlayerView
from railbird.numbers import LONGEST_NUMBER, quoted, whole_number

_FOLDS, _CALLS = ("f", "fold"), ("c", "k", "call", "check")
_RAISES = ("raise", "bet", "r", "b")
_ANYWAY = "ff"
SIZES = ("min", "half", "pot", "max")


class Choice(NamedTuple):
    """A key and what it does."""

    key: str
    words: str


def choices(view: PlayerView) -> list[Choice]:
    """The keys of a decision.

    >>> from railbird.game.betting import Betting
    >>> from railbird.game.spec import limit_holdem
    >>> view = PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), 0, ("Ann", "Bob"))
    >>> [f"{key}: {words}" for key, words in choices(view)]
    ['f: fold', 'c: call 1', 'r: raise to 4']
    """
    owed, node = view.to_call_chips, view.betting
    found = [Choice("f", "fold")] if owed else []
    found.append(Choice("c", f"call {owed}" if owed else "check"))
    if view.can_raise:
        least, most = raise_sizes(view)
        word = "raise" if node.level else "bet"
        size = f"{word} to {least}" if node.level else f"{word} {least}"
        found.append(Choice("r", size if least == most else f"{word}, {least} to {most}"))
    return found


def raise_sizes(view: PlayerView) -> tuple[int, int]:
    """The smallest and the largest raise."""
    node, before = view.betting, _before_street(view)
    return node.min_raise_to - before, node.max_raise_to - before


def needs_amount(view: PlayerView) -> bool:
    """Whether a raise has to be told its size."""
    least, most = raise_sizes(view) if view.can_raise else (0, 0)
    return view.game.structure is not Structure.FIXED_LIMIT and least < most


def sizes(view: PlayerView) -> dict[str, int]:
    """Raises that have a name: the smallest, half the pot, the pot and the largest, as far as they are allowed."""
    node = view.betting
    least, most = raise_sizes(view)
    pot = node.pot + node.to_call
    wanted = (least, node.level + pot // 2, node.level + pot, most)
    return {name: size for name, size in zip(SIZES, wanted) if least <= size <= most}


def answer(view: PlayerView, text: str) -> Action:
    """The action that an answer means: "f", "c", "r", "r 300", "r pot"; refuses what cannot be done, and says why."""
    words = text.strip().lower()
    if words in (*_FOLDS, _ANYWAY):
        return _fold(view, words)
    if words in _CALLS:
        return CALL
    command = next((word for word in _RAISES if words.startswith(word)), "")
    amount = words.removeprefix(command).removeprefix(" to ").strip()
    if not command or (amount and not amount.isdecimal() and amount not in SIZES):
        raise IllegalActionError(f"{quoted(text.strip())} is not understood")
    return _raise(view, amount)


def _fold(view: PlayerView, words: str) -> Action:
    if view.to_call_chips:
        return FOLD
    if not view.can_fold:
        raise IllegalActionError("there is nothing to fold to: checking is free (c)")
    if words != _ANYWAY:
        raise IllegalActionError("checking is free (c); ff folds all the same")
    return FOLD


def _raise(view: PlayerView, amount: str) -> Action:
    node = view.betting
    if not view.can_raise:
        most = view.game.max_raises[node.street]
        is_capped = most is not None and node.raises >= most
        why = f"the {view.street} is capped" if is_capped else "no chips are left for it, or the betting is closed"
        raise IllegalActionError(f"no raise here: {why}")
    least, most_chips = raise_sizes(view)
    if least == most_chips and not amount:
        return view.smallest_raise()
    if not amount:
        raise IllegalActionError(f"how much? r {least} to r {most_chips}, or {_named(view)}")
    chips = sizes(view).get(amount, 0) if amount in SIZES else _chips(amount)
    if not least <= chips <= most_chips:
        allowed = f"r raises to {least}" if least == most_chips else f"from {least} to {most_chips}"
        raise IllegalActionError(f"{amount[:LONGEST_NUMBER]} cannot be bet here: {allowed}")
    if view.game.structure is Structure.FIXED_LIMIT:
        return view.smallest_raise()
    return raise_to(chips + _before_street(view))


def _chips(amount: str) -> int:
    """The chips that are written, -1 for more than there can be."""
    try:
        return whole_number(amount)
    except ValueError:
        return -1


def _named(view: PlayerView) -> str:
    return ", ".join(f"r {name} ({size})" for name, size in sizes(view).items())


def _before_street(view: PlayerView) -> int:
    """What the player has put in on earlier streets."""
    return view.betting.committed[view.position] - view.betting.street_bets[view.position]
