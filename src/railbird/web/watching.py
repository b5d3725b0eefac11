"""What thinkers do for the laboratory: read how far a run is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from operator import ge
from pathlib import Path
from typing import Any

from markupsafe import Markup

from railbird.errors import RailbirdError
from railbird.json_files import Fields, read_json
from railbird.play.folder import MatchFolder, is_match
from railbird.play.folder_results import has_matches, result_in
from railbird.play.gain_tests import DECISION
from railbird.play.match_result import MatchResult
from railbird.play.tournament import is_tournament, tournament_so_far
from railbird.report.curves import curve_data
from railbird.report.experiments import SUMMARY, figures_in
from railbird.report.match_hands import match_folders
from railbird.results.figures import Figure
from railbird.results.result import PlayedResult
from railbird.web.paper_pages import ClaimRow, claim_rows

_MOST_REVIEWS = 50
_FIRST_SHARE = 0.05
"""Of the hands, the first that a curve of win rates leaves out: it would show nothing but them."""
_OPENING_BYTES = 200_000
_IN_PART = "this is the match that was played last; what all come to is told when they are over"
_KEPT = 300
"""Runs of which is remembered how far they are."""
_CLAIM = ("claim", "reading", "paper", "measured", "outcome")


@dataclass(frozen=True)
class Standing:
    """How far a run is: its result so far, its curves, and the matches that can be reviewed."""

    words: str
    """Why there is no result of the whole yet; nothing where there is one."""
    parts: tuple[Markup, ...] = ()
    curves: dict[str, Any] = field(default_factory=dict)
    matches: tuple[tuple[str, str], ...] = ()
    """Those that have hands: ways from the server's home, and who plays there."""
    claims: tuple[ClaimRow, ...] = ()
    """Of an experiment that is over."""
    verdict: str = ""
    is_complete: bool = False
    """Whether all was played that was asked for, so that there is nothing to go on with."""


def standing(home: Path, folder: Path) -> Standing:
    """How far the run is whose hands are in a folder."""
    folders = match_folders(folder)
    matches = tuple(islice(_reviewable(home, folders), _MOST_REVIEWS))
    if (folder / SUMMARY).is_file():
        return _experiment(folder, matches)
    is_whole = not folders or is_match(folder) or has_matches(folder)
    try:
        source = folder if is_whole else max(folders, key=_last_written)
        found = tournament_so_far(folder) if is_tournament(folder) else result_in(source)
        parts = tuple(part.html() for part in found.parts())
    except (RailbirdError, OSError) as error:
        words, _, _ = str(error).replace(f"{folder}", folder.parent.name).partition("; go on with the command")
        return Standing(words, matches=matches)
    curves = {}
    with suppress(RailbirdError, OSError):
        curves = {f"curve-{number}": curve_data(figure) for number, figure in enumerate(_panels(found))}
    return Standing("" if is_whole else _IN_PART, parts, curves, matches, is_complete=is_whole and found.is_complete)


@dataclass(frozen=True)
class Reached:
    """How far a run is, without what came of it."""

    has_hands: bool
    is_complete: bool


def reached(folders: Sequence[Path]) -> list[Reached]:
    """How far runs are whose hands are in these folders."""
    return [_reached(folder, _stamp(folder)) for folder in folders]


@lru_cache(_KEPT)
def _reached(folder: Path, _stamp: tuple[int, int]) -> Reached:
    if (folder / SUMMARY).is_file() or (folder / DECISION).is_file():
        return Reached(True, True)
    is_whole = is_match(folder) or has_matches(folder)
    found, asked = [], []
    for each in match_folders(folder):
        try:
            match = MatchFolder.open(each)
            found.append(match.known_hands)
            asked.append(match.spec.hands * match.spec.seating.legs)
        except (RailbirdError, OSError):
            is_whole = False
    return Reached(any(found), is_whole and bool(found) and all(map(ge, found, asked)))


def _stamp(folder: Path) -> tuple[int, int]:
    """Changes when hands are added, when more are asked for, and when something is decided."""
    sizes, last = 0, 0
    for file in (*folder.rglob("*.log"), *folder.rglob("*.json")):
        with suppress(OSError):
            found = file.stat()
            sizes, last = sizes + found.st_size, max(last, found.st_mtime_ns)
    return sizes, last


def log_bytes(folder: Path) -> int:
    """How much there is to read of a run: its logs, each of which takes as long to open as some bytes to read."""
    found = 0
    for log in folder.rglob("*.log"):
        with suppress(OSError):
            found += _OPENING_BYTES + log.stat().st_size
    return found


def _last_written(folder: Path) -> float:
    """When hands were last added to a match."""
    return max((log.stat().st_mtime for log in folder.glob("*.log")), default=0.0)


def _reviewable(home: Path, folders: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The matches that have hands, as their ways from the server's home, and who plays there."""
    for folder in folders:
        with suppress(RailbirdError, OSError):
            match = MatchFolder.open(folder)
            if match.known_hands:
                yield str(folder.relative_to(home)), " v ".join(dict.fromkeys(match.spec.names))


def _panels(found: PlayedResult) -> list[Figure]:
    """The curves of a result; of a match first its win rates, whose intervals narrow."""
    panels = list(found.panels())
    return [win_rates(panels[0]), *panels] if isinstance(found, MatchResult) else panels


def win_rates(sums: Figure) -> Figure:
    """What was won a hand, where a figure shows what was won in all; without the first hands, which say nothing."""
    lines = []
    for line in sums.lines:
        kept = line.x >= _FIRST_SHARE * line.x[-1]
        hands = line.x[kept]
        margin = None if line.margin is None else line.margin[kept] / hands
        lines.append(replace(line, x=hands, y=line.y[kept] / hands, margin=margin))
    return Figure("Win rates with their 95% intervals", sums.x_label, "small bets a hand", lines)


def _experiment(folder: Path, matches: tuple[tuple[str, str], ...]) -> Standing:
    try:
        told = Fields(read_json(folder / SUMMARY), "the experiment")
        claims = claim_rows([{name: each.text(name) for name in _CLAIM} for each in told.each("claims")])
        return Standing("", (), figures_in(folder), matches, claims, told.text("verdict"), is_complete=True)
    except (OSError, ValueError) as error:
        return Standing(f"its summary cannot be read: {error}", matches=matches)
