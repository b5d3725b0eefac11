"""The compiled twin of `railbird.randomness`: SplitMix64 streams started from a hashed key.

A stream is one uint64; `next_bits(state)` is the number that belongs to a state already advanced by `GOLDEN`:

    state = state + GOLDEN
    bits = mix(state)
"""

import numpy as np

from railbird.kernels.compiling import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U11, _U53 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11), np.uint64(53)


@kernel
def mix(x):
    x = (x ^ (x >> _U30)) * _FIRST
    x = (x ^ (x >> _U27)) * _SECOND
    return x ^ (x >> _U31)


@kernel
def absorb(state, part):
    """The key so far with one more part; a stream's start is `absorb(absorb(0, a), b)` and so on."""
    return mix((state ^ part) + GOLDEN)


@kernel
def below(bits, count):
    """A whole number from 0 to count - 1 out of 64 random bits."""
    return ((bits >> _U11) * np.uint64(count)) >> _U53


@kernel
def unit(bits):
    """A number in [0, 1) out of 64 random bits."""
    return np.float64(bits >> _U11) * 2.0**-53
