"""Sums of lanes: into an array, and without what rounding takes."""

from __future__ import annotations

from railbird.kernels.compiling import kernel
from railbird.kernels.lanes import load, store


@kernel(nogil=True)
def add_to(sums, at, weight):
    store(load(sums, at) + weight, sums, at)


@kernel(nogil=True)
def take_from(sums, at, weight):
    store(load(sums, at) - weight, sums, at)


@kernel(nogil=True)
def plus_exactly(total, error, weight):
    """The total with a weight added, and what rounding took from it, to be made good the next time (Kahan 1965).

    A thousand nearly equal numbers added up plainly in single precision drift by a hundred-thousandth.
    """
    weight = weight - error
    larger_total = total + weight
    return larger_total, larger_total - total - weight
