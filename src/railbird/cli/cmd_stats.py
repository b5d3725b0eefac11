"""railbird stats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.cli.options import Json, LogGame
from railbird.cli.show import counting_bar, show
from railbird.play import importing
from railbird.results.figures import check_drawing


def stats(
    hands: Annotated[list[Path], typer.Argument(help="A hand store, or logs, histories and match folders.")],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Only the hands of this player.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="player, position, stakes, players (how many at the table), year, month, day or source; or several, "
            "as in player,position.  \\[default: player, or position with --player]",
            show_default=False,
        ),
    ] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write the picture of what the player won.")] = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Say what players do and win: VPIP, aggression, folds, showdowns, win rates and all-in luck.

    The numbers are those of the trackers that people use (docs/stats.md). Win rates stand before and after rake, with
    95% intervals. From a store (railbird import) ten million hands take seconds; logs are read first.

    Example: railbird stats matches/demo --by player,position
    """
    if png:
        check_drawing()
    groups = by or ("position" if player else "player")
    found = importing.stats(hands, groups, player=player, game=game, progress=counting_bar)
    show(found, as_json)
    if png:
        path = found.plot().save(png)
        if not as_json:
            tell(f"wrote {path}")
