"""Whole hands assessed by DIVAT per second on one core, and what loading the tables costs.

There is no other implementation to run beside ours.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.timing import Row, best_seconds, per_second
from railbird.assess import class_tables
from railbird.assess import tables as divat
from railbird.assess.divat import assess
from railbird.assess.settings import STANDARD
from railbird.game.spec import limit_holdem
from railbird.kernels.divat.boards import all_boards
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hand_arrays
from railbird.play.run import run_matches

HANDS = 4_000


def rows() -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name) / "match"
        spec = MatchSpec(limit_holdem(), ("always-call", "always-raise"), HANDS, 1)
        run_matches([MatchFolder.create(folder, spec)], workers=1)
        hands = read_hand_arrays([folder])

    def run() -> object:
        return assess(hands, workers=1)

    def load() -> object:
        divat._loaded.clear()
        class_tables._loaded.clear()
        all_boards.cache_clear()
        return divat.divat_tables(STANDARD)

    times = best_seconds({"assess": run, "load": load}, rounds=7)
    return [
        per_second("hands to the river, rollout equity of every street", times["assess"] / HANDS, 12_000),
        Row("tables loaded and checked", f"{times['load']:.2f} s", "", "", "<= 1 s", times["load"] <= 1),
    ]
