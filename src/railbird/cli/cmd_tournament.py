"""railbird tournament."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import (
    Divat,
    Duplicate,
    GameOption,
    Hands,
    Json,
    Out,
    Seed,
    Think,
    Workers,
    assessed_tournament,
    check_divat,
    divat_hint,
)
from railbird.cli.show import compiling_note, progress_bar, show
from railbird.files import file_name
from railbird.formats.games import read_game
from railbird.play.tournament import TournamentResult, TournamentSpec, run_tournament


def tournament(
    players: Annotated[list[str], typer.Argument(help="The bots, two or more.")],
    hands: Hands = 1000,
    duplicate: Duplicate = True,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play everybody against everybody, heads-up, and print the crosstable.

    Every pair plays the same deals, in duplicate unless --plain is given. The same command goes on where it was
    interrupted.

    Example: railbird tournament always-call always-raise random --hands 2000 --seed 7
    """
    spec = TournamentSpec(read_game(game, 2), tuple(players), hands, seed, duplicate, decision_seconds)
    check_divat(spec.game, divat)
    names = "-".join(file_name(Path(player).name) for player in players)
    path = out or Path("tournaments") / f"{names[:80]}-{hands}-seed{seed}"
    with compiling_note():
        with progress_bar(quiet=as_json) as watch:
            result = run_tournament(path, spec, workers, watch)
        result = assessed_tournament(result, path, divat)
    show_tournament(result, path, divat, as_json)


def show_tournament(result: TournamentResult, path: Path, divat: bool | None, as_json: bool) -> None:
    """The crosstables, and what can be done next."""
    show(result, as_json, folder=str(path))
    if not as_json:
        first, second = next(iter(result.matches))
        for hint in divat_hint(result.spec.game, path, result.is_assessed, divat):
            print(hint)
        print(f"one match: railbird results {shlex.quote(str(path / f'{first + 1:02}-{second + 1:02}'))}")
