"""What thinkers do for the laboratory: read how far a run is, and what the papers printed."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from railbird.errors import RailbirdError
from railbird.json_files import Fields, read_json
from railbird.papers.catalogue import STUDIES
from railbird.papers.measured_outcomes import measured, published
from railbird.papers.study import Study
from railbird.play.folder_results import result_in
from railbird.report.curves import curve_data
from railbird.report.experiments import OURS, SUMMARY, paper_of
from railbird.report.match_hands import match_folders

_MOST_REVIEWS = 50
_CLAIM = ("claim", "paper", "measured", "outcome")
_WIDTH = 300
"""Of a figure of win rates, in its own units."""


@dataclass(frozen=True)
class Standing:
    """How far a run is: its result so far, its curves, and the matches that can be reviewed."""

    words: str
    """Why there is no result yet; nothing where there is one."""
    parts: tuple[Markup, ...] = ()
    curves: dict[str, Any] = field(default_factory=dict)
    matches: tuple[str, ...] = ()
    """Ways from the server's home."""
    claims: tuple[dict[str, Any], ...] = ()
    """Of an experiment that is over."""
    verdict: str = ""


def standing(home: Path, folder: Path) -> Standing:
    """How far the run is whose hands are in a folder."""
    matches = tuple(str(each.relative_to(home)) for each in match_folders(folder)[:_MOST_REVIEWS])
    if (folder / SUMMARY).is_file():
        return _experiment(folder / SUMMARY, matches)
    try:
        found = result_in(folder)
        parts = tuple(part.html() for part in found.parts())
    except RailbirdError as error:
        return Standing(str(error).replace(f"{folder}", folder.parent.name), matches=matches)
    curves = {}
    with suppress(RailbirdError):
        curves = {f"curve-{number}": curve_data(figure) for number, figure in enumerate(found.panels())}
    return Standing("", parts, curves, matches)


def _experiment(summary: Path, matches: tuple[str, ...]) -> Standing:
    try:
        told = Fields(read_json(summary), "the experiment")
        claims = tuple({name: each.text(name) for name in _CLAIM} for each in told.each("claims"))
        return Standing("", matches=matches, claims=claims, verdict=told.text("verdict"))
    except (OSError, ValueError) as error:
        return Standing(f"its summary cannot be read: {error}", matches=matches)


@dataclass(frozen=True)
class Rate:
    """A win rate in a figure: where its point and interval lie."""

    name: str
    words: str
    point: float
    low: float
    high: float


@dataclass(frozen=True)
class PaperStudy:
    """An experiment on the page of its paper."""

    name: str
    title: str
    reported: str
    size: int
    unit: str
    run: dict[str, Any] | None
    """The largest run that is known."""
    groups: tuple[tuple[str, tuple[Rate, ...]], ...]
    """The figure: by reading of the paper, the players' win rates."""
    zero: float


def paper_slug(name: str) -> str:
    """A paper's name in an address.

    >>> paper_slug("Billings et al. 1998")
    'billings-et-al-1998'
    """
    return re.sub(r"\W+", "-", name.lower()).strip("-")


def papers() -> dict[str, str]:
    """The papers whose experiments can be run, by their names in addresses."""
    names = dict.fromkeys(name for study in STUDIES.values() if (name := paper_of(study)) != OURS)
    return {paper_slug(name): name for name in [*names, OURS]}


def paper_page(slug: str) -> tuple[str, str, list[PaperStudy], list[dict[str, Any]]]:
    """A paper's name and title, its experiments, and all else of it that was answered."""
    name = papers()[slug]
    nothing: dict[str, Any] = {"title": "", "items": []}
    told = next((paper for paper in published() if paper["name"] == name), nothing)
    known = measured()
    studies = [_study(study, known) for study in STUDIES.values() if paper_of(study) == name]
    others = [item for item in told["items"] if not item.get("studies")]
    return name, told["title"].replace("*", ""), studies, others


def _study(study: Study, known: dict[str, list[dict[str, Any]]]) -> PaperStudy:
    run = known[study.name][0] if study.name in known else None
    rows = [row for row in (run or {}).get("rows", ()) if row.get("margin95") is not None and "player" in row]
    most = max((abs(row["mean"]) + row["margin95"] for row in rows), default=1.0)

    def place(value: float) -> float:
        return round(_WIDTH / 2 * (1 + value / most), 1)

    groups: dict[str, list[Rate]] = {}
    for row in rows:
        mean, margin = row["mean"], row["margin95"]
        words = f"{mean:+.3f} ± {margin:.3f}"
        rate = Rate(row["player"], words, place(mean), place(mean - margin), place(mean + margin))
        groups.setdefault(row.get("reading", ""), []).append(rate)
    shown = tuple((reading, tuple(rates)) for reading, rates in groups.items())
    return PaperStudy(study.name, study.title, study.reported, study.size, study.unit, run, shown, place(0))
