"""Hands of heads-up limit hold'em per second over loopback: the dealer with bots of its process, and with programs.

In the first rows dealer and both bots share a process and its event loop, so that all three take their turns on one
core. In the rows after them two programs, each a process, answer by a list (`benchmarks.wire_client`): legal actions,
drawn evenly. Beside it the same programs get the same lines from an echo loop, which sends the next ones when an answer
has come and does nothing else: two plain sockets, each waited for in turn, without event loop, clock, rules or log, so
that no loop in Python is much quicker. It sends each line to each player as it comes, as the reference dealer does, or
else, as ours does, what a player is only shown together with what it has to answer. Round trips are the same in all
three. The last row is the dealer's own work: the same match at its table without sockets. It adds itself to the round
trips as far as the cores are busy; where one is free, what follows the sending is done while the player thinks. Start
and end are not timed.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from benchmarks.timing import Row, against_peer, per_second
from railbird.bots.base import Bot
from railbird.formats.wire_lines import MatchState
from railbird.game.actions import CALL, Action
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.net.connect import play_at
from railbird.net.dealer import LOOPBACK, Dealer
from railbird.net.dealer_files import DealerBooks
from railbird.net.dealer_table import DealtMatch, Table
from railbird.net.wire_seat import WireSeat
from railbird.randomness import Stream

GAME = limit_holdem(small_bet=10)
HANDS = 1_000
PART = 10
"""Hands that are timed together. Each part's best round counts, and all parts are averaged: they differ in length."""
ROUNDS = 15
_AT_ONCE = 65_536


class Piece(NamedTuple):
    """What is sent to whom until somebody has to answer, who that is, and the answer."""

    seat: int
    shown: list[tuple[int, bytes]]
    answer: bytes


class Caller(Bot):
    """Does nothing."""

    def act(self, view: PlayerView) -> Action:
        return CALL


