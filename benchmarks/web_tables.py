"""People who play in the browser at once, at `railbird serve` on this machine: how long until an action is answered.

    python -m benchmarks.web_tables --people 100 --seconds 30 --bot loki

The people are one process, the server and its tables others. Each sits down at a table of his own, while others play
already, and then acts once in a while. Timed is what a person waits for: from the action to the next picture. The
memory is that of the server with all its processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import Any

import httpx
from websockets.asyncio.client import connect

_FORM = re.compile(r'X-Railbird-Form":"(\w+)"')


class People:
    """Those who play, and how long they waited."""

    def __init__(self, address: str, bot: str, pause: float) -> None:
        self.address, self.bot, self.pause = address, bot, pause
        self.waits: list[float] = []
        self.sitting: list[float] = []
        self.hands = 0

    async def play(self, number: int, until: float) -> None:
        """One person: a table, and hands until it is time to go."""
        random, client = Random(number), httpx.AsyncClient(base_url=self.address, timeout=120)
        async with client:
            began = perf_counter()
            form = _FORM.search((await client.get("/play")).text)
            assert form
            headers = {"Origin": self.address, "X-Railbird-Form": form[1]}
            asked = {"name": "you", "game": "limit", "bot": self.bot}
            answer = await client.post("/play/new", data=asked, headers=headers)
            path = answer.headers["HX-Redirect"]
            cookie = {"Cookie": f"railbird={client.cookies['railbird']}"}
        url = f"{self.address.replace('http', 'ws')}{path}/socket"
        async with connect(url, origin=self.address, additional_headers=cookie) as socket:  # type: ignore[arg-type]
            told = await self._turn(socket)
            self.sitting.append(perf_counter() - began)
            while monotonic() < until:
                await asyncio.sleep(random.expovariate(1 / self.pause))
                sent = perf_counter()
                if told.get("is_over"):
                    self.hands += 1
                    await socket.send(json.dumps({"do": "next", "hand": told["hand"]}))
                else:
                    words = random.choice("ccccr")
                    await socket.send(json.dumps({"do": "act", "ask": told["ask"], "words": words}))
                first = json.loads(await socket.recv())
                self.waits.append(perf_counter() - sent)
                told = await self._turn(socket, first)

    async def _turn(self, socket: Any, told: dict[str, Any] | None = None) -> dict[str, Any]:
        """The next message after which the person has something to do."""
        while not told or not ("ask" in told or told.get("is_over")):
            told = json.loads(await socket.recv())
        return told


async def crowd(people: People, count: int, seconds: float) -> None:
    """Everybody, one after another within a third of the time."""
    until = monotonic() + seconds

    async def one(number: int) -> None:
        await asyncio.sleep(number / count * seconds / 3)
        await people.play(number, until)

    await asyncio.gather(*[one(number) for number in range(count)])


def memory_mb(process: int) -> float:
    """The memory of a process and of those it started, shared pages once."""
    found = [process, *children(process)]
    pages = [re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{each}/smaps_rollup").read_text(), re.M) for each in found]
    return sum(int(each[1]) for each in pages if each) / 1024


def children(process: int) -> list[int]:
    told = Path(f"/proc/{process}/task/{process}/children")
    mine = [int(each) for each in told.read_text().split()] if told.exists() else []
    return [each for child in mine for each in (child, *children(child))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--bot", default="loki")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds a person thinks, on average")
    parser.add_argument("--port", type=int, default=8489)
    asked = parser.parse_args()
    address = f"http://127.0.0.1:{asked.port}"
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "railbird", "serve", f"{folder}/home", "--no-browser", "-p", str(asked.port)]
        server = subprocess.Popen(
            command, env=os.environ | {"RAILBIRD_STATE": f"{folder}/state"}, stdout=subprocess.PIPE
        )
        try:
            asyncio.run(_reached(address))
            people = People(address, asked.bot, asked.pause)
            asyncio.run(crowd(people, asked.people, asked.seconds))
            memory = memory_mb(server.pid)
        finally:
            server.terminate()
            server.wait()
    waits, sitting = sorted(people.waits), sorted(people.sitting)
    print(
        f"{asked.people} people against {asked.bot}: {len(waits):,} actions, {people.hands:,} hands, {memory:,.0f} MB"
    )
    for words, found in (("answered after", waits), ("at the table after", sitting)):
        shares = [f"{1000 * found[int(share * (len(found) - 1))]:,.0f} ms ({share:.0%})" for share in (0.5, 0.95, 0.99)]
        print(f"  {words} {', '.join(shares)}")


async def _reached(address: str) -> None:
    async with httpx.AsyncClient() as client:
        for _ in range(300):
            try:
                await client.get(address)
                return
            except httpx.ConnectError:
                await asyncio.sleep(0.1)


if __name__ == "__main__":
    main()
