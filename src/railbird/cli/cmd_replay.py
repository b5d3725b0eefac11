"""railbird replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

if TYPE_CHECKING:
    from railbird.game.betting import Betting
    from railbird.game.record import HandRecord


def replay(
    folder: Annotated[Path, typer.Argument(help="A match folder.")],
    hand: Annotated[int, typer.Argument(help="The hand's number, from 0.")],
    seating: Annotated[int, typer.Option("--seating", help="In duplicate: which of the deal's seatings, from 1.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Show a hand of a match, street by street.

    Example: railbird replay matches/demo 17
    """
    from railbird.cli.console import print_json
    from railbird.play.folder import MatchFolder

    match = MatchFolder.open(folder)
    record = match.record(hand, seating - 1)
    record.check()
    if as_json:
        print_json(_as_json(record))
    else:
        _show(record)


def _show(record: HandRecord) -> None:
    from rich.table import Table

    from railbird.cards import cards_text
    from railbird.cli.console import console, say
    from railbird.game.spec import STREETS

    game = record.game
    say(f"[bold]hand {record.number}[/bold], {escape(game.name)}, blinds {_blinds(record)}")
    seats = Table(box=None, pad_edge=False, padding=(0, 2))
    for column, side in (("", "left"), ("cards", "left"), ("won", "right"), ("at the end", "left")):
        seats.add_column(column, justify=side)  # type: ignore[arg-type]
    final = record.final()
    for position, name in enumerate(record.names):
        seats.add_row(
            f"  {escape(name)}{_role(record, position)}",
            cards_text(record.holes[position], pretty=True),
            f"{record.payoffs[position]:+d}",
            _hand_name(record, position, final),
        )
    console().print(seats)
    street, line = -1, ""
    for before, action in record.steps():
        if before.street != street:
            if line:
                say(line)
            street = before.street
            title = STREETS[street] if game.streets == 4 else f"street {street + 1}"
            board = cards_text(record.board_on(street), pretty=True)
            line = f"[bold]{title:<10}[/bold]{board + '  ' if board else ''}pot {before.pot}:"
        line += f"  {escape(record.names[before.to_act])} {verb(before, before.after(action), str(action))}"
    say(line)
    if final.is_showdown:
        say(f"[bold]{'showdown':<10}[/bold]{cards_text(record.board, pretty=True)}  pot {final.pot}")


def verb(before: Betting, after: Betting, action: str) -> str:
    """What a player did, in words."""
    if action == "f":
        return "folds"
    paid = after.committed[before.to_act] - before.committed[before.to_act]
    if action == "c":
        return f"calls {paid}" if paid else "checks"
    stacks = before.game.stacks
    all_in = " all-in" if stacks and after.committed[before.to_act] == stacks[before.to_act] else ""
    return f"{'raises' if before.level else 'bets'} {paid}{all_in}"


def _blinds(record: HandRecord) -> str:
    blinds = "/".join(str(blind) for blind in sorted(b for b in record.game.blinds if b)) or "none"
    return blinds + (f", ante {record.game.ante}" if record.game.ante else "")


def _role(record: HandRecord, position: int) -> str:
    """What the position is called."""
    game = record.game
    names = []
    if position == game.seats - 1:
        names.append("button")
    blinds = sorted(b for b in game.blinds if b)
    if len(blinds) == 2 and game.blinds[position]:
        names.append("SB" if game.blinds[position] == blinds[0] else "BB")
    return f" ({', '.join(names)})" if names else ""


def _hand_name(record: HandRecord, position: int, final: Betting) -> str:
    if position not in final.live:
        return "folded"
    if not final.is_showdown or not record.game.is_holdem or not record.holes[position]:
        return ""
    from railbird.game.showdown import showdown_rank
    from railbird.odds.ranks import rank_name

    return rank_name(showdown_rank(record.game, record.holes[position], record.board))


def _as_json(record: HandRecord) -> dict[str, Any]:
    from railbird.cards import cards_text

    return {
        "schema": "railbird.hand/1",
        "hand": record.number,
        "game": record.game.name,
        "betting": record.history,
        "board": cards_text(record.board),
        "players": [
            {"name": name, "position": position, "cards": cards_text(hole), "won_chips": won}
            for position, (name, hole, won) in enumerate(zip(record.names, record.holes, record.payoffs))
        ],
        "actions": [
            {
                "street": before.street,
                "position": before.to_act,
                "action": str(action),
                "pot_chips": before.pot,
                "to_call_chips": before.to_call,
            }
            for before, action in record.steps()
        ],
    }
