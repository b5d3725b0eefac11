"""Loops when it is imported."""

from __future__ import annotations

from railbird.bots.base import Bot

while True:
    pass


class ImportLoops(Bot):
    """Loops when it is imported."""

    in_match = "refused"
    in_check = "refused"
