"""A Ray cluster against the local pool: the same match on two nodes of one core, and by two processes here.

A bot that waits makes blocks of a second that use no core, so that what differs is the way of the work and not how busy
the machine is. What is timed is the time between the first block that comes home and the last. The two take turns, now
the one first and now the other, and each turn is one sample of how much longer the cluster takes; the mean has an
interval (95%), all of which must be below the goal. Then how long it takes until there is a first block, what the one
process at home spends on a job and on a block, and whether the model of `benchmarks.cluster_model` says as much of the
same match as was measured. All this takes two minutes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import NamedTuple

import numpy as np

from benchmarks.cluster_model import Setting, simulated
from benchmarks.timing import Row
from benchmarks.two_nodes import two_nodes
from railbird.bots.base import Bot
from railbird.game.actions import CALL, Action
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play.blocks import Block, play_blocks
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_run import MatchRun
from railbird.play.run import play_runs
from railbird.ray_cluster import Cluster
from railbird.statistics import Estimate
from railbird.workforce import Workforce

BLOCK_HANDS = 200
BLOCKS = 12
"""So many hands that the local pool is worth its start, and plays them in two processes."""
ROUNDS = 5
AT_MOST = 0.05
HOME_BLOCKS, HOME_HANDS = 200, 250
JOBS = 200


class Waiter(Bot):
    """Waits ten times in a block, a second in all, and calls."""

    def __init__(self) -> None:
        self._hand = -1

    def act(self, view: PlayerView) -> Action:
        if view.hand_number != self._hand and view.hand_number % (BLOCK_HANDS // 10) == 0:
            sleep(0.1)
        self._hand = view.hand_number
        return CALL


def do_nothing() -> None:
    """A job that costs nothing but its way."""


def rows() -> list[Row]:
    with two_nodes() as nodes:
        os.environ.update(nodes.environment)
        cluster = Cluster(nodes.address)
        cold = _times(cluster).first  # which starts its processes
        here, there = [], []
        for turn in range(ROUNDS):
            for who in (2, cluster)[:: 1 if turn % 2 else -1]:
                (here if who == 2 else there).append(_times(who))
        job = _job_seconds(cluster)
    ours, theirs = (fmean(times.rest for times in each) for each in (there, here))
    share = Estimate.of(np.array([far.rest / near.rest - 1 for far, near in zip(there, here)]))
    block, size = _home_block_seconds()
    setting = Setting(2, BLOCKS - 2, 1.0, 1_000.0, 0.0, 0.0, home_job_seconds=job, home_block_seconds=block)
    model = simulated(setting, lambda *_: 1.0).seconds
    return [
        Row(
            f"{BLOCKS} blocks of a second, two nodes, {ROUNDS} turns",
            f"{ours:.2f} s",
            f"local pool {theirs:.2f} s",
            f"{share.mean:+.1%} ± {share.margin:.1%}",
            f"<= {AT_MOST:.0%}",
            share.mean + share.margin <= AT_MOST,
        ),
        Row("until the first of them is home", f"{cold:.1f} s", f"local pool {fmean(t.first for t in here):.1f} s", ""),
        Row("where processes have begun before", f"{fmean(t.first for t in there):.1f} s", "a block takes 1 s", ""),
        Row("all of them by the model", f"{model:.2f} s", f"measured {ours:.2f} s", f"{model / ours - 1:+.1%}"),
        Row("a job that does nothing, at home", f"{1000 * job:.2f} ms", "", f"{1 / job:,.0f} jobs/s"),
        Row(
            f"a block of {HOME_HANDS} hands, taken in and written",
            f"{1000 * block:.2f} ms",
            f"{size / 1000:.0f} kB",
            f"{HOME_HANDS / block:,.0f} hands/s",
        ),
    ]


@dataclass
class TimedRun(MatchRun):
    """A match of which it is known when its blocks came home."""

    times: list[float] = field(default_factory=list)

    def take(self, block: Block) -> None:
        self.times.append(perf_counter())
        super().take(block)


class Times(NamedTuple):
    """How long a match takes, in seconds."""

    first: float
    """Until the first block is home."""
    rest: float
    """From the first blocks, one of each place, to the last."""


def _times(who: Workforce) -> Times:
    with TemporaryDirectory() as name:
        spec = MatchSpec(limit_holdem(), (Waiter, "always-call"), BLOCK_HANDS * BLOCKS, 1, block_hands=BLOCK_HANDS)
        run = TimedRun.begin(MatchFolder.create(Path(name) / "m", spec))
        assert isinstance(run, TimedRun)
        began = perf_counter()
        play_runs([run], who)
    return Times(run.times[0] - began, run.times[-1] - run.times[1])


def _job_seconds(cluster: Cluster) -> float:
    """What a job costs at home, sent and taken in."""
    errands = cluster.errands()
    errands.send(0, do_nothing)
    while errands.count:
        list(errands.home(1.0))
    began = perf_counter()
    for number in range(JOBS):
        errands.send(number, do_nothing)
    while errands.count:
        list(errands.home(1.0))
    return (perf_counter() - began) / JOBS


def _home_block_seconds() -> tuple[float, float]:
    """What a block costs where it is written, and its size."""
    with TemporaryDirectory() as name:
        hands = HOME_BLOCKS * HOME_HANDS
        spec = MatchSpec(limit_holdem(), ("always-call", "always-raise"), hands, 1, block_hands=HOME_HANDS)
        run = MatchRun.begin(MatchFolder.create(Path(name) / "m", spec))
        blocks = list(play_blocks(spec, 0, 0, hands))
        began = perf_counter()
        for block in blocks:
            run.take(block)
        return (perf_counter() - began) / HOME_BLOCKS, len(blocks[0].text)
