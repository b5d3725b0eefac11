"""What the pages of papers show: each experiment with our figure, what was printed, and what came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from railbird.judging import NOT_SETTLED, REPRODUCED
from railbird.papers.catalogue import STUDIES
from railbird.papers.measured_outcomes import measured, published
from railbird.papers.study import Study
from railbird.report.experiments import OURS, SUMMARY, paper_of, summary_in
from railbird.web.runs import runs_in
from railbird.words import count_of

_WIDTH = 300
"""Of a picture, in its own units."""
_MARGIN = 8
"""What it leaves free at both ends."""
_MEASURED = re.compile(r"([+-]?\d+(?:\.\d+)?) ± (\d+(?:\.\d+)?)")
_PRINTED = re.compile(r"([+-]?\d+(?:\.\d+)?)(?=$| \(|,)")


@dataclass(frozen=True)
class Mark:
    """A number in a picture: where its point, its interval, and what the paper printed lie."""

    name: str
    words: str
    point: float
    low: float
    high: float
    zero: float
    printed: float | None = None


@dataclass(frozen=True)
class ClaimRow:
    """A claim, what became of it, and its picture where there is one."""

    claim: str
    reading: str
    paper: str
    measured: str
    outcome: str
    mark: Mark | None = None


@dataclass(frozen=True)
class RunHere:
    """A run of an experiment that was started on this server."""

    name: str
    size: int
    seed: int
    verdict: str


@dataclass(frozen=True)
class PaperStudy:
    """An experiment on the page of its paper."""

    study: Study
    run: dict[str, Any] | None
    """The largest run that is known."""
    figures: tuple[tuple[str, tuple[Mark, ...]], ...]
    """Our figure, in parts: by reading of the paper, the players' win rates."""
    claims: tuple[ClaimRow, ...]
    here: tuple[RunHere, ...]


@dataclass(frozen=True)
class PaperPage:
    """A paper: its experiments, and all else of it that was answered."""

    name: str
    reference: str
    studies: tuple[PaperStudy, ...]
    others: tuple[dict[str, Any], ...]


def paper_slug(name: str) -> str:
    """A paper's name in an address.

    >>> paper_slug("Billings et al. 1998")
    'billings-et-al-1998'
    """
    return re.sub(r"\W+", "-", name.lower()).strip("-")


@cache
def papers() -> dict[str, str]:
    """The papers whose experiments can be run, by their names in addresses."""
    names = dict.fromkeys(name for study in STUDIES.values() if (name := paper_of(study)) != OURS)
    return {paper_slug(name): name for name in [*names, OURS]}


@cache
def paper_words() -> dict[str, str]:
    """By paper, how many experiments it has, what became of those that were run, and how many were not."""
    known = measured()
    found = {}
    for slug, name in papers().items():
        studies = [study.name for study in STUDIES.values() if paper_of(study) == name]
        outcomes = Counter(_outcome(known[each][0]["verdict"]) for each in studies if each in known)
        counted = [f"{number} {outcome}" for outcome, number in sorted(outcomes.items(), key=lambda each: -each[1])]
        if (left := len(studies) - outcomes.total()) and counted:
            counted.append(f"{left} not run yet")
        found[slug] = f"{count_of(len(studies), 'experiment')}: {', '.join(counted) or 'not run yet'}"
    return found


def _outcome(verdict: str) -> str:
    """A verdict without its reasons.

    >>> _outcome("not reproduced (3 reproduced, 1 contradicted)"), _outcome("reproduced, if read as ...")
    ('not reproduced', 'reproduced')
    """
    outcomes = (REPRODUCED, "not reproduced", NOT_SETTLED)
    return next((each for each in outcomes if verdict.startswith(each)), "not judged")


