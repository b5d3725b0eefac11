"""Sockets of lines: what is there, what is too much, and what is left at the end."""

from __future__ import annotations

import asyncio
import socket

import pytest

from railbird.formats.wire_lines import LONGEST_LINE
from railbird.net.wire import LineSocket


def with_pair(talk, may_wait=False):
    """Let a coroutine have a socket of lines, and the other end of it as a plain one."""

    async def main():
        with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket() as other:
            other.connect(listening.getsockname())
            mine = LineSocket(listening.accept()[0], lambda: None, may_wait)
            try:
                return await talk(mine, other)
            finally:
                mine.close()

    return asyncio.run(asyncio.wait_for(main(), 30))


async def until(condition) -> None:
    """Let the loop go on until something holds."""
    while not condition():
        await asyncio.sleep(0.001)


def test_lines_come_as_they_were_sent_whatever_the_pieces():
    async def talk(mine, other):
        found = []
        for piece in (b"VERS", b"ION\r\n", b"one\ntwo\nth", b"ree\n\n", b"last"):
            other.sendall(piece)
            await asyncio.sleep(0.02)
            while (line := mine.line()) is not None:
                found.append(line)
        other.close()
        await until(lambda: mine.is_ended)
        return [*found, mine.line(), mine.line()]

    assert with_pair(talk) == [b"VERSION\r\n", b"one\n", b"two\n", b"three\n", b"\n", b"last", None]


def test_all_lines_at_once_are_those_that_come_one_by_one():
    async def talk(mine, other):
        other.sendall(b"one\r\ntwo\n\nhalf")
        await until(lambda: mine._data)
        found = mine.lines()
        other.sendall(b" a line\n")
        await until(lambda: b"line" in mine._data)
        return found, mine.lines(), mine.lines()

    assert with_pair(talk) == ([b"one\r", b"two", b""], [b"half a line"], [])


def test_a_line_without_end_comes_in_pieces():
    async def talk(mine, other):
        other.sendall(b"x" * 10_000 + b"\n")
        await until(lambda: len(mine._data) > 10_000)
        return mine.lines()

    assert [len(piece) for piece in with_pair(talk)] == [LONGEST_LINE, LONGEST_LINE, 10_000 - 2 * LONGEST_LINE]


def test_who_sends_too_much_has_to_wait():
    async def talk(mine, other):
        other.setblocking(False)
        sent = 0
        for _ in range(200):
            try:
                sent += other.send(b"y" * 65_536)
            except BlockingIOError:
                await asyncio.sleep(0.005)
        kept = len(mine._data)
        assert kept < 200_000 < sent
        while mine.line() is not None:
            pass
        await until(lambda: len(mine._data) - mine._at > 60_000)  # it reads on
        return kept

    with_pair(talk)


def test_who_reads_nothing_is_given_up():
    async def talk(mine, other):
        told = []
        mine.on_lines = lambda: told.append(mine.is_broken)
        for _ in range(100_000):
            mine.send(b"MATCHSTATE:0:0::5d5c|\r\n" * 100)
            if mine.is_broken:
                break
        await until(lambda: told)
        return told

    assert with_pair(talk) == [True]


def test_what_does_not_fit_is_sent_when_there_is_room():
    async def talk(mine, other):
        lines = b"".join(b"line %d\r\n" % number for number in range(20_000))
        other.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for at in range(0, len(lines), 50_000):
            mine.send(lines[at : at + 50_000])
        other.setblocking(False)
        heard = b""
        while len(heard) < len(lines):
            try:
                heard += other.recv(65_536)
            except BlockingIOError:
                await asyncio.sleep(0.001)
        await mine.drain(5)
        return heard == lines and not mine.is_broken

    assert with_pair(talk)


@pytest.mark.parametrize("reads_first", [True, False])
def test_a_reset_by_the_other_side_is_an_end(reads_first):
    async def talk(mine, other):
        other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        other.close()
        if reads_first:
            await until(lambda: mine.is_ended)
        else:
            await asyncio.sleep(0.02)
            mine.send(b"hello\r\n")
            mine.send(b"hello\r\n")
        await until(lambda: mine.is_broken)
        mine.send(b"nobody hears this\r\n")
        return mine.line()

    assert with_pair(talk) is None


def test_a_part_of_a_line_is_confirmed_at_once_and_a_whole_one_with_the_answer(monkeypatch):
    confirmed = []
    monkeypatch.setattr(LineSocket, "confirm", lambda mine: confirmed.append(mine._data))

    async def talk(mine, other):
        for piece in (b"whole\n", b"a ha", b"lf\n"):
            other.sendall(piece)
            await until(lambda piece=piece: mine._data.endswith(piece))

    with_pair(talk)
    assert confirmed == [b"whole\na ha"]


def test_a_socket_that_is_closed_confirms_nothing():
    async def talk(mine, other):
        mine.confirm()
        mine.close()
        mine.confirm()

    with_pair(talk)


def test_what_comes_soon_is_there_without_the_loop():
    async def talk(mine, other):
        found = [mine.comes_soon()]
        other.sendall(b"one\nha")
        found += [mine.comes_soon(), mine.line(), mine.line()]
        other.sendall(b"lf\n")
        found += [mine.comes_soon(), mine.line(), mine.comes_soon()]
        other.close()
        return [*found, mine.comes_soon(), mine.is_ended, mine.line(), mine.comes_soon()]

    expected = [False, True, b"one\n", None, True, b"half\n", False, True, True, None, False]
    assert with_pair(talk, may_wait=True) == expected


def test_nothing_is_waited_for_that_this_loop_would_have_to_send():
    async def talk(mine, other):
        other.sendall(b"one\n")
        before = mine.comes_soon()
        await until(lambda: mine._data)
        return before, mine.lines()

    assert with_pair(talk) == (False, [b"one"])


def test_who_sends_too_much_has_to_wait_though_lines_are_waited_for():
    async def talk(mine, other):
        other.setblocking(False)
        for _ in range(100):
            try:
                other.send(b"y" * 65_536)
            except BlockingIOError:
                mine.comes_soon()
        assert not mine.comes_soon()
        assert len(mine._data) < 200_000
        while mine.line() is not None:
            pass
        return mine.comes_soon()

    assert with_pair(talk, may_wait=True)


def test_sending_never_waits_for_who_reads_nothing():
    async def talk(mine, other):
        for _ in range(100_000):
            mine.send(b"MATCHSTATE:0:0::5d5c|\r\n" * 100)
            if mine.is_broken:
                break
        return mine.is_broken

    assert with_pair(talk, may_wait=True)
