"""Sixteen single-precision numbers at once, as one value that kernels can hold, add and multiply.

    total = fill(0.0)
    total = total + load(weights, at) * load(chances, to)
    store(total, sums, at)

The compiler cannot see that the arrays of a kernel do not overlap, and guards every short loop over neighbours with
checks that cost more than the loop. A value of this type says outright what belongs together. Indices count single
numbers, are not checked and must not be negative. Arrays are flat and hold float32.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 16

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_WORD = ir.IntType(32)


class _LanesType(types.Type):
    def __init__(self):
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, front_end_type):
        super().__init__(manager, front_end_type, _VECTOR)


@intrinsic
def load(typingctx, array, at):
    """array[at : at + 16]"""

    def generate(context, builder, signature, arguments):
        loaded = builder.load(_pointer(context, builder, signature, arguments, 0))
        loaded.align = 4
        return loaded

    return _lanes(array, at), generate


@intrinsic
def store(typingctx, value, array, at):
    """array[at : at + 16] = value"""

    def generate(context, builder, signature, arguments):
        stored = builder.store(arguments[0], _pointer(context, builder, signature, arguments, 1))
        stored.align = 4
        return context.get_dummy_value()

    return types.void(value, array, at), generate


@intrinsic
def fill(typingctx, number):
    """The same number sixteen times."""

    def generate(context, builder, signature, arguments):
        single = context.cast(builder, arguments[0], signature.args[0], types.float32)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), single, ir.Constant(_WORD, 0))
        everywhere = ir.Constant(ir.VectorType(_WORD, LANES), None)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), everywhere)

    return _lanes(number), generate


@intrinsic
def larger(typingctx, first, second):
    """By lane, the larger of two numbers."""

    def generate(context, builder, signature, arguments):
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return _lanes(first, second), generate


@intrinsic
def at_least(typingctx, first, second):
    """By lane, 1 where the first number is not less than the second, else 0."""

    def generate(context, builder, signature, arguments):
        one, zero = (ir.Constant(_VECTOR, [number] * LANES) for number in (1.0, 0.0))
        return builder.select(builder.fcmp_ordered(">=", *arguments), one, zero)

    return _lanes(first, second), generate


@intrinsic
def share(typingctx, part, whole, otherwise):
    """By lane, part / whole, and where the whole is not positive, `otherwise`."""

    def generate(context, builder, signature, arguments):
        part, whole, otherwise = arguments
        positive = builder.fcmp_ordered(">", whole, ir.Constant(_VECTOR, None))
        return builder.select(positive, builder.fdiv(part, whole), otherwise)

    return _lanes(part, whole, otherwise), generate


@intrinsic
def transpose(typingctx, source, froms, before, target, tos, after):
    """Sixteen rows of sixteen numbers, turned: row k is source[froms[k] + before :], column k goes to
    target[tos[k] + after :].
    """

    def generate(context, builder, signature, arguments):
        rows = []
        for at in range(LANES):
            loaded = builder.load(_row_pointer(context, builder, signature, arguments, 0, at))
            loaded.align = 4
            rows.append(loaded)
        for step in (1, 2, 4, 8):
            low = [lane if not lane & step else LANES + lane - step for lane in range(LANES)]
            high = [lane + step if not lane & step else LANES + lane for lane in range(LANES)]
            masks = [ir.Constant(ir.VectorType(_WORD, LANES), chosen) for chosen in (low, high)]
            for at in (row for row in range(LANES) if not row & step):
                pair = rows[at], rows[at + step]
                rows[at], rows[at + step] = (builder.shuffle_vector(*pair, mask) for mask in masks)
        for at, row in enumerate(rows):
            stored = builder.store(row, _row_pointer(context, builder, signature, arguments, 3, at))
            stored.align = 4
        return context.get_dummy_value()

    return types.void(source, froms, before, target, tos, after), generate


def _define(operation, instruction):
    @intrinsic
    def compute(typingctx, first, second):
        def generate(context, builder, signature, arguments):
            return getattr(builder, instruction)(*arguments)

        return _lanes(_lanes, _lanes), generate

    @overload(operation, inline="always")
    def defined(first, second):
        if isinstance(first, _LanesType) and isinstance(second, _LanesType):
            return lambda first, second: compute(first, second)
        return None


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")


def _pointer(context, builder, signature, arguments, array):
    """Where the sixteen numbers begin, for the array and the index that are arguments `array` and `array` + 1."""
    data = context.make_array(signature.args[array])(context, builder, arguments[array]).data
    index = context.cast(builder, arguments[array + 1], signature.args[array + 1], types.intp)
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _row_pointer(context, builder, signature, arguments, array, row):
    """Where row `row` begins, for the array, the rows' beginnings and the index that are the arguments from `array`."""
    data = context.make_array(signature.args[array])(context, builder, arguments[array]).data
    starts = context.make_array(signature.args[array + 1])(context, builder, arguments[array + 1]).data
    start = builder.load(builder.gep(starts, [ir.Constant(_WORD, row)]))
    index = context.cast(builder, arguments[array + 2], signature.args[array + 2], types.intp)
    return builder.bitcast(builder.gep(data, [builder.add(start, index)]), _VECTOR.as_pointer())
