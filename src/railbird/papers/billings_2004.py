"""Billings et al. 2004, on Vexbot: Table 4.2 again, everybody against everybody in duplicate, and the first hands.

The paper's matches had at least 40,000 games, with a standard deviation of about 0.03 small bets per game. Here each of
20,000 deals is played twice with the seats exchanged. A learner has a memory of its own in each of the two legs, so it
meets its opponent 20,000 times in a row.

Of the paper's programs only the two simplest can be had; the others are Railbird's players of the same kind. So what is
judged is who beats whom, not by how much, but for the pair that the paper is about, Vexbot and Sparbot. Every pair is
also assessed by DIVAT, which estimates the same win rates with less luck in them; claims, learning curves and shares of
the best response go by DIVAT.

Players that the paper does not have join them: `equilibrium`, the modern Sparbot, and `vexbot2`, whose goals are judged
apart from the paper's claims. Some of them, to lose to no style of a player who changes it, are judged where `switcher`
is named among the players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from railbird.bots.switcher import Switcher
from railbird.judging import Finding, equals, exceeds, exceeds_all, together, verdict
from railbird.papers.first_hands import FirstHandsStudy
from railbird.papers.learning_curves import curves_json, file_name, learning_figure
from railbird.papers.round_robins import RoundRobin, played_round_robin
from railbird.papers.study import Asked, Study, findings_part, goals_parts
from railbird.play.match_result import fault_parts
from railbird.results.figures import Figure
from railbird.results.parts import Line as Words
from railbird.results.parts import Part, Table
from railbird.statistics import Estimate, Samples
from railbird.words import plus_minus, rate

PROGRAMS = {
    "vexbot": "Vexbot",
    "sparbot": "Sparbot",
    "hobbybot": "Hobbybot",
    "poki": "Poki",
    "jagbot": "Jagbot",
    "always-call": "Always Call",
    "always-raise": "Always Raise",
}
"""Railbird's players and the paper's programs that they stand for."""
OURS = ("equilibrium", "vexbot2")
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
FROM_SPARBOT = {0.052: "+0.052", 0.145: "+0.145, a later version"}
"""What Vexbot won from Sparbot, in Table 4.2 and in the text after it."""
BEST_RESPONSE = {"always-call": 1.163476, "always-raise": 3.697693}
"""What the exact best response wins, in small bets per hand (`railbird exploit`)."""
GOALS = {
    "always-call": (BEST_RESPONSE["always-call"], 0.95),
    "always-raise": (BEST_RESPONSE["always-raise"], 0.96),
    "equilibrium": (0.181408, 0.6),
}
"""By opponent: what the exact best response wins, and which share of it vexbot2 is to win over the second half."""
NOTHING_PLAYED = "nothing of Table 4.2 was played"
_SHORT = {
    "equilibrium": "equil.",
    "hobbybot": "hobby",
    "always-call": "a-call",
    "always-raise": "a-raise",
    "switcher": "switch",
}
_LONGEST_NAME = 8


def paper_rate(player: str, opponent: str) -> float | None:
    """What the paper's program won from its opponent in small bets per game; `None` if they are not in Table 4.2.

    >>> paper_rate("vexbot", "sparbot"), paper_rate("always-raise", "poki"), paper_rate("random", "poki")
    (0.052, -2.139, None)
    """
    order = list(PROGRAMS)
    if player not in order or opponent not in order or player == opponent:
        return None
    first, second = sorted((order.index(player), order.index(opponent)))
    printed = _TABLE_4_2[first][second - first - 1]
    return printed if order.index(player) == first else 0.0 - printed


def _claim(player: str, opponent: str) -> str:
    """What Table 4.2 says of a pair, in its order."""
    return f"{player} beats {opponent}" if paper_rate(player, opponent) else f"{player} and {opponent} are even"


def _rate_claim(won: float) -> str:
    return f"vexbot wins {won:.3f} or more from sparbot"


def _largest_claim(player: str, opponent: str) -> str:
    return f"{player} wins the most from {opponent}"


@dataclass(frozen=True)
class TableAgain:
    """Table 4.2 that was played again, by those of its players that were asked for and maybe others."""

    played: RoundRobin

    def best_response_share(self, player: str, opponent: str, since: float = 0.0) -> Estimate:
        """The win rate as a share of what the exact best response wins, over the part of the deals from `since` on."""
        samples = self.played.samples(player, opponent)
        return Estimate.of(samples[int(since * len(samples)) :] / BEST_RESPONSE[opponent])

    @property
    def shares(self) -> tuple[tuple[str, str], ...]:
        """The pairs of which there is a share of the best response to tell."""
        players = self.played.players
        return tuple(
            (player, opponent)
            for opponent in BEST_RESPONSE
            if opponent in players
            for player in players
            if player not in BEST_RESPONSE
        )

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the same players win as in the paper, from Sparbot as much, and Vexbot the most from each."""
        found = []
        for player, opponent in combinations([name for name in PROGRAMS if name in self.played.players], 2):
            printed = paper_rate(player, opponent)
            assert printed is not None
            claim, ours = _claim(player, opponent), self.played.skill(player, opponent)
            if printed:
                found.append(exceeds(claim, ours, 0.0, f"{printed:+.3f}"))
            else:
                found.append(equals(claim, ours, 0.0, f"{printed:.3f}"))
        if {"vexbot", "sparbot"} <= set(self.played.players):
            ours = self.played.skill("vexbot", "sparbot")
            found += [exceeds(_rate_claim(won), ours, won, printed) for won, printed in FROM_SPARBOT.items()]
        return together([*found, *self._largest_margins("vexbot", PROGRAMS)])

    def _largest_margins(self, player: str, opponents: Iterable[str]) -> list[Finding]:
        """Whether a player wins more from each opponent than any of the programs does, on the same deals."""
        players, samples, found = self.played.players, self.played.samples, []
        for opponent in opponents:
            rivals = [rival for rival in PROGRAMS if rival in players and rival not in (player, opponent)]
            if player in players and opponent in players and opponent != player and rivals:
                own = samples(player, opponent)
                leads = {rival: Estimate.of(own - samples(rival, opponent)) for rival in rivals}
                found.append(exceeds_all(_largest_claim(player, opponent), leads, "largest"))
        return found

    @cached_property
    def goals(self) -> tuple[Finding, ...]:
        """What vexbot2 set out to do; "reproduced" says that a goal is met."""
        rivals = [name for name in self.played.players if name != "vexbot2"]
        if "vexbot2" not in self.played.players:
            return ()
        by_opponent = {opponent: self.played.samples("vexbot2", opponent) for opponent in rivals}
        found = []
        for opponent, (best, part) in GOALS.items():
            if opponent in rivals:
                later = by_opponent[opponent][len(by_opponent[opponent]) // 2 :] / best
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
            found += self._styles(by_opponent["switcher"])
        return together([*found, *self._largest_margins("vexbot2", ("poki", "jagbot", "hobbybot"))])

    def _styles(self, samples: Samples) -> list[Finding]:
        """Whether vexbot2 loses to none of the switcher's styles, from what it won hand by hand."""
        switcher, found = Switcher(), []
        styles = np.array([switcher.style(hand) for hand in range(len(samples))])
        for number, name in enumerate(switcher.names):
            if (styles == number).any():
                claim = f"vexbot2 does not lose to switcher as {name}"
                found.append(exceeds(claim, Estimate.of(samples[styles == number]), 0.0, "0"))
        return found

    def parts(self) -> list[Part]:
        played, deals = self.played, self.played.deals
        games = f"{deals:,} deals a pair, each played twice: {2 * deals:,} games"
        found: list[Part] = [
            Words(f"{games}; small bets per hand, for the row's player", indent=0),
            played.crosstable("money", lambda a, b: played.money(a, b).mean, _short),
            played.crosstable("DIVAT", lambda a, b: played.skill(a, b).mean, _short),
            played.crosstable("paper", paper_rate, _short),
            Words("each pair, with 95% intervals:", indent=0),
            self._pairs_part(),
        ]
        if self.shares:
            words = "share of what the exact best response wins, by DIVAT (and over the second half):"
            found += [Words(words, indent=0), self._shares_part()]
        if self.findings:
            found.append(findings_part(self.findings))
        return [*found, *goals_parts(self.goals, "vexbot2"), *fault_parts(played.result.faults)]

    def _pairs_part(self) -> Table:
        rows = []
        for player, opponent in combinations(self.played.players, 2):
            printed = paper_rate(player, opponent)
            money, skill = (rate(of(player, opponent)) for of in (self.played.money, self.played.skill))
            paper = "" if printed is None else f"paper {printed:+.3f}"
            rows.append((f"{player} v {opponent}", f"money {money}", f"DIVAT {skill}", paper))
        return Table(rows, left=(1, 2, 3), widths={0: 30})

    def _shares_part(self) -> Table:
        rows = []
        for player, opponent in self.shares:
            whole, later = (_percent(self.best_response_share(player, opponent, since)) for since in (0.0, 0.5))
            rows.append((f"{player} v {opponent}", whole, f"({later})"))
        return Table(rows, left=(1, 2), widths={0: 30})

    def figures(self) -> dict[str, Figure]:
        """Each learner's curve."""
        return {file_name(each): learning_figure(each, self.played.curves(each)) for each in self.played.learners}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pair and measure."""
        return [
            {
                "player": player,
                "opponent": opponent,
                "measure": measure,
                **of(player, opponent).to_json(),
                "paper": paper_rate(player, opponent),
            }
            for player, opponent in combinations(self.played.players, 2)
            for measure, of in (("money", self.played.money), ("divat", self.played.skill))
        ]

    def to_json(self) -> dict[str, Any]:
        played = self.played
        return {
            "unit": "small bets per hand",
            "players": list(played.players),
            "matches": [
                {
                    "player": player,
                    "opponent": opponent,
                    "money": played.money(player, opponent).to_json(),
                    "divat": played.skill(player, opponent).to_json(),
                    "paper": paper_rate(player, opponent),
                }
                for player, opponent in combinations(played.players, 2)
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
            "learning": {player: curves_json(played.curves(player)) for player in played.learners},
            "claims": [finding.to_json() for finding in self.findings],
            "goals": [finding.to_json() for finding in self.goals],
            "verdict": verdict(self.findings) if self.findings else NOTHING_PLAYED,
            "faults": [str(fault) for fault in played.result.faults],
        }


def _short(player: str) -> str:
    return _SHORT.get(player, player)[:_LONGEST_NAME]


def _percent(share: Estimate) -> str:
    return f"{share.mean:.1%} {plus_minus(share.told_margin, '.1%')}"


@dataclass(frozen=True, kw_only=True)
class TableStudy(Study):
    """Table 4.2, or a round robin of other players beside it."""

    def measured(self, asked: Asked) -> TableAgain:
        return TableAgain(played_round_robin(asked))


STUDIES = (
    TableStudy(
        name="vexbot-table",
        title="Billings et al. 2004, Table 4.2: Vexbot and its opponents, a round robin",
        reported="Vexbot won from every opponent, and from each of them the most",
        claims=(
            *(_claim(player, opponent) for player, opponent in combinations(PROGRAMS, 2)),
            *map(_rate_claim, FROM_SPARBOT),
            *(_largest_claim("vexbot", opponent) for opponent in PROGRAMS if opponent != "vexbot"),
        ),
        unjudged=NOTHING_PLAYED,
        size=20_000,
        unit="deals a pair, each played twice",
        size_word="paper",
        players=(*PROGRAMS, *OURS),
    ),
    FirstHandsStudy(
        name="vexbot-start",
        title="Billings et al. 2004, section 4.7: the first 400 hands against new opponents",
        reported="against people Vexbot's win rate rose markedly after the first 200 to 400 games",
        size=40,
        unit="matches against each opponent, each played twice",
        players=("vexbot2", "always-raise", "always-call", "jagbot"),
        hands=400,
    ),
)
