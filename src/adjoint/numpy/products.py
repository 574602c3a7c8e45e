"""Products of arrays: `dot`, `matmul` and their relatives, all on `lax.dot_general`; `einsum` is in `contractions.py`.

Operands keep their dtypes: `dot_general` takes two, and `preferred_element_type` is what they promote to.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.advice import transposed
from ..core.messages.errors import advise, message
from ..core.types import Array
from ..core.values.dimension import broadcast_shapes
from ..prims.shape import insert_axes, move_axis
from ..sharding.explicit import asked_sharding, of_transposed
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import WORTH, replayed
from . import ufuncs
from .axes import canonical_axes, canonical_axis, operand, refuse_out
from .operators import binary
from .promotion import check_arraylike, check_vectorized_ranks, convert
from .shapes import moveaxis, ravel, reshape

__all__ = [
    "cross", "dot", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "vdot", "vecdot", "vecmat",
]


# ---- what they share ----------------------------------------------------------------------------


def operands_of(name: str, *args, preferred=None, scalars: bool = True) -> tuple[list[Array], Any, bool]:
    """Operands as arrays, the dtype of their product, and whether that is weak; ValueError for scalars not allowed."""
    check_arraylike(name, *args)
    arrays = [operand(name, a) for a in args]
    for i, x in enumerate(() if scalars else arrays):
        if not x.ndim:
            what = f"{name} input operand {i} must have ndim at least 1, but it has ndim 0"
            raise ValueError(message(what, fix="a * b, which multiplies by a scalar"))
    if preferred is not None:
        return arrays, dtypes.check_user_dtype_supported(preferred, name), False
    first = arrays[0].aval
    if all([a.aval.dtype == first.dtype for a in arrays]):
        return arrays, first.dtype, all([a.aval.weak_type for a in arrays])
    dtype, weak = dtypes.lattice_result_type(*arrays)
    return arrays, dtype, weak


def _product(a, b, contracted, batched, precision, dtype, weak, out_sharding=None) -> Array:
    numbers = (contracted, batched)
    out = lax.dot_general(
        a, b, numbers, precision=precision, preferred_element_type=dtype, out_sharding=out_sharding)
    return convert(out, out.dtype, weak)


_NO_AXES = ((), ())


def _mismatch(name, a, b) -> TypeError:
    left, right = a.shape[-1], b.shape[max(0, b.ndim - 2)]
    which = None  # of the two, transposed, fits
    if b.ndim >= 2 and b.shape[-1] == left:
        which = False
    elif a.ndim >= 2 and a.shape[-2] == right:
        which = True
    return TypeError(
        message(
            "dot_general requires contracting dimensions to have the same shape, got "
            f"({left},) and ({right},).",
            why=f"{name} of {a.aval.str_short(True)} and {b.aval.str_short(True)}: the last axis of the left "
            f"({left}) must equal axis {-2 if b.ndim > 1 else -1} of the right ({right}).",
            fix="jnp.outer(a, b) for the product of all pairs" if a.ndim == b.ndim == 1 else None if which is None else
            advise(partial(transposed, left=which), "a.mT @ b" if which else "a @ b.mT"),
        )
    )


# ---- dot and matmul -----------------------------------------------------------------------------


@lowerable(static_argnames=("precision", "preferred_element_type", "out_sharding"))
@replayed(arrays=2, exact=True)
def dot(a, b, *, precision=None, preferred_element_type=None, out_sharding=None) -> Array:
    """Return the dot product: sums over the last axis of `a` and the last but one of `b`.

    Args:
      a, b: arrays; scalars multiply.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `a`, then those of `b`; of two vectors a scalar.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: the lengths of these axes differ.
    See also: `matmul`, `einsum`, `tensordot`, `vdot`, `inner`.

    >>> jnp.dot(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
    asked = asked_sharding("dot", out_sharding)
    given = a, b
    (a, b), dtype, weak = operands_of("dot", a, b, preferred=preferred_element_type)
    if not a.ndim or not b.ndim:  # Python scalars stay literals
        return _product(*given, _NO_AXES, _NO_AXES, precision, dtype, weak, asked)
    contracted = (a.ndim - 1,), (max(0, b.ndim - 2),)
    if a.shape[-1] != b.shape[contracted[1][0]]:
        raise _mismatch("dot", a, b)
    return _product(a, b, contracted, _NO_AXES, precision, dtype, weak, asked)


@lowerable(static_argnames=("precision", "preferred_element_type", "out_sharding"))
@replayed(arrays=2, exact=True)
def matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None) -> Array:
    """Return the matrix product ``a @ b``: the last two axes are matrices, the others batches that broadcast.

    Args:
      a, b: ``[..., n, k]`` and ``[..., k, m]``; a vector is a row on the left and a column on the right.
      precision, preferred_element_type: as in `dot`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      ValueError: an operand is a scalar, or the batches do not broadcast.
      TypeError: the inner lengths differ.
    Returns:
      `[..., n, m]`, in the dtype to which those of the operands promote; without the axis that a vector lacks.
    See also: `dot`, `einsum`, `matvec`, `linalg.multi_dot`.

    >>> jnp.matmul(jnp.ones((2, 3)), jnp.ones((3, 4))).shape
    (2, 4)
    """
    asked = asked_sharding("matmul", out_sharding)
    (a, b), dtype, weak = operands_of("matmul", a, b, preferred=preferred_element_type, scalars=False)
    if a.shape[-1] != b.shape[max(0, b.ndim - 2)]:
        raise _mismatch("matmul", a, b)
    if a.ndim <= 2 and b.ndim <= 2:
        contracted = (a.ndim - 1,), (max(0, b.ndim - 2),)
        return _product(a, b, contracted, _NO_AXES, precision, dtype, weak, asked)
    return _batched_matmul(a, b, precision, dtype, weak, asked)


