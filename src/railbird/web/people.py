"""Who may see which hands. On this machine alone, whoever sits at it; of a public server, those who played them."""

from __future__ import annotations

from pathlib import Path

from railbird.errors import MatchError
from railbird.web.serving import Serving
from railbird.web.table_files import TableFile, hashed


def people_at(folder: Path) -> dict[str, str]:
    """The names of the people at a table by the hashes of their tokens; nobody where it is no table."""
    try:
        return {one.user: one.name for one in TableFile.read(folder).people if one.user}
    except MatchError:
        return {}


def may_see(serving: Serving, folder: Path, user: str) -> bool:
    """Whether a browser may see the hands of a match folder."""
    return not serving.is_public or hashed(user) in people_at(folder)


def eyes_of(serving: Serving, folder: Path, user: str) -> str:
    """The name of the person whose cards alone may be shown, besides those that were shown down; nothing where all may
    be seen: on this machine, and where nobody but bots sat at the table too."""
    people = people_at(folder)
    return people.get(hashed(user), "") if serving.is_public and len(people) > 1 else ""
