"""Lists of hands: those that cost a player most, or brought most, by money, luck or skill.

    hand_list("matches/demo", of="expert", by="skill", only=HandFilter(street="river", showdown=True))

Money is known of every hand of any game. Luck and skill are DIVAT's, so they are known of heads-up limit hold'em with
all cards shown; see `railbird.assess.divat`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.divat import Assessment, assess
from railbird.assess.settings import STANDARD
from railbird.cards import cards_text, holding_index
from railbird.errors import AssessmentError, MatchError, did_you_mean
from railbird.formats.hand_arrays import HandArrays, Problem
from railbird.formats.hand_logs import LogSource
from railbird.game.record import HandRecord
from railbird.game.replayed import role
from railbird.game.spec import STREETS, Game, Structure
from railbird.odds.ranges import parse_range
from railbird.play.folder import is_match
from railbird.play.log_result import remark_parts
from railbird.play.match_logs import OpenedLogs, open_logs
from railbird.play.skill import can_be_assessed
from railbird.progress import Watch
from railbird.results.parts import Fitting, Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.words import NONE, count_of, signed

KINDS = ("money", "luck", "skill")
POSITIONS = ("button", "SB", "BB")
_WORDS = ("cards", "versus", "board", "betting", "log")
"""Columns of words."""


@dataclass(frozen=True)
class HandFilter:
    """Which hands are wanted; what is `None` does not matter."""

    street: str | None = None
    """By luck or skill, only what this street gave or cost counts; by money, hands that went to it."""
    went_to: str | None = None
    """Hands that went to this street at least."""
    showdown: bool | None = None
    won: bool | None = None
    """Whether the player won money, or lost some."""
    position: str | None = None
    """One of `POSITIONS`."""
    versus: str | None = None
    """Only hands with this opponent."""
    holding: str | None = None
    """The player's cards, as a range: "QQ+, AKs"."""

    def __post_init__(self) -> None:
        for name, known in (("street", STREETS), ("went_to", STREETS), ("position", POSITIONS)):
            asked = getattr(self, name)
            if asked is not None and asked not in known:
                raise MatchError(
                    f"no {name.replace('_', ' ')} {asked!r}{did_you_mean(asked, known)} ({', '.join(known)})"
                )

    @property
    def words(self) -> list[str]:
        """The conditions, as they stand in a heading."""
        ends = {True: "at showdown", False: "without a showdown", None: ""}[self.showdown]
        result = {True: "won", False: "lost", None: ""}[self.won]
        others = {"went_to": "went to the ", "position": "", "versus": "versus ", "holding": "holding "}
        said = [f"{words}{getattr(self, name)}" for name, words in others.items() if getattr(self, name) is not None]
        return [each for each in (*said, ends, result) if each]


@dataclass(frozen=True)
class ListedHand:
    """A hand of a list, seen by one player. Amounts are small bets, in no-limit games big blinds."""

    record: HandRecord
    position: int
    """The player's."""
    money: float
    luck: float | None
    skill: float | None
    path: Path
    """The match folder or log that it is in."""
    seating: int
    """Which of the hands of this number it is there, from 1."""
    game: str = ""
    """The log's game, as it was asked for; empty where the log tells it."""

    @property
    def replay(self) -> str:
        """The command that shows it."""
        which = f" --seating {self.seating}" if self.seating > 1 else ""
        return f"railbird replay {shlex.quote(str(self.path))} {self.record.number}{which}{self._game_option}"

    @property
    def assess(self) -> str:
        """The command that tells what each street was worth."""
        return f"railbird assess {shlex.quote(str(self.path))} --hand {self.record.number}{self._game_option}"

    @property
    def _game_option(self) -> str:
        return f" --game {shlex.quote(self.game)}" if self.game else ""

    @property
    def others(self) -> list[str]:
        """The cards of the opponents who were in it to the end, as far as they are known; heads-up of the opponent."""
        live = self.record.final().live if self.record.game.seats > 2 else range(2)
        return [cards_text(self.record.holes[p], pretty=True) or "?" for p in live if p != self.position]

    @property
    def cards(self) -> tuple[str, str, str]:
        """The player's cards, the others' and the board."""
        own = cards_text(self.record.holes[self.position], pretty=True) or "?"
        return own, ", ".join(self.others), cards_text(self.record.board, pretty=True)

    @property
    def amounts(self) -> tuple[float, float | None, float | None]:
        return self.money, self.luck, self.skill

    def to_json(self) -> dict[str, Any]:
        record = self.record
        return {
            "hand": record.number,
            "seating": self.seating,
            "log": str(self.path),
            "players": list(record.names),
            "position": self.position,
            "cards": [cards_text(hole) for hole in record.holes],
            "board": cards_text(record.board),
            "betting": record.history,
            "money": self.money,
            "luck": self.luck,
            "skill": self.skill,
            "replay": self.replay,
        }


