"""A step of CFR-BR: on a GPU with some flops together, and which part of the work takes how long.

Buckets are drawn at random, 9,000 a street, so that nothing has to be clustered first. Where there is no GPU nothing is
timed: a flop of the whole game takes minutes on a processor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.timing import Row, duration_text
from railbird.kernels.cards.isomorphism import CLASS_COUNTS
from railbird.kernels.solve.river_clusters import GROUPS, WHOLE
from railbird.solve.abstraction import Abstraction
from railbird.solve.cfr_br import FlopWork
from railbird.solve.flops import FLOP_COUNT
from railbird.solve.gpu.device import gpu_problem
from railbird.solve.gpu.gpu_bench import GpuBench
from railbird.solve.train import Training

TOGETHER = (1, 2, 4, 8)
BUCKETS = 9_000
_PARTS = ("ready", "pass_reach", "respond", "pass_answers", "learn", "add_strategy", "take_over", "match_regrets")


class _TimedBench(GpuBench):
    """A bench that waits after each part of the work, and keeps how long it took."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: dict[str, float] = defaultdict(float)
        for name in _PARTS:
            setattr(self, name, self._timed(name, getattr(self, name)))

    def _timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any) -> Any:
            self.finish()
            start = perf_counter()
            found = work(*given)
            self.finish()
            self.seconds[name] += perf_counter() - start
            return found

        return timed


def rows(buckets: int = BUCKETS) -> list[Row]:
    """The mean of two steps after one that is not timed."""
    if gpu_problem():
        return [Row("a flop of CFR-BR", gpu_problem(), "", "")]
    bench = _TimedBench()
    work = FlopWork(Training(_random_buckets(buckets), method="cfr-br"), bench)
    kinds, first, found = range(FLOP_COUNT), 0, []
    for together in TOGETHER:
        for time in range(3):
            numbers = range(first, first + together)
            first += together
            start = perf_counter()
            dealt = work.deal(numbers, kinds)
            deal_seconds = perf_counter() - start
            if time == 1:
                bench.seconds.clear()
                begun = perf_counter()
            work.take_over(work.found_on(dealt, numbers), numbers)
        flop_seconds = (perf_counter() - begun - deal_seconds) / (2 * together)
        found.append(Row(f"a flop, {together} together", duration_text(flop_seconds), "", ""))
        for name, seconds in bench.seconds.items():
            found.append(Row(f"  {name}", duration_text(seconds / (2 * together)), "", ""))
        found.append(Row("  dealing, meanwhile", duration_text(deal_seconds / together), "", ""))
    return found


def _random_buckets(count: int) -> Abstraction:
    generator = np.random.default_rng(1)
    centres = generator.integers(0, WHOLE + 1, (count, GROUPS)).astype(np.uint16)
    river = centres[np.argsort(centres.sum(axis=1), kind="stable")]
    groups = generator.integers(0, GROUPS, CLASS_COUNTS[0]).astype(np.uint8)
    counts = np.array([CLASS_COUNTS[0], count, count, count])
    made = Abstraction({"method": "ochs", "counts": counts, "river": river, "groups": groups})
    drawn = [generator.integers(0, count, CLASS_COUNTS[street], np.uint16) for street in (1, 2)]
    made._tables = drawn[0], drawn[1]
    return made
