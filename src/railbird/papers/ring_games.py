"""The experiments that the papers judged their players by, as data; and a way to run and judge them again.

An experiment is a ring game in duplicate among versions of a program, several copies of each. A version's result is the
average of its copies. The claims of the paper, that one version is ahead of another, are judged on the same deals.
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

from railbird.errors import MatchError, did_you_mean
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, counted, exceeds, together
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches
from railbird.progress import Watch
from railbird.statistics import Estimate

DEALS = 10_000


@dataclass(frozen=True)
class Claim:
    """What a paper says: one version is ahead of another (or of break-even, "0")."""

    ahead: str
    behind: str

    def __str__(self) -> str:
        return f"{self.ahead} wins" if self.behind == "0" else f"{self.ahead} ahead of {self.behind}"


@dataclass(frozen=True)
class Experiment:
    """One figure of a paper."""

    name: str
    figure: str
    players: tuple[tuple[str, int], ...]
    """The versions and how many copies of each play."""
    reported: str
    """What the paper reported, in a sentence."""
    claims: tuple[Claim, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(bot for bot, copies in self.players for _ in range(copies))


def _claims(*chains: str) -> tuple[Claim, ...]:
    """The claims of chains such as "a > b > c", each neighbour pair one of them."""
    found = []
    for chain in chains:
        names = [name.strip() for name in chain.split(">")]
        found += [Claim(ahead, behind) for ahead, behind in pairwise(names)]
    return tuple(found)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "papp-8.1",
            "Papp 1998, Figure 8.1: the betting strategy without one feature",
            (("papp-a", 2), ("papp-b", 2), ("papp-c", 2), ("papp-d", 2), ("papp-e", 2)),
            "B, without showdown odds, won by a large margin; every other feature was a gain, semi-bluffing the most",
            _claims("papp-b > papp-a", "papp-a > papp-c", "papp-a > papp-d", "papp-a > papp-e"),
        ),
        Experiment(
            "papp-8.2",
            "Papp 1998, Figure 8.2: showdown odds against loose players",
            (("papp-a", 2), ("papp-b", 2), ("bpl2", 6)),
            "with showdown odds (A) clearly ahead of without (B), both far ahead of BPL'",
            _claims("papp-a > papp-b > bpl2"),
        ),
        Experiment(
            "papp-8.3",
            "Papp 1998, Figure 8.3: generic opponent modelling",
            (("loki-gom", 4), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
            "GOM quickly showed clear dominance; the others ranked by tightness",
            _claims("loki-gom > bpt > bpm > bpl"),
        ),
        Experiment(
            "papp-8.4",
            "Papp 1998, Figure 8.4: specific opponent modelling",
            (("loki-som", 2), ("loki-gom", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
            "SOM comparable to GOM, both clearly ahead of the players without modelling",
            _claims(
                "loki-som > bpt",
                "loki-gom > bpt",
                "loki-som > bpm",
                "loki-gom > bpm",
                "loki-som > bpl",
                "loki-gom > bpl",
            ),
        ),
        Experiment(
            "lokibot-1",
            "Billings et al. 1998, Figure 1: versions of Lokibot",
            (("lokibot-a", 2), ("lokibot-b", 2), ("lokibot-c", 2), ("lokibot-d", 2), ("lokibot-e", 2)),
            "the complete A first (about +0.08 sb/hand), the basic E last (-0.11); potential (not in D) worth the most",
            _claims(
                "lokibot-a > lokibot-b",
                "lokibot-a > lokibot-c",
                "lokibot-a > lokibot-d",
                "lokibot-b > lokibot-d",
                "lokibot-c > lokibot-d",
                "lokibot-d > lokibot-e",
            ),
        ),
        Experiment(
            "papp-8.4-calls",
            "Papp 1998, Figure 8.4, with models that read nothing into calls after the flop",
            (("loki-som:reweight_calls=no", 2), ("loki-gom:reweight_calls=no", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
            "as Figure 8.4: both modellers clearly ahead; and as Figure 8.3: the others ranked by tightness",
            _claims(
                "loki-som:reweight_calls=no > bpt > bpm > bpl",
                "loki-gom:reweight_calls=no > bpt",
                "loki-som:reweight_calls=no > bpm",
                "loki-gom:reweight_calls=no > bpm",
            ),
        ),
        Experiment(
            "papp-8.2-calls",
            "Papp 1998, Figure 8.2, with models that read nothing into calls after the flop",
            (("papp-a:reweight_calls=no", 2), ("papp-b:reweight_calls=no", 2), ("bpl2", 6)),
            "as Figure 8.2: with showdown odds (A) clearly ahead of without (B), both far ahead of BPL'",
            _claims("papp-a:reweight_calls=no > papp-b:reweight_calls=no > bpl2"),
        ),
        Experiment(
            "lokibot-loose",
            "What potential is worth against looser players: Lokibot's A and D, and A without calls by pot odds",
            (("lokibot-a", 2), ("lokibot-d", 2), ("lokibot-a:pot_odds=no", 2), ("bpl2:modeling=uniform", 4)),
            "in Lokibot's Figure 1, among conservative players, potential (not in D) was worth the most",
            _claims("lokibot-a > lokibot-d", "lokibot-a > lokibot-a:pot_odds=no", "lokibot-a:pot_odds=no > lokibot-d"),
        ),
        Experiment(
            "lokibot-tight",
            "What potential is worth among Lokibot's own: A and D, with and without calls by pot odds",
            (
                ("lokibot-a", 2),
                ("lokibot-d", 2),
                ("lokibot-a:pot_odds=no", 2),
                ("lokibot-d:pot_odds=no", 2),
                ("lokibot-c", 2),
            ),
            "in Lokibot's Figure 1, among conservative players, potential (not in D) was worth the most",
            _claims(
                "lokibot-a > lokibot-d",
                "lokibot-a > lokibot-a:pot_odds=no",
                "lokibot-d > lokibot-d:pot_odds=no",
                "lokibot-a:pot_odds=no > lokibot-d:pot_odds=no",
            ),
        ),
        Experiment(
            "lokibot-bets",
            "What potential is worth to Lokibot's A and D with weights that follow the bets",
            (("lokibot-a:modeling=generic,reweight_calls=no", 5), ("lokibot-d:modeling=generic,reweight_calls=no", 5)),
            "in Lokibot's Figure 1, where weights are fixed, potential (not in D) was worth the most",
            _claims("lokibot-a:modeling=generic,reweight_calls=no > lokibot-d:modeling=generic,reweight_calls=no"),
        ),
        Experiment(
            "simulation",
            "Betting by simulation instead of rules, all else equal, at the table of Figure 8.4",
            (("loki-som", 2), ("loki-som:betting=simulation", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
            "chapter 9 proposes it; this comparison is ours",
            _claims(
                "loki-som:betting=simulation > loki-som",
                "loki-som:betting=simulation > bpt",
                "loki-som:betting=simulation > bpm",
                "loki-som:betting=simulation > bpl",
            ),
        ),
        Experiment(
            "gom",
            "What generic modelling is worth, all else equal, with and without reading calls",
            (("loki-gom", 3), ("loki-gom:reweight_calls=no", 3), ("loki-gom:modeling=none", 4)),
            "in Figure 8.3 generic modelling dominated; this comparison is ours",
            _claims(
                "loki-gom > loki-gom:modeling=none",
                "loki-gom:reweight_calls=no > loki-gom:modeling=none",
                "loki-gom:reweight_calls=no > loki-gom",
            ),
        ),
        Experiment(
            "botwarz",
            "A BotWarz round among all ring players (after Papp 1998, section 8.2)",
            tuple(
                (bot, 1)
                for bot in (
                    "loki",
                    "loki-som2",
                    "loki-gom2",
                    "bpm",
                    "bpt",
                    "lokibot-a",
                    "yoki",
                    "yoki-tight",
                    "expert",
                    "simulation",
                )
            ),
            "in BotWarz III, among ten, GOM' won 0.05 and SOM' 0.06 small bets per hand; its other players are lost",
            _claims("loki > 0", "loki-som2 > 0", "loki-gom2 > 0"),
        ),
    )
}


@dataclass(frozen=True)
class ExperimentResult:
    """An experiment that was run again."""

    experiment: Experiment
    match: MatchResult

    @cached_property
    def deals(self) -> NDArray[np.float64]:
        """Small bets per hand by deal and version: the mean over seatings and copies."""
        by_player = self.match.won.mean(axis=0) / self.match.spec.game.small_bet
        columns, at = [], 0
        for _, copies in self.experiment.players:
            columns.append(by_player[:, at : at + copies].mean(axis=1))
            at += copies
        return np.stack(columns, axis=1)

    @property
    def names(self) -> list[str]:
        return [bot for bot, _ in self.experiment.players]

    @cached_property
    def rates(self) -> dict[str, Estimate]:
        """Each version's win rate in small bets per hand."""
        return {name: Estimate.of(self.deals[:, column]) for column, name in enumerate(self.names)}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What became of the paper's claims, judged together."""
        found = []
        for claim in self.experiment.claims:
            lead = self.deals[:, self.names.index(claim.ahead)]
            if claim.behind != "0":
                lead = lead - self.deals[:, self.names.index(claim.behind)]
            found.append(exceeds(str(claim), Estimate.of(lead), 0.0, "ahead"))
        return together(found)

    @property
    def summary(self) -> str:
        """One line: what the paper reported, and whether it was reproduced."""
        return f"paper: {self.experiment.reported}. Claims: {counted(self.findings)}"

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "railbird.experiment/1",
            "experiment": self.experiment.name,
            "figure": self.experiment.figure,
            "reported": self.experiment.reported,
            "deals": len(self.deals),
            "trials": int(self.match.won.shape[0] * self.match.won.shape[1]),
            "seed": self.match.spec.seed,
            "unit": "small bets per hand",
            "players": {name: rate.to_json() for name, rate in self.rates.items()},
            "claims": [
                {"claim": str(each), "lead": each.ours.to_json(), "outcome": each.outcome} for each in self.findings
            ],
            "faults": list(self.match.faults),
        }


def named_experiment(name: str) -> Experiment:
    if name not in EXPERIMENTS:
        known = ", ".join(EXPERIMENTS)
        raise MatchError(f"no experiment {name!r}{did_you_mean(name, EXPERIMENTS)} (all: {known})")
    return EXPERIMENTS[name]


def run_experiment(
    experiment: Experiment,
    path: Path,
    deals: int = DEALS,
    seed: int = 1,
    workers: int | None = None,
    watch: Watch | None = None,
) -> ExperimentResult:
    """Run an experiment, or go on with it, its hands in the match folder `path`."""
    seats: Sequence[str] = experiment.seats
    spec = MatchSpec(limit_holdem(len(seats)), tuple(seats), deals, seed, duplicate=True)
    folder = MatchFolder.create(path, spec)
    with folder.lock():
        [match] = run_matches([folder], workers, watch)
    return ExperimentResult(experiment, match)
