"""Whether people at `railbird serve` are answered while a bot at another table, or a review, takes seconds.

    python -m benchmarks web-others

A bot in a file counts for five seconds before each decision, and somebody waits for it; somebody else has a match
reviewed again and again. Meanwhile others play, explore and open pages. All tables are in the processes that such a
server has anyway.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter

from benchmarks.timing import Row, duration_text
from benchmarks.web_people import WebPerson, answer, next_turn
from benchmarks.web_server import WebServer, web_server
from railbird.play.matches import play_match

SECONDS = 12.0
MOST_SECONDS = 0.2
MATCH_HANDS = 2_000
_THINKERS = 2
"""So many tables where a bot takes long: one for each process, on two cores."""
_BOT = '''
import time

import railbird as rb


class Counting(rb.Bot):
    """Counts for five seconds before it calls."""

    def act(self, view):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            pass
        return rb.CALL
'''


def rows() -> list[Row]:
    """How long others wait: 19 of 20 are answered within that time."""
    with web_server() as server:
        play_match("loki", "always-call", hands=MATCH_HANDS, seed=7, folder=server.home / "match", progress=False)
        return asyncio.run(_rows(server))


async def _rows(server: WebServer) -> list[Row]:
    file = server.home.parent / "counting.py"
    file.write_text(_BOT)
    busy = [asyncio.create_task(_wait_for_bot(server.port, file)) for _ in range(_THINKERS)]
    busy.append(asyncio.create_task(_review(server.port)))
    await asyncio.sleep(3)  # until all of them are at it
    waits: dict[str, list[float]] = {}
    kinds: dict[str, Callable[[], Awaitable[None]]] = {
        "the first page": lambda: _get(server.port, "/"),
        "odds in the explorer": lambda: _get(server.port, "/explore?cards=AdQc&board=3h4cJh"),
    }
    others = [_ask(waits.setdefault(what, []), once) for what, once in kinds.items()]
    await asyncio.gather(*others, _play(server.port, waits.setdefault("an action at another table", [])))
    done = [task for task in busy if task.done()]
    for task in busy:
        task.cancel()
    if done:
        raise RuntimeError(f"what should take long has ended: {done}")
    return [_row(what, each) for what, each in waits.items()]


def _row(what: str, waits: list[float]) -> Row:
    slow = quantiles(waits, n=20)[-1]
    return Row(
        f"{what}, 95% of {len(waits)}",
        duration_text(slow),
        "",
        f"longest {duration_text(max(waits))}",
        f"<= {duration_text(MOST_SECONDS)}",
        slow <= MOST_SECONDS,
    )


async def _wait_for_bot(port: int, file: Path) -> None:
    """Somebody at a table with the bot that takes long."""
    person, random = WebPerson(port), Random(1)
    await person.enter()
    async with person.socket(await person.new_table(f"{file}:Counting")) as socket:
        while True:
            await answer(socket, await next_turn(socket), random)


async def _review(port: int) -> None:
    """Somebody who wants a review, and then another one."""
    person = WebPerson(port)
    while True:
        await person.asked("GET", "/review/match/match")


async def _ask(waits: list[float], once: Callable[[], Awaitable[None]]) -> None:
    until = perf_counter() + SECONDS
    while perf_counter() < until:
        start = perf_counter()
        await once()
        waits.append(perf_counter() - start)
        await asyncio.sleep(0.2)


async def _get(port: int, path: str) -> None:
    status, _, text = await WebPerson(port).asked("GET", path)
    if status != 200:
        raise RuntimeError(f"{path}: {status} {text[:200]}")


async def _play(port: int, waits: list[float]) -> None:
    person, random = WebPerson(port), Random(2)
    await person.enter()
    until = perf_counter() + SECONDS
    async with person.socket(await person.new_table("loki")) as socket:
        told = await next_turn(socket)
        while perf_counter() < until:
            start = perf_counter()
            await answer(socket, told, random)
            first = json.loads(await socket.recv())
            waits.append(perf_counter() - start)
            told = await next_turn(socket, first)
            await asyncio.sleep(0.1)
