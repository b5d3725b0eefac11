"""railbird connect."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from railbird.cli.options import Json, Think
from railbird.cli.show import show
from railbird.errors import MatchError
from railbird.formats.games import file_or_game
from railbird.net.connect import COMPETITION_GAME, PATIENCE_SECONDS, play_at
from railbird.net.wire_seat import WireSeat
from railbird.play.clock import Clock, time_limit
from railbird.play.match import MOST_SECONDS
from railbird.stopping import keeping


def connect(
    host: Annotated[str, typer.Argument(help="Where the dealer is, as in 127.0.0.1.")],
    port: Annotated[int, typer.Argument(min=1, max=65_535, help="The port of the seat.")],
    bot: Annotated[str, typer.Option("--bot", help="Who plays: a bot's name, or a file as in ./mybot.py:MyBot.")],
    game: Annotated[
        str, typer.Option("--game", "-g", help="What is played: a competition game file, or as in railbird match.")
    ] = COMPETITION_GAME,
    seats: Annotated[
        int | None, typer.Option("--seats", min=2, max=10, help="Players, where no file says; by default 2.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0, help="What the bot's random choices follow from.")] = 0,
    decision_seconds: Think = 10.0,
    patience: Annotated[
        float, typer.Option("--patience", help="Seconds without a word after which the dealer is given up.")
    ] = PATIENCE_SECONDS,
    as_json: Json = False,
) -> None:
    """Let a bot play at the table of any dealer that speaks the competition's protocol.

    The protocol does not tell the game, so --game must: by default heads-up limit hold'em with reverse blinds of 10
    and 5. The match is over when the dealer says so. What the bot won is told then, as far as the states tell it. A bot
    that learns is shown every hand as in a match; one that fails checks or folds. The exit code is 1 if the match
    ended in the middle of a hand, or the bot failed.

    Example: railbird connect 127.0.0.1 18791 --bot always-call
    """
    for what, seconds in (("--patience", patience), ("--decision-seconds", decision_seconds)):
        if not 0 < seconds <= MOST_SECONDS:
            raise MatchError(f"{what} {seconds:g}; it is more than 0, and at most {MOST_SECONDS:g} seconds")
    clock = Clock()
    seat = WireSeat(bot, file_or_game(game, seats), seed, clock)
    with keeping("the dealer has the log, and has lost this player"), time_limit(clock, decision_seconds):
        result = asyncio.run(play_at(host, port, seat, patience))
    show(result, as_json)
    if result.broken_off or result.faults:
        raise typer.Exit(1)
