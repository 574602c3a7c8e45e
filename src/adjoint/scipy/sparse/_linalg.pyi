# Written by stubs/generate.py; do not edit.
from adjoint.typing import ArrayLike
from typing import Any
def bicgstab(A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-05, atol: ArrayLike = 0.0, maxiter: Any = None, M: Any = None) -> tuple[Any, Any]:
    """Return the solution of A x = b by stabilized biconjugate gradients.

    Args:
      A: any linear map: a function, `[n, n]`, or anything that has `@`.
      b: tree of arrays.
      x0: where to begin, a tree like b; default zeros.
      tol, atol: done when the norm of b - A x is at most `max(tol norm(b), atol)`.
      maxiter: how many iterations at most; default 10 times the size of b.
      M: a function like A, near the inverse of A, which speeds the iteration up.
    Returns:
      (x, None); of `gmres` (x, info), where info is -1 if the norm of x is NaN, else 0
    Raises:
      ValueError: b and x0, or what A and M return, differ in structure or shapes.
      TypeError: A is neither a function nor a matrix.

    Derivative: from the equation, by another solve.
    Source: van der Vorst (1992).

    >>> bicgstab(jnp.diag(jnp.array([2., 4.])), jnp.array([2., 4.]))[0].round(3)
    Array([1., 1.], dtype=float32)
    """
def cg(A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-05, atol: ArrayLike = 0.0, maxiter: Any = None, M: Any = None) -> tuple[Any, Any]:
    """Return the solution of A x = b by conjugate gradients.

    Args:
      A: Hermitian and positive definite: a function, `[n, n]`, or anything that has `@`.
      b: tree of arrays.
      x0: where to begin, a tree like b; default zeros.
      tol, atol: done when the norm of b - A x is at most `max(tol norm(b), atol)`.
      maxiter: how many iterations at most; default 10 times the size of b.
      M: a function like A, near the inverse of A, which speeds the iteration up.
    Returns:
      (x, None); of `gmres` (x, info), where info is -1 if the norm of x is NaN, else 0
    Raises:
      ValueError: b and x0, or what A and M return, differ in structure or shapes.
      TypeError: A is neither a function nor a matrix.

    Derivative: from the equation, by another solve.
    Source: Hestenes and Stiefel (1952).

    >>> cg(jnp.diag(jnp.array([2., 4.])), jnp.array([2., 4.]))[0].round(3)
    Array([1., 1.], dtype=float32)
    """
def gmres(A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-05, atol: ArrayLike = 0.0, restart: int = 20, maxiter: Any = None, M: Any = None, solve_method: str = 'batched') -> tuple[Any, Any]:
    """Return the solution of A x = b by generalized minimal residuals.

    Args:
      A: any linear map: a function, `[n, n]`, or anything that has `@`.
      b: tree of arrays.
      x0: where to begin, a tree like b; default zeros.
      tol, atol: done when the norm of b - A x is at most `max(tol norm(b), atol)`.
      restart: how many vectors span the space, in which the residual is minimised in one iteration.
      solve_method: "batched" or "incremental"; has no effect on the result.
      maxiter: how many iterations at most; default 10 times the size of b.
      M: a function like A, near the inverse of A, which speeds the iteration up.
    Returns:
      (x, None); of `gmres` (x, info), where info is -1 if the norm of x is NaN, else 0
    Raises:
      ValueError: b and x0, or what A and M return, differ in structure or shapes.
      TypeError: A is neither a function nor a matrix.

    Derivative: from the equation, by another solve.
    Source: Saad and Schultz (1986).

    >>> gmres(jnp.diag(jnp.array([2., 4.])), jnp.array([2., 4.]))[0].round(3)
    Array([1., 1.], dtype=float32)
    """
