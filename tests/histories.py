"""What the tests of hand histories share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.history import HistoryFile
from railbird.formats.readers import format_named
from railbird.game.record import HandRecord


def read_text(folder: Path, name: str, text: str | bytes) -> list[HandRecord | Problem]:
    """What a format makes of a text; every record is held against the rules once more."""
    path = folder / "hands.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = list(format_named(name).read(HistoryFile(path), None))
    for each in found:
        if isinstance(each, HandRecord):
            each.check(may_be_raked=True)
        else:
            assert each.kind in PROBLEM_KINDS
    return found


def read_one(folder: Path, name: str, text: str) -> HandRecord:
    """The one hand of a text."""
    (found,) = read_text(folder, name, text)
    assert isinstance(found, HandRecord), str(found)
    return found


def problem_of(folder: Path, name: str, text: str) -> Problem:
    """Why the one hand of a text is set aside."""
    (found,) = read_text(folder, name, text)
    assert isinstance(found, Problem), found
    return found


def told(folder: Path, name: str, records: Sequence[HandRecord]) -> str:
    """The text of hands, which must come back from it as it is, and as the same hands but for what is not said."""
    kind = format_named(name)
    assert kind.write is not None
    text = "".join(kind.write(records))
    assert kind.recognises(text[:60_000])
    found = [each for each in read_text(folder, name, text) if isinstance(each, HandRecord)]
    assert "".join(kind.write(found)) == text
    assert read_text(folder, name, text) == found
    return text
