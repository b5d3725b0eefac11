"""railbird match."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.cli.hints import replay_hint, tell_assess, tell_check
from railbird.cli.match_options import Deals, Means, check_count, seed_name
from railbird.cli.options import Divat, Json
from railbird.cli.show import progress_bar, show
from railbird.cli.with_skill import assessed_match, check_divat
from railbird.files import file_names
from railbird.play.folder import MatchFolder, default_folder
from railbird.play.known_seats import verdict_words
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.restarts import output_file
from railbird.play.run import run_matches
from railbird.play.seating import MOST_PLAYERS


def match(
    players: Annotated[
        list[str],
        typer.Argument(help="Two to ten bots: names, files as in ./mybot.py:MyBot, or programs as in ./program."),
    ],
    *,
    deals: Deals,
    means: Means,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play a match and say who is better, and how sure that is.

    Two players play heads-up, three to ten in a ring. With --duplicate every deal is replayed with the seats exchanged,
    which takes out much of the luck; DIVAT, for two players of limit hold'em, takes out most of it. The hands go to a
    folder. The same command goes on where it was interrupted, and with more --hands where it ended; after a change of
    a bot's file the folder is kept under another name, and a new one begun. With --secret nobody can know the cards
    before the match is over; then its key is told, and everybody can check them. If a bot fails the match is played
    to its end, and the exit code is 1. A program in any language is a player too: ./program is started as
    ./program HOST PORT and speaks the competition's protocol, lines:COMMAND speaks lines of JSON.

    Example: railbird match always-call always-raise --hands 10000 --duplicate --seed 7
    """
    who = means.workforce()
    check_count(players, "match", MOST_PLAYERS)
    rest = (*deals.asked(), means.decision_seconds)
    spec = MatchSpec(deals.game_of(len(players)), tuple(players), *rest, housing=means.housing("matches"))
    check_divat(spec.game, divat)
    path = means.out or default_folder(Path("matches") / folder_name(spec), spec)
    folder = MatchFolder.create(path, spec)
    with folder.lock(), progress_bar(quiet=as_json) as watch:
        [result] = run_matches([folder], who, watch)
    result = assessed_match(result, path, divat)
    show_match(result, path, divat, as_json)
    if result.faults:
        raise typer.Exit(1)


def show_match(result: MatchResult, path: Path, divat: bool | None, as_json: bool) -> None:
    """A match in a form that stands alone, and what can be done with it next."""
    show(result, as_json, folder=str(path))
    if not as_json:
        for name in result.spec.names:
            if (file := output_file(path, name)).is_file():
                tell(f"what {name} printed: {shlex.quote(str(file))}")
        tell_assess(result.spec.game, path, result.skill is not None, divat)
        if words := verdict_words(result.spec):
            tell(f"{words}: railbird assess {shlex.quote(str(path))} --known equilibrium")
        tell(replay_hint(result, path))
        tell_check(result.spec.seed, path)


def folder_name(spec: MatchSpec) -> str:
    """A folder name that says what was played."""
    names = file_names(spec.names)
    style = "-duplicate" if spec.duplicate else ""
    return f"{names[:80]}-{spec.game.name}{style}-{seed_name(spec.seed)}"
