"""A table of the server as it lies on the disk: a match folder like any other, with a file that says who sits there.

    table.json      who sits where, as hashes of what each browser and each link carries; what was agreed on
    chat.jsonl      what people said to each other
    advice.jsonl    the decisions for which somebody asked a bot

Whoever made a table knows all its links. So a link seats one browser, the first that comes with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.json_files import Fields, read_json
from railbird.play.manifest import MANIFEST

TABLE = "table.json"
SCHEMA = "railbird.table/1"
SHORTEST, LONGEST = 5, 3600
"""Seconds for a decision while others wait."""


def hashed(secret: str) -> str:
    """How the token of a browser, or of a link, is kept."""
    return sha256(f"railbird {secret}".encode()).hexdigest()


@dataclass(frozen=True)
class Seated:
    """A person's seat."""

    seat: int
    name: str
    link: str = ""
    """The hash of the link that leads here; empty for whoever made the table."""
    user: str = ""
    """The hash of the browser's token; empty while nobody has come."""


@dataclass(frozen=True)
class TableFile:
    """What is known of a table besides its match."""

    id: str
    folder: Path
    people: tuple[Seated, ...]
    study: bool = False
    """Whether everybody sees the bots' reasons while they play."""
    reveal: bool = False
    """Whether all cards are shown after each hand."""
    seconds: int = 60
    """How long somebody may think while other people wait."""
    closed: bool = False
    """Whether it is over for good, and its key told."""

    @classmethod
    def read(cls, folder: Path) -> TableFile:
        """The table of a folder."""
        file = folder / TABLE
        try:
            told = Fields(read_json(file), "the table")
            if told.text("schema") != SCHEMA:
                raise ValueError(f"it is no table of this version (schema {SCHEMA})")
            people = tuple(
                Seated(one.whole("seat", 0, 9), one.text("name"), one.text("link"), one.text("user"))
                for one in told.each("people")
            )
            if not people:
                raise ValueError("nobody sits there")
            seconds = told.whole("seconds", SHORTEST, LONGEST)
            flags = {name: told.flag(name) for name in ("study", "reveal", "closed")}
            return cls(told.text("id"), folder, people, seconds=seconds, **flags)
        except OSError as error:
            raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
        except ValueError as error:
            raise MatchError(f"{str(file)!r} is damaged: {error}") from None

    def write(self) -> TableFile:
        told: dict[str, Any] = {"schema": SCHEMA, **asdict(self)}
        del told["folder"]
        write_whole(self.folder / TABLE, json.dumps(told, indent=2) + "\n")
        return self

    @property
    def may_advise(self) -> bool:
        """Whether bots are asked for advice here: where one is alone with bots, or everybody studies."""
        return self.study or len(self.people) == 1

    def place_of(self, user: str) -> int | None:
        """Which of the people a browser's token belongs to, by its place among them."""
        mine = hashed(user)
        return next((place for place, one in enumerate(self.people) if one.user == mine), None)

    def with_user(self, link: str, user: str) -> TableFile:
        """The table after a browser has come with a link; refuses a link that is used, or leads nowhere."""
        wanted = hashed(link)
        place = next((place for place, one in enumerate(self.people) if one.link == wanted), None)
        if place is None:
            raise MatchError("this link leads to no seat; ask for another one")
        if self.people[place].user and self.people[place].user != hashed(user):
            raise MatchError(f"somebody sits there already as {self.people[place].name!r}; each link is for one person")
        if self.place_of(user) not in (None, place):
            raise MatchError("you sit at this table already; the other links are for other people")
        people = list(self.people)
        people[place] = replace(people[place], user=hashed(user))
        return replace(self, people=tuple(people))


def tables_in(home: Path) -> Iterator[TableFile]:
    """The tables of a server; folders with something else are left alone, and so are damaged files."""
    if home.is_dir():
        for file in sorted(home.glob(f"*/{TABLE}")):
            if (file.parent / MANIFEST).is_file():
                try:
                    yield TableFile.read(file.parent)
                except MatchError:
                    continue
