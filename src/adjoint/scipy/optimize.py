"""`adjoint.scipy.optimize`: minimisation by the method of Broyden, Fletcher, Goldfarb and Shanno, in two forms.

Sources: Nocedal and Wright, "Numerical Optimization" (2006), algorithms 6.1 and 7.5, with the line search of
algorithms 3.5 and 3.6, which finds a step that fulfils the strong Wolfe conditions. Which points are tried, and when
a search is given up, is what JAX does: programs read the counters.

Tests: `tests/scipy/test_solvers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.types import Array
from ..transforms.derivatives.grad import value_and_grad

__all__ = ["OptimizeResults", "minimize"]


class OptimizeResults(NamedTuple):
    """The result of `minimize`.

    Args:
      x: the minimum that was found.
      success: whether the algorithm came to its end.
      status: a number that says how it ended, 0 for success.
      fun: the value at `x`.
      jac: the gradient at `x`.
      hess_inv: the inverse of the Hessian, as far as the algorithm knows it.
      nfev: how often the function was called.
      njev: how often its gradient was computed.
      nit: how many steps there were.
    Attributes:
      x: the best point; `fun`, `jac` and `hess_inv`: the value, the gradient and the inverse Hessian (an estimate).
      success: whether the gradient is small.
      status: 0 it is; 1 `maxiter` was reached; 3 the interval of the line search vanished; 5 the line search was
        given up. Of the method that keeps a few vectors: 2 `maxfun` was reached, 3 `maxgrad`; 4 the value hardly
        changes; 5 the line search failed.
      nfev, njev, nit: how many values, gradients and iterations it took.

    >>> found = adjoint.scipy.optimize.minimize(lambda x: jnp.sum((x - 1) ** 2), jnp.zeros(2), method="BFGS")
    >>> found.success, found.x.round(3)
    (Array(True, dtype=bool), Array([1., 1.], dtype=float32))
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
    """A line search: in the first phase `low` is the last point, in the second one end of the interval."""

    low: _Point
    high: _Point
    recent: _Point  # the end that was replaced last
    found: _Point
    steps: Any  # of the first phase
    cuts: Any  # of the second
    bracketed: Any
    done: Any
    failed: Any


_DECREASE, _FLATNESS = 1e-4, 0.9  # the constants of Wolfe's conditions
_MAX_CUTS = 30


def _chosen(condition, a, b):
    return type(a)(*(jnp.where(condition, x, y) for x, y in zip(a, b)))


def _inside(s: _Search):
    """Return where to look next: the minimum of a cubic, or of a parabola, if it is well inside; else the middle."""
    low, high, recent = s.low, s.high, s.recent
    width, other = high.a - low.a, recent.a - low.a
    high_rest = high.value - low.value - low.slope * width
    recent_rest = recent.value - low.value - low.slope * other
    scale = (width * other) ** 2 * (width - other)
    third = (other**2 * high_rest - width**2 * recent_rest) / scale
    second = (width**3 * recent_rest - other**3 * high_rest) / scale
    cubic = low.a + (jnp.sqrt(second * second - 3 * third * low.slope) - second) / (3 * third)
    parabolic = low.a - low.slope * width**2 / (2 * high_rest)
    left, right = jnp.minimum(low.a, high.a), jnp.maximum(low.a, high.a)
    is_inside = lambda a, part: (a > left + part * width) & (a < right - part * width)
    middle = low.a + width / 2
    a = jnp.where(is_inside(parabolic, 0.1), parabolic, middle)
    return jnp.where((s.cuts > 0) & is_inside(cubic, 0.2), cubic, a)


