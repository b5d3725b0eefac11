"""The most telling hands of matches as a page: of thousands, those in which most was won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from railbird.formats.acpc import StateLine, is_hand, parse_record
from railbird.game.record import HandRecord
from railbird.play.folder import folder_game, folder_logs
from railbird.play.manifest import MANIFEST
from railbird.play.match_logs import refuse_damage
from railbird.report.curves import runs
from railbird.report.hand_columns import hand_columns
from railbird.report.pages import write_page

MOST_HANDS = 1_000
_LEAST_HANDS = 5
"""Of each match, however many there are."""


class MatchHand(NamedTuple):
    """A hand of a match, and where it stands."""

    match: str
    log: Path
    line: int
    record: HandRecord

    @property
    def won(self) -> float:
        """The most that somebody won, in small bets."""
        return max(self.record.payoffs) / self.record.game.small_bet

    @property
    def winner(self) -> str:
        return self.record.names[self.record.payoffs.index(max(self.record.payoffs))]


def match_folders(folder: Path) -> list[Path]:
    """The matches in a folder, at whatever depth."""
    return sorted(manifest.parent for manifest in folder.rglob(MANIFEST))


def telling_hands(folders: Sequence[Path], most: int = MOST_HANDS) -> tuple[list[MatchHand], int]:
    """The hands of matches in which most was won, as many of each match, in the order in which they were played; and
    how many hands there are in all."""
    found, total = [], 0
    each = max(_LEAST_HANDS, most // max(1, len(folders)))
    for folder in folders:
        refuse_damage(folder_logs(folder))
        game, lines = folder_game(folder), list(_lines(folder))
        total += len(lines)
        largest = nlargest(each, lines, key=lambda line: line.won)
        for log, number, _, text in sorted(largest):
            record = parse_record(text, game)
            match = f"{folder.name}: {' v '.join(dict.fromkeys(sorted(record.names)))}"
            found.append(MatchHand(match, log, number, record))
    return found, total


def write_hands(path: Path, title: str, chosen: Sequence[MatchHand], total: int, **content: Any) -> Path:
    """Write a page on which these hands of `total` can be replayed."""
    matches = list(dict.fromkeys(hand.match for hand in chosen))
    logs = list(dict.fromkeys(hand.log for hand in chosen))
    columns = {
        **hand_columns([hand.record for hand in chosen]),
        "groups": matches,
        "group": runs(np.array([matches.index(hand.match) for hand in chosen])),
        "files": [str(log) for log in logs],
        "file": runs(np.array([logs.index(hand.log) for hand in chosen])),
        "line": runs(np.array([hand.line for hand in chosen])),
    }
    sampled = f"Of {total:,} hands these {len(chosen):,}, in which most was won." if total > len(chosen) else ""
    return write_page(path, "hands.html", title=title, sampled=sampled, hands=columns, **content)


class _HandLine(NamedTuple):
    log: Path
    number: int
    won: float
    """The most chips that somebody won."""
    text: str


def _lines(folder: Path) -> Iterator[_HandLine]:
    """The hands of a match's logs, as lines."""
    for log in folder_logs(folder):
        with log.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if is_hand(line.strip()):
                    yield _HandLine(log, number, max(StateLine.parse(line).payoffs()), line)
