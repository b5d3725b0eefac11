"""railbird tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.hints import tell_assess, tell_check, tell_faults, tell_match
from railbird.cli.match_options import DealsInDuplicate, Means, check_count, seed_name
from railbird.cli.options import Divat, Json
from railbird.cli.show import progress_bar, show
from railbird.cli.with_skill import assessed_tournament, check_divat
from railbird.files import file_names
from railbird.play.tournament import (
    MOST_PLAYERS,
    TournamentSpec,
    default_tournament_folder,
    match_folders,
    run_tournament,
)
from railbird.play.tournament_result import TournamentResult


def tournament(
    players: Annotated[list[str], typer.Argument(help="The bots, two or more; programs too, as in railbird match.")],
    seats: Annotated[int, typer.Option("--seats", min=2, max=10, help="Players at a table.")] = 2,
    tables: Annotated[
        int | None,
        typer.Option("--line-ups", metavar="N", min=1, help="A balanced sample of the line-ups.  \\[default: all]"),
    ] = None,
    *,
    deals: DealsInDuplicate,
    means: Means,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play everybody against everybody, heads-up or at larger tables, and rate them.

    Every pair plays the same deals, in duplicate unless --plain is given; with --seats 3 to 10 every line-up does. A
    rating is what a player wins a hand from an average one of the field; who is "not separable from" whom may be as
    good, as far as these deals tell, judged for all pairs together. The same command goes on where it was
    interrupted, and with more --hands where it ended; after a change of a bot's file the folder is kept under another
    name, and what that bot does not play in is taken over. If a bot fails the exit code is 1.

    Example: railbird tournament always-call always-raise random --hands 2000 --seed 7
    """
    who = means.workforce()
    check_count(players, "tournament", MOST_PLAYERS)
    rest, housing = (*deals.asked(), means.decision_seconds), means.housing("tournaments")
    spec = TournamentSpec(deals.game_of(seats), tuple(players), *rest, housing=housing, tables=tables or 0)
    check_divat(spec.game, divat)
    path = means.out or default_tournament_folder(Path("tournaments") / tournament_name(spec), spec)
    with progress_bar(quiet=as_json) as watch:
        result = run_tournament(path, spec, who, watch)
    result = assessed_tournament(result, path, divat)
    show_tournament(result, path, divat, as_json)
    if result.faults:
        raise typer.Exit(1)


def show_tournament(result: TournamentResult, path: Path, divat: bool | None, as_json: bool) -> None:
    """The crosstables, and what can be done next."""
    show(result, as_json, folder=str(path))
    if not as_json:
        tell_assess(result.spec.game, path, result.is_assessed, divat)
        tell_faults(result.matches.values())
        tell_match(match_folders(path)[0])
        tell_check(result.spec.seed, path)


def tournament_name(spec: TournamentSpec) -> str:
    """A folder name that says what was played."""
    names = file_names(spec.names, "-")
    seats = "" if spec.game.seats == 2 else f"-{spec.game.seats}-seats"
    return f"{names[:80]}-{spec.game.name}{seats}{'' if spec.duplicate else '-plain'}-{seed_name(spec.seed)}"
