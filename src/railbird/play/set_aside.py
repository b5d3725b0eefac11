"""Folders of matches whose bots have been edited since: kept under a name that tells, and taken up again if need be.

    matches/shark-v-loki-limit-seed0                 the match of the bots as they are
    matches/shark-v-loki-limit-seed0.was-3f9c2a1b    that of a shark.py whose SHA-256 begins with 3f9c2a1b

Where several bots have files, the name has the beginning of a hash of all their hashes. Bots that are what they were
once get their folder back, so that nothing is played twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from railbird.errors import MatchError, RailbirdWarning
from railbird.files import locked

_WAS = ".was-"


def is_set_aside(folder: Path) -> bool:
    """Whether a folder has the name of one that was set aside."""
    return _WAS in folder.name


def set_aside(
    folder: Path,
    prints_of: Callable[[Path], Sequence[str]],
    now: Sequence[str],
    is_same: Callable[[Path], bool],
    played_in: Sequence[Path],
) -> Path:
    """Keep a folder under another name, because its bots have other fingerprints `now` than `prints_of` it tells.

    A folder that was kept before and `is_same`, which is what is asked for, takes its place. `played_in` are the
    folders that must not be in play meanwhile. Returns the new name, or the old one if nothing has changed after all.
    """
    if Path.cwd().is_relative_to(os.path.abspath(folder)):
        raise MatchError(f"a bot has changed since {str(folder)!r} was begun; choose another --out")
    with ExitStack() as locks:
        for each in played_in:
            locks.enter_context(locked(each))
        then = prints_of(folder)
        if then == now:  # another process was quicker
            return folder
        kept, back = _free(_was(folder, then)), _was(folder, now)
        is_back = is_same(back)
        try:
            folder.rename(kept)
            if is_back:
                back.rename(folder)
        except OSError as error:
            raise MatchError(f"cannot keep {str(folder)!r} as {kept.name!r}: {error.strerror}") from None
    again = f"; what these bots played is taken up again from {back.name}" if is_back else ""
    warnings.warn(f"a bot has changed: what was played before is kept as {kept}{again}", RailbirdWarning, 2)
    return kept


def first_fit(folder: Path, fits: Callable[[Path], bool]) -> Path:
    """This folder, or one of that name with a number: the first that fits."""
    names = (folder if number == 1 else folder.with_name(f"{folder.name}-{number}") for number in count(1))
    return next(filter(fits, names))


def _was(folder: Path, fingerprints: Sequence[str]) -> Path:
    prints = [each for each in fingerprints if each]
    if len(prints) == 1 and re.fullmatch("[0-9a-f]{64}", prints[0]):
        tag = prints[0]
    else:
        tag = hashlib.sha256("\n".join(fingerprints).encode()).hexdigest()
    return folder.with_name(f"{folder.name}{_WAS}{tag[:8]}")


def _free(folder: Path) -> Path:
    return first_fit(folder, lambda each: not os.path.lexists(each))
