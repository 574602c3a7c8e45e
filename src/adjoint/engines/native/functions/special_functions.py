"""Rules of functions that are asked for less often: the inverse error function, digamma, and those about bits.

`erf_inv` in float32 follows the same formulas in the same order as `prims/inverse_erf.py`, so that random numbers
are the same on both engines.
"""

from __future__ import annotations

from functools import partial
from math import pi

import numpy as np

from ....core import dtypes
from ....core.primitive import primitives
from ....prims import inverse_erf as tables
from ..graph.view_rules import FALLBACK_RULES
from ..text.builder import F32, F64, NARROW, Builder, Value
from . import vector_math as vm
from .elementwise import emits

_I16, _U16, _I32 = map(np.dtype, ("i2", "u2", "i4"))
_FORMATS = {np.dtype("f2"): (10, 5), dtypes.bfloat16: (7, 8), F32: (23, 8), F64: (52, 11)}  # bits of mantissa, exponent


def _signed(x: Value) -> np.dtype:
    return np.dtype(f"i{x.dtype.itemsize}")


def _horner(b: Builder, coefficients, x: Value) -> Value:
    """The highest power first."""
    return b.polynomial(x, coefficients[::-1])


# ---- the inverse error function ------------------------------------------------------------------


def _minus_log1p(b, t):
    """-log(1 - t) for small t"""
    y = b.neg(t)
    square = b.mul(y, y)
    rest = b.mul(b.mul(square, y), b.fdiv(_horner(b, tables._LOG1P_P, y), _horner(b, tables._LOG1P_Q, y)))
    return b.neg(b.add(b.sub(rest, b.mul(square, b.like(t, 0.5))), y))


def _minus_log(b, x):
    """-log(x) for 0 < x < 1"""
    bits = b.bitcast(x, _I32)
    n = b.binary("ashr", b.sub(bits, b.like(bits, int(tables._HALF_ROOT_BITS))), b.like(bits, 23))
    m = b.bitcast(b.sub(bits, b.binary("shl", n, b.like(n, 23))), F32)
    n = b.convert(n, F32)
    m = b.sub(m, b.like(m, 1))
    square = b.mul(m, m)
    cube = b.mul(square, m)
    first, second, third = [_horner(b, row, m) for row in tables._LOG]
    out = b.fma(cube, b.fma(cube, first, second), third)
    out = b.fma(cube, out, b.mul(n, b.like(n, tables._LOG2_SMALL)))
    m = b.add(b.sub(m, b.mul(square, b.like(m, 0.5))), out)
    return b.neg(b.add(m, b.mul(n, b.like(n, tables._LOG2_LARGE))))


def _at_the_ends(b, x, inside):
    """Infinite at -1 and 1, NaN beyond."""
    size, one = b.fabs(x), b.like(x, 1)
    edge = b.select(b.compare("eq", size, one), b.mul(x, b.like(x, np.inf)), b.like(x, np.nan))
    return b.select(b.compare("olt", size, one), inside, edge)


_OUTER = 0.9932  # squares from here on have -log(1 - x^2) of 5 or more, or none, or nearly 5


def erf_inv(b: Builder, x: Value) -> Value:
    if x.dtype != F32:
        return _erf_inv64(b, x)
    t = b.mul(x, x)
    near = b.compare("olt", t, b.like(t, tables._NEAR))
    w = b.select(near, _minus_log1p(b, t), _minus_log(b, b.sub(b.like(t, 1), t)))
    outer = b.compare("uge", t, b.like(t, _OUTER))
    centre = lambda: b.mul(_horner(b, tables._CENTRE, b.sub(w, b.like(w, 2.5))), x)

    def tails():
        far = b.compare("uge", w, b.like(w, 5))
        v = b.sub(b.intrinsic("sqrt", w), b.like(w, 3))
        return _at_the_ends(b, x, b.select(far, b.mul(_horner(b, tables._TAILS, v), x), centre()))

    return b.where_rare(outer, centre, tails)


def _erf_inv64(b, x):
    w = b.neg(vm.log1p(b, b.neg(b.mul(x, x))))
    (first, centre), (second, tail), (_, end) = tables._CENTRE64, tables._TAIL64, tables._FAR64
    far = b.compare("uge", w, b.like(w, first))
    usual = lambda: b.mul(_horner(b, centre, b.sub(w, b.like(w, 3.125))), x)

    def tails():
        root = b.intrinsic("sqrt", w)
        low = b.mul(_horner(b, tail, b.sub(root, b.like(root, 3.25))), x)
        high = b.mul(_horner(b, end, b.sub(root, b.like(root, 5.0))), x)
        out = b.select(b.compare("olt", w, b.like(w, second)), low, high)
        return _at_the_ends(b, x, b.select(far, out, usual()))

    return b.where_rare(far, usual, tails)


# ---- digamma -------------------------------------------------------------------------------------

_BERNOULLI = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12]  # B_2k / 2k
_SHIFTS = 10