def _batched_matmul(a, b, precision, dtype, weak, asked):
    left, right = a.shape[:-2], b.shape[:-2]
    try:
        batch = broadcast_shapes(left, right)
    except ValueError:
        raise ValueError(
            f"Incompatible types for matmul arguments: {a.aval.str_short()} and {b.aval.str_short()}\n"
            f"  Their batch axes {left} and {right} do not broadcast."
        ) from None
    # Letters of the batch axes; an axis of length 1 is dropped where the other operand has that axis too.
    rank = len(batch)
    letters = [chr(97 + i) for i in range(rank)]
    names_a = _names(letters, left, len(right))
    names_b = _names(letters, right, len(left))
    a = lax.squeeze(a, [i for i, c in enumerate(names_a) if c is None])
    b = lax.squeeze(b, [i for i, c in enumerate(names_b) if c is None])
    names_a, names_b = ([c for c in names if c] for names in (names_a, names_b))
    shared = [c for c in names_a if c in names_b]
    at = lambda names: tuple([names.index(c) for c in shared])
    contracted = (a.ndim - 1,), (len(names_b),)
    only = lambda names: [c for c in names if c not in shared]
    rows, columns = ["row"] * (a.ndim - 1 - len(names_a)), ["column"] * (b.ndim - 1 - len(names_b))
    names = [*shared, *only(names_a), *rows, *only(names_b), *columns]
    asked = of_transposed(asked, [*letters, *rows, *columns], names)
    out = _product(a, b, contracted, (at(names_a), at(names_b)), precision, dtype, weak, asked)
    kept = [c for c in letters if c in names]
    out = lax.transpose(out, [names.index(c) for c in (*kept, *rows, *columns)])
    return lax.expand_dims(out, [i for i, c in enumerate(letters) if c not in names])


def _names(letters, lengths, others: int):
    """Return the letter of each batch axis of an operand; None if its length is 1 and the other one has it too."""
    rank, own = len(letters), len(lengths)
    return [
        None if n == 1 and own - i <= others else c
        for i, (c, n) in enumerate(zip(letters[rank - own :], lengths))
    ]


