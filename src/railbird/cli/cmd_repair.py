"""railbird repair."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json, LogGame
from railbird.cli.show import progress_bar, show
from railbird.play import repair as repairing


def repair(
    folder: Annotated[
        Path, typer.Argument(help="The folder of a match, tournament or comparison, or a log.", show_default=False)
    ],
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Mend damaged logs: play the damaged hands again, or set them aside.

    Beside each log of a match lies an index with a checksum of every block of hands. A block that does not fit it any
    more is played again, which gives the same bytes; that takes the bots as they were. Without them the log is cut
    before the damage, and kept as it was under another name. Of a log without a match folder, the hands that break the
    rules are moved to a file beside it. Nothing is thrown away.

    Example: railbird repair matches/demo
    """
    with progress_bar(quiet=as_json) as watch:
        report = repairing.repair(folder, game, watch)
    show(report, as_json)
