"""`x.at[idx]`: updated copies of an array, `x.at[idx].set(v)`, `.add(v)`, ..., and `.get` with
options.

A concrete array outside of staging with a basic index is copied and updated by NumPy; everything
else is a scatter over the windows and positions of the index's `Plan`. Positions out of range are
left out unless `mode` says otherwise.

Tests: `tests/numpy/test_indexing.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import prod

import numpy as np

from ..array.array import ArrayImpl, as_array, deleted, make_array
from ..core import dtypes
from ..core.messages.advice import assigned
from ..core.messages.boundaries import guarded
from ..core.messages.errors import advise, message, warn
from ..core.options.config import local
from ..core.trace import state
from ..core.types import Array, aval_of
from ..lax.slicing import scatter_apply
from ..parallel.arrays import with_out_sharding
from ..prims import indexing as indexed
from ..prims.indexed_windows import GatherScatterMode, ScatterDimensionNumbers
from ..prims.indexing import combiner
from ..prims.shape import broadcast_in_dim, full, insert_axes, rev, squeeze
from ..prims.summation import REPEATED, added_at
from .conversion import asarray
from .index_plan import BASIC, Parsed, Plan, Undetermined, for_numpy, index_operand, parse, plan_of
from .indexing import getitem, read
from .promotion import convert
from .windows_at import has_window, window_of

__all__ = ["as_before", "as_values", "at"]

# What an update does: the ufunc that does it on the spot (None to replace) and the primitive.
_UPDATES: dict[str, tuple] = {
    "set": (None, indexed.scatter),
    "add": (np.add, indexed.scatter_add),
    "subtract": (np.subtract, indexed.scatter_sub),
    "multiply": (np.multiply, indexed.scatter_mul),
    "min": (np.minimum, indexed.scatter_min),
    "max": (np.maximum, indexed.scatter_max),
}


def at(x: Array) -> _IndexUpdateHelper:
    """`x.at`: index it, then say what to do there.

    ============================  =================================
    ``x.at[idx].get()``           ``x[idx]``, with options
    ``x.at[idx].set(y)``          ``x[idx] = y``
    ``x.at[idx].add(y)``          ``x[idx] += y``
    ``x.at[idx].subtract(y)``     ``x[idx] -= y``
    ``x.at[idx].multiply(y)``     ``x[idx] *= y``
    ``x.at[idx].divide(y)``       ``x[idx] /= y``
    ``x.at[idx].power(y)``        ``x[idx] **= y``
    ``x.at[idx].min(y)``          ``x[idx] = minimum(x[idx], y)``
    ``x.at[idx].max(y)``          ``x[idx] = maximum(x[idx], y)``
    ``x.at[idx].apply(ufunc)``    ``ufunc.at(x, idx)``
    ============================  =================================

    None of them changes `x`; each returns the array that would result. An element that is named
    several times is updated several times, except by `set`, where any of its values may remain.

    All take the options `mode` ("drop" or "fill", the default for updates, "clip",
    "promise_in_bounds"), `indices_are_sorted` and `unique_indices` (promises), and
    `wrap_negative_indices` (True).

    >>> jnp.zeros(3).at[1].set(5.)
    Array([0., 5., 0.], dtype=float32)
    """
    return _IndexUpdateHelper(x)


@guarded
class _IndexUpdateHelper:
    """`x.at`."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def __getitem__(self, index):
        return _IndexUpdateRef(self.array, index)

    def __setitem__(self, index, value):
        raise TypeError(
            message(
                "'_IndexUpdateHelper' object does not support item assignment",
                why="x.at[idx] is a description of a place; its methods return a new array.",
                fix=advise(assigned, "x = x.at[idx].set(values)"),
            )
        )

    def __call__(self, *_, **__):
        raise TypeError(
            message("'_IndexUpdateHelper' object is not callable", why="x.at is indexed.", fix="x.at[i].set(values)")
        )

    def __getattr__(self, name):
        text = f"'_IndexUpdateHelper' object has no attribute '{name}'"
        fix = f"x.at[i].{name}(...), or x.at[...].{name}(...) for all" if hasattr(_IndexUpdateRef, name) else None
        raise AttributeError(text if name.startswith("__") else message(text, why="x.at is indexed first.", fix=fix))

    def __repr__(self):
        return f"_IndexUpdateHelper({self.array!r})"


