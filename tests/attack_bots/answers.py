"""Bots whose answers are no actions, or actions with something inside."""

from __future__ import annotations

import math

from railbird.bots.base import Bot
from railbird.game.actions import CALL, FOLD, RAISE, Action, ProbabilityTriple


def spin(*_):
    while True:
        pass


class AnswersNothing(Bot):
    """Answers None."""

    in_match = "illegal"
    in_check = "not-an-action"

    def act(self, view):
        return None


class AnswersGenerator(Bot):
    """Answers with a generator."""

    in_match = "illegal"
    in_check = "not-an-action"

    def act(self, view):
        yield CALL


class AnswersLoopingRepr(Bot):
    """Answers with something that loops when it is told."""

    in_match = "illegal|timeout"
    in_check = "not-an-action|too-slow|hangs"

    def act(self, view):
        return type("Strange", (), {"__repr__": spin, "__str__": spin})()


class AnswersLoopingEq(Bot):
    """Answers with something that loops when it is compared, hashed or asked for its class."""

    in_match = "illegal|timeout"
    in_check = "not-an-action|too-slow|hangs"

    def act(self, view):
        body = dict.fromkeys(("__eq__", "__hash__", "__bool__", "__len__", "__iter__", "__getattr__"), spin)
        return type("Strange", (), {**body, "__class__": property(spin)})()


class AnswersNovels(Bot):
    """Answers with something of 50 MB."""

    in_match = "illegal"
    in_check = "not-an-action"

    def act(self, view):
        return "call " * 10_000_000


class AnswersSubclass(Bot):
    """Answers with an action of its own class, which loops when compared."""

    in_match = "illegal|timeout"
    in_check = "not-an-action|too-slow|hangs"

    def act(self, view):
        return type("Mine", (Action,), {"__eq__": spin, "__hash__": spin, "__getitem__": spin})("c")


class AnswersLoopingKind(Bot):
    """Answers with an action whose letter loops when compared."""

    in_match = "illegal|timeout"
    in_check = "illegal-action|not-an-action|too-slow|hangs"

    def act(self, view):
        return Action(type("Letter", (str,), {"__eq__": spin, "__hash__": spin, "__repr__": spin})("c"))


class AnswersLoopingAmount(Bot):
    """Answers with an action whose amount loops when looked at."""

    in_match = "illegal|timeout"
    in_check = "illegal-action|not-an-action|too-slow|hangs"

    def act(self, view):
        names = ("__eq__", "__hash__", "__repr__", "__str__", "__index__", "__bool__", "__lt__", "__gt__", "__format__")
        return Action("r", type("Chips", (int,), dict.fromkeys(names, spin))(4))


class AnswersTwoFaced(Bot):
    """Answers with a letter that is a call at first and something else later, when the opponent is asked."""

    in_match = "illegal|raised|timeout"
    in_check = "illegal-action|not-an-action|raises"

    def act(self, view):
        looks = iter(range(1000))

        class Letter(str):
            def __eq__(self, other):
                return next(looks) < 3 and other == "c"

            def __hash__(self):
                return hash("c") if next(looks) < 3 else 1 // 0

        return Action(Letter("c"))


class AnswersNan(Bot):
    """Raises to something that is not a number."""

    in_match = "illegal"
    in_check = "illegal-action|not-an-action"

    def act(self, view):
        return Action("r", math.nan) if view.can_raise else CALL


class AnswersFractions(Bot):
    """Raises to 4.0 chips, or True chips."""

    in_match = "illegal"
    in_check = "illegal-action|not-an-action"

    def act(self, view):
        return Action("r", 4.0 if view.hand_number % 2 else True)


class AnswersHuge(Bot):
    """Raises to a number of 5,000 digits."""

    in_match = "illegal|raised"
    in_check = "illegal-action|not-an-action|raises"

    def act(self, view):
        return Action("r", 10**5000)


class AnswersNegative(Bot):
    """Raises to less than nothing."""

    in_match = "illegal"
    in_check = "illegal-action"

    def act(self, view):
        return Action("r", -1000)


class AnswersSurrogate(Bot):
    """Answers with half a character."""

    in_match = "illegal"
    in_check = "illegal-action|not-an-action"

    def act(self, view):
        return Action("\ud800")


class AnswersOutOfRules(Bot):
    """Raises past the cap, and folds where checking is free."""

    in_match = "illegal"
    in_check = "illegal-action"

    def act(self, view):
        return RAISE if view.to_call_chips else FOLD


class AnswersFalsePolicy(Bot):
    """Says that it plays by probabilities that are none."""

    in_match = "plays|refused"
    in_check = "fit|refused|cannot-start"

    def policy(self):
        return ProbabilityTriple(math.nan, -1.0, 1e308)

    def act(self, view):
        return CALL


class ChangesWhatItIsTold(Bot):
    """Tries to change payoffs, cards and shown hands where it is told of them."""

    in_match = "plays|hook"
    in_check = "fit|hook-raises"

    def on_showdown(self, view, shown):
        shown.clear()

    def on_result(self, view, payoffs):
        payoffs[view.position] = 1000

    def act(self, view):
        return CALL
