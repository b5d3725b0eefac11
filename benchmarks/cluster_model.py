"""Clusters of up to a thousand nodes, simulated: what the length of jobs, the size of results, stragglers and the one
process that sends and writes cost.

Each place works off one job at a time. Its result goes home, where one process takes results in one after the other (so
long for a job, so long for a block, so long for a megabyte) and sends the next job; twice as many are out as there are
places. Blocks take different times, and some places are slower than others. Jobs are cut as Railbird cuts them
(`railbird.pacing.job_seconds`), or all to one length. `python -m benchmarks cluster` holds the model against two nodes
of a real cluster, with what it measured there.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.timing import Row
from railbird.pacing import AHEAD, DISPATCH_SECONDS, FIRST_HOME_SECONDS, job_seconds

PLACES = (2, 16, 128, 1_000)
LENGTHS = (1.0, 4.0, 16.0)
MINUTES = 3.0
"""So long the work would take if all places did nothing else."""


@dataclass(frozen=True)
class Setting:
    """A cluster, and some work for it."""

    places: int
    work_seconds: float
    """All of it at one place."""
    block_seconds: float = 1.0
    """What cannot be divided."""
    block_bytes: float = 25_000.0
    """Of its result: 250 hands."""
    spread: float = 0.3
    """Standard deviation of the logarithm of how long a block takes."""
    slow_share: float = 0.02
    slow_times: float = 3.0
    """So many places are so many times slower."""
    home_job_seconds: float = 2 * FIRST_HOME_SECONDS
    home_block_seconds: float = 0.0003
    home_byte_seconds: float = 5e-9
    """200 megabytes a second."""
    way_seconds: float = DISPATCH_SECONDS
    """From home to a place and back."""
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    seconds: float
    efficiency: float
    """The share of the time in which places worked on something that takes an ordinary place so long."""
    home_share: float
    """The share of the time in which the process at home was busy."""
    jobs: int
    longest_seconds: float
    """Of a job, at an ordinary place."""


Length = Callable[[int, float, float], float]
"""From places, seconds that a job costs at home, and seconds of work left, to the seconds of a job."""


def simulated(setting: Setting, length: Length = job_seconds) -> Outcome:
    """Play the work through."""
    chance = np.random.default_rng(setting.seed)
    blocks = max(1, round(setting.work_seconds / setting.block_seconds))
    times = chance.lognormal(-(setting.spread**2) / 2, setting.spread, blocks) * setting.block_seconds
    speed = np.ones(setting.places)
    speed[: round(setting.slow_share * setting.places)] = 1 / setting.slow_times
    free = list(range(setting.places))[::-1]
    waiting: list[tuple[int, int]] = []  # jobs that are out and that no place has begun
    ends: list[tuple[float, int, int, int]] = []  # when a job ends, its place, its blocks
    sent = jobs = home = 0
    now = home_seconds = longest = 0.0

    def begin(at: float) -> None:
        while free and waiting:
            first, last = waiting.pop(0)
            place = free.pop()
            took = float(times[first:last].sum() / speed[place])
            heapq.heappush(ends, (at + setting.way_seconds / 2 + took, place, first, last))

    while True:
        while sent < blocks and len(ends) + len(waiting) < AHEAD * setting.places:
            left = (blocks - home) * setting.block_seconds
            size = max(1, int(length(setting.places, setting.home_job_seconds, left) / setting.block_seconds))
            waiting.append((sent, min(sent + size, blocks)))
            longest = max(longest, (waiting[-1][1] - sent) * setting.block_seconds)
            sent, jobs = waiting[-1][1], jobs + 1
            begin(now)
        if not ends:
            break
        end, place, first, last = heapq.heappop(ends)
        free.append(place)
        begin(end)  # what is out already is begun at once
        count = last - first
        taking = setting.home_job_seconds + count * (
            setting.home_block_seconds + setting.block_bytes * setting.home_byte_seconds
        )
        now = max(now, end + setting.way_seconds / 2) + taking
        home_seconds += taking
        home += count
    ideal = times.sum() / speed.sum()
    return Outcome(now, ideal / now, home_seconds / now, jobs, longest)


def rows() -> list[Row]:
    found = []
    for places in PLACES:
        setting = Setting(places, 60 * MINUTES * places)
        for seconds in LENGTHS:
            outcome = simulated(setting, lambda *_, seconds=seconds: seconds)
            found.append(_row(f"{places:,} nodes, jobs of {seconds:g} s", outcome))
        found.append(_row(f"{places:,} nodes, jobs as they are cut", simulated(setting), at_least=0.9))
    many = Setting(1_000, 60 * MINUTES * 1_000)
    others = {
        "no stragglers": replace(many, slow_share=0.0),
        "a tenth of the nodes three times slower": replace(many, slow_share=0.1),
        "blocks of a quarter of a second": replace(many, block_seconds=0.25),
        "blocks of 10 s": replace(many, block_seconds=10.0),
        "results ten times as large": replace(many, block_bytes=250_000.0),
        "one minute of work": replace(many, work_seconds=60.0 * 1_000),
    }
    found += [_row(f"1,000 nodes, {what}", simulated(setting)) for what, setting in others.items()]
    return found


def _row(what: str, outcome: Outcome, at_least: float | None = None) -> Row:
    return Row(
        what,
        f"{outcome.efficiency:.0%}",
        f"home {outcome.home_share:.0%} busy",
        f"{outcome.jobs:,} jobs, up to {outcome.longest_seconds:.3g} s",
        "" if at_least is None else f">= {at_least:.0%}",
        None if at_least is None else outcome.efficiency >= at_least,
    )
