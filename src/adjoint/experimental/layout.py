"""The order of an array's axes in memory: `jax.experimental.layout`.

Tests: `tests/transforms/test_stages.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_unflatten
from ..core.types import aval_of
from ..prims.sharding import layout_constraint
from ..sharding.layout import Format, Layout

__all__ = ["Format", "Layout", "with_layout_constraint"]


def with_layout_constraint(x: Any, layouts: Any) -> Any:
    """Return the tree itself; inside `jit`, with its arrays laid out in memory as `layouts` says, if that helps the
    compiler.

    Args:
      x: a tree of arrays.
      layouts: a `Layout`, or a tree of them that is a prefix of `x`.
    Returns:
      The tree, with the same values.
    Raises:
      ValueError: there is a layout that is none, or that is of another number of axes than its array.
      JaxRuntimeError: it names an axis twice, or one that is not there.

    >>> with_layout_constraint(jnp.ones((1, 2)), Layout((1, 0)))
    Array([[1., 1.]], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    found = broadcast_prefix(
        layouts, x, is_leaf=lambda v: v is None or isinstance(v, Layout), name="with_layout_constraint layouts",
        intro="with_layout_constraint layouts specification must be a tree prefix of the corresponding value; \n",
        fix="one Layout for all, or a tree of them like the first argument",
    )
    if not all([isinstance(layout, Layout) for layout in found]):
        axes = tuple(range(aval_of(leaves[0]).ndim))
        raise ValueError(
            message(
                "layouts passed to `with_layout_constraint` must be of type `Layout`. Got "
                f"{[type(layout) for layout in found]}",
                fix=f"Layout({axes})",
            )
        )
    return tree_unflatten(tree, [layout_constraint(v, layout=layout) for v, layout in zip(leaves, found)])

public(globals())
