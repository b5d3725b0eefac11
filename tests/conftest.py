"""Fixtures and settings for all tests."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hypothesis import settings

import railbird

settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")


def pytest_configure(config):
    """Numba's cache does not notice a changed helper in another file, so throw it away when any kernel has changed."""
    if hasattr(config, "workerinput"):
        return
    kernels = Path(railbird.__file__).parent / "kernels"
    sources = b"".join(path.read_bytes() for path in sorted(kernels.glob("*.py")))
    stamp = kernels / "__pycache__" / "sources.sha256"
    now = hashlib.sha256(sources).hexdigest()
    if not stamp.exists() or stamp.read_text() != now:
        for cached in kernels.glob("__pycache__/*.nb?"):
            cached.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(now)
