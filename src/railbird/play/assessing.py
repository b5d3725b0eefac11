"""Skill and luck in whatever holds hands: a log, a match folder, the result of a match, or records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from railbird.assess.assessed import AssessedLog, assessed_log
from railbird.assess.settings import parse_settings
from railbird.errors import AssessmentError
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import HandArrays
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.match_logs import arrays_of, read_hand_arrays
from railbird.play.match_result import MatchResult
from railbird.progress import Bar, Watch, bar_for

AnyHands = str | Path | Sequence[str | Path] | MatchResult | HandArrays | Iterable[HandRecord]


def assess(
    hands: AnyHands,
    settings: str | Sequence[str] = "standard",
    *,
    runtime: bool = False,
    game: str | Game | None = None,
    progress: bool | Bar = True,
) -> AssessedLog:
    """What was skill and what was luck in hands of heads-up limit hold'em (Kan 2007).

    The hands are a log or match folder (or several), the result of a match, or records. DIVAT's `settings` are those
    of the command line, as in "standard:fold=faced"; several make an ensemble, whose means count. With `runtime`,
    hands with hidden cards count by money. The first time, tables are built for half a minute.
    """
    chosen = [settings] if isinstance(settings, str) else settings
    known = [(text, parse_settings(text)) for text in chosen]
    opened = bar_for(progress)
    with opened("reading") as watch:
        arrays = _arrays(hands, read_game(game, 2) if game is not None else None, watch)
    return assessed_log(arrays, known, runtime, opened)


def _arrays(hands: AnyHands, game: Game | None, watch: Watch | None) -> HandArrays:
    match hands:
        case HandArrays():
            return hands
        case MatchResult():
            if hands.folder is None:
                raise AssessmentError("the result does not say where its hands are; assess the match folder")
            found = read_hand_arrays(hands.folder, hands.spec.game, watch)
            return found.where(found.numbers < hands.deals)
        case str() | Path():
            return read_hand_arrays(hands, game, watch)
    given = list(hands)
    paths = [each for each in given if isinstance(each, str | Path)]
    records = [each for each in given if isinstance(each, HandRecord)]
    if len(given) not in (len(paths), len(records)):
        raise AssessmentError(f"{hands!r} holds something else than records of hands, or paths of logs")
    return read_hand_arrays(paths, game, watch) if paths else arrays_of(records)
