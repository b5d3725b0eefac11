"""Pages of experiments: what was set up, the figures beside what the paper printed, links to hands; and their index."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from railbird.files import write_whole
from railbird.json_files import Fields, read_json
from railbird.numbers import MOST_SEED
from railbird.papers.catalogue import STUDIES
from railbird.papers.study import Study, StudyResult
from railbird.report.curves import curve_data
from railbird.report.hand_columns import hand_links
from railbird.report.match_hands import MatchHand, match_folders, telling_hands, write_hands
from railbird.report.pages import write_page

SUMMARY = "experiment.json"
"""What a folder says of its experiment, for the index."""
FIGURES = "figures.json"
"""The figures of an experiment as a page draws them, for the laboratory."""
INDEX = "index.html"
_SCHEMA = "railbird.experiment-folder/1"
_FIGURES_SCHEMA = "railbird.experiment-figures/1"
_LISTED = 8
OURS = "Our own"
"""Stands for a paper where an experiment follows none."""


def write_experiment(result: StudyResult, folder: Path, has_index: bool = False) -> Path:
    """Write the page of an experiment, and another of its hands if the folder has them. Returns the page's path.

    With `has_index` it leads to the index that stands beside the folder, or will.
    """
    study = result.study
    hands, total = telling_hands(match_folders(folder))
    hands_page = f"{study.name}-hands.html"
    if hands:
        write_hands(folder / hands_page, f"Hands of {study.name}", hands, total, study=study, back=f"{study.name}.html")
    figures = result.figures()
    curves = {name: curve_data(figure) for name, figure in figures.items()}
    page = write_page(
        folder / f"{study.name}.html",
        "experiment.html",
        title=study.title,
        result=result,
        study=study,
        who=study.who(result.players),
        command=command(study, result.size, result.seed, result.players),
        figures=figures,
        parts=[part.html() for part in result.evidence.parts()],
        largest=_largest(hands),
        hands_page=hands_page if hands else "",
        folder=str(folder),
        is_heads_up=bool(hands) and hands[0].record.game.seats == 2,
        index=f"../{INDEX}" if has_index or (folder.parent / INDEX).exists() else "",
        curves=curves,
    )
    write_whole(folder / FIGURES, json.dumps({"schema": _FIGURES_SCHEMA, "figures": curves}) + "\n")
    write_whole(folder / SUMMARY, json.dumps(_summary(result), indent=1) + "\n")
    return page


def command(study: Study, size: int, seed: int, players: Sequence[str] = ()) -> str:
    """The command that runs an experiment again."""
    others = [word for player in players if tuple(players) != study.players for word in ("--player", player)]
    return shlex.join(["railbird", "experiment", study.name, "--hands", str(size), "--seed", str(seed), *others])


def write_index(folder: Path) -> Path:
    """Write the index of all experiments: those that were run in `folder`, and how to run the others."""
    runs = [run for path in sorted(folder.glob(f"*/{SUMMARY}")) if (run := summary_in(path))]
    rows = [(study, [run for run in runs if run.name == study.name]) for study in STUDIES.values()]
    papers: dict[str, list[Any]] = {paper_of(study): [] for study, _ in rows if paper_of(study) != OURS} | {OURS: []}
    for study, own in rows:
        papers[paper_of(study)].append((study, own))
    return write_page(folder / INDEX, "experiments.html", title="Experiments", papers=papers, runs=len(runs))


class Run(NamedTuple):
    """An experiment that was run, as its folder tells it."""

    name: str
    page: str
    size: int
    seed: int
    verdict: str


def _summary(result: StudyResult) -> dict[str, Any]:
    return {
        "schema": _SCHEMA,
        "experiment": result.study.name,
        "title": result.study.title,
        "size": result.size,
        "unit": result.study.unit,
        "seed": result.seed,
        "players": list(result.players),
        "verdict": result.verdict,
        "claims": [
            {**finding.to_json(), "claim": finding.claim, "reading": finding.reading, "measured": finding.measured}
            for finding in result.findings
        ],
        "rows": result.rows(),
    }


def summary_in(path: Path) -> Run | None:
    """What a folder says of its experiment; none where the file is something else."""
    try:
        found = Fields(read_json(path), "the experiment")
        if found["schema"] != _SCHEMA:
            return None
        name = found.text("experiment")
        page = f"{path.parent.name}/{name}.html"
        return Run(name, page, found.whole("size"), found.whole("seed", 0, MOST_SEED), found.text("verdict"))
    except (OSError, ValueError):
        return None


def figures_in(folder: Path) -> dict[str, Any]:
    """The figures of an experiment that was run in a folder; none where they were not written, or cannot be read."""
    try:
        told = Fields(read_json(folder / FIGURES), "the figures")
        if told["schema"] != _FIGURES_SCHEMA:
            return {}
        figures = told.fields("figures")
        return {name: figure for name, figure in figures.found.items() if figures.fields(name).text("title")}
    except (OSError, ValueError):
        return {}


def paper_of(study: Study) -> str:
    """The paper that a title begins with; our own experiments have none."""
    found = re.match(r"[^,:(]* \d{4}(?=,)", study.title)
    return found[0] if found else OURS


def _largest(hands: Sequence[MatchHand]) -> list[tuple[str, MatchHand]]:
    """The hands in which most was won, with what they are called on the page of hands."""
    links = hand_links(hand.record.number for hand in hands)
    return sorted(zip(links, hands), key=lambda each: -each[1].won)[:_LISTED]
