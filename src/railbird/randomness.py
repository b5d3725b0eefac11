"""Random numbers by name: a stream for each (seed, hand, ...), the same in Python and in the kernels.

A stream is a SplitMix64 generator (Steele, Lea and Flood 2014) whose start is hashed from its key. Nothing is carried
from one hand to the next, so any hand can be dealt or replayed alone and the order of work does not matter.
`railbird.kernels.cards.splitmix` is the compiled twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def derived_seed(seed: int, purpose: str) -> int:
    """The 64-bit seed that a match uses for one purpose ("deck", "bots").

    It is a one-way hash: what a bot can see of its own random numbers does not lead to the cards.
    """
    return int.from_bytes(blake2b(f"railbird {purpose} {seed}".encode(), digest_size=8).digest(), "little")


class Stream:
    """Reproducible randomness: the same key always yields the same numbers.

    >>> Stream(7, 0).random() == Stream(7, 0).random()
    True
    """

    __slots__ = ("_state",)

    def __init__(self, *key: int) -> None:
        state = 0
        for part in key:
            state = _mix(((state ^ (part & _MASK)) + _GOLDEN) & _MASK)
        self._state = state

    def bits(self) -> int:
        """A whole number of 64 random bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        return _mix(self._state)

    def random(self) -> float:
        """A number in [0, 1), with 53 random bits."""
        return (self.bits() >> 11) * 2.0**-53

    def below(self, count: int) -> int:
        """A whole number from 0 to `count - 1`."""
        return (self.bits() >> 11) * count >> 53

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def deal(self, deck: Sequence[int], count: int) -> list[int]:
        """The first `count` cards of a shuffled deck."""
        cards = list(deck)
        for at in range(count):
            other = at + self.below(len(cards) - at)
            cards[at], cards[other] = cards[other], cards[at]
        return cards[:count]

    def numpy(self) -> np.random.Generator:
        """A NumPy generator seeded from this stream, for bulk work."""
        import numpy as np

        return np.random.Generator(np.random.PCG64(self.bits()))


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)
