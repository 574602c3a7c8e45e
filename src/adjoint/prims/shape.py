"""Primitives that move elements, and the helpers that put batch axes in place.

What changes the shape of one array comes first; then what joins arrays and takes them apart; then
what makes arrays from nothing. Every `evaluate` rule returns a view where NumPy can. `reduce_sum` is
here because it is the transpose of a broadcast. Slices and `pad` are in `slicing.py`, indexing with
arrays in `indexing.py`.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from operator import methodcaller
from typing import Any

import numpy as np

from ..core.dtypes import WIDE, ExtendedDType, bfloat16, issubdtype
from ..core.messages.errors import axis_out_of_range, message
from ..core.placement import placements
from ..core.primitive import Primitive, is_undefined_primal
from ..core.trace import state
from ..core.types import ShapedArray, aval_of
from ..core.values.dimension import may_equal
from ..core.values.numbers import as_typed
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from ..sharding.device import MemorySpace
from ..sharding.explicit import of_cotangent, reordered, with_batch_axis, with_mapped_axis
from .domains import NUMBER, check_dtype
from .summation import MAX_ELEMENTS_IN_ANY_ORDER, accumulated, total

__all__ = [
    "broadcast_in_dim", "concatenate", "empty", "full", "iota", "reduce_sum", "reshape", "rev", "split",
    "squeeze", "stack", "tile", "transpose", "unstack",
]

_f32, _i32 = np.dtype("float32"), np.dtype("int32")


# ---- broadcast_in_dim ---------------------------------------------------------------------------

broadcast_in_dim = Primitive("broadcast_in_dim", linear=True)
broadcast_in_dim.exact("biufc")
broadcast_in_dim.sharding(rules.broadcast)


@broadcast_in_dim.type
def _(x, *, shape, broadcast_dimensions, sharding=None):
    where = f"broadcast_dimensions {broadcast_dimensions} for operand ndim {x.ndim}"
    if any(n < 0 for n in shape):
        raise TypeError(
            message(
                f"broadcast_in_dim shape must have every element be nonnegative, got {shape}.",
                why="A length below 0 is often a difference of two that came out negative.",
                fix="max(n, 0), or look at what n is computed from",
            )
        )
    if len(shape) < x.ndim:
        raise TypeError(
            "broadcast_in_dim target broadcast shape must have equal or higher rank to the operand "
            f"shape; got operand ndim {x.ndim} and target broadcast ndim {len(shape)}."
        )
    if len(broadcast_dimensions) != x.ndim:
        raise TypeError(
            "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got "
            f"{where}."
        )
    if any(not 0 <= d < len(shape) for d in broadcast_dimensions):
        raise TypeError(
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got "
            f"{broadcast_dimensions} for operand ndim {x.ndim} and shape {shape}."
        )
    if any(n not in (1, shape[d]) for d, n in zip(broadcast_dimensions, x.shape)):
        raise TypeError(
            message(
                "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
                "corresponding dimensions in the target broadcast shape; got operand of shape "
                f"{x.shape}, target broadcast shape {shape}, broadcast_dimensions "
                f"{broadcast_dimensions} ",
                fix="jnp.broadcast_to(x, shape), which aligns axes from the last",
            )
        )
    if any(a >= b for a, b in zip(broadcast_dimensions, broadcast_dimensions[1:])):
        raise TypeError(
            f"broadcast_in_dim broadcast_dimensions must be strictly increasing; got {where}."
        )
    return ShapedArray(shape, x.dtype, x.weak_type)


@broadcast_in_dim.evaluate
def _(x, *, shape, broadcast_dimensions, sharding=None):
    if len(broadcast_dimensions) != len(shape):
        lengths = [1] * len(shape)
        for d, n in zip(broadcast_dimensions, x.shape):
            lengths[d] = n
        x = np.reshape(x, lengths)
    if x.shape == shape:
        return x
    return np.broadcast_to(x, shape)


@broadcast_in_dim.transpose
def _(ct, x, *, shape, broadcast_dimensions, sharding=None):
    lengths = x.aval.shape
    kept = {d for d, n in zip(broadcast_dimensions, lengths) if n == shape[d]}
    summed = tuple(d for d in range(len(shape)) if d not in kept)
    if summed:
        ct = reduce_sum(ct, axes=summed, out_sharding=None)
    stretched = [i for i, d in enumerate(broadcast_dimensions) if d not in kept]
    return [insert_axes(ct, tuple(stretched)) if stretched else ct]


@broadcast_in_dim.batch
def _(args, dims, *, shape, broadcast_dimensions, sharding=None):
    x = batch_to_front(args[0], dims[0])
    out = broadcast_in_dim(
        x,
        shape=(x.shape[0], *shape),
        broadcast_dimensions=(0, *(d + 1 for d in broadcast_dimensions)),
        sharding=with_batch_axis(sharding, 0),
    )
    return out, 0


broadcast_in_dim.examples(
    (ShapedArray((), _f32), dict(shape=(2, 3), broadcast_dimensions=())),
    (ShapedArray((3,), _f32), dict(shape=(2, 3), broadcast_dimensions=(1,))),
    (ShapedArray((1, 3), _i32), dict(shape=(2, 3), broadcast_dimensions=(0, 1))),
    (ShapedArray((2, 1), _f32), dict(shape=(2, 4, 3), broadcast_dimensions=(0, 2))),
    (ShapedArray((0,), _f32), dict(shape=(2, 0), broadcast_dimensions=(1,))),
)


def full(shape: tuple[int, ...], value, dtype, weak_type: bool = False):
    """Return an array filled with a scalar; a scalar itself for shape `()`."""
    value = dtype.type(value)
    if weak_type:
        value = value.item()
    if dtype in WIDE:
        value = as_typed(value, ShapedArray((), dtype, weak_type))
    if not shape and not isinstance(dtype, ExtendedDType):
        return value
    return broadcast_in_dim(value, shape=shape, broadcast_dimensions=(), sharding=None)


def zeros_of(aval: ShapedArray, weak_type: bool = False):
    """Return zeros of the shape and dtype of a type, divided as it says."""
    if aval.placement is None or aval.explicit_sharding is None:
        return full(aval.shape, 0, aval.dtype, weak_type)
    zero = full((), 0, aval.dtype, weak_type)
    return broadcast_in_dim(zero, shape=aval.shape, broadcast_dimensions=(), sharding=aval.explicit_sharding)


# ---- reduce_sum ---------------------------------------------------------------------------------


def check_axes(name, x, axes) -> tuple[int, ...]:
    """The shape that is left after reducing `axes`; a ValueError and IndexError for one that is not there, because JAX
    raises the one, and the other under `vmap`.
    """
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate value in 'axes' of reduction: {axes}")
    if any(not 0 <= a < x.ndim for a in axes):
        raise np.exceptions.AxisError(
            f"reduction axes {axes} contains out-of-bounds indices for {x.str_short()}.\n"
            f"  An axis of {name} is at least 0 and less than {x.ndim}.\n  Try: axis % x.ndim"
        )
    return tuple([n for i, n in enumerate(x.shape) if i not in axes])


def batch_reduction(p):
    """The batch rule of a reduction with parameter `axes`."""

    def rule(args, dims, *, axes, **params):
        (x,), (d,) = args, dims
        inner = tuple([a + (a >= d) for a in axes])
        return p(x, axes=inner, **params), d - sum(a < d for a in inner)

    return rule


def reduction_calls(*types) -> list:
    """Return calls of each operand type with one axis, all axes, none, and an empty axis."""
    return [
        (ShapedArray(shape, dtype), dict(axes=axes))
        for dtype in types
        for shape, axes in (((2, 3), (1,)), ((2, 3, 2), (0, 2)), ((2, 3), ()), ((0, 3), (0,)))
    ]


reduce_sum = Primitive("reduce_sum", linear=True)
reduce_sum.exact("biu")
reduce_sum.sharding(rules.reduced("axes"))
reduce_sum.sums(sums.reduced_over)


@reduce_sum.type
def _(x, *, axes, out_sharding=None):
    shape = check_axes("reduce_sum", x, axes)
    check_dtype("reduce_sum", NUMBER, x.dtype)
    return ShapedArray(shape, x.dtype, x.weak_type)


@reduce_sum.evaluate
def _(x, *, axes, out_sharding=None):
    add = np.add.reduce if x.size <= MAX_ELEMENTS_IN_ANY_ORDER else total
    return accumulated(add, x, axes) if axes else x  # 0 + -0 is 0


@reduce_sum.transpose
def _(ct, x, *, axes, out_sharding=None):
    if not x.aval.shape:
        return [ct]
    kept = tuple([i for i in range(x.aval.ndim) if i not in axes])
    return [broadcast_in_dim(ct, shape=x.aval.shape, broadcast_dimensions=kept, sharding=of_cotangent(x.aval))]


reduce_sum.batch(batch_reduction(reduce_sum))
reduce_sum.examples(*reduction_calls(_f32, _i32, np.dtype("complex64"), bfloat16))


# ---- reshape, transpose, squeeze, rev ----------------------------------------------------------

reshape = Primitive("reshape", linear=True)
reshape.exact("biufc")
reshape.sharding(rules.reshaped)


@reshape.type
def _(x, *, new_sizes, dimensions, sharding=None):
    if any(n < 0 for n in new_sizes):
        raise TypeError(f"reshape new_sizes must all be positive, got {new_sizes}.")
    if not may_equal(prod(new_sizes), x.size):
        raise ValueError(
            f"reshape total size must be unchanged, got new_sizes {new_sizes} (size "
            f"{prod(new_sizes)}) for shape {x.shape} (size {x.size})."
        )
    if dimensions is not None and sorted(dimensions) != list(range(x.ndim)):
        raise TypeError(
            "reshape dimensions must be a permutation of operand dimensions, got dimensions "
            f"{dimensions} for shape {x.shape}."
        )
    return ShapedArray(new_sizes, x.dtype, x.weak_type)


@reshape.evaluate
def _(x, *, new_sizes, dimensions, sharding=None):
    if dimensions is not None:
        x = np.transpose(x, dimensions)
    return np.reshape(x, new_sizes)


@reshape.transpose
def _(ct, x, *, new_sizes, dimensions, sharding=None):
    shape = x.aval.shape
    if dimensions is None:
        divided = x.aval.explicit_sharding is not None or aval_of(ct).explicit_sharding is not None
        target = reordered(x.aval, tuple(range(len(shape))), aval_of(ct)) if divided else None
        return [reshape(ct, new_sizes=shape, dimensions=None, sharding=target)]
    permuted = tuple([shape[d] for d in dimensions])
    if ct.shape != permuted:
        ct = reshape(ct, new_sizes=permuted, dimensions=None, sharding=None)
    return [transpose(ct, permutation=inverse(dimensions))]


@reshape.batch
def _(args, dims, *, new_sizes, dimensions, sharding=None):
    x = batch_to_front(args[0], dims[0])
    new_sizes = (x.shape[0], *new_sizes)
    if dimensions is not None:
        dimensions = (0, *(d + 1 for d in dimensions))
    elif new_sizes == x.shape and sharding is None:
        return x, 0
    return reshape(x, new_sizes=new_sizes, dimensions=dimensions, sharding=with_batch_axis(sharding, 0)), 0


reshape.examples(
    (ShapedArray((2, 3), _f32), dict(new_sizes=(3, 2), dimensions=None)),
    (ShapedArray((2, 3), _f32), dict(new_sizes=(6,), dimensions=(1, 0))),
    (ShapedArray((), _f32), dict(new_sizes=(1, 1), dimensions=None)),
    (ShapedArray((0, 3), _i32), dict(new_sizes=(0,), dimensions=None)),
)

transpose = Primitive("transpose", linear=True)
transpose.exact("biufc")
transpose.sharding(rules.transposed)


@transpose.type
def _(x, *, permutation):
    if sorted(permutation) != list(range(x.ndim)):
        raise TypeError(
            message(
                "transpose permutation isn't a permutation of operand dimensions, got permutation "
                f"{permutation} for operand shape {x.shape}.",
                why=f"Each of the axes {tuple(range(x.ndim))} must occur once.",
                fix="x.T to reverse the axes, x.mT for the last two, jnp.swapaxes(x, i, j) or jnp.moveaxis(x, i, j)",
            )
        )
    return ShapedArray(tuple([x.shape[i] for i in permutation]), x.dtype, x.weak_type)


@transpose.evaluate
def _(x, *, permutation):
    return np.transpose(x, permutation)


@transpose.specialize
def _(x, *, permutation):
    return methodcaller("transpose", permutation)


def inverse(permutation) -> tuple[int, ...]:
    """The permutation that undoes this one."""
    out = [0] * len(permutation)
    for i, p in enumerate(permutation):
        out[p] = i
    return tuple(out)


@transpose.transpose
def _(ct, x, *, permutation):
    return [transpose(ct, permutation=inverse(permutation))]


@transpose.batch
def _(args, dims, *, permutation):
    (x,), (d,) = args, dims
    return transpose(x, permutation=(d, *(i + (i >= d) for i in permutation))), 0


transpose.examples(
    (ShapedArray((2, 3), _f32), dict(permutation=(1, 0))),
    (ShapedArray((2, 3, 4), _i32), dict(permutation=(2, 0, 1))),
    (ShapedArray((), _f32), dict(permutation=())),
)

squeeze = Primitive("squeeze", linear=True)
squeeze.exact("biufc")
squeeze.sharding(rules.squeezed)


@squeeze.type
def _(x, *, dimensions):
    for d in dimensions:
        if not 0 <= d < x.ndim or x.shape[d] != 1:
            ones = tuple([i for i, n in enumerate(x.shape) if n == 1])
            raise ValueError(
                message(
                    "cannot select an axis to squeeze out which has size not equal to one, got "
                    f"shape={x.shape} and dimensions={dimensions}",
                    why=f"Axes of length 1: {', '.join(map(str, ones)) or 'none'}.",
                    fix=f"x.reshape(...) to merge axes, x[{':, ' * d}0] for one element of axis {d}"
                    + (f", or axis={ones}" if ones else ""),
                )
            )
    return ShapedArray(
        tuple([n for i, n in enumerate(x.shape) if i not in dimensions]), x.dtype, x.weak_type
    )


@squeeze.evaluate
def _(x, *, dimensions):
    return np.squeeze(x, dimensions)


@squeeze.transpose
def _(ct, x, *, dimensions):
    return [insert_axes(ct, dimensions)]


@squeeze.batch
def _(args, dims, *, dimensions):
    x = batch_to_front(args[0], dims[0])
    return squeeze(x, dimensions=tuple(i + 1 for i in dimensions)), 0


squeeze.examples(
    (ShapedArray((1, 3), _f32), dict(dimensions=(0,))),
    (ShapedArray((1, 3, 1), _i32), dict(dimensions=(0, 2))),
)

rev = Primitive("rev", linear=True)
rev.exact("biufc")
rev.sharding(rules.of_operand(0))


@rev.type
def _(x, *, dimensions):
    if len(set(dimensions)) != len(dimensions):
        raise TypeError(f"rev dimensions must be unique, got {dimensions}.")
    if any(d < 0 for d in dimensions):
        raise TypeError(f"rev dimensions must have every element be nonnegative, got {dimensions}.")
    if any(d >= x.ndim for d in dimensions):
        raise TypeError(
            f"rev dimensions must all be less than operand ndim, got dimensions {dimensions} for "
            f"operand ndim {x.ndim}."
        )
    return x


@rev.evaluate
def _(x, *, dimensions):
    return np.flip(x, dimensions)


@rev.transpose
def _(ct, x, *, dimensions):
    return [rev(ct, dimensions=dimensions)]


@rev.batch
def _(args, dims, *, dimensions):
    (x,), (d,) = args, dims
    return rev(x, dimensions=tuple([i + (i >= d) for i in dimensions])), d


rev.examples(
    (ShapedArray((2, 3), _f32), dict(dimensions=(1,))),
    (ShapedArray((2, 0), _i32), dict(dimensions=(0, 1))),
)

# ---- joining and taking apart -------------------------------------------------------------------


def _check_joined(name, xs) -> None:
    """Operands that are joined have one dtype and one rank."""
    if any(x.dtype != xs[0].dtype for x in xs):
        raise TypeError(
            message(
                f"lax.{name} requires arguments to have the same dtypes, got "
                f"{', '.join(x.dtype.name for x in xs)}. (Tip: jnp.{name} is a similar function that "
                "does automatic type promotion on inputs).",
                why="Functions of lax do not promote.",
                fix=f"jnp.{name}, or x.astype({xs[0].dtype.name!r}) for the others",
            )
        )
    if any(x.ndim != xs[0].ndim for x in xs):
        error = TypeError if name == "concatenate" else ValueError
        most = max(xs, key=lambda x: x.ndim)
        raise error(
            message(
                f"Cannot {name} arrays with different numbers of dimensions: got {_shapes(xs)}.",
                why=_odd_ones(xs, lambda x: x.ndim != most.ndim, f"{most.ndim} axes"),
                fix="x[None] for a single row, x[:, None] for a column, or jnp.vstack, jnp.column_stack",
            )
        )


def _shapes(xs) -> str:
    return ", ".join(str(x.shape) for x in xs)


def _odd_ones(xs, is_odd, rule: str) -> str:
    """Return which of the operands that are joined do not fit."""
    odd = [f"{i} is {x.str_short(True)}" for i, x in enumerate(xs) if is_odd(x)]
    return f"Not all have {rule}: number {', '.join(odd[:3])}{', ...' if len(odd) > 3 else ''}."


def _other_axis(xs, dimension: int) -> str:
    """The axis along which arrays can be joined, if there is one, as advice."""
    for i in range(xs[0].ndim):
        rest = {x.shape[:i] + x.shape[i + 1 :] for x in xs}
        if i != dimension and len(rest) == 1:
            return f"axis={i}, along which they can be joined"
    return "x.T where an array is the wrong way round, or cut or jnp.pad arrays to equal lengths"


concatenate = Primitive("concatenate", linear=True)
concatenate.exact("biufc")
concatenate.sharding(rules.concatenated)


@concatenate.type
def _(*xs, dimension):
    if not xs:
        raise TypeError(message("concatenate expects at least one operand, got 0.", fix="jnp.zeros((0, n)) for none"))
    _check_joined("concatenate", xs)
    if not 0 <= dimension < xs[0].ndim:
        raise TypeError(
            message(
                f"concatenate dimension out of bounds: dimension {dimension} for shapes {_shapes(xs)}.",
                why=f"The operands have {xs[0].ndim} axes, numbered from 0.",
                fix="jnp.stack(arrays, axis) for a new axis, or jnp.concatenate, which also counts axes from the last",
            )
        )
    first = xs[0].shape
    before, after = first[:dimension], first[dimension + 1 :]
    if any(x.shape[:dimension] != before or x.shape[dimension + 1 :] != after for x in xs):
        raise TypeError(
            message(
                "Cannot concatenate arrays with shapes that differ in dimensions other than the one "
                f"being concatenated: concatenating along dimension {dimension} for shapes "
                f"{_shapes(xs)}.",
                why=_odd_ones(
                    xs, lambda x: x.shape[:dimension] != before or x.shape[dimension + 1 :] != after,
                    f"the lengths of the first one, {first}, in the other axes",
                ),
                fix=_other_axis(xs, dimension),
            )
        )
    length = sum([x.shape[dimension] for x in xs])
    weak = all(x.weak_type for x in xs)
    return ShapedArray((*before, length, *after), xs[0].dtype, weak)


@concatenate.evaluate
def _(*xs, dimension):
    return np.concatenate(xs, dimension)


@concatenate.transpose
def _(ct, *xs, dimension):
    sizes = tuple([(x.aval if is_undefined_primal(x) else aval_of(x)).shape[dimension] for x in xs])
    parts = split(ct, sizes=sizes, axis=dimension)
    return [part if is_undefined_primal(x) else None for x, part in zip(xs, parts)]


def _aligned(args, dims):
    """The operands with a batch axis in one place: where all have it, else in front."""
    if dims.count(dims[0]) == len(dims):
        return args, dims[0]
    size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
    return [materialise_batch(x, d, size) for x, d in zip(args, dims)], 0


@concatenate.batch
def _(args, dims, *, dimension):
    size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
    lined = [materialise_batch(x, d, size) for x, d in zip(args, dims)]
    return concatenate(*lined, dimension=dimension + 1), 0


concatenate.examples(
    (ShapedArray((2, 3), _f32), ShapedArray((1, 3), _f32), dict(dimension=0)),
    (
        ShapedArray((2, 3), _i32), ShapedArray((2, 0), _i32), ShapedArray((2, 1), _i32),
        dict(dimension=1),
    ),
)

stack = Primitive("stack", linear=True)
stack.exact("biufc")
stack.sharding(rules.stacked)


@stack.type
def _(*xs, axis):
    _check_joined("stack", xs)
    shape = xs[0].shape
    if any(x.shape != shape for x in xs):
        raise ValueError(f"All arrays to stack must have the same shape: got {_shapes(xs)}.")
    weak = all(x.weak_type for x in xs)
    return ShapedArray((*shape[:axis], len(xs), *shape[axis:]), xs[0].dtype, weak)


@stack.evaluate
def _(*xs, axis):
    return np.stack(xs, axis)


@stack.transpose
def _(ct, *xs, axis):
    parts = unstack(ct, axis=axis)
    return [part if is_undefined_primal(x) else None for x, part in zip(xs, parts)]


@stack.batch
def _(args, dims, *, axis):
    if None in dims:
        n = next(a.shape[d] for a, d in zip(args, dims) if d is not None)
        return stack(*[materialise_batch(a, d, n) for a, d in zip(args, dims)], axis=axis + 1), 0
    args, d = _aligned(args, dims)
    return stack(*args, axis=axis + (axis > d)), d + (axis <= d)


stack.examples(
    (ShapedArray((2, 3), _f32), ShapedArray((2, 3), _f32), dict(axis=1)),
    (ShapedArray((), _i32), ShapedArray((), _i32), ShapedArray((), _i32), dict(axis=0)),
    (ShapedArray((2, 0), _f32), dict(axis=2)),
)

unstack = Primitive("unstack", multiple_results=True, linear=True)
unstack.exact("biufc")
unstack.sharding(rules.unstacked)


@unstack.type
def _(x, *, axis):
    part = ShapedArray(x.shape[:axis] + x.shape[axis + 1 :], x.dtype, x.weak_type)
    return [part] * x.shape[axis]


@unstack.evaluate
def _(x, *, axis):
    return list(np.moveaxis(x, axis, 0))


@unstack.transpose
def _(cts, x, *, axis):
    return [stack(*map(instantiated, cts), axis=axis)]


def instantiated(t):
    """A tangent or cotangent as a value: zeros are made real."""
    return full(t.aval.shape, 0, t.aval.dtype, t.aval.weak_type) if type(t) is Zero else t


@unstack.batch
def _(args, dims, *, axis):
    (x,), (d,) = args, dims
    axis = axis + (axis >= d)
    return unstack(x, axis=axis), d - (axis < d)


unstack.examples((ShapedArray((2, 3), _f32), dict(axis=1)), (ShapedArray((1,), _i32), dict(axis=0)))

split = Primitive("split", multiple_results=True, linear=True)
split.exact("biufc")
split.sharding(rules.kept)


@split.type
def _(x, *, sizes, axis):
    if any(n < 0 for n in sizes):
        raise ValueError(f"Sizes passed to split must be nonnegative, got {list(sizes)}")
    if not 0 <= axis < x.ndim:
        raise axis_out_of_range(axis, x.ndim)
    if sum(sizes) != x.shape[axis]:
        raise ValueError(
            f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the operand shape "
            f"{list(x.shape)}"
        )
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    return [ShapedArray((*before, n, *after), x.dtype, x.weak_type) for n in sizes]


@split.evaluate
def _(x, *, sizes, axis):
    return np.split(x, list(accumulate(sizes))[:-1], axis) if sizes else []


@split.transpose
def _(cts, x, *, sizes, axis):
    parts = [*map(instantiated, cts)]
    return parts if len(parts) == 1 else [concatenate(*parts, dimension=axis)]


@split.batch
def _(args, dims, *, sizes, axis):
    (x,), (d,) = args, dims
    return split(x, sizes=sizes, axis=axis + (axis >= d)), d


split.examples(
    (ShapedArray((4, 3), _f32), dict(sizes=(1, 0, 3), axis=0)),
    (ShapedArray((2, 3), _i32), dict(sizes=(3,), axis=1)),
)

tile = Primitive("tile", linear=True)
tile.exact("biufc")
tile.sharding(rules.tiled)


@tile.type
def _(x, *, reps):
    if len(reps) != x.ndim:
        raise TypeError(
            "reps length must be equal to the ndim of x, got "
            f"len(reps)={len(reps)} and x.ndim={x.ndim}."
        )
    if any(n < 0 for n in reps):
        raise TypeError(f"tile reps must have every element be nonnegative, got {reps}.")
    return ShapedArray(tuple([n * m for n, m in zip(x.shape, reps)]), x.dtype, x.weak_type)


@tile.evaluate
def _(x, *, reps):
    return np.tile(x, reps) if reps else x


@tile.transpose
def _(ct, x, *, reps):
    apart = tuple([n for pair in zip(reps, x.aval.shape) for n in pair])
    ct = reshape(ct, new_sizes=apart, dimensions=None, sharding=None)
    return [reduce_sum(ct, axes=tuple(range(0, 2 * len(reps), 2)), out_sharding=None)]


@tile.batch
def _(args, dims, *, reps):
    (x,), (d,) = args, dims
    return tile(x, reps=(*reps[:d], 1, *reps[d:])), d


tile.examples(
    (ShapedArray((2, 3), _f32), dict(reps=(2, 1))),
    (ShapedArray((3,), _i32), dict(reps=(0,))),
    (ShapedArray((), _f32), dict(reps=())),
)

# ---- from nothing -------------------------------------------------------------------------------

iota = Primitive("iota")
iota.exact("biufc")


@iota.type
def _(*, dtype, shape, dimension, sharding=None):
    if any(n < 0 for n in shape):
        raise TypeError(
            message(
                f"iota shape must have every element be nonnegative, got {shape}.",
                fix="max(n, 0), for a length that is computed",
            )
        )
    if not any(issubdtype(dtype, kind) for kind in (np.integer, np.floating, np.complexfloating)):
        raise TypeError(
            f"iota does not accept dtype {dtype.name}. Accepted dtypes are subtypes of integer, "
            "floating, complexfloating."
        )
    if not 0 <= dimension < len(shape):
        raise ValueError(
            "iota dimension must be between 0 and len(shape), got dimension="
            f"{dimension} for shape={shape}"
        )
    return ShapedArray(shape, dtype)


@iota.evaluate
def _(*, dtype, shape, dimension, sharding=None):
    n = shape[dimension]
    if dtype.kind in "iu" and n > np.iinfo(dtype).max:
        ramp = np.arange(n).astype(dtype)  # wraps
    else:
        ramp = np.arange(n, dtype=dtype) if dtype.kind in "iuf" else np.arange(n).astype(dtype)
    if len(shape) == 1:
        return ramp
    return np.broadcast_to(ramp.reshape([-1] + [1] * (len(shape) - dimension - 1)), shape)


iota.examples(
    (dict(dtype=_i32, shape=(3,), dimension=0),),
    (dict(dtype=_f32, shape=(2, 3), dimension=0),),
    (dict(dtype=np.dtype("uint8"), shape=(2, 0), dimension=1),),
)

# Zeros: memory with unknown contents would make programs that read it differ from run to run.
empty = Primitive("empty")
empty.type(lambda *, shape, dtype, out_sharding=None: ShapedArray(shape, dtype))
empty.evaluate(lambda *, shape, dtype, out_sharding=None: np.zeros(shape, dtype))
empty.examples((dict(shape=(2, 3), dtype=_f32),))

# One number that does not matter, in a memory.
empty2 = Primitive("empty2")
empty2.type(lambda *, dtype, memory_space: ShapedArray((), np.dtype(dtype)))
empty2.evaluate(lambda *, dtype, memory_space: np.zeros((), dtype))
empty2.examples((dict(dtype=_f32, memory_space=MemorySpace.Device),))


# ---- batch axes ---------------------------------------------------------------------------------


def move_axis(x, source: int, target: int):
    """Return `x` with one axis moved; nothing is staged when it is in place already."""
    if source == target:
        return x
    order = [i for i in range(x.ndim) if i != source]
    order.insert(target, source)
    return transpose(x, permutation=tuple(order))


def batch_to_front(x, d: int):
    return move_axis(x, d, 0)


def insert_axes(x, axes: tuple[int, ...]):
    """Return `x` with new axes of length 1 at these positions of the result."""
    x_aval = aval_of(x)
    rank = x_aval.ndim + len(axes)
    kept = tuple([i for i in range(rank) if i not in axes])
    lengths = iter(x_aval.shape)
    shape = tuple([1 if i in axes else next(lengths) for i in range(rank)])
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=kept, sharding=None)


def materialise_batch(x, d: int | None, size: int, at: int = 0, axis: Any = None):
    """Return `x` with its batch axis at a position, repeated `size` times if it has none.

    It is divided, and varies, as `axis` says, which is the axis that is being mapped where there is none.
    """
    if d is not None:
        return move_axis(x, d, at)
    axis = state.mapped_over if axis is None else axis
    division, varies = (None, ()) if axis is None else (axis.division, axis.varies)
    x = placements.rules.varying(x, varies) if varies else x
    aval = aval_of(x)
    axes, shape = [i for i in range(aval.ndim + 1) if i != at], (*aval.shape[:at], size, *aval.shape[at:])
    target = None if division is None else with_mapped_axis(aval, at, size, division).explicit_sharding
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=tuple(axes), sharding=target)
