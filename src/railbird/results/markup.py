"""Pieces of HTML: elements, tables, numbers. Text is escaped unless it is marked as HTML (`Markup`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from railbird.statistics import Estimate
from railbird.words import rate


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Parts as one piece of HTML."""
    return Markup(between).join(parts)


def element(name: str, *content: str, **attributes: str) -> Markup:
    """An element with its content; `class_` writes the attribute class.

    >>> print(element("a", "hand <1>", href="#hand-1", class_="link"))
    <a href="#hand-1" class="link">hand &lt;1&gt;</a>
    """
    inside = "".join([f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items()])
    return Markup(f"<{name}{inside}>{joined(content)}</{name}>")


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1, left: Sequence[int] | None = None
) -> Markup:
    """A table that scrolls sideways where it does not fit.

    The first `words` columns, or those in `left`, hold text, the others numbers.
    """
    texts = range(words) if left is None else left

    def row(kind: str, cells: Sequence[str]) -> Markup:
        sides = ["words" if column in texts else "number" for column in range(len(cells))]
        return element("tr", *[element(kind, cell, class_=side) for cell, side in zip(cells, sides)])

    head = element("thead", row("th", header)) if header else Markup("")
    body = element("tbody", joined([row("td", cells) for cells in rows], "\n"))
    return element("div", element("table", head, body), class_="scroll", tabindex="0")


def interval(estimate: Estimate) -> Markup:
    """A mean with the half-width of its 95% interval, bold where the interval leaves out zero.

    >>> print(interval(Estimate(0.5, 1.0, 10_000)))
    <b>+0.500 ± 0.020</b>
    """
    text = escape(rate(estimate))
    return element("b", text) if estimate.is_clear else text
