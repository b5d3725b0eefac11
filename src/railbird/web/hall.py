"""The tables of the server: which process each is in, who looks at which seat, and what was seen there last.

A table is opened when somebody comes to it and put away when nobody has been there for a while. What was seen last is
sent to whoever connects, so a page that is loaded again shows the hand at once. If a process is lost its tables are
opened in another one; every hand goes on where it was.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

from railbird.errors import MatchError, RailbirdError
from railbird.files import file_name, file_names
from railbird.play.folder import MatchFolder
from railbird.web.chat import Chat
from railbird.web.forked import begun
from railbird.web.seat_screen import Message
from railbird.web.table_files import TABLE, Seated, TableFile, hashed, tables_in
from railbird.web.table_threads import keep_tables

IDLE_SECONDS = 900.0
"""After so long without anybody a table is put away."""
_MAKE_SECONDS = 60.0
SWEEP_SECONDS = 30.0
_LONGEST_LINE = 1 << 22
_MOST_LOSSES = 3
MOST_TABLES = 50
"""Of one browser that are not closed."""

Viewer = Callable[[Message], None]
"""Somebody who looks at a seat and is sent what is seen there."""


@dataclass
class Table:
    """A table as the server knows it."""

    file: TableFile
    process: _Process | None = None
    pictures: list[Message | None] = field(default_factory=list)
    """By place, what was seen last."""
    insights: list[list[Any]] = field(default_factory=list)
    viewers: list[set[Viewer]] = field(default_factory=list)
    looks: list[bool] = field(default_factory=list)
    trouble: str = ""
    losses: int = 0
    is_put_away: bool = False
    """Whether it was told to end because nobody was there."""
    since: float = field(default_factory=monotonic)
    """Since when nobody has been here."""

    def __post_init__(self) -> None:
        people = len(self.file.people)
        self.pictures, self.insights = [None] * people, [[] for _ in range(people)]
        self.viewers, self.looks = [set() for _ in range(people)], [False] * people

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Who sits there, bots too."""
        try:
            return MatchFolder.open(self.file.folder).spec.names
        except RailbirdError:
            return tuple(one.name for one in self.file.people)

    @cached_property
    def game(self) -> str:
        """What is played there; nothing where its folder cannot be read."""
        try:
            return MatchFolder.open(self.file.folder).spec.game.name
        except RailbirdError:
            return ""

    def hands(self) -> int:
        """How many hands were played there, as far as that can be read."""
        try:
            return MatchFolder.open(self.file.folder).known_hands
        except (RailbirdError, OSError):
            return 0

    def last_played(self) -> datetime:
        """When the last hand ended; before the first, when the table was made or somebody sat down."""
        ends = [file.stat().st_mtime for file in self.file.folder.glob("*.log")]
        return datetime.fromtimestamp(max(ends, default=_made(self.file)))

    @cached_property
    def chat(self) -> Chat | None:
        """What people said there; nothing where one is alone with bots."""
        return Chat(self.file.folder) if len(self.file.people) > 1 else None

    @property
    def is_visited(self) -> bool:
        return any(self.viewers)

    def forget(self) -> None:
        """Let go what was seen; whoever opens the table again is shown it anew."""
        self.pictures, self.insights = [None] * len(self.pictures), [[] for _ in self.insights]

    def show(self, place: int, message: Message) -> None:
        for viewer in list(self.viewers[place]):
            viewer(message)


