"""railbird hands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json, LogGame
from railbird.cli.show import counting_bar, show
from railbird.errors import MatchError
from railbird.play.hand_lists import HandFilter, hand_list

_STREETS = "preflop, flop, turn or river"


def hands(
    log: Annotated[Path, typer.Argument(help="A match folder, or a log.", show_default=False)],
    worst: Annotated[int | None, typer.Option("--worst", min=1, help="How many that cost most; 10 by default.")] = None,
    best: Annotated[int | None, typer.Option("--best", min=1, help="How many that brought most, instead.")] = None,
    of: Annotated[
        str | None, typer.Option("--of", metavar="NAME", help="Whose; by default the first player's.")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="money, luck or skill; the last two of heads-up limit.")] = "money",
    street: Annotated[
        str | None, typer.Option("--street", help=f"What one street gave or cost: {_STREETS}. By money: went to it.")
    ] = None,
    went_to: Annotated[str | None, typer.Option("--went-to", help="Only hands that went to this street.")] = None,
    showdown: Annotated[
        bool | None, typer.Option("--showdown/--no-showdown", help="Only hands that were shown down, or were not.")
    ] = None,
    won: Annotated[bool | None, typer.Option("--won/--lost", help="Only hands that won money, or lost some.")] = None,
    position: Annotated[str | None, typer.Option("--position", help="Only hands as button, SB or BB.")] = None,
    versus: Annotated[
        str | None, typer.Option("--versus", metavar="NAME", help="Only hands with this opponent.")
    ] = None,
    holding: Annotated[
        str | None, typer.Option("--holding", metavar="RANGE", help='Only hands with these cards, as "QQ+, AKs".')
    ] = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """List the hands that cost a player most, by money, luck or skill, or those that brought most.

    Luck and skill are DIVAT's, as in railbird assess. Conditions can be joined; each hand says how to replay it.

    Example: railbird hands matches/demo --worst 5 --of expert --by skill --street river --showdown
    """
    if worst is not None and best is not None:
        raise MatchError("--worst and --best exclude each other; give one of them")
    names = {"sb": "SB", "bb": "BB"}
    position = names.get(position.lower(), position.lower()) if position else None
    only = HandFilter(street, went_to, showdown, won, position, versus, holding)
    with counting_bar("assessing") as watch:
        found = hand_list(log, of, by, best or worst or 10, best is not None, only, game, watch)
    show(found, as_json)
