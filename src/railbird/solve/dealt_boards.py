"""Some flops with all turns and rivers that have to be worked on them, street by street."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.solve.flops import orbits, symmetries_of

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class DealtBoards:
    """The boards of one street."""

    street: int
    cards: NDArray[np.uint8]
    """A board a row."""
    owner: Ints
    """By board: the number of the one that it was dealt from; of a flop its own."""
    images: list[list[int]]
    """By board: relabellings of the suits that lead to the boards it stands for, itself among them."""

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def reach_of(self) -> Ints:
        """By board: the number of the one before it, whose closings lead here; before all flops it is the same."""
        return self.owner if self.street > 1 else np.zeros(len(self), np.int32)

    @property
    def sums_count(self) -> int:
        """How many boards these were dealt from."""
        return int(self.owner[-1]) + 1

    @property
    def sizes(self) -> NDArray[np.float32]:
        """By board: how many it stands for."""
        return np.array([len(images) for images in self.images], np.float32)


def dealt_boards(flops: Sequence[tuple[int, ...]], relabellings: Sequence[int]) -> tuple[DealtBoards, ...]:
    """Flops, and the turns and rivers on them up to the flops' own symmetries, which are among `relabellings`."""
    turns: list[tuple[int, ...]] = []
    rivers: list[tuple[int, ...]] = []
    turn_owner: list[int] = []
    river_owner: list[int] = []
    turn_images: list[list[int]] = []
    river_images: list[list[int]] = []
    for f, flop in enumerate(flops):
        symmetries = symmetries_of(flop, relabellings)
        for turn, images in orbits(flop, symmetries):
            for river, further in orbits((*flop, turn), symmetries_of((turn,), symmetries)):
                rivers.append((*flop, turn, river))
                river_owner.append(len(turns))
                river_images.append(further)
            turns.append((*flop, turn))
            turn_owner.append(f)
            turn_images.append(images)
    parts = (
        (list(flops), list(range(len(flops))), [[0]] * len(flops)),
        (turns, turn_owner, turn_images),
        (rivers, river_owner, river_images),
    )
    return tuple(
        DealtBoards(street, np.array(boards, np.uint8), np.array(owner, np.int32), images)
        for street, (boards, owner, images) in enumerate(parts, start=1)
    )
