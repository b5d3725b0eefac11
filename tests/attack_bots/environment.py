"""Bots that change what their process stands on."""

from __future__ import annotations

import gc
import os
import resource
import sys

from railbird.bots.base import Bot
from railbird.game.actions import CALL


class ChangesFolder(Bot):
    """Goes to another folder."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        os.chdir("/")
        return CALL


class EmptiesEnvironment(Bot):
    """Empties the environment."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        os.environ.clear()
        return CALL


class ChangesMask(Bot):
    """Has all new files be unreadable."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        os.umask(0o777)
        return CALL


class LowersRecursion(Bot):
    """Leaves no room for calls."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises|exits"

    def act(self, view):
        frame, depth = sys._getframe(), 0
        while frame:
            frame, depth = frame.f_back, depth + 1
        sys.setrecursionlimit(depth + 4)
        return CALL


class LowersLimits(Bot):
    """Leaves no room for files, processes and memory."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises|exits"

    def act(self, view):
        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_DATA):
            resource.setrlimit(limit, (4, 4))
        return CALL


class CollectsNothing(Bot):
    """Has the collector of garbage freeze, and call it back."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises"

    def act(self, view):
        gc.freeze()
        gc.disable()
        gc.callbacks.append(lambda *_: 1 // 0)
        return CALL
