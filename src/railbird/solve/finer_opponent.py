"""An opponent to train against who sees more than the learner: more of the board, and on the river everything.

A player who trains against another with the same buckets fits itself to them, and gets easier to exploit in the whole
game. In CFR-BR (`railbird.solve.cfr_br`) the opponent answers perfectly from the flop on, which takes a whole flop for
each step. Here each step is one board of five cards, as in public chance sampling, and the opponent

* answers the river perfectly, holding by holding: on one board no card is left to come, so nothing is lost by looking
  at it alone;
* learns before, by regret matching like the learner, in finer buckets: each of the learner's is split by what the
  opponent sees of the board.

That is the hybrid of Johanson, Bard, Burch and Bowling 2012 with a *trunk* that reaches to the turn. What is learned
comes ever nearer to the strategy that loses least to such an opponent, who knows all that the learner does and more.
Each position has its learner; the two have nothing to do with each other but their boards.

The opponent's sight is one of two:

    texture  how many cards of one suit lie there at most, and whether two are of one rank
    boards   every flop, but for the names of suits; of a turn its texture and the ranks of its cards

The first learns from few boards. The second is for a GPU: it knows hundreds of times as much, and needs millions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError, did_you_mean
from railbird.kernels.cards.isomorphism import (
    CLASS_COUNTS,
    board_index_and_permutation,
    isomorphism_table,
    representative,
)
from railbird.kernels.solve.vector_cfr import ANSWERS, LEARNS, OPPOSES, Table
from railbird.solve.abstraction import Abstraction
from railbird.solve.holding_features import BOARD_CARDS, board_classes
from railbird.solve.training_rounds import TrainingRounds

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SIGHTS = ("texture", "boards")


def check_sight(sight: str) -> None:
    """Refuse a sight that no opponent has."""
    if sight not in SIGHTS:
        raise RailbirdError(f"no sight {sight!r}{did_you_mean(sight, SIGHTS)} (an opponent sees {' or '.join(SIGHTS)})")


def texture_count(cards: int) -> int:
    """How many textures there are of so many board cards."""
    return 2 * cards if cards else 1


def texture(board: Sequence[int]) -> int:
    """The number of a flop's or turn's texture; 0 before the flop.

    >>> from railbird.cards import parse_cards
    >>> texture(parse_cards("3h4cJh")), texture(parse_cards("3h4c3d")), texture_count(3)
    (2, 1, 6)
    """
    if not len(board):
        return 0
    suits = [card & 3 for card in board]
    one_suit = max(suits.count(suit) for suit in range(4))
    is_paired = len({card >> 2 for card in board}) < len(board)
    return 2 * (one_suit - 1) + is_paired


@dataclass(frozen=True)
class Split:
    """How an opponent's buckets on a street are made of a learner's. Make it with `Split.of`."""

    of_class: Ints
    """By class of boards: what the opponent sees."""
    numbers: Ints
    """By what it sees and the learner's bucket: its own bucket, -1 where no holding can be."""

    @classmethod
    def of(cls, sight: str, abstraction: Abstraction, street: int) -> Split:
        """How an opponent of that sight splits an abstraction's buckets."""
        check_sight(sight)
        seen, buckets = _seen(sight, street), abstraction.counts[street]
        kinds = int(seen.max()) + 1
        if sight == "texture" or not street:
            return cls(seen, np.arange(texture_count(BOARD_CARDS[street]) * buckets).reshape(-1, buckets))
        table = abstraction.tables[street - 1]
        met = np.zeros((kinds, buckets), np.bool_)
        for number, (classes, _) in enumerate(board_classes(street, range(len(seen)))):
            met[seen[number], table[classes[classes >= 0]]] = True
        numbers = np.full(met.shape, -1)
        numbers[met] = np.arange(np.count_nonzero(met))
        return cls(seen, numbers)

    @property
    def count(self) -> int:
        """How many buckets the opponent has."""
        return int(self.numbers.max()) + 1

    @property
    def learners(self) -> Ints:
        """By bucket of the opponent: the learner's that it is a part of."""
        seen, buckets = np.nonzero(self.numbers >= 0)
        found = np.empty(self.count, np.int64)
        found[self.numbers[seen, buckets]] = buckets
        return found

    def row(self, board: NDArray[np.uint8]) -> Ints:
        """By the learner's bucket, the opponent's on a board of the street's cards."""
        if not len(board):
            return np.asarray(self.numbers[0])
        number = board_index_and_permutation(isomorphism_table(), board, len(board), np.empty(4, np.int64))
        return np.asarray(self.numbers[self.of_class[number]])


@cache
def _seen(sight: str, street: int) -> Ints:
    """By class of boards of a street: the number of what an opponent sees of it."""
    if not street:
        return np.zeros(1, np.int64)
    count = CLASS_COUNTS[4 + street]
    if sight == "boards" and street == 1:
        return np.arange(count)
    cards, found = np.empty(BOARD_CARDS[street], np.int64), np.empty(count, np.int64)
    kinds: dict[tuple[int, ...], int] = {}
    for number in range(count):
        representative(isomorphism_table(), False, len(cards), number, cards)
        found[number] = kind = texture(cards.tolist())
        if sight == "boards":
            found[number] = kinds.setdefault((kind, *sorted((cards >> 2).tolist())), len(kinds))
    return found


@dataclass(frozen=True)
class Opposed:
    """The regrets of learners and opponents on one street, in one array."""

    both: Floats
    own_size: int
    buckets: int
    split: Split | None
    """Nothing on the river, where the opponent has no regrets."""

    @classmethod
    def of(cls, rounds: TrainingRounds, abstraction: Abstraction, street: int, sight: str) -> Opposed:
        """Room for both on a street."""
        buckets = abstraction.counts[street]
        split = Split.of(sight, abstraction, street) if BOARD_CARDS[street] < 5 else None
        own = rounds.table_size(buckets)
        others = rounds.table_size(split.count) if split else 0
        return cls(np.zeros(own + others, np.float32), own, buckets, split)

    @property
    def own(self) -> Floats:
        """The learners' regrets."""
        return self.both[: self.own_size]

    @property
    def others(self) -> Floats:
        """The opponents'."""
        return self.both[self.own_size :]

    def finer(self, board: NDArray[np.uint8], present: NDArray[np.integer]) -> Ints:
        """The opponent's buckets on a board of the street's cards, for those of the learner."""
        return np.asarray(self.split.row(board)[present]) if self.split else np.empty(0, np.int64)

    def table(self, learner: int, sums: Floats) -> Table:
        """What the kernel goes by when the player in a position learns and the other opposes it."""
        layout = np.zeros((2, 3), np.int64)
        layout[learner] = 0, self.buckets, LEARNS
        if self.split:
            layout[1 - learner] = self.own_size, self.split.count, OPPOSES
        else:
            layout[1 - learner] = 0, self.buckets, ANSWERS
        return Table(layout, self.both, sums)
