"""`ragged_dot_general`: a matrix product of which an axis of the left operand falls into groups.

Positions along the ragged axis belong to group 0, 1, ... by `group_sizes`; those beyond the sum to none.

* The ragged axis is free: each group has its own right operand, along a group axis; no group, zeros.
* It is contracted: the result has the sum over each group, along a new first axis.
* It is a batch axis: groups change nothing.

With x for the axes of the same kind before the ragged one, `group_sizes` is `[batch..., x..., g]`, or `[g]`
if groups are the same everywhere. `scaled_dot` is a product of operands with scales for blocks of elements.
"""

from __future__ import annotations

import operator

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive, is_undefined_primal
from ..core.process.records import NamedTuple
from ..core.types import ShapedArray, aval_of
from .arithmetic import add, mul, sub
from .conversion import convert_element_type
from .cumulative import cumsum
from .dot import dot_general
from .family import multilinear
from .logic import and_, le, lt, select_n
from .shape import (
    broadcast_in_dim,
    full,
    inverse,
    iota,
    materialise_batch,
    reshape,
    squeeze,
    stack,
    transpose,
)
from .slicing import slice_

__all__ = ["RaggedDotDimensionNumbers", "by_masks", "by_scaling", "ragged_dot_general", "scaled_dot"]


class RaggedDotDimensionNumbers:
    """The axes of a ragged product that are contracted, batch, ragged and of groups.

    Args:
      dot_dimension_numbers: as for `dot_general`.
      lhs_ragged_dimensions: the ragged axis of the left operand, in a sequence.
      rhs_group_dimensions: the group axis of the right operand, in a sequence; empty if there is none.

    >>> numbers = RaggedDotDimensionNumbers((((1,), (0,)), ((), ())), [0], [])
    >>> numbers.lhs_ragged_dimensions
    (0,)
    """

    __slots__ = ("dot_dimension_numbers", "lhs_ragged_dimensions", "rhs_group_dimensions")

    def __init__(self, dot_dimension_numbers, lhs_ragged_dimensions, rhs_group_dimensions):
        ints = lambda axes: tuple([operator.index(i) for i in axes])
        (a, b), (c, d) = dot_dimension_numbers
        self.dot_dimension_numbers = ((ints(a), ints(b)), (ints(c), ints(d)))
        self.lhs_ragged_dimensions = ints(lhs_ragged_dimensions)
        self.rhs_group_dimensions = ints(rhs_group_dimensions)

    def _fields(self):
        return self.dot_dimension_numbers, self.lhs_ragged_dimensions, self.rhs_group_dimensions

    def __eq__(self, other):
        return isinstance(other, RaggedDotDimensionNumbers) and self._fields() == other._fields()

    def __hash__(self):
        return hash(self._fields())

    def __repr__(self):
        return (
            f"RaggedDotDimensionNumbers(dot_dimension_numbers={self.dot_dimension_numbers}, "
            f"lhs_ragged_dimensions={self.lhs_ragged_dimensions}, "
            f"rhs_group_dimensions={self.rhs_group_dimensions})"
        )


class _Axes(NamedTuple):
    """The axes by their kinds: those of the left operand, of the right one, and of the groups."""

    x_contract: tuple[int, ...]
    y_contract: tuple[int, ...]
    x_batch: tuple[int, ...]
    y_batch: tuple[int, ...]
    x_free: tuple[int, ...]
    y_free: tuple[int, ...]
    ragged: int
    group: int | None

    @property
    def kind(self) -> tuple[int, ...]:
        """Return the left operand's axes of the ragged axis' kind."""
        kinds = self.x_contract, self.x_batch, self.x_free
        return next(axes for axes in kinds if self.ragged in axes)

    @property
    def is_contracted(self) -> bool:
        return self.ragged in self.x_contract

    @property
    def prefix(self) -> tuple[int, ...]:
        """Return the left operand's axes along which group sizes may differ."""
        before = self.kind[: self.kind.index(self.ragged)]
        return before if self.ragged in self.x_batch else self.x_batch + before


def _axes(x_ndim, y_ndim, numbers) -> _Axes:
    (x_contract, y_contract), (x_batch, y_batch) = numbers.dot_dimension_numbers
    group = numbers.rhs_group_dimensions[0] if numbers.rhs_group_dimensions else None
    return _Axes(
        x_contract, y_contract, x_batch, y_batch,
        tuple([i for i in range(x_ndim) if i not in (*x_contract, *x_batch)]),
        tuple([i for i in range(y_ndim) if i not in (*y_contract, *y_batch, group)]),
        numbers.lhs_ragged_dimensions[0], group,
    )


