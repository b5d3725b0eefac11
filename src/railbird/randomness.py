"""Random numbers by name: a stream for each (seed, hand, ...), the same in Python and in the kernels.

A stream is a SplitMix64 generator (Steele, Lea and Flood 2014) whose start is hashed from its key. Nothing is carried
from one hand to the next, so any hand can be dealt or replayed alone and the order of work does not matter.
`railbird.kernels.cards.splitmix` is the compiled twin.

A match may be dealt from a `SecretSeed` instead of a number: 128 random bits that nobody knows until it is over. Each
hand then has a seed of its own, so that no number of hands leads to another one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b, sha256, shake_256
from typing import TYPE_CHECKING, Any, TypeVar

from railbird.errors import RailbirdError

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


_KEY_BYTES = 16
_GROUP = 256


@dataclass(frozen=True)
class SecretSeed:
    """A key of 128 random bits in place of a seed. Until it is published only its SHA-256, the commitment, is shown.

    Without a commitment it is one that has yet to be drawn.
    """

    commitment: str = ""
    key: bytes = field(default=b"", repr=False, compare=False)
    """Empty where it is not known. No text made of this object has it, but for `to_json` of a published one."""
    is_published: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, key: bytes) -> SecretSeed:
        """The seed with this key."""
        return cls(sha256(key).hexdigest(), key)

    @classmethod
    def drawn(cls) -> SecretSeed:
        """A new one, which nobody can guess."""
        return cls.of(secrets.token_bytes(_KEY_BYTES))

    @classmethod
    def from_json(cls, data: Any) -> SecretSeed:
        """The seed that a manifest tells, with its key if that is published."""
        told: dict[str, Any] = data if isinstance(data, dict) else {}
        commitment, key = told.get("commitment"), told.get("key")
        if not isinstance(commitment, str) or not re.fullmatch("[0-9a-f]{64}", commitment):
            raise RailbirdError(f"{str(commitment)[:80]!r} is not a SHA-256 in hexadecimal digits")
        if key is None:
            return cls(commitment)
        if not isinstance(key, str) or not re.fullmatch(f"[0-9a-f]{{{2 * _KEY_BYTES}}}", key):
            raise RailbirdError(f"{str(key)[:80]!r} is not a key of {2 * _KEY_BYTES} hexadecimal digits")
        found = replace(cls.of(bytes.fromhex(key)), is_published=True)
        if found.commitment != commitment:
            raise RailbirdError(f"the key {key} has the SHA-256 {found.commitment}, not {commitment} as was promised")
        return found

    def published(self) -> SecretSeed:
        """The same, which is no longer secret."""
        return replace(self, is_published=True)

    def to_json(self) -> dict[str, str]:
        return {"commitment": self.commitment} | ({"key": self.key.hex()} if self.is_published else {})

    def __str__(self) -> str:
        return f"sha256:{self.commitment}" if self.commitment else "secret"

    def hand_seeds(self, purpose: str, first: int, count: int) -> bytes:
        """Eight bytes for each of the hands from `first` on; what is known of some says nothing of others."""
        groups = range(first // _GROUP, (first + count - 1) // _GROUP + 1)
        found = b"".join([shake_256(f"{self._words(purpose)} {group}".encode()).digest(8 * _GROUP) for group in groups])
        return found[8 * (first % _GROUP) :][: 8 * count]

    def derived(self, purpose: str) -> int:
        return _hashed(self._words(purpose))

    def _words(self, purpose: str) -> str:
        if not self.key:
            raise RailbirdError("the key of a secret match is not known here")
        return f"railbird {purpose} key {self.key.hex()}"


Seed = int | SecretSeed
"""What a match is dealt from."""


def derived_seed(seed: Seed, purpose: str) -> int:
    """The 64-bit seed that a match uses for one purpose ("deck", "bots").

    It is a one-way hash: what a bot can see of its own random numbers does not lead to the cards.
    """
    return seed.derived(purpose) if isinstance(seed, SecretSeed) else _hashed(f"railbird {purpose} {seed}")


def _hashed(words: str) -> int:
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little")


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
