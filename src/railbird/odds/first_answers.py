"""First answers: what some kernels would say, worked out by NumPy while they are not compiled yet.

Compiling takes seconds and NumPy milliseconds, so whoever asks once should not wait. Whoever asks again and again gets
the kernel: NumPy answers the first few calls of a process only, and none once there is compiled code on the disk.
Only weights that are whole numbers are taken, which give the same bits either way.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards
from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY, FLUSH, FLUSH_BITS, OTHERS, ROWS, STRAIGHT, TABLE
from railbird.kernels.cards.ranking import STRAIGHT_FLUSH as STRAIGHT_FLUSHES
from railbird.kernels.compiling import Kernel

Keys = NDArray[np.uint64]
Cards = tuple[int, ...]

_ROW, _COLUMN, _MARK, _ONE, _TWO = (np.uint64(number) for number in (ROWS - 1, 0xFFFF, 0xFF, 1, 2))
_RUNOUTS_AT_ONCE = 64
_calls: Counter[Kernel] = Counter()


def is_first(kernel: Kernel, few: int, weights: NDArray[np.float64]) -> bool:
    """Whether this is one of the first `few` calls of a kernel that is not compiled: then NumPy answers sooner.

    Not with weights whose sums depend on their order: an answer is the same whether a kernel is compiled or not.
    """
    if kernel.is_compiled or not np.array_equal(weights, np.rint(weights)):
        return False
    _calls[kernel] += 1
    return _calls[kernel] <= few


def plain_ranks(keys: Keys) -> NDArray[np.int64]:
    """The ranks of keys, `EMPTY_KEY` + the `CARD_KEYS` of 5 to 7 cards; the twin of the kernel `rank_of_key`."""
    ranks = _without_flush(keys)
    flushes = (keys & FLUSH_BITS) != 0
    ranks[flushes] = _flush_ranks(keys[flushes])
    return ranks


def plain_rank(cards: Cards) -> int:
    """The rank of one hand of 5 to 7 cards."""
    return int(plain_ranks(_key(cards))[0])


def _without_flush(keys: Keys) -> NDArray[np.int64]:
    return np.asarray(TABLE[(keys >> np.uint64(13) & _COLUMN) + TABLE[keys & _ROW]], np.int64)


def _flush_ranks(keys: Keys) -> NDArray[np.int64]:
    """As `rank_of_flush_key`: the cards outside the suit are found by their marks, and taken off."""
    in_odd = (keys >> np.uint64(47) | keys >> np.uint64(55)) & _ONE
    in_high = (keys >> np.uint64(51) | keys >> np.uint64(55)) & _ONE
    odd, high = keys >> np.uint64(30), keys >> np.uint64(56)
    odd = np.where(in_odd, keys - odd, odd) & _MARK
    high = np.where(in_high, keys - high, high) & _MARK
    in_both = keys >> (np.uint64(52) - np.uint64(4) * in_odd - np.uint64(8) * in_high) & np.uint64(15)
    marks = np.where(in_both == 3, odd + high, np.maximum(odd, high))
    at = np.uint64(OTHERS) + _TWO * marks
    rest = keys - (TABLE[at].astype(np.uint64) | TABLE[at + _ONE].astype(np.uint64) << np.uint64(16))
    ranks = _without_flush(rest)
    return ranks + np.where(ranks >= STRAIGHT, STRAIGHT_FLUSHES - STRAIGHT, FLUSH)


def plain_standings(hole: Cards, board: Cards, weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """The weight of the holdings that a holding is ahead of, tied with and behind; the twin of `weigh_standings`."""
    opponents = _opponents(hole, board, weights)
    ranks = plain_ranks(_key(board) + _holding_keys()[opponents])
    order = np.sign(ranks - plain_rank((*board, *hole)))
    ahead, tied, behind = np.bincount(order + 1, weights[opponents], minlength=3).tolist()
    return ahead, tied, behind


def plain_transitions(
    hole: Cards, board: Cards, cards_to_come: int, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How a holding stands now (row) and later (column) against weighted holdings; the twin of `weigh_transitions`."""
    opponents = _opponents(hole, board, weights)
    keys, masks, weight = _holding_keys()[opponents], _holding_masks()[opponents], weights[opponents]
    now = 3 * (1 + np.sign(plain_ranks(_key(board) + keys) - plain_rank((*board, *hole))))
    unseen = [card for card in range(CARD_COUNT) if card not in hole and card not in board]
    runouts = np.array(list(combinations(unseen, cards_to_come)))
    found = np.zeros(9)
    for start in range(0, len(runouts), _RUNOUTS_AT_ONCE):
        dealt = runouts[start : start + _RUNOUTS_AT_ONCE]
        boards = _key(board) + CARD_KEYS[dealt].sum(axis=1, dtype=np.uint64)
        own = plain_ranks(boards + CARD_KEYS[list(hole)].sum(dtype=np.uint64))
        later = 1 + np.sign(plain_ranks(boards[:, None] + keys) - own[:, None])
        is_free = (np.bitwise_or.reduce(_ONE << dealt.astype(np.uint64), axis=1)[:, None] & masks) == 0
        found += np.bincount((now + later).ravel(), (weight * is_free).ravel(), minlength=9)
    return found.reshape(3, 3)


def _key(cards: Cards) -> Keys:
    return np.asarray(EMPTY_KEY + CARD_KEYS[list(cards)].sum(dtype=np.uint64, keepdims=True))


def _opponents(hole: Cards, board: Cards, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """The holdings of some weight that can be dealt."""
    seen = np.bitwise_or.reduce(_ONE << np.array([*hole, *board], np.uint64))
    return np.flatnonzero((weights > 0) & ((_holding_masks() & seen) == 0))


@cache
def _holding_keys() -> Keys:
    cards = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
    return np.asarray(CARD_KEYS[cards].sum(axis=1, dtype=np.uint64))


@cache
def _holding_masks() -> Keys:
    """The two cards of each holding as bits."""
    cards = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.uint64)
    return np.asarray(np.bitwise_or.reduce(_ONE << cards, axis=1))
