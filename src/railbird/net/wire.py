"""A socket of lines: what came in, line by line, and what is to go out; both bounded, and nothing waits for ever.

It is driven by the event loop's readers and writers rather than by streams: a match is questions and answers one after
the other, so what counts is how little is done for each. All sockets of a loop share one reader of it, which looks for
the next question or answer itself before it goes back to the loop; between two of them nothing else need happen. Where
the other side is another process, the next line `comes_soon`: it is looked for a few times, then waited for in the one
call that receives it.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar
from weakref import WeakKeyDictionary

from railbird.formats.wire_lines import LONGEST_LINE

SERVICE_SECONDS = 0.005
"""As long may one be served who answers soon, before the loop sees to clocks and Ctrl-C."""
_MOST_UNREAD = 1 << 16
"""Bytes that wait to be looked at. Whoever sends more has to wait, as with any full pipe."""
_MOST_UNSENT = 1 << 20
_AT_ONCE = 1 << 16
_MOST_LOOKS = 32
_NOW = getattr(socket, "MSG_DONTWAIT", 0)
_MOMENT = struct.pack("@ll", 0, 1000)
"""A millisecond, which systems round up to some."""
_MOST_GLANCES = 30
"""So often is looked for an answer before it is waited for: to wake a core takes longer than a quick answer."""
_let_others_work = getattr(os, "sched_yield", lambda: None)
_QUICK_ACK = getattr(socket, "TCP_QUICKACK", 0)
_MOST_LEFT = 64
"""So often is read from a socket that is closed, whoever still sends to it."""


class _Readers:
    """The sockets that one event loop reads."""

    _by_loop: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, _Readers]] = WeakKeyDictionary()

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> _Readers:
        return cls._by_loop.get(loop) or cls._by_loop.setdefault(loop, cls())

    def __init__(self) -> None:
        self._reads: dict[int, Callable[[], None]] = {}
        self._epoll: select.epoll | None = None

    def add(self, loop: asyncio.AbstractEventLoop, fd: int, read: Callable[[], None]) -> None:
        if not hasattr(select, "epoll"):  # no Linux
            loop.add_reader(fd, read)
            return
        if self._epoll is None:
            self._epoll = select.epoll()
            loop.add_reader(self._epoll.fileno(), self._look)
        self._reads[fd] = read
        self._epoll.register(fd, select.EPOLLIN)

    def remove(self, loop: asyncio.AbstractEventLoop, fd: int) -> None:
        if self._epoll is None:
            loop.remove_reader(fd)
            return
        del self._reads[fd]
        self._epoll.unregister(fd)
        if not self._reads:
            loop.remove_reader(self._epoll.fileno())
            self._epoll.close()
            self._epoll = None

    def _look(self) -> None:
        """Read what can be read, again and again, but not so often that the loop's timers would wait."""
        for _ in range(_MOST_LOOKS):
            ready = self._epoll.poll(0) if self._epoll is not None else ()
            if not ready:
                return
            for fd, _ in ready:
                read = self._reads.get(fd)
                if read is not None:
                    read()


