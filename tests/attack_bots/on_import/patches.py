"""Has every hand paid to itself, from the moment of import."""

from __future__ import annotations

import railbird.game.payoffs
import railbird.play.steps
from railbird.bots.base import Bot
from railbird.game.actions import CALL

railbird.play.steps.Step.payoffs = railbird.game.payoffs.payoffs = lambda *_: (6, -6)


class ImportPatches(Bot):
    """Has every hand paid to itself, from the moment of import."""

    in_match = "plays|refused"
    in_check = "fit|changes-the-game|not-reproducible"

    def act(self, view):
        return CALL
