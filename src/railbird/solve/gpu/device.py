"""The way to the GPU: CuPy, if it is there, and the compiled kernels of the `.cu` files beside this one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import RailbirdError
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.solve.resolving_rounds import TINY
from railbird.solve.resolved_rest import POWER

LANES = 64
SHARED_BYTES = 2 * 52 * LANES * 4
KERNELS = (
    "sort_boards",
    "pass_reach",
    "pass_answers",
    "respond",
    "learn",
    "train",
    "add_strategy",
    "match_regrets",
    "take_over",
    "rank_boards",
    "bucket_rivers",
    "look_up_rests",
    "spread_rests",
    "value_rests",
    "decide_rests",
    "descend_rests",
    "gather_rests",
    "follow_rests",
    "scale_rests",
    "add_rests",
    "tick_rests",
)
_SOURCES = ("rounds.cu", "river_buckets.cu", "rests.cu")


def gpu_problem() -> str:
    """Why the GPU cannot be used; empty if it can."""
    try:
        import cupy  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return "CuPy is not installed (pip install 'railbird[gpu]')"
    try:
        return "" if cupy.cuda.runtime.getDeviceCount() else "no GPU is visible"
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"no GPU answers: {error}"


def source() -> str:
    """The text of all kernels, which is compiled as one, after numbers that those of the processor go by too."""
    told = f"#define NEARLY_NOTHING {TINY}f\n#define POWER {POWER}\n"
    return told + "".join(Path(__file__).with_name(name).read_text() for name in _SOURCES)


@cache
def gpu() -> tuple[Any, dict[str, Any]]:
    """CuPy and the kernels by name; refuses with the reason where there is no GPU."""
    problem = gpu_problem()
    if problem:
        raise RailbirdError(f"the GPU backend cannot be used: {problem}")
    import cupy

    module = cupy.RawModule(code=source(), options=("--std=c++17",))
    return cupy, {name: module.get_function(name) for name in KERNELS}


def repeat(step: Callable[[], None], times: int) -> None:
    """Start the same kernels so many times: they are captured once and played again, and only they may be in `step`."""
    cupy, _ = gpu()
    cupy.cuda.get_current_stream().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        step()
        graph = stream.end_capture()
        for _ in range(times):
            graph.launch(stream)
    stream.synchronize()


def sorted_boards(boards: NDArray[np.uint8], buckets: Any) -> tuple[Any, Any, Any]:
    """The live holdings of boards in rising order of rank, on the GPU: entries with buckets, ends of ties, counts.

    `buckets` are by street, board and holding; so are the entries.
    """
    cupy, kernels = gpu()
    streets, count = buckets.shape[:2]
    entries = cupy.zeros((streets, count, HOLDING_COUNT, 2), cupy.int32)
    ends = cupy.zeros((count, HOLDING_COUNT), cupy.int16)
    counts = cupy.zeros(count, cupy.int32)
    kernels["sort_boards"](
        (count,),
        (512,),
        (
            *rank_tables(),
            cupy.asarray(boards),
            np.int32(boards.shape[1]),
            cupy.asarray(buckets),
            np.int32(streets),
            entries,
            ends,
            counts,
        ),
    )
    return entries, ends, counts


@cache
def rank_tables() -> tuple[Any, Any]:
    """What the rank of a hand is found by."""
    cupy, _ = gpu()
    return cupy.asarray(TABLE), cupy.asarray(CARD_KEYS)
