"""The frame of a self-contained HTML page: style, tables, numbers. Text is escaped unless it is marked as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from railbird.statistics import Estimate
from railbird.words import rate


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def as_html(content: str) -> Html:
    """Text as HTML; what is HTML already stays as it is.

    >>> as_html("<b>") + as_html(Html("<br>"))
    '&lt;b&gt;<br>'
    """
    return content if isinstance(content, Html) else Html(html.escape(content))


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Parts as one piece of HTML."""
    return Html(between.join([as_html(part) for part in parts]))


def element(name: str, *content: str, **attributes: str) -> Html:
    """An element with its content; `class_` writes the attribute class.

    >>> element("a", "hand <1>", href="#hand-1", class_="link")
    '<a href="#hand-1" class="link">hand &lt;1&gt;</a>'
    """
    inside = "".join(f' {key.rstrip("_")}="{html.escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{inside}>{joined(content)}</{name}>")


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1, left: Sequence[int] | None = None
) -> Html:
    """A table that scrolls sideways where it does not fit.

    The first `words` columns, or those in `left`, hold text, the others numbers.
    """
    texts = range(words) if left is None else left

    def row(kind: str, cells: Sequence[str]) -> Html:
        sides = ["words" if column in texts else "number" for column in range(len(cells))]
        return element("tr", *[element(kind, cell, class_=side) for cell, side in zip(cells, sides)])

    head = element("thead", row("th", header)) if header else Html("")
    body = element("tbody", joined([row("td", cells) for cells in rows], "\n"))
    return element("div", element("table", head, body), class_="scroll", tabindex="0")


def interval(estimate: Estimate) -> Html:
    """A mean with the half-width of its 95% interval, bold where the interval leaves out zero.

    >>> interval(Estimate(0.5, 1.0, 10_000))
    '<b>+0.500 ± 0.020</b>'
    """
    text = as_html(rate(estimate))
    return element("b", text) if estimate.is_clear else text


def whole_page(title: str, *content: str) -> str:
    """A whole page, which needs nothing from anywhere else."""
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>"
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{joined(content, chr(10))}\n'
        f"<script>{_SCRIPT}</script>\n</body></html>\n"
    )


_STYLE = """
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:#1c1c1c;background:#fff;
max-width:76rem;margin:0 auto;padding:1rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.4rem;line-height:1.25;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:3px solid #0072B2}
h3{font-size:1.15rem;margin:1.8rem 0 .4rem}
h4{font-size:1rem;margin:1rem 0 .3rem}
p,ul,dl{max-width:46rem;margin:.5rem 0}
ul{padding-left:1.3rem}
dt{font-weight:600;margin-top:.6rem}
dd{margin:0 0 0 1rem}
a{color:#0058a0}
.verdict{font-size:1.1rem;border-left:4px solid #D55E00;padding:.3rem .9rem;background:#fdf5ef}
.note{color:#555;font-weight:400}
.scroll{overflow-x:auto;max-width:100%;margin:.6rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:.3rem .7rem;border-bottom:1px solid #ddd;vertical-align:middle}
th{font-weight:600;background:#f3f5f7;vertical-align:bottom}
.words{text-align:left}
.what{display:inline-block;min-width:15rem}.where{color:#555}
.number{text-align:right;white-space:nowrap}
th.number{white-space:normal}
td:first-child,th:first-child{padding-left:.3rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem 1.5rem;margin:1rem 0}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:0 2rem}
.two>div{min-width:0}
figure{margin:0;min-width:0}
figcaption{color:#555}
svg{display:block;width:100%;height:auto}
svg *{stroke-linejoin:round;stroke-linecap:butt}
.cards{white-space:nowrap}
.card{display:inline-block;min-width:2.1em;padding:.05em .25em;margin:.1em .15em .1em 0;border:1px solid #999;
border-radius:.3em;background:#fff;font-weight:700;text-align:center;line-height:1.35;box-shadow:0 1px 1px #0002}
.c{color:#0b7a33}.d{color:#0a58ca}.h{color:#c8102e}.s{color:#111}
details{border:1px solid #ccd3da;border-radius:.4rem;margin:.5rem 0;background:#fff}
details>summary{cursor:pointer;padding:.6rem .8rem;background:#f3f5f7;border-radius:.4rem}
details>div{padding:.2rem .8rem .8rem}
.street{border-top:1px solid #ddd;margin-top:.8rem}
.street dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;max-width:none}
.street dt{margin:0;font-weight:400;color:#555}
.street dd{margin:0}
code{font:600 1.05em ui-monospace,Menlo,Consolas,monospace}
mark{background:#ffe08a;padding:0 .1em}
.gain{color:#006b4f}.loss{color:#a33c00}
@media(max-width:40rem){.what,.where{display:block;min-width:10rem}
th,td{padding:.3rem .45rem}.street dl{grid-template-columns:1fr}.street dd{margin:0 0 .4rem}}
@media print{details>div{display:block}}
"""

# A link to a replay opens it; browsers differ in whether they do so by themselves.
_SCRIPT = """
function reveal(){var e=document.getElementById(decodeURIComponent(location.hash.slice(1)));
if(e&&e.tagName=="DETAILS"){e.open=true;e.scrollIntoView()}}
addEventListener("hashchange",reveal);reveal();
document.addEventListener("click",function(e){var a=e.target.closest("a[href^='#']");
if(a&&a.hash==location.hash)setTimeout(reveal)})
"""
