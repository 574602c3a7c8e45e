"""The hypergeometric functions: SciPy's, at their addresses; derivatives by the parameters are written here.

No one algorithm is good everywhere, and what the evaluation rules call can be called from generated code too: results
are the same to the last bit, without Python, in the bodies of loops too.

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from functools import partial

from ....core.process.locks import once
from ....prims import hypergeometric as hypergeometric  # the primitives must be there before their rules
from ..runtime.machine import function_in, on_demand
from ..text.builder import BOOL, F64, Builder, Value
from ..text.shared_functions import iterate, shared
from . import vector_math as vm
from .elementwise import emits

_OPERANDS = {"hyp1f1": 3, "hyp2f1": 4}
_MAX_TURNS = 2000


@once
def _address(name: str) -> int:
    """Return where the function of so many float64 is; 0 if SciPy has it elsewhere.

    Its last argument, which says that nothing overrides it, is not looked at, and is not given.
    """
    from scipy.special import cython_special

    wanted = f"double ({'double, ' * _OPERANDS[name]}int __pyx_skip_dispatch)"
    found = [function_in(c) for key, c in cython_special.__pyx_capi__.items() if key.endswith(name)]
    return next((address for address, signature in found if signature == wanted), 0)


def _linked(name: str) -> int:
    address = _address(name)
    if not address:  # code from the disk, made with another SciPy
        raise RuntimeError(f"this SciPy has no C function {name}")
    return address


for _name in _OPERANDS:
    on_demand(__name__, f"scipy.{_name}", partial(_linked, _name))


def _hyp1f1(b: Builder, a: Value, c: Value, x: Value) -> Value:
    """1 where a is 0, whatever c is; e^x where it is c; a polynomial may end before its pole."""
    zero, one, most = b.like(x, 0), b.like(x, 1), b.like(x, hypergeometric.MAX_OPERAND_OF_1F1)
    is_whole = lambda v: v.equals(b.intrinsic("floor", v)) & (v <= zero)
    ends = is_whole(a)
    beyond = (x > most) & ~ends
    pole = is_whole(c) & ~(ends & (a > c))
    out = b.each_lane("scipy.hyp1f1", a, c, b.select(beyond, most, x))
    out = b.select((abs(x) < hypergeometric.LINEAR_BELOW_IN_1F1) & x.differs(zero), b.fma(a / c, x, one), out)
    at_pole = b.select(a.equals(c), vm.exp(b, x), float("inf"))
    out = b.select(pole, at_pole, out)
    return b.select(a.equals(zero), one, out)


def _series(b: Builder, a: Value, c: Value, x: Value, of_a: bool) -> Value:
    """Return the sum of (a)_k / (c)_k x^k / k! times that of 1 / (a + j), or of -1 / (c + j), for j < k."""
    one, until = b.like(x, 1), abs(a) + abs(c)  # before, a term may vanish among others

    def turn(_, k, weight, term, total):
        before = k - one
        top, bottom = a + before, c + before
        weight = weight + (1 if of_a else -1) / (top if of_a else bottom)
        term = term * top / bottom * x / k
        step = term * weight
        total = total + step
        on = abs(step) > abs(total) * 1e-17
        return (weight, term, total), on | (before < until)

    start = b.like(x, 0), one, b.like(x, 0)
    return iterate(b, b.const(True, BOOL), start, turn, _MAX_TURNS)[2]


def _difference(b: Builder, *args: Value, place: int) -> Value:
    """Return the central difference of 2F1 by one of its parameters, of the sixth order."""
    at, one = args[place], b.like(args[0], 1)
    size = abs(at)
    step = b.select(size < one, one, size) * 1e-3

    def odd(k: int) -> Value:
        moved = [at + step * n for n in (k, -k)]
        above, below = [b.each_lane("scipy.hyp2f1", *args[:place], v, *args[place + 1 :]) for v in moved]
        return above - below

    first, second = [odd(k) * factor for k, factor in ((1, 45), (2, 9))]
    return (first - second + odd(3)) / (step * 60)


def _emits_double(name: str, body, function: str, cost: int) -> None:
    """A rule in float64 for all dtypes, if SciPy has the function that is called."""

    def rule(b, *xs):
        out = shared(b, name, body, *[b.convert(x, F64) for x in xs])
        return b.convert(out, xs[0].dtype)

    emits(name, "f", rule, cost, lambda operands, params: not function or _address(function) != 0)


_emits_double("hyp1f1", _hyp1f1, "hyp1f1", 1000)
_emits_double("hyp1f1_of_a", partial(_series, of_a=True), "", 500)
_emits_double("hyp1f1_of_b", partial(_series, of_a=False), "", 500)
_emits_double("hyp2f1", lambda b, *xs: b.each_lane("scipy.hyp2f1", *xs), "hyp2f1", 1000)
for _place in range(3):
    _emits_double("hyp2f1_of_" + "abc"[_place], partial(_difference, place=_place), "hyp2f1", 6000)
