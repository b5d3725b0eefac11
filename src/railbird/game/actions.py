"""What a player can do: fold, call (or check), raise (or bet)."""

from __future__ import annotations

from operator import index
from typing import NamedTuple

from railbird.errors import IllegalActionError
from railbird.numbers import quoted


class Action(NamedTuple):
    """One decision. `amount` matters only for raises where the size is free.

    It is then the total number of chips the player will have put into this hand, blinds, antes and earlier streets
    included: the convention of the competition's protocol, so that `str(action)` is what stands in a log.

    >>> Action.parse("r300"), str(raise_to(300)), str(CALL)
    (Action(kind='r', amount=300), 'r300', 'c')
    """

    kind: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.kind}{self.amount}" if self.amount else self.kind

    @staticmethod
    def parse(text: str) -> Action:
        known = _PLAIN.get(text)
        if known is not None:
            return known
        if text[:1] == "r" and text[1:].isascii() and text[1:].isdigit() and len(text) < 20:
            return Action("r", int(text[1:]))
        raise IllegalActionError(f"{quoted(text)} is not an action (f, c, r, or r with an amount, as in r300)")


FOLD = Action("f")
CALL = Action("c")
RAISE = Action("r")
_PLAIN = {"f": FOLD, "c": CALL, "k": CALL, "r": RAISE, "b": RAISE}


def raise_to(chips: int) -> Action:
    """The raise after which the player has put `chips`, a whole number, into this hand in all."""
    try:
        return Action("r", index(chips))
    except TypeError:
        raise IllegalActionError(f"a raise to {quoted(chips)}; it must be a whole number of chips") from None


class ProbabilityTriple(NamedTuple):
    """Fold, call and raise probabilities of one decision."""

    fold: float
    call: float
    raise_: float

    def pick(self, can_fold: bool, can_raise: bool, number: float) -> str:
        """The kind of action that `number` in [0, 1) selects among the legal ones, their probabilities scaled to one.

        Where no legal action has any probability, it is a call.

        >>> ProbabilityTriple(0.2, 0.3, 0.5).pick(can_fold=False, can_raise=True, number=0.37)
        'c'
        """
        fold = self.fold if can_fold else 0.0
        raise_ = self.raise_ if can_raise else 0.0
        point = number * (fold + self.call + raise_)
        if point < fold:
            return "f"
        return "r" if point >= fold + self.call and raise_ > 0.0 else "c"
