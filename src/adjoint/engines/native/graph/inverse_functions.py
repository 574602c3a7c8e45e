"""Inverse circular and hyperbolic functions of complex numbers, in terms of real ones.

By the formulas of W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit"
(1987), which lose nothing near the ends of the cuts; infinities are those of C99, annex G.
"""

from __future__ import annotations

from math import pi

import numpy as np

from .complex_and_keys import COMPLEX, Real
from .views import Pair


def _roots(r: Real, x: Pair) -> tuple[Pair, Pair]:
    """Return the roots of 1 - x and of 1 + x."""
    below = Pair(r.sub(1.0, x.re), r.neg(x.im))
    above = Pair(r.add(1.0, x.re), x.im)
    return r.root(below), r.root(above)


def _endless(r: Real, x: Pair):
    return r("or", r.endless(x.re), r.endless(x.im))


def _asin(r: Real, x: Pair) -> Pair:
    p, q = _roots(r, x)
    re = r.atan2(x.re, r.sub(r.mul(p.re, q.re), r.mul(p.im, q.im)))
    im = r.asinh(r.sub(r.mul(p.re, q.im), r.mul(p.im, q.re)), accuracy=None)
    end = r.copysign(r.atan2(r("abs", x.re), r("abs", x.im)), x.re)
    far, re = _endless(r, x), r.unless_nan(re, r.eq(x.re, 0.0), x.re)
    return Pair(r.where(far, end, re), r.where(far, r.copysign(r.lit(np.inf), x.im), im))


def _acos(r: Real, x: Pair) -> Pair:
    p, q = _roots(r, x)
    re = r.mul(r.atan2(p.re, q.re), 2.0)
    im = r.asinh(r.sub(r.mul(q.re, p.im), r.mul(q.im, p.re)), accuracy=None)
    far, re = _endless(r, x), r.unless_nan(re, r.eq(x.re, 0.0), r.lit(pi / 2))
    end = r.atan2(r("abs", x.im), x.re)
    return Pair(r.where(far, end, re), r.where(far, r.neg(r.copysign(r.lit(np.inf), x.im)), im))


def _acosh(r: Real, x: Pair) -> Pair:
    """i times the inverse cosine, or -i times it: what has a positive real part."""
    out = _acos(r, x)
    return Pair(r("abs", out.im), r.copysign(out.re, x.im))


def _atanh(r: Real, x: Pair) -> Pair:
    """log1p(4a / ((1 - a)^2 + b^2)) / 4 and atan2(2b, (1 - a)(1 + a) - b^2) / 2; far out a / |x|^2"""
    a, most = r("abs", x.re), 1e6 if r.dtype.itemsize == 4 else 1e12
    far = r("or", r.gt(a, most), r.gt(r("abs", x.im), most))
    near = lambda v: r.where(far, r.lit(0.5), v)
    u, v = near(a), near(x.im)
    w = r.sub(1.0, u)
    re = r.log1p(r.div(r.mul(u, 4.0), r.add(r.mul(w, w), r.mul(v, v))), accuracy=None)
    edge = r("and", r.eq(w, 0.0), r.lt(r("abs", v), 1 / most))  # where the square of b may be 0
    re = r.where(edge, r.mul(r.log(r.div(2.0, r("abs", v)), accuracy=None), 2.0), re)
    im = r.atan2(r.mul(v, 2.0), r.sub(r.mul(w, r.add(u, 1.0)), r.mul(v, v)))
    size = r.hypot(x.re, x.im)
    outer = r.where(_endless(r, x), r.lit(0), r.div(r.div(a, size), size))
    re = r.unless_nan(r.where(far, outer, r.mul(re, 0.25)), r.eq(a, 0.0), a)
    re = r.copysign(re, x.re)
    known = r("and", r.eq(x.im, x.im), r("or", r.eq(x.re, x.re), r.endless(x.im)))
    end = r.where(known, r.copysign(r.lit(pi / 2), x.im), r.lit(np.nan))
    return Pair(re, r.where(far, end, r.mul(im, 0.5)))


def _turned(function):
    """f(i x) / i"""

    def rule(r: Real, x: Pair) -> Pair:
        out = function(r, Pair(r.neg(x.im), x.re))
        return Pair(out.im, r.neg(out.re))

    return rule


def _rule(function):
    def rule(graph, operands, params, types):
        r = Real.of(graph, types[0])
        r.root = lambda x: COMPLEX["sqrt"](graph, [x], {}, types)[0]
        return [function(r, operands[0])]

    return rule


COMPLEX.update({
    "asin": _rule(_asin), "acos": _rule(_acos), "asinh": _rule(_turned(_asin)), "acosh": _rule(_acosh),
    "atanh": _rule(_atanh), "atan": _rule(_turned(_atanh)),
})
