"""What results are made of: headings, lines, tables and grids, which go to a terminal or become HTML."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from markupsafe import Markup

from railbird.results.markup import element, joined
from railbird.results.markup import table as html_table
from railbird.words import harmless

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_RED = re.compile("[♦♥]")
_INDENT = "  "
_GAP = 2
_BAR_CELLS = 20
# Purple for the least, white for the middle, green for the most: told apart by colour-blind readers too.
_LEAST, _MIDDLE, _MOST = (118, 42, 131), (247, 247, 247), (27, 120, 55)


@dataclass(frozen=True)
class Heading:
    """The first line of something: a title, and facts after it."""

    title: str
    facts: tuple[str, ...] = ()
    level: int = 3
    is_block: ClassVar = False

    def __str__(self) -> str:
        return " | ".join([self.title, *self.facts])

    def rendered(self, _where: Console) -> RenderableType:
        text = plain(str(self))
        text.stylize("bold", 0, len(self.title))
        return text

    def html(self) -> Markup:
        facts = element("span", "".join(f" | {fact}" for fact in self.facts), class_="note") if self.facts else ""
        return element(f"h{self.level}", self.title, facts)


@dataclass(frozen=True)
class Line:
    """A line of words, under a heading unless `indent` is 0."""

    words: str
    indent: int = 1
    style: str = ""
    is_block: ClassVar = False
    """Whether it has a shape of its own, which a terminal must not wrap."""

    def rendered(self, _where: Console) -> RenderableType:
        text = plain(_INDENT * self.indent + self.words)
        text.style = self.style
        return text

    def html(self) -> Markup:
        return element("p", self.words) if self.words else Markup("")


@dataclass(frozen=True)
class Table:
    """Rows of words and numbers. The first `words` columns stand to the left, the others to the right."""

    rows: Sequence[Sequence[str]]
    header: Sequence[str] = ()
    words: int = 1
    left: tuple[int, ...] = ()
    """Further columns that stand to the left."""
    folded: tuple[int, ...] = ()
    """Columns that go on in another line where there is too little room."""
    bold: tuple[int, ...] = ()
    indent: int = 1
    widths: dict[int, int] = field(default_factory=dict)
    """Least widths of columns."""
    repeated: int = 0
    """So many columns are set again in each part of a table that is too wide; 0 if it is not to be cut into parts."""
    is_block: ClassVar = True

    def rendered(self, where: Console) -> RenderableType:
        from rich.console import Group

        tables = [self._part(columns) for columns in self._columns_by_part(where.width)]
        return tables[0] if len(tables) == 1 else Group(*tables)

    def _columns_by_part(self, room: int) -> list[list[int]]:
        """Columns that stand beside each other: all of them, unless the table may be cut into parts and is too wide."""
        columns = range(self._column_count)
        if not self.repeated:
            return [list(columns)]
        widths = [self._width(column) + _GAP for column in columns]
        again = list(columns[: self.repeated])
        found, used = [list(again)], sum(widths[: self.repeated])
        for column in columns[self.repeated :]:
            if used + widths[column] - _GAP > room and found[-1] != again:
                found.append(list(again))
                used = sum(widths[: self.repeated])
            found[-1].append(column)
            used += widths[column]
        return found

    def _width(self, column: int) -> int:
        from rich.cells import cell_len

        cells = [row[column] for row in (self.header, *self.rows) if column < len(row)]
        least = max(map(cell_len, cells), default=0) + (len(_INDENT) * self.indent if not column else 0)
        return max(least, self.widths.get(column, 0))

    @property
    def _column_count(self) -> int:
        return len(self.header) or max((len(row) for row in self.rows), default=0)

    def _part(self, columns: Sequence[int]) -> RenderableType:
        """The table with these columns."""
        from rich.table import Table as RichTable

        found = RichTable(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=bool(self.header))
        shift = _INDENT * self.indent
        for column in columns:
            name = self.header[column] if self.header else ""
            found.add_column(
                plain((shift if not column else "") + name),
                justify="left" if self._is_left(column) else "right",
                no_wrap=column not in self.folded,
                overflow="fold" if column in self.folded else "ellipsis",
                style="bold" if column in self.bold else "",
                min_width=self.widths.get(column),
            )
        for row in self.rows:
            cells = [(column, row[column]) for column in columns if column < len(row)]
            found.add_row(*[plain((shift if not column else "") + cell) for column, cell in cells])
        return found

    def html(self) -> Markup:
        columns = self._column_count
        left = [column for column in range(columns) if self._is_left(column)]
        return html_table(self.header, [[*row, *[""] * (columns - len(row))] for row in self.rows], left=left)

    def _is_left(self, column: int) -> bool:
        return column < self.words or column in self.left


@dataclass(frozen=True)
class Grid:
    """Shares in percent in rows and columns that have names, on a scale of colours from `least` to `most`."""

    cells: Sequence[Sequence[float]]
    names: str
    """A letter for each row and column."""
    title: str
    caption: str = ""
    least: float = 0.0
    most: float = 1.0
    is_block: ClassVar = True

    def rendered(self, _where: Console) -> RenderableType:
        from rich.table import Table as RichTable
        from rich.text import Text

        found = RichTable(
            title=plain(self.title),
            caption=plain(self.caption) if self.caption else None,
            box=None,
            padding=0,
            title_justify="left",
            caption_justify="left",
        )
        found.add_column("", width=3)
        for name in self.names:
            found.add_column(Text(f" {name} "), width=4, justify="center", header_style="bold")
        for name, row in zip(self.names, self.cells):
            cells = []
            for value in row:
                ink, paper = self._colours(value)
                style = "dim" if math.isnan(value) else f"rgb({ink}) on rgb({paper})"
                cells.append(Text(f"{_percent(value)} ", style=style))
            found.add_row(Text(name, style="bold"), *cells)
        return found

    def html(self) -> Markup:
        def cell(value: float) -> Markup:
            ink, paper = self._colours(value)
            return element("td", _percent(value), style=f"color:rgb({ink});background:rgb({paper});text-align:right")

        head = element("tr", element("th", ""), *[element("th", name) for name in self.names])
        body = [element("tr", element("th", n), *map(cell, row)) for n, row in zip(self.names, self.cells)]
        return joined([element("p", self.title), element("table", head, *body), element("p", self.caption)])

    def _colours(self, value: float) -> tuple[str, str]:
        """Ink and paper of a cell, the one readable on the other."""
        if math.isnan(value):
            return "120,120,120", "255,255,255"
        return heat_colours((value - self.least) / (self.most - self.least))


@dataclass(frozen=True)
class Fitting:
    """A wide table where there is room for it, otherwise several narrow ones."""

    wide: Table
    narrow: tuple[Table, ...]
    is_block: ClassVar = True

    def rendered(self, where: Console) -> RenderableType:
        from rich.console import Group

        found = self.wide.rendered(where)
        if where.measure(found, options=where.options.update(width=10_000)).maximum <= where.width:
            return found
        return Group(*[table.rendered(where) for table in self.narrow])

    def html(self) -> Markup:
        return self.wide.html()


Part = Heading | Line | Table | Fitting | Grid


def heat_colours(share: float) -> tuple[str, str]:
    """Ink and paper, as "red,green,blue", for a place between 0 (least) and 1 (most).

    >>> heat_colours(0.5)
    ('0,0,0', '247,247,247')
    """
    place = 2 * min(max(share, 0.0), 1.0)
    below, above = (_LEAST, _MIDDLE) if place <= 1 else (_MIDDLE, _MOST)
    place -= place > 1
    red, green, blue = (round(a + (b - a) * place) for a, b in zip(below, above))
    luminance = 0.299 * red + 0.587 * green + 0.114 * blue
    return "0,0,0" if luminance > 140 else "255,255,255", f"{red},{green},{blue}"


def plain(words: str) -> Text:
    """Words as they are, whatever they contain; red suits in red."""
    from rich.text import Text

    text = Text(harmless(words, in_lines=True))
    text.highlight_regex(_RED, "red")
    return text


def share_bar(share: float) -> str:
    """A bar of 20 cells, to an eighth of a cell.

    >>> share_bar(0.33)
    '██████▋░░░░░░░░░░░░░'
    """
    whole, eighths = divmod(round(share * _BAR_CELLS * 8), 8)
    return ("█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()).ljust(_BAR_CELLS, "░")


def _percent(value: float) -> str:
    return "  ." if math.isnan(value) else f"{100 * value:3.0f}"
