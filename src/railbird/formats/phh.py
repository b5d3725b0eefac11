"""PHH, the poker hand history format of PokerKit: hold'em with fixed limit and no limit, read.

A `.phh` file is one hand, fields of TOML; a `.phhs` file has many, each under the number of its table, `[1]`. Players
are numbered in order of position, p1 the first to act after the flop, so heads-up the big blind; but the two blinds of
a heads-up hand stand in the order small, big.

    actions = ['d dh p1 5d5c', 'd dh p2 9hQd', 'p2 cbr 600', 'p1 cc', 'd db 8dAs8s', ...]

A `cbr` is what the player has then bet on the street. `sm` with cards shows a hand, without it is mucked. Payoffs are
those of finishing_stacks or winnings, and if there are neither, those of the rules, where who mucks wins nothing.
Everything else that a file says is kept as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from railbird.cards import parse_cards
from railbird.errors import InvalidCardsError, InvalidGameError, InvalidRecordError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import Block, HistoryFile, Retold
from railbird.formats.phh_writing import refuses, unsaid, write_hand, write_hands
from railbird.formats.readers import Format
from railbird.formats.toml_fields import fields_of, numbers, string, strings
from railbird.game.payoffs import payoffs
from railbird.game.rake import most_rake
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import MOST_CHIPS, MOST_SEATS, Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted, whole_number

_TABLE = re.compile(r"\[\s*['\"]?([\w .-]+)['\"]?\s*\]\s*(#.*)?")
_VARIANT = re.compile(r"^\s*variant\s*=\s*['\"]", re.MULTILINE)
_FIELD = re.compile(r"\s*[\w-]+\s*=")
_AMOUNT = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,6}))?")
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
_LONGEST_LIST = 400
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
_PLACES = {f"p{place + 1}": place for place in range(MOST_SEATS)}
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


class _Hand:
    """One hand while it is read."""

    def __init__(self, fields: dict[str, str], structure: Structure, number: int, name: str) -> None:
        self._fields, self._structure, self._number, self._name = fields, structure, number, name
        text = _needed(fields, "actions")
        actions = strings(text)
        self._actions = [
            each.split() for each in ([each.partition("#")[0] for each in actions] if "#" in text else actions)
        ]
        if len(self._actions) > _MOST_ACTIONS:
            raise InvalidRecordError(f"hand {number}: {len(self._actions):,} actions; a hand has fewer", "betting")
        self._kept: list[str] = ["actions"] if "#" in fields["actions"] else []
        """Fields that say more than the record does."""
        self._unit, self._places = self._scale()

    def retold(self) -> Retold:
        game = self._game()
        played = _Played(game, self._chips)
        for words in self._actions:
            played.add(words)
        seats = game.seats
        players = self._fields.get("players")
        names = tuple(strings(players)) if players else tuple([f"p{place + 1}" for place in range(seats)])
        history = "".join(played.history)
        if game.structure is Structure.FIXED_LIMIT and history.partition("/")[0].count("r") == 4:
            game = replace(game, max_raises=(4, 4, 4, 4))  # as PokerKit has it, for whom the blind is no bet
        if played.has_free_fold:
            game = replace(game, free_fold=True)
        record = HandRecord(game, self._number, names, tuple(played.holes), tuple(played.board), history, (0,) * seats)
        won = self._payoffs(game, played) or _ruled(record, played)
        rake, pot = -sum(won), sum(played.called)
        if rake > most_rake(pot, game.small_bet):
            message = f"hand {self._number}: payoffs {won} leave {rake} of a pot of {pot}"
            raise InvalidRecordError(message, "rake")
        return Retold(replace(record, payoffs=won, telling=self._telling(played, rake)), played.turns)

    def _scale(self) -> tuple[int, int]:
        """How many chips are one of the file's, and how many digits that are, so that all amounts are whole."""
        texts = [self._fields.get(name, "") for name in _AMOUNTS]
        texts += [words[2] for words in self._actions if len(words) == 3 and words[1] == "cbr"]
        if not any("." in text for text in texts):
            return 1, 0
        parts = re.findall(r"\.(\d+)", " ".join(texts))
        places = max([2, *(len(part.rstrip("0")) for part in parts)])
        if places > 6:
            raise InvalidRecordError(f"hand {self._number}: amounts of {places} digits after the point")
        return 10**places, places

    def _chips(self, text: str) -> int:
        if self._unit == 1 and text.isascii() and text.isdigit() and len(text) <= 15:
            return int(text)
        found = _AMOUNT.fullmatch(text.replace("_", ""))
        if found is None:
            raise InvalidRecordError(f"hand {self._number}: {quoted(text)} is no amount of chips")
        return int(found[1]) * self._unit + (int(found[2].ljust(self._places, "0")[: self._places]) if found[2] else 0)

    def _amounts(self, name: str, seats: int = 0) -> list[int]:
        inside = _needed(self._fields, name)[1:-1]
        if self._unit == 1 and inside.isascii() and inside.replace(", ", "").isdigit() and len(inside) <= _LONGEST_LIST:
            found = list(map(int, inside.split(", ")))
        else:
            found = [self._chips(text) for text in numbers(self._fields[name])]
        if seats and len(found) != seats:
            raise InvalidRecordError(f"hand {self._number}: {len(found)} {name} for {seats} players", "players")
        return found

    def _game(self) -> Game:
        stacks = numbers(_needed(self._fields, "starting_stacks"))
        seats = len(stacks)
        if not 2 <= seats <= MOST_SEATS:
            raise InvalidRecordError(f"hand {self._number}: {seats} players", "players")
        is_fixed = self._structure is Structure.FIXED_LIMIT
        chips = None if is_fixed and set(stacks) == {"inf"} else tuple(self._amounts("starting_stacks"))
        signs = [1] * seats
        if "-" in _needed(self._fields, "blinds_or_straddles"):
            raw = numbers(self._fields["blinds_or_straddles"])
            signs = [-1 if text.startswith("-") else 1 for text in raw]
            blinds = [self._chips(text.removeprefix("-")) for text in raw]
        else:
            blinds = self._amounts("blinds_or_straddles")
        antes = self._amounts("antes", seats)
        if len(blinds) != seats:
            raise InvalidRecordError(f"hand {self._number}: {len(blinds)} blinds for {seats} players", "players")
        if seats == 2:
            blinds, antes, signs = blinds[::-1], antes[::-1], signs[::-1]
        ante, dead = self._ante(antes, chips)
        if chips is not None and any(blind + paid > stack for blind, paid, stack in zip(blinds, antes, chips)):
            self._kept.append("blinds_or_straddles")
            blinds = [min(blind, stack - min(paid, stack)) for blind, stack, paid in zip(blinds, chips, antes)]
        last = max(range(seats), key=lambda p: (blinds[p] * signs[p], p))
        sizes = ("small_bet", "small_bet", "big_bet", "big_bet") if is_fixed else ("min_bet",) * 4
        try:
            return Game(
                name=_NAMES[self._structure],
                structure=self._structure,
                blinds=tuple(blinds),
                bet_sizes=tuple([self._chips(_needed(self._fields, size)) for size in sizes]),
                max_raises=(3, 4, 4, 4) if is_fixed else (None,) * 4,
                first_to_act=((last + 1) % seats, 0, 0, 0),
                ante=ante,
                dead=dead,
                stacks=chips,
            )
        except InvalidGameError as error:
            raise InvalidRecordError(f"hand {self._number}: {error}", "unplayable") from None

    def _ante(self, antes: Sequence[int], stacks: Sequence[int] | None) -> tuple[int, tuple[int, ...] | None]:
        """The ante of all players, and what else is paid beside the bets. Antes that are not trimmed are in the main
        pot whatever the stacks are."""
        is_trimmed = self._fields.get("ante_trimming_status") == "true"
        is_same = len(set(antes)) == 1
        if is_same and (is_trimmed or stacks is None or min(stacks) >= antes[0]):
            return antes[0], None
        if is_trimmed:
            message = f"hand {self._number}: antes {tuple(antes)} that are trimmed to what the others pay"
            raise InvalidRecordError(message, "unplayable")
        return 0, tuple(antes)

    def _payoffs(self, game: Game, played: _Played) -> tuple[int, ...] | None:
        """What each won as the file says it; nothing if it does not say."""
        if "finishing_stacks" in self._fields and game.stacks is not None:
            ends = self._amounts("finishing_stacks", game.seats)
            return tuple([end - start for end, start in zip(ends, game.stacks)])
        if "winnings" in self._fields:
            given = self._amounts("winnings", game.seats)
            return tuple([chips - paid for chips, paid in zip(given, played.called)])
        return None

    def _telling(self, played: _Played, rake: int) -> Telling:
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
            unit=self._unit,
            seats=tuple([_small(text) for text in places]),
            places=_small(fields["seat_count"]) if "seat_count" in fields else 0,
            shown=tuple([p in played.shown for p in range(seats)]) if played.mucked or played.shown else (),
            rake=rake,
            extra=tuple(extra),
        )


