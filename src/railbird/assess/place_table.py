"""Where it was won: what players won from each position, as tables and as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from railbird.assess.player_sums import TableSums
from railbird.game.place_names import PLACES
from railbird.results.parts import Line, Part, Table
from railbird.statistics import FEWEST
from railbird.words import rate

_MEANING = (
    "BTN is the button, CO and HJ sit before it, SB and BB are the blinds, UTG is the first behind them. Each interval "
    "stands for itself, so about one in twenty misses."
)


def duel_places(sums: TableSums, name: str, measures: Mapping[str, str]) -> list[Part]:
    """What one of two players won from the button and from the other position; measures by name, with their words.
    Nothing of few hands, which say nothing by position."""
    if sums.hands < FEWEST:
        return []
    rows = []
    for place in sums.places:
        found = sums.at_place(place, name)
        rows.append((place, f"{found.every.count:,}", *(rate(found.estimate(each)) for each in measures)))
    return [Table(rows, (f"by position, for {name} (95%)", "hands", *measures.values()))]


def ring_places(sums: TableSums, names: Sequence[str], measures: Mapping[str, str]) -> list[Part]:
    """What each of these players won from each position, and what all players did together: a table a measure. Players
    with few hands, which say nothing by position, are left out."""
    places = sums.places
    told = [name for name in names if sums.players[name].every.count >= FEWEST]
    if not told:
        return []
    found: list[Part] = []
    for measure, words in measures.items():
        rows = [(name, *(rate(sums.at_place(place, name).estimate(measure)) for place in places)) for name in told]
        rows.append(("everybody", *(rate(sums.at_place(place).estimate(measure)) for place in places)))
        found.append(Table(rows, (f"{words} by position", *places), repeated=1))
    fewer = f" Players with fewer than {FEWEST} hands are left out." if len(told) < len(names) else ""
    return [*found, Line(_MEANING + fewer)]


def places_json(sums: TableSums, name: str, measures: Mapping[str, str]) -> dict[str, Any]:
    """By position what a player won there."""
    played = sums.players[name].places
    return {
        place: {measure: played[place].estimate(measure).to_json() for measure in measures}
        for place in PLACES
        if place in played
    }
