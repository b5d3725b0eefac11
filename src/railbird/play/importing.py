"""Hands of logs and match folders of any format, put into a store; and the statistics of players from either.

import_hands(["session.txt", "matches/demo"], "hands.parquet")
stats("hands.parquet", by="player,position")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.errors import MatchError
from railbird.files import PassingFolder, Paths, paths_of
from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.hand_logs import LogSource
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.all_hands import all_hands
from railbird.play.match_logs import sources_of
from railbird.play.stored_hands import stored_problems
from railbird.progress import Bar, Watch, bar_for
from railbird.results.frames import check_frames
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.stopping import keeping
from railbird.store.store_folder import LeftOutHands, is_store, note_left_out, opened_store, store_parts
from railbird.words import count_of

if TYPE_CHECKING:
    from railbird.store.player_stats import PlayerStats

_MOST_PROBLEMS = 1_000
_SHOWN_PROBLEMS = 5


@dataclass(frozen=True, repr=False)
class ImportedHands(Result):
    """What came of an import: how many hands are new, which were there, and which could not be read."""

    store: Path
    files: int
    added: int
    repeated: int
    """Hands that the store had already, or that came twice."""
    kinds: Counter[str]
    """How many hands were left out, by kind of problem."""
    problems: tuple[Problem, ...]
    """The first of them."""
    told_again: int = 0
    """Hands of the store that are there already as somebody else, or another file, tells them."""

    @property
    def left_out(self) -> int:
        return self.kinds.total()

    def parts(self) -> list[Part]:
        there = f"{self.repeated:,} that were there"
        facts = (count_of(self.files, "file"), f"{count_of(self.added, 'new hand')}, {there}", str(self.store))
        found: list[Part] = [Heading("import", facts)]
        if self.left_out:
            counts = ", ".join(f"{PROBLEM_KINDS.get(kind, kind)} ({n:,})" for kind, n in self.kinds.most_common())
            found.append(Line(f"left out: {counts}", 0, "yellow"))
            found += [Line(str(problem)) for problem in self.problems[:_SHOWN_PROBLEMS]]
        if self.left_out > _SHOWN_PROBLEMS:
            most = f", up to {_MOST_PROBLEMS:,}" if self.left_out > _MOST_PROBLEMS else ""
            found.append(Line(f"and {self.left_out - _SHOWN_PROBLEMS:,} more (--json has all{most})"))
        if self.told_again:
            words = "told again, otherwise (by another player's file?); statistics count each telling"
            found.append(Line(f"{count_of(self.told_again, 'hand')} {words}", 0, "yellow"))
        found.append(Line(f"statistics: railbird stats {self.store}", 0))
        return found

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.import/1."""
        return {
            "schema": "railbird.import/1",
            "store": str(self.store),
            "files": self.files,
            "added": self.added,
            "repeated": self.repeated,
            "told_again": self.told_again,
            "left_out": dict(self.kinds),
            "problems": [
                {"file": each.file, "line": each.line, "kind": each.kind, "message": each.message}
                for each in self.problems
            ],
        }


def import_hands(
    paths: Paths, to: str | Path, game: str | Game | None = None, *, progress: bool | Bar = True
) -> ImportedHands:
    """Put the hands of logs, histories and match folders into a store, which is made if there is none.

    No hand is there twice, so an import that was broken off, or files that have grown, can be imported again. Hands
    that break the rules are left out and told; if the store would have no hand at all, that is refused. `game` is that
    of logs that do not tell it.
    """
    check_frames("hand stores")
    sources, folder = sources_of(paths, game), Path(to)
    how = f"what was imported is in {str(folder)!r}; the same command goes on"
    with opened_store(folder), keeping(how), bar_for(progress)("importing", "kB") as watch:
        return _imported(sources, folder, watch)


def _imported(sources: Sequence[LogSource], folder: Path, watch: Watch | None) -> ImportedHands:
    from railbird.store.store_reader import HandStore
    from railbird.store.store_writer import StoreWriter

    writer, problems = StoreWriter(folder), list[Problem]()
    by_file: dict[tuple[str, str], LeftOutHands] = {}
    for source, found in all_hands(sources, watch):
        if isinstance(found, HandRecord):
            writer.add(found, str(source.path))
        elif found.skipped:
            key = str(source.path), found.kind
            first = by_file.get(key, LeftOutHands(*key, 0, found.line, found.message))
            by_file[key] = replace(first, count=first.count + 1)
            if len(problems) < _MOST_PROBLEMS:
                problems.append(found)
    writer.finish()
    if not store_parts(folder):
        raise MatchError(_nothing_read(sources, problems))
    note_left_out(folder, [str(source.path) for source in sources], by_file.values())
    kinds = Counter[str]()
    for each in by_file.values():
        kinds[each.kind] += each.count
    again = HandStore(folder).told_again()
    return ImportedHands(folder, len(sources), writer.added, writer.repeated, kinds, tuple(problems), again)


def _nothing_read(sources: Sequence[LogSource], problems: Sequence[Problem]) -> str:
    """That there is no hand, and why."""
    where = str(sources[0].path) if len(sources) == 1 else f"{len(sources):,} files"
    return f"no hand in {where}" + (f"; the first problem: {problems[0]}" if problems else "")


def stats(
    hands: Paths,
    by: str | Sequence[str] = "player",
    *,
    player: str | None = None,
    game: str | Game | None = None,
    progress: bool | Bar = True,
) -> PlayerStats:
    """What players do and win: VPIP, PFR, aggression, folds, showdowns, win rates and all-in luck.

    The hands are a store, or logs, histories and match folders. `by` is one or several of player, position, stakes,
    players, year, month, day and source, as in "player,position"; with `player` only that player's hands count.
    """
    check_frames("statistics")
    from railbird.store.player_stats import player_stats
    from railbird.store.store_reader import HandStore

    groups = [each.strip() for each in by.split(",")] if isinstance(by, str) else list(by)
    paths = paths_of(hands)
    named = ", ".join(map(str, paths))
    if len(paths) == 1 and is_store(paths[0]):
        aside = list(stored_problems(paths[0]))
        told = {"left_out": len(aside), "first_problem": aside[0] if aside else None}
        return player_stats(HandStore(paths[0]), named, groups, player, **told)
    kept = PassingFolder()
    read = import_hands(paths, kept.path / "hands", game, progress=progress)
    more = {"left_out": read.left_out, "first_problem": next(iter(read.problems), None), "kept": kept}
    return player_stats(HandStore(read.store), named, groups, player, **more)
