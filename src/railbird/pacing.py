"""How much work goes out at once to a cluster: neither so little that sending it costs more than doing it, nor so much
that everybody waits for the last one.

Whoever sends work out and takes it in again is one process. It spends a moment on each job, whatever its size, so with
many places jobs must be longer; and towards the end they must be shorter, or most places have nothing to do while the
last jobs are worked off. `python -m benchmarks cluster-model` plays this through for up to a thousand nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

USUAL_SECONDS = 1.0
"""How long a job is where nothing speaks against it: so much is lost when a place is."""
LONGEST_SECONDS = 60.0
HOME_SHARE = 0.5
"""At most so much of its time is the one process at home to be busy with taking jobs in."""
FIRST_HOME_SECONDS = 0.001
"""What sending a job costs at home, or taking it in, until that is measured."""
DISPATCH_SECONDS = 0.005
"""What a job costs on its way."""
MOST_OVERHEAD = 0.02
"""No more than this share of a job is its way, however little is left to do."""
ENDING_JOBS = 3
"""What is left is cut into so many jobs for each place at least, so that none waits long for the last ones."""
AHEAD = 2
"""So many jobs are out for each place, so that none waits for the next one while that is on its way."""
_FORGETTING = 0.9
_FIRST_JOBS = 20
"""What was believed at first counts like so many jobs."""


def job_seconds(places: int, home_seconds: float, left_seconds: float) -> float:
    """How long a job should be on so many places, if one costs so much at home and so much work is left in all.

    >>> job_seconds(2, 0.001, 1000), job_seconds(1000, 0.001, 1e6)
    (1.0, 2.0)
    >>> round(job_seconds(100, 0.001, 60), 2)  # towards the end
    0.25
    """
    steady = max(USUAL_SECONDS, places * home_seconds / HOME_SHARE)
    ending = max(left_seconds / (ENDING_JOBS * places), DISPATCH_SECONDS / MOST_OVERHEAD)
    return min(steady, ending, LONGEST_SECONDS)


@dataclass
class Pace:
    """What is known of how long work takes, and of what a job costs at home."""

    unit_seconds: dict[object, float] = field(default_factory=dict)
    """By kind of work: how long one unit of it takes."""
    _busy_seconds: float = _FIRST_JOBS * FIRST_HOME_SECONDS
    _jobs: int = _FIRST_JOBS

    def note(self, kind: object, units: int, seconds: float) -> None:
        """So much work of a kind took so long."""
        if units:
            found = seconds / units
            before = self.unit_seconds.get(kind, found)
            self.unit_seconds[kind] = _FORGETTING * before + (1 - _FORGETTING) * found

    @contextmanager
    def job(self) -> Iterator[None]:
        """Held while a job is sent out or taken in, but not while its results are written."""
        since = monotonic()
        yield
        self._busy_seconds += monotonic() - since
        self._jobs += 1

    @property
    def home_seconds(self) -> float:
        """What a job costs at home, beside its results."""
        return 2 * self._busy_seconds / self._jobs  # it is sent, and it is taken in

    def seconds_of(self, kind: object, units: int) -> float:
        """How long so much work of a kind takes; 0 if that is not known yet."""
        return self.unit_seconds.get(kind, 0.0) * units
