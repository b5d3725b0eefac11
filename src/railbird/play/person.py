"""A person in a seat: a player whose decisions are asked for on a screen, and who sees what that seat may see.

What a person has decided in a hand is kept in the match folder until the hand is over. Cards and bots follow from the
seed, so a hand that was broken off goes on where it was left: the kept decisions are made again, then the person is
asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from railbird.bots.base import Bot
from railbird.bots.registry import bot_entries
from railbird.errors import IllegalActionError, MatchError
from railbird.files import write_whole
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.json_files import Fields, read_json
from railbird.play.clock import Clock
from railbird.play.players import ObjectPlayer, Player, player_of

UNFINISHED = "unfinished.json"
_NAME = re.compile(r"\w[\w-]{0,19}")


class LeaveTable(BaseException):
    """The person leaves. Not an `Exception`, so that it ends the hand and is no fault of a player."""


class Sight(NamedTuple):
    """What a person sees of a hand. At its end there are payoffs, and the cards that were shown."""

    view: PlayerView
    shown: Mapping[int, tuple[int, ...]] = {}
    """By position, cards of others that may be seen."""
    payoffs: tuple[int, ...] = ()


class Screen(Protocol):
    """Where a person looks, and answers."""

    hurry: bool
    """Whether what is shown was seen before, so that nobody waits."""

    def show(self, sight: Sight) -> None:
        """Something has happened at the table."""

    def ask(self, sight: Sight) -> Action:
        """The person's decision, which must be legal; raises `LeaveTable` if there is none."""


class KeptDecisions:
    """What a person has decided in a hand that is not over, in a file of the match folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / UNFINISHED
        self.hand = -1
        self.decisions: dict[str, str] = {}
        """Actions by the betting before them."""
        with suppress(OSError, ValueError):  # none, or one that says nothing
            kept = Fields(read_json(self.path), "the hand")
            decisions = kept.fields("decisions")
            self.hand, self.decisions = kept.whole("hand"), {each: decisions.text(each) for each in decisions.found}

    def __bool__(self) -> bool:
        return bool(self.decisions)

    def decision(self, view: PlayerView) -> Action | None:
        """What was decided here, if that was kept and is legal."""
        text = self.decisions.get(view.history) if view.hand_number == self.hand else None
        if text is None:
            return None
        with suppress(IllegalActionError):
            action = Action.parse(text)
            return action if view.betting.is_legal(action) else None
        return None

    def add(self, view: PlayerView, action: Action) -> None:
        if view.hand_number != self.hand:
            self.hand, self.decisions = view.hand_number, {}
        self.decisions[view.history] = str(action)
        with suppress(OSError):  # what was decided counts, kept or not
            kept = json.dumps({"hand": self.hand, "decisions": self.decisions}) + "\n"
            write_whole(self.path, kept, is_passing=True)

    def clear(self) -> None:
        """The hand is in the log."""
        self.hand, self.decisions = -1, {}
        self.path.unlink(missing_ok=True)


class Person(Bot):
    """Somebody at a screen. The clock that limits the bots' thinking stands still meanwhile."""

    def __init__(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise MatchError(f"{name!r} cannot be your name: letters, digits, _ and -, at most 20 of them")
        if name in bot_entries():
            raise MatchError(f"{name!r} is the name of a bot; choose another name")
        self.name = name
        self.clock = Clock()
        self.screen: Screen | None = None
        self.kept: KeptDecisions | None = None
        self.first_hand = 0
        """Hands before this one were played at another time, and are not shown again."""
        self.last_sight: Sight | None = None
        self.trouble: Exception | None = None
        """What went wrong with the screen, whereupon the person has left."""

    def act(self, view: PlayerView) -> Action:
        self.clock.pause()
        assert self.screen is not None
        assert self.kept is not None
        kept = self.kept.decision(view)
        if kept is not None:
            return kept
        self.screen.hurry = False
        try:
            action = self.screen.ask(Sight(view))
        except Exception as error:
            self.trouble = error
            raise LeaveTable from error
        self.kept.add(view, action)
        return action

    def on_hand(self, view: PlayerView) -> None:
        if self.screen is not None and self.kept is not None:
            self.screen.hurry = bool(self.kept) and self.kept.hand == view.hand_number
        self._show(Sight(view))

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        self._show(Sight(view._replace(betting=view.betting.after(action))))

    def on_board(self, view: PlayerView) -> None:
        self._show(Sight(view))

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self.last_sight = Sight(view, dict(shown))

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        shown = self.last_sight.shown if self.last_sight and view.betting.is_showdown else {}
        self.last_sight = Sight(view, shown, tuple(payoffs))

    def _show(self, sight: Sight) -> None:
        self.clock.pause()
        self.last_sight = sight
        if self.screen is None or sight.view.hand_number < self.first_hand:
            return
        try:
            self.screen.show(sight)
        except Exception as error:
            self.trouble = error
            raise LeaveTable from error


class PersonPlayer(ObjectPlayer):
    """A person as a player of a match, under the person's name."""

    bot: Person

    @property
    def text(self) -> str:
        return self.bot.name

    label = text

    def fingerprint(self) -> str:
        """Nothing: a person may change."""
        return ""


@player_of.register
def _(bot: Person) -> Player:
    return PersonPlayer(bot)
