"""railbird explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from railbird.bots.reasons import Explanation, Step
    from railbird.bots.vexbot import SearchDecision

_ABOUT = {
    "HS": "ahead of one opponent now, as his holdings are weighted",
    "HSn": "ahead of all opponents now",
    "PPOT": "if behind now, ahead after the next card",
    "NPOT": "if ahead now, behind after the next card",
    "EHS": "ahead after the next card: what calls go by",
    "EHS'": "ahead now or after the next card: what bets go by",
    "pot odds": "the share of the pot that a call pays for",
    "showdown odds": "the same with the bets expected up to the showdown",
    "pot odds of two bets": "the price of a bet and a raise, for semi-bluffs",
    "EV fold": "small bets won on average from here on by folding",
    "EV call": "the same by checking or calling",
    "EV raise": "the same by betting or raising",
    "equilibrium fold": "how often the equilibrium folds here",
    "equilibrium call": "checks or calls",
    "equilibrium raise": "bets or raises",
    "plays fold": "how likely it folds, knowing what it knows of the opponent",
    "plays call": "checks or calls",
    "plays raise": "bets or raises",
}
_PREFLOP_ABOUT = {
    "IR": "income rate of the holding, thousandths of a bet",
    "expected players": "likely to see the flop",
}


_SEARCH_ABOUT = {
    "EV fold": "small bets won over the whole hand, on average, by folding",
    "EV call": "the same by checking or calling",
    "EV raise": "the same by betting or raising",
    "equilibrium fold": "how often the equilibrium folds here",
    "equilibrium call": "checks or calls",
    "equilibrium raise": "bets or raises",
    "plays fold": "how likely it folds, knowing what it knows of the opponent",
    "plays call": "checks or calls",
    "plays raise": "bets or raises",
}
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
    bot: Annotated[str, typer.Option("--bot", help="Whose decision: vexbot, vexbot2 or a Loki.")] = "loki",
    grid: Annotated[bool, typer.Option("--grid", help="Also show how the opponents' holdings are weighted.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say what Loki would do with a holding, and why: strength, potential, odds, and the rule that decides.

    With --bot vexbot or vexbot2: the expected value of each action, how the street may go on, and the opponent's hands.

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

    if found.field is None:
        raise UnknownBotError(f"{found.bot!r} does not weigh the opponents' holdings: there is no grid to show")
    cells: list[list[float]] = grid(found.field).tolist()
    return cells


def _show(found: Explanation, cells: list[list[float]] | None) -> None:
    from rich.table import Table
    from rich.text import Text

    from railbird.cli.console import console
    from railbird.cli.grid import heat_grid

    where = console()
    where.print(_title(found, where.options.ascii_only))
    where.print(_situation(found) + "\n")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    preflop = not found.view.board_cards
    search = _search_of(found)
    about = _SEARCH_ABOUT if search else _PREFLOP_ABOUT if preflop else _ABOUT
    for name in found.decision.quantities:
        if name in about and not _says_nothing(name, found):
            table.add_row(_named(name, found), _value(name, found), about[name])
    where.print(table)
    if found.steps:
        where.print()
    rules = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for _ in range(3):
        rules.add_column(overflow="fold")
    for step in found.steps:
        holds = Text("yes", style="bold green") if step.holds else Text("no", style="dim")
        rules.add_row(f"{step.rule}?", _comparison(step, preflop), holds)
    if found.steps:
        where.print(rules)
    if search:
        where.print()
        where.print(_lines_table(search))
        for line, histogram in search.histograms.items():
            bars = _bars(histogram, _PLAIN_BARS if where.options.ascii_only else _BARS)
            what = "hands believed now" if line == "now" else f"after {line}, hands shown"
            where.print(f"{what}, from the worst to the best |{bars}|", highlight=False)
    where.print(Text.assemble("\n", f"{found.bot}: ", (found.verb, "bold"), f", {found.reason}"), soft_wrap=True)
    if cells:
        where.print()
        whole = "the likeliest holding" if search else "played as seen with all of it"
        caption = f"100: {whole}; suited above the diagonal, offsuit below; . cannot be dealt"
        where.print(heat_grid(cells, title="weights of the opponents' holdings, average, %", caption=caption))


def _search_of(found: Explanation) -> SearchDecision | None:
    from railbird.bots.vexbot import SearchDecision

    return found.decision if isinstance(found.decision, SearchDecision) else None


def _lines_table(search: SearchDecision) -> Table:
    """How the street may go on, the likeliest lines of each action."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("line", style="bold", no_wrap=True)
    table.add_column("chance", justify="right")
    table.add_column("EV", justify="right")
    for line in search.lines[:_MOST_LINES]:
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


def _says_nothing(name: str, found: Explanation) -> bool:
    """Whether a quantity only repeats another: against one opponent, and on the river, where no card is to come."""
    if name == "HSn":
        return len(found.view.opponents) == 1
    return found.view.street == "river" and name in ("PPOT", "NPOT", "EHS", "EHS'")


def _named(name: str, found: Explanation) -> str:
    return f"HS{len(found.view.opponents)}" if name == "HSn" else name


def _value(name: str, found: Explanation) -> str:
    """A quantity as it is shown: income rates in thousandths, expected values with their standard error, or shares."""
    known = found.decision.quantities
    if name == "IR":
        return f"{known[name]:+.0f}"
    if name.startswith("EV "):
        error = known.get("SE" + name[2:])
        return f"{known[name]:+.2f}" if error is None else f"{known[name]:+.2f} (SE {error:.2f})"
    is_share = found.view.board_cards or name.startswith(("equilibrium ", "plays "))
    return f"{known[name]:.1%}" if is_share else f"{known[name]:.1f}"


def _comparison(step: Step, preflop: bool) -> str:
    """The comparison that a rule makes."""
    if preflop:
        return f"{step.name} {step.value:+.0f} >= {step.threshold:+.0f}"
    return f"{step.name} {step.value:.3f} >= {step.against} {step.threshold:.3f}"
