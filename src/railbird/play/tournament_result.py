"""What came of a tournament: ratings, who cannot be told from whom, and heads-up the crosstable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.play.faults import Fault
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.match_sums import pieces
from railbird.play.ratings import LineUp, Ratings, ratings_of
from railbird.play.restarts import restart_parts, restarts_of
from railbird.play.tournament_curves import rate_lines, win_rates
from railbird.results.figures import Figure
from railbird.results.parts import Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import PlayedResult
from railbird.statistics import FEWEST, Estimate, Moments
from railbird.words import count_of, rate, signed, unsigned

_MOST_NAMED = 3
"""Line-ups that are named where many have no hands yet."""


@dataclass(frozen=True, repr=False)
class TournamentResult(PlayedResult):
    """The match of every line-up, heads-up of every pair. Rates are small bets per hand."""

    names: tuple[str, ...]
    matches: dict[LineUp, MatchResult]

    @property
    def is_heads_up(self) -> bool:
        return self.spec.game.seats == 2

    @property
    def is_complete(self) -> bool:
        return all(match.is_complete for match in self.matches.values())

    @property
    def not_begun(self) -> list[str]:
        """The line-ups that have no hands yet."""
        empty = (line_up for line_up, match in self.matches.items() if match.deals == 0)
        return [" v ".join(self.names[at] for at in line_up) for line_up in empty]

    @cached_property
    def ratings(self) -> Ratings:
        """One number a player, and who is ahead of whom."""
        return ratings_of(self.names, self.matches)

    def rate(self, player: int, opponent: int) -> Estimate:
        """What `player` won from `opponent` heads-up, judged together with all pairs."""
        first, second = sorted((player, opponent))
        found = self.matches[first, second].players[0 if player < opponent else 1].best
        return replace(found, claims=max(1, self.ratings.pairs))

    def skill(self, player: int, opponent: int) -> Estimate | None:
        """The DIVAT difference of `player` against `opponent`; `None` where it was not assessed."""
        first, second = sorted((player, opponent))
        found = self.matches[first, second].players[0 if player < opponent else 1].skill
        return found and replace(found, claims=max(1, self.ratings.pairs))

    @property
    def is_assessed(self) -> bool:
        return all(match.divat is not None for match in self.matches.values())

    @cached_property
    def overall(self) -> tuple[Estimate, ...]:
        """Each player's mean over all its matches. They have the same deals, so they are averaged deal by deal."""
        return self._over_matches(lambda match, first, last: match.hands.won(first, last) / match.money.unit)

    @cached_property
    def overall_skill(self) -> tuple[Estimate, ...] | None:
        """Each player's mean DIVAT difference over all opponents; `None` where it was not assessed."""
        if not self.is_assessed:
            return None
        return self._over_matches(lambda match, first, last: _both(np.asarray(match.divat)[:, first:last]))

    def _over_matches(self, of: Callable[[MatchResult, int, int], NDArray[np.float64]]) -> tuple[Estimate, ...]:
        """Each player's mean of a measure, which is given by leg, hand and seat."""
        players = range(len(self.names))
        mine = [[each for line_up, each in self.matches.items() if player in line_up] for player in players]
        deals = [min(each.deals for each in matches) for matches in mine]
        sums = [Moments() for _ in players]
        for first, last in pieces(max(deals, default=0)):
            by_deal = np.zeros((len(players), last - first))
            for line_up, match in self.matches.items():
                if first < match.deals:
                    found = of(match, first, min(last, match.deals)).mean(axis=0)
                    for seat, player in enumerate(line_up):
                        by_deal[player, : len(found)] += found[:, seat]
            for player in players:
                sums[player].add(by_deal[player, : max(0, deals[player] - first)])
        return tuple(each.estimate(divisor=len(matches)) for each, matches in zip(sums, mine))

    @property
    def ranking(self) -> list[int]:
        return sorted(range(len(self.names)), key=lambda player: -self.overall[player].mean)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(fault for match in self.matches.values() for fault in match.faults)

    @property
    def restarts(self) -> dict[str, int]:
        """By player, how often it was lost and started again, in all matches."""
        return restarts_of(match.restarts for match in self.matches.values())

    @property
    def spec(self) -> MatchSpec:
        """What every line-up was asked to play; its players are those of the first."""
        return next(iter(self.matches.values())).spec

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player and opponent, and for each player against all."""
        found = [{"player": n, "opponent": "all", **e.to_json()} for n, e in zip(self.names, self.overall)]
        found += [
            {"player": n, "opponent": "rating", **self.ratings.rating(player).to_json()}
            for player, n in enumerate(self.names)
        ]
        return found + [
            {"player": self.names[a], "opponent": self.names[b], **self.rate(a, b).to_json()} for a, b in self._pairs
        ]

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """Who has played whom by themselves, both ways."""
        return list(permutations(range(len(self.names)), 2)) if self.is_heads_up else []

    def figure(self) -> Figure:
        """What each player has won a hand, deal by deal, with its 95% interval as a band."""
        if not self.has_hands:
            raise RailbirdError("there is nothing to draw yet: no hand was played")
        return win_rates(self.names, self.matches)

    def parts(self) -> list[Part]:
        if self.not_begun:
            return self._parts_so_far()
        found: list[Part] = [self._heading(), self._rating_table()]
        if not self.is_heads_up:
            found += [Words("", 0), self._lead_table()]
        else:
            found += [Words("", 0), self._crosstable(self._rate_words, self.overall, self.rate)]
        if self.is_heads_up and self.overall_skill:
            found.append(self._crosstable("DIVAT", self.overall_skill, self.skill))
        if self.is_heads_up and len(self.names) > 2:
            found.append(Words("not separable: by their ratings, that is against all; their own match may be clear"))
        if min(match.deals for match in self.matches.values()) < FEWEST:
            found.append(Words(f"fewer than {FEWEST} deals separate nobody"))
        pairs = self.ratings.pairs
        if pairs > 1:
            found.append(Words(f"intervals between two players hold for all {pairs} pairs together"))
        return [*found, *fault_parts(self.faults), *restart_parts(self.restarts)]

    def _parts_so_far(self) -> list[Part]:
        """What there is before all line-ups have played: the players' means in those that have."""
        missing, shown = self.not_begun, ", ".join(self.not_begun[:_MOST_NAMED])
        more = f" and {len(missing) - _MOST_NAMED:,} more" if len(missing) > _MOST_NAMED else ""
        said = Words(f"no hands yet of {shown}{more}; ratings come when every line-up has begun")
        lines, rows = rate_lines(self.names, self.matches) if self.has_hands else [], []
        for line in sorted(lines, key=lambda each: -each.y[-1]):
            margin = "?" if line.margin is None else unsigned(float(line.margin[-1]))
            rows.append((line.name, f"{signed(float(line.y[-1]))} ± {margin}"))
        table = Table(rows, ("so far", self._rate_words), indent=0)
        return [self._heading(), *([table] if rows else []), said, *fault_parts(self.faults)]

    @property
    def _rate_words(self) -> str:
        return f"{self.spec.game.rate_unit} (95%)"

    @property
    def has_hands(self) -> bool:
        """Whether anything was played yet."""
        return len(self.not_begun) < len(self.matches)

    def _heading(self) -> Heading:
        spec = self.spec
        kind = "hands" if not spec.duplicate else "duplicate pairs" if self.is_heads_up else "duplicate deals"
        seats = "heads-up" if self.is_heads_up else f"{spec.game.seats} seats"
        tables = () if self.is_heads_up else (count_of(len(self.matches), "line-up"),)
        done, hands = (sum(numbers) for numbers in zip(*((m.deals, m.spec.hands) for m in self.matches.values())))
        told = f"{spec.hands:,} {kind} each" if done == hands else f"{done:,} of {hands:,} {kind}"
        facts = (f"{spec.game.name} {seats}", *tables, told, spec.seed_words)
        return Heading("round robin", facts)

    def _rating_table(self) -> Table:
        """The ratings from the best player on, with their standard errors, and who cannot be told from whom."""
        found = self.ratings
        order, rows = found.ranking, []
        place = {player: str(at + 1) for at, player in enumerate(order)}
        for player in order:
            alike = ", ".join(sorted((place[other] for other in found.not_separable(player)), key=int))
            rating = signed(found.rating(player).mean), unsigned(found.standard_error(player))
            mean = () if self.is_heads_up else (rate(self.overall[player]),)
            rows.append((f"{place[player]} {self.names[player]}", *rating, *mean, alike))
        own = () if self.is_heads_up else (self._rate_words,)
        header = ("  player", "rating", "SE", *own, "not separable from")
        return Table(rows, header, left=(len(header) - 1,), folded=(len(header) - 1,), bold=(1,), indent=0)

    def _lead_table(self) -> Table:
        """By how much each player's rating is ahead of the others', the best player first."""
        order, rows = self.ratings.ranking, []
        for place, player in enumerate(order[:-1]):
            leads = [rate(self.ratings.lead(player, other)) for other in order[place + 1 :]]
            rows.append((f"{place + 1} {self.names[player]}", *[""] * place, *leads))
        header = ("  rated ahead (95%)", *(f"of {place + 2}" for place in range(len(order) - 1)))
        return Table(rows, header, indent=0, repeated=1)

    def _crosstable(self, title: str, overall: Sequence[Estimate], of: Callable[[int, int], Estimate | None]) -> Table:
        """What each player has of all others and of each, the best player first."""
        order, rows = self.ranking, []
        for place, player in enumerate(order):
            found = [of(player, other) if other != player else None for other in order]
            cells = [rate(estimate) if estimate else "" for estimate in found]
            rows.append((f"{place + 1} {self.names[player]}", rate(overall[player]), *cells))
        header = (f"  {title}", "all", *(f"from {place + 1}" for place in range(len(order))))
        return Table(rows, header, bold=(1,), indent=0, repeated=1)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "railbird.tournament/1",
            "unit": "small bets per hand",
            "seats": self.spec.game.seats,
            "pairs_judged_together": self.ratings.pairs,
            "ratings": self.ratings.to_json(),
            "players": [
                {
                    "name": name,
                    "overall": self.overall[player].to_json(),
                    "against": {
                        self.names[opponent]: self.rate(player, opponent).to_json()
                        for each, opponent in self._pairs
                        if each == player
                    },
                    "overall_divat": self.overall_skill[player].to_json() if self.overall_skill else None,
                    "divat_against": {
                        self.names[opponent]: skill.to_json()
                        for each, opponent in self._pairs
                        if each == player and (skill := self.skill(player, opponent))
                    },
                }
                for player, name in enumerate(self.names)
            ],
            "faults": [str(fault) for fault in self.faults],
            "restarts": self.restarts,
        }


def _both(of_first: NDArray[np.float64]) -> NDArray[np.float64]:
    """A measure of both players, from that of the first, whose opposite is the second's."""
    return np.stack([of_first, -of_first], axis=2)
