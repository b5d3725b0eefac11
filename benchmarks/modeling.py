"""Opponent modellers at the table: time of a decision, hands per second by seats, and whether hands seen slow play.

A decision of a modeller includes what it works out of the model when it looks at its opponents' weight arrays.
"""

from __future__ import annotations

import resource
from time import perf_counter

import numpy as np

from benchmarks.timing import Row, best_seconds, duration_text
from railbird.bots.registry import make_bot
from railbird.cards import CARD_COUNT
from railbird.game.actions import Action
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.odds.expected_rank import expected_ranks_on
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec

HANDS = 300


def rows() -> list[Row]:
    found = []
    for seats in (2, 3, 6, 10):
        seconds, rate, early, late = _played(("loki-som",) * seats)
        median, worst = np.percentile(seconds, 50), np.percentile(seconds, 99)
        pace = f"last third at {early / late:.2f}x the pace of the first"
        found.append(Row(f"loki-som, {seats} seats", f"{rate:,.0f} hands/s", "", pace))
        is_target = seats == 10
        found.append(
            Row(
                "  decision, median",
                duration_text(median),
                "",
                "",
                "< 5 ms" if is_target else "",
                bool(median < 0.005) if is_target else None,
            )
        )
        found.append(
            Row(
                "  decision, 99th percentile",
                duration_text(worst),
                "",
                "",
                "< 25 ms" if is_target else "",
                bool(worst < 0.025) if is_target else None,
            )
        )
    figure = ("loki-som", "loki-som", "loki-gom", "loki-gom", "bpl", "bpl", "bpm", "bpm", "bpt", "bpt")
    _, rate, _, _ = _played(figure)
    minutes = 100_000 / rate / 2 / 60
    found.append(
        Row(
            "Figure 8.4, 100,000 hands on 2 cores",
            f"{minutes:.1f} min",
            "",
            f"{rate:,.0f} hands/s a core",
            "< 20 min",
            minutes < 20,
        )
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found.append(Row("memory of this process", f"{memory:,.0f} MB", "", "", "< 500 MB", memory < 500))
    return [*found, _expected_ranks()]


def _expected_ranks() -> Row:
    """All holdings' expected ranks on a board, flops and turns in turn (Piël 2006: 0.05 s)."""
    decks = np.random.default_rng(1).permuted(np.tile(np.arange(CARD_COUNT), (500, 1)), axis=1)
    boards = [tuple(deck[: 3 + at % 2]) for at, deck in enumerate(decks.tolist())]
    seconds = best_seconds({"boards": lambda: [expected_ranks_on(board) for board in boards]})["boards"] / len(boards)
    return Row("expected ranks on a board", duration_text(seconds), "Piël 0.05 s", "", "< 20 us", seconds < 20e-6)


def _played(bots: tuple[str, ...]) -> tuple[list[float], float, float, float]:
    """Seconds of each decision, hands per second, and the seconds of the first and the last third of the hands."""
    spec = MatchSpec(limit_holdem(len(bots)), tuple(map(make_bot, bots)), HANDS, 1)
    seconds: list[float] = []
    for bot in spec.bots:
        _time_decisions(bot, seconds)
    spec.roster.ready()
    marks = [perf_counter()]
    for _ in played_hands(spec):
        marks.append(perf_counter())
    third = HANDS // 3
    return seconds, HANDS / (marks[-1] - marks[0]), marks[third] - marks[0], marks[-1] - marks[-1 - third]


def _time_decisions(bot: object, seconds: list[float]) -> None:
    act = bot.act  # type: ignore[attr-defined]

    def timed(view: PlayerView) -> Action:
        start = perf_counter()
        action = act(view)
        seconds.append(perf_counter() - start)
        return action  # type: ignore[no-any-return]

    bot.act = timed  # type: ignore[attr-defined]
