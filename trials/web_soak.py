"""Hands in the browser by the thousand, at tables that people come to and leave: memory must stay where it is.

    python -m trials web-soak
    python -m trials web-soak --hands 20000 --people 40

So many people play at `railbird serve` as fast as they may, each some hands at a table, which is then left, and a new
one, until all hands are played: by default as many as forty people play in an hour, who take half a minute for one. At
each quarter the memory of all processes, their threads and open files are counted, and the folder of the hands is
looked at. Memory after the last quarter may be a tenth above that after the first; tables that were left must be gone.
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.web_people import WebPerson, answer, next_turn
from benchmarks.web_server import WebServer, web_server

HANDS, PEOPLE, AT_A_TABLE = 4_800, 40, 30
MOST_GROWTH = 0.10
_PAUSE_SECONDS = 0.05
"""Between two actions of a person: a server takes 20 a second from one, and no more for long."""
_GONE_SECONDS = 3.0


class Soak:
    """Hands that are played, and what the server took for them."""

    def __init__(self, server: WebServer, hands: int, bot: str) -> None:
        self.server, self.hands, self.bot = server, hands, bot
        self.played = self.tables = 0
        self.memory: list[float] = []
        self._numbers = count()

    async def run(self, people: int) -> None:
        self._print("begin", "MB", "threads", "files open", "tables", "KB a hand")
        start = perf_counter()
        await asyncio.gather(*[self._person(start) for _ in range(people)])
        await asyncio.sleep(_GONE_SECONDS)
        self._print("all left", *self._counts())

    async def _person(self, start: float) -> None:
        while self.played < self.hands:
            random, person = Random(next(self._numbers)), WebPerson(self.server.port)
            await person.enter()
            table = await person.new_table(self.bot)
            self.tables += 1
            async with person.socket(table) as socket:
                for _ in range(AT_A_TABLE):
                    told = await next_turn(socket)
                    while not told.get("is_over"):
                        await asyncio.sleep(_PAUSE_SECONDS)
                        await answer(socket, told, random)
                        told = await next_turn(socket)
                    self._count_hand(start)
                    await answer(socket, told, random)
                await socket.send('{"do":"leave"}')
                while '"left"' not in str(await socket.recv()):
                    pass

    def _count_hand(self, start: float) -> None:
        self.played += 1
        if self.played % (self.hands // 4) == 0 and len(self.memory) < 4:
            self._print(f"{self.played:,} hands after {perf_counter() - start:.0f} s", *self._counts())
            self.memory.append(self.server.memory_mb)

    def _counts(self) -> tuple[str, ...]:
        server = self.server
        size = sum(map(_size, server.home.rglob("*"))) / 1000 / max(1, self.played)
        return f"{server.memory_mb:,.0f}", str(server.threads), str(server.files), str(self.tables), f"{size:.2f}"

    def _print(self, what: str, *columns: str) -> None:
        print(f"{what:28}" + "".join(f"{text:>12}" for text in columns), flush=True)


def _size(path: Path) -> int:
    """The bytes of a file; some are only there while a hand is played."""
    with suppress(FileNotFoundError):
        if path.is_file():
            return path.stat().st_size
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials web-soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--bot", default="loki")
    asked = parser.parse_args(arguments)
    with web_server() as server:
        before = server.threads
        soak = Soak(server, asked.hands, asked.bot)
        asyncio.run(soak.run(asked.people))
        grown, left = soak.memory[-1] / soak.memory[0] - 1, server.threads - before
    is_flat, are_gone = grown <= MOST_GROWTH, left <= 2
    print(f"memory grew by {grown:.1%} from the first quarter to the last: {'flat' if is_flat else 'NOT flat'}")
    print("all tables that were left are gone" if are_gone else f"{left} threads are left of tables that were left")
    return 0 if is_flat and are_gone else 1
