"""What the openings of betting rounds are worth to each bucket, added up board by board.

The chances and values are those that `vector_cfr.train_on_board` leaves behind, by player, holding and opening: the
value of a holding is what it wins against all holdings of the opponent, each weighed by its chance to be there. So the
sum of the values by the sum of the weights is what a bucket wins on average.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.solve.training_boards import Board


@kernel(nogil=True)
def add_openings(board: Board, width, reaches, values, won, met):
    """Add one board's values to `won`, and what its holdings meet to `met`, both by player, bucket and opening."""
    count = len(board.ends)
    total, by_card = np.empty(width), np.empty((52, width))
    for player in range(2):
        others = width * count * (1 - player)
        total[:] = 0.0
        by_card[:] = 0.0
        for i in range(count):
            first, second = board.cards[2 * i], board.cards[2 * i + 1]
            for at in range(width):
                chance = reaches[others + width * i + at]
                total[at] += chance
                by_card[first, at] += chance
                by_card[second, at] += chance
        for i in range(count):
            first, second, bucket = board.cards[2 * i], board.cards[2 * i + 1], board.present[board.places[i]]
            own = width * (count * player + i)
            for at in range(width):
                chance = reaches[others + width * i + at]
                won[player, bucket, at] += values[own + at]
                met[player, bucket, at] += total[at] - by_card[first, at] - by_card[second, at] + chance
