"""Win rates of a tournament, deal by deal, as far as its matches have come.

All matches have the same deals, but one may have come further than another. What a player wins a hand is the mean of
what it wins in each of its matches that have begun; after so many deals, each by those deals or by as many of them as
it has come to. So no match counts more because it was played first. The interval is by deals: what the matches of one
deal give is one sample. Where all matches have come equally far the last point is the player's mean
(`TournamentResult.overall`).

A line is made of spans, each from where one match ends to where the next one does. In a span of deals `e < d <= f` some
matches are over, and add to the mean what they came to; the others go on, and add their sums by `d`. With `o` what a
deal adds to the former, taken around their means, and `s` what it gives in the latter, the variance of the sum is
sum(o^2) + 2 sum(o s) / d + (sum(s^2) - sum(s)^2 / d) / d^2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from railbird.play.match_result import MatchResult
from railbird.play.match_sums import pieces
from railbird.play.ratings import LineUp
from railbird.results.figures import COLOURS, Figure, Line, RunningTotal
from railbird.statistics import FEWEST

MOST_LINES = len(COLOURS)
_FIRST_SHARE = 0.05
"""Of the deals, the first that the curves leave out: they would show nothing but them."""

Rates = NDArray[np.float64]


def win_rates(names: Sequence[str], matches: Mapping[LineUp, MatchResult]) -> Figure:
    """What each player has won a hand after so many deals; of many players, those who win most."""
    lines = rate_lines(names, matches)
    shown = sorted(lines, key=lambda line: -line.y[-1])[:MOST_LINES] if len(lines) > MOST_LINES else lines
    title = "Win rates with their 95% intervals"
    if len(shown) < len(lines):
        title += f", of the {len(shown)} of {len(lines)} players who win most"
    unit = "pairs" if len(next(iter(matches))) == 2 else "deals"
    duplicate = any(match.spec.duplicate for match in matches.values())
    return Figure(title, f"{unit if duplicate else 'hands'} of each match", "small bets a hand", shown)


def rate_lines(names: Sequence[str], matches: Mapping[LineUp, MatchResult]) -> list[Line]:
    """The lines of all players who have played."""
    begun = {line_up: match for line_up, match in matches.items() if match.deals}
    spans = {player: _spans(player, begun) for player in range(len(names))}
    for first, last in pieces(max(match.deals for match in begun.values())):
        rates = {line_up: _rates(match, first, min(last, match.deals)) for line_up, match in begun.items()}
        for span in (span for each in spans.values() for span in each):
            span.add(first, rates)
    return [line for player, name in enumerate(names) if (line := _line(name, spans[player]))]


def _rates(match: MatchResult, first: int, last: int) -> Rates:
    """What was won a hand in each of some deals, by seat; no deals where the match has not come so far."""
    if last <= first:
        return np.zeros((0, match.spec.game.seats))
    return np.asarray(match.hands.won(first, last).mean(axis=0) / match.money.unit)


@dataclass
class _Over:
    """A match that has come to fewer deals than others."""

    line_up: LineUp
    seat: int
    deals: int
    mean: float


@dataclass
class _Span:
    """Some deals, from where one of a player's matches ends to where the next one does."""

    after: int
    """The span begins after so many deals,"""
    end: int
    """and ends with this one."""
    over: list[_Over]
    going: list[tuple[LineUp, int]]
    """Line-ups that go on, and the player's seat."""
    squares: float = 0.0
    """Of what deals add to the matches that are over,"""
    products: float = 0.0
    """and times what they give in those that go on."""
    sums: RunningTotal = field(init=False)

    def __post_init__(self) -> None:
        self.sums = RunningTotal(self.end)

    def add(self, first: int, rates: Mapping[LineUp, Rates]) -> None:
        """Go on with deals from `first` on."""
        given = sum(rates[line_up][: max(0, self.end - first), seat] for line_up, seat in self.going)
        assert isinstance(given, np.ndarray)
        self.sums.add(given)
        added = np.zeros(len(given))
        for each in self.over:
            mine = rates[each.line_up][:, each.seat]
            added[: len(mine)] += (mine - each.mean) / each.deals
        self.squares += float(added @ added)
        self.products += float(added @ given)

    def curve(self) -> tuple[Rates, Rates, Rates]:
        """So many deals, the mean after each of them, and half its interval."""
        points, matches = self.sums.points.astype(np.float64), len(self.over) + len(self.going)
        total, squares = self.sums.totals[:, 0], self.sums.squares[:, 0]
        variance = self.squares + 2 * self.products / points + (squares - total**2 / points) / points**2
        mean = (sum(each.mean for each in self.over) + total / points) / matches
        margin = 1.96 * np.sqrt(np.maximum(0.0, variance)) / matches
        mine = points > self.after
        return points[mine], mean[mine], margin[mine]


def _spans(player: int, begun: Mapping[LineUp, MatchResult]) -> list[_Span]:
    """The spans of a player's line; none of one who has not played."""
    mine = {line_up: match for line_up, match in begun.items() if player in line_up}
    found, after = [], 0
    for end in sorted({match.deals for match in mine.values()}):
        over = [
            _Over(line_up, line_up.index(player), match.deals, _mean(match, line_up.index(player)))
            for line_up, match in mine.items()
            if match.deals < end
        ]
        going = [(line_up, line_up.index(player)) for line_up, match in mine.items() if match.deals >= end]
        found.append(_Span(after, end, over, going))
        after = end
    return found


def _mean(match: MatchResult, seat: int) -> float:
    return match.money.totals[seat] / (match.money.unit * match.hands_played)


def _line(name: str, spans: Sequence[_Span]) -> Line | None:
    """A player's curve; none of one who has not played."""
    if not spans:
        return None
    points, means, margins = (np.concatenate(each) for each in zip(*(span.curve() for span in spans)))
    known = (points >= min(FEWEST, points[-1])) & (points >= _FIRST_SHARE * points[-1])
    return Line(name, points[known], means[known], margins[known] if points[-1] >= FEWEST else None)
