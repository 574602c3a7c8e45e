"""Stacks of matrices: what the primitives of linear algebra share, and `symmetric_product`.

Matrices are the last two axes; all axes before them are a batch. Each evaluation works on one matrix with a
LAPACK or BLAS routine of SciPy, which is imported by the first call, and `each` repeats it over the batch.
Rules of differentiation are written with the small functions below (`product`, `adjoint_of`, `lower_part`).
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.process.locks import once
from ..core.types import ShapedArray, aval_of
from .arithmetic import add, conj
from .conversion import convert_element_type
from .domains import FLOATS, INEXACT, check_dtype
from .dot import dot_general, matmul
from .family import check_same_dtypes, like
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode
from .indexing import gather
from .logic import eq, ge, select_n
from .shape import broadcast_in_dim, iota, materialise_batch, reshape, transpose

__all__ = ["symmetric_product"]


# ---- evaluation ----------------------------------------------------------------------------------

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
# The complex routine where it has another name than the real one.
_UNITARY = {
    "orgqr": "ungqr", "ormqr": "unmqr", "sytrd": "hetrd", "sytrd_lwork": "hetrd_lwork",
    "syevd": "heevd",
}


@once
def scipy_module(name: str):
    """Return a module in C of `scipy.linalg`, without the rest of that, which takes ten times as long to import."""
    package, module = "scipy.linalg", f"scipy.linalg.{name}"
    if package not in sys.modules and (scipy := find_spec("scipy")) is not None:
        folders = [os.path.join(root, "linalg") for root in scipy.submodule_search_locations or ()]
        if (spec := PathFinder.find_spec(module, folders)) is not None and spec.loader is not None:
            with suppress(ImportError):
                found = module_from_spec(spec)
                spec.loader.exec_module(found)
                if package not in sys.modules:  # or else another thread imports it, and may have begun with this
                    sys.modules.pop(module, None)  # an import of it imports the package too
                    return found
    return import_module(module)


@once
def routine(name: str, dtype):
    """Return the LAPACK or BLAS routine of that name for matrices of that dtype."""
    lapack, blas = scipy_module("_flapack"), scipy_module("_fblas")
    if dtype.kind == "c":
        name = _UNITARY.get(name, name)
    name = _LETTERS[dtype.name] + name
    return getattr(lapack, name, None) or getattr(blas, name)


def workspace(query: tuple) -> int:
    """Return the length of work space that a routine asked for."""
    return max(1, int(query[0].real))


def each(p: Primitive, *ranks: int):
    """Make a function of single matrices the evaluation of `p`.

    `ranks` are the numbers of axes of one operand each. The results have the types of the type rule;
    narrow floats are computed in float32. A primitive with several results gives a sequence.
    """

    def register(kernel):
        @p.evaluate
        def _(*arrays, **params):
            avals = p.infer(tuple([ShapedArray(a.shape, a.dtype) for a in arrays]), params)
            avals = avals if p.multiple_results else [avals]
            arrays = [_wide(a) for a in arrays]
            batch = arrays[0].shape[: arrays[0].ndim - ranks[0]]
            if not batch:
                found = kernel(*arrays, **params)
                found = found if p.multiple_results else [found]
                outs = [np.asarray(x).astype(v.dtype, copy=False) for x, v in zip(found, avals, strict=True)]
            else:
                outs = [np.empty(v.shape, v.dtype) for v in avals]
                for i in np.ndindex(batch):
                    found = kernel(*[a[i] for a in arrays], **params)
                    for out, x in zip(outs, found if p.multiple_results else [found], strict=True):
                        out[i] = x
            return outs if p.multiple_results else outs[0]

        return kernel

    return register


def _wide(x):
    narrow = dtypes.issubdtype(x.dtype, np.inexact) and x.dtype.itemsize < 4
    return x.astype(np.float32) if narrow else x


def missing(dtype):
    """Return the NaN, in both parts of a complex number, that stands for what a factorization could not find."""
    return np.nan * (1 + 1j) if dtypes.issubdtype(dtype, np.complexfloating) else np.nan


def nan_like(*arrays):
    """Return arrays of the same types full of NaN: what a factorization gives that failed."""
    return [np.full(a.shape, missing(a.dtype), a.dtype) for a in arrays]


# ---- types and batching --------------------------------------------------------------------------


def typed(p: Primitive):
    """Register a type rule; results are weak where all operands are."""

    def register(rule):
        @p.type
        def _(*avals, **params):
            out = rule(*avals, **params)
            if not all([a.weak_type for a in avals]):
                return out
            return [a.update(weak_type=True) for a in out] if p.multiple_results else out.update(weak_type=True)

        return rule

    return register


def lengths_of(name: str, x, position: int = 0) -> tuple[tuple, int, int]:
    """Return the batch shape and the two lengths of a stack of matrices."""
    if x.ndim < 2:
        raise TypeError(
            message(
                f"Input {position} to {name} must have rank at least 2, but got shape={x.shape}",
                why="It takes a matrix, or a stack of them: the last two axes are rows and columns.",
                fix="x[:, None] for a column, x[None] for a row",
            )
        )
    return x.shape[:-2], x.shape[-2], x.shape[-1]


def check_matrices(name: str, x, domain=INEXACT, position: int = 0) -> tuple[tuple, int, int]:
    """Return what `lengths_of` does, of a stack of matrices of numbers in a domain."""
    lengths = lengths_of(name, x, position)
    check_dtype(name, domain, x.dtype, position)
    return lengths


def check_ranks_of_batches(name: str, *ranks: int) -> None:
    """Raise where the operands have not as many batch axes as one another."""
    if len(set(ranks)) > 1:
        raise TypeError(message(
            f"All inputs to {name} must have the same number of batch dimensions, but got {list(ranks)} batch "
            "dimensions for the inputs.",
            fix="x[None] for a batch axis, jnp.broadcast_to for one that is repeated",
        ))


def check_square(name: str, x, text: str = "") -> tuple[tuple, int]:
    """Return the batch shape and the length of a stack of square matrices."""
    batch, rows, columns = lengths_of(name, x)
    if rows != columns:
        text = text or f"The input to {name} must be a square matrix. Got shape {{}}."
        raise ValueError(
            message(
                text.format((rows, columns)),
                why=f"It has {rows} rows and {columns} columns.",
                fix="jnp.linalg.svd, qr, lstsq or pinv for a matrix that is not square, or a.T @ a",
            )
        )
    check_dtype(name, INEXACT, x.dtype, 0)
    return batch, rows


def _without_axis(x, d) -> ShapedArray:
    """Return the type of one element of a batch."""
    aval = aval_of(x)
    return aval if d is None else aval.update(shape=aval.shape[:d] + aval.shape[d + 1 :])


def batch_in_front(p: Primitive):
    """Return the batch rule of a primitive for which every leading axis is a batch axis."""

    def rule(args, dims, **params):
        size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
        p.infer(tuple(map(_without_axis, args, dims)), params)  # the mapped axis does not make a vector a matrix
        return p.bind(*[materialise_batch(x, d, size) for x, d in zip(args, dims)], **params), 0

    return rule


# ---- formulas ------------------------------------------------------------------------------------


def product(a, b, precision=None):
    """Return the matrix products of two stacks."""
    n = aval_of(a).ndim
    batch = tuple(range(n - 2))
    numbers = (((n - 1,), (n - 2,)), (batch, batch))
    return dot_general(a, b, dimension_numbers=numbers, precision=precision, preferred_element_type=None)


def swapped(x):
    """Return the transposed matrices."""
    n = aval_of(x).ndim
    return transpose(x, permutation=(*range(n - 2), n - 1, n - 2))


def conjugated(x):
    dtype = aval_of(x).dtype
    return conj(x, input_dtype=dtype) if dtypes.issubdtype(dtype, np.complexfloating) else x


def adjoint_of(x):
    """Return the conjugate transposed matrices."""
    return conjugated(swapped(x))


def _places(shape, dimension: int):
    return iota(dtype=dtypes.default_int(), shape=shape, dimension=dimension, sharding=None)


def _on_or_below(shape, k: int):
    mask = ge(add(_places(shape[-2:], 0), dtypes.default_int().type(k)), _places(shape[-2:], 1))
    return _stretched(mask, shape)


def _stretched(x, shape):
    """Return the last axes of an array, repeated over the others."""
    own = aval_of(x).shape
    if own == shape:
        return x
    axes = tuple(range(len(shape) - len(own), len(shape)))
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=axes, sharding=None)


def _zeros(x):
    return broadcast_in_dim(like(x, 0), shape=x.shape, broadcast_dimensions=(), sharding=None)


def lower_part(x, k: int = 0):
    """Return the elements on and below the k-th diagonal."""
    return select_n(_on_or_below(x.shape, k), _zeros(x), x)


def upper_part(x, k: int = 0):
    """Return the elements on and above the k-th diagonal."""
    return select_n(_on_or_below(x.shape, k - 1), x, _zeros(x))


def identity(x, n: int, m: int | None = None):
    """n x m matrices with ones on the diagonal, as many and of the dtype as those of `x`."""
    aval = aval_of(x)
    shape = (n, n if m is None else m)
    ones = convert_element_type(
        eq(_places(shape, 0), _places(shape, 1)), new_dtype=aval.dtype, weak_type=False, sharding=None
    )
    return _stretched(ones, (*aval.shape[:-2], *shape))


def row_of(x):
    """Return vectors as matrices with one row."""
    return reshape(x, new_sizes=(*x.shape[:-1], 1, x.shape[-1]), dimensions=None, sharding=None)


def column_of(x):
    """Return vectors as matrices with one column."""
    return reshape(x, new_sizes=(*x.shape, 1), dimensions=None, sharding=None)


def rows_at(x, order):
    """Return the rows of each matrix in another order; `order` has an order for each matrix."""
    if not x.size:
        return x
    n = x.ndim - 2
    batch = tuple(range(n))
    return gather(
        x,
        column_of(order),
        dimension_numbers=GatherDimensionNumbers(
            offset_dims=(n + 1,), collapsed_slice_dims=(n,), start_index_map=(n,),
            operand_batching_dims=batch, start_indices_batching_dims=batch,
        ),
        slice_sizes=(1,) * (n + 1) + (x.shape[-1],),
        indices_are_sorted=False,
        unique_indices=False,
        mode=GatherScatterMode.PROMISE_IN_BOUNDS,
        fill_value=None,
    )


# ---- symmetric product ---------------------------------------------------------------------------

symmetric_product = Primitive("symmetric_product")


@typed(symmetric_product)
def _(a, c, *, alpha, beta):
    name = "symmetric_product"
    batch, n, _ = lengths_of(name, a)
    c_batch, *sides = lengths_of(name, c, 1)
    check_ranks_of_batches(name, len(batch), len(c_batch))
    if c_batch != batch or sides != [n, n]:
        raise ValueError(
            "symmetric_update expects a rectangular matrix of shape (m, n) and a square matrix of shape (n, n). "
            f"Got shapes {a.shape[-2:]} and {c.shape[-2:]}."
        )
    check_matrices(name, a, FLOATS)
    check_matrices(name, c, FLOATS, 1)
    check_same_dtypes(name, (a, c))
    return ShapedArray(c.shape, c.dtype)


@symmetric_product.evaluate
def _(a, c, *, alpha, beta):
    wide, start = _wide(a), _wide(c)
    out = alpha * matmul(wide, wide.swapaxes(-1, -2)) + (beta * start if beta else 0)
    return out.astype(a.dtype, copy=False)


symmetric_product.batch(batch_in_front(symmetric_product))
symmetric_product.examples(
    (ShapedArray((3, 2), dtypes.float32), ShapedArray((3, 3), dtypes.float32), dict(alpha=1.5, beta=0.5)),
    (ShapedArray((2, 2, 2), dtypes.float32), ShapedArray((2, 2, 2), dtypes.float32), dict(alpha=1.0, beta=0.0)),
)
