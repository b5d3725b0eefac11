"""Processes that a bot has started and left behind: found and ended, wherever they have gone.

Every process of a box carries a mark in its environment, as do those it starts. A process that starts boxes adopts the
ones whose parents are gone (on Linux), so that they cannot hide behind a parent that has ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

MARK = "RAILBIRD_BOX"
_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 20


def adopt_strays() -> None:
    """Become the parent of processes whose own has ended."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_strays(mark: str, session: int) -> None:
    """End what carries the mark, or belongs to the session, of a box that has ended, and whatever it still starts."""
    if sys.platform != "linux":
        return
    for _ in range(_MOST_ROUNDS):
        found = list(_strays(f"{MARK}={mark}".encode(), session))
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in found:
            with suppress(OSError):  # not a child of this process
                os.waitpid(pid, 0)
        if not found:
            return


def _strays(mark: bytes, session: int) -> Iterator[int]:
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                state, _, _, its_session = file.read().rpartition(b") ")[2].split()[:4]
            if state == b"Z":
                continue
            if int(its_session) == session or mark in _environment(name):
                yield int(name)


def _environment(pid: str) -> list[bytes]:
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")
