"""Hand strength and all-in equity: of one holding or of all 1,326 at once, on one board or on many.

The opponent's holding is weighted by a `WeightArray`, or every holding is equally likely. Holdings that share a card
with the board or with the holding in question are left out. If that leaves the opponent nothing, there is nobody to
compare with, and the answer is 1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, check_distinct, parse_board, parse_cards, parse_holding
from railbird.errors import InvalidCardsError
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds import runouts
from railbird.kernels.odds import sweep as kernels
from railbird.odds.first_answers import is_first, plain_standings
from railbird.odds.threads import share_out
from railbird.odds.weights import WeightArray, kernel_weights

Array = NDArray[np.float64]
Boards = str | Sequence[str] | ArrayLike
"""A board, or several: as text, or as an array of cards whose last axis, of 3, 4 or 5 cards, is one board."""
Holdings = str | Sequence[str] | ArrayLike
"""A holding, or several: as text, or as an array of cards whose last axis is one holding."""
_BOARDS_AT_ONCE = 16
FEW_STANDINGS = 1000
"""So many take NumPy no longer than compiling."""


def hand_strength(holding: str, board: str, weights: WeightArray | None = None) -> float:
    """Probability that `holding` is ahead right now, ties counting half (Papp 1998, section 5.2).

    Cards to come are ignored; see `hand_potential`. Without `weights`, every live holding is equally likely.

    >>> round(hand_strength("AdQc", "3h4cJh"), 3)
    0.585
    >>> round(hand_strength("AdQc", "3h4cJh", WeightArray.parse("QQ+, AK")), 3)
    0.0
    """
    first, second = parse_cards(holding, count=2)
    dealt = board_cards(board)
    check_distinct((first, second), dealt)
    ahead, tied, behind = standings((first, second), dealt, kernel_weights(weights))
    total = ahead + tied + behind
    return float((ahead + tied / 2) / total) if total > 0 else 0.5


def standings(hole: tuple[int, int], board: tuple[int, ...], weights: Array) -> tuple[float, float, float]:
    """The weight of the holdings that one is ahead of, tied with and behind."""
    if is_first(kernels.weigh_standings, FEW_STANDINGS, weights):
        return plain_standings(hole, board, weights)
    ahead, tied, behind = kernels.weigh_standings(TABLE, CARD_KEYS, *hole, np.array(board, np.uint8), weights)
    return ahead, tied, behind


def strengths(
    boards: Boards, weights: WeightArray | None = None, holdings: Holdings | None = None, threads: int | None = None
) -> Array:
    """The hand strength of every holding, by holding number; nan for those that share a card with the board.

    Of several boards the answer has a row for each. With `holdings` it is their strength alone: of one holding on each
    board, of many on one board, or of as many as there are boards, each on its own. `threads` share many boards out; 0
    stands for all cores.

    >>> round(float(strengths("3h4cJh")[parse_holding("AdQc")]), 3)
    0.585
    >>> strengths(["3h4cJh", "3h4cJh2d"]).shape
    (2, 1326)
    >>> strengths(["3h4cJh", "3h4cJh2d", "3h4cJh2dQs"], holdings="AdQc", threads=0).round(3)
    array([0.585, 0.453, 0.868])
    """
    return _of_boards(_fill_strengths, boards, kernel_weights(weights), holdings, threads)


def equities(
    boards: Boards, weights: WeightArray | None = None, holdings: Holdings | None = None, threads: int | None = None
) -> Array:
    """The all-in equity of every holding over all ways to finish the board, by holding number.

    The probability to win when no more bets are made, ties counting half. Holdings that share a card with the board
    have nan. Several boards, `holdings` and `threads` are as in `strengths`.

    >>> round(float(equities("3h4cJh")[parse_holding("AdQc")]), 3)
    0.511
    >>> equities("3h4cJh", holdings=["AdQc", "JsJd"]).round(3)
    array([0.511, 0.931])
    """
    return _of_boards(_fill_equities, boards, kernel_weights(weights), holdings, threads)


def _fill_strengths(boards: NDArray[np.uint8], weights: Array, rows: Array) -> None:
    if len(boards) == 1:  # the kernel for many takes seconds more to compile
        kernels.find_strengths(TABLE, RANK_KEYS, boards[0], weights, rows[0])
    else:
        kernels.fill_strengths(TABLE, RANK_KEYS, boards, weights, rows)


def _fill_equities(boards: NDArray[np.uint8], weights: Array, rows: Array) -> None:
    if boards.shape[1] == 5:
        _fill_strengths(boards, weights, rows)
        return
    for board, row in zip(boards, rows, strict=True):
        runouts.find_equities(TABLE, RANK_KEYS, board, 5 - len(board), weights, row)


def _of_boards(
    fill: Callable[[NDArray[np.uint8], Array, Array], None],
    boards: Boards,
    weights: Array,
    holdings: Holdings | None,
    threads: int | None,
) -> Array:
    """What `fill` says of boards; those of equal size are filled together and lie together until the end."""
    by_size, places, one = _dealt(boards)
    numbers = None if holdings is None else _holding_numbers(holdings)
    chosen = None
    if numbers is not None and not one:
        if numbers.ndim and len(numbers) != len(places):
            raise InvalidCardsError(f"{len(numbers)} holdings on {len(places)} boards; give one, or one for each board")
        chosen = np.broadcast_to(numbers, places.shape)[places]
    found = np.empty((len(places), HOLDING_COUNT) if chosen is None else len(places))
    first = 0
    for dealt in by_size:
        rows = slice(first, first + len(dealt))
        part_of = partial(_fill_part, fill, dealt, weights, None if chosen is None else chosen[rows], found[rows])
        share_out(part_of, len(dealt), threads, _BOARDS_AT_ONCE)
        first += len(dealt)
    if len(by_size) > 1:
        found[places] = found.copy()
    return found if not one else found[0] if numbers is None else np.asarray(found[0, numbers])


def _fill_part(
    fill: Callable[[NDArray[np.uint8], Array, Array], None],
    boards: NDArray[np.uint8],
    weights: Array,
    chosen: NDArray[np.int64] | None,
    found: Array,
    part: slice,
) -> None:
    if chosen is None:
        fill(boards[part], weights, found[part])
    else:
        rows = np.empty((len(boards[part]), HOLDING_COUNT))
        fill(boards[part], weights, rows)
        found[part] = rows[np.arange(len(rows)), chosen[part]]


def _dealt(boards: Boards) -> tuple[list[NDArray[np.uint8]], NDArray[np.int64], bool]:
    """The boards of each size, where each of these boards stood among those given, and whether one alone was given."""
    if isinstance(boards, str):
        return [np.array([board_cards(boards)], np.uint8)], np.zeros(1, np.int64), True
    if len(np.shape(boards)) == 1 and all(isinstance(board, str) for board in np.asarray(boards, object)):
        cards = [board_cards(board) for board in np.asarray(boards, object)]
        places = np.array(sorted(range(len(cards)), key=lambda at: len(cards[at])), np.int64)
        sizes = sorted({len(board) for board in cards})
        return [np.array([board for board in cards if len(board) == size], np.uint8) for size in sizes], places, False
    given = _card_array(boards, "boards of 3, 4 or 5 cards", (3, 4, 5))
    rows = given.reshape(-1, given.shape[-1])
    return [rows], np.arange(len(rows)), given.ndim == 1


def _holding_numbers(holdings: Holdings) -> NDArray[np.int64]:
    """The number of one holding, or of several."""
    if isinstance(holdings, str):
        return np.array(parse_holding(holdings))
    if len(np.shape(holdings)) == 1 and all(isinstance(holding, str) for holding in np.asarray(holdings, object)):
        return np.array([parse_holding(holding) for holding in np.asarray(holdings, object)], np.int64)
    cards = _card_array(holdings, "holdings of 2 cards", (2,)).astype(np.int64)
    high, low = cards.max(axis=-1), cards.min(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


def _card_array(given: Sequence[str] | ArrayLike, what: str, sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    """An array of one or two axes of which the last is one board or holding, all cards different."""
    cards = np.asarray(given)
    if cards.ndim not in (1, 2) or cards.shape[-1] not in sizes or cards.dtype.kind not in "iu":
        raise InvalidCardsError(f"an array of {cards.dtype}, shape {cards.shape}, is not {what}")
    if cards.size and not 0 <= cards.min() <= cards.max() < CARD_COUNT:
        raise InvalidCardsError(f"cards are whole numbers 0-51, not {cards.min()} to {cards.max()}")
    twice = np.flatnonzero((np.diff(np.sort(np.atleast_2d(cards), axis=1), axis=1) == 0).any(axis=1))
    if twice.size:
        raise InvalidCardsError(f"a card appears twice in {np.atleast_2d(cards)[twice[0]].tolist()}")
    return np.require(cards, np.uint8, ["C", "W"])


def board_cards(board: str) -> tuple[int, ...]:
    """The cards of a board of 3, 4 or 5 cards."""
    cards = parse_board(board)
    if not cards:
        raise InvalidCardsError(f"the board {board!r} has no cards; hand strength needs 3, 4 or 5")
    return cards
