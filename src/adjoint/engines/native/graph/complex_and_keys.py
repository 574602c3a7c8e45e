"""Rules of complex numbers and of random keys, in terms of real arrays: graph, operands, params, types -> values.

A complex value is a `Pair` of views; what only moves elements does the same to both parts, and arithmetic is
written out, so that it is fused like any other. A random key is its words, on axes at the end; `KEYS` rules also
get the avals of the operands.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from math import exp as real_exp
from math import log, prod

import numpy as np

from ....core.dtypes import KeyDType
from ....core.primitive import primitives
from ....prims.generators import Threefry, generator_of
from .view_rules import RULES, threefry
from .views import Pair, Type, View, contiguous, physical

__all__ = [
    "COMPLEX", "KEYS", "MAX_COUNTERS", "Real", "add_pairs", "as_pair", "encrypted", "exp_pair", "greater",
    "is_threefry", "log_pair", "mul_pairs", "sub_pairs",
]

U32, U64 = np.dtype("u4"), np.dtype("u8")
_MIN_ELEMENTS_TO_COPY = 1 << 10  # elements of a part that is copied out of its array
_TESTS = ("eq", "ne", "lt", "gt", "ge", "le", "is_finite")


class Real:
    """Arithmetic of real views of one shape, by the names of primitives."""

    def __init__(self, graph, shape, dtype):
        self.graph = graph
        self.shape = tuple(shape)
        self.dtype = dtype

    @classmethod
    def of(cls, graph, aval) -> Real:
        """Return the operations on parts of values of a type."""
        return cls(graph, aval.shape, physical((), aval.dtype)[1])

    def __getattr__(self, name):
        return lambda *xs, **params: self(name, *xs, **params)

    def __call__(self, op: str, *xs, **params):
        views = [self.lit(x) if isinstance(x, (int, float)) else x for x in xs]
        dtype = np.dtype("?") if op in _TESTS else self.dtype
        if op in ("and", "or", "not"):
            dtype = views[0].base.dtype
        return self.graph.elementwise(op, self.shape, dtype, views, tuple(params.items()))

    def lit(self, x):
        return self.graph.number(x, self.dtype, self.shape)

    def where(self, which, yes, no):
        return self.select_n(which, no, yes)

    def endless(self, x):
        return self.eq(self("abs", x), np.inf)

    def unless_nan(self, x, which, other):
        """x, but `other` where x is NaN and `which` holds."""
        return self.where(self("and", which, self.ne(x, x)), other, x)

    def copysign(self, x, y):
        """|x| with the sign of y, also of -0.0."""
        bits = np.dtype(f"i{self.dtype.itemsize}")
        turned = self.graph.elementwise("bitcast_convert_type", self.shape, bits, (y,), (("new_dtype", bits),))
        zero = self.graph.number(0, bits, self.shape)
        negative = self.graph.elementwise("lt", self.shape, np.dtype("?"), (turned, zero))
        size = self("abs", x)
        return self.where(negative, self.neg(size), size)

    def hypot(self, x, y):
        """m sqrt(1 + (n/m)^2) with the larger of |x| and |y| as m; infinite if one is."""
        m, r = self._larger(x, y)
        out = self.mul(m, self.sqrt(self.add(self.mul(r, r), 1.0)))
        return self.where(self("or", self.endless(x), self.endless(y)), self.lit(np.inf), out)

    def _larger(self, x, y):
        a, b = self("abs", x), self("abs", y)
        m, n = self("max", a, b), self("min", a, b)
        plain = self("or", self.eq(m, 0.0), self.eq(n, np.inf))
        return m, self.where(plain, self.where(self.eq(m, 0.0), self.lit(0), self.lit(1)), self.div(n, m))

    @property
    def large(self) -> float:
        """Beyond this, e^x is taken in two steps."""
        return 80.0 if self.dtype.itemsize == 4 else 700.0


def _pairs(graph, operands, shape):
    """Return the operands stretched to the shape."""
    return [Pair(x.re.stretched(shape), x.im.stretched(shape)) for x in operands]


# ---- arithmetic ----------------------------------------------------------------------------------


def add_pairs(r: Real, x: Pair, y: Pair) -> Pair:
    return Pair(r.add(x.re, y.re), r.add(x.im, y.im))


def sub_pairs(r: Real, x: Pair, y: Pair) -> Pair:
    return Pair(r.sub(x.re, y.re), r.sub(x.im, y.im))


def mul_pairs(r: Real, x: Pair, y: Pair) -> Pair:
    return Pair(
        r.sub(r.mul(x.re, y.re), r.mul(x.im, y.im)), r.add(r.mul(x.re, y.im), r.mul(x.im, y.re))
    )


def _square(r: Real, x: Pair) -> Pair:
    return Pair(r.mul(r.sub(x.re, x.im), r.add(x.re, x.im)), r.mul(r.mul(x.re, x.im), 2.0))


def _div(r: Real, x: Pair, y: Pair) -> Pair:
    """Smith, "Algorithm 116: complex division" (1962): the quotient of the divisor's parts first."""
    wide = r.ge(r("abs", y.re), r("abs", y.im))
    c, d = r.where(wide, y.re, y.im), r.where(wide, y.im, y.re)
    q = r.where(r("and", r.eq(c, 0.0), r.eq(d, 0.0)), r("abs", d), r.div(d, c))
    down = r.add(c, r.mul(d, q))
    a, b = r.where(wide, x.re, x.im), r.where(wide, x.im, x.re)
    top, other = r.add(a, r.mul(b, q)), r.sub(b, r.mul(a, q))
    return Pair(r.div(top, down), r.div(r.where(wide, other, r.neg(other)), down))


