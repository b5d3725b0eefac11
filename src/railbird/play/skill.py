"""DIVAT of matches: what the players' skill was worth, beside the money they won (Kan 2007).

A match folder knows all cards of all players, so a heads-up limit match can always be assessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from railbird.assess.baseline import check_game
from railbird.assess.settings import STANDARD, Settings
from railbird.errors import AssessmentError, InvalidGameError
from railbird.formats.hand_logs import heads_up_limit
from railbird.game.spec import Game
from railbird.play.folder import MatchFolder
from railbird.play.match_logs import read_hand_arrays
from railbird.play.match_result import MatchResult
from railbird.progress import Watch, within
from railbird.words import count_of


def can_be_assessed(game: Game) -> bool:
    """Whether DIVAT knows the game: heads-up limit hold'em with the usual blinds and bets.

    >>> from railbird.game.spec import limit_holdem
    >>> can_be_assessed(limit_holdem()), can_be_assessed(limit_holdem(3))
    (True, False)
    """
    try:
        check_game(heads_up_limit(game, "the match"))
    except (AssessmentError, InvalidGameError):
        return False
    return True


def is_compiled() -> bool:
    """Whether the kernels that it takes are compiled already, so that a short match can be assessed at once."""
    from railbird.kernels.divat.streets import walk_streets

    return bool(walk_streets.is_compiled)


def with_divat(
    folder: MatchFolder,
    result: MatchResult,
    settings: Settings = STANDARD,
    watch: Watch | None = None,
    workers: int = 0,
) -> MatchResult:
    """The result of a match with `MatchResult.divat`, from the hands in its folder.

    Refuses games that DIVAT does not know, and logs that have lost some of the result's hands.
    """
    from railbird.assess.divat import assess  # imports kernels, which a match without DIVAT does not need

    legs, deals = result.won.shape[:2]
    hands = read_hand_arrays([folder.path], folder.spec.game)
    places = {folder.log_path(leg): leg for leg in range(legs)}
    leg_of = np.array([places.get(Path(file), -1) for file in hands.files])
    # Legs of an unfinished match have come to different hands; the result has those that all have.
    hands = hands.where((leg_of[hands.file] >= 0) & (hands.numbers < deals))
    missing = legs * deals - len(hands)
    if missing:
        why = f", such as {hands.problems[0]}" if hands.problems else ""
        raise AssessmentError(f"{count_of(missing, 'hand')} of {str(folder.path)!r} cannot be read{why}")
    first = hands.names.index(folder.spec.names[0])
    sign = np.where(hands.players[:, 0] == first, 1.0, -1.0)
    divat = np.empty((legs, deals))
    divat[leg_of[hands.file], hands.numbers] = sign * assess(hands, settings, watch, workers).divat
    return replace(result, divat=divat)


def all_with_divat(
    matches: Sequence[tuple[MatchFolder, MatchResult]], settings: Settings = STANDARD, watch: Watch | None = None
) -> list[MatchResult]:
    """The results of several matches with DIVAT. `watch` is told hands done and all hands."""
    found, done, total = [], 0, sum(result.won[:, :, 0].size for _, result in matches)
    for folder, result in matches:
        found.append(with_divat(folder, result, settings, within(watch, done, total)))
        done += result.won[:, :, 0].size
    return found
