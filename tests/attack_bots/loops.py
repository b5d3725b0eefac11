"""Bots that never come back, wherever they are called."""

from __future__ import annotations

import re
import threading
import time

from railbird.bots.base import Bot
from railbird.game.actions import CALL


def spin():
    while True:
        pass


class Loops(Bot):
    """Loops in act."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        spin()


class Sleeps(Bot):
    """Sleeps in act."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        time.sleep(1e6)


class LoopsInHand17(Bot):
    """Loops once: in hand 17."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        return spin() if view.hand_number == 17 else CALL


class LoopsInC(Bot):
    """Adds up numbers in compiled code, where no signal handler runs."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        return sum(range(10**15))


class LoopsInPower(Bot):
    """Works out a number of a billion digits."""

    in_match = "timeout|raised"
    in_check = "too-slow|hangs|raises"

    def act(self, view):
        return 7 ** (10**9)


class LoopsInPattern(Bot):
    """Has a regular expression try everything."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        return re.match("(a+)+$", "a" * 60 + "b") or CALL


class Deadlocks(Bot):
    """Waits for a lock that it holds itself."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        lock = threading.Lock()
        with lock:
            lock.acquire()


class LoopsInInit(Bot):
    """Loops when it is made."""

    in_match = "refused"
    in_check = "refused|cannot-start|hangs|too-slow"

    def __init__(self):
        spin()


class LoopsInCanPlay(Bot):
    """Loops when it is asked which games it plays."""

    in_match = "refused"
    in_check = "refused|cannot-start|hangs|too-slow"

    def can_play(self, game):
        spin()


class LoopsInPrepare(Bot):
    """Loops when it is to get ready."""

    in_match = "refused"
    in_check = "refused|cannot-start|hangs|too-slow"

    def prepare(self):
        spin()


class LoopsInPolicy(Bot):
    """Loops when it is asked for its policy."""

    in_match = "plays|refused"
    in_check = "fit|refused|cannot-start|hangs|too-slow"

    def policy(self):
        spin()

    def act(self, view):
        return CALL


class LoopsInLearns(Bot):
    """Loops when it is asked whether it learns."""

    in_match = "refused"
    in_check = "refused|cannot-start|hangs|too-slow"

    @property
    def learns(self):
        spin()


class LoopsInSeedHand(Bot):
    """Loops when it is given its random numbers."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def seed_hand(self, *key):
        spin()

    def act(self, view):
        return CALL


class LoopsInReset(Bot):
    """Loops when it is to forget."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises|reset-raises"

    def reset(self):
        spin()

    def act(self, view):
        return CALL


class LoopsInOnHand(Bot):
    """Loops when a hand begins."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def on_hand(self, view):
        spin()

    def act(self, view):
        return CALL


class LoopsInOnAction(Bot):
    """Loops when somebody has acted."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def on_action(self, view, position, action):
        spin()

    def act(self, view):
        return CALL


class SleepsInOnBoard(Bot):
    """Sleeps when the flop is turned up."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def on_board(self, view):
        time.sleep(1e6)

    def act(self, view):
        return CALL


class LoopsInOnShowdown(Bot):
    """Loops in compiled code when cards are shown."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def on_showdown(self, view, shown):
        sum(range(10**15))

    def act(self, view):
        return CALL


class LoopsInOnResult(Bot):
    """Loops when a hand is over."""

    in_match = "hook"
    in_check = "too-slow|hangs|hook-raises"

    def on_result(self, view, payoffs):
        spin()

    def act(self, view):
        return CALL


class LoopsInAttributes(Bot):
    """Loops when its method is looked up."""

    in_match = "timeout|refused"
    in_check = "too-slow|hangs|refused|cannot-start"

    def __getattribute__(self, name):
        if name == "act":
            spin()
        return super().__getattribute__(name)


class LoopsWhenCollected(Bot):
    """Loops when it is thrown away."""

    in_match = "plays"
    in_check = "fit|too-slow|hangs|exits"

    def act(self, view):
        return CALL

    def __del__(self):
        spin()
