"""A table drawn in place on a terminal of its own, which is as it was when the person has left."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from threading import Event, Thread
from time import monotonic, sleep
from types import TracebackType

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from railbird.cli.keyboard import BACKSPACE, END, ESCAPE, Keyboard
from railbird.cli.plain_table import Advice
from railbird.errors import RailbirdError
from railbird.game.actions import Action
from railbird.game.view import PlayerView
from railbird.play.choices import answer, choices, needs_amount, raise_sizes, sizes
from railbird.play.person import LeaveTable, Sight
from railbird.report.table_drawing import Footer, page, page_lines, picture
from railbird.report.table_words import faults_sentence, standing, table_outcome
from railbird.results.result import Result

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TURN_SECONDS = 0.12
_PATIENCE_SECONDS = 0.4
"""Who thinks no longer than this is not said to be thinking."""
_LOOK_SECONDS = 0.3
"""How often it is looked whether the terminal has another size."""
_SIZE_KEYS = {"m": "min", "h": "half", "p": "pot", "a": "max"}


class LiveTable:
    """Draws the table, and reads keys."""

    def __init__(self, where: Console, keyboard: Keyboard, advice: Advice, delay: float) -> None:
        self.hurry = False
        self._where, self._keyboard, self._advice, self._delay = where, keyboard, advice, delay
        self._sight: Sight | None = None
        self._footer = Footer()
        self._standing = ""
        self._lines: list[Text] | None = None
        """What is shown instead of the table."""
        self._busy = ""
        self._since = 0.0
        self._live = Live(
            console=where,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self._drawn,
        )
        self._left = Event()

    def __enter__(self) -> LiveTable:
        self._live.__enter__()
        Thread(target=self._turn_spinner, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._left.set()
        self._live.__exit__(kind, error, at)

    def show(self, sight: Sight) -> None:
        before, self._sight = self._sight, sight
        node = sight.view.betting
        is_own = node.to_act == sight.view.position
        self._work("" if is_own or node.is_over else f"{sight.view.names[node.to_act]} is thinking")
        self._draw(Footer())
        if self._delay and not self.hurry and before and _is_news(before, sight):
            sleep(self._delay)

    def ask(self, sight: Sight) -> Action:
        self._sight, view = sight, sight.view
        self._work("")
        keys = [*choices(view), ("?", "advice"), ("q", "leave")]
        remark, pressed = "", ""
        self._keyboard.forget()
        while True:
            self._draw(Footer(remark, keys))
            key = self._key()
            if key == "q":
                raise LeaveTable
            if key == "?":
                remark = self._advise(view)
                continue
            words = "ff" if key == pressed == "f" else key
            pressed = key
            try:
                if key in "rb" and needs_amount(view):
                    words = self._amount(view)
                    if not words:
                        remark = ""
                        continue
                return answer(view, words)
            except RailbirdError as error:
                remark = str(error) if key.isprintable() else "that key does nothing here"

    def end_hand(self, sight: Sight, won_chips: int, hands: int, faults: Sequence[str]) -> None:
        self._sight = sight
        self._work("")
        self._standing = f"you are at {standing(won_chips, hands)}"
        remark = "; ".join(filter(None, [table_outcome(sight), faults_sentence(faults)]))
        self._keyboard.forget()  # what is typed once the keys are shown counts
        self._draw(Footer(remark, [("Enter", "next hand"), ("q", "leave")]))

    def rest(self) -> None:
        while True:
            key = self._key()
            if key == "q":
                raise LeaveTable
            if key in "\nn ":
                return

    def stand(self, won_chips: int, hands: int) -> None:
        """How the evening stands at its beginning."""
        self._standing = f"you are at {standing(won_chips, hands)}" if hands else ""

    def _amount(self, view: PlayerView) -> str:
        """The raise that is typed or chosen, as an answer; nothing if the person thought better of it."""
        least, most = raise_sizes(view)
        named = sizes(view)
        offers = ", ".join(f"{key} {name} {named[name]}" for key, name in _SIZE_KEYS.items() if name in named)
        word = "raise to" if view.betting.level else "bet"
        typed, remark = "", f"{least} to {most}; {offers}; Enter when done, Esc to go back"
        while True:
            self._draw(Footer(remark, prompt=f"{word} {typed}_"))
            key = self._key()
            if key == ESCAPE:
                return ""
            if key in _SIZE_KEYS and _SIZE_KEYS[key] in named:
                return f"r {_SIZE_KEYS[key]}"
            if key == "\n" and typed:
                return f"r {typed}"
            typed = typed[:-1] if key == BACKSPACE else typed + key if key.isdigit() and len(typed) < 12 else typed

    def _advise(self, view: PlayerView) -> str:
        """Show what the advisor would do and why, page by page; what remains to be said of it on the table."""
        self._work("asking the advisor, who may have to get ready first")
        try:
            found = self._advice(view)
        except RailbirdError as error:
            return str(error)
        finally:
            self._work("")
        verdict = f"{found.bot}: {found.verb}, {found.reason}"
        at = 0
        while True:
            lines = self._written(found)
            room = page_lines(Footer(verdict, [("Enter", "more")]), self._where.width, self._where.height)
            has_more = at + room < len(lines)
            self._lines = lines[at : at + room]
            self._draw(Footer(verdict, [("Enter", "more" if has_more else "back to the table"), ("Esc", "back")]))
            key = self._key()
            if key == "q" or key == ESCAPE or not has_more:
                self._lines = None
                return verdict
            at += room

    def _written(self, result: Result) -> list[Text]:
        """The lines of a result, in the width of the terminal."""
        where = self._where
        paper = Console(
            file=StringIO(),
            width=where.width,
            force_terminal=True,
            color_system=where.color_system,  # type: ignore[arg-type]
            no_color=where.no_color,
            highlight=False,
        )
        for part in list(result.parts())[:-2]:  # the verdict, which ends it, has a place of its own
            paper.print(part.rendered(paper))
        assert isinstance(paper.file, StringIO)
        return list(Text.from_ansi(paper.file.getvalue()).split("\n"))

    def _key(self) -> str:
        """The next key, in small letters. The end of the input is the end of the evening."""
        size = self._where.size
        while not (key := self._keyboard.key(_LOOK_SECONDS)):
            if self._where.size != size:
                size = self._where.size
                self._live.refresh()
        if key == END:
            raise LeaveTable
        return key.lower()

    def _work(self, words: str) -> None:
        """From now on somebody else is busy; or nobody."""
        self._busy, self._since = words, monotonic()
        if words:
            self._footer = Footer()
            self._live.refresh()

    def _draw(self, footer: Footer) -> None:
        self._footer = footer
        self._live.refresh()

    def _drawn(self) -> RenderableType:
        width, height = self._where.width, self._where.height
        if self._sight is None:
            return Text("")
        footer, seconds = self._footer, monotonic() - self._since
        if self._busy and seconds > _PATIENCE_SECONDS:
            sign = _SPINNER[int(seconds / _TURN_SECONDS) % len(_SPINNER)]
            footer = Footer(f"{sign} {self._busy}")
        if self._lines is not None:
            return page(self._lines, footer, width, height)
        return picture(self._sight, self._standing, footer, width, height)

    def _turn_spinner(self) -> None:
        while not self._left.wait(_TURN_SECONDS):
            if self._busy and monotonic() - self._since > _PATIENCE_SECONDS:
                self._live.refresh()


def _is_news(before: Sight, now: Sight) -> bool:
    """Whether another player has acted, or cards were turned up, so that there is something to look at."""
    if before.view.hand_number != now.view.hand_number:
        return False
    return before.view.betting.to_act != now.view.position or before.view.board_cards != now.view.board_cards
