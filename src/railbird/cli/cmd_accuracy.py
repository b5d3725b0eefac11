"""railbird accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json, LogGame
from railbird.cli.show import counting_bar, show
from railbird.play import predicted


def accuracy(
    log: Annotated[Path, typer.Argument(help="A match folder, or a log.", show_default=False)],
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="generic or specific, with options as in specific:inverse=yes,"
            "half_life=200; may be given again, and all are then held against the first. By default both.",
        ),
    ] = None,
    player: Annotated[str | None, typer.Option("--player", "-p", help="Only predictions about this player.")] = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Say how well models of the players predict a match: holdings shown, and actions.

    A spectator without cards watches every hand in order. Predictions cost bits: the logarithm of one over the
    probability that was given to what happened. The baselines are every holding equally likely, with everybody's
    frequencies for actions (uniform), and the frequencies of Papp's Table B.2 (generic).

    Example: railbird accuracy matches/demo --model specific:inverse=yes
    """
    with counting_bar("watching the hands") as watch:
        found = predicted.accuracy(log, models or (), player, watch, game)
    show(found, as_json)
