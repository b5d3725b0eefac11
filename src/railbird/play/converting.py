"""Hands from one format to another: what was written, what the other format cannot say, and what was set aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from railbird.errors import InvalidRecordError, MatchError
from railbird.files import open_whole
from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.readers import Format, format_named, formats
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.all_hands import all_hands
from railbird.play.match_logs import OpenedLogs, open_logs
from railbird.progress import Bar, Watch, bar_for
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.words import count_of

_MOST_PROBLEMS = 1_000
_SHOWN = 10
_AT_ONCE = 1 << 20


@dataclass(frozen=True, repr=False)
class Conversion(Result):
    """What came of a conversion."""

    source: Path
    target: Path
    format: Format
    """The format that was written."""
    hands: int = 0
    """How many hands were written."""
    unsaid: Counter[str] = field(default_factory=Counter)
    """What the format cannot say, with the number of hands that had it."""
    set_aside: Counter[str] = field(default_factory=Counter)
    """How many hands were set aside, by kind of problem."""
    problems: tuple[Problem, ...] = ()
    """The first of those that were set aside."""

    @property
    def is_whole(self) -> bool:
        """Whether every hand was written."""
        return not self.set_aside

    def parts(self) -> list[Part]:
        heading = Heading(f"{self.source} to {self.target}", (self.format.title, count_of(self.hands, "hand")))
        return [heading, *self._unsaid_parts(), *self._problem_parts()]

    def _unsaid_parts(self) -> list[Part]:
        if not self.unsaid:
            return []
        rows = [(what, f"{count:,}") for what, count in self.unsaid.most_common()]
        return [Line(f"what a {self.format.title} cannot say:", 0), Table(rows, ("", "hands"))]

    def _problem_parts(self) -> list[Part]:
        if not self.set_aside:
            return []
        rows = [(PROBLEM_KINDS.get(kind, kind), f"{count:,}") for kind, count in self.set_aside.most_common()]
        shown = [Line(str(problem)) for problem in self.problems[:_SHOWN]]
        more = self.set_aside.total() - len(shown)
        after = [Line(f"and {more:,} more")] if more > 0 else []
        title = Line(f"{count_of(self.set_aside.total(), 'hand')} set aside:", 0, "yellow")
        return [title, Table(rows, ("", "hands")), *shown, *after]

    def rows(self) -> list[dict[str, Any]]:
        """A row for everything that is not in the new file."""
        return [
            *({"what": what, "hands": count, "is_written": True} for what, count in self.unsaid.items()),
            *({"what": kind, "hands": count, "is_written": False} for kind, count in self.set_aside.items()),
        ]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.conversion/1."""
        return {
            "schema": "railbird.conversion/1",
            "source": str(self.source),
            "target": str(self.target),
            "format": self.format.name,
            "hands": self.hands,
            "unsaid": dict(self.unsaid),
            "set_aside": dict(self.set_aside),
            "problems": [{"file": each.file, "line": each.line, "what": each.message} for each in self.problems],
        }


def convert(
    source: str | Path,
    target: str | Path,
    to: str | None = None,
    game: str | Game | None = None,
    progress: bool | Bar = True,
) -> Conversion:
    """Write the hands of a log, a history, a match folder or a folder of them to a file of another format.

    The format is the one named by `to`, or the one whose files end as the target does. Hands that break the rules, or
    that the format cannot say at all, are set aside and told; the file is written whole or not at all.
    """
    path, chosen = Path(target), target_format(Path(target), to)
    opened = open_logs(source, game)
    if path.is_dir():
        raise MatchError(f"{str(target)!r} is a folder; name the file to write")
    if any(path.exists() and path.samefile(each.path) for each in opened.sources):
        raise MatchError(f"{str(target)!r} is what the hands are read from; name another file")
    with bar_for(progress)("converting", "kB") as watch:
        work = _Work(opened, chosen, watch)
        assert chosen.write is not None
        with open_whole(path) as file:
            waiting: list[str] = []
            size = 0
            for text in chosen.write(work.hands()):
                waiting.append(text)
                size += len(text)
                if size > _AT_ONCE:
                    file.write("".join(waiting).encode(errors="replace"))
                    waiting, size = [], 0
            file.write("".join(waiting).encode(errors="replace"))
            if not work.count:
                first = f", the first: {work.problems[0]}" if work.problems else ""
                raise InvalidRecordError(f"no hand of {str(source)!r} can be written as a {chosen.title}{first}")
    return Conversion(
        Path(source), path, chosen, work.count, work.unsaid, work.set_aside, tuple(work.problems[:_MOST_PROBLEMS])
    )


def target_format(path: Path, to: str | None) -> Format:
    """The format to write: the one that is named, or the one whose files end as this one does."""
    if to is not None:
        chosen = format_named(to)
    else:
        fitting = [each for each in formats() if each.write and path.suffix.lower() in each.suffixes]
        if len(fitting) != 1:
            which = "several formats" if fitting else "no format"
            names = ", ".join(each.name for each in fitting or formats() if each.write)
            raise InvalidRecordError(f"the ending of {str(path)!r} is that of {which}; say it with --to ({names})")
        [chosen] = fitting
    if chosen.write is None:
        raise InvalidRecordError(f"a {chosen.title} is read and not written")
    return chosen


class _Work:
    """The hands on their way, counted."""

    def __init__(self, opened: OpenedLogs, chosen: Format, watch: Watch | None) -> None:
        self._opened, self._format, self._watch = opened, chosen, watch
        self.count = 0
        self.unsaid: Counter[str] = Counter()
        self.set_aside: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def hands(self) -> Iterator[HandRecord]:
        """The hands that the format can say."""
        for source, found in all_hands(self._opened.sources, self._watch):
            if isinstance(found, Problem):
                if found.skipped:
                    self._set_aside(found)
            elif why := self._format.refuses(found):
                message = f"hand {found.number}: {why}"
                self._set_aside(Problem(str(source.path), 0, "unsayable", message, True))
            else:
                self.count += 1
                self.unsaid.update(self._format.unsaid(found))
                yield found

    def _set_aside(self, problem: Problem) -> None:
        self.set_aside[problem.kind] += 1
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(problem)