def _numbers(contract, batch, ragged: int, group: int | None) -> RaggedDotDimensionNumbers:
    return RaggedDotDimensionNumbers((contract, batch), (ragged,), () if group is None else (group,))


def _without(axes, gone: int | None) -> tuple[int, ...]:
    """Return the axes of an array after one of its axes is taken away."""
    return axes if gone is None else tuple([i - (i > gone) for i in axes])


ragged_dot_general = Primitive("ragged_dot_general")


# ---- type ---------------------------------------------------------------------------------------


@ragged_dot_general.type
def _(x, y, sizes, *, ragged_dot_dimension_numbers, precision, preferred_element_type, group_offset=None,
      out_sharding=None):
    name, numbers = "ragged_dot_general", ragged_dot_dimension_numbers
    if not dtypes.issubdtype(sizes.dtype, np.integer):
        raise TypeError(f"{name} requires that group_sizes.dtype is subtype of np.integer.")
    if len(numbers.lhs_ragged_dimensions) != 1:
        raise TypeError(f"{name} expects exactly one lhs ragged dimension.")
    if len(numbers.rhs_group_dimensions) > 1:
        raise TypeError(f"{name} expects at most one rhs group dimension.")
    a = _axes(x.ndim, y.ndim, numbers)
    for side, what, axis, ndim in (("lhs", "ragged", a.ragged, x.ndim), ("rhs", "group", a.group, y.ndim)):
        if axis is not None and not 0 <= axis < ndim:
            raise TypeError(
                f"{name} requires {side} {what} dimension numbers to be nonnegative and less than the number of "
                f"axes of the {side} value, got {axis} for {side} of rank {ndim}."
            )
    is_free = a.ragged in a.x_free
    if is_free and a.group is None:
        raise TypeError(
            f"{name} requires exactly one rhs group dimension when lhs ragged dimension is noncontracting."
        )
    if not is_free and a.group is not None:
        raise TypeError(
            f"{name} requires zero group dimensions in the rhs when lhs ragged dimension is contracting or batch."
        )
    if a.group in (*a.y_contract, *a.y_batch):
        raise TypeError(f"{name} requires the rhs group dimension to be neither contracting nor batch.")
    if not sizes.ndim:
        raise TypeError(f"expected rank of group_sizes to be at least 1, got {sizes.ndim}.")
    expected = (*[x.shape[i] for i in a.prefix], sizes.shape[-1])
    if sizes.ndim != 1 and sizes.shape != expected:
        raise TypeError(f"expected group_sizes to have shape {expected}, got {sizes.shape}.")
    if a.group is not None and y.shape[a.group] != sizes.shape[-1]:
        raise TypeError(f"expected rhs group dimension size to be {sizes.shape[-1]}, got {y.shape[a.group]}.")
    shape = list(y.shape)
    if a.group is not None:
        del shape[a.group]
    out = dot_general.infer(
        (x, y.update(shape=tuple(shape))),
        dict(_plain(a), precision=precision, preferred_element_type=preferred_element_type),
    )
    return out.update(shape=(sizes.shape[-1], *out.shape)) if a.is_contracted else out


def _plain(a: _Axes) -> dict:
    """Return the axes of the product of one group."""
    right = _without(a.y_contract, a.group), _without(a.y_batch, a.group)
    return dict(dimension_numbers=((a.x_contract, right[0]), (a.x_batch, right[1])))


# ---- evaluation ---------------------------------------------------------------------------------


@ragged_dot_general.evaluate
def _(x, y, sizes, *, ragged_dot_dimension_numbers, precision, preferred_element_type, group_offset=None,
      out_sharding=None):
    a = _axes(x.ndim, y.ndim, ragged_dot_dimension_numbers)
    options = dict(_plain(a), precision=precision, preferred_element_type=preferred_element_type)
    product = lambda x, y: dot_general.evaluate_rule(x, y, **options)
    if a.ragged in a.x_batch:
        return product(x, y)
    ends = np.cumsum(sizes, axis=-1, dtype=np.int64)
    starts = ends - sizes
    groups = range(sizes.shape[-1])
    right = [y if a.group is None else np.take(y, g, a.group) for g in groups]
    if sizes.ndim == 1:
        return _by_slices(x, right, a, zip(starts.tolist(), ends.tolist()), product)
    parts = [product(np.where(_inside(x, a, starts[..., g], ends[..., g]), x, x.dtype.type(0)), right[g])
             for g in groups]
    return np.stack(parts) if a.is_contracted else sum(parts[1:], parts[0])


