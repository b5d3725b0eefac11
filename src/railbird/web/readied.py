"""Loaded once by the process that all others of the server are forked from: what Numba must have at hand before it runs
any kernel, its rules for types and SciPy's libraries. Else the first answer of every process would wait for it."""

from __future__ import annotations

from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
