"""Rules of numbers smaller than machines have, such as float8 and int4, in terms of their bytes and of wider numbers.

An array of them is one of bytes. What only moves elements moves the bytes; everything else is computed in float32 or
in 8-bit integers, as the NumPy engine does, and rounded once. A float's byte is read by a table and made by arithmetic,
with what ml_dtypes says of its format.
"""

from __future__ import annotations

from functools import cache

import ml_dtypes
import numpy as np

from ...core import dtypes
from ...prims.gather import default_fill
from .builder import F32, I32
from .indexing import table_of
from .numbers import Real
from .views import Type, View, physical

__all__ = ["widened"]

U8, U32 = np.dtype("u1"), np.dtype("u4")
_MOVES = frozenset(
    """broadcast_in_dim reshape squeeze transpose rev slice stop_gradient optimization_barrier split unstack
    concatenate stack pad tile gather dynamic_slice dynamic_update_slice scatter select_n copy device_put
    sharding_constraint reshard inspect_sharding empty""".split()
)
# Rounded after each of several steps, or about the bits of a number.
_APART = frozenset(
    """scatter-add scatter-sub scatter-mul scatter-min scatter-max reduce reduce_window select_and_scatter nextafter
    reduce_precision shift_right_logical population_count clz mulhi""".split()
)
_READ_ONLY = (dtypes.float8_e8m0fnu, dtypes.float4_e2m1fn)  # what they are made of has no zero, or no NaN
_EXTREMES = ("reduce_max", "reduce_min")  # of nothing, the ends of the range


def _is_small(dtype) -> bool:
    return dtype.itemsize == 1 and physical((), dtype)[1] is not dtype


def _wide(dtype) -> np.dtype:
    """The dtype to compute in."""
    if not _is_small(dtype):
        return dtype
    return F32 if dtypes.issubdtype(dtype, np.floating) else np.dtype("u1" if dtype.name.startswith("u") else "i1")


@cache
def _values(dtype) -> np.ndarray:
    return np.arange(256).astype(U8).view(dtype).astype(F32)


def _read(graph, x: View, dtype) -> View:
    """The numbers that bytes mean."""
    if not _is_small(dtype):
        return x
    wide = _wide(dtype)
    if wide == F32:
        return table_of(graph, _values(dtype), x)
    x, by = graph.converted(x, wide), graph.number(8 - dtypes.itemsize_bits(dtype), wide)
    shift = "shift_right_logical" if wide == U8 else "shift_right_arithmetic"
    return graph.elementwise(shift, x.shape, wide, (graph.elementwise("shift_left", x.shape, wide, (x, by)), by))


class _Format:
    """`bias` of the exponent; the codes, without sign, of the greatest number, of what is greater, and of NaN."""

    def __init__(self, dtype):
        info = ml_dtypes.finfo(dtype)
        code = lambda x: int(np.float32(x).astype(dtype).view(U8))
        self.fraction = int(info.nmant)
        self.bias = 1 - int(info.minexp)
        self.most, self.beyond, self.nan = code(info.max), code(3e38), code(np.nan)
        self.has_minus_zero = code(-0.0) != 0


_format = cache(_Format)


def _written(graph, x: View, dtype) -> View:
    """The bytes of numbers, rounded to the next one, of two to the even one."""
    if not _is_small(dtype):
        return x
    if x.base.dtype != F32:
        mask = (1 << dtypes.itemsize_bits(dtype)) - 1
        return graph.elementwise("and", x.shape, U8, (graph.converted(x, U8), graph.number(mask, U8)))
    f, r = _format(dtype), Real(graph, x.shape, U32)
    word = lambda n: graph.number(n, U32)
    bits = graph.elementwise("bitcast_convert_type", x.shape, U32, (x,), (("new_dtype", U32),))
    size, cut = r("and", bits, word(0x7FFFFFFF)), 23 - f.fraction
    # The exponent's field begins at 1: what is added carries into it, and what is below it goes away.
    odd = r("and", r.shift_right_logical(size, word(cut)), word(1))
    rounded = r.shift_right_logical(r.add(r.add(size, word((1 << cut - 1) - 1)), odd), word(cut))
    code = r.sub(rounded, word((127 - f.bias) << f.fraction))
    # Below the normal numbers, adding one of which the last bit counts rounds.
    one = np.float32(2.0 ** (24 - f.bias - f.fraction))
    plain = graph.elementwise("abs", x.shape, F32, (x,))
    plain = graph.elementwise("add", x.shape, F32, (plain, graph.number(one, F32)))
    low = graph.elementwise("bitcast_convert_type", x.shape, U32, (plain,), (("new_dtype", U32),))
    low = r.sub(low, word(int(one.view(U32))))
    code = r.where(r.lt(size, word(128 - f.bias << 23)), low, code)
    # Of what is far too small the code of normal numbers has wrapped, but is not taken.
    code = r.where(r.gt(code, word(f.most)), word(f.beyond), code)
    code = r.where(r.gt(size, word(0x7F800000)), word(f.nan), code)
    sign = r("and", r.shift_right_logical(bits, word(24)), word(0x80))
    if not f.has_minus_zero:
        sign = r.where(r.eq(code, word(0)), word(0), sign)
    return graph.converted(r("or", code, sign), U8)


def _bounded(graph, x: View, dtype) -> View:
    """Floats as integers between the ends of a small integer's range, where conversions stop."""
    if x.base.dtype.kind in "iub" or dtype not in dtypes.small_ints:
        return x
    info, wide = dtypes.iinfo(dtype), graph.converted(x, F32)
    for op, bound in (("max", info.min), ("min", info.max)):
        wide = graph.elementwise(op, x.shape, F32, (wide, graph.number(int(bound), F32)))
    return graph.converted(wide, I32)


def widened(graph, primitive, operands, params, types, avals):
    """The results of an operation on numbers some of which are small; None if it has no rule."""
    name, n = primitive.name, len(avals)
    held = [Type(a.shape, physical((), a.dtype)[1]) for a in (*avals, *types)]
    if name == "bitcast_convert_type":
        widths = [dtypes.itemsize_bits(d.dtype) for d in (*avals, *types)]
        return [graph.converted(operands[0], held[1].dtype)] if widths == [8, 8] else None
    if name in _MOVES:
        if name == "gather":
            fill = params.get("fill_value")
            fill = np.asarray(default_fill(types[0].dtype) if fill is None else fill).astype(types[0].dtype)
            params = params | dict(fill_value=fill.view(U8))
        if params.get("update_jaxpr") is not None or name == "select_n" and _is_small(avals[0].dtype):
            return None
        return graph.by_rule(primitive, operands, params, held[n:], held[:n])
    if name in _APART or any([t.dtype in _READ_ONLY for t in types]) or name in _EXTREMES and 0 in avals[0].shape:
        return None
    wide = [_read(graph, x, a.dtype) for x, a in zip(operands, avals)]
    kinds = [Type(a.shape, _wide(a.dtype)) for a in (*avals, *types)]
    if name == "convert_element_type":
        found = [graph.converted(_bounded(graph, wide[0], types[0].dtype), kinds[1].dtype)]
    else:
        found = graph.by_rule(primitive, wide, params, kinds[n:], kinds[:n])
    return None if found is None else [_written(graph, x, t.dtype) for x, t in zip(found, types)]
