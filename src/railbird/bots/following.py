"""A hand as one seat lives through it: everything that a bot in that seat is told and asked, in order.

A bot that takes over in mid-hand, or that looks over a player's shoulder, is shown the hand this way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from railbird.bots.base import Bot
from railbird.game.actions import Action
from railbird.game.betting import Betting, split_history
from railbird.game.record import HandRecord
from railbird.game.view import PlayerView


class Event(NamedTuple):
    """A call of one of a bot's methods, `act` for a decision that was its own."""

    method: str
    arguments: tuple[Any, ...]

    def tell(self, bot: Bot) -> None:
        getattr(bot, self.method)(*self.arguments)


def events_until(view: PlayerView) -> Iterator[Event]:
    """What a bot in the seat of `view` has been told and asked since the hand began.

    >>> from railbird.game.spec import limit_holdem
    >>> view = PlayerView(Betting.start(limit_holdem()).play("rc/c"), 1, (0, 5), (10, 15, 20), 0, ("Ann", "Bob"))
    >>> [event.method for event in events_until(view)]
    ['on_hand', 'act', 'on_action', 'on_action', 'on_board', 'on_action']
    """
    game = view.game

    def seen(node: Betting, street: int) -> PlayerView:
        return view._replace(betting=node, board_cards=view.board_cards[: game.board_seen(street)])

    node = Betting.start(game)
    yield Event("on_hand", (seen(node, 0),))
    for text in split_history(view.history):
        if text == "/":
            continue
        action, before = Action.parse(text), seen(node, node.street)
        if node.to_act == view.position:
            yield Event("act", (before,))
        yield Event("on_action", (before, node.to_act, action))
        street, node = node.street, node.after(action)
        for dealt in range(street + 1, node.street + 1):
            yield Event("on_board", (seen(node, dealt),))


def events_of(record: HandRecord, position: int) -> Iterator[Event]:
    """The same of a hand that is over, with its showdown and result."""
    final = record.final()
    view = PlayerView(final, position, record.holes[position], record.board, record.number, record.names)
    yield from events_until(view)
    if final.is_showdown:
        yield Event("on_showdown", (view, {live: record.holes[live] for live in final.live}))
    yield Event("on_result", (view, record.payoffs))
