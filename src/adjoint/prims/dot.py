"""`dot_general`: sums of products over contracted axes, with batch axes: the matrix product.

Axes of the result: batch, then the left operand's free axes, then the right's. Evaluation arranges
the operands as stacks of matrices, by transposed views where BLAS can read them, and multiplies in
a dtype that does not lose what the result can hold: small floats in float32, integers exactly.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.process.apart import apart_from_forks
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from ..core.types import ShapedArray, aval_of
from ..sharding import rules, sums
from ..sharding.explicit import reordered, with_batch_axis
from .conversion import convert_element_type
from .family import multilinear
from .shape import inverse, transpose
from .summation import total

__all__ = ["MAX_TERMS_OF_BLAS", "common", "dot_general", "is_chain", "matmul", "product_in_blocks"]

matmul, _dot, _vecdot = [apart_from_forks(product) for product in (np.matmul, np.dot, np.vecdot)]

dot_general = Primitive("dot_general")
dot_general.exact("biu")
dot_general.sharding(rules.product)
dot_general.sums(sums.contracted)


# ---- type ---------------------------------------------------------------------------------------


@dot_general.type
def _(x, y, *, dimension_numbers, precision, preferred_element_type, out_sharding=None):
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    _check_axes("lhs", x, x_contract, x_batch)
    _check_axes("rhs", y, y_contract, y_batch)
    sizes = lambda a, axes: tuple([a.shape[i] for i in axes])
    for kind, left, right in (
        ("lhs batch dimensions and rhs batch", sizes(x, x_batch), sizes(y, y_batch)),
        ("contracting", sizes(x, x_contract), sizes(y, y_contract)),
    ):
        if left != right:
            raise TypeError(
                message(
                    f"dot_general requires {kind} dimensions to have the same shape, got {left} and {right}.",
                    why=f"The operands are {x.str_short(True)} and {y.str_short(True)}, with "
                    f"dimension_numbers={dimension_numbers}.",
                    fix="axes of equal length to sum over: x.T, or jnp.einsum, where each axis has a name",
                )
            )
    shape = (
        sizes(x, x_batch)
        + sizes(x, _free(x.ndim, x_contract, x_batch))
        + sizes(y, _free(y.ndim, y_contract, y_batch))
    )
    dtype = common(x.dtype, y.dtype)
    weak = x.weak_type and y.weak_type
    if preferred_element_type is not None:
        _check_preferred(dtype, np.dtype(preferred_element_type))
        dtype = np.dtype(preferred_element_type)
    return ShapedArray(shape, dtype, weak)


def _check_axes(side, x, contract, batch):
    if any(not 0 <= i < x.ndim for i in (*contract, *batch)):
        raise TypeError(
            message(
                f"dot_general requires {side} dimension numbers to be nonnegative and less than the "
                f"number of axes of the {side} value, got {side}_batch of {batch} and "
                f"{side}_contracting of {contract} for {side} of rank {x.ndim}",
                fix="((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)), matrices: (((1,), (0,)), ((), ()))",
            )
        )
    for kind, axes in (("batch", batch), ("contracting", contract)):
        if len(set(axes)) != len(axes):
            raise TypeError(
                f"dot_general requires {side} {kind} dimensions to be distinct, "
                f"got {side}_{kind} {axes}."
            )
    if not set(contract).isdisjoint(batch):
        raise TypeError(
            f"dot_general requires {side} batch dimensions to be disjoint from contracting "
            f"dimensions, got {side}_batch {batch} and {side}_contracting {contract}."
        )


@memoized(1024)
def common(a, b):
    """Return the dtype of the result: the operand's that is greater by kind, then width, then range."""

    def rank(d):
        if dtypes.issubdtype(d, np.integer):
            return 1, dtypes.itemsize_bits(d), dtypes.issubdtype(d, np.signedinteger)
        if dtypes.issubdtype(d, np.floating):
            return 2, dtypes.itemsize_bits(d), float(dtypes.finfo(d).max)
        return 3 if d.kind == "c" else 0, d.itemsize, 0

    return a if a == b else max(a, b, key=rank)


def _check_preferred(dtype, preferred):
    """Real floats may be rounded to anything; other dtypes must not lose bits."""

    def width(d):
        if d == dtypes.bool_:
            return 0
        return d.itemsize // 2 if d.kind == "c" else d.itemsize

    if not dtypes.issubdtype(dtype, np.floating) and width(preferred) < width(dtype):
        raise TypeError(
            "`preferred_element_type` must not be narrower than the original type, got "
            f"preferred_element_type of {preferred.name} for result type of {dtype.name}."
        )


def _free(ndim, contract, batch) -> tuple[int, ...]:
    """Return the axes that are neither contracted nor batch axes."""
    return tuple([i for i in range(ndim) if i not in contract and i not in batch])


