"""Fixtures and settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("RAILBIRD_PROGRESS", "no")  # how much is said of it depends on how busy the machine is

settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")
