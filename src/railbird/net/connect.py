"""A bot at the table of any dealer that speaks the competition's protocol."""

from __future__ import annotations

import asyncio
import os
import socket
from dataclasses import dataclass
from typing import Any

from railbird.errors import BrokenOffError, MatchError, UnreadableLineError
from railbird.formats.wire_lines import GREETING
from railbird.game.spec import Game
from railbird.net.wire import SERVICE_SECONDS, LineSocket
from railbird.net.wire_seat import WireSeat
from railbird.play.faults import Fault
from railbird.play.match_result import fault_parts
from railbird.play.players import player_of
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import count_of, rate, signed

COMPETITION_GAME = "limit:small_bet=10"
"""Heads-up limit hold'em with reverse blinds of 10 and 5, as the competition plays it."""
PATIENCE_SECONDS = 3600.0
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, repr=False)
class ConnectedPlay(Result):
    """What came of a bot's match at somebody's table."""

    bot: str
    where: str
    game: Game
    hands: int
    chips: float
    won: Estimate
    """In small bets per hand."""
    faults: tuple[Fault, ...] = ()
    broken_off: str = ""
    """Why the match ended in the middle of a hand; empty if it did not."""

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.connected/1."""
        return {
            "schema": "railbird.connected/1",
            "bot": self.bot,
            "dealer": self.where,
            "game": self.game.name,
            "seats": self.game.seats,
            "hands_played": self.hands,
            "won_chips": self.chips,
            "unit": "small bets per hand",
            "money": self.won.to_json(),
            "faults": [str(fault) for fault in self.faults],
            "broken_off": self.broken_off or None,
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"bot": self.bot, "dealer": self.where, "chips": self.chips, **self.won.to_json()}]

    def parts(self) -> list[Part]:
        seats = "heads-up" if self.game.seats == 2 else f"{self.game.seats} seats"
        facts = (f"{self.game.name} {seats}", count_of(self.hands, "hand"))
        chips = f"{signed(self.chips, 0 if self.chips.is_integer() else 2)} chips"
        money = [Line(f"money      {rate(self.won)} sb/hand (95%)   {chips}")] if self.hands else []
        broken = [Line(f"broken off: {self.broken_off}", indent=0, style="bold")] if self.broken_off else []
        return [Heading(f"{self.bot} at {self.where}", facts), *money, *broken, *fault_parts(self.faults)]


def guest_at_dealer(bot: str, game: Game, seed: int) -> WireSeat:
    """A bot that shares a process with the dealer; refuses one of others, which could look at the cards."""
    player = player_of(bot)
    if not player.is_trusted:
        player.fingerprint()  # which says so if there is no such bot
        raise MatchError(f"{bot!r} would share a process with the cards; let it come by railbird connect instead")
    return WireSeat(bot, game, seed)


async def play_at(
    host: str, port: int, seat: WireSeat, patience: float = PATIENCE_SECONDS, is_guest: bool = False
) -> ConnectedPlay:
    """Let a bot play at the dealer that listens there, until the dealer ends the match.

    A dealer that says nothing for `patience` seconds is given up. A guest's dealer is in the same event loop.
    """
    where = f"{host}:{port}"
    wire = await _connected(host, port, may_wait=not is_guest)
    try:
        wire.send(GREETING)
        broken = await _Conversation(wire, seat, patience).to_the_end()
    finally:
        wire.close()
    return ConnectedPlay(seat.name, where, seat.game, seat.hands, seat.chips, seat.won(), tuple(seat.faults), broken)


async def _connected(host: str, port: int, may_wait: bool) -> LineSocket:
    loop = asyncio.get_running_loop()
    said = "it does not answer"
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            for family, kind, protocol, _, address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                found = socket.socket(family, kind, protocol)
                found.setblocking(False)
                try:
                    await loop.sock_connect(found, address)
                    return LineSocket(found, lambda: None, may_wait)
                except OSError as error:
                    found.close()
                    said = os.strerror(error.errno) if error.errno else str(error)
                except BaseException:
                    found.close()
                    raise
    except TimeoutError:
        pass
    except (OSError, UnicodeError, OverflowError) as error:
        said = getattr(error, "strerror", None) or str(error)
    raise MatchError(f"no dealer at {host}:{port}: {said} (railbird dealer starts one, and prints its ports)")


class _Conversation:
    """States and answers, until the dealer has no more to say."""

    def __init__(self, wire: LineSocket, seat: WireSeat, patience: float) -> None:
        self._wire = wire
        self._seat = seat
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[str] = self._loop.create_future()
        self._heard_at = self._loop.time()

    async def to_the_end(self) -> str:
        """Why it was broken off; nothing if all is well."""
        self._wire.on_lines = self._listen
        self._listen()
        while not self._over.done():
            left = self._heard_at + self._patience - self._loop.time()
            if left <= 0:
                return f"the dealer has said nothing for {self._patience:g} seconds"
            await asyncio.wait([self._over], timeout=left)
        return self._over.result()

    def _listen(self) -> None:
        """Answer what has come, and what soon comes after it."""
        end = self._loop.time() + SERVICE_SECONDS
        try:
            while not self._over.done():
                self._answer()
                if self._loop.time() > end or not self._wire.comes_soon():
                    break
        except (BrokenOffError, UnreadableLineError) as error:
            self._over.set_result(str(error))
        except BaseException as error:
            self._over.set_exception(error)

    def _answer(self) -> None:
        wire, seat = self._wire, self._seat
        self._heard_at = self._loop.time()
        answer = seat.hear(wire.lines())
        if answer:
            wire.send(answer)
        else:
            wire.confirm()
        if wire.is_ended or wire.is_broken:
            middle = f"the dealer ended the match in the middle of hand {seat.hand_number}"
            self._over.set_result(middle if seat.is_in_hand else "")
