"""How soon the explorer answers in a browser: random situations, asked one after the other of a server that is warm."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from http.client import HTTPConnection
from socket import create_server
from time import perf_counter, sleep
from urllib.parse import urlencode

import numpy as np

from benchmarks.timing import Row, duration_text

ASKED = 200
TARGET_SECONDS = 0.1
RANGES = ("any", "40%", "QQ+, AKs", "TT+, AQ+, KQs, 76s-54s", "22+, A2s+, KTs+, QTs+, ATo+")
_WARM_SECONDS = 600


def rows() -> list[Row]:
    """A row for the answer and one for the bots: the time within which 19 of 20 are answered."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "railbird", "serve", home, "--no-browser", "--port", str(port)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            return _rows(port)
        finally:
            server.terminate()
            server.wait()


def _rows(port: int) -> list[Row]:
    situations = _situations(ASKED)
    found = []
    for path, what in (("/explore", "explorer: odds, outs, run-outs"), ("/explore/bots", "explorer: all bots")):
        for _ in range(4):  # until every thinker has been asked once
            _seconds(port, f"{path}?cards=AdQc&board=3h4cJh", _WARM_SECONDS)
        seconds = [_seconds(port, f"{path}?{urlencode(each)}") for each in situations]
        slow = float(np.quantile(seconds, 0.95))
        found.append(
            Row(
                f"{what}, 95% of {ASKED}",
                duration_text(slow),
                "",
                f"half within {duration_text(float(np.median(seconds)))}",
                f"<= {duration_text(TARGET_SECONDS)}",
                slow <= TARGET_SECONDS,
            )
        )
    return found


def _situations(count: int) -> list[dict[str, str]]:
    """Cards and boards of all streets, and ranges from wide to narrow."""
    generator = np.random.default_rng(1)
    found = []
    for _ in range(count):
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
        drawn = generator.permutation(deck)
        board = "".join(drawn[2 : 2 + (0, 3, 4, 5)[generator.integers(4)]])
        found.append({"cards": "".join(drawn[:2]), "board": board, "versus": RANGES[generator.integers(len(RANGES))]})
    return found


def _seconds(port: int, path: str, wait: float = 0.0) -> float:
    """How long an answer takes; a server that is not there yet is waited for."""
    deadline = perf_counter() + wait
    while True:
        start = perf_counter()
        connection = HTTPConnection("127.0.0.1", port, timeout=max(wait, 60))
        try:
            connection.request("GET", path, headers={"HX-Request": "true"})
            answer = connection.getresponse()
            text = answer.read().decode()
            seconds = perf_counter() - start
        except ConnectionRefusedError:
            if perf_counter() > deadline:
                raise
            sleep(0.1)
            continue
        finally:
            connection.close()
        if answer.status != 200 or (alert := re.search(r'role="alert">([^<]*)', text)):
            raise RuntimeError(f"{path}: {answer.status} {alert[1] if alert else ''}")
        return seconds
