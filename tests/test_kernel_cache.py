"""Compiled kernels are found again, and never when anything they were compiled from has changed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from railbird.cache import cache_folder
from railbird.kernels import kernel_cache
from railbird.kernels.compiling import kernel

SOURCES = Path(kernel_cache.__file__).parents[1]
COPIED = (
    "__init__.py",
    "cache.py",
    "kernels/__init__.py",
    "kernels/compile_watch.py",
    "kernels/compiling.py",
    "kernels/kernel_cache.py",
    "json_files.py",
    "numbers.py",
    "progress.py",
    "kernels/cards/__init__.py",
    "kernels/cards/splitmix.py",
)
DICE = """
from railbird.kernels.cards.splitmix import GOLDEN, below, mix
from railbird.kernels.compiling import kernel

@kernel
def roll(state):
    return below(mix(state + GOLDEN), 6)
"""
APART = """
from railbird.kernels.compiling import kernel

@kernel
def double(number):
    return 2 * number
"""
PROGRAM = """
import json
import numpy as np
from railbird.kernels import apart, dice
found = [int(dice.roll(np.uint64(1))), apart.double(4)]
hits = [sum(kernel.stats.cache_hits.values()) for kernel in (dice.roll, apart.double)]
print(json.dumps([found, hits]))
"""
DAY = 24 * 3600


class Copy:
    """A copy of some kernels, which can be changed and run with a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.package, self.cache = folder / "src" / "railbird", folder / "cache"
        for name in COPIED:
            target = self.package / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCES / name, target)
        (self.package / "kernels" / "dice.py").write_text(DICE)
        (self.package / "kernels" / "apart.py").write_text(APART)

    def change(self, old: str, new: str) -> None:
        path = self.package / "kernels" / "cards" / "splitmix.py"
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    def run(self) -> tuple[list[int], list[int]]:
        """What `roll` and `double` answer in a process of their own, and how often each was found compiled."""
        environment = {**os.environ, "PYTHONPATH": str(self.package.parent), "RAILBIRD_CACHE": str(self.cache)}
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found, hits = json.loads(done.stdout)
        return found, hits

    def folder(self, module: str) -> Path:
        (folder,) = (self.cache / "kernels").glob(f"{module}-*")
        return folder


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_a_change_in_a_helper_that_a_kernel_calls_is_seen(copy):
    (rolled, doubled), hits = copy.run()
    assert 0 <= rolled < 6
    assert doubled == 8
    assert hits == [0, 0]
    apart = {path: path.stat().st_mtime_ns for path in copy.folder("apart").iterdir()}
    assert apart
    before = "return ((bits >> _U11) * np.uint64(count)) >> _U53"
    copy.change(before, "return np.uint64(count)")
    assert copy.run() == ([6, 8], [0, 1])
    assert {path: path.stat().st_mtime_ns for path in copy.folder("apart").iterdir()} == apart
    copy.change("return np.uint64(count)", before)
    assert copy.run() == ([rolled, 8], [1, 1])


def test_folders_that_nothing_uses_are_removed(copy):
    copy.run()
    kernels = copy.cache / "kernels"
    used, unused, recent = copy.folder("apart"), kernels / "gone-0123", kernels / "kept-0123"
    for folder, days in ((used, 20), (unused, 15), (recent, 13)):
        folder.mkdir(exist_ok=True)
        (folder / "file").touch()
        then = time.time() - days * DAY
        os.utime(folder, (then, then))
    copy.change("_U53 = ", "_U53 =  ")  # what is compiled anew needs a folder
    assert copy.run()[1] == [0, 1]
    assert used.exists()
    assert time.time() - used.stat().st_mtime < DAY
    assert recent.exists()
    assert not unused.exists()


def test_kernels_work_where_nothing_can_be_written(copy):
    copy.cache.write_text("in the way")
    assert copy.run()[0][1] == 8
    copy.cache.unlink()
    copy.run()
    # A file stands where a folder should be, so that nothing can be read there or written; others are damaged.
    folder = copy.folder("apart")
    shutil.rmtree(folder)
    folder.write_text("in the way")
    for path in copy.folder("dice").iterdir():
        path.write_bytes(b"")
    assert copy.run()[1] == [0, 0]
    assert folder.read_text() == "in the way"


