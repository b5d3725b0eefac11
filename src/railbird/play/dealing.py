"""The deals of a match, from its seed and the numbers of the hands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.play.decks import deal_block, rank_deals
from railbird.play.hand import Deal
from railbird.randomness import derived_seed


def deals(game: Game, seed: int, first: int, count: int) -> Iterator[Deal]:
    """Deals `first` to `first + count - 1` of the match with that seed.

    >>> from railbird.game.spec import limit_holdem
    >>> from railbird.cards import cards_text
    >>> [cards_text(hole) for hole in next(deals(limit_holdem(), 7, 1000, 1)).holes]
    ['JdAc', 'TcTs']
    """
    seats, hole_cards = game.seats, game.hole_cards
    in_holes = seats * hole_cards
    cards = np.empty((count, in_holes + sum(game.board_cards)), np.uint8)
    deal_block(np.uint64(derived_seed(seed, "deck")), first, np.array(deck(game), np.uint8), cards)
    ranks = np.empty((count, seats), np.uint16)
    if game.is_holdem:
        rank_deals(TABLE, CARD_KEYS, cards, ranks)
    for row, (dealt, ranked) in enumerate(zip(cards.tolist(), ranks.tolist())):
        holes = tuple([tuple(dealt[at : at + hole_cards]) for at in range(0, in_holes, hole_cards)])
        board = tuple(dealt[in_holes:])
        if not game.is_holdem:
            ranked = [showdown_rank(game, hole, board) for hole in holes]
        yield Deal(first + row, holes, board, ranked)


def deck(game: Game) -> list[int]:
    """The game's cards; the toy games use the highest ranks and suits."""
    return [4 * rank + suit for rank in range(13 - game.ranks, 13) for suit in range(4 - game.suits, 4)]
