"""Systems of linear equations with triangular and with tridiagonal matrices."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules
from .arithmetic import add, mul, neg
from .domains import INEXACT, check_dtype
from .family import add_any, check_same_dtypes, like
from .matrices import (
    adjoint_of,
    batch_in_front,
    column_of,
    conjugated,
    each,
    lengths_of,
    lower_part,
    missing,
    product,
    routine,
    swapped,
    typed,
    upper_part,
)
from .precision import Precision
from .shape import move_axis, reshape
from .slicing import pad

__all__ = ["triangular_solve", "tridiagonal_solve"]

_f32 = dtypes.float32


# ---- triangular ----------------------------------------------------------------------------------

triangular_solve = Primitive("triangular_solve")
triangular_solve.sharding(rules.batched)


@typed(triangular_solve)
def _(a, b, *, left_side, lower, transpose_a, conjugate_a, unit_diagonal):
    name = "triangular_solve"
    batch, n, m = lengths_of(name, a)
    lengths_of(name, b, position=1)
    if a.ndim != b.ndim:
        raise TypeError(
            f"All inputs to triangular_solve must have the same number of batch dimensions, but got "
            f"{[a.ndim - 2, b.ndim - 2]} batch dimensions for the inputs."
        )
    if n != m:
        raise ValueError(f"The first input to triangular_solve must be a square matrix. Got shape {(n, m)}.")
    if batch != b.shape[:-2] or b.shape[-2 if left_side else -1] != n:
        raise ValueError(f"Incompatible shapes for arguments to triangular_solve: {a.shape} and {b.shape}.")
    for position, x in enumerate((a, b)):
        check_dtype(name, INEXACT, x.dtype, position)
    check_same_dtypes(name, (a, b))
    return ShapedArray(b.shape, b.dtype)


@each(triangular_solve, 2, 2)
def _(a, b, *, left_side, lower, transpose_a, conjugate_a, unit_diagonal):
    if not b.size:
        return b
    if conjugate_a and not transpose_a:
        a = np.conj(a)
    form = (2 if conjugate_a else 1) if transpose_a else 0
    # op(A) X = B is X' op(A)' = B', and BLAS has rows for columns: nothing has to be transposed.
    return routine("trsm", a.dtype)(
        1.0, a.T, b.T, side=left_side, lower=not lower, trans_a=form, diag=unit_diagonal
    ).T


@triangular_solve.jvp
def _(primals, tangents, **params):
    """Solve, from a x = b,  a x_dot = b_dot - a_dot x, where both terms nearly cancel."""
    a, b = primals
    a_dot, b_dot = tangents
    x = triangular_solve(a, b, **params)
    terms = []
    if type(a_dot) is not Zero:
        k = 1 if params["unit_diagonal"] else 0
        a_dot = neg(lower_part(a_dot, -k) if params["lower"] else upper_part(a_dot, k))
        if params["transpose_a"]:
            a_dot = adjoint_of(a_dot) if params["conjugate_a"] else swapped(a_dot)
        elif params["conjugate_a"]:
            a_dot = conjugated(a_dot)
        factors = (a_dot, x) if params["left_side"] else (x, a_dot)
        rhs = product(*factors, precision=(Precision.HIGHEST, Precision.HIGHEST))
        terms.append(triangular_solve(a, rhs, **params))
    if type(b_dot) is not Zero:
        terms.append(triangular_solve(a, b_dot, **params))
    if not terms:
        return x, Zero(aval_of(x))
    return x, terms[0] if len(terms) == 1 else add_any(*terms)


@triangular_solve.transpose
def _(ct, a, b, **params):
    params["transpose_a"] = not params["transpose_a"]
    return [None, triangular_solve(a, ct, **params)]


@triangular_solve.batch
def _(args, dims, **params):
    (a, b), (d, e) = args, dims
    if d is None and aval_of(a).ndim == 2 and b.ndim == 3:  # one system with more right-hand sides
        side = params["left_side"]
        b = move_axis(b, e, 2 if side else 0)
        shape = b.shape
        flat = (shape[0], shape[1] * shape[2]) if side else (shape[0] * shape[1], shape[2])
        out = triangular_solve(a, _reshaped(b, flat), **params)
        return _reshaped(out, shape), 2 if side else 0
    return _in_front(args, dims, **params)


_in_front = batch_in_front(triangular_solve)


def _reshaped(x, shape):
    return reshape(x, new_sizes=shape, dimensions=None, sharding=None)


def _flags(left_side=True, lower=True, transpose_a=False, conjugate_a=False, unit_diagonal=False):
    return dict(left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a,
                unit_diagonal=unit_diagonal)


_square = np.array([[1.5, 0.3, -0.4], [0.2, -1.2, 0.6], [-0.5, 0.1, 1.8]], np.float32)
_phases = (_square * np.exp(0.5j * _square)).astype(np.complex64)
triangular_solve.examples(
    (_square, ShapedArray((3, 2), _f32), _flags()),
    (_square, ShapedArray((2, 3), _f32), _flags(left_side=False, lower=False)),
    (_square, ShapedArray((3, 2), _f32), _flags(transpose_a=True, unit_diagonal=True)),
    (_phases, ShapedArray((3, 1), dtypes.complex64), _flags(transpose_a=True, conjugate_a=True)),
    (_phases, ShapedArray((1, 3), dtypes.complex64), _flags(left_side=False, conjugate_a=True)),
    (np.stack([_square, 2 * _square]), ShapedArray((2, 3, 2), _f32), _flags(lower=False)),
    (ShapedArray((0, 0), _f32), ShapedArray((0, 2), _f32), _flags()),
)


# ---- tridiagonal ---------------------------------------------------------------------------------

tridiagonal_solve = Primitive("tridiagonal_solve")
tridiagonal_solve.sharding(rules.batched)


@typed(tridiagonal_solve)
def _(dl, d, du, b, *, perturb_singular):
    name = "tridiagonal_solve"
    for i, x in enumerate((dl, d, du, b)):
        check_dtype(name, INEXACT, x.dtype, i)
        if x.ndim < (rank := 2 if i == 3 else 1):
            raise TypeError(f"Input {i} to {name} must have rank at least {rank}, but got shape={x.shape}")
    check_same_dtypes(name, (dl, d, du, b))
    ranks = [dl.ndim - 1, d.ndim - 1, du.ndim - 1, b.ndim - 2]
    if len(set(ranks)) > 1:
        raise TypeError(
            "All inputs to tridiagonal_solve must have the same number of batch dimensions, but got "
            f"{ranks} batch dimensions for the inputs."
        )
    if not dl.shape == d.shape == du.shape:
        raise TypeError("tridiagonal_solve requires that all diagonal arguments have the same shape.")
    if b.shape[:-1] != d.shape:
        raise TypeError(
            "tridiagonal_solve requires that the leading ndim-1 dimensions of b equal the dimensions of the "
            "diagonal arguments."
        )
    return ShapedArray(b.shape, b.dtype)


@each(tridiagonal_solve, 1, 1, 1, 2)
def _(dl, d, du, b, *, perturb_singular):
    if not b.size:
        return b
    if perturb_singular:
        return _perturbed(dl, d, du, b)
    if d.size == 1:
        return b / d
    *_, x, info = routine("gtsv", d.dtype)(dl[1:], d, du[:-1], b)
    return x if info == 0 else np.full_like(b, missing(b.dtype))


def _perturbed(dl, d, du, b):
    """Return the solution by elimination with exchanges, where a pivot that vanishes becomes a small number.

    It is the largest number in the rows of the factor, but for the pivot of the last row but one, times epsilon.
    Systems of one or two rows get more of them, as the routines take no fewer than three.
    """
    n, more, info = d.size, max(3 - d.size, 0), np.finfo(d.dtype)
    lower, upper = np.pad(dl[1:], (0, more)), np.pad(du[:-1], (0, more))
    lower, pivots, *rest, order, _ = routine("gttrf", d.dtype)(lower, np.pad(d, (0, more), constant_values=1), upper)
    read = pivots[:n] if more else np.delete(pivots, -2)
    least = np.maximum(info.eps * max(abs(x).max(initial=0) for x in (read, *rest)), info.tiny).astype(d.dtype)
    pivots = np.where(abs(pivots) < info.tiny, least, pivots)
    rows = np.pad(b, ((0, more), (0, 0)))
    return routine("gttrs", d.dtype)(lower, pivots, *rest, order, rows)[0][:n]


def _shifted(x, k: int):
    """`x` moved by `k` along its last axis, zeros coming in."""
    config = ((0, 0, 0),) * (x.ndim - 1) + ((k, -k, 0),)
    return pad(x, like(x, 0), padding_config=config)


def _rows_shifted(x, k: int):
    config = ((0, 0, 0),) * (x.ndim - 2) + ((k, -k, 0), (0, 0, 0))
    return pad(x, like(x, 0), padding_config=config)


def _applied(dl, d, du, x):
    """Return the product of tridiagonal matrices and columns; diagonals that are Zero are left out."""
    terms = []
    for diagonal, k in ((dl, 1), (d, 0), (du, -1)):
        if type(diagonal) is not Zero:
            moved = _rows_shifted(x, k) if k else x
            terms.append(mul(column_of(diagonal), moved))
    total = terms[0]
    for term in terms[1:]:
        total = add(total, term)
    return total


@tridiagonal_solve.jvp
def _(primals, tangents, *, perturb_singular):
    """Solve, from T x = b,  T x_dot = b_dot - T_dot x."""
    *diagonals, _ = primals
    *moved, b_dot = tangents
    x = tridiagonal_solve(*primals, perturb_singular=perturb_singular)
    rhs = b_dot
    if any(type(t) is not Zero for t in moved):
        rhs = neg(_applied(*moved, x))
        rhs = rhs if type(b_dot) is Zero else add_any(b_dot, rhs)
    if type(rhs) is Zero:
        return x, rhs
    return x, tridiagonal_solve(*diagonals, rhs, perturb_singular=perturb_singular)


@tridiagonal_solve.transpose
def _(ct, dl, d, du, b, *, perturb_singular):
    lower, upper = _shifted(du, 1), _shifted(dl, -1)
    return [None, None, None, tridiagonal_solve(lower, d, upper, ct, perturb_singular=perturb_singular)]


tridiagonal_solve.batch(batch_in_front(tridiagonal_solve))
_band = np.array([[0, 0.5, -0.3, 0.4], [2, -3, 2.5, 3], [0.6, 0.2, -0.7, 0]], np.float32)
tridiagonal_solve.examples(
    (*_band, ShapedArray((4, 2), _f32), dict(perturb_singular=False)),
    (*_band, ShapedArray((4, 1), _f32), dict(perturb_singular=True)),
    (*np.stack([_band, 2 * _band], 1), ShapedArray((2, 4, 2), _f32), dict(perturb_singular=False)),
    (*_band.astype(np.complex64), ShapedArray((4, 2), dtypes.complex64), dict(perturb_singular=False)),
)