@dataclass(frozen=True, repr=False)
class HandList(Result):
    """The hands that cost a player most, or brought most, the first first."""

    path: Path
    player: str
    by: str
    best: bool
    only: HandFilter
    considered: int
    """How many hands of the player fit the conditions."""
    hands: tuple[ListedHand, ...]
    problems: tuple[Problem, ...] = ()
    """What was left out of the log, and why."""

    @property
    def unit(self) -> str:
        """What amounts are counted in."""
        is_limit = all(hand.record.game.structure is Structure.FIXED_LIMIT for hand in self.hands)
        return "small bets" if is_limit else "big blinds"

    @property
    def of_street(self) -> bool:
        """Whether luck and skill are those of one street, and not of whole hands."""
        return self.only.street is not None and self.by != "money"

    def parts(self) -> list[Part]:
        kind = "best" if self.best else "worst"
        of_street = f" on the {self.only.street}" if self.of_street else ""
        street = [f"went to the {self.only.street}"] if self.only.street and not self.of_street else []
        counted = f"{len(self.hands)} of {count_of(self.considered, 'hand')}"
        heading = Heading(
            f"{kind} hands of {self.player} by {self.by}{of_street}", (counted, *street, *self.only.words)
        )
        if not self.hands:
            verb = "brought" if self.best else "cost"
            nothing = Line(f"no such hand {verb} {self.player} anything by {self.by}{of_street}")
            return [heading, nothing, *remark_parts(self.problems)]
        return [heading, self._table(), *self._hints(), *remark_parts(self.problems)]

    def _table(self) -> Fitting:
        """Cards, betting and amounts side by side, or where there is little room below each other."""
        has_seatings = any(hand.seating > 1 for hand in self.hands)
        which = [(str(hand.record.number), *([str(hand.seating)] if has_seatings else [])) for hand in self.hands]
        key = ("hand", "seating")[: len(which[0])]
        several = len({hand.path for hand in self.hands}) > 1
        cards = [hand.cards for hand in self.hands]
        there = f"{self.only.street} " if self.of_street else ""
        has_skill = any(hand.skill is not None for hand in self.hands)
        amounts = ("money", f"{there}luck", f"{there}skill")[: 3 if has_skill else 1]
        played = [
            (hand.record.history, *(NONE if each is None else signed(each, 2) for each in hand.amounts[: len(amounts)]))
            for hand in self.hands
        ]
        logs = [(str(hand.path),) if several else () for hand in self.hands]
        bold = amounts.index("money" if self.by == "money" else f"{there}{self.by}")

        def table(header: Sequence[str], *columns: Sequence[Sequence[str]]) -> Table:
            rows = [sum(map(tuple, parts), ()) for parts in zip(which, *columns)]
            left = tuple(at for at, name in enumerate(header) if name in _WORDS)
            folded = tuple(at for at, name in enumerate(header) if name in ("versus", "betting", "log"))
            at = header.index(amounts[bold]) if amounts[bold] in header else None
            return Table(rows, header, words=0, left=left, folded=folded, bold=() if at is None else (at,))

        last = ("log",) if several else ()
        shown, done = (*key, "cards", "versus", "board"), ("betting", *amounts, *last)
        narrow = table(shown, cards), table((*key, *done), played, logs)
        return Fitting(table((*shown, *done), cards, played, logs), narrow)

    def _hints(self) -> list[Part]:
        first = self.hands[0]
        amounts = f"amounts are {self.unit} for {self.player}"
        if first.skill is not None and not self.of_street:
            less = ", less rake" if any(hand.record.rake for hand in self.hands) else ""
            amounts += f"; money is luck, skill and the seat together{less}"
        found: list[Part] = [Line(f"betting: f folds, c checks or calls, r bets or raises; {amounts}")]
        found.append(Line(f"replay the first: {first.replay}", 0))
        if first.skill is not None:
            found.append(Line(f"street by street: {first.assess}", 0))
        return found

    def rows(self) -> list[dict[str, Any]]:
        """A row for each hand."""
        return [
            {**hand.to_json(), "players": " vs ".join(hand.record.names), "cards": "|".join(hand.to_json()["cards"])}
            for hand in self.hands
        ]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.hands/1."""
        return {
            "schema": "railbird.hands/1",
            "unit": self.unit,
            "player": self.player,
            "by": self.by,
            "best": self.best,
            "only": {field.name: getattr(self.only, field.name) for field in fields(self.only)},
            "considered": self.considered,
            "hands": [hand.to_json() for hand in self.hands],
        }


@dataclass(frozen=True)
class _Seen:
    """The hands of a log as one player sees them, a row each, and where to get more of them."""

    position: NDArray[np.int64]
    roles: Sequence[str]
    """What the player's position is called in each hand."""
    money: NDArray[np.float64]
    last_street: NDArray[np.int64]
    showdown: NDArray[np.bool_]
    holdings: NDArray[np.int64]
    """The player's holdings, -1 where they are not known."""
    others: Sequence[frozenset[str]]
    source: NDArray[np.int64]
    numbers: NDArray[np.int64]
    record: Callable[[int], HandRecord]
    arrays: HandArrays | None = None

    def fitting(self, only: HandFilter) -> NDArray[np.bool_]:
        """Which of them are wanted."""
        wanted = np.ones(len(self.money), np.bool_)
        for street in (only.went_to, only.street):
            wanted &= self.last_street >= STREETS.index(street) if street else True
        wanted &= self.showdown == only.showdown if only.showdown is not None else True
        if only.won is not None:
            wanted &= self.money > 0 if only.won else self.money < 0
        if only.position is not None:
            wanted &= np.array([only.position in held.split(", ") for held in self.roles], np.bool_)
        if only.holding is not None:
            weights = np.append(parse_range(only.holding) > 0, False)  # the last for cards not known
            wanted &= weights[self.holdings]
        if only.versus is not None:
            wanted &= np.array([only.versus in names for names in self.others], np.bool_)
        return wanted


