"""Prints 50 MB when it is imported."""

from __future__ import annotations

import sys

from railbird.bots.base import Bot
from railbird.game.actions import CALL

sys.stdout.write("x" * 50_000_000)
sys.stderr.write("y" * 50_000_000)


class ImportPrints(Bot):
    """Prints 50 MB when it is imported."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        return CALL
