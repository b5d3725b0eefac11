"""A bot or a policy of OpenSpiel as a player of matches.

OpenSpiel asks its players with a state that knows all cards. A seat of a match knows its own, so the state is made for
the question: the other players hold stand-ins, drawn by chance among the cards that the seat has not seen. Who plays
by what he may see plays the same as in OpenSpiel; who looks at the other cards sees nothing true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.envs.openspiel_games import SpielGame, spiel_game
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.actions import CALL, Action
from railbird.game.betting import Betting, split_history
from railbird.game.spec import Game
from railbird.game.view import PlayerView

Maker = Callable[[int, int], Any]
"""From a player's number and a seed to a bot or a policy of OpenSpiel."""


class SpielSeat(Bot):
    """A player of OpenSpiel in a match: a policy, a `pyspiel.Bot`, or a function that makes one.

    A policy has `action_probabilities(state)`; its choices follow from the seed of the match. Many bots are made for
    one player and have random numbers of their own: give a function `make(player, seed)`, such as
    `pyspiel.make_uniform_random_bot`, and a new bot is made for each hand. A bot as it is must play any seat; it is
    told of the others' actions.

    `game` is the `pyspiel.Game` it plays, by default the match's own in "fullgame". In one of OpenSpiel's abstractions
    of no-limit bets, raises of other sizes are taken for the nearest, by the logarithm of the chips. Where it takes a
    hand for over, since it took a raise for all-in, it checks and calls.

    >>> import pyspiel
    >>> from railbird.play.matches import play_match
    >>> result = play_match(SpielSeat(pyspiel.make_uniform_random_bot), "always-raise", hands=20, seed=7)
    >>> [player.name for player in result.players]
    ['SpielSeat', 'always-raise']
    """

    def __init__(self, player: Any, game: Any = None, *, learns: bool = False) -> None:
        self._maker: Maker | None = None
        self._player: Any = None
        if hasattr(player, "action_probabilities") or hasattr(player, "step"):
            self._player = player
        elif callable(player):
            self._maker = player
        else:
            raise UnknownBotError(f"{player!r} is no policy and no bot of OpenSpiel, nor a function that makes one")
        self.learns = learns
        peer = game if game is not None else getattr(player, "game", None)
        self._table = None if peer is None else SpielGame.of(peer)
        self._deck: list[int] = []

    def can_play(self, game: Game) -> bool:
        if self._table is None:
            try:
                self._table = SpielGame.of(spiel_game(game))
            except RailbirdError:
                return False
        return replace(self._table.game, name=game.name) == game

    def on_hand(self, view: PlayerView) -> None:
        self._deck = self.rng.deal(view.game.deck, len(view.game.deck))
        if self._maker is not None:
            made = self._maker(self._of(view).player(view.position), self.rng.bits() >> 33)
            self._player = made
        if hasattr(self._player, "restart"):
            self._player.restart()

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        if position == view.position or not hasattr(self._player, "inform_action"):
            return
        table = self._of(view)
        state = self._state(view)
        if state is not None:
            number = table.number(state.legal_actions(), view.betting, action)
            self._player.inform_action(state, table.player(position), number)

    def act(self, view: PlayerView) -> Action:
        table, state = self._of(view), self._state(view)
        if state is None:
            return CALL
        if not hasattr(self._player, "action_probabilities"):
            return table.action(view.betting, int(self._player.step(state)))
        chances = self._player.action_probabilities(state)
        numbers, bounds = list(chances), np.cumsum(list(chances.values()))
        at = int(np.searchsorted(bounds, self.rng.random() * bounds[-1], side="right"))
        return table.action(view.betting, int(numbers[min(at, len(numbers) - 1)]))

    def _of(self, view: PlayerView) -> SpielGame:
        if self._table is None:
            self.can_play(view.game)
        assert self._table is not None, "a match asks whether a bot can play"
        return self._table

    def _state(self, view: PlayerView) -> Any:
        """A state of OpenSpiel in which this seat knows as much; nothing if there it is not the same player's turn."""
        known = {*view.hole_cards, *view.board_cards}
        others = (card for card in self._deck or view.game.deck if card not in known)
        holes = [
            view.hole_cards if position == view.position else tuple([next(others) for _ in view.hole_cards])
            for position in range(view.game.seats)
        ]
        return state_of(self._of(view), holes, view.board_cards, view.history)


def state_of(table: SpielGame, holes: list[tuple[int, ...]], board: tuple[int, ...], history: str) -> Any:
    """The state of OpenSpiel after a betting string, by position who holds what; nothing if it is over there, or
    another's turn than here."""
    state = table.peer.new_initial_state()
    seats = table.game.seats
    hidden = [card for player in range(seats) for card in holes[table.position(player)]]
    cards = iter([table.card_number(card) for card in (*hidden, *board)])
    node = Betting.start(table.game)

    def is_decision() -> bool:
        """Deal what is to be dealt; whether it is then the same player's turn as here."""
        while state.is_chance_node():
            card = next(cards, None)
            if card is None:  # it takes everybody for all-in, and deals cards that are not dealt yet here
                return False
            state.apply_action(card)
        return not state.is_terminal() and state.current_player() == table.player(node.to_act)

    for text in split_history(history):
        if text == "/":
            continue
        if not is_decision():
            return None
        action = Action.parse(text)
        state.apply_action(table.number(state.legal_actions(), node, action))
        node = node.after(action)
    return state if is_decision() else None
