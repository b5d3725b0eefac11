"""railbird gauntlet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.hints import tell_faults, tell_match
from railbird.cli.match_options import Means
from railbird.cli.options import Json
from railbird.cli.show import progress_bar, show
from railbird.files import file_names
from railbird.play.gauntlet import DEALS, VERSION, GauntletRun, run_gauntlet
from railbird.play.gauntlet_result import GauntletResult
from railbird.play.players import player_of


def gauntlet(
    bot: Annotated[str, typer.Argument(help="The bot: a name, or a file as in ./mybot.py:MyBot.")],
    *,
    hands: Annotated[int, typer.Option("--hands", "-n", help="Deals against each opponent.")] = DEALS,
    means: Means,
    as_json: Json = False,
) -> None:
    """Give a bot its place: it plays a fixed set of opponents whose exploitability is known.

    Heads-up limit hold'em in duplicate, on the deals that all bots before have played. What they won ships with
    Railbird, so the place is known in one go, with the places it may have as far as bots are separable. Of each
    opponent it is known what a perfect player wins from it, and so how much of that the bot takes. The same command
    goes on where it was interrupted. If the bot fails the exit code is 1.

    Example: railbird gauntlet always-call --hands 200
    """
    who = means.workforce()
    name = file_names([player_of(bot).label])
    path = means.out or Path("gauntlets") / f"{name}-gauntlet{VERSION}"
    asked = GauntletRun(bot, hands, means.decision_seconds, means.housing(path))
    with progress_bar(quiet=as_json) as watch:
        result = run_gauntlet(path, asked, who, watch)
    show_gauntlet(result, path, as_json)
    if any(match.faults for match in result.matches):
        raise typer.Exit(1)


def show_gauntlet(result: GauntletResult, path: Path, as_json: bool) -> None:
    """The place, and what can be done next."""
    show(result, as_json, folder=str(path))
    if as_json:
        return
    tell_faults(result.matches)
    tell_match(result.matches[-1].folder)
