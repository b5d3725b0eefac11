"""Where Railbird keeps files that can be built again: compiled kernels and computed tables."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """`$RAILBIRD_CACHE`, or the system's place for such files."""
    own = os.environ.get("RAILBIRD_CACHE")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "railbird" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "railbird"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "railbird"
