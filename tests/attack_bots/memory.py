"""Bots that take memory. They stop by themselves at 3 GB, so that nobody's machine is hurt."""

from __future__ import annotations

from contextlib import suppress

from railbird.bots.base import Bot
from railbird.game.actions import CALL

STEP = 32 * 1024 * 1024
MOST_STEPS = 96


def take(kept):
    """Take memory until there is no more."""
    while len(kept) < MOST_STEPS:
        kept.append(bytearray(STEP))
    raise RuntimeError("3 GB were to be had")


class TakesMemory(Bot):
    """Takes all memory in act."""

    in_match = "raised|timeout"
    in_check = "raises|exits|too-slow"

    def act(self, view):
        take([])


class KeepsMemory(Bot):
    """Takes all memory, keeps it and goes on."""

    in_match = "raised|timeout|plays|hook"
    in_check = "raises|exits|fit|too-slow|hook-raises"
    kept: list = []  # noqa: RUF012

    def act(self, view):
        with suppress(MemoryError):
            take(self.kept)
        return CALL


class TakesMemoryInInit(Bot):
    """Takes all memory when it is made."""

    in_match = "refused"
    in_check = "refused|cannot-start|exits"

    def __init__(self):
        self.kept = []
        take(self.kept)


class TakesMemoryInHook(Bot):
    """Takes all memory when a hand begins."""

    in_match = "hook"
    in_check = "hook-raises|exits|too-slow"

    def on_hand(self, view):
        take([])

    def act(self, view):
        return CALL
