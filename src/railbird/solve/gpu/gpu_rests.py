"""Rests of hands solved again on a GPU, many side by side; its twin is `railbird.solve.cpu_rests`.

What is solved, and how, is told in `railbird.kernels.solve.resolving`. Rests that are solved together begin on the same
street and are solved for the same player. An iteration is a dozen kernels, which are captured once and then played
again, since for a single river starting them would take longer than their work.

Room on the GPU for a rest that begins on the turn: regrets on 48 rivers with 9 rounds of 10 decisions, 56 MB, and the
reach or values of their 17 ends, 32 MB. One that begins on the river has 0.2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.solve.gpu.device import gpu, repeat
from railbird.solve.gpu.gpu_buckets import clustered_buckets
from railbird.solve.gpu.rest_cells import Cells, Rivers
from railbird.solve.resolved_rest import (
    BEGINNING,
    RIVER,
    TURN,
    Begun,
    Entry,
    Floats,
    RestOfHand,
    Safety,
    Solution,
    shape_of,
    total_weight,
)
from railbird.solve.strategy import Strategy

AT_ONCE = {TURN: 128, RIVER: 1_024}
"""Rests that are solved together at most, by street."""
_THREADS = 256


class GpuRests:
    """Solves rests of the hands of a table strategy."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self._codes = {street: gpu()[0].asarray(strategy.codes[street]) for street in (TURN, RIVER)}

    def __reduce__(self) -> tuple[type[GpuRests], tuple[Strategy]]:
        """What another process makes it of, on its own GPU."""
        return type(self), (self.strategy,)

    def begun(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Solution]:
        """The solutions for a player of rests to which both come by the table strategy, and which begin with it."""
        found: list[Solution] = []
        for part in _parts([each.rest.street for each in rests]):
            some = rests[part]
            batch, alternatives = self._solved(some, player, safety, iterations)
            entries = [Entry(each.own, each.opponent, row) for each, row in zip(some, batch.by_holding(alternatives))]
            found += batch.solutions(entries, iterations)
        return found

    def left(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Floats]:
        """What `Solution.left` says of the same solutions, without making them."""
        found: list[Floats] = []
        for part in _parts([each.rest.street for each in rests]):
            some = rests[part]
            batch, _ = self._solved(some, player, safety, iterations)
            found += batch.by_holding(batch.left(batch.placed([each.own for each in some]), iterations))
        return found

    def solved(
        self, rests: Sequence[RestOfHand], player: int, entries: Sequence[Entry], safety: Safety, iterations: int
    ) -> list[Solution]:
        """The solutions for a player of rests that begin evenly."""
        found: list[Solution] = []
        for part in _parts([rest.street for rest in rests]):
            batch, into = _Batch(rests[part], player), entries[part]
            own, opponent, alternative = zip(*into)
            gadget = batch.gadget(opponent, safety)
            batch.solve(batch.placed(own), gadget, batch.placed(alternative), iterations)
            found += batch.solutions(into, iterations)
        return found

    def _solved(self, some: Sequence[Begun], player: int, safety: Safety, iterations: int) -> tuple[_Batch, Any]:
        """Rests solved from the table strategy on, and what a best response to it wins there."""
        batch = _Batch([each.rest for each in some], player)
        self._look_up(batch)
        own, opponent = ([getattr(each, name) for each in some] for name in ("own", "opponent"))
        alternatives = batch.response(batch.placed(own))
        batch.begin(batch.placed(own), batch.placed(opponent))
        batch.solve(batch.placed(own), batch.gadget(opponent, safety), alternatives, iterations)
        return batch, alternatives

    def _look_up(self, batch: _Batch) -> None:
        """Fill a batch's weights with what the table strategy does."""
        numbers = np.array([rest.number for rest in batch.rests])
        for street, cells, boards in batch.streets:
            buckets = np.zeros((len(boards), cells.width), np.int32)
            for row, found, order in zip(buckets, self._buckets(street, np.array(boards, np.uint8)), cells.order):
                row[: len(order)] = found[order]
            cells.look_up(self._codes[street], numbers * cells.rounds * cells.decisions, buckets)

    def _buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        abstraction = self.strategy.abstraction
        if street == RIVER and abstraction.is_clustered:
            return np.asarray(gpu()[0].asnumpy(clustered_buckets(abstraction, boards)))
        return self.strategy.buckets(street, boards)


def _parts(streets: Sequence[int]) -> Iterator[slice]:
    """Which rests are solved together, of those that begin on one street."""
    for first in range(0, len(streets), AT_ONCE[streets[0]] if streets else 1):
        yield slice(first, first + AT_ONCE[streets[0]])


