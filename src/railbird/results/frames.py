"""Whether data frames can be had: they are polars', which is an extra."""

from __future__ import annotations

from importlib.util import find_spec

from railbird.errors import RailbirdError


def check_frames(what: str = "data frames") -> None:
    """Refuse, before any work is done, where there are no data frames."""
    if find_spec("polars") is None:
        raise RailbirdError(f"{what} need polars; install it with: pip install 'railbird[frames]'")
