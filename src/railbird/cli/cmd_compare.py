"""railbird compare."""

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
    Weights,
    Workers,
    assessed_comparison,
    check_divat,
    housing,
    seed_name,
)
from railbird.cli.show import progress_bar, show
from railbird.files import file_name
from railbird.formats.games import read_game
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import ComparisonSpec, default_comparison_folder, run_comparison
from railbird.play.secret_keys import asked_seed
from railbird.workforce import asked_workforce


def compare(
    new: Annotated[str, typer.Argument(help="The new bot: a name, a file as in ./new.py:Bot, or a program.")],
    old: Annotated[str, typer.Argument(help="The old one.")],
    against: Annotated[
        list[str], typer.Option("--against", metavar="BOT...", help="The opponents, one or more.", show_default=False)
    ],
    weights: Weights = None,
    episode: Annotated[
        int | None,
        typer.Option("--episode", min=1, help="Deals after which bots that learn begin anew.  \\[default: never]"),
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
    """Say whether a new bot is better than an old one: both play the same opponents on the same deals.

    What counts is the difference on each deal, so the luck of the cards is in both and mostly cancels. Where skill is
    assessed, AIVAT is told too if somebody's play is known, such as that of equilibrium. With --episode bots that learn
    begin anew after so many deals, and it is shown what they make in the course of an episode.

    The hands go to a folder. The same command goes on where it was interrupted, and with more --hands where it ended;
    after a change of a bot's file its matches are kept under other names and played anew. If a bot fails the exit code
    is 1.

    Example: railbird compare expert random --against always-call always-raise --hands 200
    """
    who = asked_workforce(workers, on)
    housed = housing(trusted, memory, out or Path("comparisons"))
    rest = (hands, asked_seed(seed, secret), duplicate, decision_seconds, housed, tuple(weights or ()), episode or 0)
    spec = ComparisonSpec(read_game(game, 2), new, old, tuple(against), *rest)
    check_divat(spec.game, divat)
    path = out or default_comparison_folder(Path("comparisons") / folder_name(spec), spec)
    with progress_bar(quiet=as_json) as watch:
        result = run_comparison(path, spec, who, watch)
    result = assessed_comparison(result, path, divat)
    show_comparison(result, path, as_json)
    if result.faults:
        raise typer.Exit(1)


def show_comparison(result: Comparison, path: Path, as_json: bool) -> None:
    """The verdict and the differences, and what can be done next."""
    show(result, as_json, folder=str(path))
    if not as_json:
        first = result.matches[0][0]
        failed = next((match for pair in result.matches for match in pair if match.faults), None)
        if failed and failed.folder:
            tell(replay_hint(failed, failed.folder))
        if result.deals_to_settle:
            tell(f"go on: the same command with --hands {result.deals_to_settle}")
        tell(f"one match: railbird results {shlex.quote(str(first.folder))}")
        for hint in verify_hint(result.spec, path):
            tell(hint)


def folder_name(spec: ComparisonSpec) -> str:
    """A folder name that says what was compared; it does not change with the number of hands."""
    bots = "-v-".join(file_name(name).strip("_") for name in spec.names)
    opponents = "-".join(file_name(name).strip("_") for name in spec.opponents)
    style = "" if spec.duplicate else "-plain"
    return f"{bots[:80]}-against-{opponents[:60]}-{spec.game.name}{style}-{seed_name(spec.seed)}"