class _Batch:
    """Rests that are solved together."""

    def __init__(self, rests: Sequence[RestOfHand], player: int) -> None:
        cp, self._kernels = gpu()
        self.rests, self.player, self.opponent = rests, player, 1 - player
        some = rests[0]
        numbers = {board: at for at, board in enumerate(dict.fromkeys(rest.board for rest in rests))}
        sets, parts = np.array([numbers[rest.board] for rest in rests]), {rest.board: rest.boards for rest in rests}
        boards = [parts[board] for board in numbers]
        before = np.array([rest.arrays.first.before for rest in rests])
        self.first = Cells(some.shape, [part.first for part in boards], sets, before)
        self.streets = [(some.street, self.first, list(numbers))]
        self.later: Cells | None = None
        if not some.is_last:
            before = np.array([rest.arrays.later.before for rest in rests])
            self.later = Cells(shape_of(some.game, RIVER), [part.later for part in boards], sets, before)
            rivers = [(*board, card) for board, part in zip(numbers, boards) for card in part.rivers]
            self.streets.append((RIVER, self.later, rivers))
            self._rivers = Rivers(self.first, self.later, [part.above for part in boards], some.arrays.chance)
        self._sums = cp.zeros_like(self.first.weights)
        self._left: Any = cp.zeros_like(self.later.opening) if self.later else None
        self._clock = cp.zeros(1, cp.int32)

    def placed(self, by_holding: Sequence[Floats]) -> Any:
        """Numbers by rest and holding, on the GPU by rest and place."""
        return gpu()[0].asarray(np.array([rest.placed(row) for rest, row in zip(self.rests, by_holding)], np.float32))

    def by_holding(self, placed: Any) -> list[Floats]:
        """The way back."""
        return [rest.by_holding(row) for rest, row in zip(self.rests, gpu()[0].asnumpy(placed))]

    def gadget(self, opponent: Sequence[Floats], safety: Safety) -> list[Any]:
        """How much of each of the opponent's holdings is forced, and how much asked."""
        both = [safety.weights(row, rest.live) for row, rest in zip(opponent, self.rests)]
        return [self.placed(part) for part in zip(*both)]

    def response(self, own: Any) -> Any:
        """What a best response to the weights wins with each holding, if the player comes with a reach."""
        self._work(self.opponent, own, is_best=True)
        return self.first.opening.copy()

    def begin(self, own: Any, opponent: Any) -> None:
        """Turn the chances of both into regrets that ask for them."""
        reach = [own, opponent] if self.player == 0 else [opponent, own]
        if self.later:
            openings = []
            for player in (0, 1):
                self.first.spread(player, self.first.weights, reach[player])
                self._rivers.descend()
                openings.append(self.later.opening.copy())
            self.later.scale(openings, BEGINNING)
        self.first.scale(reach, BEGINNING)

    def solve(self, own: Any, forced_and_asked: list[Any], alternative: Any, iterations: int) -> None:
        """So many iterations, both players in turn."""
        cp, _ = gpu()
        follow, leave, entering = cp.zeros_like(own), cp.zeros_like(own), cp.zeros_like(own)
        first, width = self.first, np.int32(self.first.width)
        grid = (-(-first.width // _THREADS), 1, first.rests)
        gadget = (*forced_and_asked, alternative, first.opening, np.int32(1), width, follow, leave, entering)

        def iterate() -> None:
            self._work(self.opponent, own, is_averaged=True)
            self._kernels["follow_rests"](grid, (_THREADS,), gadget)
            self._work(self.player, entering, is_averaged=True)
            self._kernels["tick_rests"]((1,), (1,), (self._clock,))

        repeat(iterate, iterations)

    def _work(self, player: int, opening: Any, is_best: bool = False, is_averaged: bool = False) -> None:
        """What the rests are worth to a player, into the opening of the first cells; his opponent has a reach there."""
        first, later = self.first, self.later
        averages = (self._clock, self._sums) if is_averaged else ()
        first.spread(1 - player, first.weights, opening, *averages)
        if later:
            self._rivers.descend()
            later.spread(1 - player, later.weights, later.opening)
            later.value_ends(player)
            later.decide(player, is_best)
            if is_averaged and player == self.opponent:
                size = self._left.size
                arguments = (later.opening, self._clock, np.int64(size), self._left)
                self._kernels["add_rests"]((-(-size // _THREADS),), (_THREADS,), arguments)
            self._rivers.gather(later.opening)
        first.value_ends(player)
        first.decide(player, is_best)

    def left(self, own: Any, iterations: int) -> Any:
        """What a best response on the first street wins, if rivers are worth what they were on average."""
        first = self.first
        first.spread(self.player, self._sums, own)
        if self.later:
            self._rivers.gather(self._left / np.float32(total_weight(iterations)))
        first.value_ends(self.opponent)
        first.decide(self.opponent, is_best=True)
        return first.opening

    def solutions(self, entries: Sequence[Entry], iterations: int) -> list[Solution]:
        """What comes of it, by rest."""
        cp, _ = gpu()
        sums, values = cp.asnumpy(self._sums), np.zeros((len(self.rests), 0, 0, 0), np.float32)
        if self.later:
            shape = (len(self.rests), self.later.each, self.later.rounds, self.later.width)
            values = cp.asnumpy(self._left / np.float32(total_weight(iterations))).reshape(shape)
        return [
            Solution(rest, self.player, entry, rest.chances(sums[at]), values[at])
            for at, (rest, entry) in enumerate(zip(self.rests, entries))
        ]
