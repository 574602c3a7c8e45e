"""Numbers in a row: ranges, evenly spaced numbers, and the grids that they span.

Tests: `tests/numpy/test_families.py`.
"""

from __future__ import annotations

import operator
from math import ceil
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.messages.errors import axis_out_of_range, message
from ..core.options.config import numpy_dtype_promotion
from ..core.trace import state
from ..core.types import Array, aval_of
from ..core.values.dimension import Dimension, as_length, as_number, greater
from ..engines.numpy.spacing import evenly_spaced, is_regrouped
from ..lax.shape import canonical_shape
from ..prims.arithmetic import add, div, floor, mul, sign, sub
from ..prims.conversion import convert_element_type
from ..prims.shape import (
    broadcast_in_dim,
    concatenate,
    insert_axes,
    iota,
    move_axis,
    reshape,
    stack,
)
from ..sharding.explicit import told_sharding
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from ..transforms.vmap import vmap
from .conversion import asarray, placed
from .division import power
from .elementary import log10
from .fills import filled, stretched_together
from .promotion import broadcast_shape, check_arraylike, check_rank_promotion, constant, convert, known

__all__ = [
    "arange", "fromfunction", "geomspace", "indices", "linspace", "logspace", "meshgrid", "mgrid", "ogrid",
]


def arange(
    start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None
) -> Array:
    """Return the numbers from `start` up to, and without, `stop`.

    Args:
      start, stop, step: scalars, known while tracing; a single one is the stop, and the start is 0.
      dtype: default their common dtype.
      device, out_sharding: where to put it.
    Returns:
      An array with one axis: ``start``, ``start + step``, and so on, below ``stop``.
      The dtype is `dtype`, by default the one to which those of the arguments promote.
    Raises:
      ConcretizationTypeError: an argument is a traced value.
    See also: `linspace`, `lax.iota`, `indices`.

    >>> jnp.arange(2, 8, 3)
    Array([2, 5], dtype=int32)
    """
    name = "stop" if stop is None else "start"
    given = [(name, start), ("stop", stop), ("step", step)]
    values = [
        (name, known(x, f"It arose in the jnp.arange argument '{name}'"))
        for name, x in given if x is not None
    ]
    if not values:
        raise TypeError(
            message(
                "jnp.arange requires a number as start or stop, got None.",
                fix="jnp.arange(stop), or jnp.arange(start, stop, step)",
            )
        )
    for name, x in values:
        if np.ndim(x):
            raise ValueError(
                message(
                    f"jax.numpy.arange: arguments must be scalars; got {name}={x}",
                    fix="jnp.arange(len(x)) for the positions of an array, jnp.arange(int(x[0])) for one element",
                )
            )
        if isinstance(x, complex):
            raise ValueError(
                "Passing complex start/stop/step to jnp.arange is no longer supported. "
                "Try: jnp.arange(n) * step + start"
            )
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "arange")
    else:
        dtype = dtypes.lattice_result_type(*[x for _, x in given if x is not None])[0]
    numbers: dict[str, Any] = {"start": 0, "step": 1, **dict(values)}
    first, by = numbers["start"], numbers["step"]
    n = _count(first, numbers["stop"], by)
    is_told = out_sharding is not None and device is None and state.trace.stages
    out = iota(
        dtype=dtype, shape=(n,), dimension=0,
        sharding=told_sharding("jnp.arange", out_sharding) if is_told else None)
    if step is not None:
        out = mul(_wrapped(by, dtype), out)
    if step is not None or first != 0:
        out = add(_wrapped(first, dtype), out)
    return out if is_told else placed("jnp.arange", out, device, out_sharding)


