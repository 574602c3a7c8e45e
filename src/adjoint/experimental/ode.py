"""`odeint`: ordinary differential equations, by an adaptive Runge-Kutta method.

The steps are those of Dormand and Prince, of order 5 with an error estimate of order 4; values between steps come
from a quartic. In reverse mode the equation is not differentiated step by step: the cotangents solve an
equation of their own, backwards in time, for which nothing of the way forward needs to be kept.
Sources: Dormand and Prince (1980); Shampine, "Some practical Runge-Kutta formulas" (1986), for the estimate and the
quartic; Hairer, Norsett and Wanner, "Solving ODEs I" (1993), II.4, for the first step; Chen et al., "Neural ODEs"
(2018), appendix C.

Tests: `tests/scipy/test_solvers.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core.dtypes import issubdtype
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.tree.tree import tree_leaves, tree_map
from ..flatten_util import ravel_pytree
from ..transforms.custom.closures import closure_convert
from ..transforms.custom.custom_vjp import custom_vjp
from ..transforms.derivatives.grad import vjp
from ..transforms.jit.jit import jit

__all__ = ["odeint"]

_TIMES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_RESULT = np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0])
# Shampine's estimate, which takes a solution of order 4 that is nearer to the one of order 5 than that of Dormand and
# Prince: two thirds of their difference.
_ERROR = (_RESULT - np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])) * 2 / 3
_MIDDLE = np.array([
    6025192743 / 30085553152, 0, 51252292925 / 65400821598, -2691868925 / 45128329728,
    187940372067 / 1594534317056, -1776094331 / 19743644256, 11237099 / 235043384,
]) / 2


def _combined(weights, ks):
    """Return the sum of slopes by weights, in the dtype of the slopes."""
    return sum(ks.dtype.type(w) * k for w, k in zip(weights, ks) if w)


def _step(func, y, slope, t, dt):
    """Return the result of one step, the slope there, the error estimate and all slopes."""
    ks = [slope]
    by = dt.astype(y.dtype)
    for time, weights in zip(_TIMES, _STAGES):
        change = sum(w * k for w, k in zip(weights, ks) if w)
        ks.append(func(y + by * change, t + dt * time))
    ks = jnp.stack(ks)
    return y + by * _combined(_RESULT, ks), ks[-1], by * _combined(_ERROR, ks), ks


def _quartic(y0, y1, ks, dt):
    """Return the coefficients, highest first, of the quartic through both ends and the middle, with the slopes at the
    ends.
    """
    dt = dt.astype(y0.dtype)
    middle = y0 + dt * _combined(_MIDDLE, ks)
    s0, s1 = dt * ks[0], dt * ks[-1]
    return jnp.stack([
        -2 * s0 + 2 * s1 - 8 * y0 - 8 * y1 + 16 * middle, 5 * s0 - 3 * s1 + 18 * y0 + 14 * y1 - 32 * middle,
        -4 * s0 + s1 - 11 * y0 - 5 * y1 + 16 * middle, s0, y0,
    ])


def _size(x):
    return jnp.sqrt(jnp.mean((x * x.conj()).real))


def _first_step(func, t, y, rtol, atol, slope):
    """Return the length of the first step; JAX parity: sizes are Euclidean norms here, not means as in the source."""
    scale = (atol + jnp.abs(y) * rtol).astype(y.dtype)
    d0, d1 = jnp.linalg.norm(y / scale), jnp.linalg.norm(slope / scale)
    guess = jnp.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / jnp.where(d1 == 0, 1, d1))
    moved = func(y + guess.astype(y.dtype) * slope, t + guess.astype(t.dtype))
    d2 = jnp.linalg.norm((moved - slope) / scale) / guess
    most = jnp.maximum(d1, d2)
    next_ = jnp.where(most <= 1e-15, jnp.maximum(1e-6, guess * 1e-3), (0.01 / jnp.where(most == 0, 1, most)) ** 0.2)
    return jnp.minimum(100 * guess, next_)


def _next_step(dt, ratio):
    """Return the length of the next step from the error by the tolerance."""
    least = jnp.where(ratio < 1, 1.0, 0.2)
    factor = jnp.minimum(10.0, jnp.maximum(0.9 * jnp.where(ratio == 0, 1, ratio) ** -0.2, least))
    return jnp.where(ratio == 0, dt * 10.0, dt * factor.astype(dt.dtype))


def _trajectory(func, rtol, atol, mxstep, hmax, y0, ts):
    """Return the values at the times, for a vector y0."""

    def to_time(carry, target):
        def unfinished(state):
            k, _, _, t, dt, *_ = state
            return (t < target) & (k < mxstep) & (dt > 0)

        def step(state):
            k, y, slope, t, dt, before, curve = state
            after, slope_after, error, ks = _step(func, y, slope, t, dt)
            tolerance = atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(after))
            ratio = _size(error / tolerance.astype(error.dtype))
            good = ratio <= 1
            new = after, slope_after, t + dt, t, _quartic(y, after, ks, dt)
            old = y, slope, t, before, curve
            y, slope, t, before, curve = (jnp.where(good, a, b) for a, b in zip(new, old))
            return k + 1, y, slope, t, jnp.clip(_next_step(dt, ratio), 0.0, hmax), before, curve

        _, *carry = lax.while_loop(unfinished, step, (jnp.asarray(0), *carry))
        _, _, t, _, before, curve = carry
        return carry, jnp.polyval(curve, ((target - before) / (t - before)).astype(curve.dtype))

    slope = func(y0, ts[0])
    dt = jnp.clip(_first_step(func, ts[0], y0, rtol, atol, slope), 0.0, hmax)
    start = [y0, slope, ts[0], dt.astype(ts.dtype), ts[0], jnp.stack([y0] * 5)]
    _, ys = lax.scan(to_time, start, ts[1:])
    return jnp.concatenate([y0[None], ys])


@partial(custom_vjp, nondiff_argnums=(0, 1, 2, 3, 4))
def _solution(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    flat, unravel = ravel_pytree(y0)
    slope = lambda y, t: _converted(ravel_pytree(func(unravel(y), t, *args))[0], flat.dtype)
    out = _trajectory(slope, rtol, atol, mxstep, hmax, flat, ts)
    return lax.map(unravel, out)


def _converted(slopes, dtype):
    if issubdtype(slopes.dtype, np.complexfloating) and not issubdtype(dtype, np.complexfloating):
        raise TypeError(message(
            f"y0 of odeint has the dtype {dtype.name}, and func returns {slopes.dtype.name}: they differ.",
            why="A solution is of one dtype from its start on, and a real one has no imaginary part.",
            fix="y0 + 0j",
        ))
    return slopes.astype(dtype)


def _forward(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    ys = _solution(func, rtol, atol, mxstep, hmax, y0, ts, *args)
    return ys, (ys, ts, args)


def _inner(xs, ys):
    return sum(jnp.sum(x * y) for x, y in zip(tree_leaves(xs), tree_leaves(ys)))


def _backward(func, rtol, atol, mxstep, hmax, residuals, g):
    """Integrate back from each time: the state, its cotangent, that of the time and those of the arguments."""
    ys, ts, args = residuals

    def slopes(state, t, *args):
        y, y_bar, *_ = state
        dy, pull = vjp(func, y, -t, *args)
        y_bar, t_bar, *args_bar = pull(y_bar)
        return tree_map(jnp.negative, dy), y_bar, t_bar, tuple(args_bar)

    at = lambda i: tree_map(lambda y: y[i], ys)
    of = lambda i: tree_map(lambda x: x[i], g)

    def back(carry, i):
        y_bar, t0_bar, args_bar = carry
        t_bar = _inner(func(at(i), ts[i], *args), of(i)).real
        state = at(i), y_bar, t0_bar - t_bar, args_bar
        times = jnp.stack([-ts[i], -ts[i - 1]])
        out = _solution(slopes, rtol, atol, mxstep, hmax, state, times, *args)
        _, y_bar, t0_bar, args_bar = tree_map(lambda x: x[1], out)
        return (tree_map(jnp.add, y_bar, of(i - 1)), t0_bar, args_bar), t_bar

    zeros = tree_map(jnp.zeros_like, args)
    start = of(-1), jnp.zeros((), ts.dtype), zeros
    (y_bar, t0_bar, args_bar), ts_bar = lax.scan(back, start, jnp.arange(len(ts) - 1, 0, -1))
    return y_bar, jnp.concatenate([t0_bar[None], ts_bar[::-1]]), *args_bar


_solution.defvjp(_forward, _backward)


@partial(jit, static_argnums=(0, 1, 2, 3, 4))
def _compiled(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    return _solution(func, rtol, atol, mxstep, hmax, y0, ts, *args)


def odeint(func: Callable, y0, t, *args, rtol=1.4e-8, atol=1.4e-8, mxstep=jnp.inf, hmax=jnp.inf):
    """Return the solution of y' = func(y, t, *args) with y(t[0]) = y0, at the times t.

    Args:
      func: (y, t, *args) -> the derivative of y, a tree like y0.
      y0: tree of arrays of floats.
      t: `[n]`, floating, increasing.
      args: trees of arrays.
      rtol, atol: the error of a step is at most about `atol + rtol |y|`.
      mxstep: how many steps at most from a time to the next.
      hmax: the length of a step at most.
    Returns:
      A tree like y0, with a new first axis of length n.
    Raises:
      TypeError: y0, t or an argument is not an array, or t is not floating.

    Derivative: reverse mode, by the adjoint equation.

    >>> odeint(lambda y, t: -y, jnp.array(1.), jnp.array([0., 1.])).round(3)
    Array([1.   , 0.368], dtype=float32)
    """
    for leaf in tree_leaves((y0, t, *args)):
        if not isinstance(leaf, (jnp.ndarray, np.ndarray, np.generic, int, float, complex, bool)):
            raise TypeError(message(
                f"The contents of odeint *args must be arrays or scalars, but got \n{leaf}.",
                fix="close over what is not an array",
            ))
    if not isinstance(t, (jnp.ndarray, np.ndarray, np.generic, list, tuple)):
        raise AttributeError(message(
            f"'{type(t).__name__}' object has no attribute 'dtype'",
            why="t are the times at which the solution is wanted; the first is that of y0.", fix="jnp.array([0.0, t])",
        ))
    if not issubdtype(jnp.asarray(t).dtype, np.floating):
        raise TypeError(f"t must be an array of floats, but got {t}.")
    y0, t, args = tree_map(jnp.asarray, (y0, t, args))
    values = tree_leaves(y0)
    if values and not issubdtype(jnp.result_type(*values), np.inexact):
        raise TypeError(message(
            f"y0 of odeint has the dtype {jnp.result_type(*values).name}, which the values at later times have not.",
            why="A solution is rounded to the dtype that it starts with.",
            fix="y0 of floats, such as 1.0 or y0.astype(float)",
        ))
    try:
        converted, consts = closure_convert(func, y0, t[0], *args)
    except (IndexError, TypeError, ValueError) as error:
        first = next(iter(getattr(getattr(func, "__code__", None), "co_varnames", ())), "")
        if first in ("t", "time"):
            error.add_note("  odeint calls func(y, t, *args), the state first; SciPy's solve_ivp has the time first.\n"
                           f"  Try: odeint(lambda y, t: {func.__name__}(t, y), y0, t)")
        raise
    return _compiled(converted, rtol, atol, mxstep, hmax, y0, t, *args, *consts)

public(globals())
