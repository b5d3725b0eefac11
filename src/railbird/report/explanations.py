"""The end of an assessment's report: what was wrong with the logs, the settings, and what the measures mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from railbird.assess.settings import Settings
from railbird.assess.summary import MEASURES, PairSummary
from railbird.formats.hand_arrays import PROBLEM_KINDS, HandArrays
from railbird.game.spec import STREETS
from railbird.results.page import Html, element, joined, table

_EXAMPLES = 5

_FURTHER = {
    "Red-green points": (
        "Each street's DIVAT difference goes to the player who first left the baseline on it. This says whose doing "
        "it was only roughly: the other player may have erred after that."
    ),
    "EVAT": (
        "What a player's actions gave away in all-in equity against the best of folding, calling, and a raise that is"
        " called, both hands known. Nobody can see the other hand, so even a perfect player gives something away; and"
        " it shares the bias of all-in equity."
    ),
    "Runtime DIVAT": (
        "DIVAT for hands whose cards were all shown, and money for the others: what can be known during a match. Not "
        "proven to be unbiased, since the play decides which cards are shown."
    ),
    "Intervals": (
        "The mean plus or minus its 95% margin. With many rows, one in twenty will leave out zero by chance."
    ),
}


def measures_html() -> Html:
    """What each measure means, and how far it can be trusted."""
    known = {measure.long_name: measure.meaning for measure in MEASURES.values() if measure.meaning}
    texts = {**known, **_FURTHER}
    rows = [joined([element("dt", name[:1].upper() + name[1:]), element("dd", text)]) for name, text in texts.items()]
    return joined([element("h2", "What the measures mean", id="measures"), element("dl", *rows)])


def problems_html(hands: HandArrays) -> Html:
    """What was left out of the assessment and why, and what was kept with a remark."""
    parts = [element("h2", "Remarks on the logs", id="problems")]
    if not hands.problems:
        return joined([*parts, element("p", "Nothing was wrong with the logs; every line was read.")])
    rows = []
    for kind, count in hands.problem_counts.most_common():
        skipped = sum(problem.skipped for problem in hands.problems if problem.kind == kind)
        rows.append((PROBLEM_KINDS.get(kind, kind), f"{skipped:,}", f"{count - skipped:,}"))
    parts.append(table(("what", "left out", "kept"), rows))
    for kind, count in hands.problem_counts.most_common():
        some = list(islice((problem for problem in hands.problems if problem.kind == kind), _EXAMPLES))
        words = PROBLEM_KINDS.get(kind, kind)
        title = f"{words[:1].upper()}{words[1:]}" + (
            f": the first {_EXAMPLES} of {count:,}" if count > _EXAMPLES else ""
        )
        parts += [element("h4", title), element("ul", *[element("li", str(problem)) for problem in some])]
    return joined(parts)


def settings_html(summaries: Sequence[PairSummary]) -> Html:
    """The baseline's settings."""
    parts = [element("h2", "Settings of the baseline", id="settings")]
    if summaries:
        used = [found.settings for found in summaries[0].assessments]
        if len(used) > 1:
            parts.append(
                element("p", f"The mean of {len(used)} settings counts; replays and leaks are those of the first.")
            )
        for number, settings in enumerate(used):
            if len(used) > 1:
                parts.append(element("h4", f"Setting {number + 1}"))
            parts.append(_settings_table(settings))
    return joined(parts)


def _settings_table(settings: Settings) -> Html:
    rows = [
        (
            name,
            *(f"{float(threshold):.4g}" for threshold in settings.bets[street]),
            f"{float(settings.fold_offsets[street]):+.4g}",
        )
        for street, name in enumerate(STREETS)
    ]
    pot = "the pot before the street" if settings.fold == "pot" else "the pot with the bet that is faced"
    fold = (
        "The effective hand rank that is worth one to four bets. A weaker hand folds to a bet if its rank is below "
        f"bet / (pot + bet) plus the fold offset, where the pot is {pot}."
    )
    return joined([table(("", "1 bet", "2 bets", "3 bets", "4 bets", "fold offset"), rows), element("p", fold)])