def _count(start, stop, step) -> int:
    """Return how many numbers there are from `start` up to `stop`."""
    if isinstance(start, Dimension) or isinstance(stop, Dimension):
        return greater(0, (stop - start + step - (1 if step > 0 else -1)) // step)
    if not step:
        raise ZeroDivisionError(message("division by zero", why="step is 0.", fix="jnp.linspace(start, stop, n)"))
    return max(0, ceil((stop - start) / step))


def _wrapped(x, dtype):
    """Return a Python scalar in a dtype; ints wrap, floats become ints towards zero."""
    if isinstance(x, Dimension):
        return as_number(x, dtype)
    if type(x) is float and dtypes.issubdtype(dtype, np.integer):
        x = int(x)
    return np.array(x).astype(dtype)[()]


# ---- evenly spaced ------------------------------------------------------------------------------

_MAX_NUMBERS_OF_NUMPY = 2**16  # of more, compiled code takes far less time than NumPy


def linspace(
    start, stop, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype=None,
    axis: int = 0, *, device=None,
):
    """Return `num` numbers from `start` to `stop`, evenly spaced.

    Args:
      start, stop: scalars or arrays, which broadcast.
      num: how many, known while tracing.
      endpoint: whether `stop` is the last one.
      retstep: also return the distance from one to the next.
      dtype: default the common float dtype; integers are rounded down.
      axis: where in the result the numbers are.
      device: where to put it.
    Returns:
      An array with `num` numbers along `axis`; a pair of it and the step with `retstep`.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.
    See also: `arange`, `logspace`, `geomspace`.

    >>> jnp.linspace(0, 1, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    num = known(num, "'num' argument of jnp.linspace")
    if not hasattr(num, "__index__") and not isinstance(num, Dimension):
        raise TypeError(
            message(
                f"'{type(num).__name__}' object cannot be interpreted as an integer",
                why=f"num is how many numbers there are, got {num!r}.",
                fix="jnp.linspace(start, stop, int(n)), or jnp.arange(start, stop, step)",
            )
        )
    num = as_length(num)
    axis = operator.index(known(axis, "'axis' argument of jnp.linspace"))
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "linspace")
    check_arraylike("linspace", start, stop)
    make = _linspace
    of_numbers = np.ndim(start) == np.ndim(stop) == 0 and not state.trace.stages
    if of_numbers and not isinstance(num, Dimension) and 1 < num <= _MAX_NUMBERS_OF_NUMPY:
        dtype = dtype or _inexact(dtype, start, stop)
        make, start, stop = _linspace_of_numbers, asarray(start), asarray(stop)
    out = make(start, stop, num, endpoint, retstep, dtype, axis)
    put = lambda x: placed("jnp.linspace", x, device)
    return (put(out[0]), out[1]) if retstep else put(out)


def _bounds(start, stop):
    """Return both ends of a range, of one shape."""
    check_rank_promotion("subtract", (stop.shape, start.shape))
    shape = broadcast_shape(start.shape, stop.shape)
    return stretched_together((start, stop), shape)


@inner_jit(name="_linspace", operation="linspace", static_argnames=("num", "endpoint", "retstep", "dtype", "axis"))
def _evenly_spaced(start, stop, num, endpoint, retstep, dtype, axis):
    if num < 0:
        raise ValueError(
            message(
                f"Number of samples, {num}, must be non-negative.",
                fix="max(num, 0), for a number that is computed",
            )
        )
    inexact = _inexact(dtype, start, stop)
    dtype = dtype or inexact
    start, stop = (_strong(x, inexact) for x in (start, stop))
    start, stop = _bounds(start, stop)
    bounds, rank = start.shape, start.ndim + 1
    axis = _axis(axis, rank)
    steps = num - 1 if endpoint else num
    delta = None
    counted = lambda x: as_number(steps, aval_of(x).dtype) if isinstance(steps, Dimension) else constant(x, steps)
    if num > 1:
        delta = div(sub(stop, start), counted(start))
        real = dtypes.to_real_dtype(inexact)
        fraction = iota(dtype=real, shape=(steps,), dimension=0, sharding=None)
        if rank > 1:
            fraction = _reshaped(fraction, (1,) * axis + (steps,) + (1,) * (rank - 1 - axis))
        fraction = convert(div(fraction, counted(fraction)), inexact)
        # (1 - t) start + t stop meets stop exactly, which start + t step does not.
        shape = _with_one(bounds, axis)
        first = mul(_reshaped(start, shape), sub(constant(fraction, 1), fraction))
        out = add(first, mul(_reshaped(stop, shape), fraction))
        if endpoint:
            out = concatenate(out, insert_axes(stop, (axis,)), dimension=axis)
    elif num == 1:
        if not endpoint:
            delta = sub(stop, start)
        out = _reshaped(start, _with_one(bounds, axis))
    else:
        out = filled((*bounds[:axis], 0, *bounds[axis:]), 0, inexact)
    if dtypes.issubdtype(dtype, np.integer):
        out = floor(out)
    out = convert(out, dtype)
    if not retstep:
        return out
    return out, filled((), np.nan, inexact) if delta is None else delta


def _of_numbers(start, stop, num, endpoint, retstep, dtype, axis):
    """Return what `linspace` is of two numbers, as XLA's code computes it."""
    inexact = dtypes.to_inexact_dtype(dtype)
    if not is_regrouped(inexact):
        return NotImplemented
    out, step = evenly_spaced(start, stop, num - 1 if endpoint else num, inexact)
    if endpoint:
        out = np.append(out, stop.astype(inexact))
    if dtypes.issubdtype(dtype, np.integer):
        out = np.floor(out)
    out = convert_element_type.evaluate_rule(out, new_dtype=dtype)
    return (out, step) if retstep else out


_linspace = replayed(_evenly_spaced, scalars=True, static=(2, 3, 4, 5, 6), compiles_after=WORTH)
_linspace_of_numbers = replayed(_evenly_spaced, numpy=_of_numbers, mixed=True, traced_from=0)


def _inexact(dtype, *xs):
    """Return the dtype in which to compute: that of the result if it is given, else the operands'."""
    if dtype is None:
        avals = map(aval_of, xs)
        dtype = dtypes.result_of(tuple([(a.dtype, a.weak_type) for a in avals]))[0]
    return dtypes.to_inexact_dtype(dtype)


def _strong(x, dtype):
    """Return `x` as an array of a dtype, not weak."""
    x = asarray(x)
    if x.dtype == dtype and not x.weak_type:
        return x
    return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise axis_out_of_range(axis, rank, np.exceptions.AxisError)
    return axis % rank


def _with_one(shape, axis):
    return (*shape[:axis], 1, *shape[axis:])


def _reshaped(x, shape):
    return reshape(x, new_sizes=shape, dimensions=None, sharding=None)


def logspace(
    start, stop, num: int = 50, endpoint: bool = True, base=10.0, dtype=None, axis: int = 0
) -> Array:
    """Return `num` numbers from `base ** start` to `base ** stop`, with evenly spaced exponents.

    Args:
      start, stop, num, endpoint, dtype, axis: as for `linspace`.
      base: a scalar or an array.
    Returns:
      An array with `num` entries along the axis: powers of the base, with exponents at equal distances.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.

    >>> jnp.logspace(0, 3, 4, base=2.)
    Array([1., 2., 4., 8.], dtype=float32)
    """
    num = operator.index(known(num, "'num' argument of jnp.logspace"))
    axis = operator.index(known(axis, "'axis' argument of jnp.logspace"))
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "logspace")
    return _logspace(start, stop, num, endpoint, base, dtype, axis)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3, 5, 6))
