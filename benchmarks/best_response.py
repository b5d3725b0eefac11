"""Best responses: a river board for both positions, and what that makes for a flop.

The reference for a flop is 34 s on one core for both positions, all 2,352 turns and rivers worked. Suit symmetries
leave 1,456 of them on average (2,554,656 for the 1,755 kinds of flop).

Bots of classes are timed on all boards of one flop that has few, their classes on each board included. All times are
those of one core's processor.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.timing import Row, duration_text
from railbird.bots.exploiting import policy_of
from railbird.cards import HOLDING_COUNT
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels
from railbird.solve import best_response
from railbird.solve.flops import orbits, symmetries_of
from railbird.solve.met_holdings import holding_pairs
from railbird.solve.policy import ConstantPolicy
from railbird.solve.seen_rounds import aligned

_BOARDS_PER_FLOP = 2_554_656 / 1_755
_REFERENCE_SECONDS = 34.0
_CLASSED = ("jagbot", "expert", "yoki-tight", "bpm", "lokibot-a")
_FEW_BOARDS = 0
"""The number of a flop of one suit."""


class _Table:
    """A policy over 200 buckets, which does anything in each."""

    game = limit_holdem()

    def __init__(self) -> None:
        generator = np.random.default_rng(1)
        legal = [BettingTree.of(self.game).legal(street)[:, None, :] for street in range(4)]
        self._tables = [generator.random((len(part), 200, 3), np.float32) * part for part in legal]

    def table(self, street: int) -> np.ndarray:
        return self._tables[street]


def rows() -> list[Row]:
    """The time of a river board is the best of some runs; that of a flop is reckoned from boards.

    All 200 buckets are met on the board, in order of rank; those of a strategy put some forty there.
    """
    response = best_response.BestResponse(_Table())  # type: ignore[arg-type]
    order, ends = np.empty((2, HOLDING_COUNT), np.int32)
    board = np.array([49, 40, 36, 3, 20], np.uint8)
    count = kernels.sort_holdings(TABLE, CARD_KEYS, board, order, ends, np.empty(HOLDING_COUNT, np.int64))
    table, chips = response.table(3), response.chips(3)
    reach = aligned(np.random.default_rng(2).random((len(chips), HOLDING_COUNT, LANES), np.float32))
    buckets = np.zeros(HOLDING_COUNT, np.int32)
    buckets[order[:count]] = np.arange(count) * 200 // count
    room = aligned(np.empty(kernels.ROOM, np.float32))
    out = aligned(np.empty(reach.size, np.float32))

    chances = kernels.Chances(table.ravel(), 10, 200, buckets)
    live = kernels.Live(order, ends, count, holding_pairs())

    def respond() -> None:
        for seen in response.seen[3]:
            arrays = (reach.ravel(), chips.ravel(), best_response._NOTHING_LATER, room, out)
            kernels.respond(seen.stages, chances, live, *arrays, kernels.NO_ANSWERS)

    simple = best_response.BestResponse(ConstantPolicy(limit_holdem(), ProbabilityTriple(1, 1, 1)))
    respond()  # which may compile
    board = min(_core_seconds(respond) for _ in range(25))
    flop = board * _BOARDS_PER_FLOP
    simple_flop = min(_core_seconds(lambda: simple.flop_values(1000)) for _ in range(2))
    return [
        Row("best response, river board, both positions", duration_text(board), "", ""),
        Row(
            "best response, average flop",
            duration_text(flop),
            f"reference {_REFERENCE_SECONDS:.0f} s",
            f"{_REFERENCE_SECONDS / flop:.1f}",
            ">= 1",
            flop <= _REFERENCE_SECONDS,
        ),
        Row("best response to fixed probabilities, a rainbow flop", duration_text(simple_flop), "", ""),
        *map(_classed_row, _CLASSED),
    ]


def _classed_row(bot: str) -> Row:
    """What an average flop takes against a bot of classes, reckoned from one of few boards."""
    response = best_response.BestResponse(policy_of(bot, limit_holdem()))
    each = _core_seconds(lambda: response.flop_values(_FEW_BOARDS)) / _river_boards(response, _FEW_BOARDS)
    reached = sum(len(side[3].openings) for side in response._sides)
    rounds = f"{reached:,} of {2 * len(response.openings[3]):,} river rounds"
    return Row(f"best response to {bot}, average flop", duration_text(each * _BOARDS_PER_FLOP), rounds, "")


def _core_seconds(work: Callable[[], object]) -> float:
    before = process_time()
    work()
    return process_time() - before


def _river_boards(response: best_response.BestResponse, number: int) -> int:
    """How many boards of five cards are worked on a flop."""
    flop = response.flops.cards(number)
    symmetries = symmetries_of(flop, response.flops.relabellings)
    turns = (card for card, _ in orbits(flop, symmetries))
    return sum(len(orbits((*flop, card), symmetries_of((card,), symmetries))) for card in turns)
