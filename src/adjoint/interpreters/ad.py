"""Rules of differentiation, as libraries register them.

    ad.primitive_jvps[p] = rule         rule(primals, tangents, **params) -> out, tangent out
    ad.primitive_transposes[p] = rule   rule(ct, *args, **params) -> a cotangent, None or Zero for each arg

Tangents that are zero are `Zero` objects; an operand that a transposed operation is linear in is an
`UndefinedPrimal`. The functions `def...` make such rules of simpler ones.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.primitive import Primitive, UndefinedPrimal, is_undefined_primal
from ..core.values.zeros import Zero
from ..extend.linear_util import WrappedFun, transformation2
from ..prims.family import add_any
from ..prims.shape import full
from ..transforms.jvp import JVPTrace, JVPTracer, apply_rule, jvp_flat
from ..transforms.jvp import instantiate as instantiate_zeros
from .tables import RuleTable, typed

__all__ = [
    "JVPTrace", "JVPTracer", "UndefinedPrimal", "Zero", "add_jaxvals", "add_jaxvals_p", "add_tangents",
    "defbilinear", "defjvp", "defjvp2", "deflinear", "deflinear2", "get_primitive_transpose",
    "instantiate_zeros", "is_undefined_primal", "jvp", "primitive_jvps", "primitive_transposes",
    "zeros_like_aval",
]


def _jvp_of(p: Primitive) -> Callable | None:
    if p.jvp_rule is None and p.linear:
        return lambda primals, tangents, **params: apply_rule(p, primals, tangents, params)
    return p.jvp_rule


primitive_jvps = RuleTable(
    "jvp_rule", lambda p, rule: lambda primals, tangents, **params: rule(typed(primals), typed(tangents), **params),
    to_theirs=_jvp_of, replaces=("linearize_rule",),
)
primitive_transposes = RuleTable(
    "transpose_rule", lambda p, rule: lambda ct, *operands, **params: rule(ct, *typed(operands), **params))

add_jaxvals_p = add_any


def add_jaxvals(x, y):
    """Return the sum of two values of one type.

    Args:
      x: an array.
      y: an array of the same type.
    Returns:
      An array.

    >>> add_jaxvals(jnp.ones(2), jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
    return add_any(x, y)


def add_tangents(x, y):
    """Return the sum of two tangents, either of which may be `Zero`.

    Args:
      x: a tangent.
      y: another one, of the same type.
    Returns:
      A tangent.

    >>> add_tangents(jnp.ones(2), Zero(ad.typeof(jnp.ones(2))))
    Array([1., 1.], dtype=float32)
    """
    if type(x) is Zero:
        return y
    return x if type(y) is Zero else add_any(x, y)


def zeros_like_aval(aval):
    """Return an array of zeros of a type.

    Args:
      aval: the type, such as a `ShapedArray`.
    Returns:
      An array, or a number for a scalar of a weak type.

    >>> zeros_like_aval(typeof(2.))
    0.0
    """
    return full(aval.shape, 0, aval.dtype, aval.weak_type)


def get_primitive_transpose(p: Primitive) -> Callable:
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
    if p.transpose_rule is None:
        raise NotImplementedError(
            f"Transpose rule (for reverse-mode differentiation) for '{p}' not implemented"
        )
    return primitive_transposes[p]


# ---- rules made of simpler ones ------------------------------------------------------------------


def defjvp(primitive: Primitive, *jvprules: Callable | None) -> None:
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
    assert not primitive.multiple_results
    ignoring_out = [r and (lambda t, out, *primals, r=r, **params: r(t, *primals, **params)) for r in jvprules]
    defjvp2(primitive, *ignoring_out)


def defjvp2(primitive: Primitive, *jvprules: Callable | None) -> None:
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
    assert not primitive.multiple_results

    def rule(primals, tangents, **params):
        out = primitive.bind(*primals, **params)
        total = Zero.from_primal_value(out)
        for one, t in zip(jvprules, tangents, strict=True):
            if one is not None and type(t) is not Zero:
                total = add_tangents(total, one(t, out, *primals, **params))
        return out, total

    primitive_jvps[primitive] = rule


def deflinear(primitive: Primitive, transpose_rule: Callable) -> None:
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
    deflinear2(primitive, lambda ct, *_, **params: transpose_rule(ct, **params))


def deflinear2(primitive: Primitive, transpose_rule: Callable) -> None:
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
    primitive_jvps[primitive] = partial(_linear_jvp, primitive)
    primitive_transposes[primitive] = transpose_rule


def _linear_jvp(primitive, primals, tangents, **params):
    out = primitive.bind(*primals, **params)
    if all([type(t) is Zero for t in tangents]):
        if primitive.multiple_results:
            return out, [Zero.from_primal_value(x) for x in out]
        return out, Zero.from_primal_value(out)
    return out, primitive.bind(*[instantiate_zeros(t) for t in tangents], **params)


def defbilinear(prim: Primitive, lhs_rule: Callable, rhs_rule: Callable) -> None:
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
    defjvp(
        prim,
        lambda t, x, y, **params: prim.bind(t, y, **params),
        lambda t, x, y, **params: prim.bind(x, t, **params),
    )

    def transpose(ct, x, y, **params):
        if is_undefined_primal(x):
            return (Zero(x.aval) if type(ct) is Zero else lhs_rule(ct, x, y, **params)), None
        return None, Zero(y.aval) if type(ct) is Zero else rhs_rule(ct, x, y, **params)

    primitive_transposes[prim] = transpose


def jvp(fun: WrappedFun, has_aux: bool = False, instantiate: bool = True, transform_stack: bool = True):
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
    if has_aux:
        raise TypeError("ad.jvp of a wrapped function has no auxiliary output here. Try: jax.jvp")

    def run(f, primals, tangents):
        outs, ts = jvp_flat(f, primals, tangents)
        return outs, [instantiate_zeros(t) for t in ts] if instantiate else ts

    return transformation2(run, fun)

_explain_missing(globals())
