"""Transposition: run a linear program backwards.

Each equation, last first, hands the cotangents of its results to its linear operands by the primitive's
`transpose` rule. Zeros stay symbolic: what nothing depends on is never visited.

Tests: `tests/transforms/test_composition.py`.
"""

from __future__ import annotations

from ..core.jaxpr import Jaxpr, Literal
from ..core.messages.errors import message
from ..core.messages.places import BACKWARDS, Transform
from ..core.passes import divided
from ..core.primitive import UndefinedPrimal
from ..core.state import reversed_frame
from ..core.trace import state
from ..core.types import Array, aval_of
from ..core.values.zeros import Zero
from ..prims.conversion import convert_element_type
from ..prims.family import add_any
from ..prims.shape import reshape
from ..sharding.explicit import ExplicitSharding, of_cotangent
from ..sharding.mesh import PartitionSpec

__all__ = ["backward_pass"]


def _sum(x, y):
    """Return the sum of cotangents; JAX parity: that of a weak and a strong one is strong where it is computed now."""
    total = add_any(x, y)
    if not state.trace.stages and aval_of(total).weak_type and not aval_of(y).weak_type:
        return convert_element_type(total, new_dtype=aval_of(total).dtype, weak_type=False, sharding=None)
    return total


def backward_pass(jaxpr: Jaxpr, consts, args, cotangents, is_named: bool = True) -> list:
    """Return cotangents of the operands of a program, one for each of `args`.

    If it `is_named`, the scopes of what it writes say that this is a transpose; the equation of a program says it for
    what is inside.

    Operands in `args` that are `UndefinedPrimal` are the ones that the program is linear in; the others
    are known, get no cotangent (None), and equations that depend on known values alone are evaluated.
    """
    env: dict = dict(zip(jaxpr.constvars, consts, strict=True))
    linear = set()
    for v, x in zip(jaxpr.invars, args, strict=True):
        if type(x) is UndefinedPrimal:
            linear.add(v)
        else:
            env[v] = x

    before = state.source, state.scopes, state.is_again
    state.is_again = True
    try:
        cts = _cotangents_of_variables(jaxpr, cotangents, linear, env, is_named)
    finally:
        state.source, state.scopes, state.is_again = before
    return [
        cts.get(v, Zero(v.aval.to_tangent_aval())) if type(x) is UndefinedPrimal else None
        for v, x in zip(jaxpr.invars, args)
    ]


def _cotangents_of_variables(jaxpr: Jaxpr, cotangents, linear: set, env: dict, is_named: bool) -> dict:
    """Return the cotangents of linear variables; `env` has the known ones, and gets those that depend on them alone."""
    linear_eqns = []
    for eqn in jaxpr.eqns:
        known, rest = divided(eqn, linear)
        if rest is not None:
            linear.update(rest.outvars)
            linear_eqns.append(rest)
        if known is not None:
            operands = [v.operand if type(v) is Literal else env[v] for v in known.invars]
            state.source = known._source
            out = known.primitive.bind(*operands, **known.params)
            outs = out if known.primitive.multiple_results else [out]
            env.update(zip(known.outvars, outs))

    reached = None  # by cotangents, of which rules may have said that they are zero
    if any([eqn.primitive.transposes_zeros for eqn in linear_eqns]):
        reached = {v for v, ct in zip(jaxpr.outvars, cotangents) if ct is not None and type(ct) is not Zero}
    cts: dict = {}
    arguments = {*jaxpr.invars}

    def accumulate(v, ct):
        if ct is None or type(ct) is Zero or v not in linear:
            return
        if isinstance(ct, Array) and ct.aval.explicit_sharding is not of_cotangent(v.aval):
            ct = _divided_like(ct, v.aval, v in arguments)
        cts[v] = _sum(cts[v], ct) if v in cts else ct

    for v, ct in zip(jaxpr.outvars, cotangents, strict=True):
        accumulate(v, ct)
    _run_backwards(reversed(linear_eqns), linear, env, cts, accumulate, reached, is_named)
    return cts


def _divided_like(ct, aval, is_argument: bool):
    """Return a cotangent, divided over devices as the value is whose cotangent it is, if that is over a mesh."""
    division, own = of_cotangent(aval), ct.aval.explicit_sharding
    if not any([s is not None and s.is_divided for s in (division, own)]):  # one of them may know no mesh
        return ct
    if division is None:
        if is_argument:  # that nobody placed
            return ct
        division = ExplicitSharding(own.mesh, PartitionSpec(*[None] * aval.ndim))
    if aval.ndim == 0 and not division.spec.unreduced and not (own and own.spec.unreduced):
        return ct
    return reshape(ct, new_sizes=ct.shape, dimensions=None, sharding=division)


def _run_backwards(eqns, linear, env, cts, accumulate, reached: set | None, is_named: bool) -> None:
    """Hand the cotangents `cts` from equation to equation, under the place of each in the user's program."""
    backwards = (*state.scopes, Transform(BACKWARDS, is_named))
    for eqn in eqns:
        p = eqn.primitive
        ct_out = [cts.pop(v, None) for v in eqn.outvars]
        is_reached = reached is not None and not reached.isdisjoint(eqn.outvars)
        if is_reached:
            reached.update(eqn.invars)
        if not any([ct is not None for ct in ct_out]) and not (is_reached and p.transposes_zeros):
            continue
        source = eqn._source
        state.source, state.scopes = source, backwards
        if source is not None and len(source) > 2:
            state.source = source[:2]
            state.scopes = (*backwards, *source[2])
        if p.transpose_rule is None:
            raise NotImplementedError(
                message(
                    f"Transpose rule (for reverse-mode differentiation) for '{p}' not implemented",
                    where=reversed_frame() or True,
                    why="Only what is linear in its argument can be transposed.",
                    fix="jax.linearize(f, x)[1], the linear part of a function, for jax.linear_transpose",
                )
            )
        operands = [
            UndefinedPrimal(v.aval) if v in linear else v.operand if type(v) is Literal else env[v]
            for v in eqn.invars
        ]
        if p.multiple_results:
            given = [
                Zero(v.aval.to_tangent_aval()) if ct is None else ct for v, ct in zip(eqn.outvars, ct_out)
            ]
        else:
            given = ct_out[0]
        for v, ct in zip(eqn.invars, p.transpose_rule(given, *operands, **eqn.params), strict=True):
            accumulate(v, ct)