class TimedBooks(DealerBooks):
    """Files that note when the hands were over."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.times: list[float] = []

    def add_hand(self, line: str) -> None:
        super().add_hand(line)
        if line.startswith("STATE"):
            self.times.append(perf_counter())


def rows() -> list[Row]:
    pairs: dict[str, Sequence[str | type[Bot]]] = {
        "random v random": ("random", "random"),
        "two callers": (Caller, Caller),
    }
    pieces = script()
    rounds: list[dict[str, list[float]]] = []
    with TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            taken = {name: in_process(Path(folder), bots) for name, bots in pairs.items()}
            taken["programs"] = with_programs(Path(folder), pieces, partial(_dealt, Path(folder)))
            taken["echo"] = with_programs(Path(folder), pieces, partial(_echoed, pieces))
            taken["echo, together"] = with_programs(Path(folder), pieces, partial(_echoed, together(pieces)))
            taken["own work"] = worked(Path(folder), pieces)
            rounds.append(taken)
    best = {name: mean(map(min, zip(*[taken[name] for taken in rounds]))) for name in rounds[0]}
    found = [per_second("random v random in the dealer's process", best["random v random"], 5_000)]
    found.append(per_second("two callers in the dealer's process, 8 decisions a hand", best["two callers"]))
    found.append(per_second("two programs, random actions", best["programs"]))
    ours = best["programs"]
    found.append(against_peer("two programs, a hand", ours, "the same lines, each by itself", best["echo"], 0.9))
    found.append(against_peer("two programs, a hand", ours, "the same lines, together", best["echo, together"]))
    found.append(per_second("the dealer's own work, without sockets", best["own work"]))
    return found


def _match(hands: int = HANDS) -> DealtMatch:
    return DealtMatch("wire", "limit", GAME, hands, 1, ("a", "b"))


def in_process(folder: Path, bots: Sequence[str | type[Bot]]) -> list[float]:
    """Seconds of a hand, all in one event loop."""
    seats = [WireSeat(bot, GAME, 1) for bot in bots]
    books = TimedBooks(str(folder / "wire"))

    async def play(seat: WireSeat, host: str, port: int) -> object:
        return await play_at(host, port, seat, is_guest=True)

    dealer = Dealer(_match(), books, is_quiet=True)
    asyncio.run(dealer.deal(guests=[partial(play, seat) for seat in seats]))
    books.close()
    return _parts(books.times)


def script() -> list[Piece]:
    """A match of random actions: what is sent in turn until somebody has to answer, and the answer."""
    table = Table(_match(), DealerBooks("", log=False), perf_counter, is_quiet=True)
    pieces, random = [], Stream(1)
    table.begin()
    while not table.is_over:
        state = table.outboxes[table.seat][-1]
        node = Betting.start(GAME).play(MatchState.parse(state, GAME).history)
        answer = f"{state}:{random.choice([action.kind for action in node.legal_actions()])}\r\n".encode()
        shown = [(seat, f"{line}\r\n".encode()) for lines in zip(*table.outboxes) for seat, line in enumerate(lines)]
        pieces.append(Piece(table.seat, shown, answer))
        for box in table.outboxes:
            box.clear()
        table.hear(answer)
    return pieces


def together(pieces: Sequence[Piece]) -> list[Piece]:
    """The same, but everything that a seat is shown is sent in one piece with the state that it has to answer."""
    waiting, found = [b"", b""], []
    for seat, shown, answer in pieces:
        for other, line in shown:
            waiting[other] += line
        found.append(Piece(seat, [(seat, waiting[seat])], answer))
        waiting[seat] = b""
    return found


def with_programs(
    folder: Path, pieces: Sequence[Piece], serve: Callable[[Callable[[Sequence[int]], None]], Awaitable[list[float]]]
) -> list[float]:
    """Seconds of a hand with two programs, which `serve` serves once it has told its ports."""
    programs: list[subprocess.Popen[bytes]] = []
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}

    def start(ports: Sequence[int]) -> None:
        for seat, port in enumerate(ports):
            own = [piece.answer.decode() for piece in pieces if piece.seat == seat]
            answers = {answer.rpartition(":")[0]: answer for answer in own}
            file = folder / f"answers{seat}.json"
            file.write_text(json.dumps(answers))
            command = [sys.executable, "-m", "benchmarks.wire_client", LOOPBACK, str(port), str(file)]
            programs.append(subprocess.Popen(command, env=environment))

    try:
        return asyncio.run(_awaited(serve(start)))
    finally:
        for program in programs:
            program.kill()
            program.wait()


async def _awaited(work: Awaitable[list[float]]) -> list[float]:
    return await work


async def _dealt(folder: Path, start: Callable[[Sequence[int]], None]) -> list[float]:
    books = TimedBooks(str(folder / "wire"))
    await Dealer(_match(), books, is_quiet=True).deal(start)
    books.close()
    return _parts(books.times)


async def _echoed(pieces: Sequence[Piece], start: Callable[[Sequence[int]], None]) -> list[float]:
    """Send what a dealer would send, whatever comes back."""
    listening = [socket.create_server((LOOPBACK, 0)) for _ in range(2)]
    start([each.getsockname()[1] for each in listening])
    seats = [each.accept()[0] for each in listening]
    for each in seats:
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        each.recv(_AT_ONCE)  # its greeting
    hands = [piece.answer.split(b":")[2] for piece in pieces]
    begins = [hand != before for hand, before in zip(hands, [b"", *hands])]
    times = []
    for piece, is_first in zip(pieces, begins):
        if is_first:
            times.append(perf_counter())
        for seat, line in piece.shown:
            seats[seat].send(line)
        seats[piece.seat].recv(_AT_ONCE)
    for each in [*seats, *listening]:
        each.close()
    return _parts(times)


def worked(folder: Path, pieces: Sequence[Piece]) -> list[float]:
    """Seconds of a hand at the table alone: the answers are read, what would be sent is made, the log is written."""
    books = TimedBooks(str(folder / "wire"))
    books.open()
    table = Table(_match(), books, perf_counter, is_quiet=True)
    table.begin()
    for piece in pieces:
        table.hear(piece.answer)
        for box in table.outboxes if table.is_over else [table.outboxes[table.seat]]:
            "\r\n".join([*box, ""]).encode()
            box.clear()
        table.catch_up()
    books.close()
    return _parts(books.times)


def _parts(times: Sequence[float]) -> list[float]:
    """Seconds of a hand in each part of a match."""
    return [(end - begun) / PART for begun, end in zip(times[::PART], times[PART::PART])]