def _either(r: Real, which: View, x: Pair, y: Pair) -> Pair:
    return Pair(r.where(which, x.re, y.re), r.where(which, x.im, y.im))


def _comes_first(sign: str):
    """Return the greater or the lesser by the real, then the imaginary parts; the second of equal ones, or beside NaN.
    """

    def rule(r, x, y):
        by_im = r("and", r.eq(x.re, y.re), r(sign, x.im, y.im))
        return _either(r, r("or", r(sign, x.re, y.re), by_im), x, y)

    return rule


def greater(sign: str):
    """Return the same, but the first of equal ones, and the first that has a NaN: what reductions are made of."""

    def rule(r, x, y):
        unknown = lambda z: r("or", r.ne(z.re, z.re), r.ne(z.im, z.im))
        by_im = r("and", r.eq(x.re, y.re), r("ge" if sign == "gt" else "le", x.im, y.im))
        first = r("and", r("or", r(sign, x.re, y.re), by_im), r("not", unknown(y)))
        return _either(r, r("or", unknown(x), first), x, y)

    return rule


def _clamp(r, low, x, high):
    return greater("lt")(r, greater("gt")(r, x, low), high)


def _sign(r, x):
    size = r.hypot(x.re, x.im)
    zero = r.eq(size, 0.0)
    return Pair(r.where(zero, x.re, r.div(x.re, size)), r.where(zero, x.im, r.div(x.im, size)))


def _integer_pow(r, x, *, y):
    n, out = abs(y), None
    while n:
        if n & 1:
            out = x if out is None else mul_pairs(r, out, x)
        n >>= 1
        if n:
            x = mul_pairs(r, x, x)
    one = Pair(r.lit(1), r.lit(0))
    return one if out is None else _div(r, one, out) if y < 0 else out


# ---- functions of analysis: infinities, NaN and the signs of zeros as in C99, annex G ------------


def exp_pair(r, x):
    """e^a (cos b + i sin b); a large e^a is multiplied in two steps."""
    far = r.gt(x.re, r.large)
    e = r.exp(r.sub(x.re, r.where(far, r.lit(64), r.lit(0))), accuracy=None)
    rest = r.where(far, r.lit(real_exp(64)), r.lit(1))
    level = r.eq(x.im, 0.0)
    part = lambda f: r.mul(r.mul(e, f), rest)
    c = r.unless_nan(r.cos(x.im, accuracy=None), r.endless(x.re), r.lit(1))
    s = r.unless_nan(r.sin(x.im, accuracy=None), r.eq(x.re, -np.inf), r.lit(0))
    return Pair(r.where(level, r.mul(e, rest), part(c)), r.where(level, x.im, part(s)))


def _expm1(r, x):
    """e^a cos b - 1 = (e^a - 1) cos b - 2 sin(b/2)^2"""
    s = r.sin(r.mul(x.im, 0.5), accuracy=None)
    near = r.sub(r.mul(r.expm1(x.re, accuracy=None), r.cos(x.im, accuracy=None)), r.mul(r.mul(s, s), 2.0))
    e = exp_pair(r, x)
    return Pair(r.where(r("or", r.gt(x.re, 1.0), r.ne(near, near)), r.sub(e.re, 1.0), near), e.im)


