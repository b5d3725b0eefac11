"""Processes that a bot has started and left behind: found and ended, wherever they have gone.

Every process of a box carries a mark in its environment, as do those it starts. A process that starts boxes adopts the
ones whose parents are gone (on Linux), so that they cannot hide behind a parent that has ended. All marks of a process
begin alike, so that whoever ends that process can end what is left of its boxes.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "RAILBIRD_BOX"
_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 20
_family = [secrets.token_hex(6)]


def new_family() -> str:
    """A beginning of marks for another process."""
    return secrets.token_hex(6)


def join_family(family: str) -> None:
    """The marks of this process begin like this from now on."""
    _family[0] = family


def new_mark() -> str:
    """A mark for a box of this process."""
    return f"{_family[0]}-{secrets.token_hex(4)}"


def adopt_strays() -> None:
    """Become the parent of processes whose own has ended."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_strays(mark: str) -> None:
    """End what carries a mark that begins like this, what belongs to its sessions, and whatever it still starts."""
    if sys.platform != "linux":
        return
    sessions: set[int] = set()
    for _ in range(_MOST_ROUNDS):
        found = list(_strays(f"{MARK}={mark}".encode(), sessions))
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in found:
            with suppress(OSError):  # not a child of this process
                os.waitpid(pid, 0)
        if not found:
            return


def sweep_up(family: str) -> None:
    """End what is left of the boxes of a process that was ended, and remove their scratch folders."""
    end_strays(family)
    for folder in Path(tempfile.gettempdir()).glob(f"railbird-box-{family}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _strays(mark: bytes, sessions: set[int]) -> Iterator[int]:
    """Processes to end; the sessions that they have begun are added to `sessions`."""
    own = os.getsid(0)
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                state, _, _, session = file.read().rpartition(b") ")[2].split()[:4]
            if state == b"Z":
                continue
            is_marked = any(part.startswith(mark) for part in _environment(name))
            if is_marked and int(session) != own:
                sessions.add(int(session))
            if is_marked or int(session) in sessions:
                yield int(name)


def _environment(pid: str) -> list[bytes]:
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")
