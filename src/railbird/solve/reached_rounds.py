"""Which betting rounds a policy of buckets can get to, and which ways through them: the others are worth nothing.

A player who bets or calls by thresholds alone never checks and raises, and a formula that never bluffs may leave whole
lines of betting out. A best response need not look there: its opponent's reach is 0 whatever the cards are. Whether
that is so follows from the tables, where no bucket takes all the steps of a way; so it is found out once, not board by
board. A bucket of one street says nothing of the next one's, so a few rounds more than are reached may be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.game.betting_rounds import BettingRounds
from railbird.solve.seen_rounds import Floats, Ints, SeenRounds


class Reached(NamedTuple):
    """What of a street's betting the responder's opponent can get to."""

    openings: NDArray[np.bool_]
    """By round."""
    columns: NDArray[np.bool_]
    """By column of `SeenRounds`: whether that is so in any of these rounds."""


def reached_rounds(tables: Sequence[Floats], seen: Sequence[SeenRounds]) -> list[Reached]:
    """By street, what the opponent gets to by its tables, which are by round, decision, bucket and action."""
    openings, found = np.ones(1, np.bool_), []
    for table, rounds in zip(tables, seen):
        ways = _ways(table, rounds.paths)
        found.append(Reached(openings, np.any(ways[openings], axis=0)))
        openings = (ways[:, rounds.closing_columns] & openings[:, None]).ravel()
    return found


def every_round(rounds: Sequence[BettingRounds], seen: Sequence[SeenRounds]) -> list[Reached]:
    """The same of an opponent that may get anywhere."""
    return [Reached(np.ones(len(of), np.bool_), np.ones(len(by.paths), np.bool_)) for of, by in zip(rounds, seen)]


def _ways(table: Floats, paths: Ints) -> NDArray[Any]:
    """By round and path: whether some bucket may take all its steps."""
    found = np.empty((len(table), len(paths)), np.bool_)
    for column, path in enumerate(paths.tolist()):
        takes = np.ones(table.shape[::2], np.bool_)
        for step in path:
            if step >= 0:
                takes &= table[:, step // 3, :, step % 3] > 0
        found[:, column] = takes.any(axis=1)
    return found
