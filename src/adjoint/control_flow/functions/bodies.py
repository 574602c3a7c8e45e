"""The functions that users give to loops and branches, as programs.

A function is traced once for each structure and type of its arguments and remembered as long as it lives,
so a loop that is run again with the same function costs no tracing. What it closes over, arrays and
tracers, becomes leading operands of the program. As in JAX, the function's identity stands for its
closure; only a body that closed over a tracer that is over by now is traced again.

Tests: `tests/control_flow/test_caching.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...array.array import as_array
from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr
from ...core.messages.errors import describe, message
from ...core.options.config import local
from ...core.trace import Tracer, stage, state
from ...core.tree.tree import keystr, tree_flatten, tree_flatten_with_path, tree_structure, treedef_tuple
from ...core.types import Array, ShapedArray, aval_of, is_arraylike
from ...transforms.flat import FlatFun, argument_names, debug_info
from ...transforms.jit.entries import function_cache
from ...transforms.programs import hoist

__all__ = [
    "LEAF", "NO_KEYWORDS", "Body", "argument_name", "body_of", "call_tree", "check_callable",
    "concrete", "leaf_names", "operands_of", "promoted", "remembered_plan", "types_of",
]

LEAF = tree_structure(0)
NO_KEYWORDS = tree_structure({})

_MAX_PLANS_PER_FUNCTION = 256  # plans or bodies of one function
_BESIDE = "beside"  # what leads to the plans that are of another function too


class Body:
    """A traced function: a program of *captured, *arguments."""

    __slots__ = ("captured", "out_tree", "program")

    def __init__(self, program: ClosedJaxpr, captured: list, out_tree):
        self.program = program
        self.captured = captured
        self.out_tree = out_tree

    @property
    def out_avals(self) -> list[ShapedArray]:
        return self.program.out_avals


def is_stale(captured) -> bool:
    """Return whether one of the values is a tracer of a transformation that is over."""
    return any(isinstance(c, Tracer) and not c._trace.active for c in captured)


def remembered_plan(fun, purpose, key: tuple, make: Callable, beside: Callable | None = None):
    """`make()`, which has an attribute `captured`, kept with `fun` for as long as it holds.

    With `beside` it is a plan of that function too, and goes with the first of the two.
    """
    cache = function_cache(fun, purpose)
    if beside is not None:
        cache = _cache_beside(cache, beside)
    key = (*key, local.trace_context, state.axis_env)
    plan = cache.get(key)
    if plan is None or (plan.captured and is_stale(plan.captured)):
        plan = make()
        if len(cache) >= _MAX_PLANS_PER_FUNCTION:
            cache.clear()
        cache[key] = plan
    return plan


def _cache_beside(cache: dict, fun: Callable) -> dict:
    by_function = cache.get(_BESIDE)
    if by_function is None:
        by_function = cache[_BESIDE] = WeakKeyDictionary()
    try:
        return by_function.setdefault(fun, {})
    except TypeError:  # not hashable, or cannot be referred to weakly
        return {}


def body_of(fun, purpose: str, in_tree, avals: tuple, wrap: Callable | None = None) -> Body:
    """The program of `fun` at arguments of this structure and these types.

    Args:
      purpose: the function that the user called, for messages.
      in_tree: the structure of (args, kwargs).
      avals: types of the program's operands: those of the leaves, unless `wrap` says otherwise.
      wrap: (fun on leaves, *operands) -> results, to make the program more than the function.
    """

    def trace() -> Body:
        flat = FlatFun(fun, in_tree, purpose)
        run = flat if wrap is None else lambda *operands: wrap(flat, *operands)
        jaxpr, consts = stage(run, avals, debug_info(purpose, fun, in_tree))
        program, captured = hoist(jaxpr, consts)
        # The user may write to an array of NumPy later; what was traced stays.
        captured = [as_array(c) if isinstance(c, np.ndarray) else c for c in captured]
        return Body(program, captured, flat.out_tree)

    return remembered_plan(fun, ("body", purpose, wrap), (in_tree, avals), trace)


def promoted(avals, out_avals) -> tuple[ShapedArray, ...]:
    """The types that a carry needs to have at the start: weak ones give way to those of the results."""
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
    """The leaves of an argument as operands, and its structure."""
    leaves, treedef = tree_flatten(tree)
    for i, x in enumerate(leaves):
        if isinstance(x, Array):
            continue
        if isinstance(x, np.ndarray):
            leaves[i] = as_array(x)
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


def types_of(leaves) -> tuple:
    return tuple([x.aval if isinstance(x, Array) else aval_of(x) for x in leaves])


def call_tree(*trees):
    """The structure of ((arguments), {}) given that of each argument."""
    return treedef_tuple((treedef_tuple(trees), NO_KEYWORDS))


def leaf_names(fun, tree, position: int) -> Callable:
    """A thunk of the names of the leaves of one argument of `fun`, such as `carry['a'][0]`."""
    return argument_names(fun, call_tree(tree), lambda _: position)


def argument_name(fun, position: int) -> str:
    """The name of one argument of `fun`."""
    return leaf_names(fun, LEAF, position)()[0]


def check_callable(text: str, *funs) -> None:
    for f in funs:
        if not callable(f):
            raise TypeError(message(text, why=f"Got {describe(f)}.", fix="a function or a lambda"))


def concrete(x):
    """The array or scalar behind `x`, or None if only its type is known."""
    return x.concrete() if isinstance(x, Tracer) else x
