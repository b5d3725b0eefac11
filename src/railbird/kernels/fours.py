"""Four neighbouring numbers at once: the cards of one rank.

A sweep over holdings spends its time on the four cards of a rank, which are neighbours in every array. The compiler
does not see by itself that these arrays do not overlap, and would move one number at a time, at half the speed. These
intrinsics say it outright. Indices are not checked and must not be negative.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_FOUR = ir.VectorType(ir.DoubleType(), 4)


@intrinsic
def read_four(typingctx, upto, at, shares, to):
    """shares[to : to + 4] += upto[at : at + 4]"""
    signature = types.void(upto, at, shares, to)

    def generate(context, builder, signature, arguments):
        target = _pointer(context, builder, signature, arguments, 2)
        shared = builder.fadd(
            _load(builder, target), _load(builder, _pointer(context, builder, signature, arguments, 0))
        )
        _store(builder, shared, target)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def pass_four(typingctx, partner, at, upto, to):
    """upto[to : to + 4] += partner[at : at + 4]; the sum of the latter."""
    signature = types.float64(partner, at, upto, to)

    def generate(context, builder, signature, arguments):
        weight = _load(builder, _pointer(context, builder, signature, arguments, 0))
        target = _pointer(context, builder, signature, arguments, 2)
        _store(builder, builder.fadd(_load(builder, target), weight), target)
        return _sum(builder, weight)

    return signature, generate


@intrinsic
def read_pass_read_four(typingctx, partner, at, upto, to, shares):
    """As shares[at : at + 4] = 0, `read_four`, `pass_four` and `read_four`; the sum of the numbers passed."""
    signature = types.float64(partner, at, upto, to, shares)

    def generate(context, builder, signature, arguments):
        weight = _load(builder, _pointer(context, builder, signature, arguments, 0))
        target = _pointer(context, builder, signature, arguments, 2)
        before = _load(builder, target)
        after = builder.fadd(before, weight)
        _store(builder, after, target)
        data = context.make_array(signature.args[4])(context, builder, arguments[4]).data
        shares = builder.bitcast(builder.gep(data, [_index(builder, signature, arguments, 1)]), _FOUR.as_pointer())
        _store(builder, builder.fadd(before, after), shares)
        return _sum(builder, weight)

    return signature, generate


def _index(builder, signature, arguments, position):
    index = arguments[position]
    return index if index.type.width == 64 else builder.zext(index, ir.IntType(64))


def _pointer(context, builder, signature, arguments, position):
    """The place in the array at `position`, whose index follows it."""
    data = context.make_array(signature.args[position])(context, builder, arguments[position]).data
    place = builder.gep(data, [_index(builder, signature, arguments, position + 1)])
    return builder.bitcast(place, _FOUR.as_pointer())


def _load(builder, pointer):
    loaded = builder.load(pointer)
    loaded.align = 8
    return loaded


def _store(builder, value, pointer):
    builder.store(value, pointer).align = 8


def _sum(builder, four):
    parts = [builder.extract_element(four, ir.IntType(32)(i)) for i in range(4)]
    return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))
