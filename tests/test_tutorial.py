"""The tutorial does what it says: its files, commands and Python, in order, in an empty folder."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block: its language, the file it is (if it says so), its text and where it begins."""

    language: str
    title: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    fence = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
    return [Block(m[1], m[2] or "", m[3], page.count("\n", 0, m.start()) + 1) for m in fence.finditer(page)]


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown."""
    found = []
    for part in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        found.append((command, shown))
    return found


def fits(shown: str, told: str) -> bool:
    """Whether output is as shown. `...` stands for any lines, within a line for anything; spaces are not counted."""
    pattern = ""
    for line in shown.splitlines():
        words = re.escape(" ".join(line.split())).replace(r"\.\.\.", ".*")
        pattern += r"(?:.*\n)*?" if line == "..." else words + r"\n"
    lines = [" ".join(line.split()) + "\n" for line in told.splitlines()]
    return not shown or re.fullmatch(pattern, "".join(lines)) is not None


def output_of(command: str) -> str:
    """What a command prints; before it may stand what is typed, as in printf 'c\\nq\\n' | railbird play loki."""
    typed, _, rest = command.rpartition(" | ")
    program, *arguments = shlex.split(rest)
    assert program == "railbird", command
    keys = shlex.split(typed)[1].replace("\\n", "\n") if typed else ""
    environment = {**os.environ, "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "railbird", *arguments],
        input=keys,
        capture_output=True,
        encoding="utf-8",
        env=environment,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


def test_the_tutorial_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, seen = {}, set()
    for block in blocks(TUTORIAL.read_text(encoding="utf-8")):
        seen.add((block.language, bool(block.title)))
        if block.title:
            Path(block.title).write_text(block.text)
        elif block.language == "console":
            for command, shown in commands(block.text):
                told = output_of(command)
                assert fits(shown, told), f"line {block.line}: {command}\n{told}"
        elif block.language == "python":
            test = doctest.DocTestParser().get_doctest(block.text, names, "tutorial", str(TUTORIAL), block.line)
            runner = doctest.DebugRunner(optionflags=FLAGS, verbose=False)
            runner.run(test, clear_globs=False)
            names = test.globs
    assert seen == {("sh", False), ("console", False), ("python", True), ("python", False)}


def test_a_wrong_output_is_noticed():
    assert fits("a\n...\nd  e\n...\n", "a\nb\nc\nd e\n")
    assert fits("a ...\nb\n", "a b c\nb\n")
    assert not fits("a\n...\ne\n", "a\nb\nc\nd\n")
    assert not fits("a\n", "a\nb\n")
