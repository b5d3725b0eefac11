"""railbird match."""

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
    assessed_match,
    check_divat,
    divat_hint,
)
from railbird.cli.show import compiling_note, progress_bar, show
from railbird.errors import MatchError
from railbird.files import file_name
from railbird.formats.games import read_game
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches


def match(
    players: Annotated[list[str], typer.Argument(help="Two to ten bots: names, or files as in ./mybot.py:MyBot.")],
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play a match and say who is better, and how sure that is.

    Two players play heads-up, three to ten in a ring. With --duplicate every deal is replayed with the seats exchanged,
    which takes out much of the luck; DIVAT, for two players of limit hold'em, takes out most of it. The hands go to a
    folder; the same command goes on where it was interrupted.

    Example: railbird match always-call always-raise --hands 10000 --duplicate --seed 7
    """
    if not 2 <= len(players) <= 10:
        raise MatchError(f"{len(players)} players ({' '.join(players)}); a match takes 2 to 10")
    spec = MatchSpec(read_game(game, len(players)), tuple(players), hands, seed, duplicate, decision_seconds)
    check_divat(spec.game, divat)
    path = out or Path("matches") / folder_name(spec)
    with compiling_note():
        folder = MatchFolder.create(path, spec)
        with folder.lock(), progress_bar(quiet=as_json) as watch:
            [result] = run_matches([folder], workers, watch)
        result = assessed_match(result, path, divat)
    show_match(result, path, divat, as_json)


def show_match(result: MatchResult, path: Path, divat: bool | None, as_json: bool) -> None:
    """A match in a form that stands alone, and what can be done with it next."""
    show(result, as_json, folder=str(path))
    if not as_json:
        for hint in divat_hint(result.spec.game, path, result.divat is not None, divat):
            print(hint)
        hand = min(17, result.won.shape[1] - 1)
        print(f"replay a hand: railbird replay {shlex.quote(str(path))} {hand}")


def folder_name(spec: MatchSpec) -> str:
    """A folder name that says what was played."""
    names = "-v-".join(file_name(name).strip("_") for name in spec.names)
    style = "-duplicate" if spec.duplicate else ""
    return f"{names[:80]}-{spec.game.name}-{spec.hands}{style}-seed{spec.seed}"
