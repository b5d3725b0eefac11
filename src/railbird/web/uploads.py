"""Histories that people bring: kept under the server's home by what they hold, with a note of who brought them.

uploads/HASH/NAME          the file, under the name it had as far as that is harmless
uploads/HASH/upload.json   its name, and hashes of the tokens of those who brought it

There is so much room for each visitor of a public server, and so much in all. There a history that nobody has looked at
for long is let go.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from time import time

from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.json_files import Fields, read_json
from railbird.web.table_files import hashed

FOLDER = "uploads"
UPLOAD = "/review/upload"
"""Where histories are brought."""
MOST_BYTES = 20_000_000
FORM_BYTES = 10_000
"""What a form has around the file in it."""
KEPT_SECONDS = 30 * 24 * 3600.0
"""How long a public server keeps a history that nobody looks at."""
_NOTE = "upload.json"
_SCHEMA = "railbird.upload/1"
_DIGEST_SIGNS = 32
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Room:
    """How much is kept."""

    bytes: int
    files: int

    def refuse_more(self, kept: Sequence[Upload], more: int, whose: str, way_out: str) -> None:
        """Refuse one more file of so many bytes where there is no room for it."""
        taken = sum(each.bytes for each in kept)
        if taken + more > self.bytes or len(kept) >= self.files:
            of = f"{taken / 1e6:,.1f} of {self.bytes / 1e6:,.0f} MB, {len(kept):,} of {self.files:,} files"
            raise MatchError(f"there is no room for it: {whose} take {of}; {way_out}")


IN_ALL = Room(2_000_000_000, 2_000)
FOR_EACH = Room(100_000_000, 100)
"""Of the visitors of a public server."""


@dataclass(frozen=True)
class Upload:
    """A history that somebody brought."""

    digest: str
    folder: Path
    name: str
    users: tuple[str, ...]
    """Hashes of the tokens of those who brought it."""

    @property
    def file(self) -> Path:
        return self.folder / self.name

    def is_of(self, user: str) -> bool:
        return hashed(user) in self.users

    def write(self) -> Upload:
        note = {"schema": _SCHEMA, "name": self.name, "users": list(self.users)}
        write_whole(self.folder / _NOTE, json.dumps(note, indent=1) + "\n")
        return self

    @property
    def bytes(self) -> int:
        with suppress(OSError):
            return self.file.stat().st_size
        return 0

    def look_at(self) -> None:
        """Note that it is looked at."""
        with suppress(OSError):
            os.utime(self.folder / _NOTE)

    def is_old(self, now: float) -> bool:
        """Whether nobody has looked at it for long."""
        with suppress(OSError):
            return now - (self.folder / _NOTE).stat().st_mtime > KEPT_SECONDS
        return True

    def remove(self, user: str | None = None) -> None:
        """Forget a history; with the token of a browser it stays for the others who brought it."""
        others = tuple(each for each in self.users if each != hashed(user)) if user is not None else ()
        if others:
            replace(self, users=others).write()
        else:
            rmtree(self.folder, ignore_errors=True)


def make_room(home: Path, user: str, more: int, is_public: bool) -> None:
    """See to it that so many bytes can be kept for a browser, or say why not."""
    kept = uploads_in(home)
    if is_public:
        now = time()
        for old in [each for each in kept if each.is_old(now)]:
            old.remove()
            kept.remove(old)
        FOR_EACH.refuse_more([each for each in kept if each.is_of(user)], more, "your histories", "remove one first")
    IN_ALL.refuse_more(kept, more, "the histories here", "come back later" if is_public else "remove one first")


def keep_upload(home: Path, name: str, data: bytes, user: str) -> tuple[Upload, bool]:
    """Keep what somebody brought, once; and whether it was not there before."""
    digest = hashlib.sha256(data).hexdigest()[:_DIGEST_SIGNS]
    folder = home / FOLDER / digest
    with suppress(MatchError):
        known = read_upload(home, digest)
        return (known if known.is_of(user) else replace(known, users=(*known.users, hashed(user))).write()), False
    folder.mkdir(parents=True, exist_ok=True)
    found = Upload(digest, folder, harmless_name(name), (hashed(user),))
    write_whole(found.file, data)
    return found.write(), True


def read_upload(home: Path, digest: str) -> Upload:
    """A history that was brought before."""
    folder = home / FOLDER / digest
    if not re.fullmatch(f"[0-9a-f]{{{_DIGEST_SIGNS}}}", digest) or not (folder / _NOTE).is_file():
        raise MatchError(f"no history {digest[:_DIGEST_SIGNS]!r} was brought here")
    try:
        note = Fields(read_json(folder / _NOTE), "the note")
        return Upload(digest, folder, harmless_name(note.text("name")), tuple(note.texts("users")))
    except (OSError, ValueError) as error:
        raise MatchError(f"the note of the history {digest!r} is damaged: {error}") from None


def uploads_in(home: Path) -> list[Upload]:
    """All histories that were brought, the last first; damaged notes aside."""
    found = []
    for note in sorted((home / FOLDER).glob(f"*/{_NOTE}"), key=lambda path: -path.stat().st_mtime):
        with suppress(MatchError):
            found.append(read_upload(home, note.parent.name))
    return found


def harmless_name(name: str) -> str:
    """The name of a file without ways to anywhere and odd signs.

    >>> harmless_name("../../etc/my hands (1).txt"), harmless_name("upload.json"), harmless_name("")
    ('my hands (1).txt', 'history-upload.json.txt', 'history.txt')
    """
    last = re.split(r"[/\\]", name)[-1]
    kept = re.sub(r"[^\w .()+-]", "_", last).strip(". ")[-_LONGEST_NAME:]
    if not kept:
        return "history.txt"
    return kept if not kept.endswith((".json", ".html", ".py")) else f"history-{kept}.txt"
