"""What `check_bot` found, as text and as JSON."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.words import count_of, time_text

SCHEMA = "railbird.check-bot/1"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or ("note") worth knowing."""

    severity: str
    """"error" or "note"."""
    code: str
    message: str
    example: str
    """A hand in which it shows."""


@dataclass(frozen=True, repr=False)
class BotReport(Result):
    """What `check_bot` found."""

    bot: str
    learns: bool
    findings: tuple[Finding, ...]
    hands: tuple[tuple[str, int], ...]
    """By game, how many hands were tried."""
    decisions: int
    median_seconds: float
    worst_seconds: float
    limit_seconds: float
    not_checked: tuple[str, ...]
    """What could not be looked at because of the findings."""

    @property
    def ok(self) -> bool:
        """Whether there is nothing to mend; notes are allowed."""
        return all(finding.severity != "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "bot": self.bot,
            "ok": self.ok,
            "learns": self.learns,
            "findings": [asdict(finding) for finding in self.findings],
            "hands": dict(self.hands),
            "decisions": self.decisions,
            "seconds": {"median": self.median_seconds, "worst": self.worst_seconds, "limit": self.limit_seconds},
            "not_checked": list(self.not_checked),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each finding."""
        return [asdict(finding) for finding in self.findings]

    def parts(self) -> list[Part]:
        errors = sum(finding.severity == "error" for finding in self.findings)
        verdict = "fit to play" if self.ok else f"{count_of(errors, 'thing')} to mend"
        facts: tuple[str, ...] = ()
        if self.decisions:
            hands = sum(number for _, number in self.hands)
            times = f"{time_text(self.median_seconds)} each, {time_text(self.worst_seconds)} at most"
            facts = (f"{count_of(hands, 'hand')}, {count_of(self.decisions, 'decision')}", times)
        lines = []
        for finding in self.findings:
            lines += ["", *_wrapped(f"{finding.severity:<6} {finding.message} [{finding.code}]")]
            lines += _wrapped(f"       {finding.example}") if finding.example else []
        if self.not_checked:
            lines += ["", *_wrapped(f"       not checked: {', '.join(self.not_checked)}")]
        return [Heading(f"{self.bot}: {verdict}", facts), *[Line(line, indent=0) for line in lines]]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 110, subsequent_indent=" " * 7, break_long_words=False, break_on_hyphens=False)