def _log_of_size(r, x):
    """log |x|, without cancellation near 1."""
    m, q = r._larger(x.re, x.im)
    n = r("min", r("abs", x.re), r("abs", x.im))
    near = r.add(r.mul(r.sub(m, 1.0), r.add(m, 1.0)), r.mul(n, n))
    near = r.mul(r.log1p(near, accuracy=None), 0.5)
    far = r.add(r.log(m, accuracy=None), r.mul(r.log1p(r.mul(q, q), accuracy=None), 0.5))
    out = r.where(r("and", r.gt(m, 0.5), r.lt(m, 3.0)), near, far)
    return r.unless_nan(out, r("or", r.endless(x.re), r.endless(x.im)), r.lit(np.inf))


def log_pair(r, x):
    return Pair(_log_of_size(r, x), r.atan2(x.im, x.re))


def _log1p(r, x):
    """log |1 + x| = log1p(a (2 + a) + b^2) / 2 for small x"""
    u = r.add(x.re, 1.0)
    near = r.add(r.mul(x.re, r.add(x.re, 2.0)), r.mul(x.im, x.im))
    near = r.mul(r.log1p(near, accuracy=None), 0.5)
    small = r.lt(r("max", r("abs", x.re), r("abs", x.im)), 0.5)
    return Pair(r.where(small, near, _log_of_size(r, Pair(u, x.im))), r.atan2(x.im, u))


def _sqrt(r, x):
    """Return, with t = sqrt((|a| + |x|) / 2), t + i b/2t on the right and |b|/2t +- i t on the left."""
    half = r.add(r.mul(r("abs", x.re), 0.5), r.mul(r.hypot(x.re, x.im), 0.5))
    t = r.sqrt(half, accuracy=None)
    zero, right = r.eq(t, 0.0), r.ge(x.re, 0.0)
    other = r.where(zero, x.im, r.div(x.im, r.mul(t, 2.0)))
    re = r.where(r("or", right, zero), t, r("abs", other))
    im = r.where(r("or", right, zero), other, r.copysign(t, x.im))
    endless = r.endless(x.im)
    return Pair(r.where(endless, r.lit(np.inf), re), r.where(endless, x.im, im))


def _pow(r, x, y):
    out = exp_pair(r, mul_pairs(r, log_pair(r, x), y))
    zero = r("and", r.eq(x.re, 0.0), r.eq(x.im, 0.0))
    none = r("and", r.eq(y.re, 0.0), r.eq(y.im, 0.0))
    of_zero = r.where(r.gt(y.re, 0.0), r.lit(0), r.lit(np.nan))
    re, im = (r.where(zero, of_zero, part) for part in (out.re, out.im))
    return Pair(r.where(none, r.lit(1), re), r.where(none, r.lit(0), im))


def _atan2(r, y, x):
    """-i log((x + i y) / sqrt(x^2 + y^2))"""
    size = _sqrt(r, add_pairs(r, mul_pairs(r, x, x), mul_pairs(r, y, y)))
    out = log_pair(r, _div(r, Pair(r.sub(x.re, y.im), r.add(x.im, y.re)), size))
    return Pair(out.im, r.neg(out.re))


def _turned(function):
    """f(i x) / i, for pairs of a circular and a hyperbolic function."""

    def rule(r, x):
        out = function(r, Pair(r.neg(x.im), x.re))
        return Pair(out.im, r.neg(out.re))

    return rule


def _sinh(r, x):
    s, c = r.sinh(x.re, accuracy=None), r.cosh(x.re, accuracy=None)
    level = r.eq(x.im, 0.0)  # where an infinite factor would make NaN
    kept = r("or", r.eq(x.re, 0.0), r.endless(x.re))
    re = r.where(level, s, r.mul(s, r.unless_nan(r.cos(x.im, accuracy=None), kept, r.lit(1))))
    return Pair(re, r.where(level, x.im, r.mul(c, r.sin(x.im, accuracy=None))))