class _Played:
    """The cards and the betting of a hand, action by action."""

    def __init__(self, game: Game, chips: Callable[[str], int]) -> None:
        self._game, self._chips = game, chips
        antes = game.dead or (game.ante,) * game.seats
        stacks = game.stacks or (MOST_CHIPS,) * game.seats
        self._stacks = stacks
        self._bets = list(game.blinds)
        self._level, self._street = max(game.blinds), 0
        self._step = game.bet_sizes[0]
        self.committed = [min(ante, stack) + blind for ante, stack, blind in zip(antes, stacks, game.blinds)]
        self.holes: list[tuple[int, ...]] = [()] * game.seats
        self.board: list[int] = []
        self.history: list[str] = []
        self.turns: list[int] = []
        self.shown: set[int] = set()
        self.mucked: set[int] = set()
        self.has_free_fold = False
        """Whether somebody folded who could have checked."""

    @property
    def called(self) -> list[int]:
        """What each has put in, an uncalled bet not counted."""
        second = sorted(self.committed)[-2]
        return [min(chips, second) for chips in self.committed]

    def add(self, words: Sequence[str]) -> None:
        """One action, as the words that it is written in."""
        if len(words) < 2:
            if words:
                raise _no_action(words)
            return
        who, what, *rest = words
        if who == "d":
            self._deal(what, rest)
            return
        place = self._place(who)
        if what == "cc" and not rest:
            chips = min(self._level - self._bets[place], self._stacks[place] - self.committed[place])
            self._bets[place] += chips
            self.committed[place] += chips
            self._act(place, "c")
        elif what == "f" and not rest:
            self.has_free_fold |= self._level == self._bets[place]
            self._act(place, "f")
        elif what == "cbr" and len(rest) == 1:
            self._raise(place, self._chips(rest[0]))
        elif what == "sm" and len(rest) < 2:
            self._show(place, rest[0] if rest else "")
        else:
            raise _no_action(words)

    def _show(self, place: int, cards: str) -> None:
        """A hand that is shown, or without cards mucked."""
        (self.shown if cards else self.mucked).add(place)
        if cards and "?" not in cards and cards != "-":
            seen = _cards(cards)
            if self.holes[place] and set(self.holes[place]) != set(seen):
                raise InvalidRecordError(f"p{place + 1} shows other cards than were dealt", "cards")
            self.holes[place] = self.holes[place] or seen

    def _place(self, player: str) -> int:
        place = _PLACES.get(player, MOST_SEATS)
        if place >= len(self.holes):
            raise InvalidRecordError(f"{quoted(player)} is none of {len(self.holes)} players", "players")
        return place

    def _deal(self, what: str, rest: Sequence[str]) -> None:
        if what == "dh" and len(rest) == 2:
            place = self._place(rest[0])
            if "?" not in rest[1]:
                self.holes[place] += _cards(rest[1])
        elif what == "db" and len(rest) == 1:
            self._street += 1
            self.board += _cards(rest[0])
            self.history.append("/")
            if self._street >= self._game.streets or len(self.board) != self._game.board_seen(self._street):
                raise InvalidRecordError(f"{quoted(rest[0])} are no board cards of one run of hold'em", "unplayable")
            self._bets = [0] * len(self._bets)
            self._level, self._step = 0, self._game.bet_sizes[self._street]
        else:
            raise InvalidRecordError(f"{quoted(' '.join(('d', what, *rest)))} is no deal of hold'em", "cards")

    def _act(self, place: int, action: str) -> None:
        self.turns.append(place)
        self.history.append(action)

    def _pay(self, place: int, chips: int) -> None:
        self._bets[place] += chips
        self.committed[place] += chips

    def _raise(self, place: int, to: int) -> None:
        """A bet or raise to so much on the street."""
        if self._game.structure is not Structure.FIXED_LIMIT:
            self._pay(place, to - self._bets[place])
            self._level = max(self._level, to)
            self._act(place, f"r{self.committed[place]}")
            return
        bet = self._game.bet_sizes[self._street]
        behind = self._stacks[place] - self.committed[place] + self._bets[place]
        if to != min(self._level + self._step, behind):
            raise InvalidRecordError(f"a bet to {to} where {self._level + self._step} is the limit", "betting")
        size = to - self._level
        self._step = bet if 2 * (size + bet - self._step) >= bet else self._step - size
        self._pay(place, to - self._bets[place])
        self._level = to
        self._act(place, "r")


def _no_action(words: Sequence[str]) -> InvalidRecordError:
    return InvalidRecordError(f"{quoted(' '.join(words))} is no action of hold'em", "betting")


@lru_cache(maxsize=8192)
def _cards(text: str) -> tuple[int, ...]:
    try:
        return parse_cards(text)
    except InvalidCardsError as error:
        raise InvalidRecordError(str(error), "cards") from None


def _ruled(record: HandRecord, played: _Played) -> tuple[int, ...]:
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