class Tables:
    """All tables of a server."""

    def __init__(self, home: Path, processes: int) -> None:
        self.home = home
        self.all: dict[str, Table] = {table.id: Table(table) for table in tables_in(home)}
        self._processes: list[_Process] = []
        self._most = max(1, processes)
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._requests = 0
        self._sweeper: asyncio.Task[None] | None = None
        self._ended = False

    # Making, finding

    def found(self, name: str, user: str) -> tuple[Table, int]:
        """A table and the place at it of a browser."""
        table = self.all.get(name)
        place = table.file.place_of(user) if table else None
        if table is None or place is None:
            raise MatchError("you have no seat at this table, or it is not there; a link of your own leads to it")
        return table, place

    def of_user(self, user: str) -> list[tuple[Table, int]]:
        """The tables at which a browser has a seat, the newest first."""
        mine = hashed(user)
        places = [(table, [one.user for one in table.file.people]) for table in self.all.values()]
        found = [(table, people.index(mine)) for table, people in places if mine in people]
        return sorted(found, key=lambda each: _made(each[0].file), reverse=True)

    async def make(
        self, user: str, names: list[str], bots: list[str], game: str, **agreed: Any
    ) -> tuple[Table, dict[str, str]]:
        """A new table for a browser under the first of the names; the other names get links, by name."""
        if sum(not table.file.closed for table, _ in self.of_user(user)) >= MOST_TABLES:
            raise MatchError(f"you have {MOST_TABLES} tables that are not closed; close one first")
        links = {name: secrets.token_urlsafe(16) for name in names[1:]}
        people = [
            Seated(seat, name, hashed(links[name]) if name in links else "", "" if name in links else hashed(user))
            for seat, name in enumerate(names)
        ]
        name = secrets.token_hex(5)
        words = file_names([*names, *bots])
        folder = self.home / f"{words[:80]}-{file_name(game)}-{name}"
        told = {"id": name, "folder": str(folder), "bots": bots, "game": game, **agreed}
        await self._ask("make", told | {"people": [vars(one) for one in people]})
        table = self.all[name] = Table(TableFile.read(folder))
        return table, links

    def invited(self, link: str) -> tuple[Table, int]:
        """The table and the place that a link leads to."""
        wanted = hashed(link)
        for table in self.all.values():
            for place, one in enumerate(table.file.people):
                if one.link == wanted:
                    return table, place
        raise MatchError("this link leads to no seat; ask for another one")

    async def close(self, table: Table) -> None:
        """End a table for good, and tell its key."""
        if table.process:
            table.process.say({"to": "stop", "table": table.file.id})
            while table.process:
                await asyncio.sleep(0.02)
        await self._ask("close", {"folder": str(table.file.folder)})
        table.file = TableFile.read(table.file.folder)
        for place in range(len(table.viewers)):
            table.show(place, {"closed": True})

    # Looking, answering

    def come(self, table: Table, place: int, viewer: Viewer) -> None:
        """Somebody looks at a seat from now on."""
        table.viewers[place].add(viewer)
        if table.chat and table.chat.lines:
            viewer({"chat": list(table.chat.lines)})
        if table.file.closed:
            viewer({"closed": True})
            return
        if table.process is None:
            self._open(table)
        if (seen := table.pictures[place]) is not None:
            viewer({"picture": seen | {"hurry": True}})
        if table.looks[place]:
            viewer({"insights": table.insights[place]})
        self.tell(table, place, {"do": "here", "on": True})

    def go(self, table: Table, place: int, viewer: Viewer) -> None:
        """Somebody looks no more."""
        table.viewers[place].discard(viewer)
        table.since = monotonic()
        if not table.viewers[place]:
            self.tell(table, place, {"do": "here", "on": False})

    def tell(self, table: Table, place: int, message: Message) -> None:
        """Pass a message on to the table."""
        if message.get("do") == "look":
            table.looks[place] = bool(message.get("on"))
        if table.process is None and message.get("do") in ("act", "next", "back", "begin") and not table.file.closed:
            self._open(table)
        if table.process is not None:
            table.process.say({"to": "seat", "table": table.file.id, "place": place, "message": message})

    def chat(self, table: Table, place: int, words: str) -> None:
        """Somebody says something to everybody at the table."""
        if table.chat is None:
            raise MatchError("nobody but bots sits here, and they do not listen")
        if table.file.closed:
            raise MatchError("this table is closed")
        said = table.chat.say(table.file.people[place].name, words)
        for each in range(len(table.viewers)):
            table.show(each, {"chat": [said]})

    def _open(self, table: Table) -> None:
        table.process, table.trouble, table.is_put_away = self._free_process(), "", False
        table.process.tables.add(table.file.id)
        table.process.say({"to": "open", "table": table.file.id, "folder": str(table.file.folder)})
        for place, viewers in enumerate(table.viewers):
            if viewers:
                table.process.say(_seat(table, place, {"do": "here", "on": True}))
            if table.looks[place]:
                table.process.say(_seat(table, place, {"do": "look", "on": True}))

    # Processes

    async def start(self) -> None:
        """Begin the processes, which take a moment until they can do anything."""
        self._processes = [_Process(self._heard, self._lost) for _ in range(self._most)]
        self._sweeper = asyncio.create_task(self._sweep())

    def end(self) -> None:
        self._ended = True
        if self._sweeper:
            self._sweeper.cancel()
        for process in self._processes:
            process.end()

    def _free_process(self) -> _Process:
        """The process with the fewest tables; lost ones are replaced."""
        self._processes = [process for process in self._processes if not process.is_lost]
        while len(self._processes) < self._most:
            self._processes.append(_Process(self._heard, self._lost))
        return min(self._processes, key=lambda process: len(process.tables))

    async def _ask(self, what: str, message: Message) -> None:
        """Have something done by a process; refuses as it does."""
        self._requests += 1
        number, done = self._requests, asyncio.get_running_loop().create_future()
        self._waiting[number] = done
        try:
            self._free_process().say({"to": what, "request": number, **message})
            error = await asyncio.wait_for(done, _MAKE_SECONDS)
        except TimeoutError:
            raise MatchError("the table could not be set up in time; try again") from None
        finally:
            del self._waiting[number]
        if error:
            raise MatchError(error)

    def _heard(self, message: Message) -> None:
        """What a process says."""
        if "request" in message:
            waiting = self._waiting.get(message["request"])
            if waiting and not waiting.done():
                waiting.set_result(message.get("error", ""))
            return
        table = self.all.get(message["table"])
        if table is None:
            return
        if "ended" in message:
            self._put_away(table, message.get("error", ""))
            return
        place = message["place"]
        if "picture" in message:
            table.pictures[place] = message["picture"]
            table.show(place, {"picture": message["picture"]})
        elif "insights" in message:
            table.insights[place] = message["insights"]
            table.show(place, {"insights": message["insights"]})
        elif "advice" in message:
            table.show(place, {"advice": message["advice"]})

    def _put_away(self, table: Table, error: str) -> None:
        if table.process:
            table.process.tables.discard(table.file.id)
        table.process, table.trouble = None, error
        if table.is_put_away and table.is_visited and not error:
            self._open(table)  # somebody has come meanwhile
            return
        for place in range(len(table.viewers)):
            table.show(place, {"trouble": error} if error else {"left": True})
        table.forget()

    def _lost(self, process: _Process) -> None:
        """A process is gone: its tables go on in another one, unless they were lost too often."""
        if self._ended:
            return
        for name in list(process.tables):
            table = self.all[name]
            table.process, table.losses = None, table.losses + 1
            if table.losses > _MOST_LOSSES:
                self._put_away(table, "this table was lost too often; begin another one")
            elif table.is_visited:
                self._open(table)
        process.tables.clear()

    async def _sweep(self) -> None:
        """Put tables away at which nobody has been for a while."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for table in self.all.values():
                if table.process and not table.is_visited and monotonic() - table.since > IDLE_SECONDS:
                    table.is_put_away = True
                    table.process.say({"to": "stop", "table": table.file.id})


class _Process:
    """A process with tables, and the line to it."""

    def __init__(self, heard: Callable[[Message], None], lost: Callable[[_Process], None]) -> None:
        self.tables: set[str] = set()
        self.is_lost = False
        self._heard, self._lost = heard, lost
        ours, theirs = socket.socketpair()
        self._process = begun(keep_tables, theirs)
        theirs.close()
        self._unsent: list[bytes] | None = []
        """What is said before the line is open."""
        self._writer: asyncio.StreamWriter | None = None
        self._task = asyncio.get_running_loop().create_task(self._listen(ours))

    def say(self, message: Message) -> None:
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        if self._writer is not None:
            self._writer.write(data)
        elif self._unsent is not None:
            self._unsent.append(data)

    async def _listen(self, line: socket.socket) -> None:
        try:
            reader, self._writer = await asyncio.open_unix_connection(sock=line, limit=_LONGEST_LINE)
            for data in self._unsent or ():
                self._writer.write(data)
            self._unsent = None
            while text := await reader.readline():
                self._heard(json.loads(text))
        except (OSError, ValueError, RailbirdError):
            pass
        finally:
            self.is_lost = True
            self._process.kill()
            self._lost(self)

    def end(self) -> None:
        self._task.cancel()
        if self._writer is not None:
            self._writer.close()
        self._process.kill()


def _seat(table: Table, place: int, message: Message) -> Message:
    return {"to": "seat", "table": table.file.id, "place": place, "message": message}


def _made(table: TableFile) -> float:
    """When a table was made, or somebody sat down there last."""
    try:
        return os.stat(table.folder / TABLE).st_mtime
    except OSError:
        return 0.0
