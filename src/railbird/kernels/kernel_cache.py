"""Where compiled kernels are kept: a cache that cannot be stale.

Numba's own cache looks at the file of a function and not at the files of the functions it calls. Here every module of
kernels has a fingerprint: of its own source, of all kernel modules that it imports, directly or not, and of the
versions of Python, NumPy, Numba and llvmlite. Compiled code lies in a folder of that name, so a change anywhere among
these leads to another folder, and going back to what was there before leads back. Modules that a change does not reach
keep theirs.

Every file begins with a checksum, without which damaged code might run: what is damaged, or cannot be read, is compiled
again. Where nothing can be written, kernels are compiled in every process anew, and a warning says so once.

Folders that nothing has used for two weeks are removed when something new is compiled.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from railbird.cache import KERNELS, NOT_KEPT, UNUSED_SECONDS, cache_folder, mark_used

PACKAGE = "railbird.kernels"
_ROOT = Path(__file__).parent
_IMPORT = re.compile(rf"^from {re.escape(PACKAGE)}(\.[\w.]+)? import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_CHECKSUM_BYTES = 32
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


class _CheckedFiles(IndexDataCacheFile):
    """Numba's files of a kernel, its index and its code, each behind a checksum."""

    def _load_index(self) -> dict:
        try:
            stamp, names = pickle.loads(_checked(Path(self._index_path)))
        except OSError:
            return {}
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> tuple:
        return pickle.loads(_checked(Path(self._data_path(name))))

    def _save_data(self, name: str, data: tuple) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, thing: tuple) -> None:
        content = self._dump(thing)
        with self._open_for_write(path) as file:
            file.write(sha256(content).digest() + content)


def _checked(path: Path) -> bytes:
    """What a file holds behind its checksum; an error of the system if that does not fit."""
    whole = path.read_bytes()
    content = whole[_CHECKSUM_BYTES:]
    if sha256(content).digest() != whole[:_CHECKSUM_BYTES]:
        raise OSError(f"{path} is damaged")
    return content


class KernelCache(FunctionCache):
    """The compiled code of one kernel on the disk."""

    _impl_class = _CacheFiles

    def __init__(self, function: Callable) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    @property
    def is_kept(self) -> bool:
        """Whether there is any."""
        return os.path.exists(self._cache_file._index_path)

    # What cannot be read is compiled again, and what cannot be kept is good all the same.

    def load_overload(self, sig, target_context):
        with suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig, data) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_not_kept(str(cache_folder()), error.strerror or str(error))


@cache
def _warn_not_kept(folder: str, why: str) -> None:
    """Say once that kernels are compiled in vain, if this is not one of several workers."""
    if multiprocessing.parent_process() is None:
        warnings.warn(
            f"{NOT_KEPT}: cannot write to {folder!r}: {why}; with $RAILBIRD_CACHE they go elsewhere",
            stacklevel=2,
        )


@cache
def folder_of(module: str) -> Path | None:
    """The folder of a module of kernels, marked as used now; None for another module."""
    if not module.startswith(PACKAGE + "."):
        return None
    folder = cache_folder() / KERNELS / f"{module.removeprefix(PACKAGE + '.')}-{fingerprint(module)}"
    mark_used(folder)
    return folder


def _remove_unused(parent: Path) -> None:
    for folder in parent.iterdir():
        with suppress(OSError):  # gone meanwhile, or another user's
            if time.time() - folder.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(folder)