def _cosh(r, x):
    s, c = r.sinh(x.re, accuracy=None), r.cosh(x.re, accuracy=None)
    level, side = r.eq(x.im, 0.0), r.copysign(r.lit(1), x.re)
    re = r.where(level, c, r.mul(c, r.unless_nan(r.cos(x.im, accuracy=None), r.endless(x.re), r.lit(1))))
    im = r.mul(s, r.unless_nan(r.sin(x.im, accuracy=None), r.eq(x.re, 0.0), r.lit(1)))
    return Pair(re, r.where(level, r.mul(side, x.im), im))


def _tanh(r, x):
    """Kahan, "Branch cuts for complex elementary functions" (1987): by tan b and sinh a."""
    far = r.gt(r("abs", x.re), 11.0 if r.dtype.itemsize == 4 else 22.0)
    a = r.where(far, r.lit(0), x.re)
    t, s = r.tan(x.im, accuracy=None), r.sinh(a, accuracy=None)
    beta, square = r.add(r.mul(t, t), 1.0), r.mul(s, s)
    down = r.add(r.mul(beta, square), 1.0)
    re = r.div(r.mul(r.mul(beta, r.sqrt(r.add(square, 1.0), accuracy=None)), s), down)
    sc = r.mul(r.sin(x.im, accuracy=None), r.cos(x.im, accuracy=None))
    tail = r.mul(r.mul(sc, 4.0), r.exp(r.mul(r("abs", x.re), -2.0), accuracy=None))
    tail = r.unless_nan(tail, r.endless(x.re), r.copysign(r.lit(0), x.im))
    end = r.where(r.eq(tail, tail), r.copysign(r.lit(1), x.re), tail)
    re = r.where(far, end, r.where(r.eq(x.re, 0.0), x.re, re))
    im = r.where(far, tail, r.div(t, down))
    return Pair(re, r.where(r.eq(x.im, 0.0), x.im, im))


def _logistic(r, x):
    """Compute it from e^x where the real part is negative, as e^-x may overflow to a NaN there."""
    left = r.lt(x.re, 0.0)
    e = exp_pair(r, Pair(r.where(left, x.re, r.neg(x.re)), r.where(left, x.im, r.neg(x.im))))
    top = Pair(r.where(left, e.re, r.lit(1)), r.where(left, e.im, r.lit(0)))
    return _div(r, top, Pair(r.add(e.re, 1.0), e.im))


# ---- tables --------------------------------------------------------------------------------------


def _elementwise(function):
    """Return a rule of a function of `Real` and pairs."""

    def rule(graph, operands, params, types):
        params = {k: v for k, v in params.items() if k not in ("accuracy", "out_dtype")}
        return [function(Real.of(graph, types[0]), *_pairs(graph, operands, types[0].shape), **params)]

    return rule


def _partwise(op):
    return _elementwise(lambda r, *xs: Pair(r(op, *[x.re for x in xs]), r(op, *[x.im for x in xs])))


def _parted(name):
    """Return the rule of what moves elements, for both parts."""

    def rule(graph, operands, params, types):
        kept = [[], []]
        for k, part in enumerate(("re", "im")):
            args = [getattr(x, part) if isinstance(x, Pair) else x for x in operands]
            here = dict(params)
            if here.get("fill_value") is not None or "fill_value" in here:
                fill = here["fill_value"]
                fill = complex(np.nan if fill is None else fill)
                here["fill_value"] = fill.imag if k else fill.real
            real = [Type(t.shape, physical((), t.dtype)[1]) if t.dtype.kind == "c" else t for t in types]
            out = RULES[name](graph, args, here, real)
            if out is None:
                return None
            kept[k] = out
        return [Pair(re, im) if t.dtype.kind == "c" else re for re, im, t in zip(*kept, types)]

    return rule


def _convert(graph, operands, params, types):
    (x,), new = operands, types[0].dtype
    if new.kind != "c":
        return [graph.converted(x.re, new)]
    return [as_pair(graph, x, new)]


def as_pair(graph, x: View | Pair, dtype) -> Pair:
    """Return a real or complex array in a complex type."""
    part = physical((), dtype)[1]
    if isinstance(x, View):
        return Pair(graph.converted(x, part), graph.number(0, part, x.shape))
    return Pair(graph.converted(x.re, part), graph.converted(x.im, part))


