"""Training against a finer opponent: from nothing and begun with a strategy, beside more training of the usual kind.

The game has one bet a street, so that best responses are cheap; the strategy that is begun with was trained by public
chance sampling with the buckets of the one that ships. A row says what best responses win from it in milli small bets
a hand after so many boards more, from the average and from the current strategy, on the same sampled flops everywhere:
*plus* goes on as the strategy was trained, *nothing* has a finer opponent from the start, and a number is the boards
that the beginning counts as. The same command prints the same numbers. Exit 1 if the usual beginning does not end
better than more training of the usual kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.game.spec import limit_holdem
from railbird.solve.abstraction import Abstraction, river_centres
from railbird.solve.beginning import BEGINNINGS, begin_with
from railbird.solve.best_response import exploitability
from railbird.solve.finer_opponent import SIGHTS
from railbird.solve.holding_features import opponent_groups
from railbird.solve.strategy import Strategy, strategy_named
from railbird.solve.train import Training
from railbird.statistics import Estimate

SIZES = (0.0, 30.0, 100.0, 300.0, 1_000.0)
PARTS = (1 / 8, 1 / 4, 1 / 2, 1)


def with_river_clusters(abstraction: Abstraction, count: int, seed: int = 0) -> Abstraction:
    """The same clusters of flops and turns, and so many buckets on the river by opponent clusters."""
    groups = opponent_groups(seed)
    rivers: dict[str, str | NDArray[np.generic]] = {
        "method": "ochs",
        "counts": np.array((*abstraction.counts[:3], count), np.int64),
        "groups": groups,
        "river": river_centres(count, groups, seed),
    }
    return Abstraction({**abstraction.definition, **rivers})


class Judge:
    """The game, and the flops on which what is learned is judged."""

    def __init__(self, flops: int, river: int, sight: str) -> None:
        self.game, self.flops, self.sight = limit_holdem(cap=1), flops, sight
        self.usual = strategy_named("equilibrium").abstraction
        self.finer = with_river_clusters(self.usual, river) if river else self.usual

    def training(self, method: str) -> Training:
        if method == "plus":
            return Training(self.usual, self.game, seed=1)
        return Training(self.finer, self.game, seed=2, method=method, sight=self.sight)

    def loses(self, strategy: Strategy) -> Estimate:
        return exploitability(strategy, self.flops).mean.value

    def learned(self, training: Training, marks: Sequence[int]) -> Iterator[tuple[float, float]]:
        """What the average and the current strategy lose after so many boards more each."""
        first = training.boards
        for boards in marks:
            training.run(boards - (training.boards - first))
            average, current = (self.loses(training.strategy(is_current)).mean for is_current in (False, True))
            yield average, current


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(prog="python -m trials finer", description=__doc__)
    options.add_argument("--flops", type=int, default=24, help="sampled to judge by")
    options.add_argument("--given", type=int, default=20_000, help="boards on which the strategy was trained")
    options.add_argument("--boards", type=int, default=20_000, help="boards of training after that")
    options.add_argument(
        "--river", type=int, default=0, help="buckets by opponent clusters, instead of the usual 1,000"
    )
    options.add_argument("--sight", default=SIGHTS[0], choices=SIGHTS, help="what the opponent sees of flops and turns")
    options.add_argument("--sizes", type=float, nargs="+", default=SIZES, help="boards the beginning counts as")
    told = options.parse_args(arguments)
    judge, marks = Judge(told.flops, told.river, told.sight), [round(part * told.boards) for part in PARTS]
    usual = judge.training("plus")
    usual.run(told.given)
    given = usual.strategy()
    loses = judge.loses(given)
    print(f"the strategy that is begun with: {loses.mean:.0f} ± {loses.margin:.0f}\n", flush=True)
    _print("boards", [f"{mark:,}" for mark in marks])
    longer = _row("plus", judge.learned(usual, marks))
    found = {}
    for size in told.sizes:
        training = judge.training("finer")
        if size:
            begin_with(training, given, "given", size)
        found[size] = _row(f"{size:g}" if size else "nothing", judge.learned(training, marks))
    usual_size = BEGINNINGS["finer"]
    return int(usual_size in found and found[usual_size] >= longer)


def _row(name: str, found: Iterator[tuple[float, float]]) -> float:
    """Print a row; what the average loses at its end."""
    print(f"{name:>8}", end="", flush=True)
    average = 0.0
    for average, current in found:
        print(f"{f'{average:.0f} / {current:.0f}':>14}", end="", flush=True)
    print(flush=True)
    return average


def _print(name: str, cells: Sequence[str]) -> None:
    print(f"{name:>8}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
