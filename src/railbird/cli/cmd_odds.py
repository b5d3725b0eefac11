"""railbird odds."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.cli.options import Json
from railbird.cli.show import show
from railbird.odds.holding_odds import Odds


def odds(
    holding: Annotated[str, typer.Argument(help="Two cards, as in AdQc.", show_default=False)],
    board: Annotated[str, typer.Option("--board", "-b", help="No cards, or three to five, as in 3h4cJh.")] = "",
    versus: Annotated[
        str,
        typer.Option("--versus", "-v", help="The opponent's range, as in 'QQ+, AKs, 76s-54s, KdQd, AJo:0.5' or 40%."),
    ] = "any",
    grid: Annotated[bool, typer.Option("--grid", help="Also show the equity against each class of holdings.")] = False,
    as_json: Json = False,
) -> None:
    """Say how good a holding is: strength, potential, equity and outs, all of them exact.

    Strength is the probability to be ahead now, ties counting half. PPOT1 is the probability to get ahead with the next
    card when behind now, NPOT1 to fall behind with it when ahead; PPOT2 and NPOT2 are the same for two cards. Equity is
    the expected share of the pot once the board is complete.

    Outs are next cards that put the holding ahead of more than half of the range, where it is not so now; threats are
    next cards that undo it, where it is.

    Example: railbird odds AdQc --board 3h4cJh --versus "QQ+,AKs"
    """
    found = Odds.parse(holding, board, versus, grid)
    show(found, as_json)