def _product(graph, operands, params, types):
    """Return a product of which an operand or the result is complex; one that is not is that of the real parts."""
    out = types[0]
    if out.dtype.kind == "c":
        return _multiplied(graph, [as_pair(graph, x, out.dtype) for x in operands], params, types)
    parts = [graph.converted(x.re if isinstance(x, Pair) else x, out.dtype) for x in operands]
    return None if out.dtype.kind not in "fiu" else [graph.elementwise("mul", out.shape, out.dtype, tuple(parts))]


_multiplied = _elementwise(mul_pairs)


def _iota(graph, operands, params, types):
    part = Type(types[0].shape, physical((), types[0].dtype)[1])
    return [as_pair(graph, *RULES["iota"](graph, operands, params, [part]), types[0].dtype)]


def _compared(op, joined):
    def rule(graph, operands, params, types):
        shape = types[0].shape
        x, y = _pairs(graph, operands, shape)
        parts = [graph.elementwise(op, shape, types[0].dtype, p) for p in ((x.re, y.re), (x.im, y.im))]
        return [graph.elementwise(joined, shape, types[0].dtype, parts)]

    return rule


def _select(graph, operands, params, types):
    which, *cases = operands
    r = Real.of(graph, types[0])
    return [Pair(r.select_n(which, *[c.re for c in cases]), r.select_n(which, *[c.im for c in cases]))]


def _of_parts(function):
    """Return a rule with a real result."""
    return lambda g, xs, p, types: [function(Real.of(g, types[0]), xs[0])]


def _bilinear(name):
    """Return the rule of products and convolutions: that of real numbers for each pair of parts."""

    def rule(graph, operands, params, types):
        r, real = Real.of(graph, types[0]), [Type(types[0].shape, physical((), types[0].dtype)[1])]
        parts = lambda x: [x.re, x.im] if isinstance(x, Pair) else [x]
        is_long = lambda x: x.size >= _MIN_ELEMENTS_TO_COPY and x.base.size > x.size
        apart = lambda x: graph.copied(x) if is_long(x) else x  # read in vectors
        x, y = [[apart(graph.converted(part, r.dtype)) for part in parts(v)] for v in operands]
        found = [[RULES[name](graph, [a, b], params, real) for b in y] for a in x]
        if any([t is None for row in found for t in row]):
            return None
        re, im = found[0][0][0], [t for t, in (*found[0][1:], *[row[0] for row in found[1:]])]
        if len(im) == 2:
            re, im = r.sub(re, found[1][1][0]), [r.add(*im)]
        (im,) = im or [r.lit(0)]
        return [Pair(re, im)] if types[0].dtype.kind == "c" else [re]

    return rule


def _sort(graph, operands, params, types):
    """Sort by the real, then the imaginary parts."""
    flat = lambda xs: [part for x in xs for part in ((x.re, x.im) if isinstance(x, Pair) else (x,))]
    real = [
        Type(t.shape, part) for t in types
        for part in [physical((), t.dtype)[1]] * (2 if t.dtype.kind == "c" else 1)
    ]
    keys = len(flat(operands[: params["num_keys"]]))
    found = RULES["sort"](graph, flat(operands), params | dict(num_keys=keys), real)
    if found is None:
        return None
    parts = iter(found)
    return [Pair(next(parts), next(parts)) if t.dtype.kind == "c" else next(parts) for t in types]


_MOVES = """broadcast_in_dim reshape squeeze transpose rev slice stop_gradient optimization_barrier split unstack
concatenate stack pad reduce_sum cumsum gather dynamic_slice dynamic_update_slice scatter scatter-add scatter-sub tile
reduce_window_sum device_put sharding_constraint layout_constraint reshard inspect_sharding dce_sink""".split()

