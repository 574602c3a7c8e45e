"""Gamma-distributed numbers: the loops of `prims/random_gamma.py`, for as many elements as a vector has lanes.

Each element has a key of its own, derived before, and the same numbers as on the NumPy engine, to rounding.

Tests: `tests/engines/native/test_programs.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ....core import dtypes
from ....prims import random_gamma as random_gamma  # the primitive must be there before its rule
from ..graph.complex_and_keys import KEYS, MAX_COUNTERS, encrypted, is_threefry
from ..text.builder import BOOL, F64, NARROW, Builder, Value
from ..text.shared_functions import iterate
from . import vector_math as vm
from .elementwise import emits
from .special_functions import erf_inv

U32, U64 = np.dtype("u4"), np.dtype("u8")
_PARITY = 0x1BD11BDA
_MAX_TURNS = 1e9


def _threefry(b: Builder, key, i: int) -> tuple[Value, Value]:
    """Return both words of the counter (0, i) under a key, by a function that a module has once."""
    t = b.type(U32)
    symbol, pair = f"threefry.v{b.lanes}", f"{{ {t}, {t} }}"
    if symbol not in b.module.written:
        b.module.written.add(symbol)
        head = f"internal {pair} @{symbol}({t} %given0, {t} %given1, {t} %given2)"
        with b.module.function(head, is_void=False) as lines:
            inner = Builder(b.module, b.lanes, lines)
            x0, x1 = _encrypt(inner, *[inner.value(f"%given{k}", U32) for k in range(3)])
            first = inner.new(f"insertvalue {pair} poison, {t} {x0.text}, 0")
            both = inner.new(f"insertvalue {pair} {first.text}, {t} {x1.text}, 1")
            inner.line(f"ret {pair} {both.text}")
    operands = ", ".join([f"{t} {x.text}" for x in (*key, b.const(i, U32))])
    made = b.new(f"call {pair} @{symbol}({operands})")
    return tuple([b.new(f"extractvalue {pair} {made.text}, {k}", U32) for k in (0, 1)])


def _encrypt(b: Builder, k0: Value, k1: Value, x1: Value) -> tuple[Value, Value]:
    """Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): 20 rounds, keys every four."""
    keys = k0, k1, k0 ^ k1 ^ _PARITY
    x0, x1 = k0, x1 + k1
    for i in range(5):
        for bits in ((13, 15, 26, 6), (17, 29, 16, 24))[i % 2]:
            x0 = x0 + x1
            turned = (x1 << bits) | (x1 >> (32 - bits))
            x1 = x0 ^ turned
        x0 = x0 + keys[(i + 1) % 3]
        x1 = x1 + (keys[(i + 2) % 3] + (i + 1))
    return x0, x1


def _unit(b: Builder, key, dtype) -> Value:
    """Uniform in [0, 1), as `random.uniform` makes it."""
    y0, y1 = _threefry(b, key, 0)
    if dtype == F64:
        high, low = b.convert(y0, U64), b.convert(y1, U64)
        bits = (high << 32) | low
    else:
        bits = y0 ^ y1
    info = dtypes.finfo(dtype)
    one = int(np.asarray(1, dtype).view(bits.dtype))
    bits = bits >> (info.bits - info.nmant)
    number = b.bitcast(bits | one, dtype)
    return number - 1


def _normal(b: Builder, key, dtype) -> Value:
    one = dtype.type(1)
    low = np.nextafter(-one, one)
    u = _unit(b, key, dtype)
    x = b.maximum(low, u * (one - low) + low)
    return erf_inv(b, x) * dtype.type(np.sqrt(2))


def _sample(b: Builder, k0: Value, k1: Value, alpha: Value, *, log_space: bool) -> Value:
    dtype = alpha.dtype
    third, one = dtype.type(1) / dtype.type(3), b.like(alpha, 1)
    large = alpha >= one
    d = b.select(large, alpha, alpha + one) - third
    c = third / b.intrinsic("sqrt", d)
    key, boost_key = _threefry(b, (k0, k1), 0), _threefry(b, (k0, k1), 1)
    square = lambda v: v * v

    def draw(going, c):
        """Normal numbers x for which 1 + c x is positive, from a key on."""

        def turn(_, __, k0, k1, x, v):
            x = _normal(b, _threefry(b, (k0, k1), 1), dtype)
            v = one + x * c
            return (*_threefry(b, (k0, k1), 0), x, v), v <= 0

        return lambda key: iterate(b, going, (*key, b.like(c, 0), one), turn, _MAX_TURNS)[2:]

    def attempt(going, _, k0, k1, cube):
        x, v = draw(going, c)(_threefry(b, (k0, k1), 1))
        u, squares, cube = _unit(b, _threefry(b, (k0, k1), 2), dtype), square(x), square(v) * v
        far = u >= one - square(squares) * 0.0331
        bound = one - cube + vm.natural_log(b, cube)
        bound = squares * 0.5 + d * bound
        rejected = far & (vm.natural_log(b, u) >= bound)
        return (*_threefry(b, (k0, k1), 0), cube), rejected

    cube = iterate(b, b.const(True, BOOL), (*key, one), attempt, _MAX_TURNS)[2]
    u, inverse, zero = _unit(b, boost_key, dtype), one / alpha, b.like(alpha, 0)
    if log_space:
        log = vm.log1p(b, -u)
        none = large | log.equals(zero)
        boost = b.select(none, zero, log * inverse)
        return vm.natural_log(b, d) + vm.natural_log(b, cube) + boost
    boost = b.select(large, one, vm.power(b, one - u, inverse))
    return d * cube * boost


def _random_gamma(graph, operands, params, types, avals):
    (keys, alpha), shape, dtype = operands, types[0].shape, types[0].dtype
    params = dict(params)
    if not is_threefry(avals[0].dtype) or not params.pop("partitionable", True) or not prod(shape) or dtype in NARROW:
        return None
    per = prod(shape) // prod(avals[0].shape)
    if per >= MAX_COUNTERS:
        return None
    words = [graph.reshape(w, shape) for w in encrypted(graph, keys, (per,))]
    return [graph.elementwise("random_gamma", shape, dtype, (*words, alpha), tuple(params.items()))]


emits("random_gamma", "f", _sample, 4000)
KEYS["random_gamma"] = _random_gamma
