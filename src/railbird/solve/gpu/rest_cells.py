"""One street of rests that are solved side by side on a GPU: its boards, and cells, one for each round on a board.

Kernels are those of `rests.cu`, which tells how planes are laid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT
from railbird.errors import RailbirdError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, STREET_START
from railbird.kernels import lanes as cpu
from railbird.solve.gpu.device import gpu
from railbird.solve.resolved_rest import Floats, Shape, SortedBoards

Ints = NDArray[np.int64]

_THREADS = 128
_CARD_ENTRIES = 48
_MOST_COLUMNS, _MOST_ENDS, _MOST_DECISIONS = 16, 18, 10


class Cells:
    """The cells of one street of some rests; `planes` and `opening` have numbers by cell and place of a holding."""

    def __init__(self, shape: Shape, boards: Sequence[SortedBoards], sets: Ints, before: Floats) -> None:
        """`boards` are sets of as many boards each; `sets` says which of them a rest has, `before` the chips of its
        rounds."""
        cp, self._kernels = gpu()
        self.rests, self.rounds = before.shape
        self.each, self.width = boards[0].ends.shape
        self.order = [row for part in boards for row in part.order]
        """By board of all sets: its holdings."""
        self.decisions, self.ends = int(shape.number.max()) + 1, int(shape.plane.max()) + 1
        for number, most in (
            (shape.columns.max(), _MOST_COLUMNS - 1),
            (self.ends, _MOST_ENDS),
            (self.decisions, _MOST_DECISIONS),
        ):
            if number > most:
                raise RailbirdError("the GPU solves rests of hands with at most four bets a street")
        self.sets = cp.asarray(sets.astype(np.int32))
        self._shape, self._places = cp.asarray(_packed(shape)), np.int32(len(shape.kind))
        ends = np.flatnonzero(shape.kind != DECISION)
        self._end_places = cp.asarray(ends.astype(np.int32))
        self.closings = cp.asarray(shape.plane[shape.kind == STREET_START].astype(np.int32))
        """The planes of the ends that another street follows."""
        self._before, self._added = cp.asarray(before), cp.asarray(shape.added)
        self._stakes = [cp.asarray(_stakes(shape, ends, before, player)) for player in (0, 1)]
        self.counts, self._ranked = _on_gpu(boards)
        self.weights = cp.zeros((self.cells, self.decisions * 3, self.width), cp.float32)
        self.planes = cp.empty((self.cells, self.ends, self.width), cp.float32)
        self.opening = cp.zeros((self.cells, self.width), cp.float32)

    @property
    def cells(self) -> int:
        """How many there are."""
        return int(self.rests * self.each * self.rounds)

    def look_up(self, codes: Any, first_rows: Ints, buckets: NDArray[np.int32]) -> None:
        """Fill the weights with the chances of a table strategy: its codes, and buckets by board and place."""
        cp, _ = gpu()
        rows = cp.asarray(first_rows.astype(np.int32))
        table = (codes, np.int32(codes.shape[1]), rows, cp.asarray(buckets))
        sizes = (np.int32(self.decisions), np.int32(self.width))
        self._by_holding("look_up_rests", *table, self.sets, np.int32(self.each), self.counts, *sizes, self.weights)

    def spread(self, player: int, weights: Any, opening: Any, clock: Any = None, sums: Any = None) -> None:
        """A player's reach at all ends, from that at the openings; what he does is added to `sums`, if there are."""
        averaged = (
            np.int32(sums is not None),
            self.sets if clock is None else clock,
            weights if sums is None else sums,
        )
        arrays = (weights, opening, np.int32(self.decisions), np.int32(self.ends), np.int32(self.width), self.planes)
        self._by_holding("spread_rests", self._shape, self._places, np.int32(player), *arrays, *averaged)

    def value_ends(self, player: int) -> None:
        """What the ends of hands are worth to a player, from the opponent's reach there."""
        self._kernels["value_rests"](
            (self.ends, self.rounds, self.rests * self.each),
            (_THREADS,),
            (
                self._shape,
                self._end_places,
                self.sets,
                np.int32(self.each),
                self.counts,
                *self._ranked,
                self._stakes[player],
                np.int32(self.width),
                self.planes,
            ),
        )

    def decide(self, player: int, is_best: bool) -> None:
        """What the openings are worth to a player, who learns or takes the best, from what the ends are worth."""
        sizes = (np.int32(self.decisions), np.int32(self.ends), np.int32(self.width))
        who = (self._shape, self._places, np.int32(player), np.int32(is_best))
        self._by_holding("decide_rests", *who, self.weights, *sizes, self.planes, self.opening)

    def scale(self, openings: Sequence[Any], times: float) -> None:
        """Turn chances into regrets that ask for them; `openings` are the reach of both players."""
        sizes = (np.int32(self.rounds), np.int32(self.each), np.int32(self.cells), np.int32(self.decisions))
        arrays = (*openings, self._before, self._added, *sizes, np.int32(self.width), np.float32(times), self.weights)
        grid = (-(-self.cells // _THREADS),)
        self._kernels["scale_rests"](grid, (_THREADS,), (self._shape, self._places, *arrays))

    def _by_holding(self, kernel: str, *arguments: Any) -> None:
        grid = (-(-self.width // _THREADS), self.rounds, self.rests * self.each)
        self._kernels[kernel](grid, (_THREADS,), arguments)


class Rivers:
    """How the places of holdings on turns and on their rivers belong together."""

    def __init__(self, turns: Cells, rivers: Cells, above: Sequence[NDArray[np.int32]], chance: float) -> None:
        """`above` has by set, river and place of a holding its place on the turn."""
        cp, self._kernels = gpu()
        self._turns, self._rivers, self._chance = turns, rivers, np.float32(chance)
        below = np.full((len(above), rivers.each, turns.width), -1, np.int16)
        for at, (part, places) in enumerate(zip(above, below)):
            for river in range(rivers.each):
                count = len(rivers.order[at * rivers.each + river])
                places[river, part[river, :count]] = np.arange(count)
        self._above, self._below = cp.asarray(np.array(above, np.int32)), cp.asarray(below)

    def descend(self) -> None:
        """The reach at the turns' closings becomes that at the rivers' openings."""
        turns, rivers = self._turns, self._rivers
        grid = (-(-rivers.width // _THREADS), rivers.rounds, rivers.rests * rivers.each)
        sizes = (np.int32(turns.ends), np.int32(turns.width), turns.closings)
        boards = (self._above, rivers.sets, np.int32(rivers.each), rivers.counts, np.int32(rivers.width))
        self._kernels["descend_rests"](grid, (_THREADS,), (turns.planes, *sizes, *boards, rivers.opening))

    def gather(self, values: Any) -> None:
        """What the rivers' openings are worth becomes what the turns' closings are."""
        turns, rivers = self._turns, self._rivers
        grid = (-(-turns.width // _THREADS), rivers.rounds, rivers.rests)
        boards = (self._below, rivers.sets, np.int32(rivers.each), self._chance, np.int32(rivers.width))
        sizes = (turns.closings, np.int32(turns.ends), np.int32(turns.width))
        self._kernels["gather_rests"](grid, (_THREADS,), (values, *boards, *sizes, turns.planes))


def _packed(shape: Shape) -> NDArray[np.int32]:
    """What a round is by place, as the kernels take it."""
    assert (DECISION, FOLDED, SHOWDOWN, STREET_START) == (0, 1, 2, 3)
    parts = (shape.kind, shape.actor, *shape.child.T, shape.number, *shape.columns, shape.plane)
    return np.ascontiguousarray(np.stack(parts, axis=1), np.int32)


def _stakes(shape: Shape, ends: Ints, before: Floats, player: int) -> Floats:
    """By rest, round and end: what the player wins or loses there; nothing where another street follows."""
    found = np.zeros((*before.shape, len(ends)), np.float32)
    for at, place in enumerate(ends.tolist()):
        own, other = shape.added[place, player], shape.added[place, 1 - player]
        if shape.kind[place] == SHOWDOWN:
            found[..., at] = before + own
        elif shape.kind[place] == FOLDED:
            found[..., at] = -(before + own) if shape.actor[place] == player else before + other
    return found


def _on_gpu(boards: Sequence[SortedBoards]) -> tuple[Any, list[Any]]:
    """How many holdings boards have, and what showdowns on them are worked by."""
    cp, _ = gpu()
    counts = np.concatenate([part.counts for part in boards]).astype(np.int32)
    ends, cards = (np.concatenate([getattr(part, name) for part in boards]) for name in ("ends", "cards"))
    ranked = [_ranked(*rows) for rows in zip(ends, cards // cpu.LANES, counts.tolist())]
    return cp.asarray(counts), [cp.asarray(np.array(part)) for part in zip(*ranked)]


def _ranked(ends: NDArray[np.int32], cards: NDArray[np.int32], count: int) -> tuple[NDArray[Any], ...]:
    """Of a board, by holding: the first and one past the last that tie with it, its cards; by card its holdings; and by
    holding how many of its cards' holdings are below, and how many below or tied."""
    starts, marks = np.zeros(len(ends), np.int16), np.zeros((len(ends), 4), np.uint8)
    stops, places = ends[:count], np.arange(count)
    starts[:count] = np.searchsorted(stops, places, side="right")  # stops rise
    has = np.zeros((count + 1, CARD_COUNT), np.uint8)
    has[places[:, None] + 1, cards[:count]] = 1
    upto = np.cumsum(has, axis=0, dtype=np.uint8)
    for at, limit in ((0, starts[:count]), (2, stops)):
        marks[:count, at : at + 2] = np.take_along_axis(upto[limit], cards[:count], axis=1)
    lists = np.full((CARD_COUNT, _CARD_ENTRIES), -1, np.int16)
    lists[cards[:count], np.take_along_axis(upto[:count], cards[:count], axis=1)] = places[:, None]
    return starts, ends.astype(np.int16), cards.astype(np.uint8), lists, marks