def _line_search(evaluate, start: _Point, first, maxiter) -> _Search:
    """Return a step from `start` with enough decrease and a slope that is small enough."""
    narrow = 1e-10 if start.a.dtype.itemsize == 8 else 1e-5

    def step(s: _Search) -> _Search:
        p = evaluate(jnp.where(s.bracketed, _inside(s), jnp.where(s.steps == 0, first, 2 * s.low.a)))
        width = s.high.a - s.low.a
        high = (p.value > start.value + _DECREASE * p.a * start.slope) | (
            (p.value >= s.low.value) & (s.bracketed | (s.steps > 0))
        )
        done = ~high & (jnp.abs(p.slope) <= -_FLATNESS * start.slope)
        turn = ~high & ~done & (jnp.where(s.bracketed, p.slope * width, p.slope) >= 0)
        cuts = s.cuts + jnp.where(s.bracketed, 1, 0)
        failed = s.bracketed & ((jnp.abs(width) <= narrow) | ~done & (cuts >= _MAX_CUTS))
        low, bracketed = _chosen(high, s.low, p), s.bracketed | high | turn
        # If nothing is found in the interval, the step is 1, and the value that of the lower end.
        found = _chosen(bracketed & ~s.bracketed, low._replace(a=jnp.ones_like(low.a)), s.found)
        return _Search(
            low, _chosen(high, p, _chosen(turn, s.low, s.high)), _chosen(high | turn, s.high, s.low),
            _chosen(done, p, found), s.steps + jnp.where(s.bracketed, 0, 1), cuts, bracketed, done, failed,
        )

    def unfinished(s: _Search):
        return ~s.done & ~s.failed & (s.bracketed | (s.steps < maxiter))

    none, no = jnp.asarray(0), jnp.zeros((), bool)
    return lax.while_loop(unfinished, step, _Search(start, start, start, start, none, none, no, no, no))


class _State(NamedTuple):
    x: Any
    value: Any
    gradient: Any
    inverse: Any
    before: Any
    evaluations: Any
    k: Any
    status: Any


def _searched(with_gradient, s, direction, first, maxiter):
    """Return a line search along a direction: the search, and the change of `x`."""

    def evaluate(a):
        value, gradient = with_gradient(s.x + a * direction)
        return _Point(a, value, gradient @ direction, gradient)

    start = _Point(jnp.zeros((), s.x.dtype), s.value, s.gradient @ direction, s.gradient)
    search = _line_search(evaluate, start, first(start), maxiter)
    return search, search.found.a * direction


