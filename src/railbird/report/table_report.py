"""The report of hands that DIVAT does not assess, of any game and number of players: the lines of all players with
their intervals, what was won by position, luck by street, and the hands, each of which can be replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from heapq import heappush, heappushpop
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.assessed_tables import AssessedHands, AssessedTable
from railbird.assess.card_luck import card_luck
from railbird.assess.player_sums import Kind, kind_of
from railbird.errors import RailbirdError
from railbird.game.record import HandRecord
from railbird.play.assessing import Assessed
from railbird.report.curves import curve_data, numbers, runs
from railbird.report.hand_columns import hand_columns
from railbird.report.pages import write_page
from railbird.results.figures import Figure

MOST_HANDS = 5_000
"""Hands that a page has; of more those in which most was won."""
_AT_ONCE = 1_000


class _Placed(NamedTuple):
    """A hand, and the how-manieth of its kind it is, from 1."""

    record: HandRecord
    kind: Kind
    place: int


def write_tables(path: Path, found: Assessed, records: Iterable[HandRecord], named: str) -> Path:
    """Write the report of hands as one HTML file; `records` are all of them, in the order in which they were assessed.
    Returns its path."""
    return write_page(path, "tables.html", **tables_content(found, records, named))


def tables_content(found: Assessed, records: Iterable[HandRecord], named: str) -> dict[str, Any]:
    """What the template needs; `named` says where the hands are from."""
    results = found.results if isinstance(found, AssessedHands) else ()
    tables = [result for result in results if isinstance(result, AssessedTable)]
    chosen, counts = _chosen_hands(records)
    figures: dict[str, Figure] = {}
    curves: dict[str, dict[str, Any]] = {}
    for number, table in enumerate(tables):
        with suppress(RailbirdError):
            name, figure = f"table-{number}", table.figure()
            figures[name] = figure
            # The hands can be told apart by their place only where those that were assessed are those given.
            is_whole = counts[table.of] == table.sums.hands
            curves[name] = curve_data(figure, 2) | (_leading_to(figure, chosen, table.of) if is_whole else {})
    return {
        "title": f"Skill and luck: {named}",
        "named": named,
        "verdicts": [" ".join([table.verdict, *table.reasons()]) for table in tables],
        "parts": [part.html() for part in found.parts()],
        "figures": figures,
        "curves": curves,
        "hands": _columns([hand.record for hand in chosen], named) if chosen else None,
        "sampled": _sampled(len(chosen), counts.total()),
        "game": chosen[0].record.game if chosen else None,
    }


def _chosen_hands(records: Iterable[HandRecord]) -> tuple[list[_Placed], Counter[Kind]]:
    """Hands of the commonest table, those in which most was won; and how many hands there are of each kind."""
    by_rules: dict[tuple[Any, ...], list[tuple[float, int, _Placed]]] = {}
    counts: Counter[Kind] = Counter()
    of_rules: Counter[tuple[Any, ...]] = Counter()
    for record in records:
        game, kind = record.game, kind_of(record)
        counts[kind] += 1
        if not game.is_holdem:
            continue
        rules = (game.structure, game.blinds, game.ante, game.small_bet)
        of_rules[rules] += 1
        # Of hands in which as much was won, the first stay.
        hand = (max(record.payoffs), -of_rules[rules], _Placed(record, kind, counts[kind]))
        kept = by_rules.setdefault(rules, [])
        if len(kept) < MOST_HANDS:
            heappush(kept, hand)
        else:
            heappushpop(kept, hand)
    commonest = max(of_rules, key=lambda rules: of_rules[rules], default=())
    chosen = sorted(by_rules.get(commonest, ()), key=lambda hand: -hand[1])
    return [placed for _, _, placed in chosen], counts


def _leading_to(figure: Figure, chosen: Sequence[_Placed], kind: Kind) -> dict[str, Any]:
    """For each place of the axis the hand of the page that it ends with, or the last one before it that there is."""
    at = [n for n, hand in enumerate(chosen) if hand.kind == kind]
    if not at or not figure.lines:
        return {}
    axis = np.unique(np.concatenate([line.x for line in figure.lines]))
    reached = np.searchsorted([chosen[n].place for n in at], axis, side="right") - 1
    return {"hands": runs(np.array(at)[np.maximum(0, reached)])}


def _columns(records: Sequence[HandRecord], named: str) -> dict[str, Any]:
    lines = np.array([record.line for record in records])
    where = {"files": [named], "file": [0, len(records)], "line": runs(lines)}
    return hand_columns(records) | where | _luck_columns(records)


def _luck_columns(records: Sequence[HandRecord]) -> dict[str, Any]:
    """By street and position what the board cards gave, in hundredths of a small bet or big blind, and null where cards
    that matter are not known; nothing where they never are."""
    given: list[NDArray[np.float64]] = []
    for first in range(0, len(records), _AT_ONCE):
        part = records[first : first + _AT_ONCE]
        for record, luck in zip(part, card_luck(part)):
            given.append(np.full((3, record.game.seats), np.nan) if luck is None else luck / record.game.small_bet)
    luck = np.array(given)
    if np.isnan(luck).all():
        return {}
    return {"cardLuck": [[numbers(100 * luck[:, street, at], 0) for at in range(luck.shape[2])] for street in range(3)]}


def _sampled(shown: int, total: int) -> str:
    return f"Of {total:,} hands these {shown:,}, in which most was won." if shown < total else ""
