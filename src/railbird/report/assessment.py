"""The report of an assessment as one self-contained page with all its hands, and its pictures as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.leaks import KINDS
from railbird.assess.pictures import pictures
from railbird.assess.settings import STANDARD
from railbird.assess.summary import PairSummary
from railbird.files import write_whole
from railbird.formats.hand_arrays import HandArrays
from railbird.report.curves import curve_data, runs
from railbird.report.explanations import further_meanings, problem_kinds, settings_tables
from railbird.report.hand_columns import assessed_columns, hand_links, rank_details
from railbird.report.pages import page, write_page
from railbird.report.pair_section import PairSection, telling
from railbird.results.figures import Figure, Line, draw
from railbird.words import count_of

MOST_PAIRS = 20
"""Pairs of players with a section of their own."""
MOST_HANDS = 15_000
"""Hands that a page has, so that it stays below two megabytes; of more the most telling."""
_MOST_POINTS = 5_000
"""Points of a line whose hands are not all in the page."""
_MOST_FILES = 10


def write_report(path: Path, summaries: Sequence[PairSummary], hands: HandArrays) -> Path:
    """Write the report of `summaries`, which come from `hands`, as one HTML file. Returns its path."""
    return write_page(path, "assessment.html", **report_content(summaries, hands))


def report_page(summaries: Sequence[PairSummary], hands: HandArrays) -> str:
    """The whole page."""
    return page("assessment.html", **report_content(summaries, hands))


def write_picture(path: Path, summary: PairSummary) -> Path:
    """Write the pictures of one pair of players below each other as a PNG file. Returns its path."""
    title = f"{summary.first} v {summary.second}, {count_of(len(summary), 'hand')}, for {summary.first}"
    return write_whole(path, draw(pictures(summary), "png", (9, 4.6), title))


def report_content(summaries: Sequence[PairSummary], hands: HandArrays) -> dict[str, Any]:
    """What the template of a report needs."""
    shown = summaries[:MOST_PAIRS]
    largest = 10 if len(shown) <= 5 else 3
    sections = [PairSection(pair, hands, n, largest) for n, pair in enumerate(shown)]
    kept = telling(sections, MOST_HANDS)
    starts = np.cumsum([0, *[len(each) for each in kept]]).tolist()
    # The place of a hand of a pair among the hands of the page.
    places = [dict(zip(at.tolist(), range(start, start + len(at)))) for at, start in zip(kept, starts)]
    title = f"Skill and luck: {shown[0].first} v {shown[0].second}" if len(summaries) == 1 else "Skill and luck"
    return {
        "title": title,
        "sections": list(zip(sections, places)),
        "links": hand_links(n for section, at in zip(sections, kept) for n in section.pair.hands.numbers[at].tolist()),
        "more_pairs": len(summaries) - len(shown),
        "facts": _facts(summaries, hands),
        "sampled": _sampled(shown, starts[-1]),
        "files": hands.files[:_MOST_FILES],
        "more_files": max(0, len(hands.files) - _MOST_FILES),
        "kinds": KINDS,
        "problems": problem_kinds(hands),
        "problem_rows": [(kind.words, f"{kind.left_out:,}", f"{kind.kept:,}") for kind in problem_kinds(hands)],
        "settings": settings_tables(summaries),
        "meanings": further_meanings(),
        "curves": _curves(sections, kept, starts),
        "hands": _hands(sections, kept, places) if sections else None,
    }


def _hands(
    sections: Sequence[PairSection], kept: Sequence[NDArray[np.int64]], places: Sequence[dict[int, int]]
) -> dict[str, Any]:
    columns = assessed_columns([(section.pair, at) for section, at in zip(sections, kept)])
    details = {
        place[row.at]: rank_details(section.pair, row.at)
        for section, place in zip(sections, places)
        for each in section.lists
        for row in each.rows
    }
    return {**columns, "ranks": details}


def _curves(
    sections: Sequence[PairSection], kept: Sequence[NDArray[np.int64]], starts: Sequence[int]
) -> dict[str, dict[str, Any]]:
    """By pair: the running totals of money and skill, whose points lead to hands, and the figures by street."""
    found = {}
    for section, at, start in zip(sections, kept, starts):
        pair = section.pair
        most = len(pair) if len(at) == len(pair) else _MOST_POINTS
        lines = [
            Line.running_total("money", pair.money, most=most),
            Line.running_total("skill (DIVAT)", pair.divat, has_band=section.has_band, most=most),
        ]
        names = f"small bets won by {pair.first}"
        main = curve_data(Figure("Money and skill, added up", "hands", names, lines), 2 if len(pair) < 1000 else 1)
        # Each point leads to the hand that it ends with, or to the last one before it that the page has.
        ends = lines[0].x.astype(np.int64) - 1
        reached = start + np.maximum(0, np.searchsorted(at, ends, side="right") - 1)
        found[section.anchor] = {**main, "hands": runs(reached)}
        for n, figure in enumerate(pictures(pair, 300)[1:]):
            found[f"{section.anchor}-{n}"] = curve_data(figure, 2)
    return found


def _sampled(shown: Sequence[PairSummary], kept: int) -> str:
    total = sum(len(pair) for pair in shown)
    if kept == total:
        return ""
    return (
        f"This page has {kept:,} of {total:,} hands, those with most luck or skill in them; its lines and numbers are "
        "those of all hands."
    )


def _facts(summaries: Sequence[PairSummary], hands: HandArrays) -> list[str]:
    """What was read, and what could be assessed of it."""
    assessed = sum(len(pair) for pair in summaries)
    left_out = sum(problem.skipped for problem in hands.problems)
    facts = [f"{count_of(len(hands), 'hand')} of heads-up limit hold'em read, {assessed:,} assessed."]
    if left_out:
        facts.append(f"{left_out:,} {'line or file was' if left_out == 1 else 'lines or files were'} left out.")
    if assessed < len(hands):
        facts.append(f"{count_of(len(hands) - assessed, 'hand')} with hidden hole cards could not be assessed.")
    settings = [found.settings for found in summaries[0].assessments] if summaries else []
    if len(settings) == 1:
        kind = "the standard" if settings[0] == STANDARD else "not the standard"
        facts.append(f"The baseline has {kind} settings of Kan's thesis (2007).")
    elif settings:
        facts.append(f"The mean of {len(settings)} settings of the baseline counts.")
    return facts
