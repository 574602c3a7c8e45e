"""`fwd_and_bwd`: the two halves of a `vjp` as functions that can be compiled once each.

Tests: `tests/transforms/test_grad.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..flat import check_callable, wraps
from ..jit.jit import jit
from .grad import check_argnums, choose_arguments, vjp

__all__ = ["fwd_and_bwd"]


def fwd_and_bwd(
    fun: Callable, argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True
) -> tuple[Callable, Callable]:
    """Return the forward and the backward pass of `fun` as two functions.

    A loop that calls `vjp` and compiles what it returns compiles in every turn; these compile once.

    Args:
      fun: a function of arrays or trees of arrays.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns (output, auxiliary data).
      jitted: compile both.
    Returns:
      `fwd(*args)`, which gives (output, residuals), and the auxiliary data with `has_aux`; and
      `bwd(residuals, cotangent)`, which gives the cotangent of the argument, or a tuple of them if
      `argnums` is a sequence.
    Raises:
      TypeError: an entry of `argnums` is no integer.

    >>> fwd, bwd = fwd_and_bwd(lambda x, w: jnp.sin(x) * w, 0)
    >>> y, residuals = fwd(0., 3.)
    >>> bwd(residuals, 1.)
    Array(3., dtype=float32, weak_type=True)
    """
    check_callable(fun, "fwd_and_bwd")
    single = not isinstance(argnums, (tuple, list))
    positions = check_argnums(argnums) if single or argnums else ()

    @wraps(fun)
    def fwd(*args, **kwargs):
        chosen, call = choose_arguments(fun, positions, args, kwargs)
        return vjp(call, *chosen, has_aux=has_aux)

    def bwd(residuals, outputs_bar):
        found = residuals(outputs_bar)
        return found[0] if single else found

    return (jit(fwd), jit(bwd)) if jitted else (fwd, bwd)
