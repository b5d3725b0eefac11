"""railbird replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import console
from railbird.cli.show import show
from railbird.game.replayed import ReplayedHand
from railbird.play.folder import MatchFolder
from railbird.play.match_result import fault_parts
from railbird.play.tournament import refuse_tournament
from railbird.results.result import print_parts


def replay(
    folder: Annotated[Path, typer.Argument(help="A match folder.")],
    hand: Annotated[int, typer.Argument(help="The hand's number, from 0.")],
    seating: Annotated[int, typer.Option("--seating", help="In duplicate: which of the deal's seatings, from 1.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Show a hand of a match, street by street.

    Example: railbird replay matches/demo 17
    """
    refuse_tournament(folder, f"railbird replay {{}} {hand}")
    match = MatchFolder.open(folder)
    record = match.record(hand, seating - 1)
    record.check()
    faults = [fault for fault in match.log(seating - 1).noted() if fault.hand == hand]
    show(ReplayedHand(record), as_json, faults=[str(fault) for fault in faults])
    if not as_json:
        print_parts(fault_parts(faults), console())
