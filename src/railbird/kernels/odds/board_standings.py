"""How one holding stands on many boards, one after the other."""

from __future__ import annotations

from railbird.kernels.compiling import kernel
from railbird.kernels.odds.sweep import weigh_standings


@kernel
def weigh_on_boards(table, card_keys, first, second, boards, weights, standings):
    """`standings[i]` becomes the weight that `first`, `second` is ahead of, tied with and behind on `boards[i]`."""
    for i in range(len(boards)):
        standings[i, 0], standings[i, 1], standings[i, 2] = weigh_standings(
            table, card_keys, first, second, boards[i], weights
        )
