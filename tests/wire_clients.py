"""Clients for tests of the wire: they do what they were told, over real sockets or against a table without any."""

from __future__ import annotations

import atexit
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

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
    return subprocess.Popen([sys.executable, "-m", "railbird", *arguments], cwd=cwd, **more)


_HOST = """
import json, os, sys
from railbird.cli import main
for line in sys.stdin:
    folder, name, arguments = json.loads(line)
    os.chdir(folder)
    for stream, end in ((1, "out"), (2, "err")):
        file = os.open(f"{name}.{end}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, stream)
        os.close(file)
    try:
        main(arguments)
    except SystemExit as end:
        code = end.code or 0
    sys.stdout.flush()
    sys.stderr.flush()
    with open(f"{name}.code.part", "w") as file:
        file.write(str(code))
    os.replace(f"{name}.code.part", f"{name}.code")
"""


class Host:
    """A process that runs commands one after the other, so that each need not wait for its imports."""

    _hosts: ClassVar[dict[str, Host]] = {}

    @classmethod
    def named(cls, name: str) -> Host:
        found = cls._hosts.get(name)
        if found is None or found._process.poll() is not None:
            found = cls._hosts[name] = cls()
        return found

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", _HOST], stdin=subprocess.PIPE, text=True)
        atexit.register(self._process.kill)

    def run(self, folder: Path, name: str, arguments: Sequence[str]) -> Ended:
        """Begin a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([str(folder), name, list(arguments)]) + "\n")
        self._process.stdin.flush()
        return Ended(folder, name, self._process)


class Ended:
    """What a command has said by its end."""

    def __init__(self, folder: Path, name: str, process: subprocess.Popen) -> None:
        self.code = -1
        self.out = self.err = ""
        self.ports: list[int] = []
        self.process = process
        self._folder, self._name = folder, name

    def first_line(self) -> str:
        return self._until(lambda: "\n" in self._said("out") and self._said("out").split("\n")[0])

    def wait(self) -> Ended:
        """Wait for its end."""
        code = self._folder / f"{self._name}.code"
        self.code = int(self._until(lambda: code.exists() and code.read_text()))
        self.out, self.err = self._said("out"), self._said("err")
        return self

    def _said(self, end: str) -> str:
        path = self._folder / f"{self._name}.{end}"
        return path.read_bytes().decode() if path.exists() else ""

    def _until(self, found: Callable[[], str | bool]) -> str:
        deadline = time.monotonic() + SECONDS
        while not (value := found()):
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.process.kill()
                raise AssertionError(f"it has not ended: {self._said('out')} {self._said('err')}")
            time.sleep(0.005)
        return str(value)


@contextmanager
def dealing(folder: Path, *arguments: str, to_be_killed: bool = False):
    """A dealer in another process; when the block ends it must end too, and what it has said is known.

    One that is to be killed has a process of its own.
    """
    if to_be_killed:
        with (folder / "dealer.out").open("w") as out, (folder / "dealer.err").open("w") as err:
            process = railbird("dealer", *arguments, cwd=folder, stdout=out, stderr=err)
        dealer = Ended(folder, "dealer", process)
    else:
        (folder / "dealer.out").unlink(missing_ok=True)
        (folder / "dealer.code").unlink(missing_ok=True)
        dealer = Host.named("dealer").run(folder, "dealer", ["dealer", *arguments])
    try:
        dealer.ports = [int(port) for port in dealer.first_line().split()]
        yield dealer
    except BaseException:
        dealer.process.kill()  # it may wait for clients that never come
        raise
    if to_be_killed:
        dealer.process.wait(SECONDS)
    else:
        dealer.wait()
        dealer.out = dealer.out.partition("\n")[2]


def without_times(text: str) -> str:
    """What a dealer says on stderr, times left out."""
    return re.sub(r"\d{9,}\.\d{6}", "TIME", text)
