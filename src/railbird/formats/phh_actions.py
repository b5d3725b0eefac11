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
_MOST_DIGITS, _LONGEST_LIST, _MOST_PLACES = 15, 400, 6
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
        inside = value[1:-1]
        if self.unit == 1 and len(inside) <= _LONGEST_LIST and inside.replace(", ", "").isdigit() and inside.isascii():
            return list(map(int, inside.split(", ")))
        return [self.chips(text) for text in numbers(value)]


_WHOLE = Scale()


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

    @property
    def called(self) -> list[int]:
        """What each has put in, an uncalled bet not counted."""
        second = sorted(self.committed)[-2]
        return [min(chips, second) for chips in self.committed]

    def add(self, words: Sequence[str]) -> None:
        """One action, as the words that it is written in; none for a remark alone."""
        if len(words) < 2:
            if words:
                raise _no_action(words)
            return
        who, what, count = words[0], words[1], len(words)
        if who == "d":
            self._deal(words)
            return
        place = self._place(who)
        if what == "sm" and count < 4:
            self._show(place, words[2] if count == 3 else "")
            return
        if what == "cc" and count == 2:
            paid = self._bets[place]
            chips = min(self._level - paid, self._stacks[place] - self.committed[place])
            if chips:
                self._bets[place] = paid + chips
                self.committed[place] += chips
            self.history.append("c")
        elif what == "f" and count == 2:
            self.has_free_fold |= self._level == self._bets[place]
            self.history.append("f")
        elif what == "cbr" and count == 3:
            self.history.append(self._raise(place, self._scale.chips(words[2])))
        else:
            raise _no_action(words)
        self.turns.append(place)

    def _place(self, player: str) -> int:
        place = _PLACES.get(player, MOST_SEATS)
        if place >= len(self.holes):
            raise InvalidRecordError(f"{quoted(player)} is none of {len(self.holes)} players", "players")
        return place

    def _deal(self, words: Sequence[str]) -> None:
        if words[1] == "dh" and len(words) == 4:
            place = self._place(words[2])
            if "?" not in words[3]:
                self.holes[place] += known_cards(words[3])
        elif words[1] == "db" and len(words) == 3:
            self._street += 1
            self.board += known_cards(words[2])
            self.history.append("/")
            if self._street >= self._game.streets or len(self.board) != self._game.board_seen(self._street):
                raise InvalidRecordError(f"{quoted(words[2])} are no board cards of one run of hold'em", "unplayable")
            self._bets = [0] * len(self._bets)
            self._level, self._step = 0, self._game.bet_sizes[self._street]
        else:
            raise InvalidRecordError(f"{quoted(' '.join(words))} is no deal of hold'em", "cards")

    def _show(self, place: int, cards: str) -> None:
        """A hand that is shown, or without cards mucked."""
        (self.shown if cards else self.mucked).add(place)
        if cards and "?" not in cards and cards != "-":
            seen = known_cards(cards)
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


def _no_action(words: Sequence[str]) -> InvalidRecordError:
    return InvalidRecordError(f"{quoted(' '.join(words))} is no action of hold'em", "betting")


@lru_cache(maxsize=8192)
def known_cards(text: str) -> tuple[int, ...]:
    """Cards that are named."""
    try:
        return parse_cards(text)
    except InvalidCardsError as error:
        raise InvalidRecordError(str(error), "cards") from None
