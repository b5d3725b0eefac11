"""PHH, the poker hand history format of PokerKit: hold'em with fixed limit and no limit, read.

A `.phh` file is one hand, fields of TOML; a `.phhs` file has many, each under the number of its table, `[1]`. Players
are numbered in order of position, p1 the first to act after the flop, so heads-up the big blind; but the two blinds of
a heads-up hand stand in the order small, big.

    actions = ['d dh p1 5d5c', 'd dh p2 9hQd', 'p2 cbr 600', 'p1 cc', 'd db 8dAs8s', ...]

A `cbr` is what the player has then bet on the street. `sm` with cards shows a hand, without it is mucked. Payoffs are
those of finishing_stacks or winnings, and if there are neither, those of the rules, where who mucks wins nothing. A
stack of `inf` is one of as many chips as there can be; a limit game in which all have it is one without stacks.
Everything else that a file says is kept as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from railbird.errors import InvalidGameError, InvalidRecordError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import Block, HistoryFile, Retold
from railbird.formats.phh_actions import ENDLESS, Deed, Played, Scale
from railbird.formats.phh_writing import is_endless, refuses, unsaid, write_hand, write_hands
from railbird.formats.readers import Format
from railbird.formats.toml_fields import fields_of, numbers, string, strings, without_exponents
from railbird.game.betting import called_chips
from railbird.game.payoffs import payoffs
from railbird.game.rake import most_rake
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import MOST_SEATS, Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted, whole_number

_TABLE = re.compile(r"\[\s*['\"]?([\w .-]+)['\"]?\s*\]\s*(#.*)?")
_VARIANT = re.compile(r"^\s*variant\s*=\s*['\"]", re.MULTILINE)
_FIELD = re.compile(r"\s*[\w-]+\s*=")
_OTHER_GAMES = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high/low",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud high/low",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit 2-7 single draw",
    "F2L3D": "fixed-limit 2-7 triple draw",
    "FB": "fixed-limit badugi",
}
_VARIANTS = {"FT": Structure.FIXED_LIMIT, "NT": Structure.NO_LIMIT, "PT": Structure.POT_LIMIT}
_MOST_ACTIONS = 2_000
_OWN = (
    *("variant", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet", "starting_stacks", "actions"),
    *("hand", "table", "seats", "seat_count", "players", "finishing_stacks", "winnings", "currency", "time_zone"),
)
"""Fields that a record has a place for."""
_AMOUNTS = (
    *("antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet"),
    *("starting_stacks", "finishing_stacks", "winnings"),
)
_NAMES = {Structure.FIXED_LIMIT: "limit", Structure.NO_LIMIT: "no-limit", Structure.POT_LIMIT: "pot-limit"}
_LIMITS, _LEAST = ("small_bet", "small_bet", "big_bet", "big_bet"), ("min_bet",) * 4
_CLOCK = re.compile(r"\d\d:\d\d:\d\d", re.ASCII)


def is_hand(beginning: str) -> bool:
    """Whether a file that begins so is a hand in PHH."""
    return bool(_FIELD.match(_first_line(beginning))) and bool(_VARIANT.search(beginning))


def are_hands(beginning: str) -> bool:
    """Whether a file that begins so has hands in PHH, under their numbers."""
    return bool(_TABLE.fullmatch(_first_line(beginning))) and bool(_VARIANT.search(beginning))


def _first_line(beginning: str) -> str:
    lines = (line.strip() for line in beginning.splitlines())
    return next((line for line in lines if line and line[0] != "#"), "")


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a file, one alone or many."""
    for block in file.blocks(lambda line: line[0] == "[" and _TABLE.fullmatch(line.rstrip()) is not None):
        if all(line.lstrip()[0] == "#" for line in block.lines):
            continue
        yield file.judged(block.line, parse_hand, block)


def parse_hand(block: Block) -> Retold:
    """The hand of the fields that stand in some lines, maybe after the number of their table."""
    table = _TABLE.fullmatch(block.lines[0].rstrip()) if block.lines[0][0] == "[" else None
    fields = fields_of(block.lines[1:] if table else block.lines)
    variant = string(_needed(fields, "variant"))
    if variant not in _VARIANTS:
        words = f" ({_OTHER_GAMES[variant]})" if variant in _OTHER_GAMES else ""
        message = f"a hand of {quoted(variant)}{words}; hold'em with fixed limit (FT) and no limit (NT) is read"
        raise InvalidRecordError(message, "other-game")
    number, name = _number(fields.get("hand"), table[1] if table else "0")
    return _Hand(fields, _VARIANTS[variant], number, name).retold()


def _number(hand: str | None, table: str) -> tuple[int, str]:
    """The number of a hand, and what it is called."""
    name = "" if hand is None else string(hand)
    for text in (name, table):
        if text.isascii() and text.isdigit() and len(text) <= 15:
            return int(text), name
    return 0, name


