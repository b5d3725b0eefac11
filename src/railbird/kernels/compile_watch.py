"""What is told while kernels are compiled: after a second, a bar with the kernel and how many of its parts are done."""

from __future__ import annotations

from contextlib import ExitStack
from time import monotonic

from railbird.progress import Watch, live_bar

SILENT_SECONDS = 1.0
"""So much compiling in a process, all in all, goes unmentioned."""


class CompileWatch:
    """Knows which kernel is being compiled, and tells whoever waits."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._kernel, self._parts, self._done, self._began = "", 0, 0, 0.0
        self._shown = ExitStack()
        self._watch: Watch | None = None

    def __call__(self, kernel: str, parts: int) -> CompileWatch:
        self._kernel, self._parts, self._done, self._began = kernel, parts + 1, 0, monotonic()
        return self

    def __enter__(self) -> None:
        self._tell()

    def __exit__(self, *_error: object) -> None:
        self._seconds += monotonic() - self._began
        self._kernel = ""
        self._watch = None
        self._shown.close()

    def part_done(self) -> None:
        """A part of the kernel is compiled."""
        if self._kernel:  # and not a part of a function that Numba compiles in its usual way
            self._done += 1
            self._tell()

    def _tell(self) -> None:
        if self._seconds + monotonic() - self._began < SILENT_SECONDS:
            return
        if self._watch is None:
            self._watch = self._shown.enter_context(live_bar("compiling, once", patience=0.0))
        if self._watch is not None:
            self._watch(min(self._done, self._parts), self._parts, self._kernel)


compile_watch = CompileWatch()
