"""Players that the tests load from this file: a learner, and everything that can go wrong."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from numba import njit

from railbird.bots.base import Bot
from railbird.game.actions import CALL, FOLD, RAISE, Action


class Learner(Bot):
    """Raises more against players that fold more, from all it has seen."""

    learns = True

    def __init__(self, boldness: float = 1.0) -> None:
        self.boldness = boldness
        self.reset()

    def reset(self):
        self.folds = self.seen = 0

    def on_action(self, view, position, action):
        if position != view.position:
            self.seen += 1
            self.folds += action.kind == "f"

    def on_showdown(self, view, shown):
        self.seen += sum(sum(cards) for cards in shown.values()) % 3

    def act(self, view):
        if view.can_raise and self.rng.random() * (self.seen + 2) < self.boldness * (self.folds + 1):
            return view.smallest_raise()
        return CALL


class Caller(Bot):
    """Calls, through the full interface."""

    def act(self, view):
        return CALL


class Coin(Bot):
    """Raises or calls by chance."""

    def act(self, view):
        return view.smallest_raise() if view.can_raise and self.rng.random() < 0.5 else CALL


class Raiser(Bot):
    """Raises even past the cap."""

    def act(self, view):
        return RAISE


class Freefolder(Bot):
    """Folds when checking is free."""

    def act(self, view):
        return FOLD


class Stringer(Bot):
    """Answers with text."""

    def act(self, view):
        return "c"


class Oddball(Bot):
    """Answers with an action that does not exist."""

    def act(self, view):
        return Action("x", 3)


class Crasher(Bot):
    """Raises an exception on the flop."""

    def act(self, view):
        if view.street == "flop":
            raise RuntimeError("the\nroof is on fire")
        return CALL


class DeafCrasher(Bot):
    """Raises an exception when told of a showdown."""

    def on_showdown(self, view, shown):
        raise RuntimeError("no ears")

    def act(self, view):
        return CALL


class Sleeper(Bot):
    """Falls asleep in hand 3, on the turn."""

    def act(self, view):
        if view.hand_number == 3 and view.street == "turn":
            time.sleep(60)
        return CALL


class Swallower(Bot):
    """Falls asleep in hand 3 and tries to sleep on when woken."""

    def act(self, view):
        if view.hand_number == 3:
            for _ in range(3):
                with suppress(Exception):
                    time.sleep(60)
        return CALL


@njit(cache=False)
def _spin(n):
    while n != 0:
        n = n * 3 % 7 + 1
    return n


class Spinner(Bot):
    """Never comes back from compiled code in hand 3, where no alarm reaches it."""

    def act(self, view):
        if view.hand_number == 3 and view.street == "flop":
            _spin(3)
        return CALL


class Quitter(Bot):
    """Ends the process in hand 3, on the turn."""

    def act(self, view):
        if view.hand_number == 3 and view.street == "turn":
            os._exit(1)
        return CALL


class HookSpinner(Caller):
    """Never comes back from a hook in hand 2."""

    def on_result(self, view, payoffs):
        if view.hand_number == 2:
            _spin(3)


class Exiter(Bot):
    """Asks Python to exit."""

    def act(self, view):
        raise SystemExit("enough")


class HookCrasher(Bot):
    """Raises an exception with line breaks when told of a result."""

    def on_result(self, view, payoffs):
        raise ValueError("bad\nSTATE:line\nthing")

    def act(self, view):
        return CALL


class Stubborn(Bot):
    """Sleeps in hand 3 and goes back to sleep whatever wakes it."""

    def act(self, view):
        while view.hand_number == 3:
            with suppress(BaseException):
                time.sleep(0.1)
        return CALL


class HookQuitter(Learner):
    """A learner that ends the process when told of the results of hands 5 and 25."""

    def on_result(self, view, payoffs):
        if view.hand_number in (5, 25):
            os._exit(1)


class ResetCrasher(Caller):
    """Raises an exception when reset."""

    def reset(self):
        raise RuntimeError("I am who I am")


class Printer(Bot):
    """Prints."""

    def __init__(self):
        print("hello")

    def act(self, view):
        print("thinking")
        return CALL
