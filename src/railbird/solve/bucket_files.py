"""Files of buckets: an abstraction by itself, so that several trainings can share one that took minutes to make."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from railbird.errors import RailbirdError
from railbird.numbers import quoted, whole_number
from railbird.progress import Watch
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import abstraction_arrays, abstraction_in
from railbird.solve.strategy_files import open_arrays, write_arrays

KIND, VERSION = "railbird buckets", 1
DEFAULT_COUNTS = "169/9000/9000/9000"


def save_buckets(abstraction: Abstraction, path: Path) -> Path:
    """Write a file of buckets, whole or not at all."""
    write_arrays(path, KIND, VERSION, {"method": abstraction.method}, abstraction_arrays(abstraction))
    return path


def load_buckets(path: Path) -> Abstraction:
    """The abstraction in such a file; refuses one that is damaged or of another version."""
    with open_arrays(path, KIND, VERSION) as file:
        return abstraction_in(file)


def build_buckets(path: Path, counts: str, method: str, seed: int = 0, watch: Watch | None = None) -> Path:
    """Make an abstraction with so many buckets by street, as in 169/200/200/200, and write it to a file."""
    return save_buckets(Abstraction.fit(counts_in(counts), method, seed, watch), path)


def counts_in(text: str) -> tuple[int, ...]:
    """Buckets by street from a text like 169/200/200/200."""
    try:
        return tuple(whole_number(part) for part in text.split("/"))
    except ValueError:
        raise RailbirdError(
            f"{quoted(text)} are not buckets by street, as in 169/200/200/200, nor a file of buckets that is there"
        ) from None


def same_buckets(first: Abstraction, second: Abstraction) -> bool:
    """Whether two abstractions put the same holdings together."""
    ours, theirs = first.definition, second.definition
    return ours.keys() == theirs.keys() and all(np.array_equal(ours[name], theirs[name]) for name in ours)
