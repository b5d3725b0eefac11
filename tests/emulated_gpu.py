"""The CUDA kernels without a GPU: their source compiled by a C++ compiler, behind as much of CuPy as Railbird uses.

Threads run one after another, which suits kernels whose threads do not wait for each other. Those whose threads do wait
are written for any number of them in a block, and run with one. Whatever Railbird passes to a kernel is held against
its parameters, type by type, since CuPy would not notice; rooms that nobody has filled are full of nan.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from railbird.cache import cache_folder

_PRELUDE = """
#include <cmath>
#include <cstddef>
#include <algorithm>
using std::min;
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(x)
#define __shared__
#define __syncthreads()
struct Three { unsigned x, y, z; };
static Three threadIdx, blockIdx, blockDim, gridDim;
struct int2 { int x, y; };
static inline int2 make_int2(int x, int y) { return {x, y}; }
template <typename T> static inline T __ldg(const T* p) { return *p; }
template <typename T> static inline T atomicAdd(T* p, T v) { T old = *p; *p += v; return old; }
float shared[2 * 52 * 64];
"""
_KERNEL = re.compile(r'extern "C" __global__ void\s+(?:__launch_bounds__\(\w+\)\s+)?(\w+)\(([^)]*)\)')
_KINDS = {
    "float": np.float32,
    "int": np.int32,
    "int2": np.int32,
    "short": np.int16,
    "u16": np.uint16,
    "u64": np.uint64,
    "unsigned char": np.uint8,
    "long long": np.int64,
}


def emulated(source: str) -> SimpleNamespace:
    """A stand-in for the module `cupy`, with the kernels of a source."""
    names = {
        name: getattr(np, name)
        for name in ("zeros", "zeros_like", "ones", "arange", "float32", "int32", "int16", "uint16")
    }
    stream = _Stream()
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError)
    cuda = SimpleNamespace(runtime=runtime, get_current_stream=lambda: stream, Stream=_Stream)
    return SimpleNamespace(
        **names,
        asarray=lambda array: np.array(array, order="C"),
        asnumpy=np.array,
        empty=_unfilled,
        cuda=cuda,
        RawModule=lambda code, options: _Module(source),
    )


def _unfilled(shape, kind):
    return np.full(shape, np.nan if np.issubdtype(kind, np.floating) else -7, kind)


class _Stream:
    """A stream that can be captured: what is started meanwhile is noted, and done when the graph is launched."""

    captured: list | None = None

    def __init__(self, non_blocking: bool = False) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_) -> None:
        pass

    def synchronize(self) -> None:
        assert _Stream.captured is None

    def begin_capture(self) -> None:
        _Stream.captured = []

    def end_capture(self) -> SimpleNamespace:
        noted, _Stream.captured = _Stream.captured, None
        return SimpleNamespace(launch=lambda stream: [start() for start in noted])


class _Module:
    def __init__(self, source: str) -> None:
        self._parameters = {
            name: [re.sub(r"\bconst\b|\w+$", "", part.strip()).replace(" *", "*").strip() for part in told.split(",")]
            for name, told in re.findall(
                r'extern "C" __global__ void\s+(?:__launch_bounds__\(\w+\)\s+)?(\w+)\(([^)]*)\)', source
            )
        }
        bodies = re.split(r'(?=extern "C" __global__)', source)
        self._waiting = {_KERNEL.match(body)[1] for body in bodies if _KERNEL.match(body) and "__syncthreads" in body}
        """Kernels whose threads wait for each other."""
        self._library = ctypes.CDLL(str(_compiled(source, self._parameters)))

    def get_function(self, name: str):
        launch, parameters = getattr(self._library, f"launch_{name}"), self._parameters[name]

        def called(grid, block, given, shared_mem=0):
            assert len(given) == len(parameters), f"{name} takes {len(parameters)} parameters, not {len(given)}"
            assert shared_mem <= 2 * 52 * 64 * 4
            kept, places = [], (ctypes.c_void_p * len(given))()
            for at, (value, kind) in enumerate(zip(given, parameters)):
                wanted = np.dtype(_KINDS[kind.rstrip("*").strip()])
                assert value.dtype == wanted, f"parameter {at} of {name} is {kind}, not {value.dtype}"
                assert isinstance(value, np.ndarray) == kind.endswith("*"), f"parameter {at} of {name}"
                if kind.endswith("*"):
                    assert value.flags.c_contiguous
                    kept.append(ctypes.c_void_p(value.ctypes.data))
                    places[at] = ctypes.addressof(kept[-1])
                else:
                    kept.append(np.array([value]))
                    places[at] = kept[-1].ctypes.data
            sizes = [*grid, 1, 1][:3]
            assert max(sizes[1:]) < 65_536
            threads = 1 if name in self._waiting else int(block[0])
            start = partial(_start, launch, (kept, places), *map(int, sizes), threads)
            start() if _Stream.captured is None else _Stream.captured.append(start)

        return called


def _start(launch, given, *sizes):
    launch(given[1], *sizes)


def _compiled(source: str, parameters: dict[str, list[str]]) -> Path:
    launches = []
    for name, kinds in parameters.items():
        given = ", ".join(f"*({kind}*)given[{at}]" for at, kind in enumerate(kinds))
        launches.append(
            f'extern "C" void launch_{name}(void** given, int x, int y, int z, int threads) {{'
            "gridDim = {(unsigned)x, (unsigned)y, (unsigned)z}; blockDim = {(unsigned)threads, 1, 1};"
            "for (unsigned k = 0; k < gridDim.z; k++) for (unsigned j = 0; j < gridDim.y; j++)"
            "for (unsigned i = 0; i < gridDim.x; i++) for (unsigned t = 0; t < blockDim.x; t++) {"
            f"blockIdx = {{i, j, k}}; threadIdx = {{t, 0, 0}}; {name}({given}); }} }}"
        )
    text = "\n".join([_PRELUDE, source, *launches])
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"emulated-{blake2b(text.encode(), digest_size=8).hexdigest()}.so"
    if not library.exists():
        code = library.with_suffix(".cpp")
        code.write_text(text)
        made = library.with_suffix(".made")
        subprocess.run(["g++", "-O2", "-std=c++17", "-w", "-shared", "-fPIC", "-o", made, code], check=True)
        made.rename(library)
    return library
