"""A bot that looks over a person's shoulder: it sees what the person sees, and says what it would do and why."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from railbird.bots.base import Bot
from railbird.bots.following import Event, events_of, events_until
from railbird.bots.reasons import Explanation, explanation, speaking
from railbird.bots.registry import make_bot
from railbird.errors import UnknownBotError
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.view import PlayerView

BEST = ("vexbot2", "loki")
"""The best first; who plays the game is asked."""


class Advisor:
    """The bot that is asked for advice. It is made when it is first asked, unless it was chosen by name."""

    def __init__(self, game: Game, name: str | None = None) -> None:
        self.game = game
        self.name = name or ""
        self._bot: Bot | None = None
        self._hand = -1
        self._told = 0
        """How much of the hand it has been told."""
        if name:
            self._bot = self._player(name)
            if self._bot is None:
                raise UnknownBotError(f"{name!r} cannot advise: it does not play {game.name} with {game.seats} seats")

    def advise(self, view: PlayerView, past: Iterable[HandRecord]) -> Explanation:
        """What it would do in `view`, having followed this hand and, if it learns, the hands before."""
        bot = self._bot or self._best()
        me = view.names[view.position]
        with speaking(self.name):
            for record in past if bot.learns else ():
                if record.number >= self._hand:
                    self._follow(bot, record.number, events_of(record, record.names.index(me)), is_over=True)
            self._follow(bot, view.hand_number, events_until(view), is_over=False)
        return explanation(self.name, bot, view)

    def _best(self) -> Bot:
        for name in BEST:
            if (bot := self._player(name)) is not None:
                self.name, self._bot = name, bot
                return bot
        raise UnknownBotError(f"no bot that advises plays {self.game.name}; choose one with --advisor")

    def _player(self, name: str) -> Bot | None:
        """The bot of this name, if it plays the game."""
        bot = make_bot(name)
        return bot if bot.can_play(self.game) else None

    def _follow(self, bot: Bot, hand: int, events: Iterable[Event], is_over: bool) -> None:
        """Tell the bot what it has not been told yet. Of hands that are over it is asked nothing."""
        if hand != self._hand:
            self._hand, self._told = hand, 0
            bot.seed_hand(0, hand)
        for event in islice(events, self._told, None):
            self._told += 1
            if not (is_over and event.method == "act"):
                event.tell(bot)
