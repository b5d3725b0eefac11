"""Clients for tests of the wire: they do what they were told, over real sockets or against a table without any."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from railbird.formats.acpc import parse_game
from railbird.formats.wire_lines import MatchState
from railbird.game.betting import Betting, split_history
from railbird.net.dealer_table import DealtMatch, Table

DATA = Path(__file__).parent / "data" / "acpc"
SECONDS = 60.0
"""As long is waited for what comes at once."""

Answer = Callable[[MatchState, str], bytes | None]
"""What a client sends when it is to act: given the state, and the line."""


def game_of(name: str):
    return parse_game((DATA / name).read_text(), name.removesuffix(".game"))


LIMIT = "holdem.limit.2p.reverse_blinds.game"
NO_LIMIT = "holdem.nolimit.2p.reverse_blinds.game"


def is_to_act(state: MatchState, game) -> bool:
    return Betting.start(game).play(state.history).to_act == state.position


def replaying(log: str) -> Answer:
    """The actions of a log again."""
    hands = {}
    for line in log.splitlines():
        if line.startswith("STATE:"):
            _, number, history, *_ = line.split(":")
            hands[int(number)] = [part for part in split_history(history) if part != "/"]

    def answer(state: MatchState, line: str) -> bytes:
        done = len([part for part in split_history(state.history) if part != "/"])
        return f"{line}:{hands[state.number][done]}\r\n".encode()

    return answer


def always(action: str) -> Answer:
    return lambda _state, line: f"{line}:{action}\r\n".encode()


class NoBooks:
    """Lines of a log that are kept in memory."""

    keeps_transactions = False

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add_hand(self, line: str) -> None:
        self.lines.append(line)

    def add_transaction(self, line: str) -> None:
        raise AssertionError("no transactions are kept")


def table_log(match: DealtMatch, answers: Sequence[Answer], is_quiet: bool = True) -> tuple[str, Table]:
    """The log of a match in which these clients answer, without sockets."""
    books = NoBooks()
    table = Table(match, books, lambda: 1_000_000_000.0, is_quiet)
    table.begin()
    while not table.is_over:
        line = table.outboxes[table.seat][-1]
        table.hear(answers[table.seat](MatchState.parse(line, match.game), line))
        table.catch_up()
    return match.header() + "".join(books.lines) + table.score_line() + "\n", table


class Client(threading.Thread):
    """A client at a port, in a thread of the tests' process; `heard` are the lines that it was sent."""

    def __init__(self, port: int, game, answer: Answer, greeting: bytes = b"VERSION:2.0.0\n") -> None:
        super().__init__(daemon=True)
        self.heard: list[str] = []
        self._where = ("127.0.0.1", port)
        self._game, self._answer, self._greeting = game, answer, greeting
        self.start()

    def run(self) -> None:
        with suppress(OSError), socket.create_connection(self._where, SECONDS) as wire:
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            wire.sendall(self._greeting)
            for line in wire.makefile("rb"):
                assert line.endswith(b"\r\n")
                text = line.decode().removesuffix("\r\n")
                self.heard.append(text)
                state = MatchState.parse(text, self._game)
                if is_to_act(state, self._game):
                    said = self._answer(state, text)
                    if said is None:
                        return
                    wire.sendall(said)


def railbird(*arguments: str, cwd: Path, **more) -> subprocess.Popen:
    """A process of its own."""
    command = [sys.executable, "-m", "railbird", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen(command, cwd=cwd, env={**os.environ, "PYTHONUNBUFFERED": "1"}, **pipes)


class Ended:
    """What a process has said by its end."""

    code: int = -1
    out: str = ""
    err: str = ""
    ports: Sequence[int] = ()
    process: subprocess.Popen


@contextmanager
def dealing(folder: Path, *arguments: str, **more):
    """A dealer's process; when the block ends it must end too, and what it has said is known."""
    found = Ended()
    with (folder / "err").open("w") as err:
        found.process = process = railbird("dealer", *arguments, cwd=folder, stderr=err, **more)
    try:
        assert process.stdout is not None
        found.ports = [int(port) for port in process.stdout.readline().split()]
        yield found
        found.out, _ = process.communicate(timeout=SECONDS)
        found.code = process.returncode
        found.err = (folder / "err").read_bytes().decode()
    finally:
        process.kill()
        process.communicate()


def without_times(text: str) -> str:
    """What a dealer says on stderr, times left out."""
    return re.sub(r"\d{9,}\.\d{6}", "TIME", text)
