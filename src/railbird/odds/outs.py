"""Outs: the next cards that put a holding ahead of its opponent's range, or take the lead away."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.cards import CARD_COUNT, check_distinct, parse_board, parse_cards
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.odds.strength import standings
from railbird.odds.weights import WeightArray, kernel_weights


@dataclass(frozen=True)
class NextCard:
    """One card that may come next: the hand strength after it, and the probability that it comes."""

    card: int
    hand_strength: float
    probability: float


@dataclass(frozen=True)
class Outs:
    """How each card that may come next changes the hand strength, best card first."""

    hand_strength: float
    next_cards: tuple[NextCard, ...]

    @property
    def outs(self) -> tuple[NextCard, ...]:
        """The cards after which the holding is ahead of more than half of the range; none where it is so already."""
        if self.hand_strength > 0.5:
            return ()
        return tuple(card for card in self.next_cards if card.hand_strength > 0.5)

    @property
    def threats(self) -> tuple[NextCard, ...]:
        """The cards after which a holding that is ahead of more than half of the range no longer is; worst first."""
        if self.hand_strength <= 0.5:
            return ()
        return tuple(card for card in reversed(self.next_cards) if card.hand_strength <= 0.5)


def outs(holding: str, board: str, weights: WeightArray | None = None) -> Outs:
    """The outs of a holding on a flop or turn. Without `weights`, every live holding of the opponent is equally likely.

    A card is an out when the holding is not ahead of more than half of the opponent's weight now (hand strength, ties
    counting half) and will be after that card. A card's probability takes account of the cards the opponent may hold.

    >>> found = outs("AdQc", "3h4cJh", WeightArray.parse("JTs, KJ"))
    >>> len(found.outs), found.hand_strength
    (6, 0.0)
    """
    first, second = parse_cards(holding, count=2)
    dealt = parse_board(board)
    check_distinct((first, second), dealt)
    if len(dealt) not in (3, 4):
        raise InvalidCardsError(f"outs are for a flop or a turn; the board {board!r} has {len(dealt)} cards")
    now, live = _standing(first, second, dealt, weights)
    if live == 0:
        raise InvalidRangeError(f"{weights!r} has no holding that can be dealt beside {holding} on {board}")
    cards_left = CARD_COUNT - 4 - len(dealt)  # beside both holdings and the board
    found = []
    for card in range(CARD_COUNT):
        if card not in (first, second, *dealt):
            strength, live_after = _standing(first, second, (*dealt, card), weights)
            if live_after > 0:
                found.append(NextCard(card, strength, live_after / (live * cards_left)))
    return Outs(now, tuple(sorted(found, key=lambda card: (-card.hand_strength, -card.card))))


def _standing(first: int, second: int, board: tuple[int, ...], weights: WeightArray | None) -> tuple[float, float]:
    """The hand strength on a board, and the weight of the holdings that can be dealt beside it."""
    ahead, tied, behind = standings((first, second), board, kernel_weights(weights))
    live = ahead + tied + behind
    return ((ahead + tied / 2) / live if live > 0 else 0.0), live
