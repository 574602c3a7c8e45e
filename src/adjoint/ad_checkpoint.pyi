# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
class Offloadable(NamedTuple):
    """A policy's answer: to be kept in the memory `dst`, not in `src` where it is.

    Args:
      src: the kind of memory where the value is, "device".
      dst: the kind where it is kept, "pinned_host".

    >>> Offloadable("device", "pinned_host").dst
    'pinned_host'
    """
    src: str
    dst: str
Recompute: Any
Saveable: Any
def checkpoint_name(x: Any, name: str) -> Any:
    """Name the values of a tree, for policies such as `save_only_these_names`.

    Args:
      x: a tree of arrays.
      name: the name.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf is no array or number.

    >>> checkpoint_name(jnp.ones(2), "hidden")
    Array([1., 1.], dtype=float32)
    """
def checkpoint_name_fwd(x: Any, name: str) -> Any:
    """Name the values of a tree as `checkpoint_name` does, and not their tangents. A name of JAX 0.11.

    Args:
      x: a tree of arrays.
      name: the name.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf of the tree is no array and no number.

    >>> checkpoint_name_fwd(jnp.ones(2), "hidden")
    Array([1., 1.], dtype=float32)
    """
from adjoint import checkpoint_policies as checkpoint_policies
def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print the type and the origin of each value that is kept for differentiating `f(*args, **kwargs)`.

    Args:
      f: a function of arrays or trees of them.
      *args, **kwargs: its arguments; shapes and dtypes count.
    Returns:
      None.
    Raises:
      TypeError: an argument or a result of `f` is not made of arrays and numbers.

    >>> ad_checkpoint.print_saved_residuals(lambda x, y: x * y, 1., 2.)
    f32[] from the argument x
    f32[] from the argument y
    """
