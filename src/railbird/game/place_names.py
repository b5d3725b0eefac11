"""What players call the positions of a game, in stores, statistics and assessments."""

from __future__ import annotations

from functools import lru_cache

PLACES = ("BTN", "CO", "HJ", "UTG", *(f"UTG+{place}" for place in range(1, 20)), "first", "SB", "BB")
"""All names, in the order in which they are told."""
_FROM_THE_BUTTON = ("BTN", "CO", "HJ")


@lru_cache(4096)
def place_names(blinds: tuple[int, ...]) -> tuple[str, ...]:
    """What players call the positions of a game: "SB", "BB", "UTG", "UTG+1", ..., "HJ", "CO", "BTN"; heads-up "BB" and
    "BTN".

    >>> place_names((1, 2, 0, 0, 0, 0)), place_names((2, 1))
    (('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN'), ('BB', 'BTN'))
    """
    big = next((at for at in (0, 1) if blinds[at] and blinds[at] == max(blinds)), -1)
    return tuple([_place_name(position, len(blinds), big) for position in range(len(blinds))])


def _place_name(position: int, seats: int, big: int) -> str:
    """The name of a position, `big` being that of the big blind, -1 where there is none."""
    if position == seats - 1:
        return "BTN"
    if position <= big or (big < 0 and position == 0):
        return "BB" if position == big else "SB" if big > 0 else "first"
    back = seats - 1 - position
    return _FROM_THE_BUTTON[back] if (back < 3 and position != big + 1) or back == 1 else _early(position - big - 1)


def _early(place: int) -> str:
    return f"UTG+{place}" if place else "UTG"
