"""Fixtures and settings for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import sys

import pytest
from hypothesis import settings

os.environ.setdefault("RAILBIRD_PROGRESS", "no")  # how much is said of it depends on how busy the machine is

settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")

# Where tests run in the background these may be ignored, and commands that the tests start would ignore them too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def on_device(monkeypatch):
    """A GPU, or its stand-in."""
    from emulated_gpu import emulated
    from railbird.solve.gpu import device, gpu_buckets, gpu_responses

    if not device.gpu_problem():
        yield
        return
    if shutil.which("g++") is None:
        pytest.skip("needs a GPU, or g++ to compile its kernels for the processor")
    monkeypatch.setitem(sys.modules, "cupy", emulated(device.source()))
    caches = (device.gpu, device.rank_tables, gpu_responses.relabellings_on_gpu, gpu_buckets._pairs)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()
