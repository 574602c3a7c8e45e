# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def odeint(func: Callable[..., Any], y0: Any, t: Any, *args: Any, rtol: Any = 1.4e-08, atol: Any = 1.4e-08, mxstep: Any = ..., hmax: Any = ...) -> Any:
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
