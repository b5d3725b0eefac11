"""Ranks of hands, and their names.

A rank is an integer 0-7461: one for each class of five cards that poker tells apart, from 7-5-4-3-2 to the royal
flush. The higher rank wins, equal ranks split.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import parse_cards
from railbird.errors import InvalidCardsError
from railbird.kernels.cards import ranking
from railbird.odds.threads import share_out

RANK_COUNT: int = ranking.RANK_COUNT
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_FIRST_RANKS = (
    ranking.HIGH_CARD,
    ranking.PAIR,
    ranking.TWO_PAIR,
    ranking.THREE_OF_A_KIND,
    ranking.STRAIGHT,
    ranking.FLUSH,
    ranking.FULL_HOUSE,
    ranking.FOUR_OF_A_KIND,
    ranking.STRAIGHT_FLUSH,
)
_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_HANDS_AT_ONCE = 50_000
_PLURALS = tuple("sixes" if name == "six" else name + "s" for name in _NAMES)


def rank(cards: str) -> int:
    """The rank of the best five of 5, 6 or 7 cards.

    >>> rank("AdQc 3h4cJh") < rank("2d2c 3h4cJh")
    True
    >>> rank("TsJsQsKsAs"), rank("7c5d4h3s2c")
    (7461, 0)
    """
    try:
        plain: int = ranking.rank_text(cards.encode())
    except (UnicodeEncodeError, AttributeError):  # half of a character, or no text at all
        plain = -1
    return plain if plain >= 0 else rank_cards(_parsed_hand(cards))


def rank_cards(cards: Sequence[int]) -> int:
    """The rank of 5, 6 or 7 different cards 0-51, taken on trust; the quick way for one hand at a time."""
    found: int = ranking.rank_hand(bytes(cards))
    return found


def ranks(cards: ArrayLike, threads: int | None = None) -> NDArray[np.uint16]:
    """The ranks of many hands: cards 0-51 in an array whose last axis, of 5, 6 or 7 cards, is one hand.

    The cards of a hand must differ; only their range is checked. `threads` share the hands out; 0 stands for all cores.

    >>> ranks([[51, 50, 49, 48, 47], [0, 5, 10, 15, 16]])
    array([7451, 5854], dtype=uint16)
    """
    given = np.asarray(cards)
    if given.ndim == 0 or not 5 <= given.shape[-1] <= 7:
        raise InvalidCardsError(f"an array of shape {given.shape} is not hands of 5, 6 or 7 cards")
    natural = given.dtype.kind == "u" or (given.dtype.kind == "i" and (not given.size or given.min() >= 0))
    if given.size and not (natural and given.max() < 52):
        raise InvalidCardsError(f"cards are whole numbers 0-51, not {given.dtype} {given.min()} to {given.max()}")
    hands = np.require(given, np.uint8, ["C", "W"]).reshape(-1, given.shape[-1])
    found = np.empty(len(hands), dtype=np.uint16)

    def rank_part(part: slice) -> None:
        ranking.rank_cards(ranking.TABLE, ranking.CARD_KEYS, hands[part], found[part])

    share_out(rank_part, len(hands), threads, _HANDS_AT_ONCE)
    return found.reshape(given.shape[:-1])


def category(rank: int) -> str:
    """The category of a rank, one of `CATEGORIES`.

    >>> category(rank("AsAd 8h8c9d2c3h"))
    'two pair'
    """
    return CATEGORIES[_category_index(rank)]


def rank_name(rank: int) -> str:
    """The name of a rank, with every card that decides.

    >>> rank_name(rank("AsAd 8h8c9d2c3h"))
    'two pair, aces and eights, nine kicker'
    >>> rank_name(rank("KsKdKh 3c3d"))
    'full house, kings full of threes'
    >>> rank_name(rank("As2d3h4c5c"))
    'straight, five high'
    """
    index = _category_index(rank)
    deciding = deciding_ranks(rank)
    word = CATEGORIES[index]
    first = deciding[0]
    match word:
        case "high card" | "flush":
            return f"{word}, {_listed(deciding)}"
        case "pair":
            return f"pair of {_PLURALS[first]}, {_listed(deciding[1:])} kickers"
        case "two pair":
            return f"two pair, {_PLURALS[first]} and {_PLURALS[deciding[1]]}, {_NAMES[deciding[2]]} kicker"
        case "three of a kind":
            return f"three of a kind, {_PLURALS[first]}, {_listed(deciding[1:])} kickers"
        case "full house":
            return f"full house, {_PLURALS[first]} full of {_PLURALS[deciding[1]]}"
        case "four of a kind":
            return f"four of a kind, {_PLURALS[first]}, {_NAMES[deciding[1]]} kicker"
        case "straight flush" if first == 12:
            return "royal flush"
        case _:
            return f"{word}, {_NAMES[first]} high"


def deciding_ranks(rank: int) -> tuple[int, ...]:
    """The card ranks (0-12 for 2 to A) that make a rank what it is, most important first.

    Two pair: the higher pair, the lower pair, the kicker. A straight: its top card, which is the five in a wheel.

    >>> deciding_ranks(rank("AsAd 8h8c9d2c3h"))
    (12, 6, 7)
    """
    index = _category_index(rank)
    place = rank - _FIRST_RANKS[index]
    match CATEGORIES[index]:
        case "high card" | "flush":
            return _unpaired()[place]
        case "pair":
            return _with_kickers((place // 220,), _subsets(12, 3)[place % 220])
        case "two pair":
            return _with_kickers(_subsets(13, 2)[place // 11], (place % 11,))
        case "three of a kind":
            return _with_kickers((place // 66,), _subsets(12, 2)[place % 66])
        case "full house" | "four of a kind":
            return _with_kickers((place // 12,), (place % 12,))
        case _:
            return (place + 3,)


def _parsed_hand(cards: str) -> tuple[int, ...]:
    parsed = parse_cards(cards)
    if not 5 <= len(parsed) <= 7:
        raise InvalidCardsError(f"{cards!r} has {len(parsed)} cards; 5, 6 or 7 have a rank")
    return parsed


def _category_index(rank: int) -> int:
    if not 0 <= rank < RANK_COUNT:
        raise InvalidCardsError(f"{rank} is not a rank; ranks are 0-{RANK_COUNT - 1}")
    return bisect_right(_FIRST_RANKS, rank) - 1


@cache
def _subsets(count: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The subsets of 0..count-1, each from its highest member down, ordered by it."""
    return tuple(sorted(subset[::-1] for subset in combinations(range(count), size)))


@cache
def _unpaired() -> tuple[tuple[int, ...], ...]:
    """Five different ranks that are no straight, in order."""
    wheel = (12, 3, 2, 1, 0)
    return tuple(subset for subset in _subsets(13, 5) if subset[0] - subset[4] != 4 and subset != wheel)


def _with_kickers(named: tuple[int, ...], kickers: tuple[int, ...]) -> tuple[int, ...]:
    """The named ranks and the kickers, which are numbered among the ranks left over."""
    left = [rank for rank in range(13) if rank not in named]
    return named + tuple(left[kicker] for kicker in kickers)


def _listed(card_ranks: tuple[int, ...]) -> str:
    names = [_NAMES[rank] for rank in card_ranks]
    return f"{', '.join(names[:-1])} and {names[-1]}"
