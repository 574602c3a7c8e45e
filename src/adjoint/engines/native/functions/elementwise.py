"""The `emit` rules of element-wise primitives: one row an operation.

A rule takes the builder and the operands' registers and returns the result's register; params are keyword
arguments. It is written once for all lanes and widths. A row names the kinds of dtype that the operands may
have (`f`, `i`, `u`, `b`); other operands leave the equation to its `evaluate` rule, as does a primitive without
a row. Rules are put on the primitives when this module is imported, so that `emit_rule` says what is compiled.

Tests: `tests/engines/native/test_examples.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

import numpy as np

from ....core import dtypes
from ....core.primitive import primitives
from ..text.builder import NARROW, SUPPORTED, Builder, Value
from ..text.shared_functions import shared
from . import vector_arcs
from . import vector_math as vm

__all__ = ["Rule", "cost"]

_TAKE_OPERATIONS = 16
# The primitives that have rules here or in view_rules.py and others: they must be there before their rules.
for _family in (
    "arithmetic", "barrier", "conversion", "cumulative", "dot", "error_functions", "indexing", "logic", "random",
    "reduction", "shape", "sharding", "slicing", "sorting", "special", "threefry", "tokens", "transcendental",
    "windows",
):
    import_module(f"adjoint.prims.{_family}")


class Rule:
    """The way an element-wise primitive is emitted, and its operands."""

    __slots__ = ("cost", "function", "kinds", "test")

    def __init__(self, kinds: str, function: Callable, cost: int = 1, test: Callable | None = None):
        self.kinds = kinds
        self.function = function
        self.cost = cost
        self.test = test  # of operand dtypes and params, what `kinds` cannot say

    def __call__(self, b: Builder, *args: Value, **params) -> Value:
        return self.function(b, *args, **params)

    def accepts(self, avals, params: dict) -> bool:
        """Return whether equations with these operands and params are emitted."""
        for a in avals:
            if _kind(a.dtype) not in self.kinds:
                return False
        return self.test is None or self.test([a.dtype for a in avals], params)


@cache
def _kind(dtype) -> str:
    return "f" if dtype in NARROW else dtype.kind if dtype in SUPPORTED else "none"


@cache
def cost(op: str) -> int:
    """Roughly, operations for one vector."""
    if op == "take":
        return _TAKE_OPERATIONS
    return primitives[op].emit_rule.cost if op in primitives and primitives[op].emit_rule else 1


def emits(name: str, kinds: str, function: Callable, cost: int = 1, test: Callable | None = None) -> None:
    """Put a rule on the primitive."""
    primitives[name].emit(Rule(kinds, function, cost, test))


# ---- arithmetic ----------------------------------------------------------------------------------


def _divide(b, x, y):
    if x.dtype.kind == "f":
        return x / y
    return _by_nonzero(b, "div", x, y, by_zero=b.like(x, -1 if x.dtype.kind == "i" else np.iinfo(x.dtype).max))


def _remainder(b, x, y):
    if x.dtype.kind == "f":
        return b.binary("frem", x, y)
    return _by_nonzero(b, "rem", x, y, by_zero=x)


def _by_nonzero(b, op, x, y, by_zero):
    """Return the processor traps on x / 0 and on the least integer / -1: it never gets those divisors."""
    zero = y.equals(0)
    unsafe = zero
    if x.dtype.kind == "i":
        minus = y.equals(-1)
        unsafe = zero | minus
    out = b.binary(("s" if x.dtype.kind == "i" else "u") + op, x, b.select(unsafe, 1, y))
    if x.dtype.kind == "i":
        out = b.select(minus, -x if op == "div" else b.like(x, 0), out)
    return b.select(zero, by_zero, out)


def _abs(b, x):
    return abs(x) if x.dtype.kind == "f" else b.select(x < 0, -x, x)


def _sign(b, x):
    zero, one = b.like(x, 0), b.like(x, 1)
    out = b.select(x > zero, one, x)  # what is left is NaN and both zeros
    return out if x.dtype.kind == "u" else b.select(x < zero, -1, out)


_MAX_HALVES, _MAX_QUARTERS = 6, 7  # of exponents that are raised by roots and products


def _power_of_halves(b, x, halves: int):
    """x^(halves / 2) by a root and products, or quotients, none of which leaves the range before the result does."""
    times, out = abs(halves) // 2, b.like(x, 1)
    if halves % 2:
        x = _without_signs(b, x)
        out = b.intrinsic("sqrt", x)
    elif halves > 0:
        out, times = x, times - 1
    if halves < 0 and halves % 2:
        out = 1 / out
    for _ in range(times):
        out = out / x if halves < 0 else out * x
    return out


def _power_of_quarters(b, x, quarters: int):
    """x^(quarters / 4), an odd number of them, from the fourth root; within 2 units in the last place."""
    x = _without_signs(b, x)
    root, times = b.intrinsic("sqrt", b.intrinsic("sqrt", x)), (abs(quarters) + 1) // 4
    out = root if quarters > 0 else 1 / root
    if abs(quarters) % 4 == 3:  # where the root is x, which is 0, 1 or infinite, no quotient of them is asked for
        out = b.select(x.equals(root), out, x / root if quarters > 0 else root / x)
        times -= 1
    for _ in range(times):
        out = out * x if quarters > 0 else out / x
    return out


def _without_signs(b, x):
    """Return x, and +0 and infinity for -0 and -infinity, of which C's pow has roots."""
    return b.select(x.equals(-np.inf), np.inf, x + 0.0)


