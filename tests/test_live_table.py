"""The drawn table of `railbird play`: it fits, it is drawn in place, and the terminal is afterwards as it was."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from pathlib import Path

import pytest
from rich.console import Console

from railbird.cards import cards_text, parse_cards
from railbird.game.betting import Betting
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.match_logs import read_hands
from railbird.play.person import Sight
from railbird.report.table_drawing import Footer, picture

PLAYERS = Path(__file__).parent / "players.py"
PATIENCE = 60.0
KEYS = [("f", "fold"), ("c", "call 2"), ("r", "raise to 4"), ("?", "advice"), ("q", "leave")]


def drawn(sight: Sight, width: int, height: int, footer: Footer | None = None) -> list[str]:
    """The lines of a picture."""
    where = Console(width=width, height=height, record=True, file=io.StringIO())
    where.print(picture(sight, "you are at +3 chips in 2 hands", footer or Footer("", KEYS), width, height))
    return where.export_text().splitlines()


def sight_of(game, history: str, board: str = "") -> Sight:
    node = Betting.start(game).play(history)
    names = tuple(f"simulation(playouts={p}00)" if p % 3 == 2 else f"bot{p}" for p in range(game.seats))
    hole = parse_cards("AdQc")[: game.hole_cards]
    return Sight(PlayerView(node, max(0, node.to_act), hole, parse_cards(board), 17, names))


@pytest.mark.parametrize(
    "sight",
    [
        sight_of(limit_holdem(), "rrc/cr", "3h4cJh"),
        sight_of(limit_holdem(3), "rcc/rfc/", "3h4cJhTs"),
        sight_of(no_limit_holdem(6), "fr300cffc/r500", "3h4cJh"),
        sight_of(limit_holdem(10), "ffrrrcfffcfc/", "3h4cJh"),
        sight_of(kuhn_poker(), "cr"),
    ],
    ids=["heads-up", "three", "six", "ten", "kuhn"],
)
@pytest.mark.parametrize(("width", "height"), [(120, 40), (80, 24), (60, 20), (80, 14), (45, 16)])
def test_the_table_fits_and_shows_what_matters(sight, width, height):
    lines = drawn(sight, width, height)
    view = sight.view
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert lines[-1].split()[-1] == "leave"
    assert f"pot {view.pot_chips:,}" in text
    for card in (*view.hole_cards, *view.board_cards):
        assert cards_text([card], pretty=True) in text
    live = [p for p in view.betting.live if p != view.position]
    assert text.count("▒▒") == len(live) * view.game.hole_cards


def test_who_is_on_the_button_and_what_lies_in_front_of_whom():
    lines = drawn(sight_of(limit_holdem(3), "r"), 80, 24)
    text = "\n".join(lines)
    assert re.search(r"─ bot1 \(BB\) ─+╮╭─ simulation\(play… \(D\) ─", text)
    assert re.search(r"│▒▒ ▒▒ +bet 2││▒▒ ▒▒ +bet 4│", text)
    assert "bot0 (SB)  bet 1" in text


def test_cards_are_seen_only_where_they_are_shown():
    final = sight_of(limit_holdem(3), "rcf/cc/cc/cc", "3h4cJhTs2d")
    other = parse_cards("KsKd")
    ended = final._replace(payoffs=(6, -2, -4))
    assert "K♠" not in "\n".join(drawn(ended, 80, 24))
    shown = "\n".join(drawn(ended._replace(shown={2: other}), 80, 24))
    assert "K♠ K♦" in shown
    assert "-4" in shown
    assert "folded" in shown


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24) -> None:
        self.said = ""
        self.process, self.file = pty.fork()
        if not self.process:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", PYTHONUTF8="1", PYTHONUNBUFFERED="1")
            os.execv(sys.executable, [sys.executable, "-m", "railbird", *arguments])
        self.before = termios.tcgetattr(self.file)

    def until(self, words: str) -> str:
        """What was written until these words came, since they were last waited for."""
        while words not in self.said:
            data = self.read()
            assert data, f"no {words!r} in {self.said[-3000:]!r}"
            self.said += re.sub(r"\x1b\[[0-9;]*m", "", data)
        found, _, self.said = self.said.partition(words)
        return found + words

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def read(self) -> str:
        """What is written next; nothing when the command has ended."""
        ready, _, _ = select.select([self.file], [], [], PATIENCE)
        assert ready, f"silence after {self.said[-3000:]!r}"
        try:
            return os.read(self.file, 65536).decode(errors="replace")
        except OSError:
            return ""

    def end(self) -> int:
        """The exit code, when the command has said its last."""
        while data := self.read():
            self.said += data
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.file)


@pytest.fixture
def terminal():
    """Opens terminals; what runs in them is ended with the test."""
    opened = []

    def open_terminal(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


OPENED, CLOSED = "\x1b[?1049h", "\x1b[?1049l"


def test_keys_at_a_drawn_table(terminal):
    advised = ("--advisor", "always-raise")
    table = terminal("play", "always-call", "--seed", "3", "--delay", "0", "--out", "there", *advised)
    table.until(OPENED)
    assert "│A♣││Q♣│" in table.until("q  leave")
    assert not termios.tcgetattr(table.file)[3] & (termios.ECHO | termios.ICANON)
    for key, words in (
        ("x", "'x' is not understood"),
        ("\x1b[A", "that key does nothing here"),
        ("f", "checking is free"),
    ):
        table.press(key)
        table.until(words)
        table.until("q  leave")
    table.press("?")
    table.until("always-raise: raise")
    table.until("back to the table")
    table.press("\n")
    table.until("c  check")
    table.press("c")
    for street in ("flop", "turn", "river"):
        table.until(street)
        table.until("q  leave")
        table.press("c")
    over = table.until("Enter  next hand")
    assert "showdown: " in over
    assert len(read_hands("there")) == 1  # kept before the person says anything
    table.press("\n")
    table.until("hand 1, limit")
    table.until("q  leave")
    table.press("q")
    table.until(CLOSED)
    assert "you vs always-call | limit heads-up | 1 hand" in table.until("railbird assess there")
    after = termios.tcgetattr(table.file)
    assert table.end() == 0
    assert after == table.before


@pytest.mark.parametrize("how", ["\x03", "\x04", signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_as_it_was_however_one_leaves(terminal, how):
    table = terminal("play", "always-call", "--seed", "3", "--out", "there")
    table.until("q  leave")
    if isinstance(how, str):
        table.press(how)
    else:
        os.kill(table.process, how)
    table.until(CLOSED)
    table.until("no hand was finished")
    assert termios.tcgetattr(table.file) == table.before
    assert table.end() == 0


def test_amounts_are_typed(terminal):
    table = terminal("play", "always-call", "--seed", "3", "--game", "no-limit", "--delay", "0", "--out", "there")
    table.until("q  leave")
    table.press("r")
    table.until("raise to _")
    table.press("5")
    table.until("raise to 5_")
    table.press("\n")
    table.until("5 cannot be bet here: from 200 to 20000")
    table.until("q  leave")
    table.press("r")
    table.until("raise to _")
    table.press("\x1b")
    table.until("c  check")
    table.press("r")
    table.until("raise to _")
    table.press("4009\x7f\n")
    table.until("flop")
    table.until("q  leave")
    table.press("r")
    table.until("bet _")
    table.press("p")
    table.until("you bet 800")
    table.until("q  leave")
    table.press("q")
    table.until("hand 0 waits for you")
    assert table.end() == 0


def test_without_colours_nothing_is_coloured(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    table = terminal("play", "always-call", "--seed", "3", "--out", "there")
    table.until("q  leave")
    table.press("q")
    table.end()
    colours = re.findall(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|38;[0-9;]*|48;[0-9;]*)m", table.said)
    assert not colours


def test_plain_lines_on_a_terminal(terminal):
    table = terminal("play", "always-call", "--seed", "3", "--plain", "--out", "there")
    opening = table.until("q leave")
    assert OPENED not in opening
    for _ in range(4):
        table.press("c\n")
        table.until("q leave")
    table.press("q\n")  # instead of Enter
    table.until("you vs always-call")
    assert table.end() == 0
