"""Additive ratings: one number a player, so that their differences tell who wins how much from whom.

A player's rate in a match is taken to be its rating less the mean rating of the others at the table. Ratings are what
fits the rates of all matches best (least squares), and have a mean of zero. All matches of a tournament have the same
deals, so that every deal has ratings of its own, and the standard errors follow from how those scatter: nothing is
assumed of how the results of one deal hang together. Where players beat each other in a circle no such numbers fit; the
crosstable shows that.

Whether one player is ahead of another is asked of all pairs at once, and their intervals hold together
(`Estimate.claims`). Two players whose interval does not leave out zero are not separable.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import MatchError
from railbird.play.match_result import MatchResult
from railbird.play.match_sums import pieces
from railbird.statistics import Estimate, Moments
from railbird.words import count_of

LineUp = tuple[int, ...]
"""The players of a match, in the order of its seats."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of players, in small bets per hand."""

    names: tuple[str, ...]
    sums: Moments
    """Of the ratings of every deal."""

    @property
    def pairs(self) -> int:
        """How many pairs of players are judged together."""
        return len(self.names) * (len(self.names) - 1) // 2

    def rating(self, player: int) -> Estimate:
        """A player's rating, with an interval of its own."""
        return self.sums.estimate(*(float(other == player) for other in range(len(self.names))))

    def standard_error(self, player: int) -> float:
        found = self.rating(player)
        return found.sd / math.sqrt(found.count) if found.count else math.nan

    def lead(self, player: int, other: int) -> Estimate:
        """How far one player is ahead of another, judged together with all pairs."""
        weights = [float(each == player) - float(each == other) for each in range(len(self.names))]
        return replace(self.sums.estimate(*weights), claims=max(1, self.pairs))

    def not_separable(self, player: int) -> list[int]:
        """The players that may be as good as this one."""
        others = (other for other in range(len(self.names)) if other != player)
        return [other for other in others if not self.lead(player, other).is_clear]

    @property
    def ranking(self) -> list[int]:
        """The players from the highest rating to the lowest."""
        means = [self.rating(player).mean for player in range(len(self.names))]
        return sorted(range(len(self.names)), key=lambda player: -means[player])

    def to_json(self) -> list[dict[str, Any]]:
        """By player, from the best: its rating, standard error, those that it cannot be told from, and its leads."""
        return [
            {
                "name": self.names[player],
                **self.rating(player).to_json(),
                "standard_error": self.standard_error(player),
                "not_separable": [self.names[other] for other in self.not_separable(player)],
                "ahead_of": {
                    self.names[other]: self.lead(player, other).to_json() for other in self.ranking[place + 1 :]
                },
            }
            for place, player in enumerate(self.ranking)
        ]


def ratings_of(names: tuple[str, ...], matches: Mapping[LineUp, MatchResult]) -> Ratings:
    """The ratings of players by the deals that all matches have come to."""
    fit = _fit(list(matches), len(names))
    sums = Moments(len(names))
    for first, last in pieces(min(match.deals for match in matches.values())):
        rates = [match.hands.won(first, last).mean(axis=0) / match.spec.game.small_bet for match in matches.values()]
        sums.add((fit @ np.concatenate([each.T for each in rates])).T)
    return Ratings(names, sums)


def check_connected(line_ups: list[LineUp], players: int) -> None:
    """Refuse line-ups from which not all players can be compared with each other."""
    rank = np.linalg.matrix_rank(_design(line_ups, players))
    if rank < players - 1:
        told = count_of(len(line_ups), "line-up")
        raise MatchError(f"{told}, too few to compare all {players} players with each other; ask for more")


def _design(line_ups: list[LineUp], players: int) -> NDArray[np.float64]:
    """A row for each seat of each match: the player there, less the mean of the others."""
    rows = np.zeros((sum(map(len, line_ups)), players))
    at = 0
    for line_up in line_ups:
        for player in line_up:
            rows[at, list(line_up)] = -1 / (len(line_up) - 1)
            rows[at, player] = 1.0
            at += 1
    return rows


def _fit(line_ups: list[LineUp], players: int) -> NDArray[np.float64]:
    """What turns the rates of all seats into ratings."""
    return np.asarray(np.linalg.pinv(_design(line_ups, players)))