def _by_slices(x, right, a: _Axes, bounds, product):
    """Return the same groups everywhere: each is a slice along the ragged axis."""
    part = lambda v, axis, low, high: v[(slice(None),) * axis + (slice(low, high),)]
    if a.is_contracted:
        axis = a.y_contract[a.x_contract.index(a.ragged)]
        return np.stack([
            product(part(x, a.ragged, *ends), part(y, axis, *ends)) for y, ends in zip(right, bounds)
        ])
    place = len(a.x_batch) + a.x_free.index(a.ragged)
    pieces, high = [], 0
    for y, (low, high) in zip(right, bounds):
        pieces.append(product(part(x, a.ragged, low, high), y))
    rest = part(x, a.ragged, high, None)
    pieces.append(np.zeros_like(product(rest, right[-1])))
    return np.concatenate(pieces, place)


def _inside(x, a: _Axes, start, end):
    """Return which elements of the left operand belong to the group between positions that vary along the prefix."""
    positions = np.arange(x.shape[a.ragged])
    mask = (start[..., None] <= positions) & (positions < end[..., None])
    axes = (*a.prefix, a.ragged)
    mask = np.transpose(mask, np.argsort(axes))
    return mask.reshape([n if i in axes else 1 for i, n in enumerate(x.shape)])


def by_masks(x, y, sizes, *, ragged_dot_dimension_numbers, precision, preferred_element_type, group_offset=None,
             out_sharding=None):
    """Return the product as a program of others, for engines that compile: one of each group, of zeros elsewhere."""
    a = _axes(x.ndim, y.ndim, ragged_dot_dimension_numbers)
    options = dict(_plain(a), precision=precision, preferred_element_type=preferred_element_type)
    if a.ragged in a.x_batch:
        return dot_general(x, y, **options)
    groups, total, parts = sizes.shape[-1], None, []
    ends = cumsum(sizes, axis=sizes.ndim - 1, reverse=False)
    starts = sub(ends, sizes)
    axes = a.prefix if sizes.ndim > 1 else ()
    places = iota(dtype=sizes.dtype, shape=x.shape, dimension=a.ragged, sharding=None)
    zeros = full(x.shape, 0, x.dtype)

    def of_group(v, g):
        part = slice_(v, start_indices=(*[0] * (v.ndim - 1), g), limit_indices=(*v.shape[:-1], g + 1), strides=None)
        part = reshape(part, new_sizes=v.shape[:-1], dimensions=None, sharding=None)
        return broadcast_in_dim(part, shape=x.shape, broadcast_dimensions=axes, sharding=None)

    for g in range(groups):
        inside = and_(le(of_group(starts, g), places), lt(places, of_group(ends, g)))
        right = y
        if a.group is not None:
            start = [g if i == a.group else 0 for i in range(y.ndim)]
            end = [g + 1 if i == a.group else n for i, n in enumerate(y.shape)]
            right = squeeze(slice_(y, start_indices=tuple(start), limit_indices=tuple(end), strides=None),
                            dimensions=(a.group,))
        part = dot_general(select_n(inside, zeros, x), right, **options)
        parts.append(part)
        total = part if total is None else add(total, part)
    return stack(*parts, axis=0) if a.is_contracted else total


ragged_dot_general.expand_rule = by_masks


# ---- derivatives --------------------------------------------------------------------------------


multilinear(ragged_dot_general, 0, 1)


