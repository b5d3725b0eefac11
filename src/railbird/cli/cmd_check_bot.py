"""railbird check-bot."""

from __future__ import annotations

from typing import Annotated

import typer


def check_bot(
    bot: Annotated[str, typer.Argument(help="A bot's name, or a file and class as in ./mybot.py:MyBot.")],
    seconds: Annotated[float, typer.Option("--seconds", help="What it may think about one decision.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say what is wrong with a bot: illegal actions, dependence on anything but the seed, peeking, slowness.

    It plays a few hundred hands again and again, each time with something changed that must not matter. The exit code
    is 0 if there is nothing to mend and 1 otherwise.

    Example: railbird check-bot always-call
    """
    import math

    from railbird.check.check_bot import check_bot as check
    from railbird.cli.console import console, print_json
    from railbird.cli.show import compiling_note
    from railbird.errors import RailbirdError

    if not 0 < seconds < math.inf:
        raise RailbirdError(f"--seconds {seconds:g}: a decision needs more than 0 seconds")
    where = console(stderr=True)
    with compiling_note(), where.status("") as status:

        def watch(done: int, total: int, what: str = "", /) -> None:
            status.update(f"{done / total:4.0%} {what}")

        report = check(bot, seconds=seconds, progress=watch)
    if as_json:
        print_json(report.to_json())
    else:
        print(report)
    raise typer.Exit(0 if report.ok else 1)
