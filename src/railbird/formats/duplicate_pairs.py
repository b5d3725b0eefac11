"""Which hands of some logs are the two halves of a duplicate pair.

Two hands are a pair if all hole cards are known, both positions have the same hole cards in both hands (in any order),
the two players have changed places, and the board agrees as far as both hands were dealt. A hand that ended early shows
too little to tell a pair from a coincidence, so more is asked, and it is asked in this order:

1. the same number in two logs (or the same log) of one match folder;
2. the same number in any of the logs;
3. any numbers, if both hands saw the flop and at least half of the hands that are left find a partner this way (logs
   in which the halves are numbered one after the other do; independent logs do not).

Where there are several candidates, the first by file and line is taken. Every hand is in one pair at most.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.play.log_pairs import match_pairs


def duplicate_pairs(
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    players: NDArray[np.int32],
    numbers: NDArray[np.int64],
    match: NDArray[np.int64],
) -> NDArray[np.int64]:
    """For each hand the place of its partner, or -1."""
    partners = np.full(len(holes), -1, np.int64)
    if not len(holes):
        return partners
    cards = np.sort(holes, axis=2).reshape(-1, 4).astype(np.int64)
    deal = ((cards[:, 0] << 8 | cards[:, 1]) << 8 | cards[:, 2]) << 8 | cards[:, 3]
    sides = np.sort(players, axis=1).astype(np.int64)
    who = sides[:, 0] << 32 | sides[:, 1]
    known = (holes < 52).all(axis=(1, 2))
    nothing = np.zeros_like(numbers)
    for match_key, number_key, fewest in ((match, numbers, 0), (nothing, numbers, 0), (nothing, nothing, 3)):
        left = np.flatnonzero(known & (partners < 0) & (board[:, 0] < 52 if fewest else True))
        if len(left) < 2:
            break
        keys = np.ascontiguousarray(np.stack([who, deal, match_key, number_key], axis=1))
        order = left[np.lexsort(keys[left].T[::-1])]  # stable, so equal keys stay in order of file and line
        before = partners.copy()
        found = int(match_pairs(order, keys, players, board, fewest, partners))
        if fewest and 4 * found < len(left):
            return before
    return partners
