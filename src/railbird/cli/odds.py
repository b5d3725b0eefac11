"""railbird odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.text import Text

    from railbird.evaluation.outs import NextCard

_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_BAR_CELLS = 20


def odds(
    holding: Annotated[str, typer.Argument(help="Two cards, as in AdQc.", show_default=False)],
    board: Annotated[str, typer.Option("--board", "-b", help="No cards, or three to five, as in 3h4cJh.")] = "",
    versus: Annotated[
        str,
        typer.Option("--versus", "-v", help="The opponent's range, as in 'QQ+, AKs, 76s-54s, KdQd, AJo:0.5' or 40%."),
    ] = "any",
    grid: Annotated[bool, typer.Option("--grid", help="Also show the equity against each class of holdings.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say how good a holding is: strength, potential, equity and outs, all of them exact.

    Strength is the probability to be ahead now, ties counting half. PPOT1 is the probability to get ahead with the next
    card when behind now, NPOT1 to fall behind with it when ahead; PPOT2 and NPOT2 are the same for two cards. Equity is
    the expected share of the pot once the board is complete.

    Outs are next cards that put the holding ahead of more than half of the range, where it is not so now; threats are
    next cards that undo it, where it is.

    Example: railbird odds AdQc --board 3h4cJh --versus "QQ+,AKs"
    """
    from railbird.cli.show import compiling_note, print_json

    with compiling_note():
        answer = _answer(holding, board, versus, with_grid=grid)
    if as_json:
        print_json(answer)
    else:
        _show(answer)


def _answer(holding: str, board: str, versus: str, with_grid: bool) -> dict[str, Any]:
    """All that is shown, as the JSON object of schema railbird.odds/1."""
    from railbird.cards import cards_text, check_distinct, class_text, holding_index, parse_board, parse_cards
    from railbird.evaluation.equity import equity
    from railbird.evaluation.outs import outs
    from railbird.evaluation.potential import hand_potential
    from railbird.evaluation.ranges import parse_range, preflop_order
    from railbird.evaluation.ranks import rank_cards, rank_name

    cards, dealt = parse_cards(holding, count=2), parse_board(board)
    check_distinct(cards, dealt)
    holding, board = cards_text(cards), cards_text(dealt)
    weights = parse_range(versus)
    name = class_text(holding_index(*cards))
    all_in = equity([holding, weights], board)[0]
    answer: dict[str, Any] = {
        "schema": "railbird.odds/1",
        "holding": holding,
        "board": board,
        "street": _STREETS[len(dealt)],
        "versus": versus,
        "class": {"name": name, "place": preflop_order().index(name) + 1},
        "equity": {"share": all_in.share, "win": all_in.win, "tie": all_in.tie, "lose": 1 - all_in.win - all_in.tie},
    }
    return answer


def _show(answer: dict[str, Any]) -> None:
    """The answer as a table that reads without colours."""
