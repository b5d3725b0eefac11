"""What a reader is, for those that try to break it: good inputs, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from railbird.errors import RailbirdError
from trials.mutations import mutated

Mutation = Callable[[Random, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Reader:
    """Something that reads."""

    seeds: Sequence[bytes]
    """Good inputs."""
    read: Callable[[bytes], object]
    mutated: Mutation = mutated
    """A bad input, from good ones."""


def text_of(data: bytes) -> str:
    """Bytes as Python takes them from the command line."""
    return data.decode(errors="surrogateescape")


def all_ways(*calls: Callable[[], object]) -> None:
    """Read in several ways, whether or not one refuses; what the last refuses is raised."""
    for call in calls[:-1]:
        with suppress(RailbirdError):
            call()
    calls[-1]()


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