@inner_jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _logspace(start, stop, num, endpoint, base, dtype, axis):
    check_arraylike("logspace", start, stop)
    inexact = _inexact(dtype, start, stop)
    start, stop = (_strong(x, inexact) for x in (start, stop))
    exponents = _linspace(start, stop, num, endpoint, False, None, axis)
    return convert(power(base, exponents), dtype or inexact)


def geomspace(
    start, stop, num: int = 50, endpoint: bool = True, dtype=None, axis: int = 0
) -> Array:
    """Return `num` numbers from `start` to `stop`, each the same multiple of the one before.

    Args:
      start, stop, num, endpoint, dtype, axis: as for `linspace`.
    Returns:
      An array with `num` entries along the axis, each the same factor greater than that before.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.

    >>> jnp.geomspace(1, 100, 3)
    Array([  1.      ,  10.      , 100.      ], dtype=float32)
    """
    num = operator.index(known(num, "'num' argument of jnp.geomspace"))
    axis = operator.index(known(axis, "'axis' argument of jnp.geomspace"))
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "geomspace")
    return _geomspace(start, stop, num, endpoint, dtype, axis)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3, 4, 5))
@inner_jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _geomspace(start, stop, num, endpoint, dtype, axis):
    check_arraylike("geomspace", start, stop)
    inexact = _inexact(dtype, start, stop)
    start, stop = (_strong(x, inexact) for x in (start, stop))
    start, stop = _bounds(start, stop)
    unit = sign(start)
    exponents = log10(div(start, unit)), log10(div(stop, unit))
    out = _logspace(*exponents, num, endpoint, 10.0, None, 0)
    out = mul(insert_axes(unit, (0,)) if unit.shape else unit, out)
    return convert(move_axis(out, 0, _axis(axis, unit.ndim + 1)), dtype or inexact)


# ---- grids --------------------------------------------------------------------------------------


