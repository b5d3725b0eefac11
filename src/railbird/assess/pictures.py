"""The pictures of Kan's thesis: bankroll and DIVAT over a match, DIVAT by street, luck, duplicate pairs.

All lines are running sums in small bets for the first player of the pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.assess.summary import PairSummary
from railbird.game.spec import STREETS
from railbird.results.figures import COLOURS, Figure, Line

_BLUE, _ORANGE, _BLACK = COLOURS[0], COLOURS[1], COLOURS[6]


def pictures(summary: PairSummary, points: int = 1000) -> list[Figure]:
    """The figures of a pair of players, with at most so many points a line."""
    figures = [_bankroll(summary, points), _streets(summary, points), _luck(summary, points)]
    return [*figures, _duplicate(summary, points)] if len(summary.pairs) else figures


def _shown(count: int, points: int) -> NDArray[np.int64]:
    """Which of the sums over 0 to `count` samples are drawn."""
    return np.unique(np.linspace(0, count, min(points, count + 1)).astype(np.int64))


def _sum(name: str, values: NDArray[np.float64], at: NDArray[np.int64], colour: str = "") -> Line:
    return Line(name, at.astype(np.float64), np.concatenate([[0.0], np.cumsum(values)])[at], colour=colour)


def _deviation(name: str, values: NDArray[np.float64], at: NDArray[np.int64], colour: str, dashes: str) -> list[Line]:
    """One standard deviation of the sum on either side of zero; of one sample nothing is known."""
    if len(values) < 2:
        return []
    sd = float(values.std(ddof=1))
    x = at.astype(np.float64)
    return [Line(name if sign > 0 else "", x, sign * sd * np.sqrt(x), colour=colour, dashes=dashes) for sign in (1, -1)]


def _bankroll(summary: PairSummary, points: int) -> Figure:
    """As in figures 4.1 to 4.7 of the thesis."""
    at = _shown(len(summary), points)
    money, divat = summary.values["money"], summary.values["divat"]
    lines = [
        _sum("money", money, at, _BLUE),
        _sum("DIVAT", divat, at, _ORANGE),
        *_deviation("±1 SD of money", money, at, _BLUE, "--"),
        *_deviation("±1 SD of DIVAT", divat, at, _ORANGE, ":"),
    ]
    return Figure("Money and DIVAT", "hands", "small bets", lines, legend_below=True)


def _streets(summary: PairSummary, points: int) -> Figure:
    """As in figures 5.3 to 5.23 of the thesis."""
    at = _shown(len(summary), points)
    lines = [_sum(name, summary.by_street[:, street], at) for street, name in enumerate(STREETS)]
    return Figure("DIVAT by street", "hands", "small bets", lines, legend_below=True)


def _luck(summary: PairSummary, points: int) -> Figure:
    at = _shown(len(summary), points)
    lines = [_sum("all luck", summary.values["luck"], at, _BLACK)]
    for street, name in enumerate(("hole cards", *STREETS[1:])):
        lines.append(_sum(name, summary.luck_by_street[:, street], at))
    return Figure("Luck: what the cards gave", "hands", "small bets", lines, legend_below=True)


def _duplicate(summary: PairSummary, points: int) -> Figure:
    """As in figure 4.7 of the thesis: the mean of the two hands of each pair."""
    at = _shown(len(summary.pairs), points)
    money, divat = summary.values["duplicate"], summary.values["duplicate_divat"]
    lines = [
        _sum("duplicate money", money, at, _BLUE),
        _sum("duplicate DIVAT", divat, at, _ORANGE),
        *_deviation("±1 SD of money", money, at, _BLUE, "--"),
        *_deviation("±1 SD of DIVAT", divat, at, _ORANGE, ":"),
    ]
    return Figure("Duplicate pairs", "pairs of hands", "small bets a pair", lines, legend_below=True)
