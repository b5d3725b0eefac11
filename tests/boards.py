"""Boards and weights that the tests of strength and potential share, and what bulk ranking says about them."""

from __future__ import annotations

import numpy as np

from railbird.cards import HOLDING_COUNT, cards_text, holding_cards, parse_cards
from railbird.odds.ranks import ranks

# Rainbow, two-suited, monotone, paired, three and four of a kind, straights and straight flushes within reach.
FLOPS = ("3h4cJs", "3h4cJh", "3h4hJh", "8h9hTh", "AhAd9h", "AhAdAc", "2c3d4s", "KsKh2d")
TURNS = (
    "3h3cJsKd",
    "3h4hJhKh",
    "3h4hJhKs",
    "3h4hJcKc",
    "6h7h8hTd",
    "6h7h8h9h",
    "3h3d3c3s",
    "AhAd2h2d",
    "3h4cJsKd",
    "2c3d4sAh",
    "5s6s7s7h",
)
RIVERS = (
    "3h4cJhKs9d",
    "3h4cJhKh9d",
    "3h4cJhKh9h",
    "3h4hJhKh9h",
    "ThJhQhKhAh",
    "6h7h8h9hAh",
    "2s2d2c2hAd",
    "2s2d2cAhAd",
    "6h7h8h9hTh",
    "6h7h8hTd9s",
    "2h3h4hAdAs",
    "5h6h7h7d7c",
    "4h5h6h7h7c",
    "9c9d9h5s5c",
    "TcJdQhKsAc",
)

_CARDS = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], dtype=np.uint8)
MEET = (_CARDS[:, None, :, None] == _CARDS[None, :, None, :]).any(axis=(2, 3))  # holdings that share a card


def random_board(generator, size):
    return cards_text(generator.permutation(52)[:size].tolist())


def random_weights(generator, share_of_zeros):
    weights = generator.random(HOLDING_COUNT)
    weights[generator.random(HOLDING_COUNT) < share_of_zeros] = 0.0
    return weights


def meets(cards):
    """Which holdings have one of these cards."""
    return np.isin(_CARDS, np.array(cards)).any(axis=1)


def live_holdings(board):
    return np.flatnonzero(~meets(parse_cards(board)))


def ranks_on(cards):
    """The rank of every holding with these board cards, -1 for those that meet the board."""
    live = np.flatnonzero(~meets(cards))
    found = np.full(HOLDING_COUNT, -1)
    hands = np.column_stack([_CARDS[live], np.tile(np.array(cards, dtype=np.uint8), (len(live), 1))])
    found[live] = ranks(hands)
    return found


def standings_of(holding, ranked):
    """How one holding stands against each holding, 0 ahead, 1 tied, 2 behind, and which of them can be dealt."""
    return (ranked >= ranked[holding]).astype(int) + (ranked > ranked[holding]), (ranked >= 0) & ~MEET[holding]
