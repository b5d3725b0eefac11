"""What a study of a paper is: described as data, run when asked, with one kind of result for all of them.

A `Study` says which figure, table or section it runs again, what the paper reported, and which claims are judged. What
was measured is its `Evidence`, a class for each kind of study; `StudyResult` shows it and says whether the paper's
claims were reproduced, by the one rule of `railbird.judging`. All studies stand in `railbird.papers.catalogue`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from railbird.errors import MatchError, RailbirdError
from railbird.judging import CONTRADICTED, REPRODUCED, Finding, verdict
from railbird.play.folder import MatchFolder
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches
from railbird.progress import Bar, no_bar
from railbird.results.figures import Figure
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.words import so_many
from railbird.workforce import Workforce


@dataclass(frozen=True)
class Asked:
    """What is asked of a study."""

    size: int
    """How many of the study's unit."""
    seed: int
    folder: Path
    """Where its hands go; a study that was interrupted there is gone on with."""
    players: tuple[str, ...] = ()
    """Other players than the study's own."""
    workers: Workforce = None
    bar: Bar = no_bar
    """How its progress is shown."""

    @property
    def threads(self) -> int:
        """How many threads compute what is computed here; 0 for one per core."""
        return self.workers if isinstance(self.workers, int) else 0

    def played(self, folders: Sequence[MatchFolder]) -> list[MatchResult]:
        """Play matches, or go on with them."""
        with self.bar("playing", "hands") as watch, ExitStack() as locks:
            for folder in folders:
                locks.enter_context(folder.lock())
            return run_matches(list(folders), self.workers, watch)


class Evidence(Protocol):
    """What a study measured, and what is to be shown of it."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What became of the claims, judged together; empty where nothing is judged."""

    def parts(self) -> list[Part]:
        """Numbers and findings, below the study's heading."""

    def figures(self) -> Mapping[str, Figure]:
        """The paper's figures again, by the names of their files."""

    def rows(self) -> list[dict[str, Any]]:
        """The numbers as rows of a data frame."""

    def to_json(self) -> dict[str, Any]:
        """All that was measured."""


@dataclass(frozen=True, kw_only=True)
class Study(ABC):
    """A figure, a table or a section of a paper that can be run again."""

    name: str
    title: str
    """The paper, the place in it, and what is studied there."""
    reported: str
    """What the paper reported, in a sentence."""
    claims: tuple[str, ...] = ()
    """What is judged: the words that the findings begin with or contain."""
    unjudged: str = ""
    """Why nothing is judged, where that is so."""
    size: int
    """How much is played unless something else is asked for."""
    unit: str
    """What the size counts."""
    size_word: str = ""
    """What stands for the size in a folder's name where none was asked for; by default the number."""
    players: tuple[str, ...] = ()
    """Who plays unless others are named; empty where the study is about certain players."""
    patience: str = ""
    """What to know beforehand of a study that keeps one waiting."""

    @abstractmethod
    def measured(self, asked: Asked) -> Evidence:
        """Play and measure; `asked` names the players, where the study takes any."""

    def run(self, asked: Asked) -> StudyResult:
        """Run the study, or go on with it."""
        chosen = replace(asked, players=self.chosen(asked.players))
        return StudyResult(self, asked.size, asked.seed, self.measured(chosen), chosen.players)

    def chosen(self, players: Sequence[str]) -> tuple[str, ...]:
        """Who plays, if these are asked for; refuses players that it has no place for."""
        if players and not self.players:
            raise MatchError(f"{self.name} has its own players")
        return tuple(players) or self.players

    def who(self, players: Sequence[str]) -> str:
        """Who plays, in words, where these players were chosen."""
        return ", ".join(players)

    def folder_name(self, size: int | None = None, seed: int = 1, players: Sequence[str] = ()) -> str:
        """The name of a folder for what was asked; the same request gets the same folder."""
        others = "".join(["-" + re.sub(r"[^\w.-]+", "_", player) for player in players])
        return f"{self.name}{others}-{size or self.size_word or self.size}-seed{seed}"

    def head_json(self, size: int, seed: int) -> dict[str, Any]:
        """What the JSON of a result begins with."""
        return {"schema": "railbird.study/1", "study": self.name, "size": size, "seed": seed}

    def files_json(self, page: Path, pictures: Sequence[Path]) -> dict[str, Any]:
        """What the JSON says of the page and the pictures that were written."""
        return {"files": [str(path) for path in (*pictures, page)]}


@dataclass(frozen=True, repr=False)
class StudyResult(Result):
    """A study that was run: what was measured, the paper's figures again, and what became of its claims."""

    study: Study
    size: int
    seed: int
    evidence: Evidence
    players: tuple[str, ...] = ()
    """Who played, where the study takes others than its own."""
    kept: object = field(default=None, compare=False)
    """What keeps a folder of hands that goes away with the result."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What became of the paper's claims, judged together."""
        return self.evidence.findings

    @property
    def verdict(self) -> str:
        """Whether the paper's claims were reproduced."""
        return verdict(self.findings) if self.findings else self.study.unjudged

    @property
    def summary(self) -> str:
        """What the paper reported, and whether it was reproduced."""
        return f"paper: {self.study.reported}. Claims: {self.verdict}"

    def parts(self) -> list[Part]:
        facts = (so_many(self.size, self.study.unit), f"seed {self.seed}")
        return [Heading(self.study.title, facts), *self.evidence.parts(), Line(self.summary, indent=0)]

    def to_json(self) -> dict[str, Any]:
        return {**self.study.head_json(self.size, self.seed), **self.evidence.to_json()}

    def rows(self) -> list[dict[str, Any]]:
        return self.evidence.rows()

    def figures(self) -> dict[str, Figure]:
        """The paper's figures again, by the names of their files."""
        figures = self.evidence.figures()
        return {name: replace(each, summary=each.summary or self.summary) for name, each in figures.items()}

    def figure(self) -> Figure:
        """The first of the figures."""
        for figure in self.figures().values():
            return figure
        raise RailbirdError(f"{self.study.name} has no curves to draw")

    def write_figures(self, folder: str | Path) -> list[Path]:
        """Write all figures to a folder as PNG."""
        return [figure.save(Path(folder) / f"{name}.png") for name, figure in self.figures().items()]


def goals_parts(goals: Sequence[Finding], of: str = "our players") -> list[Part]:
    """What players of ours set out to do, which is judged apart from a paper's claims; nothing without goals."""
    met = {REPRODUCED: "met", CONTRADICTED: "missed"}
    return [Line(f"goals of {of}:", indent=0), findings_part(goals, "goal", met)] if goals else []


def findings_part(findings: Sequence[Finding], source: str = "paper", words: Mapping[str, str] | None = None) -> Table:
    """Claims with the intervals that decide and their outcomes, or other `words` for those.

    Where a `source` is named, what it says stands beside them.
    """
    rows = []
    for finding in findings:
        outcome = (words or {}).get(finding.outcome, finding.outcome)
        said = f"{source} {finding.paper}: " if source else ""
        rows.append((str(finding), finding.measured, f"{said}{outcome}"))
    return Table(rows, left=(2,), folded=(0,))
