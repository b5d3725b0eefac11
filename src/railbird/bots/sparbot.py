"""Sparbot: the pseudo-optimal opponent of Vexbot's Table 4.2 (PsOpti4 of Billings et al. 2004, made as in 2003).

Two models of three streets overlay each other. The first has preflop, flop and turn, and the river is checked down;
what it plays before the flop is kept. The second has flop, turn and river: seven games, one for each way to see a flop,
with the pot and the holdings that the first model's play leads there with. Both see seven buckets a street after the
flop, six of strength and one of potential. docs/papers/sparbot.md says what the papers tell of it, what is otherwise
here, and how much a best response wins.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from railbird.bots.equilibrium import Equilibrium
from railbird.files import write_whole
from railbird.progress import Bar, no_bar
from railbird.solve.solving import SolvePlan, solve

SHIPPED = "sparbot.npz"
PREFLOP_MODEL = SolvePlan("169/7/7/7", "potential", boards=6_000, seed=1, checked_river=True)
"""Preflop, flop and turn; its play before the flop is kept."""
POSTFLOP_MODELS = SolvePlan("169/7/7/7", "potential", boards=12_000, seed=1)
"""Flop, turn and river, for that play before the flop."""


class Sparbot(Equilibrium):
    """Plays a crude equilibrium of heads-up limit hold'em, solved in two parts with seven buckets a street."""

    shipped: ClassVar[str] = SHIPPED

    def __init__(self) -> None:
        super().__init__()


def build_sparbot(
    out: Path,
    bar: Bar = no_bar,
    preflop: SolvePlan = PREFLOP_MODEL,
    postflop: SolvePlan = POSTFLOP_MODELS,
) -> Path:
    """Solve both models and write the strategy file; with the plans as they are, the one that ships."""
    with TemporaryDirectory() as folder:
        first, second = Path(folder) / "preflop.npz", Path(folder) / "postflop.npz"
        solve(first, plan=preflop, progress=bar)
        solve(second, plan=replace(postflop, preflop=str(first)), progress=bar)
        return write_whole(out, second.read_bytes())
