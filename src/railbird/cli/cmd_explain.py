"""railbird explain."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.bots.reasons import explain as explanation
from railbird.cli.options import Json
from railbird.cli.show import show


def explain(
    holding: Annotated[str, typer.Argument(metavar="CARDS", help="Two cards, as in AdQc.", show_default=False)],
    board: Annotated[str, typer.Argument(help="No cards, or three to five, as in 3h4cJh.")] = "",
    history: Annotated[
        str | None,
        typer.Option("--history", help="The betting so far, as in crrc/cr; if left out, calls and checks."),
    ] = None,
    seats: Annotated[int, typer.Option("--seats", help="Players at the table.")] = 2,
    bot: Annotated[
        str, typer.Option("--bot", help="Whose decision: a bot that explains, as in vexbot or ./mybot.py:MyBot.")
    ] = "loki",
    grid: Annotated[bool, typer.Option("--grid", help="Also show how the opponents' holdings are weighted.")] = False,
    as_json: Json = False,
) -> None:
    """Say what Loki or another bot would do with a holding, and why: strength, odds, and the rule that decides.

    With --bot vexbot or vexbot2: the expected value of each action, how the street may go on, and the opponent's hands.
    All built-in bots explain themselves; docs/howto-write-a-bot.md says how your own can.

    The holding is that of the player whose turn it is after the history: c for a check or call, r for a bet or raise, f
    for a fold, and a slash between streets.

    Example: railbird explain AdQc 3h4cJh --seats 3 --history ccc/r
    """
    show(explanation(holding, board, history, seats, bot, grid), as_json)
