"""Cards as HTML: rank and suit symbol in four colours, which still differ by their symbols where colours do not."""

from __future__ import annotations

from collections.abc import Iterable

from railbird.cards import RANKS, SUITS
from railbird.results.page import Html, element, joined

_SYMBOLS = "♣♦♥♠"
_NAMES = ("clubs", "diamonds", "hearts", "spades")
_RANK_NAMES = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
# Keeps phones from drawing the symbols as coloured emoji.
_AS_TEXT = "\ufe0e"


def card_html(card: int) -> Html:
    """One card.

    >>> card_html(50)
    '<span class="card h" title="ace of hearts">A♥\ufe0e</span>'
    """
    rank, suit = RANKS[card >> 2], card & 3
    title = f"{_RANK_NAMES.get(rank, rank)} of {_NAMES[suit]}"
    shown = "10" if rank == "T" else rank
    return element("span", shown + _SYMBOLS[suit] + _AS_TEXT, class_=f"card {SUITS[suit]}", title=title)


def cards_html(cards: Iterable[int]) -> Html:
    """Several cards on one line."""
    return element("span", joined([card_html(card) for card in cards]), class_="cards")