def _needed(fields: dict[str, str], name: str) -> str:
    if name not in fields:
        raise InvalidRecordError(f"a hand without {name}", "incomplete")
    return fields[name]


class _Table(NamedTuple):
    """What the fields of a game say, stacks apart. By position."""

    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    bet_sizes: tuple[int, ...]
    first: int
    """Who acts first before the flop."""
    signs: tuple[int, ...]
    """-1 for who posted, and does not begin the betting."""

    @staticmethod
    @lru_cache(maxsize=256)
    def of(blinds: str, antes: str, sizes: tuple[str, ...], seats: int, scale: Scale) -> _Table:
        """The game of fields as they are written."""
        signs = [-1 if text.startswith("-") else 1 for text in numbers(blinds)]
        posted, paid = scale.amounts(blinds.replace("-", "")), scale.amounts(antes)
        for what, found in (("blinds", posted), ("antes", paid)):
            if len(found) != seats:
                raise InvalidRecordError(f"{len(found)} {what} for {seats} players", "players")
        if seats == 2:
            posted, paid, signs = posted[::-1], paid[::-1], signs[::-1]
        first = _first_to_act(posted, signs)
        return _Table(tuple(posted), tuple(paid), tuple(map(scale.chips, sizes)), first, tuple(signs))


def _first_to_act(blinds: Sequence[int], signs: Sequence[int]) -> int:
    """Who acts after the last of the largest blinds or straddles."""
    last = max(range(len(blinds)), key=lambda p: (blinds[p] * signs[p], p))
    return (last + 1) % len(blinds)


