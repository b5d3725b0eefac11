"""The result of whatever was played in a folder, finished or not: a match, a tournament, a comparison, a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from railbird.errors import MatchError
from railbird.play.comparison_folder import is_comparison, read_comparison
from railbird.play.folder import MatchFolder, is_match
from railbird.play.gain_tests import is_gain_test, read_gain_test
from railbird.play.gauntlet import is_gauntlet, read_gauntlet
from railbird.play.tournament import is_tournament, read_tournament
from railbird.results.result import PlayedResult


def result_in(folder: Path) -> PlayedResult:
    """What was played in a folder came to, as far as it has been played."""
    if read := _reader(folder):
        return read(folder)
    if not is_match(folder):
        raise MatchError(f"nothing was played in {str(folder)!r} yet")
    result = MatchFolder.open(folder).result()
    if result.deals == 0:
        raise MatchError(f"{str(folder)!r} has no complete deal yet; go on with the command that began it")
    return result


def has_matches(folder: Path) -> bool:
    """Whether several matches were played there for one result."""
    return _reader(folder) is not None


def _reader(folder: Path) -> Callable[[Path], PlayedResult] | None:
    """What reads the result of several matches; a test has a comparison in it, and comes before."""
    kinds: tuple[tuple[Callable[[Path], bool], Callable[[Path], PlayedResult]], ...] = (
        (is_tournament, read_tournament),
        (is_gain_test, read_gain_test),
        (is_gauntlet, read_gauntlet),
        (is_comparison, read_comparison),
    )
    return next((read for is_kind, read in kinds if is_kind(folder)), None)