def _integer_power(b, x, *, y):
    """Compute a power by repeated squaring."""
    n, out = abs(y), None
    while n:
        if n & 1:
            out = x if out is None else out * x
        n >>= 1
        if n:
            x = x * x
    if out is None:
        return b.like(x, 1)
    return 1 / out if y < 0 else out


def _power(b, x, y):
    if y.number is not None and abs(2 * y.number) <= _MAX_HALVES and (2 * y.number).is_integer():
        return _power_of_halves(b, x, int(2 * y.number))
    if y.number is not None and abs(4 * y.number) <= _MAX_QUARTERS and (4 * y.number).is_integer():
        return _power_of_quarters(b, x, int(4 * y.number))
    return shared(b, "pow", vm.power, x, b.convert(y, x.dtype), inlined=True)


def _multiply(b, x, y, out_dtype=None):
    if out_dtype is not None:
        x, y = b.convert(x, out_dtype), b.convert(y, out_dtype)
    return x * y


for _name, _method in (("add", Builder.add), ("sub", Builder.sub)):
    emits(_name, "fiu", _method)
emits("add_any", "fiub", Builder.add)
emits("mul", "fiu", _multiply)
emits("neg", "fiu", Builder.neg)
emits("div", "fiu", _divide, 4)
emits("rem", "fiu", _remainder, 40)
emits("max", "fiub", Builder.maximum)
emits("min", "fiub", Builder.minimum)
emits("clamp", "fiub", lambda b, low, x, high: b.minimum(b.maximum(x, low), high))
emits("abs", "fi", _abs)
emits("sign", "fiu", _sign)
emits("floor", "f", lambda b, x: b.intrinsic("floor", x))
emits("ceil", "f", lambda b, x: b.intrinsic("ceil", x))
emits("round", "f", lambda b, x, *, rounding_method: b.intrinsic("rint" if rounding_method else "round", x), 3)
emits("square", "fiu", lambda b, x: x * x)
emits("integer_pow", "fiu", _integer_power, 2)
emits("pow", "fiu", _power, 60)


# ---- functions of analysis -----------------------------------------------------------------------


def _analysis(name: str, function: Callable, cost: int = 12):
    emits(name, "f", lambda b, x, accuracy=None: function(b, x), cost)


_analysis("sqrt", lambda b, x: b.intrinsic("sqrt", x), 4)
_analysis("rsqrt", lambda b, x: 1 / b.intrinsic("sqrt", x), 8)
for _name, _function in dict(
    exp=vm.exp, exp2=vm.exp2, expm1=vm.expm1, log=vm.natural_log, log1p=vm.log1p, tanh=vm.tanh,
    logistic=vm.logistic, sin=vm.sin, cos=vm.cos, tan=vm.tan, erf=vm.erf, erfc=vm.erfc,
).items():
    _analysis(_name, lambda b, x, name=_name, body=_function: shared(b, name, body, x, inlined=True), 20)
