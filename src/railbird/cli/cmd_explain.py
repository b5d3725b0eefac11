"""railbird explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from railbird.bots.decision import Outlook, Step
    from railbird.bots.reasons import Explanation

_BARS = " ▁▂▃▄▅▆▇█"
_PLAIN_BARS = " .:-=+*#%"
_MOST_LINES = 10


def explain(
    holding: Annotated[str, typer.Argument(metavar="CARDS", help="Two cards, as in AdQc.", show_default=False)],
    board: Annotated[str, typer.Argument(help="No cards, or three to five, as in 3h4cJh.")] = "",
    history: Annotated[
        str | None,
        typer.Option("--history", help="The betting so far, as in crrc/cr; if left out, calls and checks."),
    ] = None,
    seats: Annotated[int, typer.Option("--seats", "-s", help="Players at the table.")] = 2,
    bot: Annotated[
        str, typer.Option("--bot", help="Whose decision: a bot that explains, as in vexbot or ./mybot.py:MyBot.")
    ] = "loki",
    grid: Annotated[bool, typer.Option("--grid", help="Also show how the opponents' holdings are weighted.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say what Loki, or another bot, would do with a holding, and why: strength, odds, and the rule that decides.

    With --bot vexbot or vexbot2: the expected value of each action, how the street may go on, and the opponent's hands.
    All built-in bots explain themselves; docs/howto-write-a-bot.md says how your own can.

    The holding is that of the player whose turn it is after the history: c for a check or call, r for a bet or raise, f
    for a fold, and a slash between streets.

    Example: railbird explain AdQc 3h4cJh --seats 3 --history ccc/r
    """
    from railbird.cli.console import print_json
    from railbird.cli.show import compiling_note

    with compiling_note():
        from railbird.bots.reasons import explain as explanation

        found = explanation(holding, board, history, seats, bot)
    cells = _cells(found) if grid else None
    if not as_json:
        _show(found, cells)
        return
    answer = found.to_json()
    if cells:
        from math import isnan

        answer["grid"] = [[None if isnan(weight) else weight for weight in row] for row in cells]
    print_json(answer)


def _cells(found: Explanation) -> list[list[float]]:
    from railbird.errors import UnknownBotError
    from railbird.odds.ranges import grid

    weights = found.weights
    if weights is None:
        raise UnknownBotError(f"{found.bot!r} does not weigh the opponents' holdings: there is no grid to show")
    cells: list[list[float]] = grid(weights).tolist()
    return cells


def _show(found: Explanation, cells: list[list[float]] | None) -> None:
    from rich.text import Text

    from railbird.cli.console import console
    from railbird.cli.grid import heat_grid

    where, decision = console(), found.decision
    plain = where.options.ascii_only
    where.print(_title(found, plain))
    where.print(_situation(found) + "\n")
    if rows := decision.shown():
        where.print(_quantities_table(rows))
    if decision.steps:
        if rows:
            where.print()
        where.print(_steps_table(decision.steps))
    if decision.outlook:
        if rows or decision.steps:
            where.print()
        where.print(_lines_table(decision.outlook))
        for line, histogram in decision.outlook.histograms.items():
            what = "hands believed now" if line == "now" else f"after {line}, hands shown"
            where.print(f"{what}, from the worst to the best |{_bars(histogram, _PLAIN_BARS if plain else _BARS)}|")
    where.print(Text.assemble("\n", f"{found.bot}: ", (found.verb, "bold"), f", {found.reason}"), soft_wrap=True)
    if cells and decision.weights:
        where.print()
        caption = f"100: {decision.weights.full}; suited above the diagonal, offsuit below; . cannot be dealt"
        where.print(heat_grid(cells, title="weights of the opponents' holdings, average, %", caption=caption))


def _quantities_table(rows: list[tuple[str, str, str]]) -> Table:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _steps_table(steps: tuple[Step, ...]) -> Table:
    """The rules that were tried, what each compares, and whether it holds."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    for step in steps:
        holds = Text("yes", style="bold green") if step.holds else Text("no", style="dim")
        table.add_row(f"{step.rule}?", str(step), holds)
    return table


def _lines_table(outlook: Outlook) -> Table:
    """How the street may go on, the likeliest lines of each action."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("line", style="bold", no_wrap=True)
    table.add_column("chance", justify="right")
    table.add_column("EV", justify="right")
    for line in outlook.lines[:_MOST_LINES]:
        table.add_row(line.history, f"{line.chance:.1%}", f"{line.value:+.2f}")
    return table


def _bars(histogram: tuple[float, ...], signs: str) -> str:
    """A histogram as a row of signs, the tallest for the largest cell."""
    most = max(histogram)
    return "".join(signs[round((len(signs) - 1) * cell / most)] for cell in histogram)


def _title(found: Explanation, plain: bool) -> Text:
    from rich.text import Text

    from railbird.cards import cards_text

    view = found.view
    board = (
        f"on the {view.street} {cards_text(view.board_cards, pretty=not plain)}" if view.board else "before the flop"
    )
    title = Text(f"{cards_text(view.hole_cards, pretty=not plain)} {board}")
    title.highlight_regex(r"\w[♦♥]", "red")
    title.stylize("bold")
    return title


def _situation(found: Explanation) -> str:
    from railbird.odds.ranks import rank_cards, rank_name

    view = found.view
    parts = [rank_name(rank_cards(view.hole_cards + view.board_cards))] if view.board else []
    count = len(view.opponents)
    parts += [
        f"position {view.position + 1} of {len(view.names)}",
        f"{count} opponent" + ("s" if count != 1 else ""),
        f"pot {view.pot_chips}",
        f"{view.to_call_chips} to call" if view.to_call_chips else "nothing to call",
        f"history {view.history.rstrip('/')}" if view.history else "first to act",
    ]
    return ", ".join(parts)
