# Written by stubs/generate.py; do not edit.
from adjoint.core import Trace
from adjoint.core import Tracer
from adjoint.extend.core import Primitive
from adjoint.extend.linear_util import WrappedFun
from collections.abc import Callable
from typing import Any
class JVPTrace(Trace):
    """Carries tangents forward.

    Args:
      parent: the trace below.

    >>> from adjoint.interpreters import ad
    >>> _ = jvp(lambda x: print(isinstance(x._trace, ad.JVPTrace)) or x, (1.,), (1.,))
    True
    """
    def __init__(self, parent: Any) -> None: ...
    pair: Any
    """A primal and its tangent, both values of the trace below.

    Made by `jvp` and `grad`, which call functions with them.

    >>> _ = jvp(lambda x: print(x) or x, (1.,), (2.,))
    JVPTracer(primal=1.0, tangent=2.0)
    """
    def tracer(self, primal: Any, tangent: Any) -> Any:
        """Return the pair as a tracer; just the primal where the tangent is zero."""
    def describe(self, primal: Any, tangent: Any) -> str:
        """Return how a tracer is printed."""
    def split(self, x: Any) -> Any:
        """Return the primal and tangent of any value under this trace."""
    def process(self, p: Any, args: Any, params: Any) -> Any: ...
    def derive(self, p: Any, primals: Any, tangents: Any, params: Any) -> Any:
        """Return results and their tangents, by the rule of `p`."""
    rule_trace: Any
class JVPTracer(Tracer):
    """A primal and its tangent, both values of the trace below.

    Made by `jvp` and `grad`, which call functions with them.

    >>> _ = jvp(lambda x: print(x) or x, (1.,), (2.,))
    JVPTracer(primal=1.0, tangent=2.0)
    """
    def concrete(self) -> Any: ...
    def describe(self) -> str: ...
    def origin(self) -> str: ...
    primal: Any
    tangent: Any
class UndefinedPrimal:
    """Stands for an operand that a transposed program is linear in: only its type is known.

    Args:
      aval: the type.

    >>> UndefinedPrimal(typeof(jnp.ones(2)))
    UndefinedPrimal(float32[2])
    """
    def __init__(self, aval: Any) -> None: ...
    aval: Any
