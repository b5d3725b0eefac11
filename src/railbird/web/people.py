"""Who may see which hands. On this machine alone, whoever sits at it; of a public server, those who played them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from railbird.json_files import Fields, read_json
from railbird.web.serving import Serving

TABLE = "table.json"
"""Says of a match folder that it is a table of the server, and who sits there."""


def hashed(secret: str) -> str:
    """How the token of a browser is kept."""
    return sha256(f"railbird {secret}".encode()).hexdigest()


def people_at(folder: Path) -> dict[str, str]:
    """The names of the people at a table by the hashes of their tokens; nobody where it is no table."""
    try:
        told = Fields(read_json(folder / TABLE), "the table")
        return {one.text("user"): one.text("name") for one in told.each("people")}
    except (OSError, ValueError):
        return {}


def may_see(serving: Serving, folder: Path, user: str) -> bool:
    """Whether a browser may see the hands of a match folder."""
    return not serving.is_public or hashed(user) in people_at(folder)


def eyes_of(serving: Serving, folder: Path, user: str) -> str:
    """The name of the person whose cards alone may be shown, besides those that were shown down; nothing where all may
    be seen: on this machine, and where nobody but bots sat at the table too."""
    people = people_at(folder)
    return people.get(hashed(user), "") if serving.is_public and len(people) > 1 else ""
