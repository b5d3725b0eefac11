"""Kills the parent when it is imported."""

from __future__ import annotations

import os
import signal

from railbird.bots.base import Bot
from railbird.game.actions import CALL

os.kill(os.getppid(), signal.SIGKILL)


class ImportKills(Bot):
    """Kills the parent when it is imported."""

    in_match = "plays|refused|raised"
    in_check = "fit|refused|exits"

    def act(self, view):
        return CALL
