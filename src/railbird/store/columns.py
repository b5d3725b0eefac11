"""The tables of a store: a row for each hand, seat and action, made from records and made into records again.

A part of a store has three files, one of each table. Rows of seats and actions name the row of their hand in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import polars as pl

from railbird.cards import cards_text, parse_cards
from railbird.errors import InvalidRecordError, RailbirdError
from railbird.formats.games import game_from_json, game_to_json
from railbird.game.place_names import place_names
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.telling import Telling
from railbird.json_files import json_of
from railbird.store.seat_counts import COUNTS, SeatCounts, seat_counts, stakes_name

OWN = "acpc"
"""The source of hands that tell none: those of matches and competition logs."""
HANDS = {
    "key": pl.UInt64,
    "number": pl.Int64,
    "game": pl.String,
    "history": pl.String,
    "board": pl.String,
    "file": pl.String,
    "rake": pl.Float64,
    "hand": pl.String,
    "table": pl.String,
    "time": pl.String,
    "zone": pl.String,
    "currency": pl.String,
    "unit": pl.Int64,
    "places": pl.Int32,
    "hero": pl.Int32,
    "rake_told": pl.Int64,
    "extra": pl.String,
}
"""The hands: `key` is the hash by which no hand is there twice, `game` its rules, `hand` to `extra` what a history
tells beside the play (null where there is no telling)."""
SEATS = {
    "row": pl.UInt32,
    "position": pl.UInt8,
    "player": pl.String,
    "cards": pl.String,
    "won": pl.Float64,
    "stack": pl.Int64,
    "dead": pl.Int64,
    "seat": pl.Int32,
    "shown": pl.Boolean,
    "players": pl.UInt8,
    "place": pl.String,
    "stakes": pl.String,
    "day": pl.String,
    "won_sb": pl.Float64,
    "fair_sb": pl.Float64,
    "expected_sb": pl.Float64,
    **dict.fromkeys(COUNTS, pl.UInt8),
}
"""The seats: who sat where with what, chips won after rake; from `players` on what statistics are made of. Amounts that
end with sb are small bets, in games without a limit big blinds."""
ACTIONS = {
    "row": pl.UInt32,
    "street": pl.UInt8,
    "position": pl.UInt8,
    "action": pl.String,
    "chips": pl.Int64,
    "to_call": pl.Int64,
    "pot": pl.Int64,
}
"""The actions: fold, check, call, bet or raise; the chips that it adds, and what was to be called and in the pot
before."""
SCHEMAS: dict[str, dict[str, Any]] = {"hands": HANDS, "seats": SEATS, "actions": ACTIONS}
_TOLD = ("hand", "table", "time", "zone", "currency", "unit", "places", "hero")
_NEEDED, _NEEDED_SEATS = ("number", "game", "history", "board"), ("player", "cards", "won")
"""What every hand has."""
_MOST_COUNT = 255
"""Of bets, calls or folds in one hand; more fit into no cell."""
_MOST_GAMES = 4096


def key_of(record: HandRecord) -> int:
    """The number by which a hand is known: a hash of source, stakes, number, players, cards and actions."""
    told, game = record.telling, record.game
    parts = (
        source_of(record),
        told.hand if told else "",
        f"{game.structure} {game.blinds} {game.bet_sizes} {game.ante}",
        str(record.number),
        *record.names,
        *map(cards_text, (*record.holes, record.board)),
        record.history,
    )
    return int.from_bytes(hashlib.blake2b("\0".join(parts).encode(errors="replace"), digest_size=8).digest(), "little")


def source_of(record: HandRecord) -> str:
    """Where a hand comes from, by the short name of a format."""
    return record.telling.source if record.telling else OWN


class PartRows:
    """The rows of some hands of a part of a store, which follow on its first hands."""

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self.hands: list[tuple[Any, ...]] = []
        self.seats: list[tuple[Any, ...]] = []
        self.actions: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self.hands)

    def add(self, record: HandRecord, key: int, file: str) -> None:
        """Put in a hand that keeps the rules."""
        row, found = self._first + len(self.hands), seat_counts(record)
        self.hands.append((key, *_hand_cells(record, file)))
        self.seats += _seat_rows(record, found, row)
        self.actions += _action_rows(found, row)

    def frames(self) -> dict[str, pl.DataFrame]:
        """The rows as tables."""
        return {
            name: pl.DataFrame(getattr(self, name), schema=schema, orient="row") for name, schema in SCHEMAS.items()
        }


@lru_cache(_MOST_GAMES)
def _rules_text(game: Game) -> str:
    rules = game_to_json(game)
    del rules["stacks"]
    return json.dumps(rules, separators=(",", ":"))


def _hand_cells(record: HandRecord, file: str) -> tuple[Any, ...]:
    told, board = record.telling, cards_text(record.board)
    # Stacks and missed blinds stand with the seats, so that few games are different.
    known = (record.number, _rules_text(record.game), record.history, board, file, record.rake)
    if told is None:
        return (*known, *[None] * (len(_TOLD) + 2))
    extra = json.dumps(told.extra, separators=(",", ":")) if told.extra else ""
    return (*known, *(getattr(told, name) for name in _TOLD), told.rake, extra)


def _seat_rows(record: HandRecord, found: SeatCounts, row: int) -> Iterator[tuple[Any, ...]]:
    game, told = record.game, record.telling
    seats, bet, stacks, dead = game.seats, game.small_bet, game.stacks, game.dead
    shown, numbers = (told.shown, told.seats) if told else ((), ())
    stakes, day = (stakes_name(game, told.unit, told.currency), told.time[:10]) if told else (stakes_name(game), "")
    places = place_names(game.blinds)
    for position, name in enumerate(record.names):
        won = record.payoffs[position]
        yield (
            row,
            position,
            name,
            cards_text(record.holes[position]),
            won,
            stacks[position] if stacks else None,
            dead[position] if dead else None,
            numbers[position] if numbers else None,
            shown[position] if shown else None,
            seats,
            places[position],
            stakes,
            day,
            won / bet,
            found.fair[position] / bet,
            found.expected[position] / bet,
            *_cells(found.counts[position]),
        )


def _cells(counts: list[int]) -> list[int]:
    """Counts that fit into cells."""
    return counts if max(counts) <= _MOST_COUNT else [min(count, _MOST_COUNT) for count in counts]


def _action_rows(found: SeatCounts, row: int) -> Iterator[tuple[Any, ...]]:
    nodes = [step.before for step in found.steps]
    for (before, (kind, _), to_call), after in zip(found.steps, [*nodes[1:], found.last]):
        position = before.to_act
        if kind == "f":
            name = "fold"
        elif kind == "c":
            name = "call" if to_call else "check"
        else:
            name = "raise" if before.level else "bet"
        chips = after.committed[position] - before.committed[position]
        yield row, before.street, position, name, chips, to_call, sum(before.committed)


def records_of(hands: pl.DataFrame, seats: pl.DataFrame, source: str) -> Iterator[HandRecord]:
    """The hands of a part as records, in order; `row` is their place in it, and `seats` are theirs.

    Raises a `LookupError` where the two tables do not fit each other, or lack what every hand has.
    """
    by_hand = seats.group_by("row", maintain_order=True).len()
    gaps = hands.select(_NEEDED).null_count().row(0) + seats.select(_NEEDED_SEATS).null_count().row(0)
    if any(gaps) or by_hand["row"].to_list() != hands["row"].to_list():
        raise LookupError("its hands and seats do not fit each other")
    rows = zip(*(seats[name].to_list() for name in (*_NEEDED_SEATS, "stack", "dead", "seat", "shown")))
    for hand, count in zip(hands.iter_rows(named=True), by_hand["len"].to_list()):
        own = [next(rows) for _ in range(count)]
        yield _record(hand, list(zip(*own)), source)


def _record(hand: dict[str, Any], seats: list[tuple[Any, ...]], source: str) -> HandRecord:
    names, cards, won, stacks, dead, numbers, shown = seats
    try:
        game = _game(hand["game"], stacks if stacks[0] is not None else None, dead if dead[0] is not None else None)
        holes, board = tuple([parse_cards(hole) for hole in cards]), parse_cards(hand["board"])
        telling = None if hand["unit"] is None else _telling(hand, source, numbers, shown)
        chips = tuple([int(each) if each == int(each) else each for each in won])
    except (RailbirdError, ValueError, TypeError, OverflowError) as error:
        raise InvalidRecordError(f"hand {hand['number']} of the store cannot be read: {error}") from None
    return HandRecord(game, hand["number"], names, holes, board, hand["history"], chips, telling)


def _telling(hand: dict[str, Any], source: str, seats: tuple[Any, ...], shown: tuple[Any, ...]) -> Telling:
    extra = json_of(hand["extra"].encode()) if hand["extra"] else []
    return Telling(
        source,
        **{name: hand[name] for name in _TOLD},
        seats=seats if seats[0] is not None else (),
        shown=shown if shown[0] is not None else (),
        rake=hand["rake_told"],
        extra=tuple([(str(name), str(value)) for name, value in extra]),
    )


@lru_cache(_MOST_GAMES)
def _game(rules: str, stacks: tuple[int, ...] | None, dead: tuple[int, ...] | None) -> Game:
    game = game_from_json({**json_of(rules.encode()), "stacks": None if stacks is None else list(stacks)})
    return replace(game, dead=dead) if dead else game