def meshgrid(*xi, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[Array]:
    """Return the coordinates of a grid, an array for each axis.

    Args:
      xi: the coordinates along each axis, of rank 1.
      copy: only True.
      sparse: leave length 1 to the axes along which a coordinate does not change.
      indexing: "xy" puts the first coordinate on the second axis, "ij" on the first.
    Returns:
      A list with an array for each of `xi`, all of the shape of the grid: the coordinate of each of its points.
    Raises:
      TypeError: `xi` is not an array or scalar; lists are not converted.

    >>> jnp.meshgrid(jnp.array([1, 2]), jnp.array([3, 4, 5]), indexing="ij")[0]
    Array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)
    """
    check_arraylike("meshgrid", *xi)
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    if indexing not in ("xy", "ij"):
        raise ValueError(
            message(
                f"Valid values for indexing are 'xy' and 'ij', got {indexing}",
                fix="indexing='ij' for matrices, 'xy' for plots",
            )
        )
    args = [asarray(x) for x in xi]
    if any(a.ndim != 1 for a in args):
        raise ValueError(
            message(
                f"Arguments to jax.numpy.meshgrid must be 1D, got shapes {[a.shape for a in args]}",
                fix="the coordinates along each axis: jnp.meshgrid(jnp.arange(n), jnp.arange(m))",
            )
        )
    order = list(range(len(args)))
    if indexing == "xy" and len(args) >= 2:
        order[:2] = 1, 0
    args = [args[i] for i in order]
    shape = tuple(a.shape[0] for a in args)
    grids = [_along(a, i, shape, sparse) for i, a in enumerate(args)]
    return [grids[i] for i in order]


def _along(x, i: int, shape, sparse: bool):
    """Return `x` along axis `i` of a grid."""
    if sparse:
        shape = tuple(n if i == j else 1 for j, n in enumerate(shape))
    if len(shape) == 1:
        return x
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=(i,), sharding=None)


def indices(dimensions, dtype=None, sparse: bool = False):
    """Return the indices of every element of an array of a shape: `[rank, *dimensions]`.

    Args:
      dimensions: the shape.
      dtype: default int32.
      sparse: return a tuple with an array for each axis, of length 1 along the others.
    Returns:
      An array of integers with one axis more, or a tuple of arrays.
    Raises:
      TypeError: `dimensions` are not integers.

    >>> jnp.indices((2, 2))
    Array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]], dtype=int32)
    """
    static = "The dimensions argument of jnp.indices() decides the shape of the result."
    shape = canonical_shape([known(n, static) for n in dimensions])
    dtype = dtypes.check_user_dtype_supported(int if dtype is None else dtype, "indices")
    ramps = [iota(dtype=dtype, shape=(n,), dimension=0, sharding=None) for n in shape]
    grids = [_along(x, i, shape, sparse) for i, x in enumerate(ramps)]
    if sparse:
        return tuple(grids)
    return stack(*grids, axis=0) if grids else filled((0,), 0, dtype)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """Return an array whose element at each index is a function of the index.

    Args:
      function: takes an index as one scalar for each axis; it is mapped over them.
      shape: the shape of the result.
      dtype: of the indices.
      **kwargs: further arguments of the function, which are mapped over too.
    Returns:
      An array of that shape, of the dtype of what the function returns; what it returns with axes has these behind.
    Raises:
      TypeError: `function` is not a function, or `shape` has a negative length.

    >>> jnp.fromfunction(lambda i, j: 10 * i + j, (2, 3), dtype=int)
    Array([[ 0,  1,  2],
           [10, 11, 12]], dtype=int32)
    """
    shape = canonical_shape(shape, " shape argument of jnp.fromfunction()")
    for i in reversed(range(len(shape))):
        function = vmap(function, in_axes=tuple(0 if i == j else None for j in range(len(shape))))
    return function(*[arange(n, dtype=dtype) for n in shape], **kwargs)


def spanned(s: slice, name: str) -> Array:
    """The numbers that a slice in the brackets of `name` spans, in the dtype of its bounds; imaginary steps count."""
    start, stop, step = 0 if s.start is None else s.start, s.stop, 1 if s.step is None else s.step
    numbers = [None if x is None else known(x, f"slice of jnp.{name}") for x in (start, stop, step)]
    start, stop, step = (
        x.dtype.type(n) if isinstance(x, Array) and not x.weak_type else n if isinstance(x, Array) else x
        for x, n in zip((start, stop, step), numbers)
    )
    if isinstance(numbers[2], complex):
        return linspace(start, stop, int(abs(numbers[2])))
    return arange(start, stop, step)


class _Grid:
    """`mgrid[0:3, 0:1:5j]`: the grid that slices span; an imaginary step counts points."""

    def __init__(self, name: str, sparse: bool):
        self._name = name
        self._sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return spanned(key, self._name)
        with numpy_dtype_promotion("standard"):  # the rows are not the caller's arrays
            rows = [self._row(k) for k in key]
            dtype = dtypes.result_type(*rows) if rows else dtypes.default_int()
        rows = [convert(r, dtype) for r in rows]
        grids = meshgrid(*rows, indexing="ij", sparse=self._sparse)
        if self._sparse:
            return grids
        return stack(*grids, axis=0) if grids else filled((0,), 0, dtype)

    def _row(self, s: slice):
        if not isinstance(s, slice):
            raise TypeError(f"jnp.{self._name} takes slices, got {s!r}.")
        return spanned(s, self._name)

    def __repr__(self):
        return f"jnp.{self._name}"


mgrid = _Grid("mgrid", False)
ogrid = _Grid("ogrid", True)
