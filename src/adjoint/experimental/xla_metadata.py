"""Notes for XLA on operations and values, as `jax.experimental.xla_metadata`.

A note on a value is an operation of its own, the identity, which transformations keep; a note on operations inside of a
context says nothing to the engines of this package, and is checked alone.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from ..array.array import as_array
from ..core.messages.boundaries import public
from ..core.primitive import Primitive
from ..core.tree.tree import tree_map
from ..core.types import Array, ShapedArray
from ..sharding import rules

__all__ = ["set_xla_metadata", "xla_metadata_value_p"]

xla_metadata_value_p = Primitive("xla_metadata_value", linear=True)
xla_metadata_value_p.sharding(rules.of_operands)
xla_metadata_value_p.type(lambda x, *, xla_metadata_kvs: x)
xla_metadata_value_p.evaluate(lambda x, *, xla_metadata_kvs: x)
xla_metadata_value_p.expand(lambda x, *, xla_metadata_kvs: x)
xla_metadata_value_p.transpose(lambda ct, x, **params: [xla_metadata_value_p.bind(ct, **params)])
xla_metadata_value_p.batch(lambda args, dims, **params: (xla_metadata_value_p.bind(*args, **params), dims[0]))
xla_metadata_value_p.examples((ShapedArray((2, 3), "float32"), dict(xla_metadata_kvs=(("key", "value"),))))


class _Notes(ContextDecorator):
    """The context of notes on operations, and a decorator."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def set_xla_metadata(x: Any = None, **kwargs) -> Any:
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
    hash(tuple(kwargs.values()))
    if x is None:
        return _Notes()
    notes = tuple(sorted(kwargs.items()))
    if not notes:
        return x
    note = lambda leaf: xla_metadata_value_p.bind(
        leaf if isinstance(leaf, Array) else as_array(leaf), xla_metadata_kvs=notes
    )
    return tree_map(note, x)


public(globals())
