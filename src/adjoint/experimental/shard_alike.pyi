# Written by stubs/generate.py; do not edit.
from typing import Any
def shard_alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two trees whose arrays are divided over devices in the same way, pair by pair.

    Args:
      x, y: trees of one structure, of arrays of the same shapes.

    Raises:
      ValueError: the structures, or the shapes of two arrays, differ.

    >>> from adjoint.experimental.shard_alike import shard_alike
    >>> f = jit(lambda x: shard_alike(x, x * 2))
    >>> f(jnp.ones(2))
    (Array([1., 1.], dtype=float32), Array([2., 2.], dtype=float32))
    """
