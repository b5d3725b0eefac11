"""The cards of the reference dealer: the same seed deals the same hands.

It draws from the Mersenne Twister MT19937, which NumPy's old generator seeds in the same way. The deck lies by suit,
within a suit by rank; each card drawn leaves its place to the last of those that remain. Every hand takes all its
cards, hole cards by position and then the whole board, however soon it ends.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from railbird.game.spec import Game
from railbird.play.dealing import deals_of
from railbird.play.hand import Deal

MOST_SEED = 2**32 - 1
_AT_ONCE = 1_000


def reference_deals(game: Game, seed: int, hands: int) -> Iterator[Deal]:
    """The deals of a match.

    >>> from railbird.cards import cards_text
    >>> from railbird.game.spec import limit_holdem
    >>> first = next(reference_deals(limit_holdem(), 0, 1))
    >>> [cards_text(cards) for cards in (*first.holes, first.board)]
    ['5d5c', '9hQd', '8dAs8s4h6d']
    """
    generator = np.random.RandomState(seed)
    for first in range(0, hands, _AT_ONCE):
        yield from deals_of(game, _drawn(game, generator, min(_AT_ONCE, hands - first)), first)


def _drawn(game: Game, generator: np.random.RandomState, hands: int) -> NDArray[np.uint8]:
    """The cards of so many hands, a row for each."""
    deck = np.array(sorted(game.deck, key=lambda card: (card & 3, card)), np.uint8)
    draws = game.seats * game.hole_cards + sum(game.board_cards)
    numbers = generator.randint(0, 2**32, (hands, draws), np.uint32)
    decks, rows = np.tile(deck, (hands, 1)), np.arange(hands)
    cards = np.empty((hands, draws), np.uint8)
    for draw in range(draws):
        left = len(deck) - draw
        places = numbers[:, draw] % np.uint32(left)
        cards[:, draw] = decks[rows, places]
        decks[rows, places] = decks[:, left - 1]
    return cards
