"""The actions of a hand in PHH, one after the other: cards, betting string, and what everybody has put in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from railbird.cards import parse_cards
from railbird.errors import InvalidCardsError, InvalidRecordError
from railbird.formats.toml_fields import numbers
from railbird.game.spec import MOST_CHIPS, MOST_SEATS, Game, Structure
from railbird.numbers import quoted

_AMOUNT = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,12}))?")
_DECIMALS = re.compile(r"\.([0-9]+)")
_PLAIN_LIST = re.compile(r"\[(?:[0-9]{1,15}, )*[0-9]{1,15}\]")
_MOST_DIGITS, _MOST_PLACES = 15, 6
ENDLESS = {"inf", "+inf"}
"""How a stack is written that has no end."""
_PLACES = {f"p{place + 1}": place for place in range(MOST_SEATS)}


class Scale(NamedTuple):
    """How many chips of a record are one of the file's, so that all amounts are whole, and how many digits that are."""

    unit: int = 1
    digits: int = 0

    @staticmethod
    def of(texts: Sequence[str]) -> Scale:
        """The scale of some amounts, as they are written."""
        parts = [part.rstrip("0") for text in texts if "." in text for part in _DECIMALS.findall(text)]
        if not parts:
            return _WHOLE
        digits = max(2, *map(len, parts))
        if digits > _MOST_PLACES:
            raise InvalidRecordError(f"amounts of {digits} digits after the point")
        return Scale(10**digits, digits)

    def chips(self, text: str) -> int:
        """One amount."""
        if self.unit == 1 and len(text) <= _MOST_DIGITS and text.isdigit() and text.isascii():
            return int(text)
        found = _AMOUNT.fullmatch(text.replace("_", ""))
        if found is None:
            raise InvalidRecordError(f"{quoted(text)} is no amount of chips")
        part = (found[2] or "").ljust(self.digits, "0")[: self.digits]
        return int(found[1]) * self.unit + int(part or 0)

    def amounts(self, value: str) -> list[int]:
        """A list of amounts."""
        if self.unit == 1 and _PLAIN_LIST.fullmatch(value):
            return list(map(int, value[1:-1].split(", ")))
        return [self.chips(text) for text in numbers(value)]

    def stacks(self, value: str) -> list[int]:
        """A list of stacks; one without end is as many chips as there can be."""
        if "inf" not in value:
            return self.amounts(value)
        return [MOST_CHIPS if text in ENDLESS else self.chips(text) for text in numbers(value)]


_WHOLE = Scale()


class Deed(NamedTuple):
    """One action, taken apart."""

    kind: str
    """"f", "cc", "cbr", "sm", "dh" or "db"; empty for a remark alone."""
    place: int = 0
    """The position of the player."""
    text: str = ""
    """The amount or the cards, as they are written."""
    number: int = -1
    """The amount, if it is a whole number of few digits."""
    cards: tuple[int, ...] = ()
    """The cards, if they are known."""

    @staticmethod
    @lru_cache(maxsize=1 << 15)
    def parse(text: str) -> Deed:
        """An action as it is written, maybe with a remark; refuses what is none of hold'em."""
        words = text.partition("#")[0].split()
        match words:
            case []:
                return Deed("")
            case [player, "f" | "cc" | "sm" as kind]:
                return Deed(kind, _place(player))
            case [player, "cbr", amount]:
                is_plain = amount.isdigit() and amount.isascii() and len(amount) <= _MOST_DIGITS
                return Deed("cbr", _place(player), amount, int(amount) if is_plain else -1)
            case [player, "sm", cards]:
                return Deed("sm", _place(player), cards, cards=() if cards == "-" else known_cards(cards))
            case ["d", "dh", player, cards]:
                return Deed("dh", _place(player), cards, cards=known_cards(cards))
            case ["d", "db", cards]:
                return Deed("db", 0, cards, cards=known_cards(cards))
        raise InvalidRecordError(f"{quoted(' '.join(words))} is no action of hold'em", "betting")