def _bfgs(fun, x0, maxiter, norm, gtol, line_search_maxiter) -> OptimizeResults:
    with_gradient = value_and_grad(fun)
    value, gradient = with_gradient(x0)
    eye = jnp.eye(x0.size, dtype=x0.dtype)
    is_small = lambda g: jnp.linalg.norm(g, ord=norm) < gtol

    def step(s: _State) -> _State:
        # As much decrease as in the last iteration, by a linear model.
        first = lambda start: jnp.minimum(1.0, 1.01 * 2 * (s.value - s.before) / start.slope)
        search, moved = _searched(with_gradient, s, -(s.inverse @ s.gradient), first, line_search_maxiter)
        p = search.found
        turned = p.gradient - s.gradient
        rho = 1 / (turned @ moved)
        left = eye - rho * jnp.outer(moved, turned)
        updated = left @ s.inverse @ left.T + rho * jnp.outer(moved, moved)
        status = jnp.where(search.failed, 3, jnp.where(search.done, -1, 5))
        return _State(
            s.x + moved, p.value, p.gradient, jnp.where(jnp.isfinite(rho), updated, s.inverse), s.value,
            s.evaluations + search.steps + search.cuts, s.k + 1, status,
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


class _LimitedState(NamedTuple):
    x: Any
    value: Any
    gradient: Any
    moves: Any  # [kept, n]: the last changes of `x`, the newest one last
    turns: Any  # [kept, n]: those of the gradient
    factors: Any  # [kept]: 1 / (move . turn); 0 where there is none yet
    scale: Any
    evaluations: Any
    k: Any
    done: Any
    status: Any


def _direction(s: _LimitedState):
    """Return the inverse Hessian that the changes stand for, times the gradient, downwards: algorithm 7.4."""

    def backwards(q, change):
        move, turn, factor = change
        weight = factor * (move @ q)
        return q - weight * turn, weight

    def forwards(q, change):
        move, turn, factor, weight = change
        return q + move * (weight - factor * (turn @ q)), None

    q, weights = lax.scan(backwards, s.gradient, (s.moves, s.turns, s.factors), reverse=True)
    return -lax.scan(forwards, s.scale * q, (s.moves, s.turns, s.factors, weights))[0]


def _lbfgs(fun, x0, maxiter, norm, maxcor, ftol, gtol, maxfun, maxgrad, maxls) -> OptimizeResults:
    with_gradient = value_and_grad(fun)
    value, gradient = with_gradient(x0)
    is_small = lambda g: jnp.linalg.norm(g, ord=norm) < gtol

    def step(s: _LimitedState) -> _LimitedState:
        search, moved = _searched(with_gradient, s, _direction(s), lambda start: jnp.ones((), x0.dtype), maxls)
        p = search.found
        turned = p.gradient - s.gradient
        product = turned @ moved
        new = lambda kept, last: jnp.concatenate([kept[1:], jnp.expand_dims(last, 0)])
        evaluations, k = s.evaluations + search.steps + search.cuts, s.k + 1
        status = jnp.select(
            [search.failed | ~search.done, k > maxiter, evaluations > maxfun, evaluations > maxgrad,
             s.value - p.value < ftol],
            [jnp.asarray(n) for n in (5, 1, 2, 3, 4)],
            s.status,
        )
        return _LimitedState(
            s.x + moved, p.value, p.gradient, new(s.moves, moved), new(s.turns, turned),
            new(s.factors, jnp.where(product == 0, 0, 1 / product)), product / (turned @ turned), evaluations, k,
            is_small(p.gradient), status,
        )

    whole = lambda number: jnp.asarray(number)
    kept = jnp.zeros((maxcor, x0.size), x0.dtype)
    state = lax.while_loop(
        lambda s: ~s.done & (s.status == 0), step,
        _LimitedState(
            x0, value, gradient, kept, kept, jnp.zeros(maxcor, x0.dtype), jnp.ones((), x0.dtype), whole(1), whole(0),
            is_small(gradient), whole(0),
        ),
    )
    return OptimizeResults(
        state.x, state.done, jnp.where(state.done, 0, state.status), state.value, state.gradient, None,
        state.evaluations, state.evaluations, state.k,
    )


def minimize(
    fun: Callable, x0: Array, args: tuple = (), *, method: str, tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:
    """Look for a local minimum of a function.

    Args:
      fun: (x, *args) -> a scalar.
      x0: `[n]`, floating: where to begin.
      args: further arguments.
      method: "BFGS", or "l-bfgs-experimental-do-not-rely-on-this", which keeps a few vectors and no matrix.
      tol: the gradient to reach, if the options do not say.
      options: `maxiter` (default 200 n), `norm` (of the gradient, as in `jnp.linalg.norm`; default inf), `gtol`
        (default 1e-5) and `line_search_maxiter` (default 10); of the second method, instead of that, `maxls` (default
        20), `maxcor` (how many vectors, default 10), `ftol` (the least decrease of the value, default 2.2e-9),
        `maxfun` and `maxgrad` (default: no limit).
    Returns:
      An `OptimizeResults`: a named tuple with `x`, `success`, `status`, `fun`, `jac`, `nit` and others.
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
    x0 = jnp.asarray(x0)
    known: dict[str, Any] = dict(maxiter=None, norm=jnp.inf, gtol=1e-5 if tol is None else tol)
    is_limited = method.lower() != "bfgs"
    if is_limited:
        known.update(maxls=20, maxcor=10, ftol=2.220446049250313e-09, maxfun=None, maxgrad=None)
    else:
        known.update(line_search_maxiter=10)
    for name in options or ():
        if name not in known:
            called = "_minimize_lbfgs" if is_limited else "minimize_bfgs"
            raise TypeError(message(
                f"{called}() got an unexpected keyword argument '{name}'", fix=f"one of {', '.join(known)}"
            ))
    known.update(options or {})
    if known["maxiter"] is None:
        known["maxiter"] = 200 * x0.size
    for name in ("maxfun", "maxgrad") if is_limited else ():
        if known[name] is None:
            known[name] = np.iinfo(np.int32).max
    return (_lbfgs if is_limited else _bfgs)(lambda x: fun(x, *args), x0, **known)

public(globals())