COMPLEX = {
    "add": _partwise("add"), "add_any": _partwise("add"), "sub": _partwise("sub"), "neg": _partwise("neg"),
    "copy": _partwise("copy"), "mul": _product, "div": _elementwise(_div), "sign": _elementwise(_sign),
    "square": _elementwise(_square), "integer_pow": _elementwise(_integer_pow),
    "exp2": _elementwise(lambda r, x: exp_pair(r, Pair(r.mul(x.re, log(2)), r.mul(x.im, log(2))))),
    "exp": _elementwise(exp_pair), "expm1": _elementwise(_expm1), "log": _elementwise(log_pair),
    "log1p": _elementwise(_log1p), "sqrt": _elementwise(_sqrt), "logistic": _elementwise(_logistic),
    "rsqrt": _elementwise(lambda r, x: _div(r, Pair(r.lit(1), r.lit(0)), _sqrt(r, x))),
    "sinh": _elementwise(_sinh), "cosh": _elementwise(_cosh), "tanh": _elementwise(_tanh),
    "sin": _elementwise(_turned(_sinh)), "tan": _elementwise(_turned(_tanh)),
    "cos": _elementwise(lambda r, x: _cosh(r, Pair(r.neg(x.im), x.re))),
    "pow": lambda g, xs, p, t: _elementwise(_pow)(g, [xs[0], as_pair(g, xs[1], t[0].dtype)], p, t),
    "atan2": _elementwise(_atan2),
    "conj": lambda g, xs, p, t: [_conjugate(g, xs[0], t[0])], "iota": _iota,
    "complex": lambda g, xs, p, t: [Pair(*[x.stretched(t[0].shape) for x in xs])],
    "real": lambda g, xs, p, t: [xs[0].re], "imag": lambda g, xs, p, t: [xs[0].im],
    "abs": _of_parts(lambda r, x: r.hypot(x.re, x.im)), "select_n": _select,
    "eq": _compared("eq", "and"), "ne": _compared("ne", "or"), "convert_element_type": _convert,
    "max": _elementwise(_comes_first("gt")), "min": _elementwise(_comes_first("lt")), "clamp": _elementwise(_clamp),
    "eq_to": _compared("eq", "and"), "sort": _sort, "dot_general": _bilinear("dot_general"),
    "conv_general_dilated": _bilinear("conv_general_dilated"), **{name: _parted(name) for name in _MOVES},
}


def _conjugate(graph, x, aval):
    if isinstance(x, View):  # of a real operand
        return Pair(x, graph.number(0, x.base.dtype, x.shape))
    return Pair(x.re, Real.of(graph, aval).neg(x.im))


# ---- random keys ---------------------------------------------------------------------------------

MAX_COUNTERS = 1 << 32  # counters of one word


def _words(keys: View, n: int, rank: int) -> list[View]:
    """Return the words of keys, on the first axes of a rank."""
    shape = keys.shape[:-1]
    out = []
    for k in range(n):
        word = View(keys.base, shape, keys.offset + k * keys.strides[-1], keys.strides[:-1])
        out.append(word.broadcast((*shape, *(1,) * rank), range(len(shape))))
    return out


def is_threefry(dtype) -> bool:
    return type(generator_of(dtype)) is Threefry


def encrypted(graph, keys: View, shape):
    """Return both words for the counters 0, 1, ... under each key."""
    n, lead = prod(shape), keys.shape[:-1]
    whole = (*lead, *shape)
    counter = graph.whole(graph._node("iota", (n,), U32)).reshape(shape)
    counter = counter.broadcast(whole, range(len(lead), len(whole)))
    keys = _words(keys, 2, len(shape))
    return threefry(graph, [*keys, graph.number(0, U32, whole), counter], {}, [Type(whole, U32)])


def _side_by_side(graph, y0, y1) -> list[View]:
    shape = (*y0.shape, 2)
    strides = contiguous(shape)[:-1]
    return [graph.assemble(shape, U32, [(y0, 0, strides), (y1, 1, strides)])]


def _split(graph, operands, params, types, avals):
    (keys,), shape = operands, params["shape"]
    if not is_threefry(avals[0].dtype) or not params.get("partitionable", True):
        return None
    if not 0 < prod(types[0].shape) or prod(shape) >= MAX_COUNTERS:
        return None
    return _side_by_side(graph, *encrypted(graph, keys, shape))


def _bits(graph, operands, params, types, avals):
    (keys,), shape, width = operands, params["shape"], params["bit_width"]
    if not is_threefry(avals[0].dtype) or not params.get("partitionable", True):
        return None
    if not 0 < prod(types[0].shape) or prod(shape) >= MAX_COUNTERS:
        return None
    y0, y1 = encrypted(graph, keys, shape)
    whole = types[0].shape
    if width == 64:
        high, low = graph.converted(y0, U64), graph.converted(y1, U64)
        high = graph.elementwise("shift_left", whole, U64, (high, graph.number(32, U64)))
        return [graph.elementwise("or", whole, U64, (high, low))]
    return [graph.converted(graph.elementwise("xor", whole, U32, (y0, y1)), types[0].dtype)]


