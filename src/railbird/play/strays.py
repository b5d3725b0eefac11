"""Processes that a bot has started and left behind: found and ended, wherever they have gone.

Every process of a box carries a mark in its environment, as do those it starts. A process that starts boxes adopts the
ones whose parents are gone (on Linux), so that they cannot hide behind a parent that has ended, nor by a session of
their own and an empty environment: what was adopted shows by what the walls of a box have forbidden it for good.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

MARK = "RAILBIRD_BOX"
_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 20
_RESTRICTED = b"NoNewPrivs:\t1"
"""What the system says of processes that can never gain rights, as those of boxes."""
BOXES: set[int] = set()
"""The boxes that this process has started and that live."""


def adopt_strays() -> None:
    """Become the parent of processes whose own has ended."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def count_strays(mark: str, session: int) -> int:
    """How many processes belong to a box, itself included."""
    return sum(_is_stray(each, f"{MARK}={mark}".encode(), session) for each in _processes())


def end_strays(mark: str, session: int) -> None:
    """End what carries the mark, or belongs to the session, of a box that has ended, and whatever it still starts."""
    BOXES.discard(session)
    for _ in range(_MOST_ROUNDS):
        found = [each.pid for each in _processes() if _is_stray(each, f"{MARK}={mark}".encode(), session)]
        _kill(found)
        for pid in found:
            with suppress(OSError):  # not a child of this process
                os.waitpid(pid, 0)
        if not found:
            return


def end_descendants(of: int) -> None:
    """End all that a process has started or adopted, and stop it meanwhile, so that it starts nothing anew."""
    with suppress(OSError):
        os.kill(of, signal.SIGSTOP)
    for _ in range(_MOST_ROUNDS):
        parents = {each.pid: each.parent for each in _processes()}
        found = [pid for pid in parents if of in _ancestors(pid, parents)]
        _kill(found)
        if not found:
            return


class _Process(NamedTuple):
    pid: int
    parent: int
    session: int


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _processes() -> Iterator[_Process]:
    """The living processes but for this one, where the system tells of them."""
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
                state, parent, _, session = file.read().rpartition(b") ")[2].split()[:4]
                if state != b"Z":
                    yield _Process(int(name), int(parent), int(session))


def _ancestors(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    while pid := parents.get(pid, 0):
        yield pid


def _is_stray(process: _Process, mark: bytes, session: int) -> bool:
    if process.session == session:
        return True
    is_adopted = process.parent == os.getpid() and process.session != os.getsid(0) and process.session not in BOXES
    with suppress(OSError):
        if is_adopted and _RESTRICTED in _told(process.pid, "status"):
            return True
        return mark in _told(process.pid, "environ").split(b"\0")
    return False


def _told(pid: int, what: str) -> bytes:
    with open(f"/proc/{pid}/{what}", "rb") as file:
        return file.read()
