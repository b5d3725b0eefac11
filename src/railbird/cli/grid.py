"""A 13x13 grid of the classes before the flop on the terminal: plain numbers, on heat colours where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from rich.table import Table
from rich.text import Text

from railbird.cards import RANKS

# Purple for the least, white for the middle, green for the most: told apart by colour-blind readers too.
_LEAST, _MIDDLE, _MOST = (118, 42, 131), (247, 247, 247), (27, 120, 55)


def heat_grid(
    cells: Sequence[Sequence[float]], title: str, least: float = 0.0, most: float = 1.0, caption: str | None = None
) -> Table:
    """A table of 13x13 shares in percent, ace first, suited classes above the diagonal; nan is shown as a dot.

    `least` and `most` are the values at the ends of the colour scale. 57 columns wide.
    """
    table = Table(
        title=title,
        caption=caption,
        box=None,
        padding=0,
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("", width=3)
    ranks = RANKS[::-1]
    for rank in ranks:
        table.add_column(Text(f" {rank} "), width=4, justify="center", header_style="bold")
    for rank, row in zip(ranks, cells):
        table.add_row(Text(rank, style="bold"), *(_cell(value, least, most) for value in row))
    return table


def _cell(value: float, least: float, most: float) -> Text:
    if isnan(value):
        return Text("  . ", style="dim")
    return Text(f"{100 * value:3.0f} ", style=heat_style((value - least) / (most - least)))


def heat_style(share: float) -> str:
    """The rich style, background and a readable foreground, for a place between 0 (least) and 1 (most).

    >>> heat_style(0.5)
    'rgb(0,0,0) on rgb(247,247,247)'
    """
    place = 2 * min(max(share, 0.0), 1.0)
    below, above = (_LEAST, _MIDDLE) if place <= 1 else (_MIDDLE, _MOST)
    place -= place > 1
    red, green, blue = (round(a + (b - a) * place) for a, b in zip(below, above))
    luminance = 0.299 * red + 0.587 * green + 0.114 * blue
    ink = "0,0,0" if luminance > 140 else "255,255,255"
    return f"rgb({ink}) on rgb({red},{green},{blue})"
