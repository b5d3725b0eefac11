"""railbird import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json, LogGame
from railbird.cli.show import counting_bar, show
from railbird.play.importing import import_hands


def import_(
    logs: Annotated[list[Path], typer.Argument(help="Logs, histories, match folders, and folders of them.")],
    to: Annotated[Path, typer.Option("--to", metavar="STORE", help="The store; it is made if there is none.")] = Path(
        "hands.parquet"
    ),
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Put the hands of logs and histories into a store, which every command reads, and stats quickly.

    A store is a folder with three tables of Parquet (hands, seats and actions), which any program that knows Parquet
    can read. Each hand is replayed through the rules; one that breaks them is left out and told by file and line.

    No hand gets in twice: import again whatever has grown. What was imported stays when an import is broken off, and
    the same command goes on.

    Example: railbird import matches/demo --to hands.parquet
    """
    show(import_hands(logs, to, game, progress=counting_bar), as_json)
