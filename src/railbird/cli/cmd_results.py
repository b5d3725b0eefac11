"""railbird results."""

from __future__ import annotations

from functools import singledispatch
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_compare import show_comparison
from railbird.cli.cmd_gauntlet import show_gauntlet
from railbird.cli.cmd_match import show_match
from railbird.cli.cmd_test import show_test
from railbird.cli.cmd_tournament import show_tournament
from railbird.cli.console import tell
from railbird.cli.options import Divat, Json, LogGame
from railbird.cli.show import show
from railbird.cli.with_skill import assessed_comparison, assessed_log, assessed_match, assessed_tournament
from railbird.errors import MatchError
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import is_comparison, read_comparison
from railbird.play.folder_results import has_matches, result_in
from railbird.play.gain_result import GainTest
from railbird.play.gain_tests import is_gain_test, read_gain_test
from railbird.play.gauntlet_result import GauntletResult
from railbird.play.log_result import log_result
from railbird.play.match_logs import OpenedLogs, open_logs
from railbird.play.match_result import MatchResult
from railbird.play.tournament_result import TournamentResult
from railbird.report.result_page import write_result
from railbird.results.figures import check_drawing, picture_kind, save_figures
from railbird.results.result import Result


def results(
    folder: Annotated[
        Path,
        typer.Argument(help="The folder of a match, tournament, comparison or test, or a log.", show_default=False),
    ],
    divat: Divat = None,
    game: LogGame = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw its curves too, as PNG or SVG.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write it as a page too, with its curves.")
    ] = None,
    learning: Annotated[
        bool, typer.Option("--learning", help="Of a comparison or test in episodes, show what is learned in one.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the result of a match, tournament, comparison or test again, finished or not, or that of a log.

    Of a test the figure and the page draw the likelihood ratio between its bounds, and the difference with its
    narrowing interval.

    Example: railbird results matches/demo
    """
    if figure:
        check_drawing()
        picture_kind(figure)
    found = _learned(folder, divat, as_json) if learning else _shown(folder, divat, game, as_json)
    written = [save_figures(found.panels(), figure)] if figure else []
    written += [write_result(html, found)] if html else []
    if not as_json:
        for path in written:
            tell(f"drawn: {path}")


def _learned(folder: Path, divat: bool | None, as_json: bool) -> Result:
    """Show the learning curves of what lies there, and return them."""
    if is_gain_test(folder):
        found = read_gain_test(folder).learning
    elif is_comparison(folder):
        found = assessed_comparison(read_comparison(folder), folder, divat).learning
    else:
        raise MatchError(f"{str(folder)!r} is no comparison or test, of which there are learning curves")
    if found is None:
        raise MatchError(
            f"{str(folder)!r} has no two episodes of bots that learn; railbird compare and test take --episode"
        )
    show(found, as_json)
    return found


def _shown(folder: Path, divat: bool | None, game: str | None, as_json: bool) -> Result:
    """Show whatever lies there, and return it."""
    if not has_matches(folder):
        opened = open_logs(folder, game)
        if opened.folder is None:
            return _show_log(opened, divat, as_json)
        folder = opened.folder.path
    return _show(result_in(folder), folder, divat, as_json)


@singledispatch
def _show(found: Result, folder: Path, divat: bool | None, as_json: bool) -> Result:
    """Show a result as its own command does, with DIVAT where that is wanted; return what was shown."""
    show(found, as_json, folder=str(folder))
    return found


@_show.register
def _(found: MatchResult, folder: Path, divat: bool | None, as_json: bool) -> Result:
    found = assessed_match(found, folder, divat)
    show_match(found, folder, divat, as_json)
    return found


@_show.register
def _(found: TournamentResult, folder: Path, divat: bool | None, as_json: bool) -> Result:
    found = assessed_tournament(found, folder, divat)
    show_tournament(found, folder, divat, as_json)
    return found


@_show.register
def _(found: Comparison, folder: Path, divat: bool | None, as_json: bool) -> Result:
    found = assessed_comparison(found, folder, divat)
    show_comparison(found, folder, as_json)
    return found


@_show.register
def _(found: GainTest, folder: Path, divat: bool | None, as_json: bool) -> Result:
    show_test(found, folder, as_json)
    return found


@_show.register
def _(found: GauntletResult, folder: Path, divat: bool | None, as_json: bool) -> Result:
    show_gauntlet(found, folder, as_json)
    return found


def _show_log(logs: OpenedLogs, divat: bool | None, as_json: bool) -> Result:
    result = assessed_log(log_result(logs), logs.path, divat)
    show(result, as_json)
    return result
