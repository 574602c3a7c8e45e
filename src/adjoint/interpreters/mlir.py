"""Lowerings, as libraries register them.

    mlir.register_lowering(p, mlir.lower_fun(f, multiple_results=False))

A lowering made by `lower_fun` writes the primitive as the operations that `f` performs; every engine runs
it. A lowering that builds MLIR objects is kept, and used by none: compiled programs then call the
primitive's implementation on arrays.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.primitive import Primitive
from ..core.process.records import NamedTuple
from ..core.types import AbstractValue

__all__ = ["LoweringRule", "LoweringRuleContext", "lower_fun", "register_lowering"]

LoweringRule = Callable

_lowerings: dict[Primitive, Callable] = {}
_platform_specific_lowerings: defaultdict[str, dict[Primitive, Callable]] = defaultdict(dict)


class LoweringRuleContext(NamedTuple):
    """The first argument of a lowering: the equation that is written, and where.

    It describes what lowerings that build MLIR are written for; those are kept and not called here.

    Args:
      module_context: what is said of the whole program.
      name_stack, traceback: where the equation is in the user's program.
      primitive: its primitive.
      avals_in, avals_out: the types of its operands and results.
      tokens_in, tokens_out: the order of its effects.

    >>> from adjoint.interpreters import mlir
    >>> mlir.LoweringRuleContext(None, None, None, lax.sin_p, [typeof(1.)], [typeof(1.)]).primitive
    sin
    """

    module_context: Any
    name_stack: Any
    traceback: Any
    primitive: Primitive | None
    avals_in: Sequence[AbstractValue]
    avals_out: Any
    tokens_in: Any = None
    tokens_out: Any = None


class FunctionLowering:
    """A lowering that is a function of arrays."""

    __slots__ = ("fun", "multiple_results")

    def __init__(self, fun: Callable, multiple_results: bool):
        self.fun = fun
        self.multiple_results = multiple_results

    def __call__(self, ctx, *operands, **params):
        raise TypeError(
            "A lowering made by lower_fun has no MLIR values to work on here: register it with "
            "register_lowering, or call the function itself on arrays."
        )


def lower_fun(fun: Callable, multiple_results: bool = True) -> Callable:
    """Return a lowering that writes the operations that `fun(*arrays, **params)` performs.

    Args:
      fun: a function of arrays, and of the primitive's parameters by name.
      multiple_results: whether it returns a list of results, or one.
    Returns:
      A lowering, for `register_lowering`.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import mlir
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> _ = mlir.register_lowering(cube_p, mlir.lower_fun(lambda x: x ** 3, multiple_results=False))
    >>> jit(cube_p.bind)(2.)
    Array(8., dtype=float32, weak_type=True)
    """
    return FunctionLowering(fun, multiple_results)


def register_lowering(
    prim: Primitive, rule: Callable, platform: str | None = None, inline: bool = True, cacheable: bool = True
) -> Callable:
    """Set how a primitive is written in compiled programs, on one platform or on all.

    Args:
      prim: the primitive.
      rule: made by `lower_fun`; others are kept for engines that can use them.
      platform: "cpu", "cuda", "rocm", "tpu" or None for all.
      inline, cacheable: accepted for compatibility.
    Returns:
      `rule`.

    >>> from adjoint.interpreters import mlir
    >>> cube_p = extend.core.Primitive("cube")
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> _ = mlir.register_lowering(cube_p, mlir.lower_fun(lambda x: x ** 3, multiple_results=False))
    >>> jit(cube_p.bind)(2.)
    Array(8., dtype=float32, weak_type=True)
    """
    table = _lowerings if platform is None else _platform_specific_lowerings[platform]
    table[prim] = rule
    if platform == "cpu" or (platform is None and not _on_cpu(prim)):
        if isinstance(rule, FunctionLowering):
            prim.expand_rule = _expansion(prim, rule)
        elif hasattr(rule, "expansion"):  # made by `ffi_lowering`
            prim.expand_rule = rule.expansion(prim)
    return rule


def _on_cpu(prim) -> bool:
    return prim in _platform_specific_lowerings["cpu"]


def _expansion(prim, rule):
    def expand(*args, **params):
        out = rule.fun(*args, **params)
        if rule.multiple_results == prim.multiple_results:
            return out
        return [out] if prim.multiple_results else out[0]

    return expand

_explain_missing(globals())
