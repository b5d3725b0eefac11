"""Studies of heads-up matches by DIVAT: matches that are played and assessed, and what is shown of them.

A match gives small bets by hand for its first player, and beside them DIVAT differences in one setting or several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from railbird.assess.settings import Settings
from railbird.assess.tables import divat_tables
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, together, verdict
from railbird.papers.study import Asked, Study, findings_part
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.skill import with_divat
from railbird.results.figures import Figure, Line
from railbird.results.parts import Line as Words
from railbird.results.parts import Part
from railbird.statistics import Estimate, Samples
from railbird.words import count_of, hands_needed, rate


@dataclass(frozen=True)
class AssessedHands:
    """Hands of a match, for its first player: small bets by hand, and DIVAT differences by setting and hand."""

    name: str
    money: Samples
    divat: Mapping[str, Samples]

    @property
    def measures(self) -> dict[str, Estimate]:
        """Money, and DIVAT by setting."""
        return {"money": Estimate.of(self.money)} | {name: Estimate.of(each) for name, each in self.divat.items()}

    def fewer_hands(self, setting: str) -> float:
        """How many times fewer hands DIVAT needs than money for the same certainty."""
        return Estimate.of_reduction(self.money, self.divat[setting]).mean

    def parts(self) -> list[Part]:
        money, *skills = self.measures.items()
        found: list[Part] = [
            Words(f"{self.name}, {money[1].count:,} hands", indent=0),
            Words(f"money  {rate(money[1])} sb/hand  SD {money[1].sd:.3f}"),
        ]
        for setting, skill in skills:
            fewer = hands_needed(self.fewer_hands(setting), 2) or "as many hands"
            found.append(Words(f"DIVAT  {rate(skill)} sb/hand  SD {skill.sd:.3f}  {fewer}  ({setting})"))
        return found

    def to_json(self) -> dict[str, Any]:
        money, *skills = self.measures.items()
        return {
            "match": self.name,
            "money": money[1].to_json(),
            "divat": {
                setting: {**skill.to_json(), "fewer_hands": self.fewer_hands(setting)} for setting, skill in skills
            },
        }


@dataclass(frozen=True)
class DivatEvidence:
    """Matches that were played and assessed, what became of the claims, and running totals by name of figure."""

    matches: tuple[AssessedHands, ...]
    findings: tuple[Finding, ...]
    bankrolls: Mapping[str, Figure]

    @classmethod
    def of(
        cls, matches: Iterable[AssessedHands], findings: Iterable[Finding], bankrolls: Mapping[str, Figure]
    ) -> DivatEvidence:
        """With the findings judged together."""
        return cls(tuple(matches), together(findings), bankrolls)

    def parts(self) -> list[Part]:
        return [*[part for match in self.matches for part in match.parts()], findings_part(self.findings)]

    def figures(self) -> dict[str, Figure]:
        header = ("claim", "measured (95%)", "paper", "outcome")
        rows = [(str(finding), finding.measured, finding.paper, finding.outcome) for finding in self.findings]
        return {name: replace(figure, header=header, rows=rows) for name, figure in self.bankrolls.items()}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match and measure."""
        return [
            {"match": match.name, "measure": measure, **estimate.to_json()}
            for match in self.matches
            for measure, estimate in match.measures.items()
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "unit": "small bets per hand",
            "matches": [match.to_json() for match in self.matches],
            "claims": [finding.to_json() for finding in self.findings],
            "verdict": verdict(self.findings),
        }


@dataclass(frozen=True)
class PlayedMatch:
    """A match of a study, to be assessed."""

    folder: MatchFolder
    result: MatchResult
    asked: Asked

    @property
    def names(self) -> tuple[str, ...]:
        return self.folder.spec.names

    @property
    def money(self) -> Samples:
        """Small bets of the first player by leg and hand."""
        return self.result.won[:, :, 0] / self.result.spec.game.small_bet

    def divat(self, settings: Settings, what: str = "assessing") -> Samples:
        """DIVAT differences by leg and hand."""
        with self.asked.bar(f"{what}: tables") as watch:
            divat_tables(settings, watch)
        with self.asked.bar(what, "hands") as watch:
            divat = with_divat(self.folder, self.result, settings, watch, self.asked.threads).divat
        assert divat is not None
        return divat


@dataclass(frozen=True, kw_only=True)
class DivatStudy(Study):
    """A study of matches between players that do not learn. As many others may be named as it has of its own."""

    size_word: str = "paper"
    unit: str = "hands"

    def chosen(self, players: Sequence[str]) -> tuple[str, ...]:
        chosen = super().chosen(players)
        if len(chosen) != len(self.players):
            raise MatchError(f"{self.name} takes {count_of(len(self.players), 'player')}, not {' '.join(chosen)!r}")
        return chosen

    @staticmethod
    def played(
        asked: Asked, players: Sequence[str], seed: int | None = None, name: str = "hands", duplicate: bool = False
    ) -> PlayedMatch:
        """Play a match of these players, or go on with it, in the folder `name`."""
        spec = MatchSpec(limit_holdem(), tuple(players), asked.size, asked.seed if seed is None else seed, duplicate)
        if spec.learns:
            raise MatchError(f"{' or '.join(players)} learns; this study needs players that do not")
        folder = MatchFolder.create(asked.folder / name, spec)
        [result] = asked.played([folder])
        return PlayedMatch(folder, result, asked)


def bankroll(title: str, money: Samples, divat: Mapping[str, Samples]) -> Figure:
    """Running totals of money and DIVAT, and one standard deviation of the money around zero."""
    lines = [Line.running_total(name, samples) for name, samples in {"money": money, **divat}.items()]
    hands = lines[0].x
    deviation = float(money.std()) * np.sqrt(hands)
    lines.append(Line("zero, and one SD of the money", hands, 0 * hands, deviation))
    return Figure(title, "hands played", "small bets won by the first player", lines, legend_below=True)
