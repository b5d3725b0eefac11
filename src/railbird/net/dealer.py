"""The dealer: waits for the players, each at a port of its own, and deals the match to its end.

All is done in one event loop and without a task for each decision: a reply is looked at when it comes, and the states
that follow from it are sent. The state that a player has to answer is sent at once; what the others are only shown
waits for a moment, so that it goes out together with what they have to answer, if that comes soon. While players answer
soon their sockets are read one after the other, and the loop is left alone.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, time

from railbird.errors import BrokenOffError, MatchError
from railbird.formats.wire_lines import VERSION, greeted_version, is_other_version
from railbird.net.dealer_files import DealerBooks
from railbird.net.dealer_table import DealtMatch, Table
from railbird.net.wire import SERVICE_SECONDS, LineSocket
from railbird.numbers import quoted
from railbird.words import harmless

LOOPBACK = "127.0.0.1"
_MOMENT_SECONDS = 0.001
"""As long do states wait that somebody is only shown."""
_LONGEST_TIMER = 1e9
_FAREWELL_SECONDS = 5.0
_BACKLOG = 8

Notes = Callable[[str], None]
"""Takes what the reference dealer would write to stderr."""


@dataclass(frozen=True)
class Door:
    """Where players come in."""

    host: str = LOOPBACK
    ports: tuple[int, ...] = ()
    """By seat; 0, or none, for any that is free."""
    start_seconds: float | None = None
    """How long players are waited for; `None`: until they come."""

    def open(self, seats: int) -> list[socket.socket]:
        """A listening socket for each seat."""
        found: list[socket.socket] = []
        for seat in range(seats):
            port = self.ports[seat] if seat < len(self.ports) else 0
            try:
                found.append(_listening(self.host, port))
            except OSError as error:
                for each in found:
                    each.close()
                where = f"{self.host}:{port}" if port else self.host
                raise MatchError(f"seat {seat + 1} cannot listen at {where}: {_reason(error)}") from None
        return found


def _reason(error: OSError) -> str:
    """Why nobody can listen there, without the details that Python adds."""
    said = error.strerror or str(error)
    return said.partition(" (while attempting")[0]


def _listening(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    found = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    found.setblocking(False)
    return found


_USUAL_DOOR = Door()

Guest = Callable[[str, int], Awaitable[object]]
"""A player of this process: given host and port of its seat, it plays there."""


class Dealer:
    """Deals one match."""

    def __init__(
        self,
        match: DealtMatch,
        books: DealerBooks,
        door: Door = _USUAL_DOOR,
        notes: Notes = lambda _: None,
        is_quiet: bool = False,
    ) -> None:
        self.match = match
        self._books = books
        self._door = door
        self._notes = notes
        self._is_quiet = is_quiet
        self._seats: list[LineSocket] = []

    async def deal(
        self, tell_ports: Callable[[Sequence[int]], None] = lambda _: None, guests: Sequence[Guest | None] = ()
    ) -> Table:
        """Deal the match to the clients that come; the table when it is over.

        `guests` are players of this process, by seat. Raises `BrokenOffError` if the match does not come to its end.
        """
        listening = self._door.open(self.match.game.seats)
        doors = [each.getsockname()[:2] for each in listening]
        playing: list[asyncio.Future[object]] = []
        try:
            self._books.open()
            tell_ports([port for _, port in doors])
            self._books.add_hand(self.match.header())
            self._notes(self.match.header())
            playing = [asyncio.ensure_future(guest(*_from_here(*at))) for guest, at in zip(guests, doors) if guest]
            await self._seat_players(listening, guests)
            await self._hear_greetings()
            table = Table(self.match, self._books, _clock(), self._is_quiet)
            await _Play(table, self._seats, self._notes).to_the_end(self._books)
            self._books.add_hand(f"{table.score_line()}\n")
            for seat in self._seats:
                await seat.drain(_FAREWELL_SECONDS)
                seat.close()
            await asyncio.gather(*playing)
            return table
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for seat in self._seats:
                seat.close()
            for each in listening:
                each.close()

    async def _seat_players(self, listening: Sequence[socket.socket], guests: Sequence[Guest | None]) -> None:
        """Wait for a client at each port, and close the port behind it."""
        loop, most = asyncio.get_running_loop(), self._door.start_seconds
        end = None if most is None else loop.time() + most
        for seat, each in enumerate(listening):
            left = None if end is None else max(0.0, end - loop.time())
            try:
                connected, _ = await asyncio.wait_for(loop.sock_accept(each), left)
            except TimeoutError:
                raise self._broken_off(
                    f"timed out waiting for seat {seat + 1} to connect", f"nobody has come to seat {seat + 1}"
                ) from None
            each.close()
            is_guest = seat < len(guests) and guests[seat] is not None
            self._seats.append(LineSocket(connected, lambda: None, may_wait=not is_guest))

    async def _hear_greetings(self) -> None:
        """Everybody's first line; refuses one that is no greeting."""
        most = self._door.start_seconds
        if most is None:
            most = self.match.limits.seconds(self.match.hands)[0]
        for seat, each in enumerate(self._seats):
            line = await _first_line(each, most)
            if line is None:
                raise self._broken_off(
                    f"could not read version string from seat {seat + 1}", f"no greeting from seat {seat + 1}"
                )
            said = harmless(line.decode(errors="replace").rstrip("\r\n"))
            version = greeted_version(line)
            if version is None:
                raise self._broken_off(
                    f"invalid version string {said}", f"{quoted(said)} of seat {seat + 1} is no greeting"
                )
            if is_other_version(version):
                ours = ".".join(map(str, VERSION))
                self._notes(f"ERROR: this server is currently using version {ours}\n")

    def _broken_off(self, said: str, words: str) -> BrokenOffError:
        self._notes(f"ERROR: {said}\n")
        return BrokenOffError(words)


