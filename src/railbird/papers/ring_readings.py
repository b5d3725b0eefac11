"""A ring game of which the paper leaves something open: played in each reading, on the same deals, and judged at once.

What is then said of the paper's claims holds in the readings that are named, and the table shows how much depends on
what was left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from railbird.game.spec import limit_holdem
from railbird.judging import Finding, together
from railbird.papers.ring_games import RingGame, RingGameEvidence
from railbird.papers.study import Asked, Study, findings_part
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import fault_parts
from railbird.results.figures import Figure
from railbird.results.parts import Part, Table
from railbird.words import rate


@dataclass(frozen=True, kw_only=True)
class RingReadings(Study):
    """Ring games by reading; the same versions, in the same order, play in each."""

    games: Mapping[str, RingGame]
    names: tuple[str, ...]
    """The versions as they are called in every reading."""

    def measured(self, asked: Asked) -> RingReadingsEvidence:
        folders = []
        for number, game in enumerate(self.games.values(), 1):
            spec = MatchSpec(limit_holdem(len(game.seats)), game.seats, asked.size, asked.seed, duplicate=True)
            folders.append(MatchFolder.create(asked.folder / f"hands-{number}", spec))
        played = asked.played(folders)
        found = {reading: RingGameEvidence(game, match) for (reading, game), match in zip(self.games.items(), played)}
        for evidence in found.values():
            _ = evidence.deals  # the folders may go away
        return RingReadingsEvidence(self, found)

    def who(self, players: Sequence[str]) -> str:
        return "; ".join([f"{reading}: {game.who(players)}" for reading, game in self.games.items()])


@dataclass(frozen=True)
class RingReadingsEvidence:
    """What was played in each reading."""

    study: RingReadings
    evidence: Mapping[str, RingGameEvidence]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return together(
            [
                replace(finding, claim=self._short(reading, finding.claim), reading=reading)
                for reading, evidence in self.evidence.items()
                for finding in evidence.findings
            ]
        )

    def _short(self, reading: str, claim: str) -> str:
        """A claim with the names that are the same in all readings."""
        short = dict(zip(self.evidence[reading].names, self.study.names))
        longest_first = sorted(map(re.escape, short), key=len, reverse=True)
        return re.sub("|".join(longest_first), lambda found: short[found[0]], claim)

    def parts(self) -> list[Part]:
        rows = [
            (name, *[rate(evidence.rates[evidence.names[number]]) for evidence in self.evidence.values()])
            for number, name in enumerate(self.study.names)
        ]
        faults = [fault for evidence in self.evidence.values() for fault in evidence.match.faults]
        table = Table(rows, ("sb/hand (95%)", *self.evidence), repeated=1)
        return [table, findings_part(self.findings, source=""), *fault_parts(faults)]

    def figures(self) -> dict[str, Figure]:
        """What each version has won over the hands, in each reading."""
        found = {}
        for number, (reading, evidence) in enumerate(self.evidence.items(), 1):
            own = [finding for finding in self.findings if finding.reading == reading]
            title = f"{self.study.title}, {reading}"
            found[f"{self.study.name}-{number}"] = replace(evidence.figure(own), title=title)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """A row for each version in each reading."""
        return [
            {"reading": reading, **row, "player": name}
            for reading, evidence in self.evidence.items()
            for row, name in zip(evidence.rows(), self.study.names)
        ]

    def to_json(self) -> dict[str, Any]:
        readings = {reading: evidence.to_json() for reading, evidence in self.evidence.items()}
        for each in readings.values():
            del each["claims"]  # they are judged together
        return {"readings": readings, "claims": [finding.to_json() for finding in self.findings]}
