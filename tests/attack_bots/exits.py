"""Bots that end or stop their process, or that of others."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from railbird.bots.base import Bot
from railbird.game.actions import CALL


class ExitsQuietly(Bot):
    """Ends its process as if all were well."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        os._exit(0)


class ExitsInHand17(Bot):
    """Ends its process once: in hand 17."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        return os._exit(0) if view.hand_number == 17 else CALL


class ExitsInInit(Bot):
    """Ends its process when it is made."""

    in_match = "refused"
    in_check = "refused|exits|cannot-start"

    def __init__(self):
        os._exit(0)


class ExitsInOnHand(Bot):
    """Ends its process when a hand begins."""

    in_match = "hook"
    in_check = "exits|hook-raises"

    def on_hand(self, view):
        os._exit(1)

    def act(self, view):
        return CALL


class Quits(Bot):
    """Asks for the end of the program, politely."""

    in_match = "raised"
    in_check = "raises|exits"

    def act(self, view):
        sys.exit("that is enough")


class Aborts(Bot):
    """Aborts its process."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        os.abort()


class Crashes(Bot):
    """Reads at address 0."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        return ctypes.string_at(0)


class KillsItself(Bot):
    """Kills itself."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        os.kill(os.getpid(), signal.SIGKILL)


class StopsItself(Bot):
    """Stops itself, so that no alarm wakes it."""

    in_match = "timeout|raised"
    in_check = "hangs|too-slow|exits"

    def act(self, view):
        os.kill(os.getpid(), signal.SIGSTOP)
        return CALL


class KillsParent(Bot):
    """Kills whoever started it."""

    in_match = "plays|timeout|raised|refused"
    in_check = "exits|refused|fit|raises"

    def act(self, view):
        os.kill(os.getppid(), signal.SIGKILL)
        return CALL


class StopsParent(Bot):
    """Stops whoever started it."""

    in_match = "plays|timeout|raised|refused"
    in_check = "exits|refused|fit|hangs|too-slow|raises"

    def act(self, view):
        os.kill(os.getppid(), signal.SIGSTOP)
        return CALL


class InterruptsParent(Bot):
    """Presses Ctrl-C for whoever started it."""

    in_match = "plays|timeout|raised|refused"
    in_check = "exits|refused|fit|raises"

    def act(self, view):
        os.kill(os.getppid(), signal.SIGINT)
        return CALL


class KillsGroup(Bot):
    """Kills its process group."""

    in_match = "timeout|raised"
    in_check = "exits"

    def act(self, view):
        os.killpg(0, signal.SIGKILL)
