"""The resolver's time for a rest of a hand on one core: targets are medians of 50 ms on the river and 1 s on the turn.

The time is that of the processor, so that other work on the machine does not count. The first decision on a street
solves its rest; others on the same street look it up. Rests are those that come up in self-play of the table strategy.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from benchmarks.timing import Row, duration_text
from railbird.bots.equilibrium import strategy_of
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import STREETS
from railbird.solve.resolved_play import ResolvedPlay
from railbird.solve.resolved_rest import RIVER, TURN
from railbird.solve.resolved_value import drawn_rests

RESTS = 15
MOST_SECONDS = {TURN: 1.0, RIVER: 0.050}


def rows() -> list[Row]:
    strategy = strategy_of()
    tree = BettingTree.of(strategy.game)
    found: dict[int, list[float]] = {TURN: [], RIVER: []}
    again: list[float] = []
    play = ResolvedPlay(strategy)
    play.chances("cc/cc/cc/", (0, 5, 10, 15, 20))  # compiles
    for rest in drawn_rests(strategy, RIVER, RESTS, seed=1)[0]:
        river = tree.history[play.rounds[RIVER].openings[rest.number]]
        turn = "/".join(river.split("/")[:2]) + "/"
        found[TURN].append(_seconds(play, turn, rest.board[:4]))
        found[RIVER].append(_seconds(play, river, rest.board))
        again.append(_seconds(play, river, rest.board))
    rows = [_row(f"{STREETS[street]} solved", times, MOST_SECONDS[street]) for street, times in found.items()]
    return [*rows, _row("a decision in a rest that is solved already", again, None)]


def _seconds(play: ResolvedPlay, history: str, board: tuple[int, ...]) -> float:
    start = process_time()
    play.chances(history, board)
    return process_time() - start


def _row(what: str, times: list[float], most: float | None) -> Row:
    median = float(np.median(times))
    title = f"{what}, median of {len(times)}"
    if most is None:
        return Row(title, duration_text(median), "", "")
    longest = f"longest {duration_text(max(times))}"
    return Row(title, duration_text(median), longest, "", f"< {duration_text(most)}", median < most)
