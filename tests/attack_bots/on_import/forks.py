"""Forks when it is imported; both go on."""

from __future__ import annotations

import os

from railbird.bots.base import Bot
from railbird.game.actions import CALL

os.fork()


class ImportForks(Bot):
    """Forks when it is imported; both go on."""

    in_match = "plays|refused|raised|timeout"
    in_check = "fit|refused|raises|exits|hangs"

    def act(self, view):
        return CALL
