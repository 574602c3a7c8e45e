"""The functions that users give to loops and branches, as programs.

`transforms/bodies.py` traces and remembers them; here is what loops and branches ask of their arguments and types.

Tests: `tests/control_flow/test_caching.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...array.array import as_array
from ...core import dtypes
from ...core.messages.errors import describe, message
from ...core.trace import Tracer
from ...core.tree.tree import keystr, tree_flatten, tree_flatten_with_path, tree_structure, treedef_tuple
from ...core.types import Array, ShapedArray, aval_of, is_arraylike
from ...core.values.changing import ChangingValueError, is_changing
from ...transforms.flat import argument_names
from ...transforms.jit.changing import closing_over

__all__ = [
    "LEAF", "NO_KEYWORDS", "argument_name", "call_tree", "check_callable",
    "concrete", "leaf_names", "operands_and_functions", "operands_of", "promoted", "types_of",
]

LEAF = tree_structure(0)
NO_KEYWORDS = tree_structure({})


def promoted(avals, out_avals) -> tuple[ShapedArray, ...]:
    """Return the types that a carry needs to have at the start: weak ones give way to those of the results."""
    return tuple(
        [
            a.update(dtype=b.dtype, weak_type=False)
            if a.weak_type and a.dtype != b.dtype and a.shape == b.shape and _yields(a, b)
            else a
            for a, b in zip(avals, out_avals)
        ]
    )


def _yields(weak: ShapedArray, other: ShapedArray) -> bool:
    try:
        dtype, _ = dtypes.result_of(((weak.dtype, True), (other.dtype, other.weak_type)))
    except ValueError:  # no common dtype
        return False
    return dtype == other.dtype


# ---- arguments -----------------------------------------------------------------------------------


def operands_of(api: str, tree) -> tuple[list, Any]:
    """Return the leaves of an argument as operands, and its structure."""
    leaves, treedef = tree_flatten(tree)
    for i, x in enumerate(leaves):
        if isinstance(x, Array):
            continue
        if isinstance(x, np.ndarray):
            leaves[i] = as_array(x)
        elif is_changing(x):
            raise ChangingValueError(x)
        elif hasattr(x, "__jax_array__"):
            leaves[i] = x.__jax_array__()
        elif not is_arraylike(x):
            path = keystr(tree_flatten_with_path(tree)[0][i][0])
            at = f" It is at {path} of the argument." if path else ""
            raise TypeError(
                message(
                    f"Argument {x!r:.60} of type {type(x)} is not a valid JAX type.",
                    why=f"{api} takes arrays, scalars, and trees of them.{at}",
                    fix="close over what is not an array",
                )
            )
    return leaves, treedef


def operands_and_functions(api: str, operands: tuple, funs) -> tuple[list, Any, Any]:
    """Return what `operands_of` does, and the functions: they close over those of the operands that change."""
    try:
        return *operands_of(api, operands), funs
    except ChangingValueError:
        operands, close = closing_over(operands)
        return *operands_of(api, operands), tuple(map(close, funs))


def types_of(leaves) -> tuple:
    return tuple([x.aval if isinstance(x, Array) else aval_of(x) for x in leaves])


def call_tree(*trees):
    """Return the structure of ((arguments), {}) given that of each argument."""
    return treedef_tuple((treedef_tuple(trees), NO_KEYWORDS))


def leaf_names(fun, tree, position: int) -> Callable:
    """Return a thunk of the names of the leaves of one argument of `fun`, such as `carry['a'][0]`."""
    return argument_names(fun, call_tree(tree), lambda _: position)


def argument_name(fun, position: int) -> str:
    """Return the name of one argument of `fun`."""
    return leaf_names(fun, LEAF, position)()[0]


def check_callable(text: str, *funs, fix: str = "a function or a lambda") -> None:
    for f in funs:
        if not callable(f):
            raise TypeError(message(text, why=f"Got {describe(f)}.", fix=fix))


def concrete(x):
    """Return the array or scalar behind `x`, or None if only its type is known."""
    return x.concrete() if isinstance(x, Tracer) else x
