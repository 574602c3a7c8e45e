# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def ravel_pytree(pytree: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the leaves of a tree as one array with one axis, and a function that undoes it.

    Args:
      pytree: a tree of arrays and scalars; their dtypes promote to one.
    Returns:
      (vector, unravel): `unravel(vector)` gives a tree like the argument, with its shapes and dtypes; for trees of
        one structure, with the same shapes and dtypes, the functions are equal, so that they can be static arguments.
    Raises:
      TypeError: a leaf is no array or number.

    >>> v, unravel = ravel_pytree({"a": jnp.ones(2), "b": 3.})
    >>> v
    Array([1., 1., 3.], dtype=float32)
    >>> unravel(v)["b"]
    Array(3., dtype=float32)
    """
