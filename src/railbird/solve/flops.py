"""Flops up to a relabelling of the suits, and the cards that can follow them.

Boards that differ only by a relabelling of the suits are worth the same, relabelled, if the policy treats the suits
alike. So 1,755 flops stand for 22,100, and on each the turn and river cards that the flop's own symmetries exchange are
worked once; before the flop there are 169 classes of holdings. Against a policy that tells suits apart every flop and
every holding is a class by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import RailbirdError
from railbird.kernels.cards.isomorphism import (
    CLASS_COUNTS,
    all_holding_indices,
    class_sizes,
    isomorphism_table,
    representative,
)
from railbird.numbers import MOST_SEED, quoted

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_FLOPS = 1_000_000
FLOP_COUNT = CLASS_COUNTS[5]
"""Flops that differ by more than their suits."""


@dataclass(frozen=True)
class Flops:
    """Which flops have to be worked, and which holdings are alike before the flop."""

    cards: Callable[[int], tuple[int, ...]]
    """The cards of a flop by its number."""
    sizes: Ints
    """By number: how many flops it stands for."""
    relabellings: Sequence[int]
    """The permutations of the suits (see `relabellings`) that change nothing."""
    classes: Ints
    """By holding: its class before the flop."""
    class_sizes: Ints
    """How many holdings each class has."""

    @staticmethod
    @cache
    def of(is_suit_blind: bool) -> Flops:
        """The flops against a policy that treats the suits alike, or one that does not."""
        if is_suit_blind:
            classes = np.empty(HOLDING_COUNT, np.int64)
            all_holding_indices(isomorphism_table(), np.empty(0, np.int64), 0, classes)
            return Flops(representative_flop, flop_sizes(), range(24), classes, np.bincount(classes, minlength=169))
        every = list(combinations(range(CARD_COUNT), 3))
        alone = np.ones(HOLDING_COUNT, np.int64)
        return Flops(every.__getitem__, np.ones(len(every), np.int64), (0,), np.arange(HOLDING_COUNT), alone)

    def drawn(self, flops: int | None, seed: int) -> list[int]:
        """The numbers of so many flops drawn at random, or every number."""
        if flops is None:
            return list(range(len(self.sizes)))
        for what, number in (("flops", flops), ("seed", seed)):
            if not isinstance(number, Integral):
                raise RailbirdError(f"{what} {quoted(number)}; it must be a whole number")
        if not 2 <= flops <= MOST_FLOPS:
            raise RailbirdError(f"{quoted(flops)} flops; an estimate needs at least 2, and at most {MOST_FLOPS:,}")
        if not 0 <= seed <= MOST_SEED:
            raise RailbirdError(f"seed {quoted(seed)}; a seed is a whole number from 0 to 2^63 - 1")
        drawn = np.random.default_rng(seed).choice(len(self.sizes), flops, p=self.sizes / self.sizes.sum())
        return [int(number) for number in drawn]

    def class_means(self, values: Array) -> Array:
        """The average over the holdings of each class before the flop."""
        return np.bincount(self.classes, values, len(self.class_sizes)) / self.class_sizes


def representative_flop(index: int) -> tuple[int, ...]:
    """The cards of the representative of one of the 1,755 classes of flops."""
    cards = np.empty(3, np.int64)
    representative(isomorphism_table(), False, 3, index, cards)
    return tuple(cards.tolist())


@cache
def flop_sizes() -> Ints:
    """How many flops each of the 1,755 classes has."""
    sizes = np.empty(FLOP_COUNT, np.int64)
    class_sizes(isomorphism_table(), False, 3, sizes)
    return sizes


@cache
def relabellings() -> NDArray[np.int32]:
    """By permutation of the suits (24) and holding: the holding it becomes. The first permutation changes nothing."""
    holdings = [holding_cards(holding) for holding in range(HOLDING_COUNT)]
    return np.array([[holding_index(i[high], i[low]) for high, low in holdings] for i in card_images()], np.int32)


@cache
def card_images() -> list[list[int]]:
    """By permutation of the suits (24) and card: the card it becomes."""
    return [[card & ~3 | suits[card & 3] for card in range(CARD_COUNT)] for suits in permutations(range(4))]


def symmetries_of(cards: tuple[int, ...], among: Sequence[int]) -> list[int]:
    """Which of some permutations of the suits leave a set of cards as it is."""
    images = card_images()
    return [g for g in among if {images[g][card] for card in cards} == set(cards)]


def orbits(board: tuple[int, ...], symmetries: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The cards that can be dealt to a board, up to the board's symmetries.

    For each a representative, and for each card that it stands for (itself too) a permutation that leads there.
    """
    images = card_images()
    seen = set(board)
    found = []
    for card in range(CARD_COUNT):
        if card not in seen:
            reached = {images[g][card]: g for g in symmetries}
            seen |= reached.keys()
            found.append((card, list(reached.values())))
    return found
