"""Symbolic shapes: what users make of texts, and for trees of arguments.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dimensions.expressions import is_symbolic_dim
from ..core.dimensions.parsing import dimensions
from ..core.dimensions.scopes import SymbolicScope
from ..core.tree.differences import broadcast_prefix
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..transforms.jit.staging import ShapeDtypeStruct, abstract

__all__ = ["SymbolicScope", "is_symbolic_dim", "symbolic_args_specs", "symbolic_shape"]


def symbolic_shape(
    shape_spec: str | None, *, constraints: Sequence[str] = (), scope: SymbolicScope | None = None,
    like: Sequence[int | None] | None = None,
) -> Sequence[Any]:
    """Return the shape of a text, whose lengths may be expressions over variables.

    Args:
      shape_spec: "a, b", "(2*n + 1, 4)"; numbers, names, `+`, `-`, `*`, `floordiv(a, b)`, `mod(a, b)`, `max(a, b)` and
        `min(a, b)`. "_" stands for a length of `like`, "..." for all that follow; None is "...".
      constraints: what holds, such as "a >= 4", "b <= 2*a", "mod(a, 2) == 0".
      scope: where the variables belong, with its own constraints; default: a new one.
      like: a shape that placeholders are taken of.
    Raises:
      ValueError: the text is no shape.

    >>> b, n = export.symbolic_shape("b, 2*n")
    >>> b * n // 2, n >= 2
    (b*n, True)
    """
    if shape_spec is not None and not isinstance(shape_spec, str):
        raise ValueError(f"polymorphic shape spec should be None or a string. Found {shape_spec}.")
    scope = _scope(scope, constraints)
    text = "..." if shape_spec is None else shape_spec
    return dimensions(text, scope, None if like is None else tuple(like), shape_spec)


def _scope(scope: SymbolicScope | None, constraints: Sequence[str]) -> SymbolicScope:
    if scope is None:
        return SymbolicScope(constraints)
    if constraints:
        raise ValueError("Cannot specify both a `scope` and `constraints`.")
    return scope


def symbolic_args_specs(
    args: Any, shapes_specs: Any, constraints: Sequence[str] = (), scope: SymbolicScope | None = None,
) -> Any:
    """Return the types of arguments with symbolic shapes, for `export`.

    Args:
      args: a tree of arrays or `ShapeDtypeStruct`s, which give dtypes, and lengths for placeholders.
      shapes_specs: a text for all of them, None for shapes as they are, or a tree of these that is a prefix of `args`.
      constraints, scope: as in `symbolic_shape`.
    Returns:
      The tree with a `ShapeDtypeStruct` in the place of each array.
    Raises:
      ValueError: a specification is neither None nor a text, or does not fit the shape of its array.

    >>> export.symbolic_args_specs({"x": jnp.ones((2, 3)), "y": jnp.ones(3)}, {"x": "b, _", "y": None})
    {'x': ShapeDtypeStruct(shape=(b, 3), dtype=float32), 'y': ShapeDtypeStruct(shape=(3,), dtype=float32)}
    """
    leaves, tree = tree_flatten(args)
    scope = _scope(scope, constraints)
    specs = broadcast_prefix(
        shapes_specs, args, is_leaf=lambda x: x is None, name="export.symbolic_args_specs shapes_specs")
    found = []
    for spec, x in zip(specs, leaves, strict=True):
        aval = abstract(x)
        shape = symbolic_shape(spec, scope=scope, like=aval.shape) if spec is not None else aval.shape
        found.append(ShapeDtypeStruct(shape, aval.dtype))
    return tree_unflatten(tree, found)
