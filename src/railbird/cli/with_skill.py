"""Skill beside the money: whether a result is assessed by DIVAT before it is shown."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from railbird.cli.console import tell
from railbird.cli.show import counting_bar
from railbird.errors import AssessmentError, RailbirdError
from railbird.game.spec import Game
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import assessed_by_skill
from railbird.play.folder import MatchFolder
from railbird.play.log_result import LogResult, log_with_divat
from railbird.play.match_result import MatchResult
from railbird.play.skill import can_be_assessed, is_compiled, with_divat
from railbird.play.tournament import tournament_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.stopping import keeping
from railbird.words import harmless

QUICK_HANDS = 1_000
"""Shorter matches do not wait for DIVAT's kernels to be compiled."""


def check_divat(game: Game, wanted: bool | None) -> None:
    """Refuse --divat for a game that it is not defined for."""
    if wanted and not can_be_assessed(game):
        raise AssessmentError(f"DIVAT is for heads-up limit hold'em, not for {game.name} with {game.seats} seats")


def assessed_match(result: MatchResult, path: Path, wanted: bool | None) -> MatchResult:
    """The result with DIVAT, if that is wanted or (`None`) can be had."""
    if not _is_to_be_assessed(result.spec.game, result.hands_played, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return with_divat(MatchFolder(path, result.spec), result, watch=watch)
    return result


def assessed_tournament(result: TournamentResult, path: Path, wanted: bool | None) -> TournamentResult:
    """The same for all matches of a tournament."""
    hands = sum(match.hands_played for match in result.matches.values())
    if not _is_to_be_assessed(result.spec.game, hands, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return tournament_with_divat(path, result, watch=watch)
    return result


def assessed_log(result: LogResult, path: Path, wanted: bool | None) -> LogResult:
    """The same for a log, if all its cards are known."""
    if not result.all_shown and not wanted:
        return result
    if not _is_to_be_assessed(result.game, result.hand_count, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return log_with_divat(result, watch=watch)
    return result


def assessed_comparison(result: Comparison, path: Path, wanted: bool | None) -> Comparison:
    """The same for all matches of a comparison."""
    hands = sum(match.hands_played for pair in result.matches for match in pair)
    if not _is_to_be_assessed(result.spec.game, hands, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted):
        return assessed_by_skill(result, counting_bar)
    return result


def _is_to_be_assessed(game: Game, hands: int, wanted: bool | None) -> bool:
    check_divat(game, wanted)
    if wanted is not None:
        return wanted
    return can_be_assessed(game) and (hands >= QUICK_HANDS or is_compiled())


def _all_kept(path: Path) -> AbstractContextManager[None]:
    """What to say on Ctrl-C when all hands are played."""
    where = harmless(shlex.quote(str(path)))
    return keeping(f"all hands are kept in {str(path)!r}; the money won: railbird results {where} --no-divat")


@contextmanager
def _money_if_in_doubt(wanted: bool | None) -> Iterator[None]:
    """A match that cannot be assessed is reported without DIVAT, and why, unless DIVAT was asked for."""
    try:
        yield
    except RailbirdError as error:
        if wanted:
            raise
        tell(f"no DIVAT: {error}", stderr=True)
