"""Learning curves: what bots make in the course of an episode, after which learners begin anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from railbird.play.comparison import Comparison
from railbird.play.match_sums import pieces
from railbird.results.figures import Figure
from railbird.results.figures import Line as Curve
from railbird.results.parts import Heading, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate, Moments
from railbird.words import count_of, rate

STAGES = 10
"""Parts of an episode, at most."""
SIDES = ("new", "old", "ahead")


@dataclass(frozen=True, repr=False)
class LearningCurves(Result):
    """What a new bot and an old one make of the stages of an episode, against all opponents; by episode."""

    comparison: Comparison
    deals_in_episode: int

    @property
    def episodes(self) -> int:
        """How many whole ones there are."""
        return self.comparison.deals // self.deals_in_episode

    @property
    def stages(self) -> list[tuple[int, int]]:
        """The parts of an episode, each as its first deal and the one after its last."""
        count = min(STAGES, self.deals_in_episode)
        ends = [round(at * self.deals_in_episode / count) for at in range(count + 1)]
        return list(pairwise(ends))

    @cached_property
    def rates(self) -> list[tuple[Estimate, Estimate, Estimate]]:
        """By stage, what the new bot made, what the old one made, and by how much the new one was ahead. An episode is
        one sample, so that the intervals hold whatever is learned in it."""
        made = np.concatenate(
            [self.comparison.made(first, last) for first, last in pieces(self.episodes * self.deals_in_episode)], axis=1
        ).reshape(2, self.episodes, self.deals_in_episode)
        found = []
        for first, last in self.stages:
            sums = Moments(2)
            sums.add(made[:, :, first:last].mean(axis=2).T)
            found.append((sums.estimate(1, 0), sums.estimate(0, 1), sums.estimate(1, -1)))
        return found

    def parts(self) -> list[Part]:
        size = f"{self.deals_in_episode:,} {'pairs' if self.comparison.spec.duplicate else 'hands'}"
        facts = (f"{count_of(self.episodes, 'episode')} of {size}",)
        return [Heading(f"learning of {' vs '.join(self.comparison.names)}", facts), self.table()]

    def table(self) -> Table:
        """A row for each stage."""
        rows = [
            (f"{first + 1:,}-{last:,}", *(rate(each) for each in found))
            for (first, last), found in zip(self.stages, self.rates)
        ]
        return Table(rows, ("in an episode", *self.comparison.names, "ahead (95%)"), bold=(3,))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each stage and bot, and for the difference."""
        return [
            {"first": first, "last": last - 1, "what": what, **each.to_json()}
            for (first, last), found in zip(self.stages, self.rates)
            for what, each in zip(SIDES, found)
        ]

    def figure(self) -> Figure:
        """What both bots make in the course of an episode, with 95% bands."""
        ends = np.array([last for _, last in self.stages], np.float64)
        lines = []
        for side, name in enumerate(self.comparison.names):
            found = [each[side] for each in self.rates]
            mean, margin = np.array([each.mean for each in found]), np.array([each.margin for each in found])
            lines.append(Curve(name, ends, mean, margin if np.isfinite(margin).all() else None))
        return Figure(
            f"learning in {count_of(self.episodes, 'episode')}", "deal of an episode", "small bets per hand", lines
        )

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.learning/1."""
        return {
            "schema": "railbird.learning/1",
            "unit": "small bets per hand",
            "episodes": self.episodes,
            "deals_in_episode": self.deals_in_episode,
            "stages": [
                {"first": first, "last": last - 1, **{what: each.to_json() for what, each in zip(SIDES, found)}}
                for (first, last), found in zip(self.stages, self.rates)
            ],
        }
