"""Programs as players, asked for by text: started by Railbird, in any language.

./program                  speaks the competition's protocol: started as `./program HOST PORT`
./program:learns=yes       the same; it remembers earlier hands, so it plays them in order over one connection
lines:COMMAND              speaks lines (docs/programs.md): lines:python3 caller.py
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.bots.neighbours import source_files, source_hash
from railbird.bots.registry import LINES, BotSpec, is_program, new_place
from railbird.errors import UnknownBotError
from railbird.numbers import quoted
from railbird.parameters import parameters_of, read_arguments, split_parameters

if TYPE_CHECKING:
    from railbird.bots.base import Bot
    from railbird.parameters import Parameter

_SEPARATORS = ":|# ()"
_INTERPRETER = re.compile(r"(python|pypy|node|deno|bun|java|ruby|perl|lua|php|julia|sh|bash|env)[\d.]*")
_LONGEST_SETTINGS = 40
"""So much of its arguments has a program in its name."""


def bot_spec(text: str) -> BotSpec:
    """The bot or the program that a text asks for."""
    if not is_program(text):
        return BotSpec(text)
    return LinesSpec(text) if text.startswith(LINES) else CompetitionSpec(text)


class ProgramSpec(BotSpec):
    """A program as it was asked for."""

    is_program = True

    @property
    def is_built_in(self) -> bool:
        return False

    @property
    def presets(self) -> dict[str, str]:
        return {}

    @property
    def words(self) -> list[str]:
        """The command that starts it."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        words = self.words
        at = _script(words)
        name = Path(words[at]).name or words[at]
        rest = ",".join(map(_plain, [*words[at + 1 :], *self._settings()]))
        return _plain(name) + (f"({rest[:_LONGEST_SETTINGS]})" if rest else "")

    @property
    def file(self) -> Path:
        words = self.words
        return Path(words[_script(words)])

    def fingerprint(self) -> str:
        """Hashes of the files that the command names; of Python's with those beside it that they import."""
        self._refuse_missing()
        return " ".join([_hash(file) for file in self._named])

    @property
    def files(self) -> list[Path]:
        """The files that the command names, but not what runs them; of Python's those too that they import."""
        return [each for file in self._travelling for each in (source_files(file) if file.suffix == ".py" else [file])]

    @property
    def _named(self) -> list[Path]:
        return [Path(word) for word in self.words if _is_file(word)]

    @property
    def _travelling(self) -> list[Path]:
        return [file for file in self._named if not _INTERPRETER.fullmatch(file.name)]

    def make(self) -> Bot:
        """A new bot, whose program is started."""
        self._refuse_missing()
        return self.load()(**self._arguments())

    def _settings(self) -> list[str]:
        """What was said about the program beside the command."""
        return []

    def _arguments(self) -> dict[str, Any]:
        raise NotImplementedError

    def _refuse_missing(self) -> None:
        """Refuse a program that is not there or cannot be started."""
        program = self.words[0]
        name = quoted(program, 200)
        if "/" not in program:
            if not shutil.which(program):
                raise UnknownBotError(f"no program {name} is installed, which {quoted(self.text, 200)} asks for")
        elif os.path.isdir(program):
            raise UnknownBotError(f"{name} is a folder, not a program")
        elif not _is_file(program):
            first = program.split(" ")[0]
            if first != program and _is_file(first):
                way_out = f"{quoted(first, 200)} is one; give it its arguments in a script of its own: #!/bin/sh"
            else:
                way_out = "a text with a / is the way to a program; bots: railbird bots"
            raise UnknownBotError(f"no program {name} ({way_out})")
        elif not os.access(program, os.X_OK):
            raise UnknownBotError(f"{name} cannot be executed (chmod +x {shlex.quote(program)}){_hint(program)}")


class CompetitionSpec(ProgramSpec):
    """A program that speaks the competition's protocol."""

    @property
    def words(self) -> list[str]:
        return [split_parameters(self.text, UnknownBotError)[0]]

    def moved(self, places: Mapping[str, str]) -> BotSpec:
        program, *_ = self.words
        return type(self)(new_place(places, program) + self.text[len(program) :])

    @property
    def parameters(self) -> list[Parameter]:
        return [each for name, each in parameters_of(self.load()).items() if name != "program"]

    def load(self) -> type[Bot]:
        from railbird.bots.competition_program import CompetitionProgram

        return CompetitionProgram

    def _settings(self) -> list[str]:
        return [f"{name}={value}" for name, value in split_parameters(self.text, UnknownBotError)[1].items()]

    def _arguments(self) -> dict[str, Any]:
        program, given = split_parameters(self.text, UnknownBotError)
        arguments = read_arguments(self.load(), given, self.text, UnknownBotError, fixed=("program",))
        return {"program": program, **arguments}


class LinesSpec(ProgramSpec):
    """A command that speaks lines."""

    @property
    def words(self) -> list[str]:
        try:
            words = shlex.split(self.text.removeprefix(LINES))
        except ValueError as error:
            raise UnknownBotError(f"{quoted(self.text, 200)} is no command: {error}") from None
        if not words:
            raise UnknownBotError(f"{quoted(self.text)} names no command; write lines:COMMAND")
        return words

    def moved(self, places: Mapping[str, str]) -> BotSpec:
        return type(self)(LINES + shlex.join([new_place(places, word) for word in self.words]))

    @property
    def parameters(self) -> list[Parameter]:
        return []

    def load(self) -> type[Bot]:
        from railbird.bots.lines_program import LinesProgram

        return LinesProgram

    def _arguments(self) -> dict[str, Any]:
        return {"command": self.words}


def _script(words: list[str]) -> int:
    """Which word of a command names what is run: the first, or the script that an interpreter is given."""
    if not _INTERPRETER.fullmatch(Path(words[0]).name):
        return 0
    return next((at for at, word in enumerate(words) if at and word[:1] != "-" and ("/" in word or "." in word)), 0)


def _plain(text: str) -> str:
    """Text as a part of a name in logs."""
    return "".join("_" if sign in _SEPARATORS or not sign.isprintable() else sign for sign in text)


def _is_file(path: str) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:  # it cannot be a path
        return False


def _hash(file: Path) -> str:
    if file.suffix == ".py":
        return source_hash(file)
    found = file.stat()
    return _content_hash(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def _content_hash(path: Path, _changed: int, _size: int) -> str:
    """The SHA-256 of a file, which may be large and is asked for whenever a program is started."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hint(program: str) -> str:
    """What else may be meant by the way to a file of Python."""
    return f"; a bot in it is {program}:CLASS" if program.endswith(".py") else ""
