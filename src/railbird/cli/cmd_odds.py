"""railbird odds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from railbird.odds.holding_odds import Odds
    from railbird.odds.outs import NextCard

_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
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
        from railbird.odds.holding_odds import Odds

        found = Odds.parse(holding, board, versus)
        answer = _answer(found, with_grid=grid)
    if as_json:
        print_json(answer)
    else:
        _show(found, answer)


def _answer(found: Odds, with_grid: bool) -> dict[str, Any]:
    """The JSON object of schema railbird.odds/1."""
    from math import isnan

    from railbird.cards import card_text
    from railbird.odds.ranks import rank_name

    def listed(cards: Iterable[NextCard]) -> list[dict[str, Any]]:
        return [
            {"card": card_text(card.card), "hand_strength": card.hand_strength, "probability": card.probability}
            for card in cards
        ]

    own, other = found.equities
    answer: dict[str, Any] = {
        "schema": "railbird.odds/1",
        "holding": found.holding,
        "board": found.board,
        "street": _STREETS[len(found.board) // 2],
        "versus": found.versus,
        "opponents": found.opponents,
        "class": {"name": found.class_name, "place": found.class_place},
        "hand": None if found.rank is None else {"rank": found.rank, "name": rank_name(found.rank)},
        "strength": None,
        "potential": [
            {"cards_to_come": cards, "ppot": potential.ppot, "npot": potential.npot}
            for cards, potential in enumerate(found.potentials, start=1)
        ],
        "equity": {"share": own.share, "win": own.win, "tie": own.tie, "lose": other.win},
        "outs": None if found.outs is None else listed(found.outs.outs),
        "threats": None if found.outs is None else listed(found.outs.threats),
        "next_cards": None if found.outs is None else listed(found.outs.next_cards),
    }
    if found.standing is not None:
        ahead, tied, behind = found.standing
        answer["strength"] = {"hand_strength": ahead + tied / 2, "ahead": ahead, "tied": tied, "behind": behind}
    if with_grid:
        answer["grid"] = [[None if isnan(share) else share for share in row] for row in found.equity_grid.tolist()]
    return answer


def _show(found: Odds, answer: dict[str, Any]) -> None:
    """The answer on the terminal, which need not have colours."""
    from rich.table import Table
    from rich.text import Text

    from railbird.cli.grid import heat_grid
    from railbird.cli.show import console

    where = console()
    plain = where.options.ascii_only
    title = _cards(found.holding, plain)
    title.append(" on the " + answer["street"] + " " if found.board else " before the flop")
    title.append_text(_cards(found.board, plain))
    title.append(f" versus {found.versus}" + (" holding" if found.versus == "any" else ""))
    title.stylize("bold")
    where.print(title)
    where.print(f"{_hand(answer)}; {_counted(found.opponents)} left to the opponent\n")

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(width=_BAR_CELLS, no_wrap=True, style="cyan")
    table.add_column(overflow="fold")

    def add(name: str, share: float | None, words: str | Text) -> None:
        table.add_row(name, "-" if share is None else f"{share:.1%}", _bar(share or 0.0, plain), words)

    now, end = answer["strength"], answer["equity"]
    if now:
        words = f"ahead {now['ahead']:.1%}, tied {now['tied']:.1%}, behind {now['behind']:.1%}"
        add("strength", now["hand_strength"], words)
    for one in answer["potential"]:
        number, after = one["cards_to_come"], "one card" if one["cards_to_come"] == 1 else "two cards"
        if now["ahead"] < 1:
            add(f"PPOT{number}", one["ppot"], f"if behind now, ahead after {after}")
        else:
            add(f"PPOT{number}", None, "never behind now")
        if now["behind"] < 1:
            add(f"NPOT{number}", one["npot"], f"if ahead now, behind after {after}")
        else:
            add(f"NPOT{number}", None, "never ahead now")
    if answer["street"] != "river":
        add("equity", end["share"], f"wins {end['win']:.1%}, ties {end['tie']:.1%}, loses {end['lose']:.1%}")
    if found.outs is not None:
        leads = found.outs.hand_strength > 0.5
        cards = found.outs.threats if leads else found.outs.outs
        effect = "take the lead away" if leads else "put it ahead"
        listing = Text(f"{len(cards)} of {len(found.outs.next_cards)} cards {effect}")
        if cards:
            listing.append(": ").append_text(_by_rank([card.card for card in cards], plain))
        add("threats" if leads else "outs", sum(card.probability for card in cards), listing)
    where.print(table)
    if "grid" in answer:
        where.print()
        where.print(
            heat_grid(
                found.equity_grid.tolist(),
                title=f"equity of {found.holding} against each class of the range, %",
                caption="suited above the diagonal, offsuit below; . absent",
            )
        )


def _hand(answer: dict[str, Any]) -> str:
    if answer["hand"]:
        return str(answer["hand"]["name"])
    return f"{answer['class']['name']}, number {answer['class']['place']} of 169 classes"


def _counted(holdings: float) -> str:
    """A number of holdings, or their weight where that is not a whole number.

    >>> _counted(1.0), _counted(1225.0), _counted(8.5)
    ('1 holding', '1,225 holdings', '8.5 holdings')
    """
    written = f"{holdings:,.0f}" if holdings == int(holdings) else f"{holdings:,.1f}"
    return f"{written} holding" + ("" if written == "1" else "s")


def _bar(share: float, plain: bool) -> str:
    """A bar of 20 cells, to an eighth of a cell.

    >>> _bar(0.33, plain=False), _bar(0.33, plain=True)
    ('██████▋░░░░░░░░░░░░░', '#######-------------')
    """
    if plain:
        return ("#" * round(share * _BAR_CELLS)).ljust(_BAR_CELLS, "-")
    whole, eighths = divmod(round(share * _BAR_CELLS * 8), 8)
    return ("█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()).ljust(_BAR_CELLS, "░")


def _cards(cards: str, plain: bool) -> Text:
    """Cards with suit symbols, diamonds and hearts in red; with letters where the terminal has no symbols."""
    from rich.text import Text

    from railbird.cards import cards_text, parse_cards

    text = Text(cards_text(parse_cards(cards), pretty=not plain))
    text.highlight_regex(r"\w[♦♥]", "red")
    return text


def _by_rank(cards: Iterable[int], plain: bool) -> Text:
    """Many cards in little room, by rank: A♣♥♠ Q♦."""
    from itertools import groupby

    from rich.text import Text

    from railbird.cards import cards_text

    groups = []
    for _, same in groupby(sorted(cards, key=lambda card: (-(card >> 2), card & 3)), key=lambda card: card >> 2):
        written = cards_text(same, pretty=not plain)
        groups.append(written if plain else written[0] + "".join(written[1::3]))
    text = Text(" ".join(groups))
    text.highlight_regex("[♦♥]", "red")
    return text
