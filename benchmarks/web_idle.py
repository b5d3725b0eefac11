"""People who look at a table in the browser and do nothing: what 1,000 of them take of the machine.

    python -m benchmarks web-idle
    python -m benchmarks.web_idle --people 1000 --bot loki

Each has a browser, a table and a connection of his own, and it is his turn: the heaviest way to be idle. Then all go at
once, and what is left is looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
from contextlib import AsyncExitStack
from time import perf_counter

from benchmarks.timing import Row, duration_text, print_table
from benchmarks.web_people import WebPerson, next_turn
from benchmarks.web_server import WebServer, web_server

PEOPLE, BOT = 1_000, "loki"
MOST_MB = 1_000.0
_AT_ONCE = 8
"""So many sit down at the same time."""
_IDLE_SECONDS = 5.0


def rows(people: int = PEOPLE, bot: str = BOT) -> list[Row]:
    """What the server takes while all look, and when they have gone."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with web_server() as server:
        return asyncio.run(_idle(server, people, bot))


async def _idle(server: WebServer, people: int, bot: str) -> list[Row]:
    found = [Row("memory with nobody there", f"{server.memory_mb:,.0f} MB", "", f"{server.threads} threads")]
    began, doors = perf_counter(), asyncio.Semaphore(_AT_ONCE)
    async with AsyncExitStack() as sockets:

        async def look() -> None:
            async with doors:
                person = WebPerson(server.port)
                await person.enter()
                socket = await sockets.enter_async_context(person.socket(await person.new_table(bot)))
                await next_turn(socket)

        await asyncio.gather(*[look() for _ in range(people)])
        seconds, before = perf_counter() - began, sum(server.cpu_seconds().values())
        await asyncio.sleep(_IDLE_SECONDS)
        spent = (sum(server.cpu_seconds().values()) - before) / _IDLE_SECONDS
        memory, resident = server.memory_mb, server.resident_mb
        found += [
            Row(
                f"memory with {people:,} people",
                f"{memory:,.0f} MB",
                "",
                f"{server.threads:,} threads",
                f"<= {MOST_MB:,.0f} MB",
                memory <= MOST_MB,
            ),
            Row("  the same, shared pages in each process", f"{resident:,.0f} MB", "", ""),
            Row("CPU while they look", f"{100 * spent:.1f}%", "", "of a core"),
            Row("each at a table after", duration_text(seconds / people), "", f"{_AT_ONCE} at once"),
        ]
    await asyncio.sleep(1.0)
    return [*found, Row("memory when they have gone", f"{server.memory_mb:,.0f} MB", "", f"{server.threads:,} threads")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--bot", default=BOT)
    asked = parser.parse_args()
    found = rows(asked.people, asked.bot)
    print_table(f"web-idle: {asked.people:,} people who look at a table with {asked.bot}", found)
    return 1 if any(row.ok is False for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
