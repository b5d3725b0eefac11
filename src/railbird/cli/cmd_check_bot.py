"""railbird check-bot."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.check import check_bot as checking
from railbird.cli.options import Json
from railbird.cli.show import counting_bar, show
from railbird.errors import RailbirdError
from railbird.play.match import MOST_SECONDS


def check_bot(
    bot: Annotated[str, typer.Argument(help="A bot's name, a file and class as in ./mybot.py:MyBot, or a program.")],
    seconds: Annotated[float, typer.Option("--seconds", help="What it may think about one decision.")] = 10.0,
    as_json: Json = False,
) -> None:
    """Say what is wrong with a bot: illegal actions, dependence on anything but the seed, peeking, slowness.

    It plays a few hundred hands again and again, each time with something changed that must not matter, and two matches
    in which it would pay to know hidden cards. A bot from a file, or a program, runs in a process of its own. The exit
    code is 0 if there is nothing to mend and 1 otherwise.

    Example: railbird check-bot always-call
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise RailbirdError(
            f"--seconds {seconds:g}: a decision needs more than 0 seconds, and at most {MOST_SECONDS:g}"
        )
    with counting_bar("checking") as watch:
        report = checking.check_bot(bot, seconds=seconds, progress=watch)
    show(report, as_json)
    raise typer.Exit(0 if report.ok else 1)
