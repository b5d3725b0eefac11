"""Runs of the laboratory that a test has in its hands: a process that only holds the lock, and a folder that the test
fills."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_run(home: Path, name: str, *arguments: str, pid: int = 2) -> Path:
    """The folder of a run, which has ended unless somebody holds its lock."""
    folder = home / "runs" / name
    folder.mkdir(parents=True, exist_ok=True)
    told = {"schema": "railbird.run/1", "arguments": arguments, "pid": pid, "began": "2026-11-16T12:00:00"}
    (folder / "run.json").write_text(json.dumps(told))
    (folder / "output.txt").write_text("begun\n")
    return folder


@contextmanager
def running(home: Path, name: str, *arguments: str) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A run that goes on until it is stopped or killed: its folder and its process."""
    folder = write_run(home, name, *arguments)
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    process = subprocess.Popen(["sleep", "3600"], pass_fds=(lock,), start_new_session=True)
    os.close(lock)
    write_run(home, name, *arguments, pid=process.pid)
    try:
        yield folder, process
    finally:
        process.kill()
        process.wait()


def show_hands(played: Path, folder: Path, deals: int) -> None:
    """Show in a folder so many deals of every match that was played elsewhere, as if it were being played there."""
    for file in sorted(played.rglob("*")):
        if file.is_dir() or file.suffix == ".index":
            continue
        lines = file.read_text().splitlines(keepends=True)
        if file.suffix == ".log":
            lines = [line for line in lines if line.startswith("#") or 0 <= _hand(line) < deals]
        there = folder / file.relative_to(played)
        if deals or file.suffix != ".log":
            there.parent.mkdir(parents=True, exist_ok=True)
            part = there.with_suffix(".part")
            part.write_text("".join(lines))
            part.replace(there)


def _hand(line: str) -> int:
    """The number of a hand; the last line of a log is none."""
    return int(line.split(":")[1]) if line.startswith("STATE:") else -1
