"""Ring games in duplicate among versions of a program, several copies of each: how Loki's papers judged their players.

A version's result is the average of its copies. That one version is ahead of another is judged on the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, exceeds, together
from railbird.papers.study import Asked, Study, findings_part
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.seating import seating
from railbird.results.figures import Figure, Line
from railbird.results.parts import Part, Table
from railbird.statistics import Estimate
from railbird.words import rate

NOTHING = "0"
"""Whom a version that wins is ahead of."""


@dataclass(frozen=True, kw_only=True)
class RingGame(Study):
    """A ring game. Its claims are chains such as "a > b > c": each is ahead of the next, or wins ("a > 0")."""

    versions: tuple[tuple[str, int], ...]
    """The versions and how many copies of each play."""
    size: int = 10_000
    unit: str = ""

    def __post_init__(self) -> None:
        legs = seating(len(self.seats), duplicate=True).legs
        object.__setattr__(self, "unit", f"deals, each played {legs} times")
        known = {NOTHING, *(bot for bot, _ in self.versions)}
        unknown = [name for pair in self.leads for name in pair if name not in known]
        if unknown:
            raise MatchError(f"{self.name} claims something of {unknown[0]!r}, who does not play")

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(bot for bot, copies in self.versions for _ in range(copies))

    @property
    def leads(self) -> tuple[tuple[str, str], ...]:
        """Who is said to be ahead of whom: each pair of neighbours in a chain."""
        chains = [[name.strip() for name in claim.split(">")] for claim in self.claims]
        return tuple(pair for chain in chains for pair in pairwise(chain))

    def measured(self, asked: Asked) -> RingGameEvidence:
        spec = MatchSpec(limit_holdem(len(self.seats)), self.seats, asked.size, asked.seed, duplicate=True)
        [match] = asked.played([MatchFolder.create(asked.folder / "hands", spec)])
        evidence = RingGameEvidence(self, match)
        _ = evidence.deals  # the folder may go away
        return evidence

    def head_json(self, size: int, seed: int) -> dict[str, Any]:
        names = {"experiment": self.name, "figure": self.title, "reported": self.reported}
        return {"schema": "railbird.experiment/1", **names}

    def who(self, players: Sequence[str]) -> str:
        return ", ".join([f"{copies} × {bot}" for bot, copies in self.versions])

    def files_json(self, page: Path, pictures: Sequence[Path]) -> dict[str, Any]:
        return {"png": str(pictures[0]) if pictures else None, "html": str(page)}


@dataclass(frozen=True)
class RingGameEvidence:
    """A ring game that was played."""

    game: RingGame
    match: MatchResult

    @cached_property
    def deals(self) -> NDArray[np.float64]:
        """Small bets per hand by deal and version: the mean over seatings and copies."""
        by_player = self.match.won.mean(axis=0) / self.match.spec.game.small_bet
        columns, at = [], 0
        for _, copies in self.game.versions:
            columns.append(by_player[:, at : at + copies].mean(axis=1))
            at += copies
        return np.stack(columns, axis=1)

    @property
    def names(self) -> list[str]:
        return [bot for bot, _ in self.game.versions]

    @cached_property
    def rates(self) -> dict[str, Estimate]:
        """Each version's win rate in small bets per hand."""
        return {name: Estimate.of(self.deals[:, column]) for column, name in enumerate(self.names)}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        found = []
        for ahead, behind in self.game.leads:
            lead = self.deals[:, self.names.index(ahead)]
            claim = f"{ahead} wins"
            if behind != NOTHING:
                lead = lead - self.deals[:, self.names.index(behind)]
                claim = f"{ahead} ahead of {behind}"
            found.append(exceeds(claim, Estimate.of(lead), 0.0, "ahead"))
        return together(found)

    def parts(self) -> list[Part]:
        best_first = sorted(self.rates.items(), key=lambda item: -item[1].mean)
        rates = Table([(name, rate(estimate)) for name, estimate in best_first], ("sb/hand (95%)", ""))
        return [rates, findings_part(self.findings, source=""), *fault_parts(self.match.faults)]

    def figures(self) -> dict[str, Figure]:
        """What each version has won, over the hands played."""
        return {self.game.name: self.figure(self.findings)}

    def figure(self, findings: Sequence[Finding]) -> Figure:
        """The same, with these findings beside it."""
        seatings = self.match.spec.seating.legs
        lines = [
            Line.running_total(name, self.deals[:, column] * seatings, seatings, has_band=True)
            for column, name in enumerate(self.names)
        ]
        rows = [(name, rate(estimate), f"{estimate.sd:.2f}") for name, estimate in self.rates.items()]
        rows += [(str(finding), finding.measured, finding.outcome) for finding in findings]
        return Figure(
            title=self.game.title,
            x_label="hands played",
            y_label="small bets won by a copy",
            lines=lines,
            header=("", "sb/hand (95%)", "SD of a deal, or outcome"),
            rows=rows,
        )

    def rows(self) -> list[dict[str, Any]]:
        """A row for each version."""
        copies = dict(self.game.versions)
        return [{"player": name, "copies": copies[name], **each.to_json()} for name, each in self.rates.items()]

    def to_json(self) -> dict[str, Any]:
        return {
            "deals": len(self.deals),
            "trials": self.match.hands_played,
            "seed": self.match.spec.seed,
            "unit": "small bets per hand",
            "players": {name: rate.to_json() for name, rate in self.rates.items()},
            "claims": [
                {"claim": str(each), "lead": each.ours.to_json(), "outcome": each.outcome} for each in self.findings
            ],
            "faults": [str(fault) for fault in self.match.faults],
        }
