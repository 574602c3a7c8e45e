# Written by stubs/generate.py; do not edit.
from adjoint import Array
from typing import Any
def vq(obs: Any, code_book: Any, check_finite: bool = True) -> tuple[Array, Array]:
    """Return the nearest code of each observation, and its distance.

    Args:
      obs: `[m, n]`, or `[m]`.
      code_book: `[k, n]`, or `[k]`.
      check_finite: has no effect.
    Returns:
      (integers `[m]`, distances `[m]`).
    Raises:
      ValueError: the arrays are not both of one axis or both of two.

    >>> vq(jnp.array([0.9]), jnp.array([0., 1.]))[0]
    Array([1], dtype=int32)
    """
