"""Learning curves: what bots make in the course of an episode, after which learners begin anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.results.figures import Figure
from railbird.results.figures import Line as Curve
from railbird.results.parts import Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import Result
from railbird.statistics import Estimate, Moments
from railbird.words import count_of, rate

STAGES = 10
"""Parts of an episode, at most."""
SIDES = ("new", "old", "ahead")


@dataclass(frozen=True, repr=False)
class LearningCurves(Result):
    """What a new bot and an old one make of the stages of an episode, against all opponents; by episode."""

    names: tuple[str, str]
    made: NDArray[np.float64] = field(compare=False)
    """What was made, in small bets, by bot, episode and deal of the episode."""
    measure: str
    """What it was made in, in words."""
    unit: str
    """What deals are called: pairs, or hands."""

    @property
    def episodes(self) -> int:
        """How many whole ones there are."""
        return int(self.made.shape[1])

    @property
    def deals_in_episode(self) -> int:
        return int(self.made.shape[2])

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
        found = []
        for first, last in self.stages:
            sums = Moments(2)
            sums.add(self.made[:, :, first:last].mean(axis=2).T)
            found.append((sums.estimate(1, 0), sums.estimate(0, 1), sums.estimate(1, -1)))
        return found

    def parts(self) -> list[Part]:
        facts = (f"{count_of(self.episodes, 'episode')} of {self.deals_in_episode:,} {self.unit}",)
        said = f"sb/hand by {self.measure}; learners begin anew with every episode, which is one sample"
        return [Heading(f"learning of {' vs '.join(self.names)}", facts), self.table(), Words(said)]

    def table(self) -> Table:
        """A row for each stage."""
        rows = [
            (f"{first + 1:,}-{last:,}", *(rate(each) for each in found))
            for (first, last), found in zip(self.stages, self.rates)
        ]
        return Table(rows, ("in an episode", *self.names, "ahead (95%)"), bold=(3,))

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
        for side, name in enumerate(self.names):
            found = [each[side] for each in self.rates]
            mean, margin = np.array([each.mean for each in found]), np.array([each.margin for each in found])
            lines.append(Curve(name, ends, mean, margin if np.isfinite(margin).all() else None))
        title, y_label = f"learning in {count_of(self.episodes, 'episode')}", f"small bets per hand by {self.measure}"
        return Figure(title, f"{self.unit} of an episode", y_label, lines)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.learning/1."""
        return {
            "schema": "railbird.learning/1",
            "unit": "small bets per hand",
            "measure": self.measure,
            "episodes": self.episodes,
            "deals_in_episode": self.deals_in_episode,
            "stages": [
                {"first": first, "last": last - 1, **{what: each.to_json() for what, each in zip(SIDES, found)}}
                for (first, last), found in zip(self.stages, self.rates)
            ],
        }
