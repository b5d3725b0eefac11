"""Skill and luck in whatever holds hands: a log, a match folder, the result of a match, or records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from railbird.assess.assessed import AssessedHand, AssessedLog, assessed_log, assessed_pieces
from railbird.assess.settings import parse_settings
from railbird.errors import AssessmentError
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import HandArrays
from railbird.formats.hand_logs import LogSource
from railbird.formats.left_out import LeftOut
from railbird.formats.log_pieces import are_long, read_pieces
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.known import known_players
from railbird.play.match_logs import arrays_of, log_sources, read_hand_arrays, refuse_damage
from railbird.play.match_result import MatchResult
from railbird.progress import Bar, Watch, bar_for

AnyHands = str | Path | Sequence[str | Path] | MatchResult | HandArrays | Iterable[HandRecord]


def assess(
    hands: AnyHands,
    settings: str | Sequence[str] = "standard",
    *,
    runtime: bool = False,
    game: str | Game | None = None,
    known: str | Sequence[str] = (),
    whole: bool = False,
    progress: bool | Bar = True,
) -> AssessedLog:
    """What was skill and what was luck in hands of heads-up limit hold'em (Kan 2007).

    The hands are a log or match folder (or several), the result of a match, or records. DIVAT's `settings` are those
    of the command line, as in "standard:fold=faced"; several make an ensemble, whose means count. With `runtime`,
    hands with hidden cards count by money. The first time, tables are built for half a minute.

    Of players whose probabilities are `known`, by name ("equilibrium") or with the bot that they are ("Ann=sparbot"),
    more luck is taken out, by AIVAT: docs/measures.md.

    Refuses hands that are no fair sample of those in the logs, because too many do not fit the game or hide cards, with
    an `UnfairSampleError`: see `railbird.formats.left_out`. Money is after rake, if there was any, DIVAT without it.

    Of logs with more than about half a million hands only sums are kept, unless all hands are wanted as a `whole`.
    """
    chosen = [settings] if isinstance(settings, str) else settings
    named = [(text, parse_settings(text)) for text in chosen]
    opened, told = bar_for(progress), read_game(game, 2) if game is not None else None
    players = known_players([known] if isinstance(known, str) else known)
    if not whole and (sources := _long_logs(hands, told)):
        with opened("assessing", "kB") as watch:
            return assessed_pieces(read_pieces(sources, watch), named, runtime, opened, players)
    with opened("reading") as watch:
        arrays = _arrays(hands, told, watch)
    return assessed_log(arrays, named, runtime, opened, players)


def hand_of(
    logs: Sequence[str | Path],
    number: int,
    settings: str | Sequence[str] = "standard",
    *,
    game: str | None = None,
    progress: bool | Bar = True,
) -> AssessedHand:
    """The hands of a number in logs, street by street; of long logs no others are kept."""
    told = read_game(game, 2) if game is not None else None
    sources = _long_logs(logs, told)
    with bar_for(progress)("reading") as watch:
        pieces = read_pieces(sources, watch) if sources else [read_hand_arrays(logs, told, watch)]
        chosen = ((piece, (piece.numbers == number) & piece.complete) for piece in pieces)
        # One hand is no sample, so that it does not matter which others are missing.
        found = [replace(piece.where(here), left_out=LeftOut()) for piece, here in chosen if here.any()]
    if not found:
        raise AssessmentError(f"no hand {number} among the hands that could be assessed")
    records = [each.record(n) for each in found for n in range(len(each))]
    hands = found[0] if len(found) == 1 else arrays_of(records)
    return assess(hands, settings, progress=progress).hand(number)


def _long_logs(hands: AnyHands, game: Game | None) -> list[LogSource]:
    """The logs, if they are named and too long to have all hands in memory."""
    paths = [hands] if isinstance(hands, str | Path) else hands
    if not isinstance(paths, Sequence) or not paths or not all(isinstance(each, str | Path) for each in paths):
        return []
    sources = log_sources(paths, game)
    if not are_long(sources):
        return []
    refuse_damage([source.path for source in sources])
    return sources


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
