"""What a bot's file is made of: itself, and the files beside it that it imports.

Imports are read from the source, so nothing is executed, and two bots in one folder do not count each other's files.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def source_hash(file: Path) -> str:
    """The SHA-256 of a bot's file; where it imports files beside it, a hash of all their hashes."""
    hashes = {each: hashlib.sha256(each.read_bytes()).hexdigest() for each in source_files(file)}
    if len(hashes) == 1:
        return hashes[file]
    lines = sorted(f"{each.relative_to(file.parent).as_posix()} {found}" for each, found in hashes.items())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def source_files(file: Path) -> list[Path]:
    """A bot's file and, as far as their imports lead, the files in its folder and in packages there."""
    found, following = [file], [file]
    while following:
        here = following.pop()
        for each in _imported(here, file.parent):
            if each not in found:
                found.append(each)
                following.append(each)
    return found


def foreign_neighbour(file: Path) -> tuple[Path, Path] | None:
    """A file beside a loaded bot's that it imports, and the other file of that name which it got instead, if any.

    Python has one module of a name: of bots in several folders, all get the one that was loaded first.
    """
    for each in source_files(file)[1:]:
        name = ".".join(each.relative_to(file.parent).with_suffix("").parts)
        got = getattr(sys.modules.get(name.removesuffix(".__init__")), "__file__", None)
        if got and Path(got).resolve() != each.resolve() and Path(got).read_bytes() != each.read_bytes():
            return each, Path(got)
    return None


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """The files under `folder` that a file imports."""
    tree: ast.AST = ast.Module([], [])
    with suppress(SyntaxError, ValueError):  # whoever loads it says so
        tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(folder, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            start = file.parents[node.level - 1] if node.level else folder
            for alias in node.names if start.is_relative_to(folder) else ():
                yield from _modules(start, [*(node.module or "").split("."), alias.name])


def _modules(start: Path, parts: list[str]) -> Iterator[Path]:
    """The files of a module and of the packages it is in, as far as they are under `start`."""
    place = start
    for part in filter(None, parts):
        place = place / part
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                yield file
