"""Fixtures and settings for all tests."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

os.environ.setdefault("RAILBIRD_PROGRESS", "no")  # how much is said of it depends on how busy the machine is

settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")

# Where tests run in the background these may be ignored, and commands that the tests start would ignore them too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
