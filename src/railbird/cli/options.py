"""Options that several commands share, and what they mean."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from railbird.assess.settings import STANDARD
from railbird.assess.tables import divat_tables, is_built
from railbird.cli.console import console
from railbird.cli.show import counting_bar
from railbird.errors import AssessmentError, RailbirdError
from railbird.game.spec import Game
from railbird.play.folder import MatchFolder
from railbird.play.match_result import MatchResult
from railbird.play.skill import can_be_assessed, with_divat
from railbird.play.tournament import TournamentResult, tournament_with_divat
from railbird.progress import Watch

Hands = Annotated[int, typer.Option("--hands", "-n", help="Deals to play; in duplicate each is played in every seat.")]
Duplicate = Annotated[bool, typer.Option("--duplicate/--plain", "-d", help="Play every deal in all seats.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same cards and the same match.")]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        help="limit, no-limit, pot-limit, spread-limit, kuhn or leduc, with parameters as in limit:cap=3,ante=1 or "
        "no-limit:stack=5000; or a competition game file (*.game).",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the hands; by default a new one here.")]
Workers = Annotated[int | None, typer.Option("--workers", "-w", min=1, help="Processes; by default one per core.")]
Think = Annotated[float, typer.Option("--decision-seconds", help="Longest time a player may think about a decision.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")]
Divat = Annotated[
    bool | None,
    typer.Option("--divat/--no-divat", help="Assess skill too (heads-up limit hold'em); by default where it is quick."),
]
QUICK_HANDS = 1_000
"""Shorter matches do not wait for DIVAT's tables to be built."""


def file_name(text: str) -> str:
    """Text as a part of a file's name."""
    return re.sub(r"[^\w.-]+", "_", text)


def check_divat(game: Game, wanted: bool | None) -> None:
    """Refuse --divat for a game that it is not defined for."""
    if wanted and not can_be_assessed(game):
        raise AssessmentError(f"DIVAT is for heads-up limit hold'em, not for {game.name} with {game.seats} seats")


def assessed_match(result: MatchResult, path: Path, wanted: bool | None) -> MatchResult:
    """The result with DIVAT, if that is wanted or (`None`) can be had without a long wait."""
    if not _is_to_be_assessed(result.spec.game, result.won[:, :, 0].size, wanted):
        return result
    with _money_if_in_doubt(wanted), _assessing() as watch:
        return with_divat(MatchFolder(path, result.spec), result, watch=watch)
    return result


def assessed_tournament(result: TournamentResult, path: Path, wanted: bool | None) -> TournamentResult:
    """The same for all matches of a tournament."""
    hands = sum(match.won[:, :, 0].size for match in result.matches.values())
    if not _is_to_be_assessed(result.spec.game, hands, wanted):
        return result
    with _money_if_in_doubt(wanted), _assessing() as watch:
        return tournament_with_divat(path, result, watch=watch)
    return result


def divat_hint(game: Game, path: Path, is_assessed: bool, wanted: bool | None) -> list[str]:
    """How to get DIVAT, where it was left out and nobody said so."""
    if wanted is not None or is_assessed or not can_be_assessed(game):
        return []
    return [f"skill without the luck: railbird assess {shlex.quote(str(path))} (builds DIVAT's tables once)"]


def _is_to_be_assessed(game: Game, hands: int, wanted: bool | None) -> bool:
    check_divat(game, wanted)
    if wanted is not None:
        return wanted
    return can_be_assessed(game) and (hands >= QUICK_HANDS or is_built(STANDARD))


@contextmanager
def _money_if_in_doubt(wanted: bool | None) -> Iterator[None]:
    """A match that cannot be assessed is reported without DIVAT, and why, unless DIVAT was asked for."""
    try:
        yield
    except RailbirdError as error:
        if wanted:
            raise
        print(f"no DIVAT: {error}", file=sys.stderr)


@contextmanager
def _assessing() -> Iterator[Watch | None]:
    """A live bar while hands are assessed, after a note if the tables must be built first."""
    if not is_built(STANDARD):
        words = "building DIVAT's tables (220 MB in the cache folder), once: about half a minute"
        where = console(stderr=True)
        if where.is_terminal:
            with where.status(words):
                divat_tables(STANDARD)
        else:
            print(f"{words} ...", file=sys.stderr)
    with counting_bar("assessing") as watch:
        yield watch
