"""Income rates against Tables A.1 to A.3 of Papp (1998), and how many hands the tightness settings play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.arena.blocks import play_blocks
from railbird.arena.match import MatchSpec
from railbird.cards import RANKS
from railbird.evaluation.income_rates import class_income_rates
from railbird.formats.acpc import parse_record
from railbird.game.spec import limit_holdem


def printed(players: int) -> dict[str, float]:
    """A table as printed: rows and columns by rank, suited classes below the diagonal."""
    file = Path(__file__).parent / "data" / f"papp1998_income_rates_IR{players}.csv"
    rows = [line.split(",")[1:] for line in file.read_text().splitlines() if line[0] not in "#r"]
    found = {}
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            kind = "" if i == j else "s" if i > j else "o"
            found[RANKS[max(i, j)] + RANKS[min(i, j)] + kind] = float(value)
    return found


@pytest.mark.parametrize(("players", "mean_difference"), [(2, 0.94), (4, 1.86), (7, 2.39)])
def test_income_rates_agree_with_the_printed_tables(players, mean_difference):
    paper, ours = printed(players), class_income_rates(players)
    assert paper.keys() == ours.keys()
    differences = np.array([ours[name] - paper[name] for name in paper])
    assert np.abs(differences).mean() == pytest.approx(mean_difference, abs=0.005)
    ranks = [np.argsort(np.argsort([table[name] for name in paper])) for table in (paper, ours)]
    assert np.corrcoef(*ranks)[0, 1] > 0.9998


def test_how_many_hands_are_played_by_tightness():
    # Papp 1998, section 6.1: with ten players roughly 18%, 21% and 24% of all hands. 4,000 holdings each: SD 0.65%.
    shares = []
    for tightness in ("tight", "moderate", "loose"):
        spec = MatchSpec(limit_holdem(10), (f"loki-gom:modeling=none,tightness={tightness}",) * 10, 400, 3)
        played = 0
        for block in play_blocks(spec, 0, 0, 400):
            for line in block.text.decode().splitlines():
                steps = parse_record(line, spec.game).steps()
                played += len({n.to_act for n, a in steps if n.street == 0 and a.kind != "f" and n.to_call > 0})
        shares.append(played / 4_000)
    assert shares == pytest.approx([0.204, 0.225, 0.250], abs=0.001)