def hand_list(
    log: str | Path,
    of: str | None = None,
    by: str = "money",
    count: int = 10,
    best: bool = False,
    only: HandFilter | None = None,
    game: str | Game | None = None,
    watch: Watch | None = None,
) -> HandList:
    """The hands of a match folder or log that cost a player most by "money", "luck" or "skill", or brought most.

    The player is by default the first one; `only` says which hands are wanted. `game` is that of a log that does not
    tell it. `watch` is told how many hands are assessed.
    """
    if by not in KINDS:
        raise MatchError(f"no kind of cost {by!r}{did_you_mean(by, KINDS)} ({', '.join(KINDS)})")
    if count < 1:
        raise MatchError(f"{count} hands; at least 1 can be listed")
    logs, only = open_logs(log, game), only or HandFilter()
    arrays = logs.arrays() if logs.is_heads_up_limit else None
    if arrays is not None:
        arrays.refuse_unfair()
    if by != "money" and (arrays is None or not can_be_assessed(arrays.game)):
        raise AssessmentError(f"luck and skill are DIVAT's, for heads-up limit hold'em; {str(log)!r} can go by money")
    names = arrays.names if arrays is not None else logs.names
    player = of or (logs.folder.spec.names[0] if logs.folder else names[0])
    for name in (player, only.versus):
        if name is not None and name not in names:
            raise MatchError(f"no player {name!r} in {str(log)!r}{did_you_mean(name, names)} ({', '.join(names)})")
    seen = _seen_in_records(logs, player) if arrays is None else _seen_in_arrays(arrays, player)
    fitting = np.flatnonzero(seen.fitting(only))
    value = seen.money[fitting]
    if by != "money":
        fitting = fitting[seen.arrays.complete[fitting]] if seen.arrays is not None else fitting
        luck, skill = _luck_and_skill(seen, fitting, only.street, watch)
        value = luck if by == "luck" else skill
    order = np.argsort(-value if best else value, kind="stable")
    chosen = [int(n) for n in order[:count] if (value[n] > 0 if best else value[n] < 0)]
    told = game if isinstance(game, str) else ""
    listed = tuple(replace(each, game=told) for each in _listed(logs, seen, fitting[chosen], only, by))
    aside = logs.problems if arrays is None else arrays.problems
    problems = tuple(each for each in aside if each.skipped)
    return HandList(logs.path, player, by, best, only, len(fitting), listed, problems)


