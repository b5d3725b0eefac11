"""The starting hands of hold'em in the groups of Sklansky and Malmuth (1994)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from railbird.cards import HOLDING_COUNT, holding_index
from railbird.odds.ranges import parse_range

WORST_GROUP = 9
"""The group of all hands that the book does not name."""

# Hold'em Poker for Advanced Players, "The first two cards", as publicly quoted. Table A.4 of Papp (1998) counts 17
# hands in groups 5 and 7, the quoted lists 18 each; in groups 1 to 4, 6 and 8 the counts agree.
GROUPS = (
    "JJ+ AKs",
    "TT AQs AJs KQs AKo",
    "99 ATs KJs QJs JTs AQo",
    "88 KTs QTs J9s T9s 98s AJo KQo",
    "77 A9s-A2s Q9s T8s 97s 87s 76s 65s KJo QJo JTo",
    "66 55 K9s J8s 86s 75s 54s ATo KTo QTo",
    "44-22 K8s-K2s Q8s T7s 64s 53s 43s J9o T9o 98o",
    "J7s 96s 85s 74s 42s 32s A9o K9o Q9o J8o T8o 87o 76o 65o 54o 43o",
)
"""The hands of groups 1 to 8, as ranges."""


def starting_group(hole_cards: Sequence[int]) -> int:
    """The group, from 1 (best) to 8, of two hole cards; 9 if they are in none.

    >>> from railbird.cards import parse_cards
    >>> [starting_group(parse_cards(text)) for text in ("AdAc", "AdQc", "7h2c")]
    [1, 3, 9]
    """
    return _group_by_holding()[holding_index(*hole_cards)]


@cache
def _group_by_holding() -> tuple[int, ...]:
    groups = [WORST_GROUP] * HOLDING_COUNT
    for number, text in enumerate(GROUPS, 1):
        for holding in parse_range(text).nonzero()[0].tolist():
            groups[holding] = number
    return tuple(groups)
