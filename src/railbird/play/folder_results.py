"""The result of whatever was played in a folder, finished or not: a match, a tournament, a comparison, a test."""

from __future__ import annotations

from pathlib import Path

from railbird.errors import MatchError
from railbird.play.comparison_folder import is_comparison, read_comparison
from railbird.play.folder import MatchFolder, is_match
from railbird.play.gain_tests import is_gain_test, read_gain_test
from railbird.play.gauntlet import is_gauntlet, read_gauntlet
from railbird.play.tournament import read_tournament
from railbird.results.result import Result

TOURNAMENT = "tournament.json"


def result_in(folder: Path) -> Result:
    """What was played in a folder came to, as far as it has been played."""
    if (folder / TOURNAMENT).exists():
        return read_tournament(folder)
    if is_gain_test(folder):
        return read_gain_test(folder)
    if is_gauntlet(folder):
        return read_gauntlet(folder)
    if is_comparison(folder):
        return read_comparison(folder)
    if not is_match(folder):
        raise MatchError(f"nothing was played in {str(folder)!r} yet")
    result = MatchFolder.open(folder).result()
    if result.deals == 0:
        raise MatchError(f"{str(folder)!r} has no complete deal yet")
    return result
