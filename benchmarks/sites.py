"""Hands of poker rooms per second: PokerStars, Bovada and the IRC database, read, replayed and checked.

The hands are those of matches of six players who fold, call and raise at random, written in each format; stacks are
short enough for all-ins and side pots in no-limit. PokerKit reads the no-limit hands of PokerStars; it has no parser
for the others. A month of the IRC database has two hundred players, six of them in
each hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.formats.history import HistoryFile
from railbird.formats.readers import format_named
from railbird.game.record import HandRecord
from railbird.game.spec import Game, limit_holdem, no_limit_holdem
from railbird.play.match_logs import read_hands
from railbird.play.matches import play_match

HANDS = 3_000
MONTH = 12_000
PEER_HANDS = 20
PLAYERS = 200
_BOT = "random:fold=3,call=5,raise=2"


def rows() -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        month = list(_played(folder / "limit", limit_holdem(6, small_bet=10, stack=400), MONTH))
        free = list(_played(folder / "free", no_limit_holdem(6, small_blind=5, big_blind=10, stack=1_000), HANDS))
        limit = month[:HANDS]
        files = {
            ("pokerstars", "limit"): _written(folder, "pokerstars", limit),
            ("pokerstars", "no-limit"): _written(folder, "pokerstars", free),
            ("bovada", "limit"): _written(folder, "bovada", limit),
            ("bovada", "no-limit"): _written(folder, "bovada", free),
            ("irc", "limit"): _month(folder / "month", month),
        }
        candidates: dict[str, Callable[[], object]] = {
            f"{name}, {game}": _reading(name, path) for (name, game), path in files.items()
        }
        if find_spec("pokerkit"):
            candidates["pokerkit"] = _pokerkit(list(format_named("pokerstars").write(free[:PEER_HANDS])))
        times = best_seconds(candidates, rounds=3)
    found = [
        per_second(what, times[what] / (MONTH if is_month else HANDS), 20_000 if is_month else 5_000)
        for what in candidates
        if what != "pokerkit"
        for is_month in [what.startswith("irc")]
    ]
    if "pokerkit" in times:
        ours = times["pokerstars, no-limit"] / HANDS
        found.append(against_peer("pokerstars, no-limit, a hand", ours, "pokerkit", times["pokerkit"] / PEER_HANDS))
    return found


def _played(folder: Path, game: Game, hands: int) -> Iterator[HandRecord]:
    play_match(*[_BOT] * game.seats, game=game, hands=hands, seed=1, progress=False, folder=folder)
    for record in read_hands(folder):
        yield replace(record, names=tuple([f"player {at}" for at in range(game.seats)]))


def _written(folder: Path, name: str, records: list[HandRecord]) -> Path:
    path = folder / f"{name}-{records[0].game.name}.txt"
    path.write_text("".join(format_named(name).write(records)))
    return path


def _month(folder: Path, records: list[HandRecord]) -> Path:
    """A month of the database: hdb, hroster, and a file for each player."""
    (folder / "pdb").mkdir(parents=True)
    parts: dict[str, list[str]] = {"hdb": [], "hroster": []}
    chosen = np.random.default_rng(1)
    for record in records:
        names = [f"nick{at}" for at in chosen.choice(PLAYERS, record.game.seats, replace=False)]
        hand, roster, *players = "".join(format_named("irc").write([replace(record, names=tuple(names))])).splitlines()
        parts["hdb"].append(hand)
        parts["hroster"].append(roster)
        for name, line in zip(names, players):
            parts.setdefault(f"pdb/pdb.{name}", []).append(line)
    for name, lines in parts.items():
        (folder / name).write_text("".join([f"{line}\n" for line in lines]))
    return folder / "hdb"


def _reading(name: str, path: Path) -> Callable[[], object]:
    def run() -> None:
        found = sum(isinstance(each, HandRecord) for each in format_named(name).read(HistoryFile(path), None))
        assert found == (MONTH if name == "irc" else HANDS), found

    return run


def _pokerkit(texts: list[str]) -> Callable[[], object]:
    from pokerkit import HandHistory

    text = "".join(texts)

    def run() -> None:
        read = sum(1 for _ in HandHistory.from_pokerstars(text, error_status=True))
        assert read == PEER_HANDS, read

    return run
