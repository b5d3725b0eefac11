"""Raises an exception that cannot be told when it is imported."""

from __future__ import annotations

from railbird.bots.base import Bot


class Unprintable(BaseException):
    def __str__(self):
        raise RuntimeError("not me")

    __repr__ = __str__


raise Unprintable


class ImportRaises(Bot):
    """Raises an exception that cannot be told when it is imported."""

    in_match = "refused"
    in_check = "refused"
