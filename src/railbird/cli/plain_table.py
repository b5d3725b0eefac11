"""A table in plain lines: for pipes, for readers of screens, and for terminals that cannot draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import sleep
from typing import TextIO

from rich.console import Console

from railbird.bots.reasons import Explanation
from railbird.cards import cards_text
from railbird.errors import RailbirdError
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.choices import answer, choices
from railbird.play.person import LeaveTable, Sight
from railbird.report.table_words import (
    faults_sentence,
    hand_name,
    held,
    last_deed,
    seats_sentence,
    shown_sentence,
    standing,
    street_name,
    table_outcome,
    table_title,
)
from railbird.results.parts import plain
from railbird.results.result import print_parts

Advice = Callable[[PlayerView], Explanation]
LEAVE = ("q", "quit", "exit")


class PlainTable:
    """Says in lines what happens, and reads answers line by line; the end of the input is the end of the evening."""

    def __init__(self, where: Console, lines: TextIO | None, advice: Advice, delay: float, pauses: bool) -> None:
        self.hurry = False
        self._where, self._lines, self._advice = where, lines, advice
        self._delay = delay
        self._pauses = pauses
        """Whether a line is waited for after each hand."""
        self._last: Sight | None = None

    def show(self, sight: Sight) -> None:
        view, last = sight.view, self._last
        self._last = sight
        if last is None or last.view.hand_number != view.hand_number:
            self._say(f"\n{table_title(view)}\n{seats_sentence(view)}")
            self._say(f"your cards: {cards_text(view.hole_cards, pretty=True)}")
        elif view.history.rstrip("/") != last.view.history.rstrip("/"):
            self._say(last_deed(view))
            if not self.hurry and self._delay:
                sleep(self._delay)
        elif view.board_cards:
            street = next(s for s in range(view.game.streets) if view.game.board_seen(s) == len(view.board_cards))
            board = cards_text(view.board_cards, pretty=True)
            made = f"; you have {words}" if (words := held(hand_name(view))) else ""
            self._say(f"{street_name(view.game, street)} {board}, pot {view.pot_chips}{made}")

    def ask(self, sight: Sight) -> Action:
        view = sight.view
        while True:
            keys = ", ".join(f"{key} {words}" for key, words in choices(view))
            self._say(f"your turn, pot {view.pot_chips}: {keys}, ? advice, q leave")
            words = self._read()
            if words == "?":
                self._advise(view)
                continue
            try:
                return answer(view, words)
            except RailbirdError as error:
                self._say(str(error))

    def end_hand(self, sight: Sight, won_chips: int, hands: int, faults: Sequence[str]) -> None:
        for words in (shown_sentence(sight), table_outcome(sight), faults_sentence(faults)):
            if words:
                self._say(words)
        self._say(f"you are at {standing(won_chips, hands)}")

    def rest(self) -> None:
        if self._pauses:
            self._say("Enter for the next hand, q leave")
            self._read()

    def _advise(self, view: PlayerView) -> None:
        try:
            print_parts(self._advice(view).parts(), self._where)
        except RailbirdError as error:
            self._say(str(error))

    def _say(self, words: str) -> None:
        self._where.print(plain(words), soft_wrap=True)
        self._where.file.flush()

    def _read(self) -> str:
        """The next line of the input. Where there is none, the person has left."""
        try:
            line = self._lines.readline() if self._lines is not None else ""
        except (OSError, ValueError):  # closed
            line = ""
        words = line.strip()
        if not line or words.lower() in LEAVE:
            raise LeaveTable
        return words
