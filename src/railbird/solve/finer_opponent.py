"""An opponent to train against who sees more than the learner: the board's texture, and on the river everything.

A player who trains against another with the same buckets fits itself to them, and gets easier to exploit in the whole
game. In CFR-BR (`railbird.solve.cfr_br`) the opponent answers perfectly from the flop on, which takes a whole flop for
each step. Here each step is one board of five cards, as in public chance sampling, and the opponent

* answers the river perfectly, holding by holding: on one board no card is left to come, so nothing is lost by looking
  at it alone;
* learns before, by regret matching like the learner, in finer buckets: each of the learner's is split by the texture
  of the board.

That is the hybrid of Johanson, Bard, Burch and Bowling 2012 with a *trunk* that reaches to the turn. What is learned
comes ever nearer to the strategy that loses least to such an opponent, who knows all that the learner does and more.
Each position has its learner; the two have nothing to do with each other but their boards.

A texture is how many cards of one suit lie there at most, and whether two are of one rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.solve.vector_cfr import ANSWERS, LEARNS, OPPOSES, Table
from railbird.solve.training_rounds import TrainingRounds

Floats = NDArray[np.float32]


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
class Opposed:
    """The regrets of learners and opponents on one street, in one array."""

    both: Floats
    own_size: int
    buckets: int
    textures: int
    """0 on the river, where the opponent has no regrets."""

    @classmethod
    def of(cls, rounds: TrainingRounds, buckets: int, cards: int) -> Opposed:
        """Room for both on a street with so many board cards."""
        textures = texture_count(cards) if cards < 5 else 0
        own = rounds.table_size(buckets)
        return cls(np.zeros(own + rounds.table_size(textures * buckets), np.float32), own, buckets, textures)

    @property
    def own(self) -> Floats:
        """The learners' regrets."""
        return self.both[: self.own_size]

    @property
    def others(self) -> Floats:
        """The opponents'."""
        return self.both[self.own_size :]

    def table(self, learner: int, sums: Floats) -> Table:
        """What the kernel goes by when the player in a position learns and the other opposes it."""
        layout = np.zeros((2, 4), np.int64)
        layout[learner] = 0, self.buckets, 0, LEARNS
        if self.textures:
            layout[1 - learner] = self.own_size, self.textures * self.buckets, self.buckets, OPPOSES
        else:
            layout[1 - learner] = 0, self.buckets, 0, ANSWERS
        return Table(layout, self.both, sums)
