"""Rules of numbers smaller than machines have, such as float8 and int4, in terms of their bytes and of wider numbers.

An array of them is one of bytes. What only moves elements moves the bytes; everything else is computed in float32 or
in 8-bit integers, as the NumPy engine does, and rounded once. A float's byte is read and made by arithmetic, with what
ml_dtypes says of its format.
"""

from __future__ import annotations

from functools import cache

import ml_dtypes
import numpy as np

from ....core import dtypes
from ....prims.conversion import reduce_precision
from ....prims.indexed_windows import default_fill
from ..text.builder import F32, I32
from .bitcast import recast
from .complex_and_keys import Real, as_pair
from .indexing import table_of
from .views import Pair, Type, View, physical

__all__ = ["widened"]

I8, U8, U32 = map(np.dtype, ("i1", "u1", "u4"))
_MOVES = frozenset(
    """broadcast_in_dim reshape squeeze transpose rev slice stop_gradient optimization_barrier split unstack
    concatenate stack pad tile gather dynamic_slice dynamic_update_slice scatter select_n copy device_put
    sharding_constraint layout_constraint reshard inspect_sharding empty dce_sink""".split()
)
# Rounded after each of several steps, or about the bits of a number.
# Programs of scalars, or one operation, for elements that are rounded after every step.
_BY_STEPS = frozenset(
    """reduce reduce_window select_and_scatter scatter-add scatter-sub scatter-mul scatter-min scatter-max""".split()
)


def _is_small(dtype) -> bool:
    return dtype.itemsize == 1 and physical((), dtype)[1] is not dtype


def _wide(dtype) -> np.dtype:
    """Return the dtype to compute in."""
    if not _is_small(dtype):
        return dtype
    return F32 if _is_float(dtype) else np.dtype("u1" if dtype.name.startswith("u") else "i1")


def _is_float(dtype) -> bool:
    return bool(dtypes.issubdtype(dtype, np.floating))


def _mask(dtype) -> int:
    return (1 << dtypes.itemsize_bits(dtype)) - 1


def _read(graph, x: View, dtype) -> View:
    """Return the numbers that bytes mean."""
    if not _is_small(dtype):
        return x
    wide = _wide(dtype)
    if wide == F32:
        return _float_of(graph, x, dtype)
    return _unsigned(graph, x, dtype) if wide == U8 else _signed(graph, x, dtype)


def _signed(graph, x: View, dtype) -> View:
    """Return a small integer by its bits, the highest of which is the sign."""
    x, by = graph.converted(x, I8), graph.number(8 - dtypes.itemsize_bits(dtype), I8)
    x = graph.elementwise("shift_left", x.shape, I8, (x, by))
    return graph.elementwise("shift_right_arithmetic", x.shape, I8, (x, by))


def _unsigned(graph, x: View, dtype) -> View:
    """Return the bits of a small integer and no others."""
    return graph.elementwise("and", x.shape, U8, (x, graph.number(_mask(dtype), U8)))


class _Format:
    """`bias` of the exponent; the codes, without sign, of the greatest number, of what is greater, and of NaN."""

    def __init__(self, dtype):
        info = ml_dtypes.finfo(dtype)
        code = lambda x: int(np.float32(x).astype(dtype).view(U8))
        self.fraction = int(info.nmant)
        self.bias = 1 - int(info.minexp)
        self.sign = 1 << dtypes.itemsize_bits(dtype) - 1
        self.most, self.beyond, self.nan = code(info.max), code(3e38), code(np.nan)
        self.has_minus_zero = code(-0.0) != 0
        self.has_infinity = bool(np.isinf(np.float32(np.inf).astype(dtype)))
        self.has_nan = bool(np.isnan(np.float32(np.nan).astype(dtype)))


_format = cache(_Format)


def _float_of(graph, x: View, dtype) -> View:
    """Return the numbers that bytes mean, in float32, which has all of them."""
    r = Real(graph, x.shape, U32)
    word, code = lambda n: graph.number(n, U32), graph.converted(x, U32)
    if dtype == dtypes.float8_e8m0fnu:
        return recast(graph, _power_of_two(r, code), U32, F32)
    f = _format(dtype)
    size, sign = [r("and", code, word(mask)) for mask in (f.sign - 1, f.sign)]
    bits = r.add(r.shift_left(size, word(23 - f.fraction)), word(127 - f.bias << 23))
    # What is below the normal numbers has no exponent of its own.
    low = graph.converted(recast(graph, size, U32, I32), F32)
    low = graph.elementwise("mul", x.shape, F32, (low, graph.number(2.0 ** (1 - f.bias - f.fraction), F32)))
    bits = r.where(r.lt(size, word(1 << f.fraction)), recast(graph, low, F32, U32), bits)
    if f.has_nan and f.has_minus_zero:
        bits = r.where(r.gt(size, word(f.most)), word(0x7FC00000), bits)
    elif f.has_nan:
        bits = r.where(r.eq(code, word(f.nan)), word(0x7FC00000), bits)
    if f.has_infinity:
        bits = r.where(r.eq(size, word(f.beyond)), word(0x7F800000), bits)
    sign = r.shift_left(sign, word(32 - f.sign.bit_length()))
    return recast(graph, r("or", bits, sign), U32, F32)


