"""Processes of the server. They are forked from one that has loaded the code and does nothing else, so that each begins
at once and the memory of what was loaded is shared; where a system cannot fork, each loads the code itself."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

_CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if _CAN_FORK else "spawn")
if _CAN_FORK:
    _loaded = ("table_threads", "explore", "strengths", "readied")
    _context.set_forkserver_preload([f"railbird.web.{name}" for name in _loaded])


def begun(work: Callable[..., None], *args: Any) -> BaseProcess:
    """A process that has begun with this work, a function at the top of a module; it ends when this one does."""
    process: BaseProcess = _context.Process(target=_do, args=(dict(os.environ), os.getcwd(), work, *args), daemon=True)
    process.start()
    return process


def _do(environment: dict[str, str], folder: str, work: Callable[..., None], *args: Any) -> None:
    """Work as this process would, not as the one that it was forked from."""
    gc.freeze()  # or looking for what nobody needs would copy all that is shared
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    work(*args)
