"""How fast a learner finds out a new opponent: many short matches, each begun with an empty memory.

The same deals of many matches are put together, so the win rate of the first hands can be told from that of later ones.
Each match is played twice with the seats exchanged, with a memory for each seating. Rates are DIVAT's.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from railbird.assess.settings import STANDARD
from railbird.assess.tables import divat_tables
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, exceeds, together, verdict
from railbird.papers.vexbot_table import Block
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.play.skill import with_divat
from railbird.progress import Bar, no_bar
from railbird.statistics import Estimate, Samples

HANDS = 400
MATCHES, MOST_MATCHES = 40, 1_000
BLOCKS = 8
PLAYERS = ("vexbot2", "always-raise", "always-call", "jagbot")
"""The learner, and static opponents that it is new to."""


@dataclass(frozen=True)
class FirstHands:
    """What a learner won from opponents in its first hands against them."""

    player: str
    divat: dict[str, Samples]
    """By opponent: by match and seating, and hand, the DIVAT difference in small bets."""
    faults: tuple[str, ...]
    """What went wrong with bots."""

    def curve(self, opponent: str) -> tuple[Block, ...]:
        """The win rate by blocks of hands."""
        samples = self.divat[opponent]
        ends = np.linspace(0, samples.shape[1], BLOCKS + 1).astype(int)
        return tuple(Block(int(end), Estimate.of(samples[:, start:end].mean(axis=1))) for start, end in pairwise(ends))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the last quarter goes better than the first eighth."""
        found = []
        for opponent, samples in self.divat.items():
            hands = samples.shape[1]
            gain = samples[:, -hands // 4 :].mean(axis=1) - samples[:, : hands // BLOCKS].mean(axis=1)
            claim = f"{self.player} v {opponent}: the last {hands // 4} of {hands} hands go better than the first"
            found.append(exceeds(f"{claim} {hands // BLOCKS}", Estimate.of(gain), 0.0, "better"))
        return together(found)

    def to_json(self) -> dict[str, Any]:
        learning = {
            opponent: [{"last_hand": block.last_hand, **block.rate.to_json()} for block in self.curve(opponent)]
            for opponent in self.divat
        }
        return {
            "unit": "small bets per hand",
            "learning": {self.player: learning},
            "claims": [finding.to_json() for finding in self.findings],
            "verdict": verdict(self.findings),
            "faults": list(self.faults),
        }


def first_hands(
    path: Path,
    matches: int | None = None,
    seed: int = 1,
    players: Sequence[str] = (),
    workers: int | None = None,
    bar: Bar | None = None,
) -> FirstHands:
    """Play short matches, or go on with them, in the folder `path`: the first of `players` against each other one."""
    player, *opponents = players or PLAYERS
    if (matches or MATCHES) > MOST_MATCHES:
        raise MatchError(f"{matches:,} matches; {MOST_MATCHES:,} are the most")
    if not opponents or len({player, *opponents}) <= len(opponents):
        raise MatchError(f"{' '.join(players)}: name a learner first, then its opponents, each of them once")
    opened = bar or no_bar
    folders = {
        (opponent, number): MatchFolder.create(
            path / "hands" / f"{at:02}-{number:03}",
            MatchSpec(limit_holdem(), (player, opponent), HANDS, MOST_MATCHES * seed + number, duplicate=True),
        )
        for at, opponent in enumerate(opponents, 1)
        for number in range(matches or MATCHES)
    }
    with opened("playing") as watch, ExitStack() as locks:
        for folder in folders.values():
            locks.enter_context(folder.lock())
        results = run_matches(list(folders.values()), workers, watch)
    with opened("assessing: tables") as watch:
        divat_tables(STANDARD, watch)
    found: dict[str, list[Samples]] = {opponent: [] for opponent in opponents}
    with opened("assessing") as watch:
        for done, ((opponent, number), result) in enumerate(zip(folders, results)):
            assessed = with_divat(folders[opponent, number], result, workers=1)
            assert assessed.divat is not None
            found[opponent].append(assessed.divat)
            if watch:
                watch(done + 1, len(results))
    faults = tuple(fault for result in results for fault in result.faults)
    return FirstHands(player, {opponent: np.concatenate(each) for opponent, each in found.items()}, faults)
