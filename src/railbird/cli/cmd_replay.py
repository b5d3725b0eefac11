"""railbird replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import console
from railbird.cli.options import Json, LogGame
from railbird.cli.show import show
from railbird.game.replayed import ReplayedHand
from railbird.play.match_logs import open_logs
from railbird.play.match_result import fault_parts
from railbird.results.result import print_parts


def replay(
    log: Annotated[Path, typer.Argument(help="A match folder, or a log.", show_default=False)],
    hand: Annotated[int, typer.Argument(help="The hand's number, from 0.", show_default=False)],
    seating: Annotated[int, typer.Option("--seating", help="In duplicate: which of the deal's seatings, from 1.")] = 1,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Show a hand of a match, street by street.

    Example: railbird replay matches/demo 17
    """
    logs = open_logs(log, game)
    record = logs.hand(hand, seating)
    faults = logs.faults_of(hand, seating)
    show(ReplayedHand(record), as_json, faults=[str(fault) for fault in faults])
    if not as_json:
        print_parts(fault_parts(faults), console())