class _Hand:
    """One hand while it is read."""

    def __init__(self, fields: dict[str, str], structure: Structure, number: int, name: str) -> None:
        self._fields, self._structure, self._number, self._name = fields, structure, number, name
        text = _needed(fields, "actions")
        actions = strings(text)
        if len(actions) > _MOST_ACTIONS:
            raise InvalidRecordError(f"{len(actions):,} actions; a hand has fewer", "betting")
        self._deeds = [Deed.parse(action) for action in actions]
        self._kept: list[str] = ["actions"] if "#" in text else []
        """Fields that say more than the record does."""
        for name in _AMOUNTS:
            if name in fields and ("e" in fields[name] or "E" in fields[name]):
                fields[name] = without_exponents(fields[name])
        amounts = [fields[name] for name in _AMOUNTS if name in fields]
        if "." in text:
            amounts += [deed.text for deed in self._deeds if deed.kind == "cbr"]
        self._scale = Scale.of(amounts)

    def retold(self) -> Retold:
        game = self._game()
        played = Played(game, self._scale)
        played.play(self._deeds)
        players, seats = self._fields.get("players"), game.seats
        names = tuple(strings(players)) if players else tuple([f"p{place + 1}" for place in range(seats)])
        history = "".join(played.history)
        if game.structure is Structure.FIXED_LIMIT and history.partition("/")[0].count("r") == 4:
            game = replace(game, max_raises=(4, 4, 4, 4))  # as PokerKit has it, for whom the blind is no bet
        if played.has_free_fold:
            game = replace(game, free_fold=True)
        told = (game, self._number, names, tuple(played.holes), played.board, history)
        won = self._payoffs(game, played) or _ruled(HandRecord(*told, (0,) * seats), played)
        rake, pot = -sum(won), sum(called_chips(game, played.committed))
        if rake > most_rake(pot, game.small_bet):
            raise InvalidRecordError(f"hand {self._number}: payoffs {won} leave {rake} of a pot of {pot}", "rake")
        return Retold(HandRecord(*told, won, self._telling(played, rake)), played.turns)

    def _game(self) -> Game:
        fields, is_fixed = self._fields, self._structure is Structure.FIXED_LIMIT
        given = _needed(fields, "starting_stacks")
        seats = given.count(",") + 1
        if is_fixed and "inf" in given and set(numbers(given)) <= ENDLESS:
            stacks = None
        else:
            stacks = tuple(self._scale.stacks(given))
            seats = len(stacks)
        if not 2 <= seats <= MOST_SEATS:
            raise InvalidRecordError(f"{seats} players", "players")
        sizes = tuple([_needed(fields, name) for name in (_LIMITS if is_fixed else _LEAST)])
        table = _Table.of(_needed(fields, "blinds_or_straddles"), _needed(fields, "antes"), sizes, seats, self._scale)
        ante, dead = self._ante(table.antes, stacks)
        blinds, first = table.blinds, table.first
        if stacks is not None and min(stacks) < max(blinds) + max(table.antes):
            blinds = tuple([min(post, max(0, stack - paid)) for post, stack, paid in zip(blinds, stacks, table.antes)])
            if blinds != table.blinds:
                first = _first_to_act(blinds, table.signs)
                self._kept.append("blinds_or_straddles")
        try:
            return Game(
                name=_NAMES[self._structure],
                structure=self._structure,
                blinds=blinds,
                bet_sizes=table.bet_sizes,
                max_raises=(3, 4, 4, 4) if is_fixed else (None,) * 4,
                first_to_act=(first, 0, 0, 0),
                ante=ante,
                dead=dead,
                stacks=stacks,
            )
        except InvalidGameError as error:
            raise InvalidRecordError(f"hand {self._number}: {error}", "unplayable") from None

    def _ante(self, antes: Sequence[int], stacks: Sequence[int] | None) -> tuple[int, tuple[int, ...] | None]:
        """The ante of all players, and what else is paid beside the bets. Antes that are not trimmed are in the main
        pot whatever the stacks are."""
        is_trimmed = self._fields.get("ante_trimming_status") == "true"
        is_same = antes.count(antes[0]) == len(antes)
        if is_same and (is_trimmed or stacks is None or min(stacks) >= antes[0]):
            return antes[0], None
        if is_trimmed:
            message = f"hand {self._number}: antes {tuple(antes)} that are trimmed to what the others pay"
            raise InvalidRecordError(message, "unplayable")
        return 0, tuple(antes)

    def _amounts(self, name: str, seats: int) -> list[int]:
        found = self._scale.amounts(self._fields[name])
        if len(found) != seats:
            raise InvalidRecordError(f"hand {self._number}: {len(found)} {name} for {seats} players", "players")
        return found

    def _payoffs(self, game: Game, played: Played) -> tuple[int, ...] | None:
        """What each won as the file says it; nothing if it does not say."""
        if "finishing_stacks" in self._fields and game.stacks is not None and not is_endless(game):
            ends = self._amounts("finishing_stacks", game.seats)
            return tuple([end - start for end, start in zip(ends, game.stacks)])
        if "winnings" in self._fields:
            given = self._amounts("winnings", game.seats)
            return tuple([chips - paid for chips, paid in zip(given, called_chips(game, played.committed))])
        return None

    def _telling(self, played: Played, rake: int) -> Telling:
        fields, seats = self._fields, len(played.holes)
        time, used = _time(fields)
        extra = [(name, value) for name, value in fields.items() if name not in _OWN and name not in used]
        extra += [(name, fields[name]) for name in self._kept]
        places = numbers(fields["seats"]) if "seats" in fields else ()
        return Telling(
            "phh",
            hand=self._name,
            table=string(fields["table"]) if "table" in fields else "",
            time=time,
            zone=string(fields["time_zone"]) if "time_zone" in fields else "",
            currency=string(fields["currency"]) if "currency" in fields else "",
            unit=self._scale.unit,
            seats=tuple([_small(text) for text in places]),
            places=_small(fields["seat_count"]) if "seat_count" in fields else 0,
            shown=tuple([p in played.shown for p in range(seats)]) if played.mucked or played.shown else (),
            rake=rake,
            extra=tuple(extra),
        )


def _ruled(record: HandRecord, played: Played) -> tuple[int, ...]:
    """What the rules give; who does not show wins nothing."""
    node = record.final()
    if not node.is_showdown:
        return payoffs(node)
    record.check_cards()
    open_hands = [p for p in node.live if record.holes[p] and p not in played.mucked]
    if not open_hands:
        raise InvalidRecordError(f"hand {record.number}: a showdown in which nobody shows", "incomplete")
    ranks = [showdown_rank(record.game, h, record.board) if p in open_hands else -1 for p, h in enumerate(record.holes)]
    return payoffs(node, ranks)


def _small(text: str) -> int:
    try:
        return whole_number(text, 0, 10**6)
    except ValueError as error:
        raise InvalidRecordError(str(error)) from None


def _time(fields: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """When a hand was played, as "2023-06-22 18:00:05", if the day is told, and the fields that tell it."""
    if not all(re.fullmatch("[0-9]{1,4}", fields.get(name, "")) for name in ("day", "month", "year")):
        return "", ()
    year, month, day = (_small(fields[name]) for name in ("year", "month", "day"))
    if not (year < 10_000 and month < 100 and day < 100):
        return "", ()
    date, clock = f"{year:04}-{month:02}-{day:02}", fields.get("time", "")
    if _CLOCK.fullmatch(clock):
        return f"{date} {clock}", ("day", "month", "year", "time")
    return date, ("day", "month", "year")


FORMAT = Format("phh", "PHH file", is_hand, read, write_hand, unsaid, (".phh",), refuses)
MANY = Format("phhs", "PHH file of many hands", are_hands, read, write_hands, unsaid, (".phhs",), refuses)