_ARGUMENTS = """\
Args:
  values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
  indices_are_sorted: the positions are in order.
  unique_indices: no position occurs twice.
  mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
    that there are none.
  out_sharding: sharding of the result over a mesh of explicit axes.
  wrap_negative_indices: count negative positions from the end.
"""


@guarded
def _method(name: str, what: str):
    """Return one way to update: a method of `x.at[idx]`."""

    def method(
        self, values, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode=None,
        out_sharding=None, wrap_negative_indices: bool = True,
    ) -> Array:
        if out_sharding is not None:
            options = dict(indices_are_sorted=indices_are_sorted, unique_indices=unique_indices, mode=mode,
                           wrap_negative_indices=wrap_negative_indices)
            update = lambda x, index, values: method(_IndexUpdateRef(x, index), values, **options)
            return with_out_sharding(f".{name}", out_sharding, update, self.array, self.index, values)
        if has_window(self.index):
            part, index, put_back = window_of(self.array, self.index, writes=True)
            return put_back(method(_IndexUpdateRef(part, index), values, mode=mode), mode)
        x, options = self.array, (indices_are_sorted, unique_indices, wrap_negative_indices)
        if name in _UPDATES:
            return _update(name, x, self.index, values, mode, *options)
        ones = as_array(full(x.shape, 1, x.dtype, x.weak_type))  # of no axes it is a number
        by = _update("multiply", ones, self.index, values, mode, *options)
        return getattr(import_module(__package__), name)(x, by)

    method.__name__ = name
    method.__qualname__ = f"_IndexUpdateRef.{name}"
    method.__doc__ = f"Return the array after `{what}`.\n\n{_ARGUMENTS}"
    return method


@guarded
def _refused(symbol: str) -> Callable:
    """Return what refuses `x.at[idx] += values`, which would change an array."""

    def refuse(self, other):
        raise TypeError(
            message(
                f"unsupported operand type(s) for {symbol}: '_IndexUpdateRef' and '{type(other).__name__}'",
                why="x.at[idx] is a description of a place; its methods return a new array.",
                fix=advise(assigned, "x = x.at[idx].add(values)"),
            )
        )

    return refuse


class _IndexUpdateRef:
    """`x.at[idx]`."""

    __slots__ = ("array", "index")

    def __init__(self, array, index):
        self.array = array
        self.index = index

    def __repr__(self):
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(
        self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode=None,
        fill_value=None, out_sharding=None, wrap_negative_indices: bool = True,
    ) -> Array:
        """Return `x[idx]`.

        Args:
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "clip" (default) reads the nearest element, "fill" gives `fill_value`,
            "promise_in_bounds" says that there are none.
          fill_value: default, NaN, or the least integer (the greatest of unsigned ones).
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.

        >>> jnp.arange(3).at[10].get(mode="fill", fill_value=-1)
        Array(-1, dtype=int32)
        """
        options = indices_are_sorted, unique_indices, wrap_negative_indices
        if out_sharding is not None:
            get = lambda x, index: read(x, index, mode, fill_value, *options)
            return with_out_sharding(".get", out_sharding, get, self.array, self.index)
        if mode is None and options == (False, False, True):
            return getitem(self.array, self.index)
        return read(self.array, self.index, mode, fill_value, *options)

    __iadd__, __isub__, __imul__ = _refused("+="), _refused("-="), _refused("*=")
    __itruediv__, __ipow__ = _refused("/="), _refused("**=")
    set = _method("set", "x[idx] = values")
    add = _method("add", "x[idx] += values")
    subtract = _method("subtract", "x[idx] -= values")
    multiply = mul = _method("multiply", "x[idx] *= values")
    divide = _method("divide", "x[idx] /= values")
    power = _method("power", "x[idx] **= values")
    min = _method("min", "x[idx] = minimum(x[idx], values)")
    max = _method("max", "x[idx] = maximum(x[idx], values)")

    def apply(
        self, func: Callable, *, indices_are_sorted: bool = False, unique_indices: bool = False,
        mode=None, wrap_negative_indices: bool = True,
    ) -> Array:
        """Return the array after `func.at(x, idx)`, for a function of a scalar that keeps its dtype."""
        x = self.array

        def applied(x, plan, indices):
            return scatter_apply(
                x, indices, func, _numbers(plan), update_shape=plan.core_shape, mode=mode,
                indices_are_sorted=indices_are_sorted, unique_indices=unique_indices,
            )

        try:
            parsed = parse(self.index, x.shape)
        except Undetermined:
            return x._apply_masked(self.index, func)
        return _scattered(x, parsed, applied, wrap_negative_indices)


