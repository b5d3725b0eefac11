"""Whether 95% intervals hold the truth in 93 to 97 of 100 matches.

The equilibrium player meets itself in many short matches. Both take each seat equally often, so what one of them wins
on average is exactly nothing, and of the intervals of every unbiased measure nineteen in twenty should hold zero. What
the big blind's seat wins is known too, from self-play on thousands of boards with every holding of both players; AIVAT
must say the same over all hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from railbird.assess.summary import assess_pairs
from railbird.play.known import known_players
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.statistics import Estimate

MEASURES = ("money", "divat", "mivat", "aivat")
LEAST, MOST = 0.93, 0.97
PLAYERS = "equilibrium", "equilibrium.2"


@dataclass(frozen=True)
class Coverage:
    """How many of the intervals of a measure hold zero."""

    measure: str
    matches: int
    held: int
    sd: float

    @property
    def share(self) -> float:
        return self.held / self.matches

    @property
    def margin(self) -> float:
        """Half of the share's own interval."""
        return 1.96 * sqrt(self.share * (1 - self.share) / self.matches)

    @property
    def is_right(self) -> bool:
        return LEAST - self.margin <= self.share <= MOST + self.margin

    def __str__(self) -> str:
        return f"{self.measure:<6} {self.share:.1%} ± {self.margin:.1%} of {self.matches:,} intervals, SD {self.sd:.3f}"


def coverages(samples: Mapping[str, NDArray[np.float64]], hands: int) -> list[Coverage]:
    """Of each measure, where every so many samples are a match."""
    found = []
    for name, values in samples.items():
        matches = values[: len(values) // hands * hands].reshape(-1, hands)
        estimates = [Estimate.of(match) for match in matches]
        held = sum(abs(estimate.mean) <= estimate.margin for estimate in estimates)
        found.append(Coverage(name, len(matches), held, float(values.std())))
    return found


@dataclass(frozen=True)
class Seat:
    """What the big blind's seat wins, as AIVAT measures it and as self-play has it."""

    measured: Estimate
    exact: float

    @property
    def is_right(self) -> bool:
        """Once in a thousand it is not by chance."""
        return abs(self.measured.mean - self.exact) <= 3.3 / 1.96 * self.measured.margin

    def __str__(self) -> str:
        return f"seat   {self.measured.mean:+.4f} ± {self.measured.margin:.4f} by AIVAT, {self.exact:+.4f} in self-play"


def measured(matches: int, hands: int, seed: int) -> tuple[dict[str, NDArray[np.float64]], Seat]:
    """The samples of each measure, by hand, for one of the two; and what the big blind's seat won."""
    with TemporaryDirectory() as folder:
        play_match(*(PLAYERS[0],) * 2, hands=matches * hands, seed=seed, folder=Path(folder) / "match", progress=False)
        arrays = read_hand_arrays([Path(folder) / "match"])
    known = known_players([PLAYERS[0], f"{PLAYERS[1]}={PLAYERS[0]}"])
    assert known is not None
    [pair] = assess_pairs(arrays, known=known)
    seat = Seat(Estimate.of(pair.sign * pair.values["aivat"]), float(known.measure.seat_values[0]))
    return {name: pair.values[name] for name in MEASURES}, seat


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials coverage", description=__doc__)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--hands", type=int, default=40, help="hands of a match, an even number")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.hands < 2 or given.hands % 2 or given.matches < 1:
        parser.error("each match must have an even number of hands, and there must be one")
    samples, seat = measured(given.matches, given.hands, given.seed)
    found: list[Coverage | Seat] = [*coverages(samples, given.hands), seat]
    for each in found:
        print(each)
    return 0 if all(each.is_right for each in found) else 1
