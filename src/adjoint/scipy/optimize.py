"""`adjoint.scipy.optimize`: minimisation by the method of Broyden, Fletcher, Goldfarb and Shanno.

Sources: Nocedal and Wright, "Numerical Optimization" (2006), algorithm 6.1, with the line search of algorithms 3.5
and 3.6, which finds a step that fulfils the strong Wolfe conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .. import lax
from .. import numpy as jnp
from ..core.boundaries import public
from ..core.errors import message
from ..core.types import Array
from ..transforms.grad import value_and_grad

__all__ = ["OptimizeResults", "minimize"]


class OptimizeResults(NamedTuple):
    """What `minimize` found.

    Attributes:
      x: the best point; `fun`, `jac` and `hess_inv`: the value, the gradient and the inverse Hessian (an estimate).
      success: whether the gradient is small.
      status: 0 it is; 1 `maxiter` was reached; 3 the interval of the line search vanished; 5 the line search was
        given up; 6 a value or gradient is not finite.
      nfev, njev, nit: how many values, gradients and iterations it took.
    """

    x: Array
    success: bool | Array
    status: int | Array
    fun: Array
    jac: Array
    hess_inv: Array | None
    nfev: int | Array
    njev: int | Array
    nit: int | Array


class _Point(NamedTuple):
    """A step length, the value and slope there, and the gradient."""

    a: Any
    value: Any
    slope: Any
    gradient: Any


class _Search(NamedTuple):
    low: _Point
    high: _Point
    found: _Point
    count: Any
    bracketed: Any
    done: Any
    failed: Any


def _chosen(condition, a, b):
    return type(a)(*(jnp.where(condition, x, y) for x, y in zip(a, b)))


def _between(low: _Point, high: _Point):
    """The minimum of the parabola through the values and the slope at `low`, kept away from the ends."""
    width = high.a - low.a
    bend = high.value - low.value - low.slope * width
    step = -low.slope * width * width / jnp.where(bend == 0, 1, 2 * bend)
    inside = (bend > 0) & (jnp.abs(step) > 0.1 * jnp.abs(width)) & (jnp.abs(step) < 0.9 * jnp.abs(width))
    return low.a + jnp.where(inside & (step * width > 0), step, width / 2)


def _line_search(evaluate, start: _Point, first, maxiter) -> _Search:
    """A step from `start` with enough decrease and a slope that is small enough."""

    def step(s: _Search) -> _Search:
        a = jnp.where(s.bracketed, _between(s.low, s.high), jnp.where(s.count == 0, first, 2 * s.low.a))
        p = evaluate(a)
        # As in algorithm 3.5, near the limit of precision no decrease is asked for.
        noise = jnp.finfo(p.value.dtype).eps * jnp.abs(start.value)
        high = ~(p.value <= start.value + 1e-4 * a * start.slope + noise) | (p.value > s.low.value + noise)
        done = ~high & (jnp.abs(p.slope) <= -0.9 * start.slope)
        turn = ~high & jnp.where(s.bracketed, p.slope * (s.high.a - s.low.a) >= 0, p.slope >= 0)
        new_high = _chosen(high, p, _chosen(turn, s.low, s.high))
        new_low = _chosen(high, s.low, p)
        bracketed = s.bracketed | high | turn
        failed = bracketed & ~done & (jnp.abs(new_high.a - new_low.a) <= 1e-14)
        return _Search(new_low, new_high, _chosen(done, p, new_low), s.count + 1, bracketed, done, failed)

    def unfinished(s: _Search):
        return ~s.done & ~s.failed & (s.count < maxiter)

    no = jnp.zeros((), bool)
    return lax.while_loop(unfinished, step, _Search(start, start, start, jnp.zeros((), int), no, no, no))


class _State(NamedTuple):
    x: Any
    value: Any
    gradient: Any
    inverse: Any
    before: Any
    evaluations: Any
    k: Any
    status: Any


def _bfgs(fun, x0, maxiter, norm, gtol, line_search_maxiter) -> OptimizeResults:
    with_gradient = value_and_grad(fun)
    n = x0.size
    value, gradient = with_gradient(x0)
    eye = jnp.eye(n, dtype=x0.dtype)
    is_small = lambda g: jnp.linalg.norm(g, ord=norm) < gtol

    def step(s: _State) -> _State:
        direction = -(s.inverse @ s.gradient)

        def evaluate(a):
            value, gradient = with_gradient(s.x + a * direction)
            return _Point(a, value, gradient @ direction, gradient)

        start = _Point(jnp.zeros((), x0.dtype), s.value, s.gradient @ direction, s.gradient)
        # As much decrease as in the last iteration, by a linear model.
        slope = jnp.where(start.slope == 0, 1, start.slope)
        first = jnp.minimum(1.0, 1.01 * 2 * (s.value - s.before) / slope)
        search = _line_search(evaluate, start, jnp.where(first > 0, first, 1.0), line_search_maxiter)
        p = search.found
        moved, turned = p.a * direction, p.gradient - s.gradient
        product = turned @ moved
        rho = jnp.where(product == 0, 0, 1 / jnp.where(product == 0, 1, product))
        left = eye - rho * jnp.outer(moved, turned)
        updated = left @ s.inverse @ left.T + rho * jnp.outer(moved, moved)
        inverse = jnp.where(product > 0, updated, s.inverse)
        failed = jnp.where(search.failed, 3, 5)
        finite = jnp.isfinite(p.value) & jnp.all(jnp.isfinite(p.gradient))
        status = jnp.where(finite, jnp.where(search.done | is_small(p.gradient), -1, failed), 6)
        return _State(
            s.x + moved, p.value, p.gradient, inverse, s.value, s.evaluations + search.count, s.k + 1, status
        )

    def unfinished(s: _State):
        return ~is_small(s.gradient) & (s.status == -1) & (s.k < maxiter)

    whole = lambda number: jnp.asarray(number)
    before = value + jnp.linalg.norm(gradient) / 2
    state = lax.while_loop(
        unfinished, step, _State(x0, value, gradient, eye, before, whole(1), whole(0), whole(-1))
    )
    success = is_small(state.gradient)
    status = jnp.where(success, 0, jnp.where(state.status == -1, 1, state.status))
    return OptimizeResults(
        state.x, success, status, state.value, state.gradient, state.inverse, state.evaluations, state.evaluations,
        state.k,
    )


def minimize(
    fun: Callable, x0: Array, args: tuple = (), *, method: str, tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:
    """A local minimum of a function.

    Args:
      fun: (x, *args) -> a scalar.
      x0: `[n]`, floating: where to begin.
      args: further arguments.
      method: "BFGS".
      tol: the gradient to reach, if the options do not say.
      options: `maxiter` (default 200 n), `norm` (of the gradient, as in `jnp.linalg.norm`; default inf), `gtol`
        (default 1e-5) and `line_search_maxiter` (default 10).
    Raises:
      ValueError: there is no such method.
      TypeError: `args` is not a tuple, or there is no such option.

    >>> minimize(lambda x: jnp.sum((x - 3) ** 2), jnp.zeros(1), method="BFGS").x.round(3)
    Array([3.], dtype=float32)
    """
    if not isinstance(args, tuple):
        raise TypeError(message(
            f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}", fix="args=(a,)"
        ))
    if method.lower() not in ("bfgs", "l-bfgs-experimental-do-not-rely-on-this"):
        raise ValueError(message(f"Method {method} not recognized", fix='method="BFGS"'))
    given = dict(options or {})
    known = ("maxiter", "norm", "gtol", "line_search_maxiter")
    for name in given:
        if name not in known:
            raise TypeError(message(
                f"minimize_bfgs() got an unexpected keyword argument '{name}'", fix=f"one of {', '.join(known)}"
            ))
    x0 = jnp.asarray(x0)
    maxiter = given.get("maxiter")
    return _bfgs(
        lambda x: fun(x, *args), x0, 200 * x0.size if maxiter is None else maxiter, given.get("norm", jnp.inf),
        given.get("gtol", 1e-5 if tol is None else tol), given.get("line_search_maxiter", 10),
    )

public(globals())