# ---- on the spot --------------------------------------------------------------------------------


_MAX_ELEMENTS_OF_UFUNC_AT = 4096  # ufunc.at is slow on several axes: more elements than this are left to the primitive


def _at_once(x: ArrayImpl, idx, ufunc, values):
    """Return the updated copy, if NumPy can make it and would make the same; else None."""
    if state.trace.stages or not state.bottom.takes_parts:
        return None
    idx = idx if type(idx) is tuple else (idx,)
    may_repeat = False
    for e in idx:
        if type(e) not in BASIC:
            idx = for_numpy(idx)
            if idx is None:
                return None
            may_repeat = any(type(e) is np.ndarray for e in idx)
            break
    buffer, aval = x._buffer, x.aval
    if buffer is None:
        raise deleted(x)
    values = _plain(values, aval.dtype)
    if values is None or (ufunc is not None and aval.dtype.kind == "b"):
        return None
    out = np.array(buffer)
    try:
        if ufunc is None and np.ndim(values) == 0:
            out[idx] = values
            return make_array(out, aval)
        part = out[idx]
        if np.ndim(values) > part.ndim:
            return None
        if ufunc is None:
            out[idx] = values
        elif not may_repeat:
            out[idx] = ufunc(part, values)
        elif part.size > REPEATED and out.ndim == 1 and _added_up(ufunc, out, idx[0], values, part.shape):
            pass
        elif out.ndim > 1 and _has_many(ufunc, out.dtype, idx):
            return None
        elif part.size <= _MAX_ELEMENTS_OF_UFUNC_AT or out.ndim == 1:
            ufunc.at(out, idx, out.dtype.type(values) if np.ndim(values) == 0 else values)
        else:
            return None
    except (IndexError, ValueError, TypeError):
        return None  # out of range, or an error that NumPy words otherwise
    return make_array(out, aval)


def _has_many(ufunc, dtype, idx) -> bool:
    """Return whether a place may have many values added to it."""
    sizes = [e.size for e in idx if type(e) is np.ndarray]
    return ufunc in (np.add, np.subtract) and dtypes.issubdtype(dtype, np.inexact) and max(sizes) > REPEATED


def _added_up(ufunc, out, at, values, shape) -> bool:
    """Return whether many values are added to some places of a sequence, so that digits would be lost."""
    if type(at) is not np.ndarray or at.dtype.kind == "b" or not dtypes.issubdtype(out.dtype, np.inexact):
        return False
    places = np.where(at < 0, at + len(out), at).reshape(-1)
    if places.min() < 0 or places.max() >= len(out):
        raise IndexError
    rows = np.broadcast_to(np.asarray(values, out.dtype), shape).reshape(-1, 1)
    return added_at(ufunc, out[:, None], places, rows)


def _plain(values, dtype):
    """Return a value that assigns to arrays of `dtype` and loses nothing on the way, or None."""
    kind = type(values)
    if kind is ArrayImpl:
        if values.aval.dtype is not dtype and values.aval.dtype != dtype:
            return None
        return values._buffer
    if kind is float or kind is int:
        if dtype.kind == "f" and (kind is float or values.bit_length() < 32):
            return values
        if kind is int and dtype.kind == "i" and -128 <= values < 128:
            return values
    elif kind is bool and dtype.kind == "b":
        return values
    return None


# ---- by primitives ------------------------------------------------------------------------------


def _update(name, x, idx, values, mode, is_sorted, unique, wrap) -> Array:
    """Return the updated array."""
    ufunc, p = _UPDATES[name]
    if type(x) is ArrayImpl and mode is None and wrap:
        out = _at_once(x, idx, ufunc, values)
        if out is not None:
            return out
    try:
        parsed = parse(idx, x.shape)
    except Undetermined:
        return x._update_masked(name, idx, values, mode)
    mode = GatherScatterMode.from_any(mode)
    aval = x.aval
    values = _operand(values)
    weak = aval.weak_type and aval_of(values).weak_type
    values, dtype = as_values(values, x)
    if dtype != aval.dtype or weak != aval.weak_type:  # it is computed in the common type, and the result converted
        x = convert(x, dtype, weak)

    def scattered(x, plan, indices):
        only_scalars = not plan.has_arrays
        return p(
            x,
            indices,
            _placed(values, plan),
            dimension_numbers=_numbers(plan),
            indices_are_sorted=bool(is_sorted) or only_scalars,
            unique_indices=bool(unique) or only_scalars,
            mode=mode,
            update_jaxpr=None if ufunc is None else combiner(p, dtype),
            update_consts=(),
        )

    return as_before(_scattered(x, parsed, scattered, wrap), aval)


