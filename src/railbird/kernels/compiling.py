"""`kernel`: Numba's `njit`, compiled in half the time and kept in a cache that cannot be stale.

Numba makes finished machine code of every function, with a wrapper by which Python calls it, and optimises what a
function calls again in each of its callers. Here a kernel is finished only if Python calls it. Then all that it calls,
directly or not, is linked into one module as it was first written down, optimised once and made into code once. A
kernel that only other kernels call never becomes more than a part of theirs.

So a kernel is two of Numba's dispatchers: a `Kernel`, which Python calls and whose code is kept on the disk, and the
`part` that stands for it in other kernels.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher

from railbird.kernels.compile_watch import compile_watch
from railbird.kernels.kernel_cache import KernelCache, folder_of


def kernel(function: Callable | None = None, **options):
    """Compile a function as `numba.njit` does, once for each fingerprint of its module."""
    if function is None:
        return lambda found: kernel(found, **options)
    return Kernel(function, {"nopython": True, "no_cfunc_wrapper": True, **options})


class Kernel(CPUDispatcher):
    """A kernel as Python calls it."""

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=_WholeCompiler)
        self.part = _PartOfKernels(function, targetoptions=options, pipeline_class=_PartCompiler)
        if folder_of(function.__module__) is not None:
            self._cache = KernelCache(function)

    @property
    def is_compiled(self) -> bool:
        """Whether there is code for it, here or on the disk."""
        return bool(self.overloads) or (isinstance(self._cache, KernelCache) and self._cache.is_kept)

    @property
    def _numba_type_(self) -> types.Dispatcher:
        """What Numba takes it for where another kernel calls it."""
        return types.Dispatcher(self.part)


class _PartOfKernels(CPUDispatcher):
    """A kernel as other kernels call it."""

    def get_call_template(self, arguments, keywords):
        """As usual, but compiled once for all numbers, where Numba would do it for each constant in a call anew."""
        named = {name: types.unliteral(kind) for name, kind in keywords.items()}
        return super().get_call_template([types.unliteral(kind) for kind in arguments], named)


class _WholeCompiler(Compiler):
    """Compiles a kernel for Python, and whatever it calls as parts of it."""

    def _compile_core(self):
        codegen = self.state.targetctx.codegen()
        name = self.state.func_id.func_name
        self.state.library = _Whole(codegen, self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        with compile_watch(name, len(_reached_kernels(self.state.func_id.func))), _no_collection():
            codegen._library_class = _Part  # for the functions of Numba itself too; under Numba's lock
            try:
                compiled = super()._compile_core()
            finally:
                del codegen._library_class
            for environment in compiled._find_referenced_environments():
                codegen.set_env(environment.env_name, environment)
        return compiled


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for garbage among the many small objects of a compiler, which takes a tenth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _PartCompiler(Compiler):
    """Compiles a kernel that another one calls."""

    def _compile_core(self):
        compiled = super()._compile_core()
        compile_watch.part_done()
        return compiled


class _Part(JITCodeLibrary):
    """The code of one function, to be linked into other code: simplified a little, never finished, called or kept."""

    _with_all: llvm.ModuleRef | None = None

    @property
    def codegen(self) -> _Part:
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Nothing: the code that will run is in another library."""

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def add_ir_module(self, module: ir.Module) -> None:
        if module.name not in ("wrapper", "cfunc_wrapper"):
            super().add_ir_module(module)

    def finalize(self) -> None:
        self._finalized = True

    def alone(self) -> llvm.ModuleRef:
        """The function without those that it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """The function with all that it calls: for code that Numba compiles in its usual way."""
        if self._with_all is None:
            module = self.alone().clone()
            for library in _callers_first(self._linking_libraries):
                module.link_in(_linked_alone(library), preserve=True)
            self._with_all = module
        return self._with_all


class _Whole(JITCodeLibrary):
    """The code of a kernel and of all that it calls."""

    def finalize(self) -> None:
        self._linking_libraries = [_Alone(library) for library in _callers_first(self._linking_libraries)]
        super().finalize()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """What is kept on the disk: the machine code, and of the code it was made from only the names."""
        self._ensure_finalized()
        return self.name, "object", (self._get_compiled_object(), _names_only(self.get_defined_functions()))


class _Alone:
    """A library as `_Whole` links it: by itself, since what it needs is linked too."""

    def __init__(self, library: JITCodeLibrary) -> None:
        self._library, self._reload_init = library, library._reload_init

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        return _linked_alone(self._library)


def _linked_alone(library: JITCodeLibrary) -> llvm.ModuleRef:
    return library.alone() if isinstance(library, _Part) else library._get_module_for_linking()


def _callers_first(libraries: Iterable[JITCodeLibrary]) -> list[JITCodeLibrary]:
    """Libraries and all parts that they need, each before those it calls.

    A function is linked in only if something that is there already calls it.
    """
    return list(_called_first(libraries, set()))[::-1]


def _called_first(libraries: Iterable[JITCodeLibrary], seen: set[JITCodeLibrary]) -> Iterator[JITCodeLibrary]:
    for library in libraries:
        if library not in seen:
            seen.add(library)
            if isinstance(library, _Part):
                yield from _called_first(library._linking_libraries, seen)
            yield library


def _names_only(functions: Iterable[llvm.ValueRef]) -> bytes:
    """A module in which functions of the same names do nothing."""
    module = ir.Module()
    for function in functions:
        empty = ir.Function(module, ir.FunctionType(ir.VoidType(), []), function.name)
        ir.IRBuilder(empty.append_basic_block()).ret_void()
    return llvm.parse_assembly(str(module)).as_bitcode()


def _reached_kernels(function: Callable) -> set[Kernel]:
    """The kernels that a function calls, directly or not."""
    reached: set[Kernel] = set()
    waiting = [function]
    while waiting:
        found = waiting.pop()
        named = (found.__globals__.get(name) for name in _names(found.__code__))
        fresh = {value for value in named if isinstance(value, Kernel)} - reached
        reached |= fresh
        waiting += [value.py_func for value in fresh]
    return reached


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _quicken_flags() -> None:
    """Let Numba compare its flags sooner, with the same answer.

    It does so for every operator of every function, by dictionaries made of all options: an eighth of the time.
    """
    usual, hashed = Flags.__eq__, hash(Flags())  # the hash is of the options' names, so it is always the same

    def is_equal(self: Flags, other: object) -> bool:
        return (isinstance(other, Flags) and self._values == other._values) or usual(self, other)

    Flags.__eq__ = is_equal
    Flags.__hash__ = lambda _flags: hashed


_quicken_flags()
