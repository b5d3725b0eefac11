"""railbird tournament."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_match import replay_hint, verify_hint
from railbird.cli.console import tell
from railbird.cli.options import (
    Divat,
    Duplicate,
    GameOption,
    Hands,
    Json,
    Memory,
    On,
    Out,
    Secret,
    Seed,
    Think,
    Trusted,
    Workers,
    assessed_tournament,
    check_divat,
    divat_hint,
    housing,
    seed_name,
)
from railbird.cli.show import progress_bar, show
from railbird.files import file_name
from railbird.formats.games import read_game
from railbird.play.secret_keys import asked_seed
from railbird.play.tournament import (
    TournamentSpec,
    default_tournament_folder,
    match_folders,
    run_tournament,
)
from railbird.play.tournament_result import TournamentResult
from railbird.workforce import asked_workforce


def tournament(
    players: Annotated[list[str], typer.Argument(help="The bots, two or more; programs too, as in railbird match.")],
    seats: Annotated[int, typer.Option("--seats", min=2, max=10, help="Players at a table.")] = 2,
    tables: Annotated[
        int | None,
        typer.Option("--line-ups", metavar="N", min=1, help="A balanced sample of the line-ups.  \\[default: all]"),
    ] = None,
    hands: Hands = 1000,
    duplicate: Duplicate = True,
    seed: Seed = None,
    secret: Secret = False,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    on: On = None,
    decision_seconds: Think = 10.0,
    trusted: Trusted = False,
    memory: Memory = 2048,
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
    who = asked_workforce(workers, on)
    rest = (hands, asked_seed(seed, secret), duplicate, decision_seconds)
    spec = TournamentSpec(
        read_game(game, seats),
        tuple(players),
        *rest,
        housing=housing(trusted, memory, out or Path("tournaments")),
        tables=tables or 0,
    )
    check_divat(spec.game, divat)
    path = out or default_tournament_folder(Path("tournaments") / tournament_name(spec), spec)
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
        for hint in divat_hint(result.spec.game, path, result.is_assessed, divat):
            tell(hint)
        failed = next((match for match in result.matches.values() if match.faults and match.folder), None)
        if failed and failed.folder:
            tell(replay_hint(failed, failed.folder))
        tell(f"one match: railbird results {shlex.quote(str(match_folders(path)[0]))}")
        for hint in verify_hint(result.spec, path):
            tell(hint)


def tournament_name(spec: TournamentSpec) -> str:
    """A folder name that says what was played."""
    names = "-".join(file_name(name).strip("_") for name in spec.names)
    seats = "" if spec.game.seats == 2 else f"-{spec.game.seats}-seats"
    return f"{names[:80]}-{spec.game.name}{seats}{'' if spec.duplicate else '-plain'}-{seed_name(spec.seed)}"
