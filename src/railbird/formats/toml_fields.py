"""The part of TOML that files of poker hands are written in: a field a line, of plain values and lists of them.

What is written otherwise is read by Python's own parser, which takes all of TOML and several times as long.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from decimal import Decimal

from railbird.errors import InvalidRecordError
from railbird.numbers import quoted

_LONGEST = 200_000
"""Signs of one hand."""
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?|true|false|inf|\d\d:\d\d:\d\d|'[^'\\]*'")
"""Values that mean what they look like, wherever they stand."""
_STRINGS = re.compile(r"\[\s*(?:'[^']*'\s*,\s*)*+(?:'[^']*'\s*)?\]")
_ONE_STRING = re.compile(r"'([^']*)'")
_EXPONENT = re.compile(r"\b[0-9]{1,15}(?:\.[0-9]{1,15})?[eE][+-]?[0-9]{1,2}\b")
_UNSAFE = re.compile(r"['\x00-\x1f\x7f]")


def fields_of(lines: Sequence[str]) -> dict[str, str]:
    """The fields of a table by name, each value as it is written; refuses what is no TOML.

    >>> fields_of(["variant = 'NT'", "antes = [0, 0]  # none", "players = [", " 'Ann',", " 'Bob' ]"])
    {'variant': "'NT'", 'antes': '[0, 0]', 'players': "['Ann', 'Bob']"}
    """
    found: dict[str, str] = {}
    for line in lines:
        if not line or line[0] == "#" or line.isspace():
            continue
        name, separator, value = line.partition(" = ")
        if not separator or not value or value[-1] not in "'e]0123456789" or not name.isidentifier() or name in found:
            return _all_fields(lines)
        if value[0] == "[":
            is_plain = value[-1] == "]" and "#" not in value and '"' not in value and value.count("[") == 1
            is_plain = is_plain or _STRINGS.fullmatch(value) is not None
        else:
            is_plain = _PLAIN.fullmatch(value) is not None
        if not is_plain:
            return _all_fields(lines)
        found[name] = value
    return found


def _all_fields(lines: Sequence[str]) -> dict[str, str]:
    """The same of any TOML, every value written anew."""
    text = "\n".join(lines)
    if len(text) > _LONGEST:
        raise InvalidRecordError(f"a hand of {len(text):,} signs; at most {_LONGEST:,} are read")
    try:
        table = tomllib.loads(text, parse_float=_Decimal)
        return {name: text_of(value) for name, value in table.items()}
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError(f"no TOML: {quoted(str(error), 120)}") from None


class _Decimal(str):
    """A number with a point, as it is written."""


def text_of(value: object) -> str:
    """A value as it is written.

    >>> print(text_of(["Ann", "O'Hara"]), text_of(True), text_of(12))
    ['Ann', "O'Hara"] true 12
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _Decimal):
        return str(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return f"[{', '.join([text_of(each) for each in value])}]"
    if isinstance(value, dict):
        pairs = [f"{_key_text(name)} = {text_of(each)}" for name, each in value.items()]
        return f"{{{', '.join(pairs)}}}"
    return str(value)  # numbers, dates and times


def _key_text(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else string_text(name)


def string_text(text: str) -> str:
    """Text in quotation marks, plain ones where that is enough."""
    if not _UNSAFE.search(text):
        return f"'{text}'"
    signs = [_ESCAPES.get(sign) or (sign if sign >= " " and sign != "\x7f" else f"\\u{ord(sign):04x}") for sign in text]
    return f'"{"".join(signs)}"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def strings(value: str) -> list[str]:
    """The texts of a list, as it is written.

    >>> strings("['p1 f', 'p2 cc']"), strings("[]")
    (['p1 f', 'p2 cc'], [])
    """
    if value[:2] == "['" and value[-2:] == "']":
        found = value[2:-2].split("', '")
        if not any("'" in each for each in found):
            return found
    if _STRINGS.fullmatch(value):
        return _ONE_STRING.findall(value)
    return [_string_of(each, value) for each in _list_of(value)]


def string(value: str) -> str:
    """One text, as it is written; a number stands for itself."""
    if value[:1] == "'" and value[-1:] == "'" and "'" not in value[1:-1]:
        return value[1:-1]
    if value.isdigit() and value.isascii():
        return value
    return _string_of(_value_of(value), value)


def numbers(value: str) -> list[str]:
    """The numbers of a list, as they are written: "100", "0.25" or "inf"."""
    if value[:1] != "[" or value[-1:] != "]":
        raise InvalidRecordError(f"{quoted(value)} is no list of numbers")
    return [part for each in value[1:-1].split(",") if (part := each.strip())]


def without_exponents(value: str) -> str:
    """Numbers in a value, written out.

    >>> without_exponents("[1e9, 1.5E+3, 25e-2]")
    '[1000000000, 1500, 0.25]'
    """
    return _EXPONENT.sub(lambda found: f"{Decimal(found[0]):f}", value)


def list_text(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _string_of(found: object, value: str) -> str:
    if isinstance(found, str) or (isinstance(found, int) and not isinstance(found, bool)):
        return str(found)
    raise InvalidRecordError(f"{quoted(value)} is no text")


def _list_of(value: str) -> list[object]:
    found = _value_of(value)
    if not isinstance(found, list):
        raise InvalidRecordError(f"{quoted(value)} is no list")
    return found


def _value_of(value: str) -> object:
    try:
        return tomllib.loads(f"x = {value}")["x"]
    except (ValueError, RecursionError):
        raise InvalidRecordError(f"{quoted(value)} is no value of TOML") from None