def as_before(out, aval) -> Array:
    """An updated array in the dtype and weakness that it had."""
    if out.dtype == aval.dtype and out.weak_type == aval.weak_type:
        return out
    if out.size and out.dtype != aval.dtype:
        dtypes.warn_of_lost_parts(out.dtype, aval.dtype)
    return convert(out, aval.dtype, aval.weak_type)


def _scattered(x, parsed: Parsed, scattered, wrap) -> Array:
    """Run a scatter of (array, plan, indices), with the axes that bools in the index stand for."""
    inserted = parsed.inserted
    if inserted:
        x = insert_axes(x, inserted)
    plan = plan_of(x.shape, parsed.tokens)
    if 0 in plan.core_shape:
        out = x
    else:
        out = scattered(x, plan, index_operand(plan, parsed.arrays, wrap))
    return squeeze(out, dimensions=inserted) if inserted else out


def _numbers(plan: Plan) -> ScatterDimensionNumbers:
    return ScatterDimensionNumbers(*plan.numbers)


def _operand(values):
    """Return values that have a dtype: an array, or a number as it is."""
    if isinstance(values, (Array, np.generic)) or type(values) in (bool, int, float, complex):
        return values
    return asarray(values)


def as_values(values, x):
    """The values in the dtype that they and `x` promote to, and that dtype; a warning if it is not that of `x`."""
    values = _operand(values)
    if type(values) is bool and x.dtype.kind in "iu":
        values = int(values)                    # JAX parity: also where no dtypes are promoted
    if type(values) is int and x.dtype.kind == "u" and 0 <= values <= np.iinfo(x.dtype).max:
        return x.dtype.type(values), x.dtype    # which may be more than fits the default integer
    own = values.dtype if isinstance(values, Array) else aval_of(values).dtype
    dtype = x.dtype
    if isinstance(own, dtypes.ExtendedDType) or isinstance(dtype, dtypes.ExtendedDType):
        return values, dtype
    # JAX parity: `x` counts as strongly typed
    if own != dtype and (common := dtypes.result_type(values, dtype)) != dtype:
        warn(
            message(
                "scatter inputs have incompatible types: cannot safely cast value from "
                f"dtype={own.name} to dtype={dtype.name} with "
                f"jax_numpy_dtype_promotion={_promotion_name()}. In future JAX releases this will "
                "result in an error.",
                where=None,
            ),
            FutureWarning,
        )
        dtype = common
    if isinstance(values, Array):
        return convert(values, dtype), dtype
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(own).astype(dtype)[()], dtype


def _promotion_name() -> str:
    value = local.numpy_dtype_promotion
    return getattr(value, "value", value)


def _placed(values, plan: Plan):
    """Values broadcast to the shape of `x[idx]`, then laid out as the scatter's updates."""
    shape = np.shape(values) if not isinstance(values, Array) else values.shape
    if not shape:
        if not plan.core_shape:
            return values
        shape = plan.core_shape
        return broadcast_in_dim(values, shape=shape, broadcast_dimensions=(), sharding=None)
    target = plan.shape
    if shape != target:
        _check_fit(values, shape, target)
        last = tuple(range(len(target) - len(shape), len(target)))
        values = broadcast_in_dim(values, shape=target, broadcast_dimensions=last, sharding=None)
    if plan.new_axes:
        values = squeeze(values, dimensions=plan.new_axes)
    return rev(values, dimensions=plan.reversed_axes) if plan.reversed_axes else values


def _check_fit(values, shape, target) -> None:
    if len(shape) > len(target):
        raise ValueError(
            message(
                f"Cannot broadcast to shape with fewer dimensions: arr_shape={shape} "
                f"shape={target}",
                why=f"The index selects {prod(target)} elements of shape {target}.",
                fix="values[0], or values.reshape(x[idx].shape)",
            )
        )
    if any(n not in (1, m) for n, m in zip(reversed(shape), reversed(target))):
        aval = aval_of(values)
        wanted = aval.update(shape=target)
        raise ValueError(
            message(
                f"Incompatible types for broadcasting: input type={aval.str_short()} and requested "
                f"type={wanted.str_short()}",
                why="The values must broadcast to the shape that the index selects.",
                fix="x[idx].shape shows that shape",
            )
        )
