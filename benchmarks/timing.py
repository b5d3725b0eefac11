"""Interleaved timing and the table that all benchmarks print.

A benchmark module has one function `rows() -> list[Row]`. It times what is to be compared with `best_seconds`, which
runs the candidates in turn, round after round, so that a busy machine slows all of them alike, and keeps each one's
best round. Each result becomes a row through `against_peer`, `in_rankings` or `per_second`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """One line of the table; `ok` is None where no target was set."""

    what: str
    ours: str
    peer: str
    ratio: str
    target: str = ""
    ok: bool | None = None


def best_seconds(
    candidates: Mapping[str, Callable[[], object]], rounds: int = 9, round_seconds: float = 0.03
) -> dict[str, float]:
    """Seconds per call of each candidate: the best of several rounds, taken in turn.

    One round calls a candidate as often as fits into `round_seconds`, at least once. The first call, which may compile,
    is not timed.
    """
    calls = {}
    for name, candidate in candidates.items():
        candidate()
        once = _seconds(candidate, 1)
        calls[name] = max(1, int(round_seconds / max(once, 1e-9)))
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, candidate in candidates.items():
            gc.collect()  # or its longest run would fall into the same candidate's time, round after round
            best[name] = min(best[name], _seconds(candidate, calls[name]) / calls[name])
    return best


def against_peer(what: str, ours_seconds: float, peer: str, peer_seconds: float, at_least: float | None = None) -> Row:
    """A row that says how many times faster than a peer we are, and whether that is enough."""
    ratio = peer_seconds / ours_seconds
    return Row(
        what,
        duration_text(ours_seconds),
        f"{peer} {duration_text(peer_seconds)}",
        f"{ratio:,.1f}x",
        "" if at_least is None else f">= {at_least:g}x",
        None if at_least is None else ratio >= at_least,
    )


def in_rankings(what: str, ours_seconds: float, at_most: float) -> Row:
    """A row that measures a time in rankings: multiples of r, the time of one 7-card ranking in bulk."""
    rankings = ours_seconds / ranking_seconds()
    return Row(
        what,
        duration_text(ours_seconds),
        f"r = {duration_text(ranking_seconds())}",
        f"{rankings:,.0f} r",
        f"<= {at_most:,.0f} r",
        rankings <= at_most,
    )


def per_second(what: str, ours_seconds: float, at_least: float | None = None, unit: str = "hands") -> Row:
    """A row that gives a rate, from the seconds that one takes, and whether it is enough."""
    rate = 1 / ours_seconds
    target = "" if at_least is None else f">= {at_least:,.0f}"
    ok = None if at_least is None else rate >= at_least
    return Row(what, duration_text(ours_seconds), "", f"{rate:,.0f} {unit}/s", target, ok)


@cache
def ranking_seconds() -> float:
    """r: seconds for one 7-card hand when many random hands are ranked in bulk from an array of cards."""
    from railbird.odds.ranks import ranks

    hands = random_hands()
    return best_seconds({"ranks": lambda: ranks(hands)}, rounds=25)["ranks"] / len(hands)


@cache
def random_hands(count: int = 200_000, size: int = 7, seed: int = 1) -> NDArray[np.uint8]:
    """Random hands as an array of cards, the same ones in every benchmark."""
    generator = np.random.default_rng(seed)
    decks = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(generator.permuted(decks, axis=1)[:, :size])


def duration_text(seconds: float) -> str:
    """A time with three significant digits and the unit that suits it.

    >>> duration_text(2.5e-9), duration_text(0.0123), duration_text(123)
    ('2.50 ns', '12.3 ms', '123 s')
    """
    factor, unit = next(((f, u) for f, u in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")) if seconds * f < 999.5), (1.0, "s"))
    value = seconds * factor
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def print_table(title: str, rows: Iterable[Row]) -> None:
    """Print the rows under a title, columns aligned."""
    cells = [("what", "ours", "peer", "ratio", "target", "ok")]
    cells += [
        (row.what, row.ours, row.peer, row.ratio, row.target, {True: "yes", False: "NO", None: ""}[row.ok])
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    print(f"\n{title}")
    for line in cells:
        print("  " + "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def _seconds(candidate: Callable[[], object], calls: int) -> float:
    start = perf_counter()
    for _ in range(calls):
        candidate()
    return perf_counter() - start
