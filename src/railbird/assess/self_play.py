"""What a strategy's betting rounds are worth when it plays itself: a value function for AIVAT.

For each position, street, opening of a betting round and bucket: the small bets that a player with such a holding wins
on average from there to the end of the hand, what was put in before included, when both players follow the strategy.
Averages are over sampled boards and over all holdings of the opponent, each weighed by its chance to be there.

AIVAT takes any values that are fixed beforehand, so it does not matter that these are averages over buckets and a
sample of boards; what they miss is left as noise. Those of the strategy that ships are computed once and ship too.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.assess.packed_tables import Bytes, packed, read_or_computed
from railbird.files import write_whole
from railbird.kernels.lanes import LANES
from railbird.kernels.solve.opening_sums import add_openings
from railbird.progress import Watch
from railbird.solve.strategy import Strategy
from railbird.solve.train import LIVE, Desk, Training
from railbird.solve.training_rounds import training_rounds

BOARDS = 8_000
STEPS = 64
"""To a small bet: finer is noise."""
_SEED = 2018
_FEW = 1e-9
"""What must come to an opening for its value to be known."""
_TOLD_EVERY = 8
Values = NDArray[np.float32]


@dataclass(frozen=True)
class SelfPlay:
    """The values of a strategy's openings, in small bets."""

    strategy: Strategy
    values: tuple[Values, ...]
    """By street: [position, opening, bucket]; openings are numbered as in `railbird.game.betting_rounds`."""

    @classmethod
    def of(cls, strategy: Strategy, watch: Watch | None = None) -> SelfPlay:
        """The values of a strategy: those that ship, or computed and kept, minutes of work."""
        size = 2 * sum(int(np.prod(shape)) for shape in _shapes(strategy))
        content = read_or_computed(
            file_name(strategy), "values of self-play", size, lambda: computed(strategy, BOARDS, watch)
        )
        return cls.unpacked(strategy, content)

    @classmethod
    def unpacked(cls, strategy: Strategy, content: Bytes) -> SelfPlay:
        """The values from the bytes of a file."""
        shapes = _shapes(strategy)
        steps = np.split(content.view("<i2"), np.cumsum([np.prod(shape) for shape in shapes])[:-1])
        found = [np.asarray(part / STEPS, np.float32).reshape(shape) for part, shape in zip(steps, shapes)]
        return cls(strategy, tuple(found))


def _shapes(strategy: Strategy) -> list[tuple[int, int, int]]:
    rounds = training_rounds(strategy.game)
    return [(2, len(each.rounds), count) for each, count in zip(rounds, strategy.abstraction.counts)]


def file_name(strategy: Strategy) -> str:
    """The name of a strategy's values, by its content."""
    parts = b"".join(blake2b(codes.tobytes(), digest_size=8).digest() for codes in strategy.codes)
    return f"selfplay-{blake2b(parts + strategy.abstraction.digest.encode(), digest_size=4).hexdigest()}"


def build_self_play(strategy: Strategy, path: Path | None = None, watch: Watch | None = None) -> Path:
    """Compute the values anew and write them packed, as they ship."""
    return write_whole(
        path or Path(f"{file_name(strategy)}.xz"), packed(computed(strategy, BOARDS, watch), tightly=True)
    )


def computed(strategy: Strategy, boards: int, watch: Watch | None = None) -> Bytes:
    """The values from so many boards, in steps of a small bet's 64th, as the bytes of the file."""
    strategy.abstraction.build()
    held = {street: strategy.table(street) for street in range(4)}
    desk = Desk(Training(strategy.abstraction, strategy.game, seed=_SEED, held=held))
    widths = [rounds.blocks * LANES for rounds in desk.training.rounds]
    won = [np.zeros((2, count, width)) for count, width in zip(strategy.abstraction.counts, widths)]
    met = [np.zeros_like(each) for each in won]
    for number in range(boards):
        board = desk.walk(number)
        for street, width in enumerate(widths):
            rows, size = desk.rows[street], 2 * LIVE * width
            add_openings(board[street], width, rows.reaches[:size], rows.values[:size], won[street], met[street])
        if watch and (number + 1) % _TOLD_EVERY == 0:
            watch(number + 1, boards)
    found = []
    for rounds, sums, weights in zip(desk.training.rounds, won, met):
        means = np.where(weights > _FEW, sums / np.maximum(weights, _FEW), 0.0)[:, :, : len(rounds.rounds)]
        ordered = np.empty((2, len(rounds.rounds), sums.shape[1]))
        ordered[:, rounds.order] = np.moveaxis(means, 1, 2)
        found.append(np.rint(ordered * (STEPS / strategy.game.small_bet)).astype("<i2").ravel())
    return np.concatenate(found).view(np.uint8)