def _from_here(host: str, port: int) -> tuple[str, int]:
    """Where a socket that listens there is reached from this machine."""
    return {"0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host), port


async def _first_line(seat: LineSocket, most: float) -> bytes | None:
    """The first line of a client, if it comes in time."""
    came = asyncio.Event()
    seat.on_lines = came.set
    line = seat.line()
    with suppress(TimeoutError):
        async with asyncio.timeout(min(most, _LONGEST_TIMER)):
            while line is None and not seat.is_ended:
                came.clear()
                await came.wait()
                line = seat.line()
    return line


class _Play:
    """The match once everybody is greeted."""

    def __init__(self, table: Table, seats: Sequence[LineSocket], notes: Notes) -> None:
        self._table = table
        self._seats = seats
        self._notes = notes
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()
        self._moment: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None

    async def to_the_end(self, books: DealerBooks) -> None:
        for seat, each in enumerate(self._seats):
            each.on_lines = partial(self._heard, seat)
        try:
            self._table.begin(books.past())
            self._watch_clock()
            self._serve()
            await self._over
        finally:
            for timer in (self._moment, self._alarm):
                if timer:
                    timer.cancel()
            self._table.catch_up()
            self._tell_notes()

    def _heard(self, seat: int) -> None:
        if seat == self._table.seat:
            self._serve()

    def _serve(self) -> None:
        """Look at the replies that are there or come soon, and send what follows from them."""
        end = monotonic() + SERVICE_SECONDS
        try:
            player = self._asked()
            while player is not None and player.comes_soon():
                player = self._asked()
                if monotonic() > end:
                    break
            if player is None:
                self._end(None)
            elif player.may_wait:
                self._send_all()
            elif self._moment is None:
                self._moment = self._loop.call_later(_MOMENT_SECONDS, self._send_others)
        except Exception as error:
            self._end(error)

    def _asked(self) -> LineSocket | None:
        """The player who is to act, after all replies that are there; nobody if the match is over."""
        table, player = self._table, None
        while not table.is_over:
            player = self._seats[table.seat]
            line = player.line()
            if line is None:
                if player.is_ended:
                    raise table.no_reply()
                self._deliver(table.seat)
                break
            table.hear(line)
        else:
            player = None
            self._send_all()
        if table.is_behind:
            table.catch_up()
        if table.notes:
            self._tell_notes()
        return player

    def _send_others(self) -> None:
        self._moment = None
        try:
            self._send_all()
        except Exception as error:
            self._end(error)

    def _send_all(self) -> None:
        for seat in range(len(self._seats)):
            self._deliver(seat)

    def _deliver(self, seat: int) -> None:
        box, player = self._table.outboxes[seat], self._seats[seat]
        if box:
            box.append("")
            player.send("\r\n".join(box).encode())
            box.clear()
        if player.is_broken:
            raise self._table.unreachable(seat)

    def _watch_clock(self) -> None:
        """End the match if the player to act has had too long; otherwise look again when that could be."""
        left = self._table.seconds_left()
        if left <= 0 and not self._table.is_over:
            self._end(self._table.no_reply())
        elif left < _LONGEST_TIMER:
            self._alarm = self._loop.call_later(max(left, _MOMENT_SECONDS), self._watch_clock)

    def _tell_notes(self) -> None:
        notes = self._table.notes
        if notes:
            self._notes("".join(notes))
            notes.clear()

    def _end(self, error: Exception | None) -> None:
        if not self._over.done():
            if error is None:
                self._over.set_result(None)
            else:
                self._over.set_exception(error)


def _clock() -> Callable[[], float]:
    """The time of day, which passes evenly whatever is done to the computer's clock."""
    began = time() - monotonic()
    return lambda: began + monotonic()
