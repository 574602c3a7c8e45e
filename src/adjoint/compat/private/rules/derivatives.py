"""Derivatives and transposes of jaxprs: names of `jax._src.interpreters.ad` and `jax._src.ad_util`.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core.jaxpr import ClosedJaxpr, Jaxpr
from ....core.primitive import Primitive, UndefinedPrimal
from ....core.trace import eval_jaxpr, stage_closed
from ....core.types import AbstractValue, Array, ShapedArray, aval_of
from ....core.values.refs import AbstractRef, Ref
from ....core.values.zeros import Zero
from ....interpreters.ad import add_jaxvals, add_tangents, primitive_jvps, zeros_like_aval
from ....prims.references import new_ref
from ....transforms import transpose
from ....transforms.jvp import instantiate as made_real
from ....transforms.programs import jvp_program, linearize_program, transpose_program

__all__ = [
    "CustomVJPException", "add_abstract", "add_impl", "aval_zeros_likers", "backward_pass", "bilinear_transpose",
    "closed_backward_pass", "defjvp_zero", "jvp_jaxpr", "linear_jvp", "linear_transpose2", "linearize_jaxpr",
    "raise_custom_vjp_error_on_jvp", "rearrange_binders", "standard_jvp", "standard_jvp2", "transpose_jaxpr",
    "zero_jvp", "zeros_like_abstract_ref",
]


def _key(flags: bool | Sequence[bool]) -> bool | tuple[bool, ...]:
    return flags if isinstance(flags, bool) else tuple(flags)


def jvp_jaxpr(
    jaxpr: ClosedJaxpr, nonzeros: Sequence[bool], instantiate: bool | Sequence[bool]
) -> tuple[ClosedJaxpr, list[bool]]:
    """Return the program of operands and nonzero tangents, and which results have tangents."""
    program, nonzero = jvp_program(jaxpr, tuple(nonzeros), _key(instantiate))
    return program, list(nonzero)


def linearize_jaxpr(
    jaxpr: ClosedJaxpr, nonzeros: Sequence[bool], instantiate: bool | Sequence[bool] = False,
    allow_fwds: bool | Sequence[bool] = True, *, is_vjp: bool,
) -> tuple[ClosedJaxpr, int, list[bool], list[int | None], ClosedJaxpr]:
    """Split a program into its own part and its derivative.

    Returns:
      (program that gives residuals last, how many, which results have tangents, for each residual of the derivative
      the operand that it is or None, the derivative as a program of residuals and tangents)
    """
    split = linearize_program(jaxpr, tuple(nonzeros), _key(instantiate))
    n = len(jaxpr.in_avals)
    flags = [allow_fwds] * n if isinstance(allow_fwds, bool) else list(allow_fwds)
    forwarded = [i if i < n and flags[i] else None for i in split.sources]

    def run(*args):
        results = eval_jaxpr(split.primal.jaxpr, split.primal.consts, *args)
        found = [*args, *results]
        left = [found[i] for i, operand in zip(split.sources, forwarded) if operand is None]
        return [*results[: len(jaxpr.out_avals)], *left]

    primal = stage_closed(run, jaxpr.in_avals, jaxpr.debug_info)
    return primal, forwarded.count(None), list(split.nonzero_out), forwarded, split.linear


def transpose_jaxpr(
    jaxpr: ClosedJaxpr, in_linear: bool | Sequence[bool], out_zeros: bool | Sequence[bool]
) -> tuple[ClosedJaxpr, list[bool]]:
    """Return the program of known operands and cotangents, and which linear operands have zeros."""
    linear = [in_linear] * len(jaxpr.in_avals) if isinstance(in_linear, bool) else in_linear
    zeros = [out_zeros] * len(jaxpr.out_avals) if isinstance(out_zeros, bool) else out_zeros
    program, nonzero = transpose_program(jaxpr, tuple(linear), tuple([not z for z in zeros]))
    return program, [not nz for nz in nonzero]


def backward_pass(
    jaxpr: Jaxpr, transform_stack: bool, consts: Sequence, primals_in: Sequence, cts_in: Sequence
) -> list:
    """Return a cotangent for each operand: of `UndefinedPrimal`s what they get, of others `Zero`."""
    found = transpose.backward_pass(jaxpr, consts, primals_in, cts_in, transform_stack)
    return [ct if isinstance(x, UndefinedPrimal) and ct is not None else Zero(_cotangent_type(x))
            for x, ct in zip(primals_in, found)]


def _cotangent_type(x: Any) -> AbstractValue:
    aval = x.aval if isinstance(x, UndefinedPrimal) else aval_of(x)
    return aval.to_cotangent_aval()


def closed_backward_pass(
    jaxpr: ClosedJaxpr, transform_stack: bool, primals_in: Sequence, cotangents_in: Sequence
) -> list:
    """Return the same of a program with its constants."""
    return backward_pass(jaxpr.jaxpr, transform_stack, jaxpr.consts, primals_in, cotangents_in)


def rearrange_binders(
    jaxpr: ClosedJaxpr, primals_in: Sequence[int], tangents_in: Sequence[int], primals_out: Sequence[int],
    tangents_out: Sequence[int],
) -> ClosedJaxpr:
    """Return a program of groups of operands, then groups of tangents, with the tangents behind their own groups."""
    def woven(xs: Sequence, first: Sequence[int], second: Sequence[int]) -> list:
        groups, i = [], 0
        for n in (*first, *second):
            groups.append(xs[i: i + n])
            i += n
        half = len(first)
        return [x for a, b in zip(groups[:half], groups[half:]) for x in (*a, *b)]

    new = jaxpr.jaxpr.replace(invars=woven(jaxpr.jaxpr.invars, primals_in, tangents_in),
                              outvars=woven(jaxpr.jaxpr.outvars, primals_out, tangents_out))
    return ClosedJaxpr(new, jaxpr.consts)


# ---- rules made of simpler ones ------------------------------------------------------------------


def standard_jvp(jvprules: Sequence[Callable | None], primitive: Primitive, primals: Any, tangents: Any,
                 **params: Any) -> tuple[Any, Any]:
    """Return the result and its tangent: the sum of what one rule for each operand gives of its tangent."""
    ignoring = [r and (lambda t, out, *xs, r=r, **p: r(t, *xs, **p)) for r in jvprules]
    return standard_jvp2(ignoring, primitive, primals, tangents, **params)


def standard_jvp2(jvprules: Sequence[Callable | None], primitive: Primitive, primals: Any, tangents: Any,
                  **params: Any) -> tuple[Any, Any]:
    """Return the same of rules that see the result too."""
    out = primitive.bind(*primals, **params)
    total: Any = Zero.from_primal_value(out)
    for rule, t in zip(jvprules, tangents, strict=True):
        if rule is not None and type(t) is not Zero:
            total = add_tangents(total, rule(t, out, *primals, **params))
    return out, total


def linear_jvp(primitive: Primitive, primals: Any, tangents: Any, **params: Any) -> tuple[Any, Any]:
    """Return the result of a linear primitive and its tangent."""
    out = primitive.bind(*primals, **params)
    if all([type(t) is Zero for t in tangents]):
        zeros = [Zero.from_primal_value(x) for x in out] if primitive.multiple_results else Zero.from_primal_value(out)
        return out, zeros
    return out, primitive.bind(*[made_real(t) for t in tangents], **params)


def linear_transpose2(transpose_rule: Callable, cotangent: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a rule gives of a cotangent; zeros of a zero."""
    if type(cotangent) is Zero:
        return [Zero(_cotangent_type(x)) if isinstance(x, UndefinedPrimal) else None for x in args]
    return transpose_rule(cotangent, *args, **kwargs)


