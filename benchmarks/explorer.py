"""How soon the explorer answers in a browser, by kind of question: of a server that is warm, one after the other.

    python -m benchmarks explorer

What is exact comes first, and the page then asks for what the bots would do; why one of them would is asked for by a
click. So these are answers of their own, each with its time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

import numpy as np

from benchmarks.timing import Row, duration_text
from benchmarks.web_server import WebServer, web_server

ASKED = 40
"""Of each kind."""
LATE_ASKED = 8
"""Of a bot that thinks long, and arrives when it is ready: there is no target for it."""
TARGET_SECONDS = 0.1
RANGES = ("any", "40%", "QQ+, AKs", "TT+, AQ+, KQs, 76s-54s", "22+, A2s+, KTs+, QTs+, ATo+")
STREETS = {"before the flop": 0, "on the flop": 3, "on the turn": 4, "on the river": 5}
_ALERT = re.compile(r'role="alert">([^<]*)')


def rows() -> list[Row]:
    """A row for each kind of question: the time within which 19 of 20 are answered."""
    with web_server() as server:
        before = server.memory_mb
        found = [_row(server, *kind) for kind in _kinds()]
        grown = server.memory_mb - before
        return [*found, Row("memory after all of it", f"{before + grown:,.0f} MB", "", f"{grown:+,.0f} MB")]


def _kinds() -> Iterator[tuple[str, str, list[dict[str, str]]]]:
    """Kinds of questions: what is asked, where, and the situations."""
    generator = np.random.default_rng(1)
    for street, cards in STREETS.items():
        asked = [_situation(generator, cards) for _ in range(ASKED)]
        yield f"odds, outs, run-outs {street}", "/explore", asked
    for street, cards in STREETS.items():
        drawn = [_situation(generator, cards) for _ in range(ASKED)]
        asked = [each | {"as": "range", "own": str(generator.choice(RANGES))} for each in drawn]
        yield f"a range against a range {street}", "/explore", asked
    for street, cards in STREETS.items():
        asked = [_situation(generator, cards) for _ in range(ASKED)]
        yield f"what all bots would do {street}", "/explore/bots", asked
    ring = [_situation(generator, 3) | {"seats": "6"} for _ in range(ASKED)]
    yield "what all bots would do on the flop, six seats", "/explore/bots", ring
    for bot in ("loki", "vexbot", "vexbot2"):
        asked = [_situation(generator, 3) | {"bot": bot} for _ in range(ASKED)]
        yield f"why {bot} would, on the flop", "/explore/why", asked
    late = [_situation(generator, 4) | {"bot": "resolver"} for _ in range(LATE_ASKED)]
    yield "what resolver would do on the turn", "/explore/bot", late


def _situation(generator: np.random.Generator, board_cards: int) -> dict[str, str]:
    """Cards and a board, and a range from wide to narrow."""
    drawn = generator.permutation([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"])
    board = "".join(drawn[2 : 2 + board_cards])
    return {"cards": "".join(drawn[:2]), "board": board, "versus": RANGES[generator.integers(len(RANGES))]}


def _row(server: WebServer, what: str, path: str, situations: list[dict[str, str]]) -> Row:
    _seconds(server, f"{path}?{urlencode(situations[0])}")
    before = sum(server.cpu_seconds().values())
    seconds = [_seconds(server, f"{path}?{urlencode(each)}") for each in situations]
    cpu = (sum(server.cpu_seconds().values()) - before) / len(situations)
    slow, is_late = float(np.quantile(seconds, 0.95)), path == "/explore/bot"
    return Row(
        f"{what}, 95% of {len(seconds)}",
        duration_text(slow),
        "",
        f"half within {duration_text(median(seconds))}, {duration_text(cpu)} of CPU",
        "" if is_late else f"<= {duration_text(TARGET_SECONDS)}",
        None if is_late else slow <= TARGET_SECONDS,
    )


def _seconds(server: WebServer, path: str) -> float:
    """How long an answer takes; one in words that something is wrong does not count."""
    start = perf_counter()
    text = server.get(path, **{"HX-Request": "true"}).decode()
    seconds = perf_counter() - start
    if alert := _ALERT.search(text):
        raise RuntimeError(f"{path}: {html.unescape(alert[1])}")
    return seconds
