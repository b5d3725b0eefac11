"""The words for a hand (`railbird.bots.features`) as classes of all holdings on a board at once.

Suits matter to flushes and flush draws alone, and all else follows from ranks: 91 pairs of them, for each set of ranks
on the board.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import compress, product

import numpy as np
from numpy.typing import NDArray

from railbird.bots.features import MADE_HANDS, hand_words
from railbird.bots.groups import WORST_GROUP, starting_group
from railbird.cards import HOLDING_COUNT, holding_cards

Ints = NDArray[np.int64]
_STRAIGHT_DRAWS = ("", "gutshot", "open-straight")
_FLAGS = ("four-flush", "overcards", "ace-high")
_FULL_HOUSE, _FLUSH = MADE_HANDS.index("full-house"), MADE_HANDS.index("flush")
_BOARD_SUITS, _HOLE_SUITS = (0, 1, 2, 3, 0), (1, 2)
"""A board and a holding of these suits have no flush and no draw to one."""

GROUP_WORDS = [
    frozenset([*[f"group-{each}" for each in range(group, WORST_GROUP)], "any"]) for group in range(WORST_GROUP + 1)
]
"""By class before the flop, its words: those of a starting group."""
HAND_WORDS = [
    frozenset([*MADE_HANDS[1 : made + 1], draw or "any", *compress(_FLAGS, flags), "any"])
    for made in range(len(MADE_HANDS))
    for draw in _STRAIGHT_DRAWS
    for flags in product((False, True), repeat=len(_FLAGS))
]
"""The same by class after the flop."""


def word_classes(board: tuple[int, ...]) -> NDArray[np.int32]:
    """By holding its class on a board, whose words are those of `hand_words`; any for those that meet the board."""
    if not board:
        return _groups()
    cards = _cards()
    ranks = tuple(sorted(card >> 2 for card in board))
    made, draw, overcards, ace = _by_ranks(ranks)[:, cards[:, 0] >> 2, cards[:, 1] >> 2]
    held = (cards[:, :, None] & 3) == np.arange(4)
    own = held.sum(axis=1)
    total = own + np.bincount([card & 3 for card in board], minlength=4)
    is_flush = ((own > 0) & (total >= 5)).any(axis=1)
    made = np.where(is_flush & (made != _FULL_HOUSE), _FLUSH, made)
    four = ((own > 0) & (total == 4)).any(axis=1) & (len(board) < 5)
    return np.asarray(_number(made, draw, four, overcards, ace), np.int32)


def _number(made: Ints, draw: Ints, four: Ints, overcards: Ints, ace: Ints) -> Ints:
    return (((made * len(_STRAIGHT_DRAWS) + draw) * 2 + four) * 2 + overcards) * 2 + ace


@lru_cache(maxsize=4096)
def _by_ranks(board: tuple[int, ...]) -> Ints:
    """What ranks alone say, by rank of the higher and the lower card: made hand, draw, overcards, ace."""
    found = np.zeros((4, 13, 13), np.int64)
    on_board = tuple(4 * rank + suit for rank, suit in zip(board, _BOARD_SUITS))
    for high in range(13):
        for low in range(high + 1):
            words = hand_words((4 * high + _HOLE_SUITS[0], 4 * low + _HOLE_SUITS[1]), on_board)
            best = MADE_HANDS.index(words[0]) if words[0] in MADE_HANDS else 0
            draw = next((at for at, word in enumerate(_STRAIGHT_DRAWS) if word in words), 0)
            found[:, high, low] = best, draw, "overcards" in words, "ace-high" in words
    return found


@cache
def _groups() -> NDArray[np.int32]:
    return np.array([starting_group(holding_cards(holding)) for holding in range(HOLDING_COUNT)], np.int32)


@cache
def _cards() -> Ints:
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
