"""Processes that a bot has started and left behind: found and ended, wherever they have gone.

Every process of a box carries a mark in its environment, as do those it starts. A process that starts boxes adopts the
ones whose parents are gone (on Linux), so that they cannot hide behind a parent that has ended. All marks of a process
begin alike, so that whoever ends that process can end what is left of its boxes. A process that has begun a session of
its own and emptied its environment is known, once adopted, by what the walls of a box have forbidden it for good.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import NamedTuple

MARK = "RAILBIRD_BOX"
_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS, _ROUND_SECONDS = 20, 0.01
_RESTRICTED = b"NoNewPrivs:\t1"
"""What the system says of processes that can never gain rights, as those of boxes."""
BOXES: set[int] = set()
"""The boxes that this process has started and that live."""
_marks: set[str] = set()
"""Those of the boxes that live or are about to be started."""
_adopting = threading.RLock()
"""Boxes end in whichever thread forgets them last, while another may start one."""
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


def adopt_strays(mark: str) -> None:
    """Become the parent of processes whose own has ended, as long as there is the box of this mark or another: only so
    long, since nobody waits for the end of strangers' processes."""
    with _adopting:
        _marks.add(mark)
        _adopt(True)


def leave_strays(mark: str) -> None:
    """There is no box of this mark any more."""
    with _adopting:
        _marks.discard(mark)
        if not _marks:
            _adopt(False)


def _adopt(are_adopted: bool) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, int(are_adopted), 0, 0, 0)


def count_strays(mark: str) -> int:
    """How many processes belong to the box of a mark, itself included."""
    return len(_strays(f"{MARK}={mark}".encode(), set()))


def end_strays(mark: str) -> None:
    """End what carries a mark that begins like this, what belongs to its sessions, and whatever it still starts."""
    sessions: set[int] = set()
    for round_ in range(_MOST_ROUNDS):
        found = _strays(f"{MARK}={mark}".encode(), sessions)
        if not found:
            return
        _kill(found)
        for pid in found:
            with suppress(OSError):  # not a child of this process
                os.waitpid(pid, 0)
        sleep(_ROUND_SECONDS * round_)


def sweep_up(family: str) -> None:
    """End what is left of the boxes of a process that was ended, and remove their scratch folders."""
    end_strays(family)
    for folder in Path(tempfile.gettempdir()).glob(f"railbird-box-{family}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def end_descendants(of: int) -> None:
    """End all that a process has started or adopted, and stop it meanwhile, so that it starts nothing anew."""
    with suppress(OSError):
        os.kill(of, signal.SIGSTOP)
    for round_ in range(_MOST_ROUNDS):
        parents = {each.pid: each.parent for each in _processes()}
        found = [pid for pid in parents if of in _ancestors(pid, parents)]
        if not found:
            return
        _kill(found)
        sleep(_ROUND_SECONDS * round_)


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
            with suppress(OSError, ValueError):
                state, parent, _, session = _told(int(name), "stat").rpartition(b") ")[2].split()[:4]
                if state != b"Z":
                    yield _Process(int(name), int(parent), int(session))


def _ancestors(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    while pid := parents.get(pid, 0):
        yield pid


def _strays(mark: bytes, sessions: set[int]) -> list[int]:
    """Processes to end; the sessions that they have begun are added to `sessions`."""
    found, own = [], os.getsid(0)
    for each in _processes():
        with suppress(OSError):
            is_marked = any(part.startswith(mark) for part in _told(each.pid, "environ").split(b"\0"))
            if is_marked and each.session != own:
                sessions.add(each.session)
            if is_marked or each.session in sessions or _is_adopted(each, own):
                found.append(each.pid)
    return found


def _is_adopted(process: _Process, own_session: int) -> bool:
    """Whether a process comes from a box that this one has ended."""
    if process.parent != os.getpid() or process.session == own_session or process.session in BOXES:
        return False
    return _RESTRICTED in _told(process.pid, "status")


def _told(pid: int, what: str) -> bytes:
    with open(f"/proc/{pid}/{what}", "rb") as file:
        return file.read()
