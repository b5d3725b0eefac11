"""Whole hands assessed by DIVAT per second on one core, tables loaded, and what loading and reading cost.

There is no other implementation to run beside ours. What takes its place is the straightforward layout, which looks up
the class of both holdings on all 990 river boards: the same kernel with cuts that settle nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.assess import tables as divat
from railbird.assess.divat import assess
from railbird.assess.settings import STANDARD
from railbird.game.spec import limit_holdem
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
    tables = divat.divat_tables(STANDARD)
    undecided = np.zeros_like(tables.river_cuts)
    undecided[..., 1] = 65535
    straightforward = replace(tables, river_cuts=undecided)

    def with_tables(chosen: divat.DivatTables) -> Callable[[], object]:
        def run() -> object:
            divat._loaded[STANDARD] = chosen
            return assess(hands, workers=1)

        return run

    def load() -> object:
        divat._loaded.clear()
        return divat.divat_tables(STANDARD)

    times = best_seconds({"cuts": with_tables(tables), "codes": with_tables(straightforward), "load": load}, rounds=7)
    divat._loaded.clear()
    return [
        per_second("hands to the river, rollout equity of every street", times["cuts"] / HANDS, 8_000),
        against_peer("the same, a hand", times["cuts"] / HANDS, "class look-ups", times["codes"] / HANDS),
        Row("tables loaded and checked", f"{times['load']:.2f} s", "", "", "<= 1 s", times["load"] <= 1),
    ]
