"""`adjoint.scipy.sparse.linalg`: solutions of linear systems that are given as functions.

Vectors are trees of arrays. The loops are never differentiated: `custom_linear_solve` takes derivatives from the
equation, by other solutions of the same kind.

Tests: `tests/scipy/test_solvers.py`.
"""

from __future__ import annotations

from functools import partial
from operator import add, mul, sub

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.tree.tree import tree_flatten, tree_leaves, tree_map, tree_reduce, tree_structure
from ...prims.conversion import convert_element_type
from ...transforms.jit.staging import eval_shape

__all__ = ["bicgstab", "cg", "gmres"]

_ARGUMENTS = """    Args:
      A: {what}: a function, `[n, n]`, or anything that has `@`.
      b: tree of arrays.
      x0: where to begin, a tree like b; default zeros.
      tol, atol: done when the norm of b - A x is at most `max(tol norm(b), atol)`.{more}
      maxiter: how many iterations at most; default 10 times the size of b.
      M: a function like A, near the inverse of A, which speeds the iteration up.
    Returns:
      (x, None); of `gmres` (x, info), where info is -1 if the norm of x is NaN, else 0
    Raises:
      ValueError: b and x0, or what A and M return, differ in structure or shapes.
      TypeError: A is neither a function nor a matrix.
"""


def _dot(x, y):
    """Return the inner product of trees, complex for complex ones."""
    one = lambda a, b: jnp.vdot(a, b, precision=lax.Precision.HIGHEST)
    return tree_reduce(add, tree_map(one, x, y))


def _square(x):
    """Return the square of the norm, real."""
    return tree_reduce(add, tree_map(lambda a: jnp.vdot(a, a, precision=lax.Precision.HIGHEST).real, x))


_plus, _minus = partial(tree_map, add), partial(tree_map, sub)


def _scaled(number, x):
    return tree_map(partial(mul, number), x)


def _norm(x):
    return jnp.sqrt(_square(x))


def _identity(x):
    return x


def _operator(A, name: str = "linear operator"):
    if callable(A):
        return A
    if isinstance(A, np.ndarray) or hasattr(A, "__matmul__"):
        if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
            raise ValueError(message(
                f"linear operator must be a square matrix, but has shape: {A.shape}",
                fix="pass a function, lambda x: A @ x",
            ))
        return partial(lax.dot if isinstance(A, np.ndarray) else jnp.matmul, A)
    raise TypeError(message(
        f"linear operator must be either a function or ndarray: {A}", why=f"The {name} has to be applied to vectors.",
        fix="lambda x: A @ x",
    ))


