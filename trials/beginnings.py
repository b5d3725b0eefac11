"""CFR-BR from nothing and begun with a strategy: how far each gets in so many flops, for some sizes of the beginning.

The game has one bet a street, few flops, and of turns and rivers every seventeenth; what best responses win there is
exact. The strategy that is begun with was trained by public chance sampling, on random boards of all kinds, with the
buckets of the one that ships. A row says what best responses win after so many flops in milli small bets a hand, from
the average and from the current strategy; below, after how many flops the average from nothing is as good. Nothing is
left to chance: the same command prints the same numbers. Exit 1 if the usual beginning ends no better than none.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np

from railbird.game.spec import limit_holdem
from railbird.solve import best_response, cfr_br, dealt_boards
from railbird.solve.beginning import BEGINNINGS, begin_with
from railbird.solve.best_response import BestResponse
from railbird.solve.cfr_br import train_against_answers
from railbird.solve.cpu_bench import CpuBench
from railbird.solve.flops import FLOP_COUNT, flop_sizes, orbits
from railbird.solve.strategy import Strategy, strategy_named
from railbird.solve.train import Training

SIZES = (3.0, 10.0, 30.0, 100.0, 300.0)
PARTS = (1 / 3, 1, 2, 4, 8)
"""What is judged, in times through all flops."""
_LONGEST = 16
"""From nothing, so many times through all flops."""
_EVERY, _FIRST = 17, 3
_LEFT = {1: 3, 2: 3}
"""Turns on a flop, rivers on a turn."""


@contextmanager
def few_boards() -> Iterator[None]:
    """A game of a few turns and rivers."""
    with ExitStack() as stack:
        for where in (dealt_boards, best_response):
            few = lambda board, symmetries: orbits(board, symmetries)[_FIRST::_EVERY]  # noqa: E731
            stack.enter_context(patch.object(where, "orbits", few))
        for where in (cfr_br, best_response):
            stack.enter_context(patch.object(where, "CARDS_LEFT", _LEFT))
        yield


class Game:
    """Some flops, and what is judged on them."""

    def __init__(self, kinds: int, boards: int, power: int) -> None:
        self.kinds = tuple(np.random.default_rng(7).choice(FLOP_COUNT, kinds, replace=False).tolist())
        self.game, self.power = limit_holdem(cap=1), power
        training = Training(strategy_named("equilibrium").abstraction, self.game, seed=1)
        training.run(boards)
        self.given = training.strategy()

    def exploitability(self, strategy: Strategy) -> float:
        """What best responses win in the mean of both positions, on these flops."""
        response, sizes = BestResponse(strategy), flop_sizes()[list(self.kinds)]
        values = np.array([response.flop_values(kind) for kind in self.kinds])
        average = np.tensordot(sizes / sizes.sum(), values, 1)
        return float(response.total(average[None], average).mean())

    def begun(self, size: float) -> Training:
        """A training that begins with the strategy, which counts as so many flops; with nothing if that is 0."""
        training = Training(self.given.abstraction, self.game, seed=1, method="cfr-br", power=self.power)
        if size:
            begin_with(training, self.given, "given", size)
        return training

    def learned(self, training: Training, marks: Sequence[int]) -> Iterator[tuple[float, float]]:
        """The exploitability of the average and of the current strategy after so many flops each."""
        for flops in marks:
            train_against_answers(training, CpuBench(), flops - training.boards, among=self.kinds)
            average, current = (self.exploitability(training.strategy(is_current)) for is_current in (False, True))
            yield average, current


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(prog="python -m trials beginnings", description=__doc__)
    options.add_argument("--kinds", type=int, default=144, help="kinds of flop that there are")
    options.add_argument("--boards", type=int, default=20_000, help="on which the strategy was trained")
    options.add_argument("--power", type=int, default=1, help="of the average: 1 linear, 2 squared")
    told = options.parse_args(arguments)
    with few_boards():
        return _measured(Game(told.kinds, told.boards, told.power))


def _measured(game: Game) -> int:
    marks, every = [round(part * len(game.kinds)) for part in PARTS], len(game.kinds) // 3
    print(f"the strategy that is begun with: {game.exploitability(game.given):.0f}\n", flush=True)
    _print("flops", [f"{mark:,}" for mark in marks])
    finely = range(every, _LONGEST * len(game.kinds) + 1, every)
    nothing = dict(zip(finely, game.learned(game.begun(0.0), finely)))
    _print("nothing", _cells([nothing[mark] for mark in marks]))
    found = {}
    for size in SIZES:
        found[size] = list(game.learned(game.begun(size), marks))
        _print(f"{size:g}", _cells(found[size]))
    print("\nfrom nothing the average is as good after so many flops:")
    for size, row in found.items():
        reached = [next((flops for flops, (there, _) in nothing.items() if there <= average), 0) for average, _ in row]
        _print(f"{size:g}", [f"{flops:,}" if flops else "later" for flops in reached])
    return int(found[BEGINNINGS["cfr-br"]][-1][0] >= nothing[marks[-1]][0])


def _cells(found: Sequence[tuple[float, float]]) -> list[str]:
    return [f"{average:.0f} / {current:.0f}" for average, current in found]


def _print(name: str, cells: Sequence[str]) -> None:
    print(f"{name:>8}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
