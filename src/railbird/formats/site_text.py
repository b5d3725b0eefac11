"""What the texts of poker rooms have in common: amounts of money as whole chips, cards, and names as they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from railbird.cards import card_text
from railbird.errors import InvalidRecordError, RailbirdError
from railbird.game.spec import MOST_CHIPS
from railbird.numbers import quoted, whole_number

CENTS = 100
SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₹": "INR"}
"""The signs before amounts, each with the currency that it stands for."""
_ALL_SIGNS = "".join(SIGNS)
_KEPT = 1 << 14
"""Amounts that are remembered; a session has a few hundred."""
_MOST_LEVELS = 400
_FIRST = re.compile(r"\ufeff?(?:PokerStars|Bovada|Ignition|Bodog)[\w. ]{0,20} (?:Hand|Game) #")
_OPENINGS = ("Seat ", "***", "PokerStars", "Table '", "Bovada", "Ignition", "Bodog", "\ufeff")
_SEATED = re.compile(r"Table '|Seat \d{1,3}: .* \(\S+ in chips\b")
CARDS = {card_text(card): card for card in range(52)}
"""The cards by their letters, as all these texts write them."""


@lru_cache(_KEPT)
def in_cents(text: str) -> int:
    """An amount of money in cents, exactly.

    >>> in_cents("$16.85"), in_cents("0.5"), in_cents("$1,200")
    (1685, 50, 120000)
    """
    whole, dot, part = _bare(text).partition(".")
    if dot and not (part.isascii() and part.isdigit() and len(part) <= 2):
        raise _no_amount(text)
    return CENTS * _digits(whole, text) + (int(part.ljust(2, "0")) if dot else 0)


@lru_cache(_KEPT)
def in_chips(text: str) -> int:
    """An amount of chips that have no parts, as in tournaments.

    >>> in_chips("1500"), in_chips("1,500")
    (1500, 1500)
    """
    return _digits(_bare(text), text)


def reader_of_amounts(unit: int) -> Callable[[str], int]:
    """What reads amounts of which `unit` chips make one."""
    return in_cents if unit == CENTS else in_chips


def amount_text(chips: int, unit: int, sign: str = "", cents: bool = False) -> str:
    """An amount as rooms write it: cents where there are any, or where `cents` asks for them.

    >>> amount_text(1685, 100, "$"), amount_text(600, 100, "$"), amount_text(600, 100, "$", cents=True)
    ('$16.85', '$6', '$6.00')
    """
    if unit == 1:
        return f"{sign}{chips}"
    whole, part = divmod(chips, unit)
    return f"{sign}{whole}.{part:02}" if part or cents else f"{sign}{whole}"


def unit_of(record_unit: int) -> int:
    """The unit that a room's text has for chips of which `record_unit` make one: cents, or chips without parts."""
    return CENTS if record_unit == CENTS else 1


def sign_of(currency: str) -> str:
    """The sign of a currency; none for chips that are no money."""
    return next((sign for sign, name in SIGNS.items() if name == currency), "")


@lru_cache(_KEPT)
def cards_in(text: str) -> tuple[int, ...]:
    """Cards with blanks between them.

    >>> cards_in("Ah Td")
    (50, 33)
    """
    try:
        return tuple([CARDS[word] for word in text.split()])
    except KeyError:
        raise InvalidRecordError(f"{quoted(text)} is no cards", "cards") from None


def spaced_cards(cards: Sequence[int]) -> str:
    """The text of cards with blanks between them.

    >>> spaced_cards((50, 33))
    'Ah Td'
    """
    return " ".join([card_text(card) for card in cards])


def sayable_names(names: Sequence[str], longest: int = 100) -> tuple[str, ...]:
    """Names as a text of lines can say them: printable, of some length, without blanks around, no two the same.

    >>> sayable_names(("Ann", "Ann", " x\\ny ", ""))
    ('Ann', 'Ann (2)', 'x y', 'Player 4')
    """
    found: list[str] = []
    for place, name in enumerate(names, 1):
        said = "".join([letter if letter.isprintable() else " " for letter in name])[:longest].strip()
        said = plain = said or f"Player {place}"
        again = 1
        while said in found:
            again += 1
            said = f"{plain} ({again})"
        found.append(said)
    return tuple(found)


def of_hand(number: str, error: RailbirdError) -> InvalidRecordError:
    """An error that says which hand it is about."""
    message, part = str(error), error.part if isinstance(error, InvalidRecordError) else "line"
    return InvalidRecordError(message if message.startswith("hand ") else f"hand {number}: {message}", part)


def _bare(text: str) -> str:
    text = text.lstrip(_ALL_SIGNS)
    return text.replace(",", "") if "," in text else text


def _digits(digits: str, text: str) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise _no_amount(text)
    try:
        return whole_number(digits, 0, MOST_CHIPS)
    except ValueError:
        raise _no_amount(text) from None


def _no_amount(text: str) -> InvalidRecordError:
    return InvalidRecordError(f"{quoted(text)} is no amount of money or chips")


def level_number(text: str) -> int:
    """The level of a tournament, which rooms write in both ways; 0 where it is none.

    >>> level_number("Level XIV"), level_number("Match Round I, Level IV"), level_number("7"), level_number("x")
    (14, 4, 7, 0)
    """
    word = text.rpartition(" ")[2]
    if word.isascii() and word.isdecimal() and len(word) <= 4:
        return int(word)
    return next((number for number in range(1, _MOST_LEVELS) if level_numeral(number) == word), 0)


def level_numeral(number: int) -> str:
    """A level in Roman numerals.

    >>> level_numeral(4), level_numeral(19), level_numeral(40)
    ('IV', 'XIX', 'XL')
    """
    found = ""
    for value, letters in ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV")):
        found, number = found + letters * (number // value), number % value
    return found + "I" * number


class Beginnings:
    """Tells the lines with which the hands of a file begin, of whichever room.

    Where the first line of a hand is missing it begins with its table or its seats, so that the hand before it, which
    is over with its summary, stays whole.

    >>> begins = Beginnings()
    >>> [begins(line) for line in ("PokerStars Hand #1: ", "Table 'A' ", "*** SUMMARY ***", "Table 'B' ", "Table 'C' ")]
    [True, False, False, True, False]
    """

    def __init__(self) -> None:
        self._is_over = False

    def __call__(self, line: str) -> bool:
        if not line.startswith(_OPENINGS):
            return False
        if line[0] == "*":
            self._is_over |= line.startswith("*** SUMMARY ***")
        elif _FIRST.match(line) or (self._is_over and _SEATED.match(line)):
            self._is_over = False
            return True
        return False
