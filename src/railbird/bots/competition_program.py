"""A program of the Annual Computer Poker Competition as a player: started as `program HOST PORT`, it is the client.

It is shown every state of its hands, as a dealer shows them, and its replies are taken as the reference dealer takes
them: what is not allowed becomes a call, a raise of a wrong size the nearest that is allowed, and a warning goes to
what the program prints. Hands are numbered from 0 in each connection.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from railbird.bots.base import Bot
from railbird.bots.talking import EndedEarly, ProgramEnded, Talk, over_socket
from railbird.errors import BadAnswerError, InvalidGameError, UnknownBotError
from railbird.formats.acpc import game_text
from railbird.formats.wire_lines import (
    LINE_END,
    HandText,
    Reply,
    greeted_version,
    is_other_version,
    read_action,
    settled,
    view_line,
)
from railbird.game.actions import Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import quoted

MOST_START = 3600.0
_COMMENTS = (b"#", b";")


class CompetitionProgram(Bot):
    """A program that plays over the competition's wire. Its connection is one match to it, with a beginning and an end.

    `learns` says that earlier hands change its decisions: then it plays all its hands in order over one connection.
    `start` are the seconds in which it must connect.
    """

    is_program = True

    def __init__(self, program: str, learns: bool = False, start: float = 30.0) -> None:
        if not 0 < start <= MOST_START:
            raise UnknownBotError(
                f"start={start:g} for {quoted(program, 200)}; it is above 0, and at most {MOST_START:g} seconds"
            )
        self.learns = learns
        self._talk: Talk = over_socket(program, start)
        self._greet(program, start)
        self._number = -1
        """Of the hand, in this connection."""
        self._hand = -1
        """The same hand's number in the match."""
        self._shown: Mapping[int, tuple[int, ...]] = {}
        self._last = ""
        """The state that it was shown last."""
        self._owes = ""
        """That state, if it is the program's turn and nobody has waited for its answer yet."""
        self._is_slow = False
        """Whether somebody has waited for an answer in vain."""

    def can_play(self, game: Game) -> bool:
        """Whether a game file can say this game."""
        try:
            return bool(game_text(game))
        except InvalidGameError:
            return False

    def act(self, view: PlayerView) -> Action:
        state = self._show(view)
        self._owes = ""
        action, warnings, _ = settled(self._replied(view, state), view.betting)
        for warning in warnings:
            print(f"hand {view.hand_number}: {warning} in {state}", file=sys.stderr, flush=True)
        return action

    def on_hand(self, view: PlayerView) -> None:
        self._hand = -1
        self._show(view)

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        if position == view.position and self._owes:
            self._take_answer(view)
        node = view.betting.after(action)
        if not node.is_over and node.street == view.betting.street:
            self._show(view._replace(betting=node))

    def on_board(self, view: PlayerView) -> None:
        node = view.betting
        if not node.is_over and len(view.board_cards) == view.game.board_seen(node.street):
            self._show(view)

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self._shown = shown

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        node = view.betting
        holes = [self._shown.get(position, ()) for position in range(view.game.seats)]
        holes[view.position] = view.hole_cards
        text = HandText(view.game, self._number, holes, view.board_cards)
        self._say(text.end(view.position, node.history, node.street, node.live))

    def _greet(self, program: str, seconds: float) -> None:
        """Wait for the greeting of a program that has connected."""
        name = quoted(program, 200)
        try:
            line = self._talk.heard(seconds)
        except TimeoutError:
            raise UnknownBotError(f"{name} connected and did not say VERSION:2.0.0 within {seconds:g} s") from None
        except ProgramEnded as ended:
            raise EndedEarly(f"{name} connected and {ended} before it said VERSION:2.0.0") from None
        version = greeted_version(line)
        if version is None:
            greeting = quoted(line.decode("utf-8", errors="replace"))
            raise UnknownBotError(f"{name} greeted with {greeting}; a client of the competition says VERSION:2.0.0")
        if is_other_version(version):
            print(f"it speaks version {'.'.join(map(str, version))}, here is 2.0.0", file=sys.stderr, flush=True)

    def _show(self, view: PlayerView) -> str:
        """Show a state, if that is not the one that was shown last."""
        if view.hand_number != self._hand:
            self._hand, self._number = view.hand_number, self._number + 1
            self._last, self._shown = "", {}
        state = view_line(view._replace(hand_number=self._number))
        if state != self._last:
            self._say(state)
            self._owes = state if view.betting.to_act == view.position else ""
        return state

    def _say(self, state: str) -> None:
        self._talk.say(state.encode() + LINE_END)
        self._last = state

    def _take_answer(self, view: PlayerView) -> None:
        """Read what it answers where somebody else has decided already: it is shown hands that were played before.

        A program that was too slow once is not waited for.
        """
        state, self._owes = self._owes, ""
        if not self._is_slow:
            self._replied(view, state)

    def _replied(self, view: PlayerView, state: str) -> Action | None:
        """The action in its reply to a state; replies to others are too late and count for nothing."""
        while True:
            self._is_slow = True
            line = self._talk.heard()
            self._is_slow = False
            if line.startswith(_COMMENTS):
                continue
            text = line.decode("utf-8", errors="replace")
            if text.startswith(state + ":"):
                return read_action(text[len(state) + 1 :], view.game)
            reply = Reply.parse(text, view.game)
            if reply is None:
                raise BadAnswerError(f"answered {quoted(text)} and not {quoted(state, 100)}, a colon and an action")
            if self._is_current(reply, view):
                return reply.action

    def _is_current(self, reply: Reply, view: PlayerView) -> bool:
        asked = (view.position, self._number, view.betting.history, view.hole_cards, view.board_cards)
        return reply[:5] == asked
