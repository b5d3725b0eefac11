"""A process with tables in it: each is a thread, since people are waited for most of the time.

The line to the server carries objects of JSON, one a line. The server says who has come or gone and what they answer;
back go pictures of what each seat may see, and nothing else.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from railbird.bots.decision import Decision
from railbird.bots.places import error_words
from railbird.bots.registry import is_program
from railbird.errors import RailbirdError
from railbird.game.view import PlayerView
from railbird.play.advisor import Advisor
from railbird.play.folder import MatchFolder, publish_keys
from railbird.play.match import MatchSpec
from railbird.play.open_minds import OpenMind
from railbird.play.person import Person
from railbird.play.players import AnyBot
from railbird.play.promises import Promise
from railbird.play.sitting import Sitting, open_spec
from railbird.randomness import SecretSeed
from railbird.report.table_words import standing
from railbird.web.advice import Advised, mark_advice
from railbird.web.insights import Thought, insight_for, insight_of
from railbird.web.seat_screen import Message, SeatScreen
from railbird.web.table_files import Seated, TableFile

_GATHER_SECONDS = 0.5
_MOST_INSIGHTS = 60
_MOST_ADVISORS = 4
"""Bots that are kept ready at a table; they may have learned from all its hands."""


class PlayedTable(threading.Thread):
    """A table at which hands are played."""

    def __init__(self, table: TableFile, send: Callable[[Message], None]) -> None:
        super().__init__(daemon=True, name=f"table {table.id}")
        self.table = table
        self.seconds = table.seconds
        self.is_stopping = False
        self._send = send
        self._is_begun = len(table.people) == 1
        self._sitting: Sitting | None = None
        self._now: list[Thought] = []
        """The bots' reasons in this hand."""
        self._seen: list[Thought] = []
        """Those that may be seen."""
        self._advisors: dict[tuple[str, str], Advisor] = {}
        """By person and the bot that was asked for."""
        self.screens = [SeatScreen(one.name, self, self._sender(place)) for place, one in enumerate(table.people)]

    @property
    def promise(self) -> Promise | None:
        promises = self._sitting.promises if self._sitting else None
        return promises.now if promises else None

    def others_wait(self, screen: SeatScreen) -> bool:
        return any(other.is_in for other in self.screens if other is not screen)

    def people(self) -> dict[str, bool]:
        return {screen.name: screen.has_come and not screen.is_in for screen in self.screens}

    def hand_over(self) -> None:
        if self._now and not self.table.study:
            self._show_reasons()
        self._now = []

    def advice(self, view: PlayerView, bot: str) -> Message:
        if not self.table.may_advise:
            return {"words": "other people play here without advice; it is for tables in study mode"}
        me, sitting = view.names[view.position], self._sitting
        try:
            advisor = self._advisors.pop((me, bot), None) or Advisor(view.game, bot or None)
            self._advisors[me, bot] = advisor
            if len(self._advisors) > _MOST_ADVISORS:
                del self._advisors[next(iter(self._advisors))]
            found = advisor.advise(view, sitting.past() if sitting else ())
        except RailbirdError as error:
            self._advisors.pop((me, bot), None)
            return {"words": str(error)}
        said = f"{found.verb}: {found.reason}"
        mark_advice(self.table.folder, Advised(view.hand_number, view.history, me, advisor.name, said))
        return {"insight": insight_of(view, found.decision) | {"bot": advisor.name}}

    def take(self, place: int, message: Message) -> None:
        """A message for a seat, or for the table."""
        if message.get("do") == "begin":
            self._is_begun = True
        screen = self.screens[place]
        screen.take(message)
        if message.get("do") == "look" and screen.looks:
            self._send_reasons(place)

    def stop(self) -> None:
        """End where the hand is; it goes on when the table is opened again."""
        self.is_stopping = True
        for screen in self.screens:
            screen.take({})

    def run(self) -> None:
        ending: Message = {"ended": True}
        try:
            self._play()
        except RailbirdError as error:
            ending["error"] = str(error)
        except Exception as error:  # a fault of ours: told, and the other tables go on
            ending["error"] = f"this table broke down: {error_words(error)}"
        self._send(ending)

    def _play(self) -> None:
        people = [Person(one.name) for one in self.table.people]
        spec = reopened_spec(self.table, people, self._hear)
        spec.housed_in(self.table.folder)
        for place in range(spec.game.seats):
            spec.roster.prepare(place)
        folder = MatchFolder.create(self.table.folder, spec)
        with folder.lock():
            self._sitting = sitting = Sitting(folder, *people)
            for screen, seat in zip(self.screens, sitting.seats):
                screen.standing = standing(sitting.won_at(seat), sitting.hands) if sitting.hands else ""
            if not sitting.hands and not sitting.is_in_mid_hand:
                self._gather()
            sitting.play(*self.screens, reveal=self.table.reveal)

    def _gather(self) -> None:
        """Wait for everybody before the first hand, unless somebody wants to begin."""
        told: list[str] = []
        while not self._is_begun and not self.is_stopping:
            missing = [screen.name for screen in self.screens if not screen.has_come]
            if not missing:
                return
            if missing != told:
                told = missing
                for place in range(len(self.screens)):
                    self._send({"place": place, "picture": {"missing": missing}})
            threading.Event().wait(_GATHER_SECONDS)

    def _hear(self, view: PlayerView, decision: Decision) -> None:
        """A bot has decided."""
        sitting = self._sitting
        if sitting is None or view.hand_number < sitting.first_hand or len(self._now) >= _MOST_INSIGHTS:
            return
        self._now.append(Thought(view, decision))
        if self.table.study:
            self._show_reasons()

    def _show_reasons(self) -> None:
        self._seen = list(self._now)
        for place, screen in enumerate(self.screens):
            if screen.looks:
                self._send_reasons(place)

    def _send_reasons(self, place: int) -> None:
        name = self.screens[place].name
        insights = [insight for seen in self._seen if (insight := seen.insight)]
        self._send({"place": place, "insights": [insight_for(each, name) for each in insights]})

    def _sender(self, place: int) -> Callable[[Message], None]:
        return lambda message: self._send({"place": place, **message})


