"""JSON from outside, read in one place: of bounded size and depth, with plain text and numbers of bounded length.

What is read is a value of Python's. `Fields` takes it apart by name and kind, so that a manifest, or any other
description, is known to be whole before anything is done with it. Errors are `ValueError`s that say what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from railbird.numbers import MOST_WHOLE, decimal, quoted, whole

MOST_BYTES = 4_000_000
MOST_DEPTH = 32
MOST_SIGNS = 10_000
"""Signs of one text."""
_MOST_DIGITS = 40


def read_json(path: Path) -> Any:
    """What a file of JSON says. Errors of the system are passed on."""
    with path.open("rb") as file:
        return json_of(file.read(MOST_BYTES + 1))


def json_of(content: bytes) -> Any:
    """What JSON says.

    >>> json_of(b'{"hands": 100, "names": ["Ann", "Bob"]}')
    {'hands': 100, 'names': ['Ann', 'Bob']}
    >>> json_of(b"[" * 200_000)
    Traceback (most recent call last):
        ...
    ValueError: it is nested more than 32 deep
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"it is longer than {MOST_BYTES:,} bytes, which nothing of its kind is")
    try:
        text = content.decode("utf-8")
        found = json.loads(text, parse_int=_whole_of)
    except RecursionError:
        raise ValueError(_too_deep()) from None
    _check_depth(found)
    if "\\ud" in text or "\\uD" in text:
        _refuse_half_signs(found)
    return found


class Fields:
    """An object of JSON, whose parts are asked for by name and kind; what is missing or another thing is refused.

    >>> Fields({"hands": "many"}, "a match").whole("hands", 1, 10**12)
    Traceback (most recent call last):
        ...
    ValueError: hands of a match: 'many' is not a whole number from 1 to 1,000,000,000,000
    """

    def __init__(self, found: Any, what: str) -> None:
        if not isinstance(found, dict):
            raise ValueError(f"{what}: {quoted(found)} where names and values belong")
        self.found: Mapping[str, Any] = found
        self.what = what

    def __getitem__(self, name: str) -> Any:
        if name not in self.found:
            raise ValueError(f"{self.what} lacks {name!r}")
        return self.found[name]

    def text(self, name: str) -> str:
        return self._text(name, self[name])

    def texts(self, name: str) -> list[str]:
        return [self._text(name, each) for each in self.entries(name)]

    def whole(self, name: str, least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> int:
        try:
            return whole(self[name], least, most)
        except ValueError as error:
            raise self._wrong(name, error) from None

    def decimal(self, name: str, least: float, most: float) -> float:
        try:
            return decimal(self[name], least, most)
        except ValueError as error:
            raise self._wrong(name, error) from None

    def flag(self, name: str) -> bool:
        found = self[name]
        if not isinstance(found, bool):
            raise self._wrong(name, f"{quoted(found)} is neither true nor false")
        return found

    def entries(self, name: str) -> list[Any]:
        found = self[name]
        if not isinstance(found, list):
            raise self._wrong(name, f"{quoted(found)} is no list")
        return found

    def fields(self, name: str) -> Fields:
        """The object within."""
        return Fields(self[name], f"{name} of {self.what}")

    def each(self, name: str) -> list[Fields]:
        """The objects of a list."""
        return [Fields(each, f"{name} of {self.what}") for each in self.entries(name)]

    def _text(self, name: str, found: Any) -> str:
        if not isinstance(found, str) or len(found) > MOST_SIGNS:
            raise self._wrong(name, f"{quoted(found)} is no text of at most {MOST_SIGNS:,} signs")
        return found

    def _wrong(self, name: str, why: object) -> ValueError:
        return ValueError(f"{name} of {self.what}: {why}")


def _whole_of(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _check_depth(found: Any) -> None:
    level = [found]
    for _ in range(MOST_DEPTH):
        groups = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [inner for group in groups for inner in group]
        if not level:
            return
    raise ValueError(_too_deep())


def _too_deep() -> str:
    return f"it is nested more than {MOST_DEPTH} deep"


def _refuse_half_signs(found: Any) -> None:
    """Halves of signs, which JSON can name one by one, cannot be written again."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it names half a sign, which is no text") from None
