"""Hands per second of histories: read, replayed and checked against the rules on one core, PokerKit beside.

Competition logs are of random players, PHH of the same six-handed hands that PokerKit loads, and loads and replays. The
time for writing PHH is that of the text alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.formats.readers import format_named, hands_in
from railbird.game.record import HandRecord
from railbird.game.spec import Game, kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches

HANDS = 10_000
PHH_HANDS = 400
PEER_HANDS = 40
GAMES: dict[str, Game] = {
    "limit, 2 players": limit_holdem(small_bet=10),
    "limit, 3 players": limit_holdem(3, small_bet=10),
    "no-limit, 2 players": no_limit_holdem(),
    "no-limit, 6 players": no_limit_holdem(6),
    "no-limit, 10 players": no_limit_holdem(10),
    "kuhn": kuhn_poker(),
    "leduc": leduc_poker(),
}


def rows() -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        logs = {title: _played(folder / str(at), game) for at, (title, game) in enumerate(GAMES.items())}
        hands = list(hands_in(logs["no-limit, 6 players"], GAMES["no-limit, 6 players"]))[:PHH_HANDS]
        records = [each for each in hands if isinstance(each, HandRecord)]
        phh = folder / "hands.phhs"
        text = "".join(_written(records))
        phh.write_text(text)
        candidates: dict[str, Callable[[], object]] = {
            title: lambda title=title: _read(logs[title], GAMES[title])
            for title in GAMES  # type: ignore[misc]
        }
        candidates["phh"] = lambda: _read(phh)
        candidates["phh, written"] = lambda: _written(records)
        if find_spec("pokerkit"):
            few = "\n".join(text.split("\n\n")[:PEER_HANDS])
            candidates["pokerkit, load"] = lambda: _pokerkit(few, is_replayed=False)
            candidates["pokerkit, load and replay"] = lambda: _pokerkit(few, is_replayed=True)
        times = best_seconds(candidates, rounds=5)
    found = [per_second(f"competition log, {title}", times[title] / HANDS, 50_000) for title in GAMES]
    each = times["phh"] / len(records)
    found += [per_second("PHH", each), per_second("PHH, written", times["phh, written"] / len(records))]
    if "pokerkit, load" in times:
        load, replay = (times[f"pokerkit, {what}"] / PEER_HANDS for what in ("load", "load and replay"))
        found.append(against_peer("PHH, read, replayed and checked", each, "pokerkit, load and replay", replay, 10))
        found.append(against_peer("PHH, read, replayed and checked", each, "pokerkit, load only", load))
    return found


def _played(folder: Path, game: Game) -> Path:
    """A log of random players, without the game that its match folder would tell."""
    spec = MatchSpec(game, ("random",) * game.seats, HANDS, 1)
    run_matches([MatchFolder.create(folder, spec)], workers=1)
    log = folder.with_suffix(".log")
    log.write_bytes((folder / "hands.log").read_bytes())
    return log


def _read(path: Path, game: Game | None = None) -> None:
    count = sum(isinstance(each, HandRecord) for each in hands_in(path, game))
    assert count in (HANDS, PHH_HANDS)


def _written(records: list[HandRecord]) -> list[str]:
    write = format_named("phhs").write
    assert write is not None
    return list(write([replace(record, names=tuple("abcdef")) for record in records]))


def _pokerkit(text: str, is_replayed: bool) -> None:
    from pokerkit import HandHistory

    hands = list(HandHistory.loads_all(text))
    assert len(hands) == PEER_HANDS
    for hand in hands if is_replayed else ():
        *_, _state = hand
