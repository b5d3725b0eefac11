"""Ctrl-C: work stops within a second, and says what was kept and how to go on.

Work that leaves something behind says so while it lasts, with `keeping`. What must be brought to an end all the same,
such as a checkpoint, is done within `finishing`.

Python sees a signal only between two steps of its own, so a long kernel, the compiler or a thread that has to be waited
for would keep whoever pressed Ctrl-C waiting. `prompt_stop`, which the command line works under, ends such a process
from a thread. Nothing is lost by it: files are written whole or not at all, and logs of hands go on after a torn end.
"""

from __future__ import annotations

import _thread
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

EXIT_CODE = 130
NOTHING_KEPT = "only kernels and tables that are ready are kept; do the same again"
NOTHING_TO_KEEP = "nothing was to be kept"
_PATIENCE_SECONDS = 0.5
_LOOK_SECONDS = 0.05
_SHOW_CURSOR = "\x1b[?25h"

_kept: list[Callable[[], str]] = []
_otherwise: list[Callable[[], str]] = []
_unfinished: list[object] = []
_last_acts: list[Callable[[], object]] = []
_lost: list[object] = []
_raised_again: list[object] = []


class Stopped(Exception):
    """Ctrl-C, on its way to the command line; its text says what was kept."""


@contextmanager
def keeping(words: str | Callable[[], str]) -> Iterator[None]:
    """While this lasts, Ctrl-C says these words: what is kept, and how to go on. Of several the outermost count.

    >>> try:
    ...     with keeping("3 of 5 hands are kept in 'm'; do the same again to go on"):
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt as stop:
    ...     print(what_was_kept(stop))
    3 of 5 hands are kept in 'm'; do the same again to go on
    """
    said: Callable[[], str] = words.__str__ if isinstance(words, str) else words
    _kept.append(said)
    try:
        yield
    except BaseException as error:
        if _kept[0] is said and is_interrupt(error):
            error.add_note(said())
        raise
    finally:
        _kept.remove(said)


@contextmanager
def otherwise(words: Callable[[], str]) -> Iterator[None]:
    """While this lasts, Ctrl-C says these words where nothing is `keeping`."""
    _otherwise.append(words)
    try:
        yield
    finally:
        _otherwise.remove(words)


@contextmanager
def finishing() -> Iterator[None]:
    """While this lasts, `prompt_stop` waits: there is something to be written before the end."""
    mark = object()
    _unfinished.append(mark)
    try:
        yield
    finally:
        _unfinished.remove(mark)


@contextmanager
def ending_with(act: Callable[[], object]) -> Iterator[None]:
    """Do `act` when this is over, however it ends: also where Ctrl-C, pressed again, ends the process meanwhile."""
    _last_acts.append(act)
    try:
        yield
    finally:
        act()
        _last_acts.remove(act)


def is_interrupt(error: BaseException) -> bool:
    """Whether an error is Ctrl-C, or what came of one that was raised where nothing can be raised."""
    return isinstance(error, KeyboardInterrupt) or bool(_lost)


def what_was_kept(stop: BaseException) -> str:
    """The words that `keeping` gave to an interrupt on its way, or those for work that keeps nothing."""
    return "; ".join(getattr(stop, "__notes__", ())) or _other_words()


def _other_words() -> str:
    words = _otherwise[-1:]  # which the main thread may be about to remove
    return words[0]() if words else NOTHING_KEPT


@contextmanager
def prompt_stop() -> Iterator[None]:
    """While this lasts, Ctrl-C ends the process at once if what runs does not see it; a second one does in any case."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    _lost.clear()
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch_for_signals, args=(told,), daemon=True)
    watcher.start()
    usual, sys.unraisablehook = sys.unraisablehook, _raise_again
    try:
        yield
    finally:
        sys.unraisablehook = usual
        signal.set_wakeup_fd(before)
        os.close(tell)
        watcher.join()
        os.close(told)


def _raise_again(lost: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt again that came where nothing can be raised: in a callback, or while an object is removed."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    _lost.append(lost.exc_type)
    _raised_again.append(lost.exc_type)
    again = threading.Timer(_LOOK_SECONDS, _thread.interrupt_main)
    again.daemon = True
    again.start()


def _watch_for_signals(told: int) -> None:
    """Wait for Ctrl-C, and then for the main thread; returns when `told` is closed at the other end."""
    deadline = None
    while True:
        ready, _, _ = select.select([told], [], [], None if deadline is None else _LOOK_SECONDS)
        signals = os.read(told, 4096) if ready else b"\0"
        if not signals:
            return
        pressed = signals.count(signal.SIGINT)
        while pressed and _raised_again:
            pressed -= 1
            _raised_again.pop()
        is_late = deadline is not None and monotonic() > deadline and not _unfinished
        if pressed > 1 or (pressed and deadline is not None) or is_late:
            _end_now()
        if pressed:
            deadline = monotonic() + _PATIENCE_SECONDS


def _end_now() -> None:
    """End the process from a thread, with the words that the command line would have said."""
    for act in _last_acts[:]:
        with suppress(Exception):  # the main thread may be doing the same
            act()
    told = _kept[:1]  # which the main thread may be about to remove
    words = told[0]() if told else _other_words()
    cursor = _SHOW_CURSOR + "\r\x1b[K" if os.isatty(2) else ""
    os.write(2, f"{cursor}{stopped_line(words)}\n".encode(errors="replace"))
    os._exit(EXIT_CODE)


def stopped_line(words: str) -> str:
    """The line that ends a command that was stopped."""
    return f"stopped: {words}"
