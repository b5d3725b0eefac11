"""A program that speaks lines as a player: one JSON object a line on its standard input and output.

The protocol is in `railbird.formats.seat_lines` and told in docs/programs.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from railbird.bots.base import Bot
from railbird.bots.talking import EndedEarly, ProgramEnded, Talk, over_pipes
from railbird.errors import BadAnswerError, UnknownBotError
from railbird.formats.seat_lines import (
    act_line,
    begin_line,
    end_line,
    hello_line,
    read_answer,
    read_hello,
    refused_line,
)
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.numbers import quoted

START_SECONDS = 30.0
_SEED_BITS = 32


class LinesProgram(Bot):
    """A program that is told begin, act and end of hands, and answers each act with one line.

    Whether it learns, and how many hands it may play at once, it says itself when it is greeted.
    """

    is_program = True

    def __init__(self, command: Sequence[str]) -> None:
        self._talk: Talk = over_pipes(command)
        self._owed = 0
        """Questions that have not been answered yet; answers come in order, late ones too."""
        self._shown: Mapping[int, Sequence[int]] = {}
        self._seed = 0
        self.learns, self.hands_at_once = self._greeted(" ".join(command))

    def seed_hand(self, *key: int) -> None:
        super().seed_hand(*key)
        self._seed = self.rng.below(1 << _SEED_BITS)

    def act(self, view: PlayerView) -> Action:
        self._talk.say(act_line(view, self._seed))
        self._owed += 1
        while self._owed > 1:
            self._take()
        try:
            return read_answer(self._take(), view.betting)
        except BadAnswerError as error:
            self._talk.say(refused_line(error))
            raise

    def on_hand(self, view: PlayerView) -> None:
        self._shown = {}
        self._talk.say(begin_line(view, self._seed))

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self._shown = shown

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        self._talk.say(end_line(view, self._shown, payoffs))

    def _take(self) -> bytes:
        try:
            line = self._talk.heard()
        except BadAnswerError:
            self._owed -= 1
            raise
        self._owed -= 1
        return line

    def _greeted(self, command: str) -> tuple[bool, int]:
        name = quoted(command, 200)
        try:
            self._talk.say(hello_line())
            return read_hello(self._talk.heard(START_SECONDS))
        except TimeoutError:
            raise UnknownBotError(f"{name} did not answer the greeting within {START_SECONDS:g} s") from None
        except ProgramEnded as ended:
            raise EndedEarly(f"{name} {ended} before it answered the greeting") from None
        except BadAnswerError as error:
            raise UnknownBotError(f"{name}, greeted, answered wrongly: {error}") from None
