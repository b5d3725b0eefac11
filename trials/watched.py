"""Commands that are watched with all that they start: how long, how much memory, how much said, what is left over."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

LOOK_SECONDS = 0.1
AFTER_SECONDS = 1.0
"""So long may what was started take to end after the command."""
MOST_FILE_BYTES = 1_000_000_000
"""No file may grow beyond, whatever goes wrong, so that the disk stays usable."""
KEPT_BYTES = 200_000
_SUBREAPER = 36
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class WatchedRun:
    """What became of a command."""

    exit_code: int | None
    """None if it did not end in time."""
    seconds: float
    out: str
    """The end of what it wrote to stdout."""
    errors: str
    """The end of what it wrote to stderr."""
    said_bytes: int
    peak_bytes: int
    """Of all its processes together."""
    left: tuple[str, ...]
    """What was still running afterwards, and was ended."""

    @property
    def last_line(self) -> str:
        return next((line for line in reversed((self.out + self.errors).splitlines()) if line.strip()), "")


def watched_run(
    command: Sequence[str], folder: Path, seconds: float, environment: Mapping[str, str] | None = None
) -> WatchedRun:
    """Run a command in a session of its own and in `folder`; after it, or after `seconds`, end all that it started."""
    files = [folder / "out.txt", folder / "errors.txt"]
    others = frozenset(descendants())
    with _orphans_come_here(), files[0].open("wb") as out, files[1].open("wb") as errors:
        began, peak = time.monotonic(), 0
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=environment,
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))
        try:
            while process.poll() is None and time.monotonic() < began + seconds:
                peak = max(peak, sum(_resident_bytes(each) for each in descendants(others)))
                time.sleep(LOOK_SECONDS)
            took = time.monotonic() - began
            exit_code = process.poll()
            until = time.monotonic() + (AFTER_SECONDS if exit_code is not None else 0.0)
            while (left := [each for each in descendants(others) if each != process.pid]) and time.monotonic() < until:
                time.sleep(LOOK_SECONDS)
            names = tuple(_name(each) for each in left)
        finally:
            _end_all(process, others)
    said_bytes = sum(file.stat().st_size for file in files)
    return WatchedRun(exit_code, took, *map(_end_of, files), said_bytes, peak, names if exit_code is not None else ())


def _end_of(file: Path) -> str:
    """The end of a text."""
    with file.open("rb") as written:
        written.seek(max(0, file.stat().st_size - KEPT_BYTES))
        return written.read().decode(errors="backslashreplace")


def descendants(others: Collection[int] = ()) -> list[int]:
    """The living processes that this one has started, and those started by them, but for some others."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    children.setdefault(int(parent), []).append(int(entry.name))
    found, to_do = [], [os.getpid()]
    while to_do:
        more = [each for each in children.get(to_do.pop(), []) if each not in others]
        found += more
        to_do += more
    return found


@contextmanager
def _orphans_come_here() -> Iterator[None]:
    """Processes whose parent has ended become children of this one, so that none gets out of sight."""
    libc = ctypes.CDLL(None)
    libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_SUBREAPER, 0, 0, 0, 0)


def _end_all(process: subprocess.Popen[bytes], others: Collection[int]) -> None:
    while found := descendants(others):
        for each in found:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        time.sleep(0.02)
        process.poll()
        for each in found:
            with suppress(ChildProcessError):
                os.waitpid(each, os.WNOHANG)
    process.wait()


def _resident_bytes(process: int) -> int:
    """The memory that a process has for itself."""
    with suppress(OSError, ValueError):
        _, resident, shared, *_ = Path(f"/proc/{process}/statm").read_text().split()
        return (int(resident) - int(shared)) * _PAGE
    return 0


def _name(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:60]
    return "?"
