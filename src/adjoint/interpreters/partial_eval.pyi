# Written by stubs/generate.py; do not edit.
from adjoint.core import Tracer
from adjoint.extend.core import Jaxpr
from adjoint.extend.core import JaxprEqn
from adjoint.extend.linear_util import WrappedFun
from collections.abc import Sequence
from typing import Any
class DynamicJaxprTracer(Tracer):
    """A variable of a jaxpr under construction.

    Made by `jit` and `make_jaxpr`, which call functions with them.

    >>> jit(lambda x: print(x))(1.)
    JitTracer(~float32[])
    """
    def concrete(self) -> Any: ...
    @property
    def is_argument(self) -> bool:
        """Return whether the program is given this value, and does not compute it."""
    def origin(self) -> str: ...
    def describe(self) -> str: ...
    source: Any
from adjoint.interpreters.partial_eval import DynamicJaxprTracer as _JaxprTracer
JaxprTracer = _JaxprTracer
class PartialVal(tuple[Any, ...]):
    """A value that is known, (None, value), or of which only the type is, (aval, None).

    Args:
      xs: the pair.

    >>> PartialVal.known(2.)
    (None, 2.0)
    """
    def __init__(self, xs: Any) -> None: ...
    @classmethod
    def known(cls, const: Any) -> PartialVal: ...
    @classmethod
    def unknown(cls, aval: Any) -> PartialVal: ...
    def is_known(self) -> bool: ...
    def get_known(self) -> Any:
        """The value, or None."""
    def get_aval(self) -> Any:
        """The type."""
custom_partial_eval_rules: dict[Any, Any]
def dce_jaxpr(jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False) -> tuple[Jaxpr, list[bool]]:
    """Drop what `used_outputs` do not need, inside of loops, branches and calls too.

    Args:
      jaxpr: a program.
      used_outputs: one bool for each result.
      instantiate: whether inputs stay that nothing reads; a bool, or one for each input.
    Returns:
      (the smaller jaxpr, which inputs it still has)

    >>> from adjoint.interpreters import partial_eval
    >>> jaxpr = make_jaxpr(lambda x, y: (jnp.sin(x), jnp.cos(y)))(1., 2.).jaxpr
    >>> partial_eval.dce_jaxpr(jaxpr, [True, False])
    ({ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }, [True, False])
    """
def dce_jaxpr_call_rule(used_outputs: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    """Return a rule for `dce_rules`: (which operands are needed, the smaller equation or None) of a call.

    The parameter `call_jaxpr` is the program.

    Args:
      used_outputs: for each result, whether it is needed.
      eqn: the equation of the call.
    Returns:
      (for each operand, whether it is needed; the smaller equation, or None)

    >>> from adjoint.extend import core
    >>> from adjoint.extend.core import primitives
    >>> from adjoint.interpreters import partial_eval as pe
    >>> inner = make_jaxpr(lambda x, y: (x + 1, y + 1))(1., 2.).jaxpr
    >>> eqn = core.new_jaxpr_eqn(inner.invars, inner.outvars, primitives.call_p, {"call_jaxpr": inner}, core.no_effects)
    >>> pe.dce_jaxpr_call_rule([False, True], eqn)[0]
    [False, True]
    """
def dce_jaxpr_closed_call_rule(used_outputs: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    """Return the same for a program with its constants.

    Args:
      used_outputs: for each result, whether it is needed.
      eqn: the equation of the call.
    Returns:
      (for each operand, whether it is needed; the smaller equation, or None)

    >>> from adjoint.extend import core
    >>> from adjoint.extend.core import primitives
    >>> from adjoint.interpreters import partial_eval as pe
    >>> inner = make_jaxpr(lambda x, y: (x + 1, y + 1))(1., 2.)
    >>> eqn = core.new_jaxpr_eqn(
    ...     inner.jaxpr.invars, inner.jaxpr.outvars, primitives.closed_call_p, {"call_jaxpr": inner}, core.no_effects)
    >>> pe.dce_jaxpr_closed_call_rule([False, True], eqn)[0]
    [False, True]
    """
def dce_jaxpr_consts(jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False) -> tuple[Jaxpr, list[bool], list[bool]]:
    """Return `dce_jaxpr` that drops constvars as well: (jaxpr, which constvars, which invars it still has).

    Args:
      jaxpr: a program.
      used_outputs: one bool for each result.
      instantiate: whether inputs stay that nothing reads; a bool, or one for each input.

    >>> from adjoint.interpreters import partial_eval
    >>> jaxpr = make_jaxpr(lambda x, y: (jnp.sin(x), jnp.cos(y)))(1., 2.).jaxpr
    >>> partial_eval.dce_jaxpr_consts(jaxpr, [True, False])[1:]
    ([], [True, False])
    """
dce_rules: dict[Any, Any]
partial_eval_jaxpr_custom_rules: dict[Any, Any]
def trace_to_jaxpr_dynamic(fun: WrappedFun, in_avals: Sequence[Any], *, keep_inputs: list[bool] | None = None, lower: bool = False, auto_dce: bool = False) -> tuple[Jaxpr, list[Any], list[Any]]:
    """Trace a wrapped function of flat lists: (jaxpr, types of the results, values of its constvars).

    Args:
      fun: a `WrappedFun` that returns a list.
      in_avals: the types of its arguments.
      keep_inputs: one bool for each argument, whether it is an input of the program; default all.
      lower: accepted for compatibility.
      auto_dce: drop what no result needs.
    Returns:
      (the program, the types of its results, the values of its `constvars`)

    >>> from adjoint.extend import linear_util as lu
    >>> from adjoint.interpreters import partial_eval
    >>> partial_eval.trace_to_jaxpr_dynamic(lu.wrap_init(lambda x: [jnp.sin(x)]), [typeof(1.)])[0]
    { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
    """
def trace_to_jaxpr_nounits(fun: WrappedFun, pvals: Sequence[PartialVal], instantiate: bool | Sequence[bool] = False) -> tuple[Jaxpr, list[PartialVal], list[Any]]:
    """Run a wrapped function as far as its arguments are known and trace the rest.

    Args:
      fun: a `WrappedFun` that returns a list.
      pvals: a `PartialVal` for each argument, known or unknown.
      instantiate: which results are to be in the program although they are known; a bool, or one for each.
    Returns:
      (jaxpr of the unknown arguments, a `PartialVal` for each result, values of the jaxpr's constvars).
      The jaxpr has the unknown results, and all that `instantiate` names.

    >>> from adjoint.extend import linear_util as lu
    >>> from adjoint.interpreters.partial_eval import PartialVal, trace_to_jaxpr_nounits
    >>> values = [PartialVal.known(1.), PartialVal.unknown(typeof(1.))]
    >>> trace_to_jaxpr_nounits(lu.wrap_init(lambda x, y: [x + y]), values)[0]
    { lambda ; a:f32[]. let b:f32[] = add 1.0:f32[] a in (b,) }
    """
