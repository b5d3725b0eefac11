"""railbird verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json
from railbird.cli.show import show
from railbird.play.verified import verify_deals


def verify(
    folder: Annotated[
        Path, typer.Argument(help="The folder of a match, tournament or comparison.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Deal the hands of a match again from its seed or told key, and say whether they are those of its logs.

    A match played with --secret tells the SHA-256 of its key when it begins and the key when it is over, so nobody
    could know the cards, and nobody could choose them. The hands of a table in the browser (railbird serve) are held
    against what was promised before each of them. If a hand has other cards the exit code is 1.

    Example: railbird verify matches/demo
    """
    found = verify_deals(folder)
    show(found, as_json)
    if not found.is_right:
        raise typer.Exit(1)
