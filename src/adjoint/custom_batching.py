"""Functions with rules of vectorization of their own.

Tests: `tests/transforms/test_custom_vmap.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .core.messages.boundaries import public
from .core.tree.tree import tree_flatten, tree_map, tree_unflatten
from .lax.flow.loops import map as lax_map
from .transforms.custom.custom_vmap import custom_vmap

__all__ = ["custom_vmap", "sequential_vmap"]


def sequential_vmap(f: Callable) -> custom_vmap:
    """Return a function that `vmap` runs once for each element, one after the other, by `lax.map`.

    Args:
      f: a function of arrays or trees of them.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: the result is called with arguments that `f` does not take.

    >>> vmap(sequential_vmap(lambda x: x ** 2))(jnp.arange(3.))
    Array([0., 1., 4.], dtype=float32)
    """
    f = custom_vmap(f)

    @f.def_vmap
    def rule(axis_size, in_batched, *args):
        leaves, tree = tree_flatten(args)
        flags = tree_flatten(tuple(in_batched))[0]

        def one(rows):
            rows = iter(rows)
            filled = [next(rows) if flag else x for x, flag in zip(leaves, flags)]
            return f(*tree_unflatten(tree, filled))

        out = lax_map(one, [x for x, flag in zip(leaves, flags) if flag])
        return out, tree_map(lambda _: True, out)

    return f

public(globals())
