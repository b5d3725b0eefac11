"""Training by counterfactual regret minimisation: seconds for a sampled board, both players, on one core.

The reference is a prototype that took 107 to 136 ms a board. Time is that of the processor, not of the clock, so that a
busy machine matters less. At the end the buckets that ship are computed anew, all of them, which takes two minutes.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.timing import Row, best_seconds, duration_text
from railbird.bots.equilibrium import SHIPPED as EQUILIBRIUM
from railbird.bots.equilibrium import strategy_of
from railbird.bots.sparbot import SHIPPED as SPARBOT
from railbird.kernels.cards.isomorphism import CLASS_COUNTS
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training

REFERENCE_SECONDS = 0.107
BOARDS = 8


def rows() -> list[Row]:
    found = []
    for counts in ((169, 200, 200, 200), (169, 1000, 1000, 1000)):
        training, seconds = _trained(counts, "plus")
        ratio = REFERENCE_SECONDS / seconds
        what = f"board, {'/'.join(map(str, counts))} buckets"
        ours = duration_text(seconds)
        found.append(Row(what, ours, "prototype 107 ms", f"{ratio:.1f}x", ">= 1x", ratio >= 1))
    _, against = _trained(counts, "finer")
    usual = f"among themselves {duration_text(seconds)}"
    found.append(Row("the same, against a finer opponent", duration_text(against), usual, f"{seconds / against:.2f}x"))
    river = np.array([3, 9, 20, 33, 44], np.uint8)
    times = best_seconds(
        {
            "turn": lambda: training.abstraction.board_buckets(river[:4]),
            "river": lambda: training.abstraction.board_buckets(river),
        }
    )
    found += [Row(f"buckets of all holdings, {street}", duration_text(each), "", "") for street, each in times.items()]
    with as_file(files("railbird.solve") / "data" / EQUILIBRIUM) as path:
        seconds = min(_load_seconds(path) for _ in range(3))
        what = f"load the strategy that ships, {path.stat().st_size / 1e6:.1f} MB"
    found.append(Row(what, duration_text(seconds), "", "", "< 0.5 s", seconds < 0.5))
    return [*found, *(_shipped_buckets(name) for name in (EQUILIBRIUM, SPARBOT))]


def _shipped_buckets(strategy: str) -> Row:
    abstraction, start = strategy_of("", strategy).abstraction, process_time()
    computed, shipped = abstraction.computed(), abstraction.shipped()
    same = shipped is not None and all(np.array_equal(computed[name], shipped[name]) for name in computed)
    seconds = duration_text(process_time() - start)
    what = f"buckets of all flops and turns, {Path(strategy).stem}"
    return Row(what, seconds, "as they ship", "same" if same else "others", "same", same)


def _abstraction(counts: tuple[int, ...]) -> Abstraction:
    """Buckets that mean nothing on flop and turn, spread as evenly as can be: the most work that they can make."""
    generator = np.random.default_rng(1)
    parts = 4 if counts[3] == 200 else 8
    limits = np.tile(np.arange(1, parts) / parts, (counts[3] // parts, 1))
    abstraction = Abstraction({"method": "histogram", "counts": np.array(counts), "river": limits})
    flops, turns = (generator.integers(0, counts[street], CLASS_COUNTS[street], np.uint16) for street in (1, 2))
    abstraction._tables = flops, turns
    return abstraction


def _trained(counts: tuple[int, ...], method: str) -> tuple[Training, float]:
    """A training, and how long it takes for a board."""
    training = Training(_abstraction(counts), method=method)
    training.run(boards=BOARDS)
    return training, min(_board_seconds(training) for _ in range(6))


def _board_seconds(training: Training) -> float:
    start = process_time()
    training.run(boards=BOARDS)
    return (process_time() - start) / BOARDS


def _load_seconds(path: Path) -> float:
    start = perf_counter()
    Strategy.load(path)
    return perf_counter() - start
