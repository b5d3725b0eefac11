"""PHH, written: a hand as the fields of its TOML, in PokerKit's order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from railbird.cards import cards_text
from railbird.errors import InvalidRecordError
from railbird.formats.toml_fields import list_text, string_text
from railbird.game.betting import Betting, called_chips
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, Game, Structure
from railbird.game.telling import Telling

_VARIANTS = {Structure.FIXED_LIMIT: "FT", Structure.NO_LIMIT: "NT"}
_ORDER = (
    *("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet"),
    *("starting_stacks", "actions", "author", "event", "url", "venue", "address", "city", "region", "postal_code"),
    *("country", "time", "time_zone", "day", "month", "year", "hand", "level", "seats", "seat_count", "table"),
    *("players", "finishing_stacks", "winnings", "currency", "currency_symbol", "time_limit", "time_banks"),
)
_MOST_DIGITS = 15
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))?")
_PLACE = {name: place for place, name in enumerate(_ORDER)}


def write_hand(records: Iterable[HandRecord]) -> Iterator[str]:
    """The text of a file of one hand; refuses more."""
    for number, record in enumerate(records):
        if number:
            raise InvalidRecordError("a .phh file holds one hand; many go into a .phhs file")
        yield hand_text(record)


def write_hands(records: Iterable[HandRecord]) -> Iterator[str]:
    """The text of a file of many hands, each under its number from 1."""
    for number, record in enumerate(records, 1):
        yield f"{chr(10) if number > 1 else ''}[{number}]\n{hand_text(record)}"


def hand_text(record: HandRecord) -> str:
    """The fields of a hand, a line each."""
    fields = {**_game_fields(record), **_other_fields(record)}
    fields.update(dict(record.telling.extra if record.telling and record.telling.source == "phh" else ()))
    ordered = sorted(fields.items(), key=lambda field: _PLACE.get(field[0], len(_PLACE)))
    return "".join([f"{name} = {value}\n" for name, value in ordered])


def _game_fields(record: HandRecord) -> dict[str, str]:
    game, unit = record.game, record.telling.unit if record.telling else 1
    blinds, antes = list(game.blinds), [game.ante + chips for chips in game.dead or (0,) * game.seats]
    last = (game.first_to_act[0] - 1) % game.seats
    posts = [_amount(chips, unit) for chips in blinds]
    if any(chips >= blinds[last] for chips in blinds[last + 1 :]) or max(blinds[:last], default=0) > blinds[last]:
        # Whoever has posted out of turn is no straddler, after whom the betting would begin.
        posts = [f"-{text}" if p != last and blinds[p] >= blinds[last] else text for p, text in enumerate(posts)]
    if game.seats == 2:
        posts, antes = posts[::-1], antes[::-1]
    fixed = game.structure is Structure.FIXED_LIMIT
    sizes = {"small_bet": game.bet_sizes[0], "big_bet": game.bet_sizes[-1]} if fixed else {"min_bet": game.bet_sizes[0]}
    return {
        "variant": f"'{_VARIANTS[game.structure]}'",
        "ante_trimming_status": "false" if game.dead and any(game.dead) else "true",
        "antes": _amounts(antes, unit),
        "blinds_or_straddles": list_text(posts),
        **{name: _amount(chips, unit) for name, chips in sizes.items()},
        "starting_stacks": list_text(["inf"] * game.seats) if game.stacks is None else _stacks(game.stacks, unit),
        "actions": list_text([string_text(action) for action in actions_of(record, unit)]),
    }


def _other_fields(record: HandRecord) -> dict[str, str]:
    told = record.telling or Telling("", hand=str(record.number))
    stacks, unit, won = record.game.stacks, told.unit, record.payoffs
    ends = [] if stacks is None or MOST_CHIPS in stacks else [stack + chips for stack, chips in zip(stacks, won)]
    fields = {
        "hand": _named(told.hand or (str(record.number) if told.source != "phh" else "")),
        "table": _named(told.table),
        "time_zone": _text(told.zone),
        "currency": _text(told.currency),
        "seats": list_text(map(str, told.seats)) if told.seats else "",
        "seat_count": str(told.places) if told.places else "",
        "players": list_text([string_text(name) for name in record.names]),
        "finishing_stacks": _amounts(ends, unit) if ends else "",
        "winnings": "" if ends else _amounts(_winnings(record), unit),
        **_when(told.time),
    }
    return {name: value for name, value in fields.items() if value}


def actions_of(record: HandRecord, unit: int = 1) -> list[str]:
    """The deals and actions of a hand. Where all are all-in hands are shown before the rest of the board."""
    found = [f"d dh p{p + 1} {cards_text(hole) or '????'}" for p, hole in enumerate(record.holes)]
    street = 0
    for before, action in record.steps():
        found += _boards(record, street, before.street)
        street = before.street
        player = f"p{before.to_act + 1}"
        if action.kind == "f":
            found.append(f"{player} f")
        elif action.kind == "c":
            found.append(f"{player} cc")
        else:
            after = before.after(action)
            found.append(f"{player} cbr {_amount(after.street_bets[before.to_act], unit)}")
    final = record.final()
    if final.is_showdown:
        found += _showdown(record, final)
    return found + _boards(record, street, final.street)


def _boards(record: HandRecord, street: int, last: int) -> list[str]:
    seen = [record.game.board_seen(number) for number in range(street, last + 1)]
    return [f"d db {cards_text(record.board[first:end])}" for first, end in pairwise(seen)]


def _showdown(record: HandRecord, final: Betting) -> list[str]:
    """Who shows and who mucks; where nothing else is told, all who are known have shown. Nothing is said if somebody
    wins whose cards are not known, since who mucks wins nothing."""
    live, holes = final.live, record.holes
    if not (record.telling and record.telling.shown):
        if any(not holes[p] and record.payoffs[p] > -final.committed[p] for p in live):
            return []
        shown: Sequence[bool] = [bool(hole) for hole in holes]
    else:
        shown = record.telling.shown
    return [f"p{p + 1} sm {cards_text(record.holes[p])}" if shown[p] else f"p{p + 1} sm" for p in live]


def is_endless(game: Game) -> bool:
    """Whether somebody's stack has no end."""
    return game.stacks is None or MOST_CHIPS in game.stacks