def reopened_spec(table: TableFile, people: list[Person], hear: Callable[[PlayerView, Decision], None]) -> MatchSpec:
    """The match of a table, with these people in their seats and bots that say why."""
    begun = MatchFolder.open(table.folder).spec
    at = {one.seat: person for one, person in zip(table.people, people)}
    seats = [at.get(seat) or _open(str(bot), hear) for seat, bot in enumerate(begun.bots)]
    return open_spec(seats, begun.game, SecretSeed())


def _open(bot: str, hear: Callable[[PlayerView, Decision], None]) -> AnyBot:
    """A bot whose reasons are heard; programs have none."""
    return bot if is_program(bot) else OpenMind(bot, hear)


def make_table(told: Message) -> None:
    """Make the folder of a new table: first the match, then who sits there."""
    people = tuple(Seated(**one) for one in told["people"])
    folder = Path(told["folder"])
    seats: list[Any] = list(told["bots"])
    for one in people:
        seats.insert(one.seat, Person(one.name))
    spec = open_spec(seats, told["game"], SecretSeed())
    spec.housed_in(folder)
    MatchFolder.create(folder, spec)
    spec.roster.rest()
    TableFile(told["id"], folder, people, told["study"], told["reveal"], told["seconds"]).write()


def close_table(folder: Path) -> None:
    """Tell the key of a table that is over for good."""
    table = TableFile.read(folder)
    people = [Person(one.name) for one in table.people]
    match = MatchFolder.create(folder, reopened_spec(table, people, lambda view, decision: None))
    with match.lock():
        publish_keys([match])
    TableFile(**{**vars(table), "closed": True}).write()


class House:
    """The tables of a process."""

    def __init__(self, line: socket.socket) -> None:
        self._in, self._out = line.makefile("rb"), line.makefile("wb", buffering=0)
        self._lock = threading.Lock()
        self._tables: dict[str, PlayedTable] = {}

    def live(self) -> None:
        """Do as the server says until it is gone."""
        for text in self._in:
            message = json.loads(text)
            match message.pop("to"):
                case "open":
                    self._open(message)
                case "seat":
                    table = self._tables.get(message["table"])
                    if table is not None:
                        table.take(message["place"], message["message"])
                case "stop":
                    table = self._tables.get(message["table"])
                    if table is not None:
                        table.stop()
                case "make":
                    self._do(message["request"], partial(make_table, message))
                case "close":
                    self._do(message["request"], partial(close_table, Path(message["folder"])))

    def _open(self, message: Message) -> None:
        name = message["table"]
        try:
            table = TableFile.read(Path(message["folder"]))
        except RailbirdError as error:
            self._tell({"table": name, "ended": True, "error": str(error)})
            return
        self._tables[name] = PlayedTable(table, partial(self._heard, name))
        self._tables[name].start()

    def _heard(self, name: str, told: Message) -> None:
        """What a table says. One that has ended is let go, with its bots and all that they have learned."""
        if "ended" in told:
            del self._tables[name]
        self._tell({"table": name, **told})

    def _do(self, request: int, work: Callable[[], None]) -> None:
        """Do something that takes a while, and say that it is done or why not."""

        def done() -> None:
            answer: Message = {"request": request}
            try:
                work()
            except RailbirdError as error:
                answer["error"] = str(error)
            except Exception as error:  # a fault of ours
                answer["error"] = f"this broke down: {error_words(error)}"
            self._tell(answer)

        threading.Thread(target=done, daemon=True).start()

    def _tell(self, message: Message) -> None:
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._write(data)
            except OSError:
                os._exit(0)  # the server is gone; every hand goes on where it was

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[self._out.write(left) :]


def keep_tables(line: socket.socket) -> None:
    """The life of a process with tables."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what bots print
    House(line).live()
    os._exit(0)
