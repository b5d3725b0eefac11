"""railbird compare."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.cli.hints import tell_check, tell_faults, tell_match
from railbird.cli.match_options import DealsInDuplicate, Means, seed_name
from railbird.cli.options import Divat, Json, Weights
from railbird.cli.show import progress_bar, show
from railbird.cli.with_skill import assessed_comparison, check_divat
from railbird.files import file_names
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import ComparisonSpec, default_comparison_folder, run_comparison


def compare(
    new: Annotated[str, typer.Argument(help="The new bot: a name, a file as in ./new.py:Bot, or a program.")],
    old: Annotated[str, typer.Argument(help="The old one.")],
    against: Annotated[
        list[str], typer.Option("--against", metavar="BOT...", help="The opponents, one or more.", show_default=False)
    ],
    *,
    weights: Weights = None,
    episode: Annotated[
        int | None,
        typer.Option("--episode", min=1, help="Deals after which bots that learn begin anew.  \\[default: never]"),
    ] = None,
    deals: DealsInDuplicate,
    means: Means,
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
    who = means.workforce()
    rest = (*deals.asked(), means.decision_seconds, means.housing("comparisons"), tuple(weights or ()), episode or 0)
    spec = ComparisonSpec(deals.game_of(2), new, old, tuple(against), *rest)
    check_divat(spec.game, divat)
    path = means.out or default_comparison_folder(Path("comparisons") / folder_name(spec), spec)
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
        tell_faults(chain.from_iterable(result.matches))
        if result.deals_to_settle:
            tell(f"go on: the same command with --hands {result.deals_to_settle}")
        tell_match(result.matches[0][0].folder)
        tell_check(result.spec.seed, path)


def folder_name(spec: ComparisonSpec) -> str:
    """A folder name that says what was compared; it does not change with the number of hands."""
    bots = file_names(spec.names)
    opponents = file_names(spec.opponents, "-")
    style = "" if spec.duplicate else "-plain"
    return f"{bots[:80]}-against-{opponents[:60]}-{spec.game.name}{style}-{seed_name(spec.seed)}"
