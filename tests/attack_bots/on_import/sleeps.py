"""Sleeps when it is imported, and swallows what wakes it."""

from __future__ import annotations

import time
from contextlib import suppress

from railbird.bots.base import Bot

while True:
    with suppress(BaseException):
        time.sleep(1000)


class ImportSleeps(Bot):
    """Sleeps when it is imported, and swallows what wakes it."""

    in_match = "refused"
    in_check = "refused"
