"""Sleeps when it is imported, and swallows what wakes it."""

from __future__ import annotations

import time

from railbird.bots.base import Bot

while True:
    try:
        time.sleep(1000)
    except BaseException:
        pass


class ImportSleeps(Bot):
    """Sleeps when it is imported, and swallows what wakes it."""

    in_match = "refused"
    in_check = "refused"