def digamma(b: Builder, x: Value) -> Value:
    """log x - 1/2x - sum of B_2k / (2k x^2k) for large x; others by psi(x) = psi(x + 1) - 1/x and reflection.

    Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 6.3.5, 6.3.7 and 6.3.18; in float64.
    """
    dtype, x = x.dtype, b.convert(x, F64)
    zero, one = b.like(x, 0), b.like(x, 1)
    negative = b.compare("olt", x, zero)
    y = b.select(negative, b.sub(one, x), x)
    top, bottom = zero, one  # of the sum of 1/y for all y that were too small
    for _ in range(_SHIFTS):
        low = b.compare("olt", y, b.like(x, _SHIFTS))
        top = b.select(low, b.fma(top, y, bottom), top)
        bottom = b.select(low, b.mul(bottom, y), bottom)
        y = b.select(low, b.add(y, one), y)
    lost, part = b.fdiv(top, bottom), b.fdiv(one, y)
    square = b.mul(part, part)
    series = b.mul(square, b.polynomial(square, _BERNOULLI))
    out = b.sub(vm.natural_log(b, y), b.add(b.mul(part, b.like(x, 0.5)), series))
    out = b.sub(out, lost)
    out = b.select(b.compare("eq", y, b.like(x, np.inf)), y, out)

    def reflected():
        turn = b.mul(b.sub(x, b.intrinsic("rint", x)), b.like(x, pi))
        cotangent = b.fdiv(vm.cos(b, turn), vm.sin(b, turn))
        return b.select(negative, b.sub(out, b.mul(cotangent, b.like(x, pi))), out)

    out = b.where_rare(negative, lambda: out, reflected)
    pole = b.logical_and(b.compare("ole", x, zero), b.compare("eq", x, b.intrinsic("floor", x)))
    return b.convert(b.select(pole, b.like(x, np.nan), out), dtype)


# ---- bits ----------------------------------------------------------------------------------------


def _words(b, held):
    """Return how numbers become their bits and back; `held` says it of narrow ones, which registers hold as wider.
    """
    if held is None:
        word = lambda x: b.bitcast(x, _signed(x))
        return word, lambda bits: b.bitcast(bits, np.dtype(f"f{bits.dtype.itemsize}"))
    recast = partial(primitives["bitcast_convert_type"].emit_rule, b)
    return (
        lambda x: Value(recast(x, new_dtype=_U16, old_dtype=held).text, _I16),
        lambda bits: recast(Value(bits.text, _U16), new_dtype=held, old_dtype=_U16),
    )


def _next_after(b, x, y, *, held=None):
    """Add one to the bits, or take one away: away from zero or towards it."""
    (word, number), zero = _words(b, held), b.like(x, 0)
    bits = word(x)
    outwards = b.binary("xor", b.compare("olt", x, y), b.compare("olt", x, zero))
    moved = number(b.add(bits, b.select(outwards, b.like(bits, 1), b.like(bits, -1))))
    least = b.copysign(number(b.like(bits, 1)), y)
    out = b.select(b.compare("eq", x, zero), least, moved)
    out = b.select(b.compare("eq", x, y), y, out)
    return b.select(b.compare("uno", x, y), b.like(x, np.nan), out)


def _reduce_precision(b, x, *, exponent_bits, mantissa_bits, held=None):
    word, number = _words(b, held)
    mantissa, exponent = _FORMATS[x.dtype if held is None else held]
    drop, out = mantissa - mantissa_bits, x
    if drop > 0:
        bits = word(x)
        last = b.binary("and", b.binary("lshr", bits, b.like(bits, drop)), b.like(bits, 1))
        bits = b.add(bits, b.add(last, b.like(bits, (1 << drop - 1) - 1)))
        out = number(b.binary("and", bits, b.like(bits, -(1 << drop))))
    if exponent_bits < exponent:
        bias, size = (1 << exponent_bits - 1) - 1, b.fabs(out)
        out = b.select(b.compare("olt", size, b.like(x, 2.0 ** (1 - bias))), b.copysign(b.like(x, 0), x), out)
        large = b.compare("oge", size, b.like(x, 2.0 ** (bias + 1)))
        out = b.select(large, b.copysign(b.like(x, np.inf), x), out)
    return b.select(b.is_nan(x), x, out)


def _of_narrow(name):
    """The rule of numbers of 16 bits, which tells the code what they are."""

    def rule(graph, operands, params, types):
        held = (*params.items(), ("held", operands[0].base.dtype))
        return [graph.elementwise(name, types[0].shape, types[0].dtype, operands, held)]

    return rule


def _high_product(b, x, y):
    """The upper half of a product of twice the width."""
    width, t, signed = 8 * x.dtype.itemsize, b.type(x.dtype), x.dtype.kind == "i"
    wide, extend = b.wide(f"i{2 * width}"), "sext" if signed else "zext"
    x2, y2 = [b.new(f"{extend} {t} {v.text} to {wide}") for v in (x, y)]
    product = b.new(f"mul {wide} {x2.text}, {y2.text}")
    by = f"splat (i{2 * width} {width})" if b.lanes > 1 else str(width)
    high = b.new(f"lshr {wide} {product.text}, {by}")
    return b.new(f"trunc {wide} {high.text} to {t}", x.dtype)


def _in_order(b, x):
    """Signed integers in the total order of floats."""
    if x.dtype.kind != "f":
        return x
    bits = b.bitcast(x, _signed(x))
    sign = b.binary("ashr", bits, b.like(bits, 8 * x.dtype.itemsize - 1))
    return b.binary("xor", bits, b.binary("and", sign, b.like(bits, np.iinfo(bits.dtype).max)))


def _not_narrow(operands, params):
    return not set(operands) & NARROW


emits("erf_inv", "f", lambda b, x, accuracy=None: erf_inv(b, x), 40)
emits("digamma", "f", lambda b, x, accuracy=None: digamma(b, x), 100)
emits("nextafter", "f", _next_after, 8, _not_narrow)
emits("reduce_precision", "f", _reduce_precision, 6, _not_narrow)
for _name in ("nextafter", "reduce_precision"):
    FALLBACK_RULES[_name] = _of_narrow(_name)
emits("mulhi", "iu", _high_product, 4)
for _name in ("eq", "lt", "le"):
    emits(f"{_name}_to", "fiub", lambda b, x, y, op=_name: b.compare(op, _in_order(b, x), _in_order(b, y)), 4)
