"""Where in a bot's own files something went wrong: file and line, for messages and logs.

Of a traceback only the frames in the bot's own files are told, which are those beside the file of its class. Paths are
told from there, so that they are the same wherever the bot lies.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from pathlib import Path
from traceback import walk_tb
from types import CodeType

from railbird.words import harmless

MOST_FRAMES = 4
MOST_SIGNS = 100
"""The longest line of code that is told."""
MOST_WORDS = 240
"""The longest message of an exception that is told, in signs."""
_RAILBIRD = str(Path(__file__).parent.parent)
_CALLING = (os.path.join(_RAILBIRD, "play"), os.path.join(_RAILBIRD, "bots", "registry.py"), "<frozen")
"""Where bots are asked and made; no fault of theirs is there."""


def shortened(text: str, most: int) -> str:
    """Text in one line of at most `most` signs, all of them printable.

    >>> shortened("the roof\\nis on fire", 14), shortened("\\x1b[2J", 14)
    ('the roof is...', '�[2J')
    """
    line = harmless(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 3].rstrip() + "..."


def error_words(error: BaseException) -> str:
    """The last line of a traceback."""
    try:
        words = str(error.msg if isinstance(error, SyntaxError) else error)[: 5 * MOST_WORDS]
    except Exception:
        words = "it cannot be said what, since its __str__ raises too"
    return shortened(f"{type(error).__name__}: {words}", MOST_WORDS)


def source_of(kind: type) -> str:
    """The file of a bot's class, or what stands for it in a notebook; of classes it extends, a user's first."""
    users = [c for c in kind.__mro__ if not c.__module__.startswith(("railbird.", "builtins"))]
    for each in [*users, kind]:
        file = getattr(sys.modules.get(each.__module__), "__file__", None)
        found = next((code.co_filename for code in map(_code, vars(each).values()) if code), file)
        if found:
            return str(found)
    return ""


def trace_of(error: BaseException, source: str) -> tuple[str, ...]:
    """The way to an exception through the files beside `source`, a line for each frame, the first calls first.

    Where it leads through none of them it is the last frame elsewhere, if a bot can be meant by it at all.
    """
    if isinstance(error, SyntaxError) and error.filename:
        code = f": {shortened(error.text, MOST_SIGNS)}" if error.text and error.text.strip() else ""
        return (f"{_told_path(error.filename, source)}:{error.lineno or 1}{code}",)
    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    others = [at for at in frames if not at[0].co_filename.startswith(_CALLING)]
    chosen = [at for at in frames if _is_own(at[0].co_filename, source)] or others[-1:]
    found = [_told(code, line, source) for code, line in chosen]
    if len(found) > MOST_FRAMES:
        half = MOST_FRAMES // 2
        found = [*found[:half], f"... ({len(found) - 2 * half:,} more) ...", *found[-half:]]
    return tuple(found)


def definition(kind: type, method: str) -> tuple[str, ...]:
    """Where a bot's class says how to do something, in the form of `trace_of`."""
    code = _code(getattr(kind, method, None))
    return (_told(code, code.co_firstlineno, source_of(kind)),) if code else ()


def place_of(trace: tuple[str, ...]) -> str:
    """File and line where a trace ends, as in "mybot.py:17"; nothing if there is none.

    >>> place_of(("mybot.py:17 in act: return self.best(view)", "odds.py:3 in best: return self.table[view.street]"))
    'odds.py:3'
    """
    found = re.match(r".+?:\d+", trace[-1]) if trace else None
    return found[0] if found else ""


def located(error: BaseException, source: str) -> str:
    """What went wrong and where, in one line.

    >>> located(KeyError("flop"), "mybot.py")
    "KeyError: 'flop'"
    """
    trace = trace_of(error, source)
    return f"{error_words(error)} at {trace[-1]}" if trace else error_words(error)


def _code(thing: object) -> CodeType | None:
    return getattr(getattr(thing, "__func__", thing), "__code__", None)


def _is_own(file: str, source: str) -> bool:
    folder = os.path.dirname(source)
    if file == source:
        return True
    if not os.path.isabs(folder) or not file.startswith(folder + os.sep):
        return False
    is_ours = file.startswith(_RAILBIRD) and not source.startswith(_RAILBIRD)
    return "site-packages" not in file[len(folder) :] and not is_ours


def _told_path(file: str, source: str) -> str:
    return os.path.relpath(file, os.path.dirname(source)) if _is_own(file, source) else os.path.basename(file)


def _told(code: CodeType, line: int, source: str) -> str:
    place = f"{_told_path(code.co_filename, source)}:{line}"
    where = "" if code.co_name == "<module>" else f" in {code.co_name}"
    linecache.checkcache(code.co_filename)
    text = linecache.getline(code.co_filename, line).strip()
    return f"{place}{where}{f': {shortened(text, MOST_SIGNS)}' if text else ''}"
