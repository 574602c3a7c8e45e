# Written by stubs/generate.py; do not edit.
from adjoint import Array
from collections.abc import Callable
from collections.abc import Mapping
from typing import Any
from typing import NamedTuple
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
def minimize(fun: Callable[..., Any], x0: Array, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None, options: Mapping[str, Any] | None = None) -> OptimizeResults:
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
