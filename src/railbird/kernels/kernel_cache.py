"""Where compiled kernels are kept: a cache that cannot be stale.

Numba's own cache looks at the file of a function and not at the files of the functions it calls. Here every module of
kernels has a fingerprint: of its own source, of all kernel modules that it imports, directly or not, and of the
versions of Python, NumPy, Numba and llvmlite. Compiled code lies in a folder of that name, so a change anywhere among
these leads to another folder, and going back to what was there before leads back. Modules that a change does not reach
keep theirs.

Folders that nothing has used for two weeks are removed when something new is compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from pickle import UnpicklingError

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from railbird.cache import KERNELS, UNUSED_SECONDS, cache_folder, mark_used

PACKAGE = "railbird.kernels"
_ROOT = Path(__file__).parent
_IMPORT = re.compile(rf"^from {re.escape(PACKAGE)}(\.[\w.]+)? import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_TOOLS = f"{sys.version} {np.__version__} {numba.__version__} {llvmlite.__version__}"


@cache
def fingerprint(module: str) -> str:
    """What compiled code of a module of kernels depends on, as text that can name a folder."""
    found = sha256(_TOOLS.encode())
    for name in sorted(_reached(module)):
        found.update(name.encode() + b"\0" + _source(name))
    return found.hexdigest()[:20]


def _reached(module: str) -> set[str]:
    """A module of kernels, and those it imports, directly or not."""
    reached, waiting = set(), [module]
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached.add(name)
            waiting += _imported(name)
    return reached


@cache
def _imported(module: str) -> tuple[str, ...]:
    """The modules of kernels that a module imports."""
    found = []
    for package, names in _IMPORT.findall(_source(module).decode()):
        if _path(PACKAGE + package).is_file():
            found.append(PACKAGE + package)
        else:
            words = (part.split()[0] for part in names.strip("()").split(",") if part.strip())
            found += [f"{PACKAGE}{package}.{word}" for word in words]
    return tuple(found)


@cache
def _source(module: str) -> bytes:
    return _path(module).read_bytes()


def _path(module: str) -> Path:
    return _ROOT.joinpath(*module.split(".")[2:]).with_suffix(".py")


class _Folder(_CacheLocator):
    """The folder of a module's compiled code."""

    def __init__(self, path: Path, line: int) -> None:
        self._path, self._line = path, line

    @classmethod
    def from_function(cls, py_func: Callable, py_file: str) -> _Folder | None:
        path = folder_of(py_func.__module__)
        return cls(path, py_func.__code__.co_firstlineno) if path is not None else None

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        if not self._path.exists():
            self._path.mkdir(parents=True, exist_ok=True)
            _remove_unused(self._path.parent)


class _CacheFiles(CompileResultCacheImpl):
    _locator_classes = [_Folder]  # noqa: RUF012


class KernelCache(FunctionCache):
    """The compiled code of one kernel on the disk."""

    _impl_class = _CacheFiles

    @property
    def is_kept(self) -> bool:
        """Whether there is any."""
        return os.path.exists(self._cache_file._index_path)

    # What cannot be read is compiled again, and what cannot be kept is good all the same.

    def load_overload(self, sig, target_context):
        with suppress(OSError, EOFError, UnpicklingError):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig, data) -> None:
        with suppress(OSError, EOFError, UnpicklingError):
            super().save_overload(sig, data)


@cache
def folder_of(module: str) -> Path | None:
    """The folder of a module of kernels, marked as used now; None for another, or where none can be written."""
    if not module.startswith(PACKAGE + "."):
        return None
    parent = cache_folder() / KERNELS
    try:
        parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if not os.access(parent, os.W_OK):
        return None
    folder = parent / f"{module.removeprefix(PACKAGE + '.')}-{fingerprint(module)}"
    mark_used(folder)
    return folder


def _remove_unused(parent: Path) -> None:
    for folder in parent.iterdir():
        with suppress(OSError):  # gone meanwhile, or another user's
            if time.time() - folder.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(folder)
