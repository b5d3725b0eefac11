"""Table 4.2 of Billings et al. 2004 again: Vexbot and its opponents, everybody against everybody in duplicate.

The paper's matches had at least 40,000 games, with a standard deviation of about 0.03 small bets per game. Here each of
20,000 deals is played twice with the seats exchanged. A learner has a memory of its own in each of the two legs, so
it meets its opponent 20,000 times in a row.

Of the paper's programs only the two simplest can be had; the others are Railbird's players of the same kind. So what is
judged is who beats whom, not by how much. Every pair is also assessed by DIVAT, which estimates the same win rates with
less luck in them; claims, learning curves and shares of the best response go by DIVAT.

A player that the paper does not have joins them: `vexbot2`, whose goals are judged apart from the paper's claims. One
of them, to hold its own against a player who changes style, is judged where `switcher` is named among the players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from railbird.assess.settings import STANDARD
from railbird.assess.tables import divat_tables
from railbird.bots.registry import make_bot
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, equals, exceeds, together, verdict
from railbird.play.tournament import TournamentResult, TournamentSpec, run_tournament, tournament_with_divat
from railbird.progress import Bar, no_bar
from railbird.statistics import Estimate, Samples

DEALS = 20_000
PROGRAMS = {
    "vexbot": "Vexbot",
    "equilibrium": "Sparbot",
    "hobbybot": "Hobbybot",
    "poki": "Poki",
    "jagbot": "Jagbot",
    "always-call": "Always Call",
    "always-raise": "Always Raise",
}
"""Railbird's players and the paper's programs that they stand for."""
OURS = ("vexbot2",)
"""Players that the paper does not have."""
# Small bets per game that the row's player won from each of those after it, in the order of PROGRAMS.
_TABLE_4_2 = (
    (0.052, 0.349, 0.601, 0.477, 1.042, 2.983),
    (0.033, 0.093, 0.059, 0.474, 1.354),
    (0.287, 0.099, 0.044, 0.463),
    (0.149, 0.510, 2.139),
    (0.597, 1.599),
    (0.000,),
)
BEST_RESPONSE = {"always-call": 1.163476, "always-raise": 3.697693}
"""What the exact best response wins, in small bets per hand (`railbird exploit`)."""
MOST_BLOCKS, LEAST_DEALS = 20, 50
"""A learning curve has so many blocks, of at least so many deals each."""


def paper_rate(player: str, opponent: str) -> float | None:
    """What the paper's program won from its opponent in small bets per game; `None` if they are not in Table 4.2.

    >>> paper_rate("vexbot", "equilibrium"), paper_rate("always-raise", "poki"), paper_rate("random", "poki")
    (0.052, -2.139, None)
    """
    order = list(PROGRAMS)
    if player not in order or opponent not in order or player == opponent:
        return None
    first, second = sorted((order.index(player), order.index(opponent)))
    printed = _TABLE_4_2[first][second - first - 1]
    return printed if order.index(player) == first else 0.0 - printed


class Block(NamedTuple):
    """A part of a learning curve."""

    last_hand: int
    """How many hands in a row its players had met by its end."""
    rate: Estimate


@dataclass(frozen=True)
class VexbotStudy:
    """The round robin that was played."""

    players: tuple[str, ...]
    result: TournamentResult

    def samples(self, player: str, opponent: str) -> Samples:
        """The DIVAT difference of `player` by deal, the mean of both seatings, in small bets per hand."""
        a, b = self.players.index(player), self.players.index(opponent)
        divat = self.result.matches[min(a, b), max(a, b)].divat
        assert divat is not None
        mean: Samples = divat.mean(axis=0)
        return mean if a < b else -mean

    def money(self, player: str, opponent: str) -> Estimate:
        return self.result.rate(self.players.index(player), self.players.index(opponent))

    def learning_curve(self, player: str, opponent: str) -> tuple[Block, ...]:
        """The win rate by blocks of hands. Both legs of a duplicate match have come equally far in each block."""
        samples = self.samples(player, opponent)
        blocks = max(1, min(MOST_BLOCKS, len(samples) // LEAST_DEALS))
        ends = np.linspace(0, len(samples), blocks + 1).astype(int)
        return tuple(Block(int(end), Estimate.of(samples[start:end])) for start, end in pairwise(ends))

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(player for player in self.players if make_bot(player).learns)

    def best_response_share(self, player: str, opponent: str, since: float = 0.0) -> Estimate:
        """The win rate as a share of what the exact best response wins, over the part of the deals from `since` on."""
        samples = self.samples(player, opponent)
        return Estimate.of(samples[int(since * len(samples)) :] / BEST_RESPONSE[opponent])

    @property
    def shares(self) -> tuple[tuple[str, str], ...]:
        """The pairs of which there is a share of the best response to tell."""
        return tuple(
            (player, opponent)
            for opponent in BEST_RESPONSE
            if opponent in self.players
            for player in self.players
            if player not in BEST_RESPONSE
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the same players win as in the paper, and whether Vexbot wins the most from each."""
        found = []
        for player, opponent in combinations([name for name in PROGRAMS if name in self.players], 2):
            printed = paper_rate(player, opponent)
            assert printed is not None
            ours = Estimate.of(self.samples(player, opponent))
            if printed:
                found.append(exceeds(f"{player} beats {opponent}", ours, 0.0, f"{printed:+.3f}"))
            else:
                found.append(equals(f"{player} and {opponent} are even", ours, 0.0, f"{printed:.3f}"))
        return together([*found, *self._largest_margins("vexbot", PROGRAMS)])

    def _largest_margins(self, player: str, opponents: Iterable[str]) -> list[Finding]:
        """Whether a player wins more from each opponent than the best of the programs does, on the same deals."""
        found = []
        for opponent in opponents:
            rivals = [rival for rival in PROGRAMS if rival in self.players and rival not in (player, opponent)]
            if player in self.players and opponent in self.players and opponent != player and rivals:
                best = max(rivals, key=lambda rival: float(self.samples(rival, opponent).mean()))
                lead = Estimate.of(self.samples(player, opponent) - self.samples(best, opponent))
                found.append(exceeds(f"{player} wins the most from {opponent}, next {best}", lead, 0.0, "largest"))
        return found

    @property
    def goals(self) -> tuple[Finding, ...]:
        """What vexbot2 set out to do; "reproduced" says that a goal is met."""
        rivals = [name for name in self.players if name != "vexbot2"]
        if "vexbot2" not in self.players:
            return ()
        by_opponent = {opponent: self.samples("vexbot2", opponent) for opponent in rivals}
        found = []
        for opponent, part in (("always-call", 0.95), ("always-raise", 0.9)):
            if opponent in rivals:
                later = by_opponent[opponent][len(by_opponent[opponent]) // 2 :] / BEST_RESPONSE[opponent]
                claim = f"vexbot2 wins its share of the best response to {opponent}, second half"
                found.append(exceeds(claim, Estimate.of(later), part, f"{part:.2f}"))
        if "equilibrium" in rivals:
            blocks = np.array_split(by_opponent["equilibrium"], 4)
            for number, block in enumerate(blocks, 1):
                claim = f"vexbot2 v equilibrium, quarter {number} of the hands"
                found.append(exceeds(claim, Estimate.of(block), -0.02, "-0.02"))
            found.append(exceeds("vexbot2 beats equilibrium", Estimate.of(by_opponent["equilibrium"]), 0.0, "0"))
        for opponent in ("poki", "jagbot", "hobbybot", "vexbot"):
            if opponent in rivals:
                found.append(exceeds(f"vexbot2 beats {opponent}", Estimate.of(by_opponent[opponent]), 0.0, "0"))
        if "switcher" in rivals:
            found.append(
                exceeds("vexbot2 holds its own against switcher", Estimate.of(by_opponent["switcher"]), -0.1, "-0.1")
            )
        return together([*found, *self._largest_margins("vexbot2", ("poki", "jagbot", "hobbybot"))])

    @property
    def summary(self) -> str:
        return verdict(self.findings) if self.findings else "nothing of Table 4.2 was played"

    def to_json(self) -> dict[str, Any]:
        return {
            "unit": "small bets per hand",
            "players": list(self.players),
            "matches": [
                {
                    "player": player,
                    "opponent": opponent,
                    "money": self.money(player, opponent).to_json(),
                    "divat": Estimate.of(self.samples(player, opponent)).to_json(),
                    "paper": paper_rate(player, opponent),
                }
                for player, opponent in combinations(self.players, 2)
            ],
            "best_response": [
                {
                    "player": player,
                    "opponent": opponent,
                    "best_response": BEST_RESPONSE[opponent],
                    "share": self.best_response_share(player, opponent).to_json(),
                    "share_second_half": self.best_response_share(player, opponent, 0.5).to_json(),
                }
                for player, opponent in self.shares
            ],
            "learning": {
                player: {
                    opponent: [
                        {"last_hand": block.last_hand, **block.rate.to_json()}
                        for block in self.learning_curve(player, opponent)
                    ]
                    for opponent in self.players
                    if opponent != player
                }
                for player in self.learners
            },
            "claims": [finding.to_json() for finding in self.findings],
            "goals": [finding.to_json() for finding in self.goals],
            "verdict": self.summary,
            "faults": list(self.result.faults),
        }


def vexbot_study(
    path: Path,
    deals: int | None = None,
    seed: int = 1,
    players: Sequence[str] = (),
    workers: int | None = None,
    bar: Bar | None = None,
) -> VexbotStudy:
    """Play the round robin, or go on with it, in the folder `path`; by default those of `PROGRAMS` and `OURS`."""
    chosen = tuple(players) or (*PROGRAMS, *OURS)
    if len(set(chosen)) < max(2, len(chosen)):
        raise MatchError(f"{' '.join(chosen)}: a round robin needs two players or more, each of them once")
    opened = bar or no_bar
    spec = TournamentSpec(limit_holdem(), chosen, deals or DEALS, seed)
    with opened("playing") as watch:
        result = run_tournament(path / "hands", spec, workers, watch)
    with opened("assessing: tables") as watch:
        divat_tables(STANDARD, watch)
    with opened("assessing") as watch:
        result = tournament_with_divat(path / "hands", result, STANDARD, watch)
    return VexbotStudy(chosen, result)
