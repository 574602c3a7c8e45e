# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
def check_grads(f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = ..., atol: float | Mapping[Any, float] | None = None, rtol: float | Mapping[Any, float] | None = None, eps: float | None = None) -> None:
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
def check_jvp(f: Callable[..., Any], f_jvp: Callable[..., Any], args: Sequence[Any], atol: float | Mapping[Any, float] | None = None, rtol: float | Mapping[Any, float] | None = None, eps: float = 0.0001, err_msg: str = '') -> None:
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
def check_vjp(f: Callable[..., Any], f_vjp: Callable[..., Any], args: Sequence[Any], atol: float | Mapping[Any, float] | None = None, rtol: float | Mapping[Any, float] | None = None, eps: float = 0.0001, err_msg: str = '') -> None:
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
