"""A bot that is shown a hand bit by bit, by somebody else than the loop that plays matches."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from itertools import islice

from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.bots.following import Event, events_of, events_until
from railbird.game.actions import Action
from railbird.game.record import HandRecord
from railbird.game.view import PlayerView
from railbird.play.asking import hooks_of


class Follower:
    """A bot, and how much of the present hand it has been told.

    It is shown views of one hand, each further on than the last, and told what is new in them, in order: each hook of
    the bot is called once, as in a match.
    """

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.listens = hooks_of(bot)
        """The hooks that the bot has."""
        self._told = 0

    def begin(self, *key: int) -> None:
        """A hand begins; the key is that of the bot's random numbers."""
        self._told = 0
        self.bot.seed_hand(*key)

    def show(self, view: PlayerView) -> None:
        """Tell the bot how the hand has gone on."""
        if self.listens:
            self._tell(events_until(view))

    def asked(self, view: PlayerView) -> Action:
        """The bot's decision in a view."""
        self.show(view)
        return self.bot.act(view)

    def explained(self, view: PlayerView) -> Decision:
        """The decision with its reasons, asked for beside the hand: the bot's random numbers stay where they are."""
        self.show(view)
        aside = copy(self.bot)
        aside._stream = copy(self.bot.rng)
        return aside.explain(view)

    def end(self, record: HandRecord, position: int) -> None:
        """Tell the bot how the hand has ended, and what it has not been told before."""
        if self.listens:
            self._tell(events_of(record, position))

    def _tell(self, events: Iterable[Event]) -> None:
        for event in islice(events, self._told, None):
            self._told += 1
            if event.method in self.listens:
                event.tell(self.bot)
