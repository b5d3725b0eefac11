"""What thinkers do for reviews: list matches, assess hands, and make the whole page, that of `assess --html`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from heapq import nlargest
from pathlib import Path
from typing import Any

from markupsafe import escape

from railbird.errors import AssessmentError, MatchError, RailbirdError
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.play.assessing import Assessed, assess
from railbird.play.folder import MatchFolder, is_match
from railbird.play.known_seats import known_texts
from railbird.play.match_logs import good_hands, hands_of, open_logs, sources_of
from railbird.report.assessment import report_content
from railbird.report.match_hands import match_folders
from railbird.report.table_report import tables_content
from railbird.statistics import FEWEST
from railbird.web.advice import Advised, advice_in
from railbird.web.answers import filled
from railbird.web.exploring import bot_names
from railbird.web.people import people_at
from railbird.words import count_of

_MOST_MATCHES = 300
_MOST_KNOWN = 5_000
"""Hands that AIVAT is told of, at some milliseconds each; `railbird assess FOLDER --known BOT` takes any number."""
_MOST_ADVICE = 2_000
_KEPT = 3
"""Assessments that a thinker remembers."""


@dataclass(frozen=True)
class Listed:
    """A match in the list."""

    path: str
    """From the server's home."""
    players: str
    hands: int
    when: datetime


@dataclass(frozen=True)
class Asked:
    """What is to be reviewed, and who looks at it."""

    path: Path
    title: str
    eyes: str = ""
    """The person whose cards alone are shown, besides those that were shown down; nothing for everybody's."""


def listed_matches(home: Path, user: str | None = None) -> list[Listed]:
    """The matches under a folder, the last played first; with the hash of a browser's token, those of its tables."""
    folders = [folder for folder in match_folders(home) if user is None or user in people_at(folder)]
    recent = nlargest(_MOST_MATCHES, folders, key=_last_played)
    return [listed for folder in recent if (listed := _listed(home, folder))]


def checked_upload(path: Path) -> str:
    """What a history holds, in words; refuses one without a hand that can be read."""
    hands, games, first = 0, Counter[str](), ""
    for source in sources_of(path):
        for found in hands_of(source):
            if isinstance(found, HandRecord):
                hands += 1
                games[found.game.name] += 1
            else:
                first = first or str(found)
    if not hands:
        raise AssessmentError(f"no hand of it can be read; the first problem: {first}" if first else "it has no hands")
    return count_of(hands, "hand")


def review_page(asked: Asked, shared: dict[str, Any]) -> str:
    """The page of a review: verdict, lines, luck and skill, leaks, all hands and their replays."""
    found = _assessed(asked.path, _stamp(asked.path), asked.eyes)
    log = found.limit_log
    if log is None or not log.pairs:
        template, content = "review_tables.html", _tables_content(found, asked)
    else:
        template, content = "review.html", report_content(list(log.pairs), log.hands) | {"bots": bot_names()[0]}
    if content["hands"] is not None and (advice := _advice(asked)):
        content["hands"] = content["hands"] | {"advice": advice}
    page = filled(template, shared, layout="live.html", review=asked.title, **content)
    return without_way(page, asked.path.parent)


def without_way(words: str, folder: Path) -> str:
    """Words or a page without the way to a folder of the server, which is nobody's business."""
    return words.replace(f"{escape(folder)}/", "").replace(f"{folder}/", "")


def hidden_from(record: HandRecord, eyes: str) -> HandRecord:
    """A hand as one of its players saw it: his cards, and those that were shown down."""
    end = record.final()
    shown = set(end.live) if end.is_showdown else set()
    holes = tuple(
        hole if name == eyes or position in shown else ()
        for position, (name, hole) in enumerate(zip(record.names, record.holes))
    )
    return replace(record, holes=holes)


def _stamp(path: Path) -> tuple[float, int]:
    """Changes when hands are added."""
    files = [path] if path.is_file() else sorted(path.glob("*.log"))
    return max((file.stat().st_mtime for file in files), default=0.0), sum(file.stat().st_size for file in files)


@lru_cache(_KEPT)
def _assessed(path: Path, _stamp: tuple[float, int], eyes: str) -> Assessed:
    if not eyes:
        return assess(path, whole=True, known=_known_at(path), progress=False)
    return assess([hidden_from(record, eyes) for _, record in open_logs(path).all_records()], progress=False)


def _known_at(path: Path) -> list[str]:
    """The players of a match whose play is known, where it has hands enough to tell and few enough to wait for."""
    if not is_match(path):
        return []
    match = MatchFolder.open(path)
    return known_texts(match.spec) if FEWEST <= match.known_hands <= _MOST_KNOWN else []


def _tables_content(found: Assessed, asked: Asked) -> dict[str, Any]:
    """What is told of hands that DIVAT does not assess."""
    content = tables_content(found, _records(asked), asked.title) | {"title": f"Review: {asked.title}"}
    can_ask = content["game"] is not None and _is_limit(content["game"])
    return content | ({"bots": bot_names()[0]} if can_ask else {})


def _advice(asked: Asked) -> list[Advised]:
    """What bots said at the table to those who asked; who looks at it as a player sees what he was told himself, for
    the rest would tell of cards that he may not see."""
    told = advice_in(asked.path) if asked.path.is_dir() else []
    return [each for each in told if asked.eyes in ("", each.name)][-_MOST_ADVICE:]


def _records(asked: Asked) -> Iterator[HandRecord]:
    found = good_hands(asked.path)
    return (hidden_from(record, asked.eyes) for record in found) if asked.eyes else found


def _is_limit(game: Game) -> bool:
    return game.structure is Structure.FIXED_LIMIT and not game.stacks


def _last_played(folder: Path) -> float:
    return max((file.stat().st_mtime for file in folder.glob("*.log")), default=folder.stat().st_mtime)


def _listed(home: Path, folder: Path) -> Listed | None:
    """A match for the list; none where its folder cannot be read."""
    try:
        match = MatchFolder.open(folder)
        names = " v ".join(dict.fromkeys(match.spec.names))
        hands = match.known_hands
    except (RailbirdError, OSError):
        return None
    when = datetime.fromtimestamp(_last_played(folder))
    return Listed(str(folder.relative_to(home)), names, hands, when)


def match_at(home: Path, path: str) -> Path:
    """A match folder by its way from the server's home; refuses all that is elsewhere, or no match."""
    folder = (home / path).resolve()
    if not folder.is_relative_to(home.resolve()) or not is_match(folder):
        raise MatchError(f"no match {path[:200]!r} here")
    return folder
