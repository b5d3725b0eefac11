"""railbird results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_compare import show_comparison
from railbird.cli.cmd_match import show_match
from railbird.cli.cmd_tournament import show_tournament
from railbird.cli.options import (
    Divat,
    Json,
    LogGame,
    assessed_comparison,
    assessed_log,
    assessed_match,
    assessed_tournament,
)
from railbird.cli.show import show
from railbird.errors import MatchError
from railbird.play.comparison_folder import is_comparison, read_comparison
from railbird.play.folder import MatchFolder
from railbird.play.log_result import log_result
from railbird.play.match_logs import OpenedLogs, open_logs
from railbird.play.tournament import read_tournament


def results(
    folder: Annotated[
        Path, typer.Argument(help="The folder of a match, tournament or comparison, or a log.", show_default=False)
    ],
    divat: Divat = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Show the result of a match, tournament or comparison again, finished or not, or that of a log.

    Example: railbird results matches/demo
    """
    if (folder / "tournament.json").exists():
        table = assessed_tournament(read_tournament(folder), folder, divat)
        show_tournament(table, folder, divat, as_json)
    elif is_comparison(folder):
        found = assessed_comparison(read_comparison(folder), folder, divat)
        show_comparison(found, folder, as_json)
    else:
        opened = open_logs(folder, game)
        if opened.folder is None:
            _show_log(opened, divat, as_json)
        else:
            _show_folder(opened.folder, divat, as_json)


def _show_folder(folder: MatchFolder, divat: bool | None, as_json: bool) -> None:
    result = folder.result()
    if result.deals == 0:
        raise MatchError(f"{str(folder.path)!r} has no complete deal yet; go on with the command that began it")
    result = assessed_match(result, folder.path, divat)
    show_match(result, folder.path, divat, as_json)


def _show_log(logs: OpenedLogs, divat: bool | None, as_json: bool) -> None:
    result = assessed_log(log_result(logs), logs.path, divat)
    show(result, as_json)
