"""Options that several commands share, and what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.errors import RailbirdError

Hands = Annotated[int, typer.Option("--hands", "-n", help="Deals to play; in duplicate each is played in every seat.")]
Duplicate = Annotated[bool, typer.Option("--duplicate/--plain", "-d", help="Play every deal in all seats.")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        help="The same seed gives the same cards and the same match.  \\[default: 0]",
        show_default=False,
    ),
]
Secret = Annotated[
    bool,
    typer.Option(
        "--secret", help="Deal from a random key instead, which nobody can guess and which is told when all is over."
    ),
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        help="limit, no-limit, pot-limit, spread-limit, kuhn or leduc, with parameters as in limit:cap=3,ante=1 or "
        "no-limit:stack=5000; or a competition game file (*.game).",
    ),
]
LogGame = Annotated[
    str | None,
    typer.Option("--game", "-g", help="The game of a log that does not tell it: as in railbird match --game."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder for the hands; by default it says what was played.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        help="Processes; by default one per core. With players that wait for something elsewhere: hands at once, by "
        "default as many as they say.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="CLUSTER",
        help="Let a Ray cluster do the work (docs/cluster.md): ray for the one this machine is in, HOST:PORT or "
        "ray://HOST:PORT. --workers are then cores of it, at most.",
    ),
]
Think = Annotated[float, typer.Option("--decision-seconds", help="Longest time a player may think about a decision.")]
Trusted = Annotated[
    bool,
    typer.Option(
        "--trusted",
        help="Let bots from files share processes with the cards: faster, for bots that you wrote yourself.",
    ),
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MB", min=100, help="What each bot from a file, or program, may allocate.")
]
Weights = Annotated[
    list[float] | None,
    typer.Option("--weights", metavar="N...", help="How much each opponent counts.  \\[default: all the same]"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")]
Divat = Annotated[
    bool | None,
    typer.Option("--divat/--no-divat", help="Assess skill too (heads-up limit hold'em); by default where it is quick."),
]
_LONGEST_DELAY = 3600.0


def checked_delay(seconds: float | None) -> float | None:
    """A pause that can be waited for; refuses another."""
    if seconds is not None and not 0 <= seconds <= _LONGEST_DELAY:
        raise RailbirdError(f"--delay {seconds:g}; it is 0 to {_LONGEST_DELAY:g} seconds")
    return seconds
