"""People who play in the browser at once, at `railbird serve` on this machine: how long until an action is answered.

    python -m benchmarks web-tables
    python -m benchmarks.web_tables --people 100 --seconds 30 --bot loki --pause 1

The people are one process, the server and its tables others. Each sits down at a table of his own, while others play
already, and then acts once in a while. Timed is what a person waits for: from the action to the next picture, and until
there is something to do again, when the bots have decided too. CPU is that of the server with all its processes, for
everything from the first person who came.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from random import Random
from time import monotonic, perf_counter, process_time

from benchmarks.timing import Row, duration_text, print_table
from benchmarks.web_people import WebPerson, answer, next_turn
from benchmarks.web_server import WebServer, web_server

PEOPLE, SECONDS, BOT, PAUSE = 100, 30.0, "loki", 1.0
MOST_SECONDS = {0.95: 0.2, 0.99: 0.5}
"""By share of the actions, within which they must be answered."""


class Crowd:
    """Those who play, and how long they waited."""

    def __init__(self, port: int, bot: str, pause: float) -> None:
        self.port, self.bot, self.pause = port, bot, pause
        self.waits: list[float] = []
        self.turns: list[float] = []
        self.sitting: list[float] = []
        self.hands = 0

    async def come(self, people: int, seconds: float) -> None:
        """Everybody, one after another within a third of the time."""
        until = monotonic() + seconds

        async def one(number: int) -> None:
            await asyncio.sleep(number / people * seconds / 3)
            await self._play(number, until)

        await asyncio.gather(*[one(number) for number in range(people)])

    async def _play(self, number: int, until: float) -> None:
        """One person: a table, and hands until it is time to go."""
        random, person = Random(number), WebPerson(self.port)
        began = perf_counter()
        await person.enter()
        async with person.socket(await person.new_table(self.bot)) as socket:
            told = await next_turn(socket)
            self.sitting.append(perf_counter() - began)
            while monotonic() < until:
                await asyncio.sleep(random.expovariate(1 / self.pause))
                self.hands += bool(told.get("is_over"))
                sent = perf_counter()
                await answer(socket, told, random)
                first = json.loads(await socket.recv())
                self.waits.append(perf_counter() - sent)
                told = await next_turn(socket, first)
                self.turns.append(perf_counter() - sent)


def rows(people: int = PEOPLE, seconds: float = SECONDS, bot: str = BOT, pause: float = PAUSE) -> list[Row]:
    """Waits of the people, and what the server took for it."""
    with web_server() as server:
        before, mine = server.cpu_seconds(), process_time()
        crowd = Crowd(server.port, bot, pause)
        asyncio.run(crowd.come(people, seconds))
        return [
            *_wait_rows("answered", crowd.waits, MOST_SECONDS),
            *_wait_rows("something to do again", crowd.turns, {0.95: None, 0.99: None}),
            *_wait_rows("at a new table", crowd.sitting, {0.5: None, 0.95: None}),
            *_cost_rows(server, before, crowd, process_time() - mine),
        ]


def _wait_rows(what: str, waits: list[float], most: dict[float, float] | dict[float, None]) -> list[Row]:
    found, waits = [], sorted(waits)
    for share, target in most.items():
        seconds = waits[int(share * (len(waits) - 1))]
        text = "" if target is None else f"<= {duration_text(target)}"
        ok = None if target is None else seconds <= target
        found.append(Row(f"{what}, {share:.0%} of {len(waits):,}", duration_text(seconds), "", "", text, ok))
    return found


def _cost_rows(server: WebServer, before: dict[int, float], crowd: Crowd, mine: float) -> list[Row]:
    spent = {each: seconds - before.get(each, 0.0) for each, seconds in server.cpu_seconds().items()}
    alone, all_of_it = spent[server.process], sum(spent.values())
    actions = len(crowd.waits)
    return [
        Row("CPU of the server's own process an action", duration_text(alone / actions), "", f"{alone:.1f} s"),
        Row("CPU of all its processes an action", duration_text(all_of_it / actions), "", f"{all_of_it:.1f} s"),
        Row("CPU of the people", f"{mine:.1f} s", "", f"{crowd.hands:,} hands"),
        Row("memory", f"{server.memory_mb:,.0f} MB", "", ""),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--bot", default=BOT)
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds a person thinks, on average")
    asked = parser.parse_args()
    found = rows(asked.people, asked.seconds, asked.bot, asked.pause)
    print_table(f"web-tables: {asked.people} people against {asked.bot} for {asked.seconds:g} s", found)
    return 1 if any(row.ok is False for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
