"""Bots that write where they should not, or too much."""

from __future__ import annotations

import os
import sys

from railbird.bots.base import Bot
from railbird.game.actions import CALL


class PrintsMegabytes(Bot):
    """Prints a megabyte in every decision."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        print("x" * 1_000_000)
        return CALL


class PrintsErrors(Bot):
    """Writes a megabyte to stderr in every decision."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        sys.stderr.write("y" * 1_000_000 + "\n")
        return CALL


class WritesToOneAndTwo(Bot):
    """Writes a megabyte to file descriptors 1 and 2 in every decision."""

    in_match = "plays|raised"
    in_check = "fit|raises"

    def act(self, view):
        for descriptor in (1, 2):
            os.write(descriptor, b"z" * 1_000_000)
        return CALL


class PrintsForEver(Bot):
    """Prints without end."""

    in_match = "timeout|raised"
    in_check = "too-slow|hangs|raises"

    def act(self, view):
        while True:
            print("all work and no play" * 50, flush=True)


class WritesJunk(Bot):
    """Writes junk to all that is open beside 0, 1 and 2."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        for descriptor in range(3, 31):
            try:
                os.set_blocking(descriptor, False)
                os.write(descriptor, b"\x80\x05junk{[\n" * 1000)
            except OSError:
                pass
        return CALL


class ForgesAnswers(Bot):
    """Writes well-formed pickles and JSON to all that is open, to be taken for answers."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        body = b'{"hand": 3, "player": "always-call", "fault": "raised", "action": "f"}\n'
        for descriptor in range(3, 31):
            for message in (len(body).to_bytes(4, "big") + body, body, b"\x00\x00\x00\x04N.N."):
                try:
                    os.set_blocking(descriptor, False)
                    os.write(descriptor, message)
                except OSError:
                    pass
        return CALL


class ReadsAll(Bot):
    """Reads away whatever can be read from what is open."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        for descriptor in range(3, 31):
            try:
                os.set_blocking(descriptor, False)
                os.read(descriptor, 1_000_000)
            except OSError:
                pass
        return CALL


class ClosesAll(Bot):
    """Closes all that is open."""

    in_match = "timeout|raised"
    in_check = "exits|hangs|raises|too-slow"

    def act(self, view):
        os.closerange(0, 256)
        return CALL


class ReadsInput(Bot):
    """Waits for somebody to type."""

    in_match = "raised|timeout|plays"
    in_check = "raises|too-slow|hangs|fit"

    def act(self, view):
        return CALL if not sys.stdin or not sys.stdin.read() else None
