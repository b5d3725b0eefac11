"""Fixtures and settings for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")
