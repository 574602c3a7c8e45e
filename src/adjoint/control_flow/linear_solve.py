"""`custom_linear_solve`: the solution of a linear system by programs that the user gave.

The operands are what the programs close over and the right-hand side; `matvec` defines the system A x = b,
`solve` finds x. Derivatives follow from the definition alone and never look into `solve`:

    x_dot = A^-1 (b_dot - A_dot x)        b_bar = A^-T x_bar

`vecmat` and `transpose_solve` do the same for the transposed system and are None without a backward mode.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.jaxpr import effects_inside
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.process.records import NamedTuple
from ..core.trace import eval_jaxpr
from ..core.types import aval_of
from ..core.values.zeros import Zero
from ..engines.numpy import program
from ..prims.arithmetic import neg
from ..prims.family import add_any
from ..prims.shape import batch_to_front, materialise_batch
from ..transforms.calls import axes_of
from ..transforms.jvp import instantiate, jvp_flat
from ..transforms.programs import batch_program
from .carry import parts

__all__ = ["LinearSolve", "linear_solve"]


class LinearSolve(NamedTuple):
    """A value for each of the four programs: the program, or the number of its constants."""

    matvec: Any
    vecmat: Any
    solve: Any
    transpose_solve: Any

    def transposed(self) -> LinearSolve:
        return LinearSolve(self.vecmat, self.matvec, self.transpose_solve, self.solve)


# JAX parity: the name that jaxprs show, test_linear_solve_prints_as_in_jax
LinearSolve.__name__ = "_LinearSolveTuple"

linear_solve = Primitive("custom_linear_solve", multiple_results=True, program=True)


def _groups(values, const_lengths) -> tuple[LinearSolve, list]:
    """(the constants of each program, the right-hand side) of operands or of what goes with them."""
    *consts, b = parts(values, *const_lengths)
    return LinearSolve(*consts), b


@linear_solve.type
def _(*avals, const_lengths, jaxprs):
    n = len(avals) - sum(const_lengths)
    solved = jaxprs.solve.out_avals
    # The solution is of the type of the right-hand side, unless that is of integers, of which `solve` makes floats.
    solution = tuple([b if b.dtype == x.dtype else x for b, x in zip(avals[len(avals) - n :], solved)])
    return solution + tuple(solved[n:])


@linear_solve.evaluate
def _(*buffers, const_lengths, jaxprs):
    consts, b = _groups(buffers, const_lengths)
    return program(jaxprs.solve)(*consts.solve, *b)


@linear_solve.jvp
def _(primals, tangents, *, const_lengths, jaxprs):
    consts, b = _groups(primals, const_lengths)
    t_consts, t_b = _groups(tangents, const_lengths)
    out = linear_solve.bind(*primals, const_lengths=const_lengths, jaxprs=jaxprs)
    x = out[: len(b)]
    rhs = t_b
    if any(type(t) is not Zero for t in t_consts.matvec):
        matvec = jaxprs.matvec
        run = lambda *args: eval_jaxpr(matvec.jaxpr, matvec.consts, *args)
        still = [Zero(aval_of(v).to_tangent_aval()) for v in x]
        _, moved = jvp_flat(run, [*consts.matvec, *x], [*t_consts.matvec, *still])
        rhs = [_difference(t, m) for t, m in zip(t_b, moved)]
    zeros = [Zero(aval_of(v).to_tangent_aval()) for v in out]
    if all(type(t) is Zero for t in rhs):
        return out, zeros
    given = primals[: sum(const_lengths)]
    ts = linear_solve.bind(
        *given, *map(instantiate, rhs), const_lengths=const_lengths, jaxprs=jaxprs
    )
    return out, [*ts[: len(b)], *zeros[len(b) :]]


def _difference(t, other):
    """t - other, of tangents that may be Zero."""
    if type(other) is Zero:
        return t
    return neg(other) if type(t) is Zero else add_any(t, neg(other))


@linear_solve.transpose
def _(cts, *args, const_lengths, jaxprs):
    if jaxprs.transpose_solve is None:
        raise TypeError(
            "transpose_solve required for backwards mode automatic differentiation of "
            "custom_linear_solve"
        )
    consts, b = _groups(args, const_lengths)
    swapped = consts.transposed()
    outs = linear_solve.bind(
        *[c for group in swapped for c in group], *map(instantiate, cts[: len(b)]),
        const_lengths=const_lengths.transposed(), jaxprs=jaxprs.transposed(),
    )
    n = len(args) - len(b)
    return [None] * n + [
        ct if type(x) is UndefinedPrimal else None for ct, x in zip(outs, b)
    ]


@linear_solve.batch_axis
def _(axis, args, dims, params):
    const_lengths, jaxprs = params["const_lengths"], params["jaxprs"]
    consts, b = _groups(zip(args, dims), const_lengths)
    flags, num_b = _groups([d is not None for d in dims], const_lengths)[0], len(b)

    def batched(jaxpr, const_flags):
        if jaxpr is None:
            return None, ()
        want = (True,) * num_b + (False,) * (len(jaxpr.out_avals) - num_b)
        return batch_program(jaxpr, axis, (*const_flags, *(True,) * num_b), want)

    done = LinearSolve(*[batched(p, f) for p, f in zip(jaxprs, flags)])
    operands = [
        x if d is None else batch_to_front(x, d) for group in consts for x, d in group
    ]
    operands += [materialise_batch(x, d, axis.size) for x, d in b]
    outs = linear_solve.bind(
        *operands, const_lengths=const_lengths, jaxprs=LinearSolve(*[p for p, _ in done])
    )
    return outs, [0 if flag else None for flag in done.solve[1]]


linear_solve.effects(effects_inside)


@linear_solve.axes
def _(params):
    return frozenset().union(*[axes_of(p.jaxpr) for p in params["jaxprs"] if p is not None])
