"""How much the server does for one visitor and for one address: one mechanism for everything that is limited.

A visitor is a browser with its cookie. Whoever throws cookies away is a new visitor each time, so a public server
counts by address too; of IPv6 a whole /64 is one address, since everybody has so many. On this machine alone there is
but one address, and nobody to keep out.

Rates are generous to people, who do much at once and little in the long run: so many at once, and so many a minute for
as long as somebody likes. What is over that is refused with words that say how long to wait, and costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from time import monotonic
from typing import NamedTuple

from starlette.types import Scope

from railbird.errors import RailbirdError

_MOST_KEPT = 20_000
"""Visitors or addresses that a meter remembers."""


class TooMuchError(RailbirdError):
    """More than is done for one visitor."""

    def __init__(self, words: str, seconds: float = 1.0) -> None:
        super().__init__(words)
        self.seconds = max(1, ceil(seconds))


class Asker(NamedTuple):
    """Whoever asks for something."""

    visitor: str
    """The token of a browser."""
    address: str
    """Nothing on a server for this machine alone."""


class Rate(NamedTuple):
    """So many at once, and so many a minute in the long run."""

    at_once: int
    a_minute: float


class Meter:
    """What is left of a rate to each of those who are counted. All that is kept is when each has all of it again."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self._whole_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._whole_at)

    def wait(self, key: str) -> float:
        """Seconds until there is one more for `key`, 0 if there is; nothing is taken."""
        now, pace = self._clock(), 60 / self.rate.a_minute
        return max(0.0, self._whole_at.get(key, now) - now - (self.rate.at_once - 1) * pace)

    def take(self, key: str) -> None:
        """Count one."""
        now = self._clock()
        whole_at = max(now, self._whole_at.pop(key, now)) + 60 / self.rate.a_minute
        if len(self._whole_at) >= _MOST_KEPT:
            self._forget(now)
        self._whole_at[key] = whole_at

    def forgive(self, key: str) -> None:
        """Count nothing of what was."""
        self._whole_at.pop(key, None)

    def _forget(self, now: float) -> None:
        """Let those go who have all of it again; if these are none, who was counted first."""
        kept = {key: at for key, at in self._whole_at.items() if at > now}
        for key in list(kept)[: max(0, len(kept) - _MOST_KEPT + 1)]:
            del kept[key]
        self._whole_at = kept


class Limit:
    """One thing that is limited, by visitor and by address."""

    def __init__(self, words: str, visitor: Rate | None, address: Rate) -> None:
        self.words = words
        self.visitors = Meter(visitor) if visitor else None
        self.addresses = Meter(address)

    def take(self, asker: Asker) -> None:
        """Count one, or refuse it."""
        meters = [(self.addresses, asker.address)] if asker.address else []
        meters += [(self.visitors, asker.visitor)] if self.visitors is not None else []
        seconds = max((meter.wait(key) for meter, key in meters), default=0.0)
        if seconds:
            wait = max(1, ceil(seconds))
            raise TooMuchError(f"{self.words}; wait {wait} second{'s' if wait > 1 else ''}.", seconds)
        for meter, key in meters:
            meter.take(key)

    def forgive(self, asker: Asker) -> None:
        """Count nothing of what this address did so far."""
        self.addresses.forgive(asker.address)


class Crowd:
    """How many of something go on at once: of one visitor, of one address, in all."""

    def __init__(self, words: str, visitor: int, address: int, in_all: int | None = None) -> None:
        self.words = words
        self._most = (visitor, address, in_all)
        self._now: Counter[tuple[int, str]] = Counter()

    @contextmanager
    def one(self, asker: Asker) -> Iterator[None]:
        """One more, as long as this lasts."""
        keys = [(0, asker.visitor), *([(1, asker.address)] if asker.address else []), (2, "")]
        for key in keys:
            most = self._most[key[0]]
            if most is not None and self._now[key] >= most:
                raise TooMuchError(self.words)
        self._now.update(keys)
        try:
            yield
        finally:
            self._now.subtract(keys)
            for key in keys:
                if not self._now[key]:
                    del self._now[key]


class Limits:
    """All limits of a server."""

    def __init__(self, is_public: bool, workers: int) -> None:
        self.is_public = is_public
        self.requests = Limit("Too much is asked for at once", Rate(150, 900), Rate(1_500, 9_000))
        self.messages = Limit("Too much is said at once", Rate(40, 1_200), Rate(600, 18_000))
        self.tries = Limit("Too many wrong passwords", None, Rate(5, 5))
        self.tables = Limit("Too many new tables", Rate(10, 6), Rate(60, 60))
        self.uploads = Limit("Too many histories", Rate(20, 12), Rate(60, 60))
        self.lines = Limit("Too many lines", Rate(6, 30), Rate(120, 600))
        self.advice = Limit("Too many questions", Rate(10, 30), Rate(100, 300))
        self.answers = Crowd("Answers are being worked out for you already; wait for one of them.", 12, 120)
        self.sockets = Crowd("You look at too many tables at once; close one of their pages.", 20, 500)
        self.uploading = Crowd("Another history of yours is on its way; wait until it is here.", 1, 5, 20)
        # Of what takes long, strangers leave a process for everybody else, where there are two.
        rest = max(1, workers - 1)
        readers, reviews = ((1, 3, rest), (2, 6, 2 * rest)) if is_public else ((1, 1, None), (12, 12, None))
        self.reading = Crowd("Another history is being read; wait until it is through.", *readers)
        self.reviews = Crowd("Other reviews are being made; wait until one is through.", *reviews)

    def asker(self, scope: Scope) -> Asker:
        """Who asks."""
        client = scope.get("client")
        return Asker(scope["user_token"], address_key(client[0]) if client and self.is_public else "")


def address_key(host: str) -> str:
    """What counts as one address.

    >>> address_key("203.0.113.9"), address_key("2001:db8:1:2:3:4:5:6"), address_key("::ffff:203.0.113.9")
    ('203.0.113.9', '2001:db8:1:2::/64', '203.0.113.9')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else str(IPv6Network((address, 64), strict=False))