class LineSocket:
    """A connected socket, which tells `on_lines` when something has come or the other side has ended.

    `may_wait`: whether the other side is elsewhere, so that it answers though this loop stands still.
    """

    def __init__(self, sock: socket.socket, on_lines: Callable[[], None], may_wait: bool = False) -> None:
        self.may_wait = may_wait and bool(_NOW)
        sock.setblocking(self.may_wait)
        if self.may_wait:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _MOMENT)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.on_lines = on_lines
        self.is_ended = False
        """Whether nothing more will come."""
        self.is_broken = False
        """Whether nothing more can be sent."""
        self._loop = asyncio.get_running_loop()
        self._readers = _Readers.of(self._loop)
        self._socket = sock
        self._fd = sock.fileno()
        self._data = b""
        self._at = 0
        self._unsent = bytearray()
        self._is_reading = False
        self._read_on()

    def line(self) -> bytes | None:
        """The next line with its end; `None` if none is there. What is too long comes in pieces, as does a last line
        that was never ended."""
        data, at = self._data, self._at
        if at == len(data):
            if not self._is_reading:
                self._read_on()
            return None
        end = data.find(b"\n", at, at + LONGEST_LINE) + 1
        if not end:
            if len(data) - at >= LONGEST_LINE:
                end = at + LONGEST_LINE
            elif self.is_ended:
                end = len(data)
            else:
                self._read_on()
                return None
        self._at = end
        return data[at:end]

    def lines(self) -> list[bytes]:
        """All lines that are there, without the LF at their ends; what `line` gives in pieces in the same pieces."""
        data, at = self._data, self._at
        if data.endswith(b"\n") and len(data) - at <= LONGEST_LINE:
            self._data, self._at = b"", 0
            return data[at:-1].split(b"\n")
        found = []
        while (line := self.line()) is not None:
            found.append(line.removesuffix(b"\n"))
        return found

    def send(self, data: bytes) -> None:
        """Send, now as far as possible and the rest when there is room."""
        if self.is_broken:
            return
        if not self._unsent:
            try:
                sent = self._socket.send(data, _NOW)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                self._break()
                return
            if sent == len(data):
                return
            data = data[sent:]
            self._loop.add_writer(self._fd, self._send_rest)
        self._unsent += data
        if len(self._unsent) > _MOST_UNSENT:
            self._break()

    def confirm(self) -> None:
        """Confirm at once what has come and is not answered: whoever sends little by little waits 40 ms for that."""
        if _QUICK_ACK and self._fd >= 0:
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)

    async def drain(self, seconds: float) -> None:
        """Wait until all is sent, at most so long."""
        end = self._loop.time() + seconds
        while self._unsent and not self.is_broken and self._loop.time() < end:
            await asyncio.sleep(0.01)

    def close(self) -> None:
        """Close it. What the other side has sent and nobody has read must not take away what it has yet to read."""
        if self._fd < 0:
            return
        self._stop_reading()
        self._loop.remove_writer(self._fd)
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            for _ in range(_MOST_LEFT):
                if not self._socket.recv(_AT_ONCE, _NOW):
                    break
        self._socket.close()
        self._fd = -1
        self.is_ended = self.is_broken = True

    def comes_soon(self) -> bool:
        """Whether something comes within a moment, be it the end; the loop stands still for so long.

        Nothing is waited for where nothing would come: from this very loop, or from a socket that is not read.
        """
        if not (self.may_wait and self._is_reading):
            return False
        for _ in range(_MOST_GLANCES):
            if self._receive(_NOW):
                return True
            _let_others_work()
        return self._receive(0)

    def _read(self) -> None:
        if self._receive(_NOW):
            self.on_lines()

    def _receive(self, flags: int) -> bool:
        """Take what has come; whether that is something."""
        try:
            data = self._socket.recv(_AT_ONCE, flags)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            data = b""
            self.is_broken = True
        if not data:
            self.is_ended = True
            self._stop_reading()
            return True
        is_whole = data.endswith(b"\n")
        if self._at < len(self._data):
            data = self._data[self._at :] + data
            if len(data) > _MOST_UNREAD:
                self._stop_reading()
        self._data, self._at = data, 0
        if not is_whole:
            self.confirm()
        return True

    def _read_on(self) -> None:
        if not self._is_reading and not self.is_ended:
            self._is_reading = True
            self._readers.add(self._loop, self._fd, self._read)

    def _stop_reading(self) -> None:
        if self._is_reading:
            self._is_reading = False
            self._readers.remove(self._loop, self._fd)

    def _send_rest(self) -> None:
        try:
            sent = self._socket.send(self._unsent, _NOW)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._break()
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._fd)

    def _break(self) -> None:
        """Nothing more can be sent; what came before may still be read."""
        self.is_broken = True
        self._unsent.clear()
        self._loop.remove_writer(self._fd)
        self._loop.call_soon(self.on_lines)
