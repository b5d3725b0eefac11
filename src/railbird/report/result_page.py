"""The page of any result: what the terminal shows, with its curves."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from railbird.errors import RailbirdError
from railbird.report.curves import curve_data
from railbird.report.pages import write_page
from railbird.results.figures import Figure
from railbird.results.parts import Heading, Line
from railbird.results.result import Result


def write_result(path: Path, result: Result) -> Path:
    """Write the page of a result. One that has nothing to draw yet has its numbers alone."""
    heading, *rest = result.parts()
    assert isinstance(heading, Heading)
    first = rest[0] if rest else None
    verdict = first.words if isinstance(first, Line) and first.style == "bold" else ""
    figures = {f"curve{at}": figure for at, figure in enumerate(_figures(result))}
    return write_page(
        path,
        "result.html",
        title=heading.title,
        facts=heading.facts,
        verdict=verdict,
        figures=figures,
        parts=[part.html() for part in rest[1 if verdict else 0 :]],
        curves={name: curve_data(figure) for name, figure in figures.items()},
    )


def _figures(result: Result) -> list[Figure]:
    """Its curves; none of a result that has none, or none yet."""
    with suppress(RailbirdError):
        return list(result.panels())
    return []
