"""Hands of heads-up limit logs per second: read, checked against the rules and put into arrays, beside PokerKit.

The log is that of a duplicate match of random players. Our slow reader and PokerKit's parser get its first hands only.
PokerKit replays the betting but does not compare the payoffs. Results of a match folder are read from its logs, each
block of which is held against its checksum; a hand is looked up in the index, or in a log alone by its number.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.formats.line_check import judged
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import open_logs, read_hand_arrays
from railbird.play.run import run_matches

DEALS = 100_000
SLOW_HANDS = 2_000
PEER_HANDS = 50


def rows() -> list[Row]:
    game = limit_holdem(small_bet=10)
    with TemporaryDirectory() as name:
        folder = Path(name) / "match"
        spec = MatchSpec(game, ("random", "random"), DEALS, 1, duplicate=True)
        run_matches([MatchFolder.create(folder, spec)], workers=1)
        lone = Path(name) / "lone.log"
        lone.write_bytes((folder / "hands-01.log").read_bytes())
        lines = [line for line in lone.read_text().splitlines() if line.startswith("STATE")]
        again = MatchFolder.create(Path(name) / "again", spec)
        candidates: dict[str, Callable[[], object]] = {
            "match": lambda: (rmtree(again.path), run_matches([MatchFolder.create(again.path, spec)], 1)),
            "results": lambda: MatchFolder.open(folder).result(),
            "checksums": lambda: MatchFolder.open(folder).verify(),
            "a hand": lambda: open_logs(folder).hand(DEALS - 1),
            "a hand, log alone": lambda: open_logs(lone, game).hand(DEALS - 1),
            "folder": lambda: read_hand_arrays([folder]),
            "lone": lambda: read_hand_arrays([lone]),
            "slow": lambda: [judged(line, game) for line in lines[:SLOW_HANDS]],
        }
        if find_spec("pokerkit"):
            candidates["pokerkit"] = _pokerkit("\n".join(lines[:PEER_HANDS]))
        times = best_seconds(candidates, rounds=5)
    lone_hand = times["lone"] / DEALS
    found = [
        per_second("match folder, duplicate pairs matched", times["folder"] / (2 * DEALS), 1_000_000),
        per_second("log alone, bet size told from the payoffs", lone_hand, 1_000_000),
        per_second("line by line, for what the kernel does not accept", times["slow"] / SLOW_HANDS),
    ]
    whole = times["match"]
    found += [
        per_second("match of compiled players, into a folder", whole / (2 * DEALS)),
        against_peer("results of a match folder", times["results"], "playing it", whole),
        per_second("checksums of a match folder", times["checksums"] / (2 * DEALS)),
        Row("replay, the last hand of a match folder", "", "", f"{1000 * times['a hand']:.1f} ms"),
        Row("replay, the last hand of a log alone", "", "", f"{1000 * times['a hand, log alone']:.1f} ms"),
    ]
    if "pokerkit" in times:
        found.append(against_peer("log alone, a hand", lone_hand, "pokerkit", times["pokerkit"] / PEER_HANDS))
    return found


def _pokerkit(text: str) -> Callable[[], object]:
    from pokerkit import FixedLimitTexasHoldem, HandHistory

    game = FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)

    def run() -> None:
        read = sum(1 for _ in HandHistory.from_acpc_protocol(game, 1000, text, error_status=True))
        assert read == PEER_HANDS

    return run