def _listed(
    logs: OpenedLogs, seen: _Seen, chosen: NDArray[np.int64], only: HandFilter, by: str
) -> tuple[ListedHand, ...]:
    luck: Sequence[float | None] = [None] * len(chosen)
    skill: Sequence[float | None] = [None] * len(chosen)
    arrays = seen.arrays
    if arrays is not None and can_be_assessed(arrays.game):
        whole = arrays.complete[chosen]
        found = _luck_and_skill(seen, chosen[whole], only.street if by != "money" else None)
        places = iter(zip(*(part.tolist() for part in found)))
        both = [next(places) if known else (None, None) for known in whole]
        luck, skill = [each[0] for each in both], [each[1] for each in both]
    found_hands = []
    for at, n in enumerate(chosen.tolist()):
        path, seating = _place(logs.sources, seen, n)
        record, position = seen.record(n), int(seen.position[n])
        found_hands.append(ListedHand(record, position, float(seen.money[n]), luck[at], skill[at], path, seating))
    return tuple(found_hands)


def _place(sources: Sequence[LogSource], seen: _Seen, n: int) -> tuple[Path, int]:
    """The match folder or log of a hand, and which of the hands of its number it is there."""
    source = sources[int(seen.source[n])]
    if is_match(source.path.parent):
        logs = [each.path for each in sources if each.path.parent == source.path.parent]
        return source.path.parent, logs.index(source.path) + 1
    before = (seen.source[:n] == seen.source[n]) & (seen.numbers[:n] == seen.numbers[n])
    return source.path, int(before.sum()) + 1


def _luck_and_skill(
    seen: _Seen, chosen: NDArray[np.int64], street: str | None, watch: Watch | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the cards gave the player and what the play was worth, in whole hands or on one street."""
    assert seen.arrays is not None
    wanted = np.zeros(len(seen.arrays), np.bool_)
    wanted[chosen] = True
    found: Assessment = assess(seen.arrays.where(wanted), STANDARD, watch)
    back = np.argsort(np.argsort(chosen, kind="stable"), kind="stable")  # assessed in the order of the log
    sign = np.where(seen.position[chosen] == 0, 1.0, -1.0)
    parts = slice(None) if street is None else [STREETS.index(street)]
    luck, skill = (sign * each[:, parts].sum(axis=1)[back] for each in (found.luck, found.difference))
    return luck, skill


def _seen_in_arrays(arrays: HandArrays, player: str) -> _Seen:
    place = arrays.names.index(player)
    mine = arrays.where((arrays.players == place).any(axis=1))
    position = np.where(mine.players[:, 0] == place, 0, 1)
    here = np.arange(len(mine))
    holes = mine.holes[here, position].tolist()
    others = mine.players[here, 1 - position]
    names = [role(mine.game, place) for place in (0, 1)]
    return _Seen(
        position,
        [names[place] for place in position.tolist()],
        mine.payoffs[here, position] / mine.small_bet,
        mine.last_street.astype(np.int64),
        mine.folder < 0,
        np.array([holding_index(*hole) if max(hole) < 52 else -1 for hole in holes], np.int64),
        [frozenset((mine.names[other],)) for other in others],
        mine.file.astype(np.int64),
        mine.numbers,
        mine.record,
        mine,
    )


def _seen_in_records(logs: OpenedLogs, player: str) -> _Seen:
    found = [(s, record) for s, record in logs.all_records() if player in record.names]
    records = [record for _, record in found]
    positions = [record.names.index(player) for record in records]
    finals = [record.final() for record in records]
    holes = [record.holes[position] for record, position in zip(records, positions)]
    money = [record.payoffs[p] / record.game.small_bet for record, p in zip(records, positions)]
    places = {id(source): at for at, source in enumerate(logs.sources)}
    return _Seen(
        np.array(positions, np.int64),
        [role(record.game, position) for record, position in zip(records, positions)],
        np.array(money),
        np.array([final.street for final in finals], np.int64),
        np.array([final.is_showdown for final in finals], np.bool_),
        np.array([holding_index(*hole) if len(hole) == 2 else -1 for hole in holes], np.int64),
        [frozenset(record.names) - {player} for record in records],
        np.array([places[id(source)] for source, _ in found], np.int64),
        np.array([record.number for record in records], np.int64),
        records.__getitem__,
    )
