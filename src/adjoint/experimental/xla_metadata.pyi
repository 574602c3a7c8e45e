# Written by stubs/generate.py; do not edit.
from typing import Any
def set_xla_metadata(x: Any = None, **kwargs: Any) -> Any:
    """Give values, or the operations inside of a context, notes that XLA's passes may read.

    Args:
      x: a tree of arrays; without it a context is returned, which is a decorator too.
      kwargs: the notes, whose values are hashable.

    Returns:
      The same arrays, by an operation with the notes.

    >>> from adjoint.experimental.xla_metadata import set_xla_metadata
    >>> set_xla_metadata(jnp.ones(2), key="value")
    Array([1., 1.], dtype=float32)
    >>> with set_xla_metadata(key="value"):
    ...     y = jnp.sin(0.)
    """
from adjoint.lax import xla_metadata_value_p as xla_metadata_value_p
