"""The resolver's time for a rest of a hand on one core: targets are medians of 50 ms on the river and 1 s on the turn.

The time is that of the processor, so that other work on the machine does not count. The first decision on a street
solves its rest; others on the same street look it up. Rests are those that come up in self-play of the table strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter, process_time

import numpy as np

from benchmarks.timing import Row, duration_text
from railbird.bots.equilibrium import strategy_of
from railbird.game.spec import STREETS
from railbird.solve.gpu.device import gpu_problem
from railbird.solve.gpu.gpu_rests import GpuRests
from railbird.solve.resolved_play import ResolvedPlay
from railbird.solve.resolved_rest import RIVER, TURN
from railbird.solve.resolved_value import drawn_rests
from railbird.solve.strategy import Strategy

RESTS = 15
MOST_SECONDS = {TURN: 1.0, RIVER: 0.050}


def rows() -> list[Row]:
    strategy = strategy_of()
    found: dict[int, list[float]] = {TURN: [], RIVER: []}
    again: list[float] = []
    play = ResolvedPlay(strategy)
    play.chances("cc/cc/cc/", (0, 5, 10, 15, 20))  # compiles
    for turn, river, board in _spots(strategy, play):
        found[TURN].append(_seconds(play, turn, board[:4]))
        found[RIVER].append(_seconds(play, river, board))
        again.append(_seconds(play, river, board))
    rows = [_row(f"{STREETS[street]} solved", times, MOST_SECONDS[street]) for street, times in found.items()]
    return [*rows, _row("a decision in a rest that is solved already", again, None), *_gpu_rows(strategy, found)]


def _gpu_rows(strategy: Strategy, on_cpu: dict[int, list[float]]) -> list[Row]:
    """The same rests on a GPU, if there is one, by the clock: one at a time, as at the table."""
    if gpu_problem():
        return []
    play, found = ResolvedPlay(strategy, solver=GpuRests(strategy)), []
    play.chances("cc/cc/cc/", (0, 5, 10, 15, 20))  # compiles
    times: dict[int, list[float]] = {TURN: [], RIVER: []}
    for turn, river, board in _spots(strategy, play):
        times[TURN].append(_seconds(play, turn, board[:4], perf_counter))
        times[RIVER].append(_seconds(play, river, board, perf_counter))
    for street, each in times.items():
        ours, theirs = (float(np.median(part)) for part in (each, on_cpu[street]))
        what = f"{STREETS[street]} solved on a GPU, median of {len(each)}"
        found.append(Row(what, duration_text(ours), f"a core {duration_text(theirs)}", f"{theirs / ours:.1f}x"))
    return found


def _spots(strategy: Strategy, play: ResolvedPlay) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """The openings of turn and river, and the board, of rests that come up in self-play."""
    for rest in drawn_rests(strategy, RIVER, RESTS, seed=1)[0]:
        river = strategy.tree.history[play.rounds[RIVER].openings[rest.number]]
        yield "/".join(river.split("/")[:2]) + "/", river, rest.board


def _seconds(
    play: ResolvedPlay, history: str, board: tuple[int, ...], clock: Callable[[], float] = process_time
) -> float:
    start = clock()
    play.chances(history, board)
    return clock() - start


def _row(what: str, times: list[float], most: float | None) -> Row:
    median = float(np.median(times))
    title = f"{what}, median of {len(times)}"
    if most is None:
        return Row(title, duration_text(median), "", "")
    longest = f"longest {duration_text(max(times))}"
    return Row(title, duration_text(median), longest, "", f"< {duration_text(most)}", median < most)