def _power_of_two(r: Real, code: View) -> View:
    """Return the bits of 2^(code - 127), the least of which is no normal number."""
    word = lambda n: r.graph.number(n, U32)
    bits = r.where(r.eq(code, word(0)), word(1 << 22), r.shift_left(code, word(23)))
    return r.where(r.eq(code, word(255)), word(0x7FC00000), bits)


def _exponent_of(r: Real, bits: View) -> View:
    """Return the exponents to which ml_dtypes rounds: of two the greater one, also below the normal numbers."""
    word = lambda n: r.graph.number(n, U32)
    half = r.shift_right_logical(r.add(bits, word(1 << 22)), word(23))
    low = r.where(r.gt(bits, word(1 << 22)), word(1), word(0))
    code = r.where(r.lt(bits, word(1 << 23)), low, half)
    known = r("and", r.gt(bits, word(0)), r.lt(bits, word((254 << 23) + (1 << 22))))  # NaN and signs are above
    return r.where(known, code, word(255))


def _written(graph, x: View, dtype) -> View:
    """Return the bytes of numbers, rounded to the next one, of two to the even one."""
    if not _is_small(dtype):
        return x
    if x.base.dtype != F32:
        return graph.elementwise("and", x.shape, U8, (graph.converted(x, U8), graph.number(_mask(dtype), U8)))
    r, bits = Real(graph, x.shape, U32), recast(graph, x, F32, U32)
    if dtype == dtypes.float8_e8m0fnu:
        return graph.converted(_exponent_of(r, bits), U8)
    f, word = _format(dtype), lambda n: graph.number(n, U32)
    size, cut = r("and", bits, word(0x7FFFFFFF)), 23 - f.fraction
    # The exponent's field begins at 1: what is added carries into it, and what is below it goes away.
    odd = r("and", r.shift_right_logical(size, word(cut)), word(1))
    rounded = r.shift_right_logical(r.add(r.add(size, word((1 << cut - 1) - 1)), odd), word(cut))
    code = r.sub(rounded, word((127 - f.bias) << f.fraction))
    # Below the normal numbers, adding one of which the last bit counts rounds.
    one = np.float32(2.0 ** (24 - f.bias - f.fraction))
    plain = graph.elementwise("abs", x.shape, F32, (x,))
    plain = graph.elementwise("add", x.shape, F32, (plain, graph.number(one, F32)))
    low = r.sub(recast(graph, plain, F32, U32), word(int(one.view(U32))))
    code = r.where(r.lt(size, word(128 - f.bias << 23)), low, code)
    # Of what is far too small the code of normal numbers has wrapped, but is not taken.
    code = r.where(r.gt(code, word(f.most)), word(f.beyond), code)
    code = r.where(r.gt(size, word(0x7F800000)), word(f.nan), code)
    sign = r("and", r.shift_right_logical(bits, word(32 - f.sign.bit_length())), word(f.sign))
    if not f.has_minus_zero:
        sign = r.where(r.eq(r("and", code, word(f.sign - 1)), word(0)), word(0), sign)
    return graph.converted(r("xor", code, sign), U8)  # a format without NaN makes a zero of the other sign of it


def _bounded(graph, x: View, dtype) -> View:
    """Floats as integers between the ends of a small integer's range, where conversions stop."""
    if x.base.dtype.kind in "iub" or dtype not in dtypes.small_ints:
        return x
    info, wide = dtypes.iinfo(dtype), graph.converted(x, F32)
    for op, bound in (("max", info.min), ("min", info.max)):
        wide = graph.elementwise(op, x.shape, F32, (wide, graph.number(int(bound), F32)))
    return graph.converted(wide, I32)


# ---- about the bits of a number ------------------------------------------------------------------


def _shift_right_logical(graph, operands, params, dtype) -> View:
    x, n = _unsigned(graph, operands[0], dtype), graph.converted(_read(graph, operands[1], dtype), U8)
    return graph.elementwise("shift_right_logical", x.shape, U8, (x, n))


