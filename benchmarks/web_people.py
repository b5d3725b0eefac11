"""People of the browser benchmarks: they speak to a server as a page does, and need little of the machine."""

from __future__ import annotations

import asyncio
import json
import re
from random import Random
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

_FORM = re.compile(r'X-Railbird-Form":"(\w+)"')
_COOKIE = re.compile(r"railbird=(\w+)")


class WebPerson:
    """Somebody with a browser of his own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.form = self.cookie = ""

    async def enter(self) -> None:
        """Open the page of the tables, as one must before anything else."""
        _, headers, page = await self.asked("GET", "/play")
        cookie, form = _COOKIE.search(headers.get("set-cookie", "")), _FORM.search(page)
        assert cookie
        assert form
        self.cookie, self.form = cookie[1], form[1]

    async def new_table(self, bot: str) -> str:
        """The path of a new table with a bot, by name or in a file."""
        asked = {"name": "you", "game": "limit", "own_bot": bot}
        return (await self.posted("/play/new", **asked))["hx-redirect"]

    async def posted(self, path: str, **form: str) -> dict[str, str]:
        """The headers that come back for a form."""
        status, headers, text = await self.asked("POST", path, urlencode(form))
        if status != 200:
            raise RuntimeError(f"{path}: {status} {text[:200]}")
        return headers

    async def asked(self, method: str, path: str, body: str = "") -> tuple[int, dict[str, str], str]:
        """A request, over a connection of its own: status, headers by name, text."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        lines += [f"Cookie: railbird={self.cookie}"] if self.cookie else []
        if method == "POST":
            lines += [f"Origin: {self.address}", f"X-Railbird-Form: {self.form}", f"Content-Length: {len(body)}"]
            lines += ["Content-Type: application/x-www-form-urlencoded"]
        writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        head, _, text = (await reader.read(-1)).decode().partition("\r\n\r\n")
        writer.close()
        first, *others = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in others)}
        return int(first.split()[1]), headers, text

    def socket(self, table: str) -> connect:
        """The socket of a seat, to be entered."""
        return connect(
            f"ws://127.0.0.1:{self.port}{table}/socket",
            origin=self.address,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"railbird={self.cookie}"},
        )


def is_turn(told: dict[str, Any]) -> bool:
    """Whether a person has something to do: to act, or to ask for the next hand."""
    return "ask" in told or bool(told.get("is_over"))


async def next_turn(socket: ClientConnection, told: dict[str, Any] | None = None) -> dict[str, Any]:
    """The next message, or this one, after which the person has something to do."""
    while told is None or not is_turn(told):
        told = json.loads(await socket.recv())
        if "trouble" in told:
            raise RuntimeError(told["trouble"])
    return told


async def answer(socket: ClientConnection, told: dict[str, Any], random: Random) -> None:
    """Do what is to be done: mostly call, sometimes raise, always the next hand."""
    if told.get("is_over"):
        await socket.send(json.dumps({"do": "next", "hand": told["hand"]}))
    else:
        await socket.send(json.dumps({"do": "act", "ask": told["ask"], "words": random.choice("ccccr")}))
