"""Checks of derivatives against finite differences, for tests of functions with rules of their own.

Derivatives along one random direction are compared with a central difference; reverse mode by the inner
products that both modes must agree on. (Griewank and Walther, "Evaluating Derivatives", 2008, section 3.)

Tests: `tests/transforms/test_derivative_checks.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .core.dtypes import float0, issubdtype
from .core.messages.boundaries import public
from .core.messages.errors import message
from .core.tree.tree import tree_flatten, tree_map, tree_structure
from .core.types import aval_of
from .transforms.derivatives.grad import jvp, vjp

__all__ = ["check_grads", "check_jvp", "check_vjp"]

EPS = 1e-4
Tolerance = float | Mapping[Any, float] | None
_TOLERANCES = {
    "bfloat16": 1e-1, "float16": 1e-2, "float32": 2e-3, "float64": 1e-5, "complex64": 1e-3, "complex128": 1e-5,
}


def check_grads(
    f: Callable, args: Sequence, order: int, modes: Sequence[str] = ("fwd", "rev"),
    atol: Tolerance = None, rtol: Tolerance = None, eps: float | None = None,
) -> None:
    """Check the derivatives of `f` at `args` up to an order.

    Args:
      f: a function of arrays or trees of arrays.
      args: the arguments, a tuple; floating-point or complex throughout.
      order: how often to differentiate.
      modes: "fwd", "rev" or both.
      atol, rtol: tolerances, numbers or dicts of numbers by dtype; by default, and where a dict has no
        entry, they depend on the dtypes.
      eps: the step of the finite differences.
    Raises:
      AssertionError: a derivative disagrees with the finite difference.
      TypeError: an argument holds integers or booleans.

    >>> check_grads(jnp.sin, (1.,), order=2)
    >>> check_grads(jnp.sin, (1.,), order=2, atol={np.dtype("float32"): 1e-2})
    """
    args = tuple(args)
    step = EPS if eps is None else eps

    def check(f, args, order, path):
        where = f"{path}: " if path else ""
        if "fwd" in modes:
            check_jvp(f, partial(jvp, f), args, atol, rtol, step, f"{where}JVP")
            if order > 1:
                check(partial(_jvp_result, f), (args, _direction(args, 1)), order - 1, f"{path} JVP of".strip())
        if "rev" in modes:
            check_vjp(f, partial(vjp, f), args, atol, rtol, step, f"{where}VJP")
            if order > 1:
                def pulled(*args):
                    out, pull = vjp(f, *args)
                    return pull(_direction(out, 2))

                check(pulled, args, order - 1, f"{path} VJP of".strip())

    check(f, args, order, "")


def _jvp_result(f, primals, tangents):
    return jvp(f, primals, tangents)


def check_jvp(
    f: Callable, f_jvp: Callable, args: Sequence, atol: Tolerance = None, rtol: Tolerance = None,
    eps: float = EPS, err_msg: str = "",
) -> None:
    """Check `f_jvp(primals, tangents)` against `f` and its finite difference.

    Args:
      f: a function of arrays or trees of them.
      f_jvp: (primals, tangents) -> (result, tangent of the result).
      args: the point at which both are called.
      atol, rtol: how far derivatives may differ; default by dtype.
      eps: the step of the difference.
      err_msg: what the error says before.
    Returns:
      None.
    Raises:
      AssertionError: the results or the derivatives differ.

    >>> from functools import partial
    >>> check_jvp(jnp.sin, partial(jvp, jnp.sin), (1.,))
    """
    args = _differentiable(args)
    tangents = _direction(args, 0)
    out, out_tangent = f_jvp(args, tangents)
    _close(out, f(*args), atol, rtol, f"{err_msg} primal")
    _close(out_tangent, _difference(f, args, tangents, eps), atol, rtol, f"{err_msg} tangent")


def check_vjp(
    f: Callable, f_vjp: Callable, args: Sequence, atol: Tolerance = None, rtol: Tolerance = None,
    eps: float = EPS, err_msg: str = "",
) -> None:
    """Check `f_vjp(*primals)`, the result and a function of cotangents, against `f` and its finite difference.

    Args:
      f: a function of arrays or trees of them.
      f_vjp: as `partial(vjp, f)`.
      args: the point at which both are called.
      atol, rtol: how far derivatives may differ; default by dtype.
      eps: the step of the difference.
      err_msg: what the error says before.
    Returns:
      None.
    Raises:
      AssertionError: the results or the derivatives differ.

    >>> from functools import partial
    >>> check_vjp(jnp.sin, partial(vjp, jnp.sin), (1.,))
    """
    args = _differentiable(args)
    out, pull = f_vjp(*args)
    _close(out, f(*args), atol, rtol, f"{err_msg} primal")
    tangents = _direction(args, 0)
    out_tangents = _difference(f, args, tangents, eps)
    cotangents = _direction(out, 1)
    # The inner product of complex vectors conjugates one of them, and cotangents are conjugated already.
    back = tree_map(_conjugate, pull(tree_map(_conjugate, cotangents)))
    dtypes = [aval_of(x).dtype for x in tree_flatten((args, out))[0]]
    _close(
        _inner(tangents, back), _inner(out_tangents, cotangents), atol, rtol, f"{err_msg} cotangent projection",
        dtypes,
    )


def _differentiable(args) -> tuple:
    """Return the arguments as a tuple; TypeError if one has no derivative."""
    args = tuple(args)
    for i, x in enumerate(tree_flatten(args)[0]):
        dtype = aval_of(x).dtype
        if not issubdtype(dtype, np.inexact):
            raise TypeError(
                message(
                    "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of "
                    f"int/bool primal dtype the tangent dtype must be float0. Got primal dtype {dtype} and so expected "
                    f"tangent dtype {float0}, but got tangent dtype {dtype} instead.",
                    why=f"Leaf {i} of the arguments has dtype {dtype}: there is nothing to differentiate.",
                    fix="check_grads(lambda x: f(x, 2), (1.5,), order=1), with integers inside of the function",
                )
            )
    return args


def _conjugate(x):
    x = np.asarray(x)
    return x if x.dtype == float0 else np.conj(x)


def _direction(tree, seed: int):
    """Return a random tangent for each leaf."""
    random = np.random.RandomState(seed)

    def one(x):
        aval = aval_of(x).to_tangent_aval()
        if aval.dtype == float0:
            return np.zeros(aval.shape, float0)
        value = random.standard_normal(aval.shape)
        if aval.dtype.kind == "c":
            value = value + 1j * random.standard_normal(aval.shape)
        return np.asarray(value).astype(aval.dtype)

    return tree_map(one, tree)


def _difference(f, args, tangents, eps: float):
    """Return the central difference of `f` along a direction."""

    def moved(sign):
        def one(x, t):
            return x if t.dtype == float0 else (np.asarray(x) + sign * eps * t).astype(t.dtype)

        return f(*tree_map(one, args, tangents))

    def slope(high, low):
        dtype = aval_of(high).to_tangent_aval().dtype
        if dtype == float0:
            return np.zeros(aval_of(high).shape, float0)
        return ((_wide(high) - _wide(low)) / (2 * eps)).astype(dtype)

    return tree_map(slope, moved(1), moved(-1))


def _wide(x) -> np.ndarray:
    x = np.asarray(x)
    return x if x.dtype.kind == "c" else x.astype(np.float64)


def _inner(a, b) -> float:
    pairs = zip(tree_flatten(a)[0], tree_flatten(b)[0], strict=True)
    return sum([
        np.real(np.vdot(_wide(x), _wide(y))) for x, y in pairs if np.asarray(x).dtype != float0
    ])


def _close(got, expected, atol, rtol, what: str, dtypes=()) -> None:
    if tree_structure(got) != tree_structure(expected):
        raise AssertionError(f"{what}: got {tree_structure(got)}, expected {tree_structure(expected)}")
    for x, y in zip(tree_flatten(got)[0], tree_flatten(expected)[0]):
        x, y = np.asarray(x), np.asarray(y)
        if x.dtype == float0 or y.dtype == float0:
            continue
        kinds = dtypes or (x.dtype, y.dtype)
        np.testing.assert_allclose(
            _wide(x), _wide(y), atol=_tolerance(atol, kinds), rtol=_tolerance(rtol, kinds), err_msg=what,
        )


def _tolerance(given: Tolerance, kinds: Sequence[np.dtype]) -> float:
    """Return what is asked for, or else what suits the least precise of the dtypes."""
    if given is not None and not isinstance(given, Mapping):
        return given
    own = {np.dtype(dtype).name: tolerance for dtype, tolerance in (given or {}).items()}
    return max([own.get(d.name, _TOLERANCES.get(d.name, 0.0)) for d in kinds])


public(globals())
