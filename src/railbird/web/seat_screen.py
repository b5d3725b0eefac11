"""The screen of somebody at a table in the browser: what happens is sent as pictures, answers come as messages.

Messages are taken by the process's main thread and read by the thread of the table. Alone with bots one may think for
as long as one likes; where other people wait, who says nothing for too long checks or folds, and who has gone does so
at once until he comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Protocol

from railbird.errors import RailbirdError
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.choices import answer
from railbird.play.person import LeaveTable, Sight
from railbird.play.promises import Promise
from railbird.report.table_words import faults_sentence, standing
from railbird.web.seat_pictures import Picture, offers_of, picture_of

Message = dict[str, Any]
REST_SECONDS = 12.0
"""How long others wait after a hand for who does not ask for the next one."""
_LOOK_SECONDS = 0.5
_MOST_LAPSES = 2
_MOST_SIGNS = 40


class Company(Protocol):
    """What a screen knows of its table."""

    seconds: int
    is_stopping: bool

    @property
    def promise(self) -> Promise | None: ...

    def others_wait(self, screen: SeatScreen) -> bool:
        """Whether other people are at the table."""

    def people(self) -> dict[str, bool]:
        """By name, whether a person is away."""

    def hand_over(self) -> None:
        """A hand is over, and its reasons may be seen."""

    def advice(self, view: PlayerView, bot: str) -> Message:
        """What a bot would do in a person's place and why; or why it does not say."""


class SeatScreen:
    """What one person sees and answers."""

    def __init__(self, name: str, company: Company, send: Callable[[Message], None]) -> None:
        self.hurry = False
        self.name = name
        self.has_come = self.is_here = self.is_away = self.has_left = self.looks = False
        self._company, self._send = company, send
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._lapses = 0
        self._hand = -1
        self._seconds: list[float | None] = []
        """How long each decision of the hand took, as far as that is known."""
        self._since = monotonic()
        self.standing = ""

    @property
    def is_in(self) -> bool:
        """Whether the person is there to play."""
        return self.has_come and not self.is_away and not self.has_left

    def take(self, message: Message) -> None:
        """A message from the browser, or that it has come or gone."""
        match message.get("do"):
            case "here":
                self.is_here = bool(message.get("on"))
                if self.is_here:
                    self.has_come, self.has_left, self.is_away = True, False, False
            case "leave":
                self.has_left = True
            case "look":
                self.looks = bool(message.get("on"))
            case "act" | "next" | "back":
                self.is_away = self.has_left = False
                self._lapses = 0
        self._inbox.put(message)

    def show(self, sight: Sight) -> None:
        self._send({"picture": self._picture(sight)})

    def ask(self, sight: Sight) -> Action:
        view, began = sight.view, monotonic()
        ask = f"{view.hand_number}/{view.history}"
        remark, is_told = "", None
        while True:
            waits = self._company.others_wait(self)
            left = self._company.seconds - (monotonic() - began) if waits else None
            if left is not None and (left <= 0 or not self.is_in):
                return self._lapse(sight, is_late=left <= 0)
            if is_told != (remark, waits):
                is_told = (remark, waits)
                asked = {"ask": ask, "remark": remark, "seconds": None if left is None else round(left)}
                self._send({"picture": self._picture(sight) | offers_of(view) | asked})
            message = self._message(left)
            if message.get("do") == "act" and message.get("ask") == ask:
                try:
                    return answer(view, str(message.get("words", ""))[:_MOST_SIGNS])
                except RailbirdError as error:
                    remark, is_told = str(error), None
            elif message.get("do") == "advise" and message.get("ask") == ask:
                told = self._company.advice(view, str(message.get("bot", ""))[:_MOST_SIGNS])
                self._send({"advice": told | {"ask": ask}})

    def end_hand(self, sight: Sight, won_chips: int, hands: int, faults: Sequence[str]) -> None:
        self.standing = standing(won_chips, hands)
        picture = self._picture(sight) | {"remark": faults_sentence(faults)}
        if promise := self._company.promise:
            view = sight.view
            seen = {*view.hole_cards, *view.board_cards, *(card for hole in sight.shown.values() for card in hole)}
            picture["opened"] = promise.opened(seen)
        self._send({"picture": picture})

    def rest(self) -> None:
        self._company.hand_over()
        began = monotonic()
        while True:
            waits = self._company.others_wait(self)
            left = REST_SECONDS - (monotonic() - began) if waits else None
            if left is not None and (left <= 0 or not self.is_in):
                return
            message = self._message(left)
            if message.get("do") == "next" and message.get("hand") == self._hand:
                return

    def _message(self, left: float | None) -> Message:
        """The next message; an empty one when it is time to look around."""
        if self._company.is_stopping:
            raise LeaveTable
        try:
            message = self._inbox.get(timeout=None if left is None else max(0.0, min(left, _LOOK_SECONDS)))
        except Empty:
            message = {}
        if self._company.is_stopping or (self.has_left and not self._company.others_wait(self)):
            raise LeaveTable
        return message

    def _lapse(self, sight: Sight, is_late: bool) -> Action:
        """Nobody answers: check or fold."""
        self._lapses += is_late
        if is_late and (self._lapses >= _MOST_LAPSES or not self.is_here):
            self.is_away = True
        return sight.view.check_or_fold()

    def _picture(self, sight: Sight) -> Picture:
        picture = picture_of(sight)
        self._note_time(picture)
        people = self._company.people()
        for seat in picture["seats"]:
            seat["is_person"] = seat["name"] in people
            seat["is_away"] = people.get(seat["name"], False)
        picture |= {"hurry": self.hurry, "standing": self.standing, "times": list(self._seconds), "remark": ""}
        promise = self._company.promise
        picture["promise"] = promise.digest if promise else ""
        return picture

    def _note_time(self, picture: Picture) -> None:
        """Note how long the last decision took."""
        now = monotonic()
        if picture["hand"] != self._hand:
            self._hand, self._seconds, self._since = picture["hand"], [], now
        while len(self._seconds) < picture["steps"]:
            is_seen = len(self._seconds) == picture["steps"] - 1 and not self.hurry
            self._seconds.append(round(now - self._since, 1) if is_seen else None)
            self._since = now
