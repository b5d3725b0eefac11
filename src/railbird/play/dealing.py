"""The deals of a match, from its seed and the numbers of the hands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.play.decks import deal_block, rank_deals
from railbird.play.hand import Deal
from railbird.randomness import SecretSeed, Seed, derived_seed


def deals(game: Game, seed: Seed, first: int, count: int) -> Iterator[Deal]:
    """Deals `first` to `first + count - 1` of the match with that seed.

    >>> from railbird.game.spec import limit_holdem
    >>> from railbird.cards import cards_text
    >>> [cards_text(hole) for hole in next(deals(limit_holdem(), 7, 1000, 1)).holes]
    ['JdAc', 'TcTs']
    """
    cards = np.empty((count, game.seats * game.hole_cards + sum(game.board_cards)), np.uint8)
    deal_block(deck_seeds(seed, first, count), first, np.array(game.deck, np.uint8), cards)
    return deals_of(game, cards, first)


def deals_of(game: Game, cards: NDArray[np.uint8], first: int) -> Iterator[Deal]:
    """The deals of cards in rows, a row for each hand from `first` on: hole cards by position, then the board."""
    count, seats, in_holes = len(cards), game.seats, game.seats * game.hole_cards
    holes = _by_position(cards[:, :in_holes].reshape(count, seats, game.hole_cards))
    boards = list(map(tuple, cards[:, in_holes:].tolist()))
    if game.is_holdem:
        ranks = np.empty((count, seats), np.uint16)
        rank_deals(TABLE, CARD_KEYS, cards, ranks)
        ranked = ranks.tolist()
    else:
        ranked = [[showdown_rank(game, hole, board) for hole in hand] for hand, board in zip(holes, boards)]
    yield from map(Deal, range(first, first + count), holes, boards, ranked)


def deck_seeds(seed: Seed, first: int, count: int) -> NDArray[np.uint64]:
    """What the kernels deal these hands from: one number for all, or of a secret seed one for each."""
    if isinstance(seed, SecretSeed):
        return np.frombuffer(seed.hand_seeds("deck", first, count), "<u8").astype(np.uint64)
    return np.array([derived_seed(seed, "deck")], np.uint64)


def _by_position(cards: NDArray[np.uint8]) -> list[tuple[tuple[int, ...], ...]]:
    """By hand and position, the hole cards."""
    flat = map(tuple, cards.reshape(-1, cards.shape[2]).tolist())
    return list(zip(*[flat] * cards.shape[1]))