@lowerable(static_argnames=("precision", "preferred_element_type"))
@replayed(arrays=2, exact=True)
def inner(a, b, *, precision=None, preferred_element_type=None) -> Array:
    """Return the sum of products over the last axes; scalars multiply.

    Args:
      a, b, precision, preferred_element_type: as in `dot`.
    Returns:
      The sums of products over the last axes, in an array with the other axes of `a`, then those of `b`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.inner(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
    given = a, b
    (a, b), dtype, weak = operands_of("inner", a, b, preferred=preferred_element_type)
    if not a.ndim or not b.ndim:
        out = ufuncs.multiply(*given)
        return out if preferred_element_type is None else convert(out, dtype)
    return _product(a, b, ((a.ndim - 1,), (b.ndim - 1,)), _NO_AXES, precision, dtype, weak)


def _numpy_outer(a, b, out=None):
    return np.outer(a, b)


@lowerable
@replayed(numpy=_numpy_outer, compiles_after=WORTH)
def outer(a, b, out=None) -> Array:
    """Return all products of the elements of two flattened arrays.

    Args:
      a, b: arrays; they are flattened.
      out: must be None.
    Returns:
      ``[a.size, b.size]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.outer(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    refuse_out("outer", out)
    (a, b), dtype, weak = operands_of("outer", a, b)
    a, b = convert(a, dtype, weak), convert(b, dtype, weak)
    return ufuncs.multiply(insert_axes(ravel(a), (1,)), insert_axes(ravel(b), (0,)))


@lowerable(static_argnames=("precision", "preferred_element_type"))
@replayed(arrays=2, exact=True)
def vdot(a, b, *, precision=None, preferred_element_type=None) -> Array:
    """Return the sum of products of the flattened arrays, the first one conjugated.

    Args:
      a, b: arrays of equal size.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      A scalar array. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.vdot(jnp.array([1j]), jnp.array([1j]))
    Array(1.+0.j, dtype=complex64)
    """
    check_arraylike("vdot", a, b)
    return dot(
        ravel(ufuncs.conj(a)), ravel(b), precision=precision,
        preferred_element_type=preferred_element_type,
    )


@replayed(arrays=2, exact=True)
def vecdot(x1, x2, /, *, axis: int = -1, precision=None, preferred_element_type=None) -> Array:
    """Return the sum of products over one axis, the first operand conjugated; the other axes broadcast.

    Args:
      x1, x2: arrays of one length along the axis.
      axis: the axis, of both.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array of the shape to which the other axes broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: the lengths differ.

    >>> jnp.vecdot(jnp.ones((2, 3)), jnp.ones(3))
    Array([3., 3.], dtype=float32)
    """
    (a, b), dtype, weak = operands_of("jnp.vecdot", x1, x2, preferred=preferred_element_type)
    i, j = canonical_axis(axis, a.ndim), canonical_axis(axis, b.ndim)
    check_vectorized_ranks((a.shape, b.shape), (a.shape[1:], b.shape[1:]), "(n),(n)->()")
    if a.shape[i] != b.shape[j]:
        raise ValueError(f"axes must match; got shapes {a.shape} and {b.shape} with {axis=}")
    a, b = move_axis(ufuncs.conj(a), i, a.ndim - 1), move_axis(b, j, b.ndim - 1)
    contracted, batch = ((a.ndim - 1,), (b.ndim - 1,)), tuple(range(a.ndim - 1))
    if a.ndim == 1 or b.ndim == 1:
        return _product(a, b, contracted, _NO_AXES, precision, dtype, weak)
    if a.shape == b.shape:
        return _product(a, b, contracted, (batch, batch), precision, dtype, weak)
    rows, columns = insert_axes(a, (a.ndim - 1,)), insert_axes(b, (b.ndim,))
    out = matmul(rows, columns, precision=precision, preferred_element_type=dtype)
    return lax.squeeze(out, (out.ndim - 2, out.ndim - 1))


@replayed(arrays=2, exact=True)
@inner_jit
def matvec(x1, x2, /) -> Array:
    """Return products of matrices and vectors; batches broadcast.

    Args:
      x1: ``[..., n, k]``.
      x2: ``[..., k]``.
    Returns:
      ``[..., n]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.matvec(jnp.ones((2, 3)), jnp.ones(3))
    Array([3., 3.], dtype=float32)
    """
    a, b = operand("matvec", x1), operand("matvec", x2)
    _check_cores("matvec", a, 2, b, 1)
    check_vectorized_ranks((a.shape, b.shape), (a.shape[2:], b.shape[1:]), "(n,m),(m)->(n)")
    if b.ndim == 1:
        return matmul(a, b)
    return lax.squeeze(matmul(a, insert_axes(b, (b.ndim,))), (-1,))


@replayed(arrays=2, exact=True)
@inner_jit
def vecmat(x1, x2, /) -> Array:
    """Return products of conjugated vectors and matrices; batches broadcast.

    Args:
      x1: ``[..., n]``.
      x2: ``[..., n, m]``.
    Returns:
      ``[..., m]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.vecmat(jnp.ones(2), jnp.ones((2, 3)))
    Array([2., 2., 2.], dtype=float32)
    """
    a, b = operand("vecmat", x1), operand("vecmat", x2)
    _check_cores("vecmat", a, 1, b, 2)
    check_vectorized_ranks((a.shape, b.shape), (a.shape[1:], b.shape[2:]), "(n),(n,m)->(m)")
    a = ufuncs.conj(a)
    if a.ndim == 1 or b.ndim == 2:
        return matmul(a, b)
    return lax.squeeze(matmul(insert_axes(a, (a.ndim - 1,)), b), (-2,))


def _check_cores(name, a, n, b, m) -> None:
    """Raise ValueError unless `a` has n axes and `b` has m at least, and what is summed has one length."""
    for x, least in ((a, n), (b, m)):
        if x.ndim < least:
            raise ValueError(
                f"input with shape {x.shape} does not have enough dimensions for {name}, which needs "
                f"{least} here."
            )
    if a.shape[-1] != b.shape[-m]:
        raise ValueError(
            f"inconsistent size for core dimension '{'m' if name == 'matvec' else 'n'}' of {name}: "
            f"{b.shape[-m]} vs {a.shape[-1]}, got shapes "
            f"{a.shape} and {b.shape}"
        )


@replayed(arrays=2, exact=True)
def tensordot(
    a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None
) -> Array:
    """Return the sum of products over several axes.

    Args:
      a, b: arrays.
      axes: how many last axes of `a` and first ones of `b`, or a pair of axes or sequences of axes.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `a`, then those of `b`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: lengths of the axes differ.

    >>> jnp.tensordot(jnp.ones((2, 3)), jnp.ones((3, 4)), 1).shape
    (2, 4)
    """
    asked = asked_sharding("tensordot", out_sharding)
    (a, b), dtype, weak = operands_of("tensordot", a, b, preferred=preferred_element_type)
    if type(axes) is int:
        if axes > min(a.ndim, b.ndim):
            raise TypeError(
                message(
                    f"Number of tensordot axes (axes {axes}) exceeds input ranks ({a.shape} and {b.shape})",
                    fix=f"axes={min(a.ndim, b.ndim)} at most",
                )
            )
        contracted = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2:
        left, right = axes
        if isinstance(left, int) and isinstance(right, int):
            left, right = (left,), (right,)
        elif not isinstance(left, (tuple, list)) or not isinstance(right, (tuple, list)):
            raise TypeError(
                message(
                    f"tensordot requires both axes lists to be either ints, tuples or lists, got {left} and {right}",
                    fix="tuples of ints, one for each operand",
                )
            )
        left, right = tuple(left), tuple(right)
        if len(left) != len(right):
            raise TypeError(
                message(
                    f"tensordot requires axes lists to have equal length, got {left} and {right}.",
                    fix="axes=([1], [0]), with as many axes of each",
                )
            )
        contracted = canonical_axes(left, a.ndim), canonical_axes(right, b.ndim)
    else:
        raise TypeError(
            message(
                "tensordot axes argument must be an int, a pair of ints, or a pair of lists/tuples of ints.",
                fix="axes=1, or axes=([1], [0])",
            )
        )
    return _product(a, b, contracted, _NO_AXES, precision, dtype, weak, asked)


# ---- products element by element ----------------------------------------------------------------


@replayed(arrays=2, exact=True)
@inner_jit(static_argnames=("axisa", "axisb", "axisc", "axis"))
def cross(
    a, b, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Array:
    """Return the cross product of vectors of length 3 (or 2) along an axis.

    Args:
      a, b: arrays of length 2 or 3 along the axis; the others broadcast.
      axisa, axisb, axisc: the axis of the vectors in `a`, `b` and the result.
      axis: all three of them.
    Returns:
      An array of vectors; of numbers, where the vectors have length 2.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.cross(jnp.array([1., 0., 0.]), jnp.array([0., 1., 0.]))
    Array([0., 0., 1.], dtype=float32)
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    check_arraylike("cross", a, b)
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(
            message(
                "Dimension must be either 2 or 3 for cross product",
                why="A cross product is of vectors in the plane or in space; the last axis holds their components.",
                fix="axis=..., if another axis holds them, or jnp.outer, jnp.linalg.outer",
            )
        )
    if a.shape[-1] == b.shape[-1] == 2:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    ax, ay, az = _components(a)
    bx, by, bz = _components(b)
    parts = [convert(p, p.dtype) for p in (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)]
    joined = lax.concatenate([insert_axes(p, (0,)) for p in parts], 0)
    return moveaxis(joined, 0, axisc)


def _components(x):
    """Return the components of vectors in the last axis; the third is 0 if there are two."""
    parts = [x[..., i] for i in range(x.shape[-1])]
    return parts if len(parts) == 3 else [*parts, lax.full_like(parts[0], 0)]


@replayed(compiles_after=WORTH)
@inner_jit
def kron(a, b) -> Array:
    """Return the Kronecker product: each element of `a` times all of `b`.

    Args:
      a, b: arrays; the shorter shape gets axes of length 1 in front.
    Returns:
      An array whose lengths are the products of theirs, of the dtype to which theirs promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.kron(jnp.array([1, 10]), jnp.array([1, 2]))
    Array([ 1,  2, 10, 20], dtype=int32)
    """
    (a, b), dtype, weak = operands_of("kron", a, b)
    rank = max(a.ndim, b.ndim)
    a, b = (
        lax.expand_dims(convert(x, dtype, weak), range(rank - x.ndim)) for x in (a, b)
    )
    wide_a = lax.expand_dims(a, range(1, 2 * rank, 2))
    wide_b = lax.expand_dims(b, range(0, 2 * rank, 2))
    return reshape(wide_a * wide_b, tuple([m * n for m, n in zip(a.shape, b.shape)]))


# ---- the operator --------------------------------------------------------------------------------

operator, reflected_operator = binary("matmul", "@", matmul)