@ragged_dot_general.transpose
def _(ct, x, y, sizes, *, ragged_dot_dimension_numbers, **params):
    is_left = is_undefined_primal(x)
    avals = [v.aval if is_undefined_primal(v) else aval_of(v) for v in (x, y)]
    aval = avals[not is_left]
    a = _axes(avals[0].ndim, avals[1].ndim, ragged_dot_dimension_numbers)
    if a.ragged in a.x_batch:
        rule = dot_general.transpose_rule
        options = dict(precision=params["precision"], preferred_element_type=params["preferred_element_type"])
        return [*rule(ct, x, y, **_plain(a), **options), None]
    batch = tuple(range(len(a.x_batch)))
    m, n = len(a.x_free), len(a.y_free)
    shift = len(batch) + a.is_contracted  # where the left operand's free axes are in `ct`
    rows, columns = tuple(range(shift, shift + m)), tuple(range(shift + m, shift + m + n))
    ct_batch = tuple([i + a.is_contracted for i in batch])
    contracted = sorted(zip(a.y_contract, a.x_contract))  # in the order of the right operand
    if is_left and a.is_contracted:
        # [b, k, n] of groups along k times [g, b, m, n] -> [b, k, m]
        ragged = a.y_contract[a.x_contract.index(a.ragged)]
        numbers = _numbers((a.y_free, columns), (a.y_batch, ct_batch), ragged, 0)
        out = ragged_dot_general(y, ct, sizes, ragged_dot_dimension_numbers=numbers, **params)
        order = (*a.x_batch, *[i for _, i in contracted], *a.x_free)
    elif is_left:
        # [b, m, n] of groups along m times [g, b, k, n] -> [b, m, k]
        ragged = rows[a.x_free.index(a.ragged)]
        numbers = _numbers((columns, a.y_free), (ct_batch, a.y_batch), ragged, a.group)
        out = ragged_dot_general(ct, y, sizes, ragged_dot_dimension_numbers=numbers, **params)
        order = (*a.x_batch, *a.x_free, *[i for _, i in contracted])
    elif a.is_contracted:
        # [b, m, k] of groups along k times [g, b, m, n] -> [b, k, n]
        numbers = _numbers((a.x_free, rows), (a.x_batch, ct_batch), a.ragged, 0)
        out = ragged_dot_general(x, ct, sizes, ragged_dot_dimension_numbers=numbers, **params)
        order = (*a.y_batch, *[i for _, i in sorted(zip(a.x_contract, a.y_contract))], *a.y_free)
    else:
        # [b, m, k] of groups along m times [b, m, n] -> [g, b, k, n]
        numbers = _numbers((a.x_free, rows), (a.x_batch, ct_batch), a.ragged, None)
        out = ragged_dot_general(x, ct, sizes, ragged_dot_dimension_numbers=numbers, **params)
        order = (a.group, *a.y_batch, *[i for _, i in sorted(zip(a.x_contract, a.y_contract))], *a.y_free)
    order = inverse(order)
    if order != tuple(range(len(order))):
        out = transpose(out, permutation=order)
    if out.dtype != aval.dtype:
        out = convert_element_type(out, new_dtype=aval.dtype, weak_type=False, sharding=None)
    return [out, None, None] if is_left else [None, out, None]


# ---- batching -----------------------------------------------------------------------------------


@ragged_dot_general.batch
def _(args, dims, *, ragged_dot_dimension_numbers, **params):
    size = next(v.shape[d] for v, d in zip(args, dims) if d is not None)
    x, y = (materialise_batch(v, d, size) for v, d in zip(args[:2], dims))
    a = _axes(x.ndim - 1, y.ndim - 1, ragged_dot_dimension_numbers)
    sizes, d = args[2], dims[2]
    if d is not None or aval_of(sizes).ndim > 1:
        sizes = materialise_batch(sizes, d, size)
        if sizes.ndim == 2 and a.prefix:
            shape = (size, *[x.shape[i + 1] for i in a.prefix], sizes.shape[1])
            ends = (0, len(shape) - 1)
            sizes = broadcast_in_dim(sizes, shape=shape, broadcast_dimensions=ends, sharding=None)
    up = lambda axes: tuple([i + 1 for i in axes])
    numbers = _numbers(
        (up(a.x_contract), up(a.y_contract)), ((0, *up(a.x_batch)), (0, *up(a.y_batch))), a.ragged + 1,
        None if a.group is None else a.group + 1,
    )
    out = ragged_dot_general(x, y, sizes, ragged_dot_dimension_numbers=numbers, **params)
    return out, int(a.is_contracted)


def _examples():
    for x, y, sizes, contract, batch, ragged, group in (
        ((5, 2), (3, 2, 4), [2, 1, 1], ((1,), (1,)), ((), ()), 0, 0),
        ((5, 2), (5, 3), [2, 0, 2], ((0,), (0,)), ((), ()), 0, None),
        ((2, 3), (2, 3), [1, 1], ((1,), (1,)), ((0,), (0,)), 0, None),
        ((2, 4, 3), (2, 2, 3, 2), [[1, 2], [3, 1]], ((2,), (2,)), ((0,), (1,)), 1, 0),
        ((4, 2, 3), (3, 2, 4), [[1, 2], [2, 1], [0, 4]], ((0,), (2,)), ((2,), (0,)), 0, None),
    ):
        params = dict(
            ragged_dot_dimension_numbers=_numbers(contract, batch, ragged, group), precision=None,
            preferred_element_type=None, group_offset=None, out_sharding=None,
        )
        f32 = dtypes.float32
        yield ShapedArray(x, f32), ShapedArray(y, f32), np.array(sizes, np.int32), params


