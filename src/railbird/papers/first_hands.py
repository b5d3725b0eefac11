"""How fast a learner finds out a new opponent: many short matches, each begun with an empty memory.

The same deals of many matches are put together, so the win rate of the first hands can be told from that of later ones.
Each match is played twice with the seats exchanged, with a memory for each seating; since the cards are the same, the
mean of both is one sample. Rates are DIVAT's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from railbird.assess.settings import STANDARD
from railbird.assess.tables import divat_tables
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, exceeds, together, verdict
from railbird.papers.learning_curves import (
    Curves,
    curve_of_matches,
    curve_rows,
    curves_json,
    file_name,
    learning_figure,
)
from railbird.papers.study import Asked, Study, findings_part, goals_parts
from railbird.play.faults import Fault
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import fault_parts
from railbird.play.skill import with_divat
from railbird.results.figures import Figure
from railbird.results.parts import Line as Words
from railbird.results.parts import Part
from railbird.statistics import Estimate, Samples
from railbird.words import rate

MOST_MATCHES = 1_000
BLOCKS = 8
CLAIM = "hands go better than the first"
NO_DIP = "go no worse than the first"


@dataclass(frozen=True)
class FirstHands:
    """What a learner won from opponents in its first hands against them."""

    player: str
    divat: Mapping[str, Samples]
    """By opponent: by match and hand, the DIVAT difference in small bets, the mean of both seatings."""
    faults: tuple[Fault, ...]
    """What went wrong with bots."""

    @cached_property
    def curves(self) -> Curves:
        """By opponent, the win rate by blocks of hands."""
        return {opponent: curve_of_matches(samples, BLOCKS) for opponent, samples in self.divat.items()}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the last quarter goes better than the first eighth, as the paper says."""
        found = []
        for opponent, samples in self.divat.items():
            hands, start = samples.shape[1], samples.shape[1] // BLOCKS
            gain = samples[:, -hands // 4 :].mean(axis=1) - samples[:, :start].mean(axis=1)
            claim = f"{self.player} v {opponent}: the last {hands // 4} of {hands} {CLAIM} {start}"
            found.append(exceeds(claim, Estimate.of(gain), 0.0, "better"))
        return together(found)

    @cached_property
    def goals(self) -> tuple[Finding, ...]:
        """Whether the rest of the first half goes no worse than the first eighth, of which the paper says nothing."""
        found = []
        for opponent, samples in self.divat.items():
            start, half = samples.shape[1] // BLOCKS, samples.shape[1] // 2
            gain = samples[:, start:half].mean(axis=1) - samples[:, :start].mean(axis=1)
            claim = f"{self.player} v {opponent}: hands {start + 1} to {half} {NO_DIP} {start}"
            found.append(exceeds(claim, Estimate.of(gain), 0.0, "no worse"))
        return together(found)

    def parts(self) -> list[Part]:
        head = f"{self.player}, each match begun anew; small bets per hand by DIVAT (95%), by block of hands"
        found: list[Part] = [Words(head, indent=0)]
        for opponent, curve in self.curves.items():
            first = 1
            for block in curve:
                found.append(Words(f"v {opponent:<14} {f'{first}-{block.last_hand}':>8} {rate(block.rate)}"))
                first = block.last_hand + 1
        return [*found, findings_part(self.findings, source=""), *goals_parts(self.goals), *fault_parts(self.faults)]

    def figures(self) -> dict[str, Figure]:
        return {file_name(self.player): learning_figure(self.player, self.curves)}

    def rows(self) -> list[dict[str, Any]]:
        return curve_rows(self.player, self.curves)

    def to_json(self) -> dict[str, Any]:
        return {
            "unit": "small bets per hand",
            "learning": {self.player: curves_json(self.curves)},
            "claims": [finding.to_json() for finding in self.findings],
            "goals": [finding.to_json() for finding in self.goals],
            "verdict": verdict(self.findings),
            "faults": [str(fault) for fault in self.faults],
        }


@dataclass(frozen=True, kw_only=True)
class FirstHandsStudy(Study):
    """Short matches of the first player, a learner, against each of the others. The size is their number."""

    hands: int
    """How many hands a match has."""
    claims: tuple[str, ...] = (CLAIM,)
    size_word: str = "paper"

    def measured(self, asked: Asked) -> FirstHands:
        player, *opponents = asked.players
        if asked.size > MOST_MATCHES:
            raise MatchError(f"{asked.size:,} matches; {MOST_MATCHES:,} are the most")
        if not opponents or len({player, *opponents}) <= len(opponents):
            raise MatchError(f"{' '.join(asked.players)}: name a learner first, then its opponents, each of them once")
        folders = {
            (opponent, number): MatchFolder.create(
                asked.folder / "hands" / f"{at:02}-{number:03}",
                MatchSpec(limit_holdem(), (player, opponent), self.hands, MOST_MATCHES * asked.seed + number, True),
            )
            for at, opponent in enumerate(opponents, 1)
            for number in range(asked.size)
        }
        results = asked.played(list(folders.values()))
        with asked.bar("assessing: tables") as watch:
            divat_tables(STANDARD, watch)
        found: dict[str, list[Samples]] = {opponent: [] for opponent in opponents}
        with asked.bar("assessing", "matches") as watch:
            for done, ((opponent, _), folder, result) in enumerate(zip(folders, folders.values(), results), 1):
                assessed = with_divat(folder, result, workers=1)
                assert assessed.divat is not None
                found[opponent].append(assessed.divat.mean(axis=0))
                if watch:
                    watch(done, len(results))
        faults = tuple(fault for result in results for fault in result.faults)
        return FirstHands(player, {opponent: np.stack(each) for opponent, each in found.items()}, faults)
