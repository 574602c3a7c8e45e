# Written by stubs/generate.py; do not edit.
from adjoint.core import AbstractValue
from adjoint.extend.core import Primitive
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
from typing import TypeAlias
LoweringRule: TypeAlias = Callable[..., Any]
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
    tokens_in: Any
    tokens_out: Any
def lower_fun(fun: Callable[..., Any], multiple_results: bool = True) -> Callable[..., Any]:
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
def register_lowering(prim: Primitive, rule: Callable[..., Any], platform: str | None = None, inline: bool = True, cacheable: bool = True) -> Callable[..., Any]:
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
