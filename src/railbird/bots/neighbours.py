"""What a bot's file is made of: itself, and the files beside it that it imports.

Imports are read from the source, so nothing is executed, and two bots in one folder do not count each other's files.
Where a source changes `sys.path`, what it imports is looked for in all folders below its own; and where it does not say
what it imports, as with a name put together, every module there counts.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.machinery import all_suffixes
from pathlib import Path
from threading import Lock

_IMPORTERS = ("import_module", "__import__")
_LOADERS = ("exec", "execfile", "run_path", "run_module", "spec_from_file_location", "SourceFileLoader")
"""Calls that may run any file."""
_DEEPEST = 3
_MOST_FOLDERS = 200
_LONGEST_NAME = 100
_PARSING = Lock()
"""Python 3.11 counts how deep it is in a tree for all threads together, and fails where two of them parse at once."""
_FOREIGN = ("__pycache__", "site-packages", "node_modules")


def source_hash(file: Path) -> str:
    """The SHA-256 of a bot's file; where it imports files beside it, a hash of all their hashes."""
    hashes = {each: hashlib.sha256(each.read_bytes()).hexdigest() for each in source_files(file)}
    if len(hashes) == 1:
        return hashes[file]
    lines = sorted(f"{each.relative_to(file.parent).as_posix()} {found}" for each, found in hashes.items())
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def source_files(file: Path) -> list[Path]:
    """A bot's file and, as far as their imports lead, the files in its folder and in packages there."""
    found = _reached(file, [file.parent])
    if any(_changes_path(_parsed(each)) for each in found):
        found = _reached(file, list(_folders_in(file.parent)))
    return found


def _reached(file: Path, places: Sequence[Path]) -> list[Path]:
    """A bot's file and what is imported from there on, if modules are looked for in these folders."""
    found, following = {file: None}, [file]
    while following:
        for each in _imported(following.pop(), places):
            if each not in found:
                found[each] = None
                following.append(each)
    return list(found)


def foreign_neighbour(file: Path) -> tuple[Path, Path] | None:
    """A file beside a loaded bot's that it imports, and the other file of that name which it got instead, if any.

    Python has one module of a name: of bots in several folders, all get the one that was loaded first.
    """
    for each in source_files(file)[1:]:
        place = each.relative_to(file.parent)
        name = ".".join((*place.parts[:-1], place.name.partition(".")[0]))
        got = getattr(sys.modules.get(name.removesuffix(".__init__")), "__file__", None)
        if got and Path(got).resolve() != each.resolve() and Path(got).read_bytes() != each.read_bytes():
            return each, Path(got)
    return None


def _parsed(file: Path) -> ast.AST:
    """The source of a file; nothing where it cannot be read, which whoever loads it will say."""
    if file.suffix == ".py":
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError), _PARSING:
            return ast.parse(file.read_bytes())
    return ast.Module([], [])


def _changes_path(tree: ast.AST) -> bool:
    """Whether a source does something with `sys.path`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
                return True
            case ast.ImportFrom(module="sys"):
                return True
    return False


def _imported(file: Path, places: Sequence[Path]) -> Iterator[Path]:
    """The files that a file imports from folders, the first of which is the bot's."""
    for node in ast.walk(_parsed(file)):
        match node:
            case ast.Import():
                for alias in node.names:
                    yield from _named(places, alias.name)
            case ast.ImportFrom():
                yield from _taken_from(node, file, places)
            case ast.Call():
                yield from _called(node, places)


def _taken_from(node: ast.ImportFrom, file: Path, places: Sequence[Path]) -> Iterator[Path]:
    """The files of `from ... import ...`; of a package from which everything is taken, all its modules."""
    start = file.parents[node.level - 1] if 0 < node.level <= len(file.parents) else places[0]
    for alias in node.names if start.is_relative_to(places[0]) else ():
        words = ".".join(filter(None, (node.module, "" if alias.name == "*" else alias.name)))
        yield from _modules(start, words) if node.level else _named(places, words)
        if alias.name == "*":
            for place in [start] if node.level else places:
                package = place.joinpath(*words.split("."))
                yield from _all_modules(package) if package != places[0] else ()


def _called(node: ast.Call, places: Sequence[Path]) -> Iterator[Path]:
    """The files of a call that imports; all of them where it does not say which."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in _LOADERS:
        yield from _all_modules(places[0])
    if called not in _IMPORTERS:
        return
    given = [*node.args, *(each.value for each in node.keywords if each.arg in ("name", "package"))]
    words = [each.value if isinstance(each, ast.Constant) else None for each in given]
    if len(words) == 1 and isinstance(words[0], str) and not words[0].startswith("."):
        yield from _named(places, words[0])
    else:
        yield from _all_modules(places[0])


def _named(places: Sequence[Path], name: str) -> Iterator[Path]:
    """The files of a module by its full name, which may begin with those of the folders that the bot's is in."""
    for place in places:
        yield from _modules(place, name)
    home, parts = places[0].resolve(), tuple(name.split("."))
    for parent in home.parents:
        way = home.relative_to(parent).parts
        if parts[: len(way)] == way:
            yield from _modules(places[0], ".".join(parts[len(way) :]))


def _modules(start: Path, name: str) -> Iterator[Path]:
    """The files of a module and of the packages it is in, as far as they are under `start`."""
    place = start
    for part in filter(None, name.split(".")):
        if not part.isidentifier() or len(part) > _LONGEST_NAME:
            return
        place = place / part
        for suffix in all_suffixes():
            for file in (place.with_name(part + suffix), place / f"__init__{suffix}"):
                if file.is_file():
                    yield file


def _all_modules(folder: Path) -> Iterator[Path]:
    """Every module in a folder and in those below it."""
    endings = tuple(all_suffixes())
    for place in _folders_in(folder):
        yield from sorted(each for each in place.iterdir() if each.name.endswith(endings) and each.is_file())


def _folders_in(folder: Path) -> Iterator[Path]:
    """A folder and those below it, as many and as deep as a bot may be made of; hidden ones do not count."""
    found = 0
    for place, inside, _ in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        inside[:] = sorted(each for each in inside if not each.startswith(".") and each not in _FOREIGN)
        if depth == _DEEPEST:
            inside.clear()
        if found < _MOST_FOLDERS:
            found += 1
            yield Path(place)
        else:
            return
