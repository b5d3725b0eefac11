"""The keys of secret matches: kept apart from the match folder while it is played, told when it is over.

A key lies in a file of its own, named by its commitment, that the user alone can read. It is there so that a match
which was killed can go on with the same cards. When the last match that is dealt from it is over, it is written into
the manifests and the file is removed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from railbird.errors import MatchError
from railbird.randomness import SecretSeed, Seed

_LENGTH = 16


def keys_folder() -> Path:
    """Where keys are while they are secret: no process of a bot may look in here."""
    return _state_folder() / "secret-keys"


def _state_folder() -> Path:
    """`$RAILBIRD_STATE`, or the system's place for what a program has to remember."""
    own = os.environ.get("RAILBIRD_STATE")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "railbird" / "state"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "railbird"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "railbird"


def asked_seed(seed: int | None, secret: bool) -> Seed:
    """The seed of a match, by default 0; or one that has yet to be drawn, and is secret."""
    if secret and seed is not None:
        raise MatchError(f"seed {seed} and a secret one; leave out one of the two")
    return SecretSeed() if secret else 0 if seed is None else seed


def ready_seed(asked: Seed, begun: Iterable[Seed]) -> Seed:
    """What matches of one run are dealt from: the seed asked for. A secret one is that of the matches that have begun,
    with its key, or a new one."""
    if not isinstance(asked, SecretSeed) or asked.key:
        return asked
    known = [seed for seed in begun if isinstance(seed, SecretSeed)]
    found = next((seed for seed in known if seed.is_published), known[0] if known else None)
    if found is None:
        return _new_key()
    return found if found.key else _kept_key(found)


def _new_key() -> SecretSeed:
    """A new secret seed, whose key is on the disk before anything is dealt from it."""
    seed = SecretSeed.drawn()
    file = _file_of(seed)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.parent.chmod(0o700)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as written:
            written.write(seed.key)
            written.flush()
            os.fsync(written.fileno())
    except OSError as error:
        raise MatchError(
            f"cannot keep the key of a secret match in {str(file.parent)!r}: {error.strerror}; name another folder in "
            "RAILBIRD_STATE"
        ) from None
    return seed


def _kept_key(seed: SecretSeed) -> SecretSeed:
    """A secret seed with its key, from where it was kept."""
    file = _file_of(seed)
    try:
        with file.open("rb") as kept:
            found = SecretSeed.of(kept.read(_LENGTH))
    except OSError as error:
        raise MatchError(
            f"the key of this secret match cannot be read from {str(file)!r}: {error.strerror}; such a match goes on "
            "only where it was begun, and by the same user"
        ) from None
    if found != seed:
        raise MatchError(f"{str(file)!r} is damaged: it does not hold the key of this secret match")
    return found


def forget_key(seed: SecretSeed) -> None:
    """Remove the file of a key that is published."""
    with suppress(OSError):
        _file_of(seed).unlink()


def _file_of(seed: SecretSeed) -> Path:
    return keys_folder() / seed.commitment