MODULES = [
    ".".join([kernel_cache.PACKAGE, *path.relative_to(SOURCES / "kernels").with_suffix("").parts])
    for path in sorted((SOURCES / "kernels").rglob("*.py"))
    if path.name != "__init__.py"
]


@pytest.mark.parametrize("module", MODULES)
def test_the_imports_that_are_found_are_those_of_the_parser(module):
    expected = set()
    for node in ast.walk(ast.parse(kernel_cache._source(module))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("railbird") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(kernel_cache.PACKAGE):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            expected |= {node.module} if kernel_cache._path(node.module).is_file() else set(names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
    assert set(kernel_cache._imported(module)) == expected


def test_what_is_reached_by_way_of_others_counts():
    assert "railbird.kernels.cards.ranking" in kernel_cache._reached("railbird.kernels.divat.streets")
    assert "railbird.kernels.divat.streets" not in kernel_cache._reached("railbird.kernels.cards.ranking")


def test_a_kernel_that_only_kernels_call_is_a_part_of_theirs():
    """It has no code of its own on the disk, and can be called from Python all the same."""

    @kernel
    def doubled(number):
        return 2 * number

    @kernel
    def doubled_twice(number):
        return doubled(doubled(number))

    assert doubled_twice(3) == 12
    assert not doubled.overloads
    assert [str(signature[0]) for signature in doubled.part.overloads] == ["int64"]
    assert doubled(3) == 6
    assert doubled_twice(1.5) == 6.0


def test_an_error_in_a_part_reaches_python():
    @kernel
    def quotient(number, by):
        return number // by

    @kernel
    def half(number):
        return quotient(number, 2) + quotient(number, number - 4)

    assert half(6) == 6
    with pytest.raises(ZeroDivisionError):
        half(4)


def test_usual_functions_of_numba_call_kernels_and_share_its_own_functions_with_them():
    """Also those that were compiled as parts of others before, with all that they call in turn."""

    @kernel
    def doubled(number):
        return 2 * number

    @kernel
    def counted(number):
        room = np.zeros(doubled(number), np.int64)
        for at in range(len(room)):
            room[at] = max(at, doubled(at))
        return room.sum()

    @kernel
    def counted_twice(number):
        return doubled(counted(number))

    @njit
    def usual(number):
        room = np.zeros(number, np.int64)
        room[:] = counted(number)
        return room.sum() + max(number, 3)

    assert counted_twice(3) == 60
    assert usual(3) == 93
    assert counted(3) == 30


def test_damaged_code_is_compiled_again(copy):
    """A bit of machine code that has changed would otherwise crash the process, and a pickle raise anything."""
    copy.run()
    for at, path in enumerate(sorted(copy.cache.rglob("*.nb?"))):
        content = bytearray(path.read_bytes())
        content[[40, len(content) // 2, len(content) - 9][at % 3]] ^= 255
        path.write_bytes(content)
    assert copy.run()[1] == [0, 0]
    assert copy.run()[1] == [1, 1]


def test_a_cache_that_cannot_be_written_is_read_and_one_that_cannot_be_at_all_is_said_once(copy):
    copy.run()
    folders = [copy.cache / "kernels", *(copy.cache / "kernels").iterdir()]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert copy.run()[1] == [1, 1]
    finally:
        for folder in folders:
            folder.chmod(0o755)
    shutil.rmtree(copy.cache)
    copy.cache.write_text("in the way")
    environment = {**os.environ, "PYTHONPATH": str(copy.package.parent), "RAILBIRD_CACHE": str(copy.cache)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.stderr.count("compiled kernels are not kept") == 1
    assert str(copy.cache) in done.stderr


def test_without_a_home_there_is_a_cache_folder_that_cannot_be(monkeypatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("RAILBIRD_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(OSError):  # noqa: PT011
        cache_folder().mkdir(parents=True)
