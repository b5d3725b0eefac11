"""Hands of a store, for whoever may do without: polars is imported when a store is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.errors import MatchError
from railbird.formats.hand_arrays import Problem
from railbird.game.record import HandRecord
from railbird.results.frames import check_frames
from railbird.store.store_folder import left_out_hands
from railbird.words import count_of

if TYPE_CHECKING:
    from railbird.store.store_reader import HandStore

_MOST_TOLD = 10_000_000
"""Of the hands that a store lacks."""


def hand_store(folder: Path) -> HandStore:
    """A store of hands; refuses to read one without polars."""
    check_frames("hand stores")
    from railbird.store.store_reader import HandStore

    return HandStore(folder)


def stored_problems(folder: Path) -> Iterator[Problem]:
    """A problem for each hand that did not get into a store; those of a file and kind are told as the first of them."""
    for each in left_out_hands(folder):
        yield from repeat(Problem(each.file, each.line, each.kind, each.message, True), min(each.count, _MOST_TOLD))


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
