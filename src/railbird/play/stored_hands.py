"""Hands of a store, for whoever may do without: polars is imported when a store is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from railbird.errors import MatchError
from railbird.game.record import HandRecord
from railbird.results.frames import check_frames
from railbird.words import count_of

if TYPE_CHECKING:
    from railbird.store.store_reader import HandStore


def hand_store(folder: Path) -> HandStore:
    """A store of hands; refuses to read one without polars."""
    check_frames("hand stores")
    from railbird.store.store_reader import HandStore

    return HandStore(folder)


def stored_hand(folder: Path, number: int, place: int) -> HandRecord:
    """The first, second, ... hand of a number in a store."""
    store = hand_store(folder)
    found = list(store.hands_of(number))
    if 1 <= place <= len(found):
        return found[place - 1]
    if found:
        there = f"{str(folder)!r} has {count_of(len(found), 'hand')} of number {number}"
        raise MatchError(f"seating {place}; {there}")
    raise MatchError(f"no hand {number} in {str(folder)!r} ({count_of(len(store), 'hand')})")