ragged_dot_general.examples(*_examples())


# ---- scaled_dot ---------------------------------------------------------------------------------

scaled_dot = Primitive("scaled_dot")


@scaled_dot.type
def _(x, y, x_scale, y_scale, *, dimension_numbers, preferred_element_type):
    avals = dict(lhs=x, rhs=y, lhs_scale=x_scale, rhs_scale=y_scale)
    if len({v.ndim for v in avals.values()}) > 1:
        ranks = " ".join(f"{name} rank: {v.ndim}" for name, v in avals.items())
        raise TypeError(f"All input tensors must have the same rank. Got {ranks}.")
    for side, v, scale, contract in zip(("LHS", "RHS"), (x, y), (x_scale, y_scale), dimension_numbers[0]):
        for i, (n, m) in enumerate(zip(v.shape, scale.shape)):
            if i not in contract and n != m:
                raise TypeError(f"{side} dim {i} of size {n} does not match scale dim size {m}.")
            if i in contract and (m == 0 or n % m):
                raise TypeError(
                    f"{side} contracting dim {i} of size {n} must be divisible by its scale's dim size {m}."
                )
    wide = [v.update(dtype=np.dtype(np.float32)) for v in (x, y)]  # any dtype can be that of the sums
    return dot_general.infer(
        wide,
        dict(dimension_numbers=dimension_numbers, precision=None, preferred_element_type=preferred_element_type),
    )


@scaled_dot.evaluate
def _(x, y, x_scale, y_scale, *, dimension_numbers, preferred_element_type):
    sums = preferred_element_type if preferred_element_type.kind in "fc" else np.float32
    wide = np.result_type(np.float32, sums, *[v.dtype for v in (x, y) if v.dtype.kind == "c"])
    return dot_general.evaluate_rule(
        _scaled(x.astype(wide), x_scale.astype(wide)), _scaled(y.astype(wide), y_scale.astype(wide)),
        dimension_numbers=dimension_numbers, precision=None, preferred_element_type=preferred_element_type,
    )


def _scaled(x, scale):
    """Multiply each block of elements by its scale."""
    for i, (n, m) in enumerate(zip(x.shape, scale.shape)):
        if n != m:
            scale = np.repeat(scale, n // m, i)
    return x * scale


@scaled_dot.batch
def _(args, dims, *, dimension_numbers, preferred_element_type):
    size = next(v.shape[d] for v, d in zip(args, dims) if d is not None)
    args = [materialise_batch(v, d, size) for v, d in zip(args, dims)]
    up = lambda axes: tuple([i + 1 for i in axes])
    contract, batch = dimension_numbers
    numbers = (tuple(map(up, contract)), tuple([(0, *up(axes)) for axes in batch]))
    return scaled_dot(*args, dimension_numbers=numbers, preferred_element_type=preferred_element_type), 0


scaled_dot.examples(
    (
        ShapedArray((2, 4), dtypes.float8_e4m3fn), ShapedArray((4, 3), dtypes.float8_e4m3fn),
        ShapedArray((2, 2), dtypes.float8_e8m0fnu), ShapedArray((1, 3), dtypes.float8_e8m0fnu),
        dict(dimension_numbers=(((1,), (0,)), ((), ())), preferred_element_type=dtypes.bfloat16),
    ),
)


def by_scaling(x, y, x_scale, y_scale, *, dimension_numbers, preferred_element_type):
    """Return the product as a program of others, for engines that compile."""
    sums = preferred_element_type if preferred_element_type.kind in "fc" else np.float32
    wide = np.result_type(np.float32, sums, *[v.dtype for v in (x, y) if v.dtype.kind == "c"])
    as_wide = lambda v: convert_element_type(v, new_dtype=wide, weak_type=False, sharding=None)

    def scaled(v, scale):
        pairs = [(m, n // m) for n, m in zip(v.shape, scale.shape)]
        blocks = broadcast_in_dim(
            as_wide(scale), shape=tuple([k for pair in pairs for k in pair]),
            broadcast_dimensions=tuple(range(0, 2 * v.ndim, 2)), sharding=None)
        return mul(as_wide(v), reshape(blocks, new_sizes=v.shape, dimensions=None, sharding=None))

    return dot_general(scaled(x, x_scale), scaled(y, y_scale), dimension_numbers=dimension_numbers, precision=None,
                       preferred_element_type=preferred_element_type)


scaled_dot.expand_rule = by_scaling