def bilinear_transpose(lhs_rule: Callable, rhs_rule: Callable, cotangent: Any, x: Any, y: Any, **kwargs: Any) -> tuple:
    """Return the cotangents of two operands, of which one is undefined."""
    is_left = isinstance(x, UndefinedPrimal)
    if is_left == isinstance(y, UndefinedPrimal):
        raise AssertionError("one of two operands must be undefined")
    rule, wanted = (lhs_rule, x) if is_left else (rhs_rule, y)
    ct = Zero(_cotangent_type(wanted)) if type(cotangent) is Zero else rule(cotangent, x, y, **kwargs)
    return (ct, None) if is_left else (None, ct)


def zero_jvp(primitive: Primitive, primals: Any, tangents: Any, **params: Any) -> tuple[Any, Any]:
    """Return the result, and a tangent that is zero."""
    out = primitive.bind(*primals, **params)
    return out, Zero.from_primal_value(out)


def defjvp_zero(primitive: Primitive) -> None:
    """Set a rule by which tangents are zero."""
    def rule(primals, tangents, **params):
        return zero_jvp(primitive, primals, tangents, **params)

    primitive_jvps[primitive] = rule


class CustomVJPException(Exception):
    """A function with a `custom_vjp` rule was differentiated forwards."""

    def __init__(self) -> None:
        super().__init__("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")


def raise_custom_vjp_error_on_jvp(*_: Any, **__: Any) -> Any:
    """Raise `CustomVJPException`."""
    raise CustomVJPException


# ---- sums and zeros ------------------------------------------------------------------------------


def add_impl(x: Any, y: Any) -> Array:
    """Return the sum of two values of one type."""
    return add_jaxvals(x, y)


def add_abstract(x: ShapedArray, y: ShapedArray) -> ShapedArray:
    """Return the type of a sum."""
    return x


def zeros_like_abstract_ref(aval: AbstractRef) -> Ref:
    """Return a new reference with zeros."""
    return new_ref(zeros_like_aval(aval.inner_aval))


aval_zeros_likers: dict[type, Callable] = {ShapedArray: zeros_like_aval, AbstractRef: zeros_like_abstract_ref}