def _shift_right_arithmetic(graph, operands, params, dtype) -> View:
    """Shifts the sign in, of unsigned operands too."""
    x, n = _signed(graph, operands[0], dtype), graph.converted(_read(graph, operands[1], dtype), I8)
    return _written(graph, graph.elementwise("shift_right_arithmetic", x.shape, I8, (x, n)), dtype)


def _population_count(graph, operands, params, dtype) -> View:
    x = _unsigned(graph, operands[0], dtype)
    return _unsigned(graph, graph.elementwise("population_count", x.shape, U8, (x,)), dtype)


def _leading_zeros(graph, operands, params, dtype) -> View:
    x, missing = _unsigned(graph, operands[0], dtype), graph.number(8 - dtypes.itemsize_bits(dtype), U8)
    count = graph.elementwise("sub", x.shape, U8, (graph.elementwise("clz", x.shape, U8, (x,)), missing))
    return _unsigned(graph, count, dtype)


@cache
def _neighbours(dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes of what is just above and just below the number of each code; NaN for what is not there."""
    codes = np.arange(256).astype(U8).view(dtype)
    ends = dtype.type(np.inf), dtype.type(-np.inf)
    if not _format(dtype).has_infinity:
        ends = ml_dtypes.finfo(dtype).max, ml_dtypes.finfo(dtype).min
    above, below = [np.nextafter(codes, np.full(256, end, dtype)).view(U8) for end in ends]
    return above, below


def _next_after(graph, operands, params, dtype) -> View:
    """Return the number next to the first operand; equals give the second one, NaN is kept."""
    codes, shape = operands, operands[0].shape
    x, y = [_read(graph, v, dtype) for v in operands]
    r = Real(graph, shape, F32)
    choose = lambda which, yes, no: graph.elementwise("select_n", shape, U8, (which, no, yes))
    above, below = [table_of(graph, table, codes[0]) for table in _neighbours(dtype)]
    out = choose(r.lt(x, y), above, below)
    nan = graph.number(_format(dtype).nan, U8)
    out = choose(r.eq(x, y), codes[1], out)
    return choose(r("or", r.ne(x, x), r.ne(y, y)), nan, out)


def _of_each_code(primitive):
    """Return a rule of one operand by a table of its results."""

    def rule(graph, operands, params, dtype) -> View:
        codes = np.arange(256).astype(U8).view(dtype)
        with np.errstate(all="ignore"):
            results = primitive.evaluate_rule(codes, **params)
        return table_of(graph, np.asarray(results).view(U8), operands[0])

    return rule


_BITS = {
    "shift_right_logical": _shift_right_logical, "shift_right_arithmetic": _shift_right_arithmetic,
    "population_count": _population_count, "clz": _leading_zeros, "nextafter": _next_after,
    "reduce_precision": _of_each_code(reduce_precision),
}


# ---- operations ----------------------------------------------------------------------------------


def widened(graph, primitive, operands, params, types, avals):
    """Return the results of an operation on numbers some of which are small; None if it has no rule."""
    name, n = primitive.name, len(avals)
    held = [Type(a.shape, physical((), a.dtype)[1]) for a in (*avals, *types)]
    if name == "bitcast_convert_type":
        return [recast(graph, operands[0], avals[0].dtype, types[0].dtype)]
    if name in _MOVES:
        if name == "gather":
            fill = params.get("fill_value")
            fill = np.asarray(default_fill(types[0].dtype) if fill is None else fill).astype(types[0].dtype)
            params = params | dict(fill_value=fill.view(U8))
        if params.get("update_jaxpr") is not None:
            return graph.by_rule(primitive, operands, params, types, avals)
        return graph.by_rule(primitive, operands, params, held[n:], held[:n])
    if name in _BY_STEPS:
        return graph.by_rule(primitive, operands, params, types, avals)
    if name in _BITS:
        return [_BITS[name](graph, [x.stretched(types[0].shape) for x in operands], params, avals[0].dtype)]
    wide = [_read(graph, x, a.dtype) for x, a in zip(operands, avals)]
    kinds = [Type(a.shape, _wide(a.dtype)) for a in (*avals, *types)]
    if name == "convert_element_type":
        part = wide[0].re if isinstance(wide[0], Pair) else wide[0]
        if types[0].dtype.kind == "c":
            return [as_pair(graph, part, types[0].dtype)]
        found = [graph.converted(_bounded(graph, part, types[0].dtype), kinds[1].dtype)]
    else:
        found = graph.by_rule(primitive, wide, params, kinds[n:], kinds[:n])
    return None if found is None else [_written(graph, x, t.dtype) for x, t in zip(found, types)]
