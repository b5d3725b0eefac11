"""The one way to make a page: a template filled in, with style, scripts and data inside, so that it needs nothing else.

Templates lie in `templates/`, style and scripts in `static/`. All text is escaped by the templates, and data by its
JSON, in which no `<` is left: names of players may be anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from railbird.cards import RANKS, SUITS
from railbird.files import write_whole
from railbird.judging import CONTRADICTED, REPRODUCED
from railbird.results.markup import interval
from railbird.words import count_of, rate, signed, so_many

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
_SUIT_SIGNS = "♣♦♥♠"
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_RANK_NAMES = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_STYLES = ("uPlot.min.css", "page.css", "hands.css")
_SCRIPTS = ("page.js", "curves.js", "hands.js", "replay.js")
_CURVES = "uPlot.iife.min.js"
_CREDIT = "/* uPlot, copyright (c) Leon Sorokin, MIT licence */\n"


def page(
    template: str, curves: dict[str, Any] | None = None, hands: dict[str, Any] | None = None, **content: Any
) -> str:
    """A whole page, with the curves by name and the hands that its scripts show, if there are any."""
    data = {"curves": curves or {}, "hands": hands}
    return _in_files().get_template(template).render({"data": data, **content})


def write_page(path: Path, template: str, **content: Any) -> Path:
    """Write a page. Names of files and players that are no proper text get question marks."""
    return write_whole(path, page(template, **content).encode("utf-8", errors="replace"))


def card_name(card: int) -> str:
    """A card in words, for readers who do not see it.

    >>> card_name(50)
    'ace of hearts'
    """
    rank = RANKS[card >> 2]
    return f"{_RANK_NAMES.get(rank, rank)} of {_SUIT_NAMES[card & 3]}"


@dataclass(frozen=True)
class Assets:
    """Style and scripts that a server's pages link to; a page in a file has them inside."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    curves: str
    theme: str
    more: tuple[str, ...]
    version: str


def environment(*folders: Path, assets: Assets | None = None) -> Environment:
    """Templates of `folders` and of pages in files, with what they may call."""
    # Imported here because only commands that write pages should wait for it.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader([*folders, _HERE / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    found.filters |= {"interval": interval, "rate": rate, "signed": signed, "count_of": count_of, "so_many": so_many}
    found.filters |= {"card_name": card_name, "card_sign": _card_sign, "suit": lambda card: SUITS[card & 3]}
    found.filters["unbroken"] = lambda words: words.replace(" ± ", "\u00a0±\u00a0").replace(" sb", "\u00a0sb")
    found.filters["outcome"] = _outcome
    found.filters["capitalize_first"] = lambda words: words[:1].upper() + words[1:]
    found.globals["assets"] = assets
    return found


@cache
def _in_files() -> Environment:
    """Templates of pages that need nothing else."""
    found = environment()
    found.globals |= {"style": _style(), "scripts": _scripts(), "curves_script": _curves_script()}
    return found


def _outcome(verdict: str) -> str:
    """The colour of a verdict on a claim or on all of a study."""
    if verdict.startswith(("not reproduced", CONTRADICTED)):
        return CONTRADICTED
    return REPRODUCED if verdict.startswith(REPRODUCED) else "not-settled"


def _card_sign(card: int) -> str:
    """Rank and suit as they stand on a card."""
    rank = RANKS[card >> 2]
    return ("10" if rank == "T" else rank) + _SUIT_SIGNS[card & 3]


def _style() -> Markup:
    return Markup("".join([_static(name) for name in _STYLES]))


def _scripts() -> Markup:
    return Markup("".join([_static(name) for name in _SCRIPTS]))


def _curves_script() -> Markup:
    """The library that draws curves; its comment, an address, gives way to a credit without one."""
    return Markup(_CREDIT + re.sub(r"^/\*!.*?\*/\s*", "", _static(_CURVES), flags=re.DOTALL))


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")