def _check_output(moved, b) -> None:
    """TypeError or ValueError if the operator does not return what it is given."""
    if tree_structure(moved) != tree_structure(b) and len(tree_leaves(moved)) == len(tree_leaves(b)):
        raise TypeError(
            "matvec() output pytree structure must match b, got "
            f"{tree_structure(moved)} and {tree_structure(b)}."
        )
    shapes = [[v.shape for v in tree_leaves(t)] for t in (moved, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(
            message(
                f"matvec() output shapes must match b, got {shapes[0]} and {shapes[1]}",
                fix="a square operator; for A of another shape lambda x: A.T @ (A @ x), with A.T @ b",
            )
        )


def _solve(iterate, A, b, x0, *, maxiter, M, symmetric=False, keeps_weak=True):
    """Return `iterate(A, b, x0, M, maxiter)` as a linear solve with derivatives.

    With `keeps_weak`, solutions of what has weak types throughout have them.
    """
    x0 = tree_map(jnp.zeros_like, b) if x0 is None else x0
    b, x0 = (tree_map(jnp.asarray, v) for v in (b, x0))
    leaves, _ = tree_flatten(b)
    if maxiter is None:
        maxiter = 10 * sum(v.size for v in leaves)
    M = _identity if M is None else _operator(M, "preconditioner")
    A = _operator(A)
    if tree_structure(x0) != tree_structure(b):
        raise ValueError(
            f"x0 and b must have matching tree structure: {tree_structure(x0)} vs {tree_structure(b)}"
        )
    shapes = [[v.shape for v in tree_leaves(t)] for t in (x0, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"arrays in x0 and b must have matching shapes: {shapes[0]} vs {shapes[1]}")
    # The carry of the loop has the dtypes of what A returns.
    moved = eval_shape(A, x0)
    _check_output(moved, b)
    dtype = dtypes.to_inexact_dtype(dtypes.result_type(*tree_leaves(moved), *leaves))
    weak = keeps_weak and all(v.weak_type for t in (b, x0, moved) for v in tree_leaves(t))
    b, x0 = (tree_map(lambda v: v.astype(dtype), t) for t in (b, x0))
    real = not any(dtypes.issubdtype(v.dtype, np.complexfloating) for v in (*leaves, *tree_leaves(moved)))

    def solve(matvec, b):
        return iterate(matvec, b, x0, M, maxiter)

    x = lax.custom_linear_solve(A, b, solve=solve, transpose_solve=solve, symmetric=symmetric and real)
    if weak:
        x = tree_map(lambda v: convert_element_type.bind(v, new_dtype=v.dtype, weak_type=True, sharding=None), x)
    return x, None


def cg(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    def iterate(A, b, x0, M, maxiter):
        limit = jnp.maximum(tol**2 * _square(b), atol**2)

        def step(value):
            x, r, gamma, p, k = value
            Ap = A(p)
            alpha = gamma / _dot(p, Ap).astype(gamma.dtype)
            x, r = _plus(x, _scaled(alpha, p)), _minus(r, _scaled(alpha, Ap))
            z = M(r)
            after = _dot(r, z).astype(gamma.dtype)
            return x, r, after, _plus(z, _scaled(after / gamma, p)), k + 1

        def unfinished(value):
            _, r, gamma, _, k = value
            square = gamma.real if M is _identity else _square(r)
            return (square > limit) & (k < maxiter)

        r = _minus(b, A(x0))
        p = M(r)
        start = x0, r, _dot(r, p), p, jnp.asarray(0)
        return lax.while_loop(unfinished, step, start)[0]

    return _solve(iterate, A, b, x0, maxiter=maxiter, M=M, symmetric=True, keeps_weak=False)


def bicgstab(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    def iterate(A, b, x0, M, maxiter):
        limit = jnp.maximum(tol**2 * _square(b), atol**2)

        def step(value):
            x, r, shadow, alpha, omega, rho, p, q, k = value
            after = _dot(shadow, r)
            beta = after / rho * alpha / omega
            p = _plus(r, _scaled(beta, _minus(p, _scaled(omega, q))))
            direction = M(p)
            q = A(direction)
            alpha = after / _dot(shadow, q)
            s = _minus(r, _scaled(alpha, q))
            early = _square(s) < limit
            second = M(s)
            t = A(second)
            omega = _dot(t, s) / _dot(t, t)
            chosen = lambda a, b: tree_map(partial(jnp.where, early), a, b)
            half = _plus(x, _scaled(alpha, direction))
            x = chosen(half, _plus(half, _scaled(omega, second)))
            r = chosen(s, _minus(s, _scaled(omega, t)))
            # A product that vanishes ends the iteration: there is no way on.
            k = jnp.where((omega == 0) | (alpha == 0), -11, k + 1)
            k = jnp.where(after == 0, -10, k)
            return x, r, shadow, alpha, omega, after, p, q, k

        def unfinished(value):
            _, r, *_, k = value
            return (_square(r) > limit) & (k < maxiter) & (k >= 0)

        r = _minus(b, A(x0))
        one = jnp.ones((), _dot(r, r).dtype)
        start = x0, r, r, one, one, one, r, r, jnp.asarray(0)
        return lax.while_loop(unfinished, step, start)[0]

    return _solve(iterate, A, b, x0, maxiter=maxiter, M=M)


def gmres(
    A, b, x0=None, *, tol=1e-5, atol=0.0, restart=20, maxiter=None, M=None, solve_method="batched"
):
    if solve_method not in ("batched", "incremental"):
        raise ValueError(message(
            f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'",
            fix='solve_method="batched"',
        ))

    def iterate(A, b, x0, M, maxiter):
        size = sum(v.size for v in tree_leaves(b))
        steps = min(restart, size)
        # The tolerance is for the residual as M sees it.
        limit = jnp.maximum(tol * _norm(b), atol) * _norm(M(b)) / jnp.maximum(_norm(b), 1e-30)

        def expanded(basis, h, k):
            """Add a vector of the Krylov space, made orthogonal to those before; twice is enough."""
            v = M(A(tree_map(lambda V: V[..., k], basis)))
            total = jnp.zeros(steps + 1, h.dtype)
            for _ in range(2):
                overlap = tree_reduce(add, tree_map(
                    lambda V, x: jnp.tensordot(V.conj(), x, axes=(list(range(x.ndim)),) * 2), basis, v
                ))
                total = total + overlap
                v = _minus(v, tree_map(lambda V, overlap=overlap: (V @ overlap).reshape(V.shape[:-1]), basis))
            length = _norm(v)
            small = length <= jnp.finfo(length.dtype).eps * jnp.linalg.norm(total)
            v = tree_map(lambda x: jnp.where(small, jnp.zeros_like(x), x / length.astype(x.dtype)), v)
            h = h.at[k].set(total.at[k + 1].set(jnp.where(small, 0, length).astype(h.dtype)))
            return tree_map(lambda V, x: V.at[..., k + 1].set(x), basis, v), h

        def cycle(value):
            x, r, length, k = value
            unit = tree_map(lambda x: x / jnp.where(length > 0, length, 1).astype(x.dtype), r)
            basis = tree_map(lambda x: jnp.zeros((*x.shape, steps + 1), x.dtype).at[..., 0].set(x), unit)
            h = jnp.eye(steps, steps + 1, dtype=dtypes.result_type(*tree_leaves(b)))
            basis, h = lax.fori_loop(0, steps, lambda i, s: expanded(*s, i), (basis, h))
            target = jnp.zeros(steps + 1, h.dtype).at[0].set(length.astype(h.dtype))
            y = jnp.linalg.lstsq(h.T, target)[0]
            x = _plus(x, tree_map(lambda V: (V[..., :-1] @ y).reshape(V.shape[:-1]), basis))
            r = M(_minus(b, A(x)))
            return x, r, _norm(r), k + 1

        def unfinished(value):
            _, _, length, k = value
            return (length > limit) & (k < maxiter)

        r = M(_minus(b, A(x0)))
        return lax.while_loop(unfinished, cycle, (x0, r, _norm(r), jnp.asarray(0)))[0]

    x, _ = _solve(iterate, A, b, x0, maxiter=maxiter, M=M, keeps_weak=solve_method == "batched")
    return x, jnp.where(jnp.isnan(_norm(x)), -1, 0)


def _documented(function, summary, what, source, more=""):
    example = f">>> {function.__name__}(jnp.diag(jnp.array([2., 4.])), jnp.array([2., 4.]))[0].round(3)"
    function.__doc__ = "\n".join([
        summary, "", _ARGUMENTS.format(what=what, more=more), "    Derivative: from the equation, by another solve.",
        f"    Source: {source}", "", f"    {example}", "    Array([1., 1.], dtype=float32)", "    ",
    ])


_documented(
    cg, "Return the solution of A x = b by conjugate gradients.", "Hermitian and positive definite",
    "Hestenes and Stiefel (1952).",
)
_documented(
    bicgstab, "Return the solution of A x = b by stabilized biconjugate gradients.", "any linear map",
    "van der Vorst (1992).",
)
_documented(
    gmres, "Return the solution of A x = b by generalized minimal residuals.", "any linear map",
    "Saad and Schultz (1986).",
    more="\n      restart: how many vectors span the space, in which the residual is minimised in one iteration."
    '\n      solve_method: "batched" or "incremental"; has no effect on the result.',
)

public(globals())
