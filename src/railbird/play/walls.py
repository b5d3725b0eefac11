"""The walls of a box, built from inside before the bot's code is loaded.

    memory      a limit on what the process may allocate (RLIMIT_DATA)
    files       the match folder cannot be read: Landlock where the kernel has it, which holds for the bot's own child
                processes too, and Python's audit hook everywhere
    signals     other processes cannot be signalled or traced (Landlock, from Linux 6.12 on)
    parent      when the process that asks is gone, this one goes too

Landlock can only allow. So everything beside the way to the folder is allowed, as it is when the box begins: files that
are made later in a folder that lies on that way can be written, but not read. SECURITY.md says what follows from that.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import FrameType

from railbird.bots.talking import leave_with_parent

_SET_NO_NEW_PRIVILEGES = 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_READ_FILE = 1 << 2
_SCOPES = 0b11
"""Abstract sockets and signals."""
_FIRST_WITH_SCOPES, _FIRST_WITH_NETWORK = 6, 4
_BENEATH = 1
_WATCHED = frozenset(
    {"open", "os.listdir", "os.scandir", "os.remove", "os.rename", "os.truncate", "os.link", "os.symlink"}
)
_DEALER = ("railbird.play.dealing", "railbird.kernels.play.decks", "railbird.play.match", "railbird.play.folder")
_RAILBIRD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_MOST_NOTES = 10


def build_walls(memory_mb: int, forbidden: Sequence[str], note: Callable[[str], None]) -> None:
    """Put this process behind walls for good. `note` is told what the bot tried to reach."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            _leave_with_parent()
            ctypes.CDLL(None).prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    with suppress(ImportError, OSError, ValueError):  # Windows has none, macOS does not enforce it
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb << 20, memory_mb << 20))
    paths = [os.path.realpath(path) for path in forbidden]
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            _keep_out(paths)
    sys.addaudithook(_Watchman(paths, note).look)


def _leave_with_parent() -> None:
    parent = os.getppid()
    leave_with_parent()
    if os.getppid() != parent:
        os._exit(1)


def landlock_version() -> int:
    """The version of Landlock that the kernel has; below 1 if it has none. From 6 on it holds signals back."""
    found: int = ctypes.CDLL(None, use_errno=True).syscall(_CREATE_RULESET, None, 0, _VERSION)
    return found


def _keep_out(forbidden: Sequence[str]) -> None:
    """Forbid reading what is in these folders, and signals to processes outside."""
    libc, version = ctypes.CDLL(None, use_errno=True), landlock_version()
    if version < 1:
        return
    scopes = _SCOPES if version >= _FIRST_WITH_SCOPES else 0
    size = 24 if scopes else 16 if version >= _FIRST_WITH_NETWORK else 8
    attributes = struct.pack("QQQ", _READ_FILE, 0, scopes)[:size]
    rules = libc.syscall(_CREATE_RULESET, attributes, size, 0)
    if rules < 0:
        return
    for path in _beside([*forbidden, *_other_processes()]):
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        libc.syscall(_ADD_RULE, rules, _BENEATH, struct.pack("=Qi", _READ_FILE, handle), 0)
        os.close(handle)
    libc.syscall(_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _other_processes() -> list[str]:
    """What the system tells of other processes, such as their command lines."""
    return [f"/proc/{name}" for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _beside(forbidden: Sequence[str]) -> Iterator[str]:
    """The largest folders and files that together are everything but what is forbidden.

    Links are left out: what they lead to has a name of its own.
    """
    closed = set(forbidden)
    ways = {parent for path in forbidden for parent in _parents(path)} - closed
    for folder in ways:
        with suppress(OSError):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if path not in closed and path not in ways and not os.path.islink(path):
                    yield path


def _parents(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:
        yield parent
        path = parent


def _railbird_imports() -> bool:
    """Whether what is being imported is asked for by Railbird's own code, as for `from railbird import *`."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_RAILBIRD)


class _Watchman:
    """Looks at what the bot's Python code opens and imports."""

    def __init__(self, forbidden: Sequence[str], note: Callable[[str], None]) -> None:
        self._forbidden = tuple(forbidden)
        self._note = note
        self._notes = 0

    def look(self, event: str, arguments: tuple[object, ...]) -> None:
        """Python's audit hook: refuses what leads into a forbidden folder."""
        if event == "import" and arguments[0] in _DEALER and not _railbird_imports():
            self._tell(f"imports {arguments[0]}")
        if event not in _WATCHED:
            return
        for argument in arguments[:2]:
            if isinstance(argument, str | bytes | os.PathLike) and self._is_inside(os.fspath(argument)):
                self._tell(f"opens {os.path.basename(os.fsdecode(argument))!r} of the match folder")
                raise PermissionError(13, "a bot is kept out of the match folder", os.fsdecode(argument))

    def _is_inside(self, path: str | bytes) -> bool:
        try:
            real = os.path.realpath(os.fsdecode(path))
        except (OSError, ValueError):
            return False
        return any(real == folder or real.startswith(folder + os.sep) for folder in self._forbidden)

    def _tell(self, words: str) -> None:
        self._notes += 1
        if self._notes <= _MOST_NOTES:
            self._note(words)