from adjoint.experimental.hijax import Zero as Zero
def add_jaxvals(x: Any, y: Any) -> Any:
    """Return the sum of two values of one type.

    Args:
      x: an array.
      y: an array of the same type.
    Returns:
      An array.

    >>> add_jaxvals(jnp.ones(2), jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
from adjoint.lax import add_any_p as _add_jaxvals_p
add_jaxvals_p = _add_jaxvals_p
def add_tangents(x: Any, y: Any) -> Any:
    """Return the sum of two tangents, either of which may be `Zero`.

    Args:
      x: a tangent.
      y: another one, of the same type.
    Returns:
      A tangent.

    >>> add_tangents(jnp.ones(2), Zero(ad.typeof(jnp.ones(2))))
    Array([1., 1.], dtype=float32)
    """
def defbilinear(prim: Primitive, lhs_rule: Callable[..., Any], rhs_rule: Callable[..., Any]) -> None:
    """Return a primitive that is linear in each of two operands.

    Args:
      prim: the primitive.
      lhs_rule, rhs_rule: `rule(ct, x, y, **params)`, the cotangent of the operand that is undefined.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import ad
    >>> product_p = Primitive("product")
    >>> _ = product_p.def_impl(lambda x, y: x * y)
    >>> _ = product_p.def_abstract_eval(lambda x, y: x)
    >>> ad.defbilinear(product_p, lambda ct, x, y: ct * y, lambda ct, x, y: ct * x)
    >>> grad(product_p.bind, (0, 1))(2., 5.)
    (Array(5., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
def defjvp(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """Set one rule for each operand: `rule(tangent, *primals, **params) -> tangent out`, or None for zero.

    Args:
      primitive: the primitive.
      jvprules: a rule or None for each operand.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import ad
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> ad.defjvp(cube_p, lambda t, x: 3 * x ** 2 * t)
    >>> grad(cube_p.bind)(2.)
    Array(12., dtype=float32, weak_type=True)
    """
def defjvp2(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """Return the same, where a rule gets the result too: `rule(tangent, out, *primals, **params)`.

    Args:
      primitive: the primitive.
      jvprules: a rule or None for each operand.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import ad
    >>> exp_p = Primitive("my_exp")
    >>> _ = exp_p.def_impl(jnp.exp)
    >>> _ = exp_p.def_abstract_eval(lambda x: x)
    >>> ad.defjvp2(exp_p, lambda t, out, x: out * t)
    >>> grad(exp_p.bind)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
def deflinear(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """Make a primitive linear.

    Args:
      primitive: the primitive.
      transpose_rule: ``transpose_rule(ct, **params)`` gives the cotangents of its operands.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import ad
    >>> triple_p = Primitive("triple")
    >>> _ = triple_p.def_impl(lambda x: 3 * x)
    >>> _ = triple_p.def_abstract_eval(lambda x: x)
    >>> ad.deflinear(triple_p, lambda ct: [3 * ct])
    >>> grad(triple_p.bind)(2.)
    Array(3., dtype=float32, weak_type=True)
    """
def deflinear2(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """Make a primitive linear, with a transpose rule that gets its operands.

    Args:
      primitive: the primitive.
      transpose_rule: ``transpose_rule(ct, *args, **params)`` gives the cotangents of its operands.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import ad
    >>> triple_p = Primitive("triple")
    >>> _ = triple_p.def_impl(lambda x: 3 * x)
    >>> _ = triple_p.def_abstract_eval(lambda x: x)
    >>> ad.deflinear2(triple_p, lambda ct, x: [3 * ct])
    >>> grad(triple_p.bind)(2.)
    Array(3., dtype=float32, weak_type=True)
    """
def get_primitive_transpose(p: Primitive) -> Callable[..., Any]:
    """Return the transpose rule of a primitive.

    Args:
      p: a primitive that is linear.
    Returns:
      A function of the cotangent, the operands and the parameters.
    Raises:
      NotImplementedError: it has none.

    >>> callable(get_primitive_transpose(lax.neg_p))
    True
    """
def instantiate_zeros(tangent: Any) -> Any:
    """Return a tangent as a value: zeros are made real.

    Args:
      tangent: a value, or a `Zero`.
    Returns:
      The value, or an array of zeros.

    >>> instantiate(Zero(typeof(jnp.ones(2))))
    Array([0., 0.], dtype=float32)
    """
from adjoint.experimental.hijax import is_undefined_primal as is_undefined_primal
def jvp(fun: WrappedFun, has_aux: bool = False, instantiate: bool = True, transform_stack: bool = True) -> Any:
    """Return a wrapped function of flat lists as one of (primals, tangents); see `extend.linear_util`.

    Args:
      fun: a `WrappedFun` that returns a list.
      has_aux: refused.
      instantiate: whether tangents that are zero are arrays.
      transform_stack: accepted for compatibility.
    Returns:
      A `WrappedFun` of a list of primals and one of tangents, whose result is a pair of such lists.
    Raises:
      TypeError: there is an auxiliary output.

    >>> from adjoint.extend import linear_util as lu
    >>> jvp(lu.wrap_init(lambda x: [x * x])).call_wrapped([3.0], [1.0])
    ([Array(9., dtype=float32, weak_type=True)], [Array(6., dtype=float32, weak_type=True)])
    """
primitive_jvps: Any
primitive_transposes: Any
def zeros_like_aval(aval: Any) -> Any:
    """Return an array of zeros of a type.

    Args:
      aval: the type, such as a `ShapedArray`.
    Returns:
      An array, or a number for a scalar of a weak type.

    >>> zeros_like_aval(typeof(2.))
    0.0
    """