# ---- evaluation ---------------------------------------------------------------------------------

MAX_TERMS_OF_BLAS = 1024  # terms of a sum that BLAS may add
_TERMS, _STRIDED = 256, 64  # terms of blocks of a longer sum: BLAS adds some one after the other, strided vectors all
_MAX_COMPLEX_TERMS_OF_BLAS = 512  # terms of complex numbers, which BLAS adds one after the other
_CHAIN, _FEW = 128, 32  # terms that BLAS may add one after the other, where there are so few sums

_BLAS = frozenset((dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128))


@dot_general.evaluate
def _(x, y, *, dimension_numbers, precision, preferred_element_type, out_sharding=None):
    dtype = x.dtype
    preferred = preferred_element_type
    if dtype == y.dtype and (preferred is None or preferred == dtype) and dtype in _BLAS:
        return _product(x, y, dimension_numbers)
    dtype = common(x.dtype, y.dtype) if preferred is None else np.dtype(preferred)
    work = _working_dtype(x, y, dtype, dimension_numbers)
    out = _product(x.astype(work, copy=False), y.astype(work, copy=False), dimension_numbers)
    return rounded(out, dtype)


@dot_general.specialize
def _(x, y, *, dimension_numbers, precision, preferred_element_type, out_sharding=None):
    dtype = x.dtype
    if dtype != y.dtype or preferred_element_type not in (None, dtype) or dtype not in _BLAS:
        return None
    contraction = _contraction(x.ndim, y.ndim, dimension_numbers)
    if contraction.batch or contraction.inner != 1 or contraction.rows > 1 or contraction.columns > 1:
        return None
    terms = x.shape[dimension_numbers[0][0][0]]
    if terms == 1 and contraction.rows + contraction.columns:
        is_plain = contraction.rows and contraction.columns and contraction.x_order is contraction.y_order is None
        return np.multiply if is_plain else None
    if terms > _most(dtype):
        return None
    is_turned = contraction.x_order is not None, contraction.y_order is None and contraction.columns
    if contraction.rows + contraction.columns and terms and is_chain(x.size // terms * (y.size // terms), terms, dtype):
        return _few_sums(contraction, *is_turned)
    if contraction.x_order is None:
        return _dot if contraction.y_order is None else lambda x, y: _dot(x, y.T)
    return (lambda x, y: _dot(x.T, y)) if contraction.y_order is None else lambda x, y: _dot(x.T, y.T)


def _few_sums(contraction: _Contraction, x_turned, y_turned):
    """Return the function for a few products with vectors: BLAS adds many terms of contiguous ones at a time."""
    near = np.ascontiguousarray
    if not contraction.columns:
        return (lambda x, y: _vecdot(near(x.T), y)) if x_turned else lambda x, y: _vecdot(near(x), y)
    if not contraction.rows:
        return (lambda x, y: _vecdot(near(y.T), x)) if y_turned else lambda x, y: _vecdot(near(y), x)
    if x_turned:
        return lambda x, y: _vecdot(near(x.T)[:, None], near(y.T if y_turned else y))
    return lambda x, y: _vecdot(near(x)[:, None], near(y.T if y_turned else y))


def _working_dtype(x, y, out_dtype, dimension_numbers):
    """Return the dtype in which to multiply and add: wide enough, and one that BLAS knows if possible."""
    both = common(x.dtype, y.dtype)
    dtype = both if both == out_dtype else common(both, out_dtype)
    if dtypes.issubdtype(dtype, np.floating):
        return dtypes.float32 if dtype.itemsize < 4 else dtype
    if dtypes.issubdtype(dtype, np.integer):
        terms = prod([x.shape[i] for i in dimension_numbers[0][0]])
        bits = dtypes.itemsize_bits(x.dtype) + dtypes.itemsize_bits(y.dtype)
        if x.size * y.size > 1024 and terms * 2**bits < 2**53:
            return dtypes.float64  # exact for so few and small numbers
        return dtypes.int32 if dtype in dtypes.small_ints else dtype
    return dtype


def rounded(out, dtype):
    if out.dtype == dtype:
        return out
    if out.dtype == dtypes.float64 and dtypes.issubdtype(dtype, np.integer):
        out = out.astype(np.int64)  # so that what exceeds the dtype wraps
    if out.dtype.kind == "c" and dtype.kind != "c":
        out = out.real
    return out.astype(dtype)


class _Contraction(NamedTuple):
    """The way operands become stacks of matrices: new orders of axes or None, and counts of axes."""

    x_order: tuple[int, ...] | None
    y_order: tuple[int, ...] | None
    batch: int
    rows: int
    columns: int
    inner: int


@memoized(4096)
def _contraction(x_ndim, y_ndim, numbers) -> _Contraction:
    (x_contract, y_contract), (x_batch, y_batch) = numbers
    x_free, y_free = _free(x_ndim, x_contract, x_batch), _free(y_ndim, y_contract, y_batch)
    x_order = (*x_batch, *x_free, *x_contract)
    y_order = (*y_batch, *y_contract, *y_free)
    return _Contraction(
        None if x_order == tuple(range(x_ndim)) else x_order,
        None if y_order == tuple(range(y_ndim)) else y_order,
        len(x_batch), len(x_free), len(y_free), len(x_contract),
    )


def _product(x, y, numbers):
    """Return the product of operands of one dtype.

    One term is no sum: BLAS would add it to 0, and lose the sign of a zero.
    """
    contraction = _contraction(x.ndim, y.ndim, numbers)
    if contraction.x_order is not None:
        x = x.transpose(contraction.x_order)
    if contraction.y_order is not None:
        y = y.transpose(contraction.y_order)
    split = contraction.batch + contraction.inner
    inner = prod(y.shape[contraction.batch : split])
    is_long = x.size > _CHAIN and _is_long(x, y, contraction)
    if contraction.inner == 1 and contraction.rows <= 1 and contraction.columns <= 1 and not is_long:
        if not contraction.batch and (inner != 1 or not (contraction.rows or contraction.columns)):
            return _dot(x, y)
        if contraction.rows and contraction.columns and inner != 1:
            return matmul(x, y)
    stack, columns = x.shape[: contraction.batch], y.shape[split:]
    rows = x.shape[contraction.batch : x.ndim - contraction.inner]
    if contraction.rows or contraction.columns or not contraction.batch and not is_long:
        x = x.reshape((*stack, prod(rows), inner))
        y = y.reshape((*stack, inner, prod(columns)))
        product = np.multiply if inner == 1 else product_in_blocks if is_long else matmul
        return product(x, y).reshape((*stack, *rows, *columns))
    x, y = x.reshape((*stack, inner)), y.reshape((*stack, inner))
    if inner == 1:
        return (x * y).reshape(stack)
    return (_sums if is_long else _vecdot)(np.conj(x) if x.dtype.kind == "c" else x, y)


def _is_long(x, y, contraction: _Contraction) -> bool:
    """Return whether operands, arranged as a contraction says, have sums of more terms than BLAS may add."""
    terms = prod(x.shape[x.ndim - contraction.inner :])
    if terms <= _CHAIN:
        return False
    sums = x.size // terms * prod(y.shape[contraction.batch + contraction.inner :])
    return terms > _most(x.dtype) or is_chain(sums, terms, x.dtype)


def is_chain(sums: int, terms: int, dtype) -> bool:
    """Return whether BLAS would add many terms of few sums one after the other, which saves next to no time."""
    return terms > _CHAIN and sums <= _FEW and dtype.kind == "f"


def _sums(x, y):
    """Return the long inner products along the last axis."""
    n = x.shape[-1]
    terms = MAX_TERMS_OF_BLAS if x.strides[-1] == y.strides[-1] == x.itemsize else _STRIDED
    if n <= MAX_TERMS_OF_BLAS:
        return _vecdot(np.ascontiguousarray(x), np.ascontiguousarray(y))
    whole = n // terms * terms
    blocks = [a[..., :whole].reshape(*a.shape[:-1], -1, terms) for a in (x, y)]
    out = total(_vecdot(*blocks), x.ndim - 1)
    return out if whole == n else out + _vecdot(x[..., whole:], y[..., whole:])


def _most(dtype) -> int | float:
    """Return how many terms BLAS may add."""
    return MAX_TERMS_OF_BLAS if dtype.kind == "f" else _MAX_COMPLEX_TERMS_OF_BLAS if dtype.kind == "c" else np.inf


def product_in_blocks(x, y):
    """Return the product of stacks of matrices, as that of blocks of the axis that is summed."""
    (m, n), inner = (x.shape[-2], y.shape[-1]), x.shape[-1]
    if is_chain(prod(x.shape[:-1]) * n, inner, x.dtype):
        rows, columns = [np.ascontiguousarray(a) for a in (x, y.swapaxes(-1, -2))]
        return _sums(rows[..., :, None, :], columns[..., None, :, :])
    terms = max(_TERMS, m * n // max(m + n, 1))  # sums of blocks take no more memory than the operands
    if inner * _TERMS <= _most(x.dtype) * terms:
        return matmul(x, y)
    whole = inner // terms * terms
    left = x[..., :whole].reshape(*x.shape[:-1], -1, terms).swapaxes(-2, -3)
    right = y[..., :whole, :].reshape(*y.shape[:-2], -1, terms, n)
    out = total(matmul(left, right), left.ndim - 3)
    return out if whole == inner else out + matmul(x[..., whole:], y[..., whole:, :])


# ---- derivatives --------------------------------------------------------------------------------


multilinear(dot_general, 0, 1)


@dot_general.transpose
def _(ct, x, y, *, dimension_numbers, **params):
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    left, right = (x_contract, x_batch), (y_contract, y_batch)
    if is_undefined_primal(x):
        return [_cotangent(ct, x.aval, left, y, right, x.aval.ndim - len(x_contract), params), None]
    if isinstance(params["precision"], tuple):
        params["precision"] = params["precision"][::-1]
    return [None, _cotangent(ct, y.aval, right, x, left, len(x_batch), params)]


def _cotangent(ct, aval, axes, other, other_axes, first, params):
    """Return the cotangent of an operand of type `aval`: `ct` times the other, over the other's free axes.

    `axes` and `other_axes` are (contracted, batch) axes; `first` is the first of the other's free
    axes in `ct`.
    """
    (contract, batch), (other_contract, other_batch) = axes, other_axes
    free = _free(aval.ndim, contract, batch)
    other_free = _free(aval_of(other).ndim, other_contract, other_batch)
    summed = tuple(range(first, first + len(other_free)))
    numbers = ((summed, other_free), (tuple(range(len(batch))), other_batch))
    # The result has batch axes, free axes, and contracted axes in the order of the other operand.
    pairs = sorted(zip(other_contract, contract))
    axes = (*batch, *free, *[i for _, i in pairs])
    if aval.explicit_sharding is not None or aval_of(other).explicit_sharding is not None:
        params = {**params, "out_sharding": reordered(aval, axes, aval_of(other))}
    out = dot_general(ct, other, dimension_numbers=numbers, **params)
    order = inverse(axes)
    if order != tuple(range(len(order))):
        out = transpose(out, permutation=order)
    if out.dtype != aval.dtype:
        out = convert_element_type(out, new_dtype=aval.dtype, weak_type=aval.weak_type, sharding=None)
    return out


# ---- batching -----------------------------------------------------------------------------------


@dot_general.batch
def _(args, dims, *, dimension_numbers, **params):
    (x, y), (d, e) = args, dims
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    up = lambda axes, d: tuple([i + (d is not None and i >= d) for i in axes])
    x_contract, x_batch = up(x_contract, d), up(x_batch, d)
    y_contract, y_batch = up(y_contract, e), up(y_batch, e)
    n = len(x_batch)
    if d is not None and e is not None:
        x_batch, y_batch, place = (d, *x_batch), (e, *y_batch), 0
    elif d is not None:  # one more free axis on the left
        place = n + _free(x.ndim, x_contract, x_batch).index(d)
    else:
        rows = aval_of(x).ndim - n - len(x_contract)
        place = n + rows + _free(y.ndim, y_contract, y_batch).index(e)
    numbers = ((x_contract, y_contract), (x_batch, y_batch))
    if params.get("out_sharding") is not None:
        params["out_sharding"] = with_batch_axis(params["out_sharding"], place)
    return dot_general(x, y, dimension_numbers=numbers, **params), place


def _examples():
    f32 = dtypes.float32
    for x, y, contract, batch in (
        ((2, 3), (3, 4), ((1,), (0,)), ((), ())),
        ((3, 2), (4, 3), ((0,), (1,)), ((), ())),
        ((3,), (3,), ((0,), (0,)), ((), ())),
        ((2, 3), (3,), ((1,), (0,)), ((), ())),
        ((2,), (3,), ((), ()), ((), ())),
        ((), (3,), ((), ()), ((), ())),
        ((5, 2, 3), (5, 3, 4), ((2,), (1,)), ((0,), (0,))),
        ((5, 3), (5, 3), ((1,), (1,)), ((0,), (0,))),
        ((2, 3, 4, 5), (5, 4, 6, 2), ((0, 2), (3, 1)), ((3,), (0,))),
        ((2, 0), (0, 3), ((1,), (0,)), ((), ())),
    ):
        params = dict(dimension_numbers=(contract, batch), precision=None)
        params["preferred_element_type"] = None
        yield ShapedArray(x, f32), ShapedArray(y, f32), params
    plain = dict(dimension_numbers=(((1,), (0,)), ((), ())), precision=None)
    for dtype, preferred in (
        (dtypes.complex64, None), (dtypes.int32, None), (dtypes.uint8, None), (dtypes.bool_, None),
        (dtypes.bfloat16, None), (dtypes.bfloat16, f32), (dtypes.int8, dtypes.int32),
    ):
        params = {**plain, "preferred_element_type": preferred}
        yield ShapedArray((2, 3), dtype), ShapedArray((3, 2), dtype), params


dot_general.examples(*_examples())
