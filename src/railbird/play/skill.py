"""DIVAT of matches: what the players' skill was worth, beside the money they won (Kan 2007).

A match folder knows all cards of all players, so a heads-up limit match can always be assessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import check_game
from railbird.assess.settings import STANDARD, Settings
from railbird.errors import AssessmentError, InvalidGameError
from railbird.formats.hand_arrays import HandArrays
from railbird.formats.hand_logs import LogSource, heads_up_limit, read_logs
from railbird.game.spec import Game
from railbird.play.folder import MatchFolder
from railbird.play.leg_log import HandLog
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.match_sums import pieces
from railbird.progress import Watch, within
from railbird.words import count_of

if TYPE_CHECKING:
    from railbird.assess.aivat_hands import KnownPlayers

_MOST_IN_MEMORY = 1_000_000
"""Hands whose DIVAT differences are kept in memory."""


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
    logs, legs = folder.logs(), result.spec.seating.legs
    divat = _room(legs, result.deals)
    for first, last in pieces(result.deals):
        told = within(watch, legs * first, legs * result.deals)
        divat[:, first:last] = divat_of(folder.spec, logs, first, last, settings, told, workers)
    return replace(result, divat=divat)


def divat_of(
    spec: MatchSpec,
    logs: Sequence[HandLog],
    first: int,
    last: int,
    settings: Settings = STANDARD,
    watch: Watch | None = None,
    workers: int = 0,
) -> NDArray[np.float64]:
    """The first player's DIVAT differences of deals `first` to `last - 1`, by leg and deal, from a match's logs."""
    from railbird.assess.divat import assess  # imports kernels, which a match without DIVAT does not need

    hands = _hands_in(spec, logs, first, last)
    return _by_leg(spec, logs, hands, assess(hands, settings, watch, workers).divat, first, last)


def aivat_of(
    spec: MatchSpec,
    logs: Sequence[HandLog],
    first: int,
    last: int,
    known: KnownPlayers,
    watch: Watch | None = None,
) -> NDArray[np.float64]:
    """The same by AIVAT, of which at least one player is known."""
    hands = _hands_in(spec, logs, first, last)
    found = known.samples(hands, watch)
    assert found is not None
    return _by_leg(spec, logs, hands, found, first, last)


def _hands_in(spec: MatchSpec, logs: Sequence[HandLog], first: int, last: int) -> HandArrays:
    """The hands of deals `first` to `last - 1`, of all legs; refuses logs that have lost some."""
    sources = [LogSource(log.path, spec.game, data=log.text(first, last)) for log in logs]
    hands = read_logs([replace(source, game=heads_up_limit(spec.game, "the match")) for source in sources])
    if missing := len(logs) * (last - first) - len(hands):
        why = f", such as {hands.problems[0]}" if hands.problems else ""
        raise AssessmentError(f"{count_of(missing, 'hand')} of {str(logs[0].path.parent)!r} cannot be read{why}")
    return hands


def _by_leg(
    spec: MatchSpec, logs: Sequence[HandLog], hands: HandArrays, values: NDArray[np.float64], first: int, last: int
) -> NDArray[np.float64]:
    """What is told of position 0, hand by hand: for the first player, by leg and deal."""
    sign = np.where(hands.players[:, 0] == hands.names.index(spec.names[0]), 1.0, -1.0)
    found = np.empty((len(logs), last - first))
    found[hands.file, hands.numbers - first] = sign * values
    return found


def _room(legs: int, deals: int) -> NDArray[np.float64]:
    """Room for a number a hand: in memory, or for very many in a file that goes away with it."""
    if legs * deals <= _MOST_IN_MEMORY:
        return np.empty((legs, deals))
    return np.memmap(TemporaryFile(prefix="railbird-"), np.float64, "w+", shape=(legs, deals))


def all_with_divat(
    matches: Sequence[tuple[MatchFolder, MatchResult]], settings: Settings = STANDARD, watch: Watch | None = None
) -> list[MatchResult]:
    """The results of several matches with DIVAT. `watch` is told hands done and all hands."""
    found, done, total = [], 0, sum(result.hands_played for _, result in matches)
    for folder, result in matches:
        found.append(with_divat(folder, result, settings, within(watch, done, total)))
        done += result.hands_played
    return found
