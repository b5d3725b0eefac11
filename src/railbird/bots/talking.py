"""A program of somebody else that runs, and the lines that are exchanged with it over a socket or pipes.

Nothing here knows what the lines say. Waits end with the time limit of whoever waits, or after the seconds given.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from railbird.errors import BadAnswerError, UnknownBotError
from railbird.numbers import quoted

LONGEST_LINE = 1 << 16
HOST = "127.0.0.1"
USERS_PYTHONPATH = "RAILBIRD_USERS_PYTHONPATH"
"""Where a box keeps the PYTHONPATH of its user, for the programs in it."""
_CHUNK = 1 << 16
_LOOK_SECONDS = 0.05
_END_SECONDS = 1.5
_SET_PARENT_DEATH_SIGNAL = 1
_QUICK_ACK = getattr(socket, "TCP_QUICKACK", 0)
_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


class ProgramEnded(BaseException):
    """The program has gone; its text says how. Not an `Exception`: it goes to whoever can start the program again."""


class EndedEarly(UnknownBotError):
    """The program ended before it could be asked anything."""


class Talk:
    """A running program and the two ends of the talk with it."""

    def __init__(self, process: subprocess.Popen[bytes], source: int, target: int) -> None:
        self._process, self._source, self._target = process, source, target
        self._unread = b""
        self._is_saying = self._is_skipping = False

    def say(self, line: bytes) -> None:
        """Send a line, which has its end."""
        if self._is_saying:  # the last one was interrupted: nobody knows how much of it has arrived
            raise ProgramEnded("did not read what it was told")
        self._is_saying = True
        try:
            while line:
                line = line[os.write(self._target, line) :]
        except OSError:
            raise self._ended() from None
        self._is_saying = False

    def heard(self, seconds: float | None = None) -> bytes:
        """The next line that is not empty, without its end; waits so long, or as long as it takes."""
        until = None if seconds is None else monotonic() + seconds
        while True:
            line, end, rest = self._unread.partition(b"\n")
            if end or len(line) > LONGEST_LINE:
                was_skipping, self._is_skipping = self._is_skipping, not end
                self._unread = rest
                if was_skipping:  # a part of a line that was too long
                    continue
                if len(line) > LONGEST_LINE:
                    raise BadAnswerError(f"answered with a line of more than {LONGEST_LINE:,} bytes")
                if line := line.strip():
                    return line
                continue
            if until is not None and not select.select([self._source], [], [], max(0.0, until - monotonic()))[0]:
                raise TimeoutError
            try:
                read = self._read()
            except OSError:
                read = b""
            if not read:
                raise self._ended()
            self._unread += read

    def _read(self) -> bytes:
        return os.read(self._source, _CHUNK)

    def _ended(self) -> ProgramEnded:
        return ProgramEnded(end_words(self._process) or "closed the connection")


class SocketTalk(Talk):
    """The same over a connection."""

    def __init__(self, process: subprocess.Popen[bytes], connection: socket.socket) -> None:
        super().__init__(process, connection.fileno(), connection.fileno())
        connection.setblocking(True)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection

    def _read(self) -> bytes:
        """Read, and confirm at once what comes: a client that sends little by little waits 40 ms for that."""
        if _QUICK_ACK:
            self._connection.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        return super()._read()


def over_socket(program: str, seconds: float) -> Talk:
    """Start `program HOST PORT` and wait until it has connected."""
    with socket.create_server((HOST, 0), backlog=1) as server:
        port = server.getsockname()[1]
        process = _started([program, HOST, str(port)], subprocess.DEVNULL, None)
        server.settimeout(_LOOK_SECONDS)
        until = monotonic() + seconds
        while True:
            with suppress(TimeoutError):
                connection, _ = server.accept()
                break
            if ended := end_words(process, 0.0):
                raise EndedEarly(f"{quoted(program, 200)} {ended} before it connected to {HOST}, port {port}")
            if monotonic() > until:
                raise UnknownBotError(
                    f"{quoted(program, 200)} did not connect to {HOST}, port {port}, within {seconds:g} s "
                    f"(started as {program} {HOST} {port}; more time: {program}:start=120)"
                )
    talk = SocketTalk(process, connection)
    weakref.finalize(talk, _leave, process, connection)
    return talk


def over_pipes(command: Sequence[str]) -> Talk:
    """Start a command and talk with it by its standard input and output."""
    process = _started(command, subprocess.PIPE, subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    talk = Talk(process, process.stdout.fileno(), process.stdin.fileno())
    weakref.finalize(talk, _leave, process, None)
    return talk


def end_words(process: subprocess.Popen[bytes], seconds: float = _END_SECONDS) -> str:
    """How a process has ended; nothing if it still runs after so long."""
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        return ""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def leave_with_parent() -> None:
    """End this process when its parent ends, on systems that can do so."""
    if _LIBRARY is not None:
        _LIBRARY.prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


def _started(command: Sequence[str], stdin: int, stdout: int | None) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command, stdin=stdin, stdout=stdout, bufsize=0, env=_environment(), preexec_fn=leave_with_parent
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = "; does its first line name an interpreter, as in #!/usr/bin/env python3?" if "format" in words else ""
        raise UnknownBotError(f"{quoted(command[0], 200)} cannot be started: {words}{hint}") from None


def _environment() -> dict[str, str]:
    """That of the user, as it was before there was a box."""
    found = dict(os.environ)
    if (before := found.pop(USERS_PYTHONPATH, None)) is not None:
        found["PYTHONPATH"] = before
        if not before:
            del found["PYTHONPATH"]
    return found


def _leave(process: subprocess.Popen[bytes], connection: socket.socket | None) -> None:
    """Nobody talks with the program any more."""
    if connection is not None:
        connection.close()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
    process.kill()
    process.wait()
