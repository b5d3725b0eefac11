"""The nearest of some centres, for points of whole numbers, and the two steps of k-means.

Points are float32, one after another in a flat array; centres are rows in 1 / `fine` of a point's unit. `fine` stands
in a tuple, once for each entry of a point: the compiler knows how long a tuple is, and unrolls the loops. Squared
distances must stay below 2**24, where single precision is exact, so that buckets come out the same on every machine.

The nearest centre is found among centres sorted by the sum of their entries: with d entries, a centre whose sum differs
by s is at least s^2 / d away, so the search goes outwards from the nearest sum and stops early.
"""

from __future__ import annotations

import numpy as np

from railbird.kernels.compiling import kernel


@kernel
def nearest(centres, sums, points, at, fine, guess):
    """The centre nearest to the point that begins at `at`; of equally near ones the first.

    `centres` are rows in rising order of `sums`; `guess` is a centre to begin with, often that of a like holding, or
    -1.
    """
    width = len(fine)
    total = np.float32(0.0)
    for j in range(width):
        total += points[at + j]
    total *= np.float32(fine[0])
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) // 2
        if sums[middle] < total:
            low = middle + 1
        else:
            high = middle
    best, chosen = np.float32(1e30), -1
    if guess >= 0:
        best, chosen = _distance(centres, guess, points, at, fine), guess
    up, down = low, low - 1
    while up < len(sums) or down >= 0:
        if up < len(sums):
            gap = sums[up] - total
            if np.float64(gap) * gap > best * width:
                up = len(sums)
            else:
                far = _distance(centres, up, points, at, fine)
                if far < best or (far == best and up < chosen):
                    best, chosen = far, up
                up += 1
        if down >= 0:
            gap = total - sums[down]
            if np.float64(gap) * gap > best * width:
                down = -1
            else:
                far = _distance(centres, down, points, at, fine)
                if far < best or (far == best and down < chosen):
                    best, chosen = far, down
                down -= 1
    return chosen


@kernel
def _distance(centres, row, points, at, fine):
    far = np.float32(0.0)
    for j in range(len(fine)):
        gap = np.float32(fine[0]) * points[at + j] - centres[row, j]
        far += gap * gap
    return far


@kernel(nogil=True)
def assign_points(centres, sums, points, fine, chosen):
    """`chosen[i]` becomes the nearest centre of each point; it holds the guesses before."""
    for i in range(len(chosen)):
        chosen[i] = nearest(centres, sums, points, len(fine) * i, fine, chosen[i])


@kernel
def sum_points(points, chosen, weights, totals):
    """Add up the points of each centre in `totals` [centre, entry] and their number in `weights`."""
    totals[:] = 0.0
    weights[:] = 0.0
    width = totals.shape[1]
    for i in range(len(chosen)):
        weights[chosen[i]] += 1.0
        for j in range(width):
            totals[chosen[i], j] += points[width * i + j]
