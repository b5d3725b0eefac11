"""Numbers from outside, within limits: what users, files and other programs have written.

Python reads numbers of any length, in a time that grows with the square of their digits, and gives some of them back as
infinite. Arrays, kernels and other formats have limits. So text becomes a number here and nowhere else, and a number of
JSON or of a caller is held against the same limits. Errors are `ValueError`s that quote the input, shortened; whoever
reads a file or an option makes them errors of its own kind.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

MOST_WHOLE = 2**53
"""Whole numbers are at most so large unless somebody says otherwise: further ones are no longer exact as decimals."""
MOST_SEED = 2**63 - 1
LONGEST_NUMBER = 40
"""Signs of a number, the sign before it and the exponent included."""
_LONGEST_QUOTE = 60


def quoted(text: object, most: int = _LONGEST_QUOTE) -> str:
    """The input as an error shows it: in quotation marks if it is text, of bounded length, with nothing unprintable.

    >>> quoted("limt"), quoted("9" * 5000, 12)
    ("'limt'", "'999999...' (5,000 signs)")
    """
    if not isinstance(text, str):
        shown = shortened_repr(text)
        return shown if len(shown) <= most else shown[: most - 3] + "..."
    return repr(text) if len(text) <= most else f"{text[: most // 2] + '...'!r} ({len(text):,} signs)"


def shortened_repr(thing: object) -> str:
    """What `repr` says, of numbers that have too many digits for it their size."""
    try:
        return repr(thing)
    except ValueError:
        return f"a {type(thing).__name__} with a number of thousands of digits"


def whole_number(text: str, least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> int:
    """The whole number that is written; refuses another thing, and one outside the limits.

    >>> whole_number("1_000"), whole_number("-3")
    (1000, -3)
    >>> whole_number("9" * 400)
    Traceback (most recent call last):
        ...
    ValueError: '999999999999999999999999999999...' (400 signs) is not a whole number from -2^53 to 2^53
    """
    try:
        number = int(text) if len(text) <= LONGEST_NUMBER else None
    except ValueError:
        number = None
    return _within(text, number, least, most)


def whole(number: Any, least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> int:
    """The same of a number that is one already, as from JSON; truths and decimals are none."""
    if type(number) is int and least <= number <= most:
        return number
    is_whole = isinstance(number, Integral) and not isinstance(number, bool)
    return _within(number, int(number) if is_whole else None, least, most)


def decimal_number(text: str, least: float = -math.inf, most: float = math.inf) -> float:
    """The finite number that is written; refuses another thing, and one outside the limits.

    >>> decimal_number("2.5e-3")
    0.0025
    """
    try:
        number = float(text) if len(text) <= LONGEST_NUMBER else math.nan
    except ValueError:
        number = math.nan
    return _finite(text, number, least, most)


def decimal(number: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """The same of a number that is one already."""
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    try:
        return _finite(number, float(number) if is_number else math.nan, least, most)
    except OverflowError:
        return _finite(number, math.nan, least, most)


def _within(given: object, number: int | None, least: int, most: int) -> int:
    if number is None or not least <= number <= most:
        raise ValueError(f"{quoted(given)} is not a whole number from {_limit(least)} to {_limit(most)}")
    return number


def _finite(given: object, number: float, least: float, most: float) -> float:
    if not math.isfinite(number) or not least <= number <= most:
        limits = "" if (least, most) == (-math.inf, math.inf) else f" from {least:g} to {most:g}"
        raise ValueError(f"{quoted(given)} is not a number{limits}")
    return number


def _limit(number: int) -> str:
    known = {-MOST_WHOLE: "-2^53", MOST_WHOLE: "2^53", MOST_SEED: "2^63 - 1"}
    return known.get(number, f"{number:,}")
