"""Who works: threads or processes of this machine, or a cluster; and the one way to share out what can be computed in
parts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from numbers import Integral
from time import monotonic
from typing import Any, TypeVar

from railbird.errors import RailbirdError
from railbird.numbers import quoted
from railbird.pacing import AHEAD
from railbird.ray_cluster import MOST_LOSSES, Cluster, Errands, Lost, code_hash, refuse_other_code

Part = TypeVar("Part")
Found = TypeVar("Found")
Workforce = int | Cluster | None
"""So many processes or threads of this machine, `None` for one per core; or a cluster."""
Maker = Callable[[], Callable[[Part], Found]]
"""Makes the function that is called with each part: once here, or once in each process of a cluster."""
WAIT_SECONDS = 0.2


def asked_workforce(workers: int | None, on: str | None) -> Workforce:
    """The workforce that is asked for by a number and a place; on a cluster the number is that of cores at most.

    >>> asked_workforce(2, None), asked_workforce(None, "10.0.0.1:6379")
    (2, Cluster(address='10.0.0.1:6379', most=None))
    """
    if workers is not None and not isinstance(workers, Integral):
        raise RailbirdError(f"workers {quoted(workers)}; it must be a whole number")
    if workers is not None and workers < 1:
        raise RailbirdError(f"{workers} workers; at least 1 is needed")
    return workers if on is None else Cluster(on, workers)


def shared_out(make: Maker[Part, Found], parts: Sequence[Part], who: Workforce = None) -> Iterator[tuple[int, Found]]:
    """What becomes of all parts, each with its number, in the order in which they are done."""
    if isinstance(who, Cluster):
        yield from _on_cluster(make, parts, who.errands())
        return
    work = make()
    with ThreadPoolExecutor(who or os.cpu_count() or 1) as pool:
        jobs = {pool.submit(work, part): number for number, part in enumerate(parts)}
        try:
            for job in as_completed(jobs):
                number = jobs.pop(job)  # a part that was taken must not stay in memory
                yield number, job.result()
        except BaseException:  # who stops it should not wait for the parts that have not begun
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(make: Maker[Part, Found], parts: Sequence[Part], errands: Errands) -> Iterator[tuple[int, Found]]:
    """The same, some parts at a time in a process of the cluster, as many as fit the pace."""
    shared, pace, waiting = errands.shared(make), errands.pace, list(range(len(parts)))[::-1]
    losses: dict[tuple[int, ...], int] = {}
    left = len(parts)
    try:
        while left:
            while waiting and errands.count < AHEAD * errands.places:
                size = errands.fitting(None, pace.seconds_of(None, left))
                numbers = tuple(waiting.pop() for _ in range(min(size, len(waiting))))
                errands.send(numbers, work_off, (shared,), code_hash(), [parts[number] for number in numbers])
            for key, answer in errands.home(WAIT_SECONDS):
                numbers = key  # type: ignore[assignment]
                if isinstance(answer, Lost):
                    losses[numbers] = losses.get(numbers, 0) + 1
                    if losses[numbers] > MOST_LOSSES:
                        raise RailbirdError(f"the processes of the cluster keep ending: {answer}")
                    errands.send(numbers, work_off, (shared,), code_hash(), [parts[number] for number in numbers])
                    continue
                seconds, found = answer
                if isinstance(found, Exception):
                    raise found
                pace.note(None, len(numbers), seconds)
                left -= len(numbers)
                yield from zip(numbers, found)
    finally:
        errands.give_up()


_MADE: dict[Hashable, Callable[[Any], Any]] = {}
"""In a process of a cluster, the function that was made last."""


def work_off(shared: tuple[Any], code: str, parts: Sequence[Any]) -> tuple[float, list[Any] | Exception]:
    """Work some parts off in a process of a cluster: how long it took, and what was found, or what was raised."""
    import ray

    try:
        refuse_other_code(code)
        key = shared[0].hex()
        if key not in _MADE:
            _MADE.clear()
            _MADE[key] = ray.get(shared[0])()
        since = monotonic()
        found = [_MADE[key](part) for part in parts]
        return monotonic() - since, found
    except Exception as error:
        return 0.0, error