def paper_page(slug: str, home: Path | None = None) -> PaperPage:
    """The page of a paper, with the runs of its experiments under a server's home."""
    name = papers()[slug]
    nothing: dict[str, Any] = {"title": "", "items": []}
    told = next((paper for paper in published() if paper["name"] == name), nothing)
    known, here = measured(), _runs_here(home) if home else {}
    studies = [
        _study(study, known.get(study.name, [None])[0], here.get(study.name, ()))
        for study in STUDIES.values()
        if paper_of(study) == name
    ]
    others = [item for item in told["items"] if not item.get("studies")]
    return PaperPage(name, told["title"].replace("*", ""), tuple(studies), tuple(others))


def _runs_here(home: Path) -> dict[str, list[RunHere]]:
    """The experiments that were run on this server, the last first."""
    found: dict[str, list[RunHere]] = {}
    for run in runs_in(home):
        told = summary_in(run.hands / SUMMARY)
        if told:
            found.setdefault(told.name, []).append(RunHere(run.name, told.size, told.seed, told.verdict))
    return found


def _study(study: Study, run: dict[str, Any] | None, here: Sequence[RunHere]) -> PaperStudy:
    rows = [row for row in map(_numbers, (run or {}).get("rows", ())) if row]
    marks = _marks([(name, mean, margin, printed) for _, name, mean, margin, printed in rows])
    groups: dict[str, list[Mark]] = {}
    for (reading, *_), mark in zip(rows, marks):
        groups.setdefault(reading, []).append(mark)
    figures = tuple((reading, tuple(group)) for reading, group in groups.items())
    return PaperStudy(study, run, figures, claim_rows((run or {}).get("claims", ()), not figures), tuple(here))


def _numbers(row: Mapping[str, Any]) -> tuple[str, str, float, float, float | None] | None:
    """A row of an experiment for its figure: what it is a part of, its name, mean, margin, and what was printed."""
    if "player" in row and row.get("margin95") is not None:
        return f"{row.get('reading') or 'Win rates'}, sb/hand", row["player"], row["mean"], row["margin95"], None
    if "mean_error_margin" in row:
        name = f"{row['method']}, {count_of(row['opponents'], 'opponent')}"
        return "Mean errors", name, row["mean_error"], row["mean_error_margin"], row["paper_mean_error"]
    return None


def claim_rows(claims: Iterable[Mapping[str, Any]], has_pictures: bool = True) -> tuple[ClaimRow, ...]:
    """Claims for a table, with pictures of what was measured beside what was printed."""
    told = list(claims)
    found = [_MEASURED.fullmatch(claim["measured"]) for claim in told]
    numbers = [
        (claim["claim"], float(match[1]), float(match[2]), float(printed[0]) if printed else None)
        for claim, match in zip(told, found)
        if match
        for printed in [_PRINTED.match(claim["paper"])]
    ]
    marks = iter(_marks(numbers))
    return tuple(
        ClaimRow(
            claim["claim"],
            claim["reading"],
            claim["paper"],
            claim["measured"],
            claim["outcome"],
            next(marks) if match and has_pictures else None,
        )
        for claim, match in zip(told, found)
    )


def _marks(numbers: Sequence[tuple[str, float, float, float | None]]) -> list[Mark]:
    """Numbers, each a name, a mean, a margin and perhaps what was printed, on one scale that has zero on it."""
    ends = [0.0, *[end for _, mean, margin, _ in numbers for end in (mean - margin, mean + margin)]]
    ends += [printed for *_, printed in numbers if printed is not None]
    least, most = min(ends), max(ends)
    unit = (_WIDTH - 2 * _MARGIN) / (most - least or 1.0)

    def place(value: float) -> float:
        return round(_MARGIN + unit * (value - least), 1)

    return [
        Mark(
            name,
            f"{mean:+.3f} ± {margin:.3f}",
            place(mean),
            place(mean - margin),
            place(mean + margin),
            place(0.0),
            None if printed is None else place(printed),
        )
        for name, mean, margin, printed in numbers
    ]
