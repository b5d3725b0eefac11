"""Keys of a terminal, one by one and unseen; and the terminal as it was, whatever happens."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import Any

try:
    import termios
except ImportError:  # not on this system
    termios = None  # type: ignore[assignment]

ESCAPE, END, BACKSPACE = "\x1b", "\x04", "\x7f"
_ENTER = ("\r", "\n")
_MOST_BYTES = 64


def has_keys() -> bool:
    """Whether keys can be read one by one: input is a terminal of a kind that is known here."""
    return termios is not None and sys.stdin is not None and sys.stdin.isatty()


class Keyboard:
    """Reads keys. Ctrl-C is an interruption as ever, Ctrl-Z a key like others: it would leave a drawing behind."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._before: list[Any] = []
        self._typed = ""

    def __enter__(self) -> Keyboard:
        self._before = termios.tcgetattr(self._file)
        changed = termios.tcgetattr(self._file)
        changed[3] &= ~(termios.ECHO | termios.ICANON)
        changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
        changed[6][termios.VSUSP] = bytes([os.fpathconf(self._file, "PC_VDISABLE") & 0xFF])
        termios.tcsetattr(self._file, termios.TCSADRAIN, changed)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        termios.tcsetattr(self._file, termios.TCSAFLUSH, self._before)

    def forget(self) -> None:
        """Drop what was typed before it was asked for."""
        self._typed = ""
        while self._is_ready(0.0) and os.read(self._file, _MOST_BYTES):
            pass

    def key(self, seconds: float) -> str:
        """The next key; nothing if none was typed within so many seconds. Keys that are no character are `ESCAPE`."""
        if not self._typed:
            if not self._is_ready(seconds):
                return ""
            data = os.read(self._file, _MOST_BYTES)
            if not data or data.startswith(b"\x1b"):  # the terminal is gone; or an arrow, whatever follows
                return ESCAPE if data else END
            self._typed = data.decode(errors="replace")
        key, self._typed = self._typed[0], self._typed[1:]
        return "\n" if key in _ENTER else BACKSPACE if key == "\b" else key

    def _is_ready(self, seconds: float) -> bool:
        """Whether something is typed within so many seconds."""
        return bool(select.select([self._file], [], [], seconds)[0])
