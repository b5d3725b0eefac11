"""Cards and holdings as small integers, with text in and out.

A card is an integer 0-51, `4 * rank + suit`: ranks 0-12 stand for 23456789TJQKA, suits 0-3 for cdhs. A holding (two
private cards) is an integer 0-1325, numbered by its higher card and then its lower one. Everything that users write
is text: "Ad", "AdQc", "3h 4c Jh", "A♦ Q♣".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from railbird.errors import InvalidCardsError
from railbird.numbers import quoted

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARD_COUNT = 52
HOLDING_COUNT = 1326

_PRETTY_SUITS = "♣♦♥♠"
_SUIT_OF = {**{s: i for i, s in enumerate(SUITS)}, **{s.upper(): i for i, s in enumerate(SUITS)}}
_SUIT_OF |= {s: i for i, s in enumerate(_PRETTY_SUITS)} | {s: i for i, s in enumerate("♧♢♡♤")}
_RANK_OF = {**{r: i for i, r in enumerate(RANKS)}, **{r.lower(): i for i, r in enumerate(RANKS)}}
_TEXT = tuple(r + s for r in RANKS for s in SUITS)
_HOLDINGS = tuple((high, low) for high in range(CARD_COUNT) for low in range(high))


def parse_cards(text: str, count: int | None = None) -> tuple[int, ...]:
    """The cards of `text`, in the order written. Blanks, commas and "10" for "T" are understood.

    >>> parse_cards("AdQc")
    (49, 40)
    >>> parse_cards("3♥, 4c 10h") == parse_cards("3h4cTh")
    True
    """
    if not isinstance(text, str):
        raise InvalidCardsError(f"{text!r} is not text, such as 'AdQc'")
    cards: list[int] = []
    squeezed = text.replace("10", "T").replace(",", " ").replace("\ufe0f", "").replace("\ufe0e", "")
    characters = "".join(squeezed.split())
    for at in range(0, len(characters), 2):
        pair = characters[at : at + 2]
        rank, suit = _RANK_OF.get(pair[0]), _SUIT_OF.get(pair[1:])
        if rank is None or suit is None:
            raise InvalidCardsError(
                f"{pair!r} in {quoted(text)} is not a card (a rank of {RANKS} and a suit of {SUITS})"
            )
        card = 4 * rank + suit
        if card in cards:
            raise InvalidCardsError(f"{_TEXT[card]} appears twice in {quoted(text)}")
        cards.append(card)
    if count is not None and len(cards) != count:
        raise InvalidCardsError(f"{quoted(text)} has {_counted(len(cards))} where {_counted(count)} belong")
    return tuple(cards)


def parse_board(text: str) -> tuple[int, ...]:
    """The board of `text`: no cards, or three, four or five of them."""
    cards = parse_cards(text.replace("/", " ") if isinstance(text, str) else text)
    if len(cards) not in (0, 3, 4, 5):
        raise InvalidCardsError(f"the board {quoted(text)} has {_counted(len(cards))}; a board has 0, 3, 4 or 5")
    return cards


def parse_holding(text: str) -> int:
    """The index 0-1325 of a holding written as two cards.

    >>> parse_holding("AdQc"), parse_holding("QcAd")
    (1216, 1216)
    """
    return holding_index(*parse_cards(text, count=2))


def check_distinct(*groups: Sequence[int]) -> None:
    """Refuse groups of cards (holdings, a board) that share a card."""
    seen: set[int] = set()
    for group in groups:
        for card in group:
            if card in seen:
                written = " ".join(cards_text(g) for g in groups if g)
                raise InvalidCardsError(f"{_TEXT[card]} appears twice in {written!r}")
            seen.add(card)


def card_text(card: int) -> str:
    """The two letters of a card.

    >>> card_text(51)
    'As'
    """
    return _TEXT[card]


def cards_text(cards: Iterable[int], pretty: bool = False) -> str:
    """The letters of several cards, or with `pretty` the suit symbols and a blank between the cards.

    >>> cards_text((49, 40)), cards_text((49, 40), pretty=True)
    ('AdQc', 'A♦ Q♣')
    """
    if pretty:
        return " ".join(RANKS[card >> 2] + _PRETTY_SUITS[card & 3] for card in cards)
    return "".join([_TEXT[card] for card in cards])


def holding_index(first: int, second: int) -> int:
    """The index 0-1325 of the holding of two different cards, whatever their order."""
    high, low = (first, second) if first > second else (second, first)
    return high * (high - 1) // 2 + low


def holding_cards(holding: int) -> tuple[int, int]:
    """The two cards of a holding, the higher first."""
    return _HOLDINGS[holding]


def holding_text(holding: int) -> str:
    """The four letters of a holding.

    >>> holding_text(parse_holding("2c2d"))
    '2d2c'
    """
    return cards_text(_HOLDINGS[holding])


def class_text(holding: int) -> str:
    """The name of a holding's class before the flop, of which there are 169.

    >>> class_text(parse_holding("QcAd")), class_text(parse_holding("7s7h"))
    ('AQo', '77')
    """
    high, low = _HOLDINGS[holding]
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    if high >> 2 == low >> 2:
        return ranks
    return ranks + ("s" if high & 3 == low & 3 else "o")


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
