"""What bots in boxes print, and when one was lost and started again: both stand in the match folder, by player.

    NAME.output.txt    what it printed, and on a line of its own, for each time that it was started again:
    [railbird] hand 17: ended with exit code 3; started again

That is where the reports take their counts from, so that they hold after an interruption too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from railbird.files import file_name
from railbird.results.parts import Line, Part
from railbird.words import count_of, harmless

_NOTE = re.compile(rb"^\[railbird\] [^\n]*; started again$", re.MULTILINE)


def output_file(folder: Path, name: str) -> Path:
    """Where that goes which a player prints."""
    return folder / f"{file_name(name)}.output.txt"


def note_restart(file: Path, hand: int | None, why: str) -> None:
    """Note that a player was lost in a hand, or between hands, and is started again. What cannot be written is lost."""
    where = "between hands" if hand is None else f"hand {hand}"
    line = f"[railbird] {where}: {harmless(why)}; started again\n".encode()
    with suppress(OSError), file.open("ab+") as output:
        if output.tell():
            output.seek(-1, 1)
            line = line if output.read(1) == b"\n" else b"\n" + line
        output.write(line)


def restarts_in(folder: Path, names: Sequence[str]) -> dict[str, int]:
    """By player, how often it was started again in the match of a folder; those that never were are left out."""
    found = {}
    for name in names:
        with suppress(OSError):
            found[name] = len(_NOTE.findall(output_file(folder, name).read_bytes()))
    return {name: count for name, count in found.items() if count}


def restarts_of(matches: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The same in several matches together."""
    total: Counter[str] = Counter()
    for each in matches:
        total.update(each)
    return dict(total)


def restart_parts(restarts: Mapping[str, int]) -> list[Part]:
    """A line for each player that was started again."""
    return [
        Line(f"{name} was lost and started again {count_of(count, 'time')}: {output_file(Path(), name)} says why", 0)
        for name, count in restarts.items()
    ]
