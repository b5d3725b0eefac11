"""railbird convert."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json, LogGame
from railbird.cli.show import counting_bar, show
from railbird.play import converting


def convert(
    source: Annotated[
        Path,
        typer.Argument(metavar="IN", help="A log, a history, a match folder, or a folder of them.", show_default=False),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.", show_default=False)],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Its format, as phhs or acpc; by default as its name ends."),
    ] = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Write hands in another format, and say what that format cannot say.

    What is read is told by its content. Every hand is held against the rules; one that breaks them, or that the other
    format has no words for, is set aside and told by file and line. The file is written whole or not at all. The exit
    code is 0 if every hand was written, 1 if some were set aside, 2 if there is nothing to write.

    Example: railbird convert matches/demo demo.phhs
    """
    found = converting.convert(source, target, to, game, progress=counting_bar)
    show(found, as_json)
    if not found.is_whole:
        raise typer.Exit(1)