def _fold_in(graph, operands, params, types, avals):
    (keys, data), shape = operands, types[0].shape
    if not is_threefry(avals[0].dtype) or not prod(shape):
        return None
    words = [w.stretched(shape) for w in _words(keys, 2, 0)]
    zero = graph.number(0, U32, shape)
    return _side_by_side(graph, *threefry(graph, [*words, zero, data.stretched(shape)], {}, [Type(shape, U32)]))


def _seed(graph, operands, params, types, avals):
    (seeds,), shape = operands, types[0].shape
    dtype = seeds.base.dtype
    if type(params["impl"]) is not Threefry or not prod(shape):
        return None
    high = graph.number(0, U32, shape)
    if dtype.itemsize == 8:
        by = graph.number(32, dtype)
        high = graph.converted(graph.elementwise("shift_right_logical", shape, dtype, (seeds, by)), U32)
    return _side_by_side(graph, high, graph.converted(seeds, U32))


def _moved(name, change):
    """Return the rule of what moves elements, with the words of a key as more axes: `change` of params and their shape.
    """

    def rule(graph, operands, params, types, avals):
        words = next(a.dtype for a in (*avals, *types) if isinstance(a.dtype, KeyDType))._impl.key_shape
        operands, params = change(list(operands), dict(params), words, avals)
        return RULES[name](graph, operands, params, [Type(*physical(t.shape, t.dtype)) for t in types])

    return rule


def _same(xs, p, words, avals):
    return xs, p


def _broadcast(xs, p, words, avals):
    rank, n = len(p["shape"]), len(words)
    axes = (*p["broadcast_dimensions"], *range(rank, rank + n))
    return xs, p | dict(shape=(*p["shape"], *words), broadcast_dimensions=axes)


def _permuted(xs, p, words, avals):
    n = len(p["permutation"])
    return xs, p | dict(permutation=(*p["permutation"], *range(n, n + len(words))))


def _sliced(xs, p, words, avals):
    zeros, steps = (0,) * len(words), p["strides"]
    steps = None if steps is None else (*steps, *(1,) * len(words))
    limits = (*p["limit_indices"], *words)
    return xs, p | dict(start_indices=(*p["start_indices"], *zeros), limit_indices=limits, strides=steps)


def _gathered(xs, p, words, avals):
    numbers, n = p["dimension_numbers"], len(words)
    rank = len(avals[1].shape) - 1 + len(numbers.offset_dims)
    numbers = numbers._replace(offset_dims=(*numbers.offset_dims, *range(rank, rank + n)))
    return xs, p | dict(dimension_numbers=numbers, slice_sizes=(*p["slice_sizes"], *words))


def _dynamic(xs, p, words, avals):
    return xs, p | dict(slice_sizes=(*p["slice_sizes"], *words)) if "slice_sizes" in p else p


def _chosen(graph, operands, params, types, avals):
    which, *cases = operands
    shape = physical(types[0].shape, types[0].dtype)[0]
    if which.shape:
        which = which.broadcast(shape, range(len(which.shape)))
    return [graph.elementwise("select_n", shape, U32, (which, *cases))]


KEYS = {
    "random_wrap": lambda g, xs, p, t, avals: xs, "random_unwrap": lambda g, xs, p, t, avals: xs,
    "random_clone": lambda g, xs, p, t, avals=(): xs, "copy": lambda g, xs, p, t, avals: [g.copied(xs[0])],
    "random_seed": _seed, "random_split": _split, "random_fold_in": _fold_in, "random_bits": _bits,
    "select_n": _chosen, "broadcast_in_dim": _moved("broadcast_in_dim", _broadcast),
    "transpose": _moved("transpose", _permuted), "slice": _moved("slice", _sliced),
    "gather": _moved("gather", _gathered), "dynamic_slice": _moved("dynamic_slice", _dynamic),
    **{name: _moved(name, _same) for name in """reshape squeeze rev stop_gradient optimization_barrier split unstack
       concatenate stack dynamic_update_slice""".split()},
}

# Of the others, the rules of other operands tell that they are compiled.
for _name in ("complex", "conj", "imag", "real"):
    primitives[_name].emit(COMPLEX[_name])
for _name in ("bits", "clone", "fold_in", "seed", "split", "unwrap", "wrap"):
    primitives[f"random_{_name}"].emit(KEYS[f"random_{_name}"])
