"""Ends the process as if all were well when it is imported."""

from __future__ import annotations

import os

from railbird.bots.base import Bot

os._exit(0)


class ImportExits(Bot):
    """Ends the process as if all were well when it is imported."""

    in_match = "refused"
    in_check = "refused"
