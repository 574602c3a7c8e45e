"""Rules from series to series: recurrences for what occurs most, and the functions by which users write rules.

Terms are coefficients of Taylor series. Where `z = f(u)` solves an equation of derivatives, such as `z' = z u'` for the
exponential function, the coefficients of both sides give `z_k` from those before it.

Tests: `tests/experimental/test_jet.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from math import factorial

from ...core.primitive import Primitive
from ...core.types import aval_of
from ...prims.arithmetic import add, div, integer_pow, mul, neg, sqrt, square, sub
from ...prims.convolution import conv_general_dilated
from ...prims.dot import dot_general
from ...prims.transcendental import cos, cosh, exp, expm1, log, log1p, logistic, pow_, sin, sinh, tanh
from .trace import (
    by_derivative,
    divided,
    jet_flat,
    jet_rules,
    real_series,
    scalar,
    times,
    zero_series,
)

__all__ = ["def_comp", "def_deriv", "deflinear", "defzero", "deriv_prop", "fact", "linear_prop", "zero_prop"]


def series_rule(p: Primitive) -> Callable:
    """Return a decorator of a rule of `p` that takes and gives `zero_series`."""

    def register(rule):
        rule.takes_zero_series = True
        jet_rules[p] = rule
        return rule

    return register


def _sum(terms: list):
    return reduce(add, terms)


def rated(u: list) -> list:
    """Return the coefficients of the derivative of a series `u_1, u_2, ...`, times `t`: `1 u_1, 2 u_2, ...`."""
    return [times(x, k) for k, x in enumerate(u, 1)]


def _integral(rates: list, factors: list, k: int):
    """Return the coefficient `k` of the series whose derivative is the product: `sum_i i u_i w_{k-i} / k`."""
    return divided(_sum([mul(rates[i - 1], factors[k - i]) for i in range(1, k + 1)]), k)


# ---- products -------------------------------------------------------------------------------------


def _bilinear(p: Primitive) -> None:
    @series_rule(p)
    def rule(primals, series, **params):
        x, y = [[x, *s] if s is not zero_series else [x] for x, s in zip(primals, series)]
        product = partial(p.bind, **params)
        order = max(len(x), len(y))
        terms = [
            _sum([product(x[i], y[k - i]) for i in range(k + 1) if i < len(x) and k - i < len(y)])
            for k in range(1, order)
        ]
        return product(x[0], y[0]), terms


_bilinear(mul)
_bilinear(dot_general)
_bilinear(conv_general_dilated)


def product_of(x: list, y: list) -> list:
    """Return the coefficients of the product of two series, from the constant one on."""
    return [_sum([mul(x[i], y[k - i]) for i in range(k + 1)]) for k in range(len(x))]


@series_rule(square)
def _(primals, series):
    x = [*primals, *series[0]]
    return square(x[0]), product_of(x, x)[1:]


@series_rule(div)
def _(primals, series):
    (x, y), (s, r) = primals, series
    z = [div(x, y)]
    if r is zero_series:
        return z[0], [div(t, y) for t in s]
    for k in range(1, len(r) + 1):
        rest = _sum([mul(z[k - i], r[i - 1]) for i in range(1, k + 1)])
        z.append(div(neg(rest) if s is zero_series else sub(s[k - 1], rest), y))
    return z[0], z[1:]


@series_rule(integer_pow)
def _(primals, series, *, y, **params):
    (x,), (s,) = primals, series
    out = integer_pow.bind(x, y=y, **params)
    if not y:
        return out, zero_series
    base, n, factors = [x, *s], abs(y), []
    while n:
        if n & 1:
            factors.append(base)
        n >>= 1
        base = product_of(base, base) if n else base
    power = reduce(product_of, factors)
    return out, power[1:] if y > 0 else jet_rules[div]([scalar(x, 1), power[0]], [zero_series, power[1:]])[1]


# ---- functions that solve an equation -------------------------------------------------------------


def _solves(p: Primitive, factor: Callable) -> None:
    """Register the rule of `z = p(u)` with `z' = w u'`, where `factor(z)` has those coefficients of `w` that `z` gives.
    """

    @series_rule(p)
    def rule(primals, series, **params):
        z, rates = [p.bind(*primals, **params)], rated(series[0])
        for k in range(1, len(rates) + 1):
            z.append(_integral(rates, factor(z), k))
        return z[0], z[1:]


def _one_minus(series: list) -> list:
    return [sub(scalar(series[0], 1), series[0]), *map(neg, series[1:])]


_solves(exp, lambda z: z)
_solves(expm1, lambda z: [add(z[0], scalar(z[0], 1)), *z[1:]])
_solves(tanh, lambda z: _one_minus(product_of(z, z)))
_solves(logistic, lambda z: product_of(z, _one_minus(z)))


def _pair(p: Primitive, q: Primitive, first: Callable, second: Callable) -> None:
    """Register the rule of `p`, where the derivative of `p(u)` is `first(q(u))`, and that of `q(u)` `second(p(u))`."""

    @series_rule(p)
    def rule(primals, series, **params):
        z, w, rates = [p.bind(*primals, **params)], [q.bind(*primals, **params)], rated(series[0])
        for k in range(1, len(rates) + 1):
            following = first(_integral(rates, w, k))
            w.append(second(_integral(rates, z, k)))
            z.append(following)
        return z[0], z[1:]


_same = lambda x: x
_pair(sin, cos, _same, neg)
_pair(cos, sin, neg, _same)
_pair(sinh, cosh, _same, _same)
_pair(cosh, sinh, _same, _same)


def _quotient(u: list, v: list) -> list:
    """Return the coefficients of the series whose derivative is `u' / v`, for `u` from 1 on and `v` from 0 on."""
    z, rates = [], []
    for k in range(1, len(u) + 1):
        rest = [mul(rates[i - 1], v[k - i]) for i in range(1, k)]
        z.append(div(sub(u[k - 1], divided(_sum(rest), k)) if rest else u[k - 1], v[0]))
        rates.append(times(z[-1], k))
    return z


@series_rule(log)
def _(primals, series, **params):
    (x,), (s,) = primals, series
    return log.bind(x, **params), _quotient(s, [x, *s])


@series_rule(log1p)
def _(primals, series, **params):
    (x,), (s,) = primals, series
    return log1p.bind(x, **params), _quotient(s, [add(x, scalar(x, 1)), *s])


@series_rule(sqrt)
def _(primals, series, **params):
    z = [sqrt.bind(*primals, **params)]
    twice = times(z[0], 2)
    for k, t in enumerate(series[0], 1):
        rest = [mul(z[i], z[k - i]) for i in range(1, k)]
        z.append(div(sub(t, _sum(rest)) if rest else t, twice))
    return z[0], z[1:]


@series_rule(pow_)
def _(primals, series):
    (x, r), (s, exponent) = primals, series
    if exponent is not zero_series or aval_of(r).dtype != aval_of(x).dtype:
        order = len(s if exponent is zero_series else exponent)
        return by_derivative(pow_, primals, series, {}, order)
    z = [pow_(x, r)]
    for k in range(1, len(s) + 1):
        parts = [
            mul(sub(times(r, i), scalar(r, k - i)) if i < k else times(r, k), mul(s[i - 1], z[k - i]))
            for i in range(1, k + 1)
        ]
        z.append(div(_sum(parts), times(x, k)))
    return z[0], z[1:]


# ---- rules of users -------------------------------------------------------------------------------


def fact(n):
    """Return the factorial of `n`.

    Args:
      n: an int, not negative.
    Returns:
      An int.
    Raises:
      ValueError: `n` is negative.
      TypeError: `n` is no integer.

    >>> from adjoint.experimental import jet
    >>> jet.fact(5)
    120
    """
    return factorial(int(n))


def deflinear(prim: Primitive) -> None:
    """Say that a primitive is linear in all of its operands: its rule is applied to each term.

    Args:
      prim: the primitive.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> triple_p = Primitive("triple")
    >>> _ = triple_p.def_impl(lambda x: 3 * x)
    >>> jet.deflinear(triple_p)
    >>> jet.jet(triple_p.bind, (2.,), ([1., 0.],))[1]
    [Array(3., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)]
    """
    jet_rules[prim] = partial(linear_prop, prim)


def linear_prop(prim: Primitive, primals_in, series_in, **params):
    """Return the result of a primitive and its series, by applying it to each term.

    Args:
      prim: the primitive.
      primals_in: the operands.
      series_in: for each of them the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of its derivatives)

    >>> from adjoint.experimental import jet
    >>> jet.linear_prop(lax.neg_p, (2.,), ([1.],))
    (Array(-2., dtype=float32, weak_type=True), [Array(-1., dtype=float32, weak_type=True)])
    """
    out = prim.bind(*primals_in, **params)
    terms = [prim.bind(*ts, **params) for ts in zip(*series_in)]
    return out, [list(column) for column in zip(*terms)] if prim.multiple_results else terms


def defzero(prim: Primitive) -> None:
    """Say that a primitive is constant wherever it has derivatives, as `sign` is.

    Args:
      prim: the primitive.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> step_p = Primitive("step")
    >>> _ = step_p.def_impl(lambda x: (x > 0) * 1.)
    >>> jet.defzero(step_p)
    >>> jet.jet(step_p.bind, (2.,), ([1., 0.],))[1]
    [Array(0., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)]
    """
    jet_rules[prim] = partial(zero_prop, prim)


def zero_prop(prim: Primitive, primals_in, series_in, **params):
    """Return the result of a primitive that is piecewise constant, and its series, which is zero.

    Args:
      prim: the primitive.
      primals_in: the operands.
      series_in: for each of them the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of zeros)

    >>> from adjoint.experimental import jet
    >>> jet.zero_prop(lax.sign_p, (2.,), ([1.],))[0]
    Array(1., dtype=float32, weak_type=True)
    """
    out = prim.bind(*primals_in, **params)
    return out, [zero_series] * len(out) if prim.multiple_results else zero_series


def def_deriv(prim: Primitive, deriv: Callable) -> None:
    """Give the derivative of a primitive of one operand, element by element, as a function of that operand.

    Args:
      prim: the primitive.
      deriv: its derivative, a function of the operand.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> jet.def_deriv(cube_p, lambda x: 3 * x ** 2)
    >>> jet.jet(cube_p.bind, (2.,), ([1., 0.],))[1]
    [Array(12., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True)]
    """
    jet_rules[prim] = partial(deriv_prop, prim, deriv)


def deriv_prop(prim: Primitive, deriv: Callable, primals_in, series_in, **params):
    """Return the result of a primitive and its series, given its derivative.

    Args:
      prim: the primitive.
      deriv: its derivative, a function of the operand.
      primals_in: a sequence of one operand.
      series_in: for it the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of its derivatives)

    >>> from adjoint.experimental import jet
    >>> jet.deriv_prop(lax.sin_p, jnp.cos, (0.,), ([1.],))
    (Array(0., dtype=float32, weak_type=True), [Array(1., dtype=float32, weak_type=True)])
    """
    (x,), (s,) = primals_in, series_in
    w, terms = jet_flat(lambda v: [deriv(v)], [x], [s[:-1]], len(s) - 1)
    factors, rates = [w[0], *real_series(w[0], terms[0], len(s) - 1)], rated(s)
    return prim.bind(x, **params), [_integral(rates, factors, k) for k in range(1, len(s) + 1)]


def def_comp(prim: Primitive, comp: Callable, **kwargs) -> None:
    """Give a primitive as a function of others, whose series are known.

    Args:
      prim: the primitive.
      comp: a function of its operands and parameters, of primitives that have rules.
      **kwargs: parameters of `comp` that are the same at every call.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> jet.def_comp(cube_p, lambda x: x * x * x)
    >>> jet.jet(cube_p.bind, (2.,), ([1., 0.],))[1]
    [Array(12., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True)]
    """

    def rule(primals, series, **params):
        results = lambda *xs: comp(*xs, **kwargs, **params)
        run = results if prim.multiple_results else lambda *xs: [results(*xs)]
        outs, terms = jet_flat(run, primals, series, len(series[0]))
        return (outs, terms) if prim.multiple_results else (outs[0], terms[0])

    jet_rules[prim] = rule