for _name in vector_arcs.__all__:
    _body = getattr(vector_arcs, _name)
    if _name != "atan2":
        _analysis(_name, lambda b, x, name=_name, body=_body: shared(b, name, body, x), 40)
emits("atan2", "f", lambda b, y, x: shared(b, "atan2", vector_arcs.atan2, y, x), 40)
_analysis("cbrt", lambda b, x: b.each_lane("cbrt", x), 100)  # by the C library, lane by lane, in float64


# ---- comparisons, bits, choices ------------------------------------------------------------------

for _name in "eq ne lt le gt ge".split():
    emits(_name, "fiub", lambda b, x, y, op=_name: b.compare(op, x, y))
for _name in ("and", "or", "xor"):
    emits(_name, "iub", lambda b, x, y, op=_name: b.binary(op, x, y))
emits("is_finite", "f", lambda b, x: abs(x) < np.inf)
emits("not", "iub", lambda b, x: x ^ (1 if x.dtype.kind == "b" else -1))
emits("population_count", "iu", lambda b, x: b.intrinsic("ctpop", x), 3)


def _count_leading_zeros(b, x):
    t, name = b.type(x.dtype), f"llvm.ctlz.{b.mangled(x.dtype)}"
    b.module.declarations.add(f"declare {t} @{name}({t}, i1)")
    return b.new(f"call {t} @{name}({t} {x.text}, i1 false)", x.dtype)


emits("clz", "iu", _count_leading_zeros, 3)


def _shift(b, x, n, *, op):
    """Shifts by the width or more, which the processor has otherwise, leave zeros or signs."""
    n = b.value(n.text, np.dtype(f"u{n.dtype.itemsize}"))
    width = 8 * x.dtype.itemsize
    if op == "ashr":
        return b.binary(op, x, b.minimum(n, width - 1))
    inside = n < width
    return b.select(inside, b.binary(op, x, b.select(inside, n, 0)), 0)


emits("shift_left", "iu", partial(_shift, op="shl"), 2)
emits("shift_right_logical", "iu", partial(_shift, op="lshr"), 2)
emits("shift_right_arithmetic", "iu", partial(_shift, op="ashr"), 2)


def _select_n(b, which, *cases):
    out = cases[0]
    for i, case in enumerate(cases[1:], 1):
        chosen = which if which.dtype.kind == "b" else which >= i
        out = b.select(chosen, case, out)
    return out


emits("select_n", "fiub", _select_n)


# ---- conversions ---------------------------------------------------------------------------------


def _same_width(operands, params):
    new, (old,) = params["new_dtype"], operands
    plain = new in SUPPORTED and not {new, old} & (NARROW | {dtypes.bool_})
    return plain and new.itemsize == old.itemsize


emits("convert_element_type", "fiub",
      lambda b, x, *, new_dtype, weak_type=False, sharding=None: b.convert(x, new_dtype), 1,
      lambda operands, params: params["new_dtype"] in SUPPORTED)


def _bitcast(b, x, *, new_dtype, old_dtype=None):
    """Narrow floats, which are float32 in registers, say what they are."""
    narrow = [d for d in (old_dtype, new_dtype) if d in NARROW]
    if not narrow:
        return b.bitcast(x, new_dtype)
    (dtype,), word, to_word = narrow, np.dtype("u2"), old_dtype in NARROW
    if dtype.kind == "f":
        if to_word:
            return b.new(f"bitcast {b.wide('half')} {b.float_to_half(x).text} to {b.wide('i16')}", word)
        return b.half_to_float(b.new(f"bitcast {b.wide('i16')} {x.text} to {b.wide('half')}"))
    wide = np.dtype("u4")
    if to_word:
        bits = b.bitcast(x, wide)
        return b.convert(bits >> 16, word)
    bits = b.convert(x, wide)
    return b.bitcast(bits << 16, np.dtype("f4"))


emits("bitcast_convert_type", "fiu", _bitcast, 1, _same_width)
emits("copy", "fiub", lambda b, x: x)