def refuses(record: HandRecord) -> str:
    """Why a hand cannot be written in PHH."""
    game = record.game
    if not game.is_holdem:
        return "PHH has no games with one hole card"
    if game.structure not in _VARIANTS:
        return f"PHH has no {game.structure} hold'em"
    if game.first_to_act[1:] != (0, 0, 0) or game.bet_sizes[0] != game.bet_sizes[1] or len(set(game.bet_sizes[2:])) > 1:
        return "PHH has no such bets, or such an order of acting"
    if game.stacks is not None and max(Betting.start(game).street_bets) < max(game.blinds):
        return "PHH has no blind that nobody has the chips for"
    return ""


def unsaid(record: HandRecord) -> list[str]:
    """What PHH cannot say of a hand."""
    told, found = record.telling, list[str]()
    if record.game.structure is Structure.FIXED_LIMIT and record.game.max_raises not in _CAPS:
        found.append("a cap of other than four bets")
    if told is None:
        return found
    is_own = told.source == "phh"
    said = {
        "a time that is no date": told.time and not _when(told.time),
        "whose file it is": told.hero >= 0,
        "other remarks": not is_own and told.extra,
    }
    return [*found, *(what for what, is_told in said.items() if is_told)]


_CAPS = ((3, 4, 4, 4), (4, 4, 4, 4))


def _winnings(record: HandRecord) -> list[float]:
    """What each took from the pot, an uncalled bet not counted."""
    return [won + paid for won, paid in zip(record.payoffs, called_chips(record.game, record.final().committed))]


def _stacks(chips: Iterable[int], unit: int) -> str:
    return list_text(["inf" if each == MOST_CHIPS else _amount(each, unit) for each in chips])


def _amounts(chips: Iterable[float], unit: int) -> str:
    return list_text([_amount(each, unit) for each in chips])


def _amount(chips: float, unit: int) -> str:
    """An amount of which `unit` chips are one.

    >>> _amount(1250, 100), _amount(300, 100), _amount(7, 1), _amount(7.5, 1)
    ('12.5', '3', '7', '7.5')
    """
    if isinstance(chips, int):
        whole, rest = divmod(chips, unit)
        return f"{whole}.{str(rest).zfill(len(str(unit)) - 1).rstrip('0')}" if rest else str(whole)
    return f"{chips / unit:.6f}".rstrip("0").rstrip(".")


def _named(text: str) -> str:
    """A number or a name, as TOML writes either."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and str(int(text)) == text
    return text if is_number else _text(text)


def _text(text: str) -> str:
    return string_text(text) if text else ""


def _when(time: str) -> dict[str, str]:
    """The fields of a day, and of a time on it."""
    found = _TIME.fullmatch(time)
    if found is None:
        return {}
    year, month, day, clock = found.groups()
    fields = {"day": str(int(day)), "month": str(int(month)), "year": str(int(year))}
    return {**fields, "time": clock} if clock else fields
