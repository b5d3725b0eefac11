"""The most telling hands of matches as a page: of thousands, those in which most was won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from railbird.formats.acpc import StateLine, is_hand
from railbird.game.record import HandRecord
from railbird.play.folder import folder_game, folder_logs
from railbird.play.manifest import MANIFEST
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


def telling_hands(folders: Sequence[Path], most: int = MOST_HANDS) -> list[MatchHand]:
    """The hands of matches in which most was won, as many of each match, in the order in which they were played."""
    found = []
    each = max(_LEAST_HANDS, most // max(1, len(folders)))
    for folder in folders:
        game = folder_game(folder)
        largest = nlargest(each, _lines(folder), key=lambda line: max(line[2].payoffs()))
        for log, number, parts in sorted(largest, key=lambda line: line[:2]):
            match = f"{folder.name}: {' v '.join(dict.fromkeys(sorted(parts.names)))}"
            found.append(MatchHand(match, log, number, parts.record(game)))
    return found


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


def count_hands(folders: Sequence[Path]) -> int:
    """How many hands matches have."""
    return sum(1 for folder in folders for _ in _lines(folder))


def _lines(folder: Path) -> Iterator[tuple[Path, int, StateLine]]:
    """The hands of a match's logs, taken apart, with log and line."""
    for log in folder_logs(folder):
        with log.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if is_hand(line.strip()):
                    yield log, number, StateLine.parse(line)
