"""The end of an assessment's report: what was wrong with the logs, the settings, and what the measures mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from railbird.assess.settings import Settings
from railbird.assess.summary import PairSummary
from railbird.formats.hand_arrays import PROBLEM_KINDS, HandArrays
from railbird.game.spec import STREETS

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


def further_meanings() -> dict[str, str]:
    """What else the report speaks of, in words; the measures say themselves what they mean."""
    return _FURTHER


class ProblemKind(NamedTuple):
    """Remarks of one kind, with the first of them."""

    words: str
    left_out: int
    kept: int
    examples: tuple[str, ...]

    @property
    def title(self) -> str:
        many = f": the first {_EXAMPLES} of {self.left_out + self.kept:,}" if self._is_long else ""
        return f"{self.words[:1].upper()}{self.words[1:]}{many}"

    @property
    def _is_long(self) -> bool:
        return self.left_out + self.kept > _EXAMPLES


def problem_kinds(hands: HandArrays) -> list[ProblemKind]:
    """What was left out of the assessment and why, and what was kept with a remark."""
    found = []
    for kind, count in hands.problem_counts.most_common():
        alike = [problem for problem in hands.problems if problem.kind == kind]
        skipped = sum(problem.skipped for problem in alike)
        some = tuple(str(problem) for problem in alike[:_EXAMPLES])
        found.append(ProblemKind(PROBLEM_KINDS.get(kind, kind), skipped, count - skipped, some))
    return found


class SettingsTable(NamedTuple):
    """The baseline's thresholds, a row for each street."""

    rows: list[tuple[str, ...]]
    note: str


def settings_tables(summaries: Sequence[PairSummary]) -> list[SettingsTable]:
    """The baseline's settings; several of an ensemble."""
    return [_settings_table(found.settings) for found in summaries[0].assessments] if summaries else []


def _settings_table(settings: Settings) -> SettingsTable:
    rows = [
        (
            name,
            *(f"{float(threshold):.4g}" for threshold in settings.bets[street]),
            f"{float(settings.fold_offsets[street]):+.4g}",
        )
        for street, name in enumerate(STREETS)
    ]
    by_rank = "" if settings.rollout == "ehr" else " Pots before the flop are rolled out by the seven-card hand rank."
    pot = "the pot before the street" if settings.fold == "pot" else "the pot with the bet that is faced"
    return SettingsTable(
        rows,
        "The effective hand rank that is worth one to four bets. A weaker hand folds to a bet if its rank is below "
        f"bet / (pot + bet) plus the fold offset, where the pot is {pot}.{by_rank}",
    )
