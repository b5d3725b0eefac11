"""The decisions for which somebody at a table asked a bot: marked beside the match, so that its hands are known for
what they are, and a review can tell what was said.

    advice.jsonl    a line each: the hand, the betting before the decision, who asked, which bot, and what it said
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from railbird.json_files import Fields, json_of

ADVICE = "advice.jsonl"
_MOST_BYTES = 10_000_000
_MOST_SAID = 500


class Advised(NamedTuple):
    """A decision for which advice was asked."""

    hand: int
    history: str
    name: str
    bot: str
    said: str = ""
    """What the bot would do and why, in words; nothing in files that do not tell."""

    @property
    def question(self) -> tuple[int, str, str, str]:
        """All but the answer, which may be another one the next time."""
        return self[:4]


def mark_advice(folder: Path, advised: Advised) -> None:
    """Note that somebody asked, once a decision and bot."""
    with suppress(OSError):
        if advised.question not in [each.question for each in advice_in(folder)[-20:]]:
            with (folder / ADVICE).open("a", encoding="utf-8") as file:
                file.write(json.dumps(advised._replace(said=advised.said[:_MOST_SAID])._asdict()) + "\n")


def advice_in(folder: Path) -> list[Advised]:
    """The decisions for which somebody asked, as far as the file can be read."""
    try:
        with (folder / ADVICE).open("rb") as raw:
            texts = raw.read(_MOST_BYTES).splitlines()
    except OSError:
        return []
    found = []
    for text in texts:
        with suppress(ValueError):
            whole = json_of(text)
            told = Fields(whole, "the advice")
            said = told.text("said") if "said" in whole else ""
            found.append(
                Advised(told.whole("hand", 0), told.text("history"), told.text("name"), told.text("bot"), said)
            )
    return found