def _place(player: str) -> int:
    place = _PLACES.get(player)
    if place is None:
        raise InvalidRecordError(f"{quoted(player)} is no player", "players")
    return place


def known_cards(text: str) -> tuple[int, ...]:
    """Cards that are named; none if they are not known."""
    try:
        return () if "?" in text else parse_cards(text)
    except InvalidCardsError as error:
        raise InvalidRecordError(str(error), "cards") from None


class Played:
    """The cards and the betting of a hand, action by action."""

    def __init__(self, game: Game, scale: Scale) -> None:
        seats, stacks = game.seats, game.stacks or (MOST_CHIPS,) * game.seats
        self._game, self._scale, self._stacks = game, scale, stacks
        self._is_fixed = game.structure is Structure.FIXED_LIMIT
        self._bets, self._level, self._step, self._street = list(game.blinds), max(game.blinds), game.bet_sizes[0], 0
        antes = game.dead or (game.ante,) * seats
        self.committed = [min(ante, stack) + blind for ante, stack, blind in zip(antes, stacks, game.blinds)]
        self.holes: list[tuple[int, ...]] = [()] * seats
        self.board: tuple[int, ...] = ()
        self.history: list[str] = []
        self.turns: list[int] = []
        self.shown: set[int] = set()
        self.mucked: set[int] = set()
        self.has_free_fold = False
        """Whether somebody folded who could have checked."""

    def play(self, deeds: Sequence[Deed]) -> None:
        """All actions of the hand."""
        committed, stacks, seats = self.committed, self._stacks, len(self.holes)
        turns, history = self.turns, self.history
        for deed in deeds:
            kind, place, text, number, cards = deed
            if place >= seats:
                raise InvalidRecordError(f"'p{place + 1}' is none of {seats} players", "players")
            if kind == "dh":
                if cards:
                    self.holes[place] += cards
            elif kind == "cc":
                chips = min(self._level - self._bets[place], stacks[place] - committed[place])
                if chips:
                    self._bets[place] += chips
                    committed[place] += chips
                history.append("c")
                turns.append(place)
            elif kind == "f":
                self.has_free_fold |= self._level == self._bets[place]
                history.append("f")
                turns.append(place)
            elif kind == "cbr":
                to = number if number >= 0 and self._scale.unit == 1 else self._scale.chips(text)
                history.append(self._raise(place, to))
                turns.append(place)
            elif kind == "db":
                self._deal(deed)
            elif kind == "sm":
                self._show(deed)

    def _deal(self, deed: Deed) -> None:
        """Board cards, with which a street begins."""
        self._street += 1
        self.board += deed.cards
        self.history.append("/")
        if self._street >= self._game.streets or len(self.board) != self._game.board_seen(self._street):
            raise InvalidRecordError(f"{quoted(deed.text)} are no board cards of one run of hold'em", "unplayable")
        self._bets = [0] * len(self._bets)
        self._level, self._step = 0, self._game.bet_sizes[self._street]

    def _show(self, deed: Deed) -> None:
        """A hand that is shown, or without cards mucked."""
        _, place, text, _, seen = deed
        (self.shown if text else self.mucked).add(place)
        if seen:
            if self.holes[place] and set(self.holes[place]) != set(seen):
                raise InvalidRecordError(f"p{place + 1} shows other cards than were dealt", "cards")
            self.holes[place] = self.holes[place] or seen

    def _raise(self, place: int, to: int) -> str:
        """A bet or raise to so much on the street, as the betting string has it."""
        chips = to - self._bets[place]
        if self._is_fixed:
            bet = self._game.bet_sizes[self._street]
            if to != min(self._level + self._step, self._stacks[place] - self.committed[place] + self._bets[place]):
                raise InvalidRecordError(f"a bet to {to} where {self._level + self._step} is the limit", "betting")
            size = to - self._level
            self._step = bet if 2 * (size + bet - self._step) >= bet else self._step - size
        self._bets[place] = to
        self.committed[place] += chips
        self._level = max(self._level, to)
        return "r" if self._is_fixed else f"r{self.committed[place]}"
