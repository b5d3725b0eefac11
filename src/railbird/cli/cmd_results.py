"""railbird results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_match import show_match
from railbird.cli.cmd_tournament import show_tournament
from railbird.cli.options import Divat, Json, assessed_match, assessed_tournament
from railbird.cli.show import compiling_note
from railbird.errors import MatchError
from railbird.play.folder import MatchFolder
from railbird.play.tournament import read_tournament


def results(
    folder: Annotated[Path, typer.Argument(help="A match or tournament folder.")],
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Show the result of a match or tournament again, finished or not.

    Example: railbird results matches/demo
    """
    if (folder / "tournament.json").exists():
        with compiling_note():
            table = assessed_tournament(read_tournament(folder), folder, divat)
        show_tournament(table, folder, as_json)
        return
    result = MatchFolder.open(folder).result()
    if result.won.shape[1] == 0:
        raise MatchError(f"{str(folder)!r} has no complete deal yet; go on with the command that began it")
    with compiling_note():
        result = assessed_match(result, folder, divat)
    show_match(result, folder, as_json)
