"""Deals that differ only by a relabelling of the suits: their common name and their number.

Before the flop the 1,326 holdings fall into 169 classes; with a board (whose cards have no order) there are 1,286,792,
13,960,050 and 123,156,254 classes on flop, turn and river, and 1,755, 16,432 and 134,459 of boards alone. The numbers
are dense, so that a table of one entry per class has no holes. The method is told in `railbird.kernels.isomorphism`.
"""

from __future__ import annotations

import numpy as np

from railbird.cards import cards_text, check_distinct, parse_board, parse_cards
from railbird.errors import InvalidCardsError
from railbird.kernels import isomorphism as kernels


def class_index(holding: str, board: str = "") -> int:
    """The number 0..N-1 of the class of a holding, alone (N = 169) or with a board.

    >>> class_index("AdQc") == class_index("QsAh") != class_index("AdQd")
    True
    >>> class_index("AdQc", "3h4cJh") == class_index("AcQs", "Jh 3h 4s")
    True
    """
    first, second = parse_cards(holding, count=2)
    cards = parse_board(board)
    check_distinct((first, second), cards)
    board_array = np.array(cards, dtype=np.int64)
    return int(kernels.holding_board_index(kernels.isomorphism_table(), first, second, board_array, len(cards)))


def board_class_index(board: str) -> int:
    """The number 0..N-1 of the class of a board alone.

    >>> board_class_index("3h4cJh") == board_class_index("Js 4d 3s")
    True
    """
    cards = parse_board(board)
    return int(kernels.board_index(kernels.isomorphism_table(), np.array(cards, dtype=np.int64), len(cards)))


def canonical(holding: str, board: str = "") -> str:
    """The representative of the class of a holding, alone or with a board, as text.

    >>> canonical("QdAs"), canonical("AdQc", "3h4cJh"), canonical("AhQs", "Jd4s3d")
    ('AcQd', 'AdQc Jh4c3h', 'AdQc Jh4c3h')
    """
    index = class_index(holding, board)
    return _representative_text(True, len(parse_board(board)), index)


def canonical_board(board: str) -> str:
    """The representative of the class of a board alone, as text.

    >>> canonical_board("3h4cJh")
    'Jc4d3c'
    """
    return _representative_text(False, len(parse_board(board)), board_class_index(board))


def class_count(board_cards: int, with_holding: bool = True) -> int:
    """How many classes there are with 0, 3, 4 or 5 board cards.

    >>> [class_count(cards) for cards in (0, 3, 4, 5)]
    [169, 1286792, 13960050, 123156254]
    """
    if board_cards not in (0, 3, 4, 5):
        raise InvalidCardsError(f"a board has 0, 3, 4 or 5 cards, not {board_cards}")
    return kernels.CLASS_COUNTS[(0, 3, 4, 5).index(board_cards) + (0 if with_holding else 4)]


def _representative_text(with_holding: bool, board_cards: int, index: int) -> str:
    private = 2 if with_holding else 0
    cards = np.empty(private + board_cards, dtype=np.int64)
    kernels.representative(kernels.isomorphism_table(), with_holding, board_cards, index, cards)
    return f"{cards_text(cards[:private])} {cards_text(cards[private:])}".strip()
