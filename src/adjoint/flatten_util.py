"""`ravel_pytree`: a tree of arrays as one vector, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import lax
from . import numpy as jnp
from .core import dtypes
from .core.messages.boundaries import guarded, public
from .core.messages.errors import warn
from .core.tree.tree import tree_flatten, tree_unflatten

__all__ = ["ravel_pytree"]


def ravel_pytree(pytree: Any) -> tuple[Any, Callable]:
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
    leaves, tree = tree_flatten(pytree)
    if not leaves:
        return jnp.array([], np.float32), _Unravel(tree, (), (), np.dtype(np.float32))
    arrays = [jnp.asarray(x) for x in leaves]
    joined, _ = dtypes.lattice_result_type(*[x.dtype for x in arrays])
    flat = [jnp.ravel(x) for x in arrays]
    vector = lax.concatenate(flat if len({x.dtype for x in flat}) == 1 else [x.astype(joined) for x in flat], 0)
    shapes, types = tuple(x.shape for x in arrays), tuple(x.dtype for x in arrays)
    return vector, _Unravel(tree, shapes, types, joined)


@guarded
class _Unravel:
    """Cuts a vector into the leaves of a tree."""

    def __init__(self, tree, shapes, types, joined):
        self.tree = tree
        self.shapes = shapes
        self.types = types
        self.joined = joined

    def _key(self):
        return self.tree, self.shapes, self.types, self.joined

    def __eq__(self, other):
        return isinstance(other, _Unravel) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __call__(self, vector):
        if not self.shapes:
            return tree_unflatten(self.tree, [])
        sizes = [int(np.prod(s)) for s in self.shapes]
        is_one = all(t == self.joined for t in self.types)  # nothing is converted then, and any dtype goes through
        if not is_one and jnp.asarray(vector).dtype != self.joined:
            raise TypeError(
                f"unravel function given array of dtype {jnp.asarray(vector).dtype}, but expected dtype "
                f"{self.joined}"
            )
        if jnp.shape(vector) != (sum(sizes),):
            raise ValueError(
                f"The unravel function expected an array of shape {(sum(sizes),)}, got shape "
                f"{jnp.shape(vector)}."
            )
        if any(t.kind != "c" for t in self.types) and self.joined.kind == "c":
            warn("unravel discards the imaginary parts of leaves that were real")
        parts, start = [], 0
        for size, shape, dtype in zip(sizes, self.shapes, self.types):
            part = lax.slice_in_dim(vector, start, start + size).reshape(shape)
            parts.append(part if is_one or dtype == self.joined else part.astype(dtype))
            start += size
        return tree_unflatten(self.tree, parts)

public(globals())
