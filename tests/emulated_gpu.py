"""The CUDA kernels without a GPU: their source compiled by a C++ compiler, behind as much of CuPy as Railbird uses.

Threads run one after another, which suits kernels whose threads do not wait for each other: all but `sort_boards`,
which the processor's own sorting stands in for. Whatever Railbird passes to a kernel is held against its parameters,
type by type, since CuPy would not notice; rooms that nobody has filled are full of nan.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from railbird.cache import cache_folder
from railbird.cards import holding_cards
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.solve.response_rounds import sort_holdings

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
    stream = SimpleNamespace(synchronize=lambda: None)
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError)
    cuda = SimpleNamespace(runtime=runtime, get_current_stream=lambda: stream)
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


class _Module:
    def __init__(self, source: str) -> None:
        self._parameters = {
            name: [re.sub(r"\bconst\b|\w+$", "", part.strip()).replace(" *", "*").strip() for part in told.split(",")]
            for name, told in re.findall(
                r'extern "C" __global__ void\s+(?:__launch_bounds__\(\w+\)\s+)?(\w+)\(([^)]*)\)', source
            )
        }
        self._library = ctypes.CDLL(str(_compiled(source, self._parameters)))

    def get_function(self, name: str):
        if name == "sort_boards":
            return _sort_boards
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
            launch(places, *map(int, sizes), int(block[0]))

        return called


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


def _sort_boards(grid, block, given, shared_mem=0):
    _, _, boards, cards, buckets, streets, entries, ends, counts = given
    pairs = np.array([holding_cards(holding) for holding in range(1326)], np.int32)
    packed = np.arange(1326, dtype=np.int32) | pairs[:, 0] << 11 | pairs[:, 1] << 17
    for at, board in enumerate(boards.reshape(-1, int(cards))):
        order, until = np.empty((2, 1326), np.int32)
        count = sort_holdings(TABLE, CARD_KEYS, board, order, until, np.empty(1326, np.int64))
        counts[at], ends[at, :count] = count, until[:count]
        for street in range(int(streets)):
            entries[street, at, :count, 0] = packed[order[:count]]
            entries[street, at, :count, 1] = buckets[street, at, order[:count]]
