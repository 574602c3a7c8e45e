"""Functions that users give to loops, branches and `checkpoint`, as programs.

A function is traced once for each structure and type of its arguments and remembered as long as it lives,
so a loop that is run again with the same function costs no tracing. What it closes over, arrays and
tracers, becomes leading operands of the program. As in JAX, the function's identity stands for its
closure; only a body that closed over a tracer that is over by now is traced again.

Tests: `tests/control_flow/test_caching.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np

from ..array.array import as_array
from ..core.jaxpr import ClosedJaxpr
from ..core.options.config import local
from ..core.trace import Tracer, stage, state
from ..core.types import ShapedArray
from ..core.values.refs import Ref
from .flat import FlatFun, debug_info
from .jit.entries import function_cache
from .programs import hoist

__all__ = ["Body", "body_of", "remembered"]

_MAX_TRACED_PER_FUNCTION = 256  # loops or bodies of one function
_BESIDE = "beside"  # what leads to the loops that are of another function too


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
    """Return whether one of the values is a tracer of a transformation that is over, or a reference given up."""
    return any(c.is_given_up if type(c) is Ref else isinstance(c, Tracer) and not c._trace.active for c in captured)


def remembered(fun, purpose, key: tuple, make: Callable, beside: Callable | None = None):
    """Return `make()`, which has an attribute `captured`, kept with `fun` for as long as it holds.

    With `beside` it is one of that function too, and goes with the first of the two.
    """
    cache = function_cache(fun, purpose)
    if beside is not None:
        cache = _cache_beside(cache, beside)
    key = (*key, local.trace_context, state.axis_env)
    traced = cache.get(key)
    if traced is None or (traced.captured and is_stale(traced.captured)):
        traced = make()
        if len(cache) >= _MAX_TRACED_PER_FUNCTION:
            cache.clear()
        cache[key] = traced
    return traced


def _cache_beside(cache: dict, fun: Callable) -> dict:
    by_function = cache.get(_BESIDE)
    if by_function is None:
        by_function = cache[_BESIDE] = WeakKeyDictionary()
    try:
        return by_function.setdefault(fun, {})
    except TypeError:  # not hashable, or cannot be referred to weakly
        return {}


def body_of(fun, purpose: str, in_tree, avals: tuple, wrap: Callable | None = None) -> Body:
    """Return the program of `fun` at arguments of this structure and these types.

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

    return remembered(fun, ("body", purpose, wrap), (in_tree, avals), trace)
