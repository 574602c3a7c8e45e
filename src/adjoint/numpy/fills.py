"""Arrays made from nothing but a shape: of one value, of ones on a diagonal or below it.

While a program is traced they are written into it as operations (`broadcast_in_dim 0.0`, `iota`).

Tests: `tests/numpy/test_standard_arrays.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array
from ..array.sharded_array import place_for_shape
from ..core import dtypes
from ..core.messages.errors import InconclusiveDimensionOperation, message, shorten
from ..core.trace import Tracer, state
from ..core.types import Array, ShapedArray, aval_of, type_of
from ..core.values.dimension import Dimension, check_lengths
from ..engines.numpy.memory import exhausted
from ..engines.placed.device_put import target_of
from ..lax.shape import canonical_shape, keys_of_words, sequence_shape
from ..prims.arithmetic import add
from ..prims.collective import varying_like
from ..prims.conversion import convert_element_type
from ..prims.family import fill
from ..prims.logic import eq, ge, select_n
from ..prims.shape import broadcast_in_dim, iota
from ..prims.shape import full as full_of_dtype
from ..prims.sharding import resharded
from ..sharding.device import here, sharding_said_by
from ..sharding.explicit import broadcast_sharding, told_sharding
from ..sharding.layout import Format
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from .conversion import constant_of, placed, settled
from .promotion import check_arraylike, convert

__all__ = [
    "empty", "empty_like", "eye", "full", "full_like", "identity", "ones", "ones_like", "tri", "tril", "triu",
    "zeros", "zeros_like",
]


_MIN_ELEMENTS_ON_DEVICE = 2**14  # elements, from which an accelerator fills its memory itself


# ---- from a shape -------------------------------------------------------------------------------


def filled(shape: tuple[int, ...], value, dtype, weak: bool = False, sharding=None) -> Array:
    """An array of one value, a Python or NumPy scalar of that dtype; `sharding` is for programs alone: `_told`."""
    if shape and any([n < 0 for n in shape]):
        raise TypeError(
            message(
                f"broadcast_in_dim shape must have every element be nonnegative, got {shape}.",
                why="A length below 0 is often a difference of two that came out negative.",
                fix="max(n, 0), or look at what n is computed from",
            )
        )
    if isinstance(dtype, dtypes.KeyDType):
        return keys_of_words(value, shape, dtype)
    aval = ShapedArray(shape, dtype, weak)
    if shape and (state.trace.stages or (here.plugin is not None and prod(shape) >= _MIN_ELEMENTS_ON_DEVICE)):
        scalar = convert(value, dtype, True) if weak else full_of_dtype((), value, dtype)
        return broadcast_in_dim(scalar, shape=shape, broadcast_dimensions=(), sharding=sharding)
    if type(value) is int and value == 0:
        return constant_of(_filled(aval, np.zeros, shape, dtype), aval)
    return constant_of(_filled(aval, np.full, shape, value, dtype), aval, value)


def _filled(aval: ShapedArray, make: Callable[..., np.ndarray], *parameters) -> np.ndarray:
    """Return what a function of NumPy makes; JaxRuntimeError if there is no memory for it."""
    try:
        return make(*parameters)
    except (TypeError, InconclusiveDimensionOperation):
        check_lengths(aval.shape)
        raise
    except MemoryError as error:
        raise exhausted(error, f"an array {aval.str_short(True)}") from None


def _dtype_for(name: str, dtype, shape):
    """Return the dtype that the user of a function of a shape asked for."""
    if dtype is None:
        return dtypes.default_float()
    if isinstance(dtype, int) and not isinstance(dtype, type):
        raise TypeError(
            message(
                f"Cannot interpret '{dtype}' as a data type.",
                fix=f"jnp.{name}(({shape}, {dtype})): the shape is a single tuple",
            )
        )
    return dtypes.check_user_dtype_supported(dtype, name)


def zeros(shape, dtype=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of zeros.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 0.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.
    See also: `ones`, `full`, `zeros_like`, `empty`.

    >>> jnp.zeros((2, 3))
    Array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    dtype = _dtype_for("zeros", dtype, shape)
    return _made("jnp.zeros", sequence_shape(shape), 0, dtype, device, out_sharding)


def ones(shape, dtype=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of ones.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 1.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.ones(2, dtype=int)
    Array([1, 1], dtype=int32)
    """
    dtype = _dtype_for("ones", dtype, shape)
    return _made("jnp.ones", sequence_shape(shape), 1, dtype, device, out_sharding)


def empty(shape, dtype=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of zeros: programs that read what was never written are the same in every run.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.empty(2)
    Array([0., 0.], dtype=float32)
    """
    dtype = _dtype_for("empty", dtype, shape)
    return _made("jnp.empty", sequence_shape(shape), 0, dtype, device, out_sharding)


def full(shape, fill_value, dtype=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of one value.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      fill_value: a scalar, or an array that broadcasts to the shape.
      dtype: default that of the value, weak if it is a Python scalar.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being `fill_value`.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.full((2,), 7.5)
    Array([7.5, 7.5], dtype=float32, weak_type=True)
    """
    check_arraylike("full", fill_value)
    shape = sequence_shape(shape)
    own, weak = dtypes.lattice_result_type(fill_value)
    weak = weak and dtype is None
    dtype = own if dtype is None else _dtype_for("full", dtype, shape)
    if not isinstance(fill_value, Array) and not np.ndim(fill_value):
        if (told := _told("full", shape, dtype, device, out_sharding)) is not None:
            return _filled_with(shape, fill_value, dtype, weak, told)
    return _at("full", _filled_with(shape, fill_value, dtype, weak), device, out_sharding)


def _told(name: str, shape, dtype, device, out_sharding) -> Any:
    """Return how an array is divided that a program makes so; None if that is seen to after the array was made."""
    if out_sharding is None or device is not None or not shape or not state.trace.stages:
        return None
    return None if isinstance(dtype, dtypes.KeyDType) else told_sharding(name, out_sharding)


def _made(name: str, shape, value, dtype, device, out_sharding) -> Array:
    """Return an array of one number, where it is asked for."""
    if (told := _told(name, shape, dtype, device, out_sharding)) is not None:
        return filled(shape, value, dtype, False, told)
    return _at(name, filled(shape, value, dtype), device, out_sharding)


def divided_as(mask, x):
    """Return a mask that is divided over explicit mesh axes as `x` is, if its type says that it is over some."""
    own, wanted = [aval_of(v).explicit_sharding for v in (mask, x)]
    return mask if own is None or wanted is None or own is wanted else resharded(mask, wanted)


def filled_like(x, value) -> Array:
    """Return an array of one value, like `x`, and divided over explicit mesh axes as `x` is."""
    aval = aval_of(x)
    if aval.explicit_sharding is not None:
        return fill(x, value)
    return filled(aval.shape, value, aval.dtype, aval.weak_type)


def _at(name: str, x: Array, device, sharding) -> Array:
    """Return a new array on a device, which programs leave to the compiler, or with a sharding, if one is given."""
    if device is not None:
        if isinstance(x, Tracer):
            if not isinstance(device, Format):
                target_of(device)
            return x
        if x.weak_type:
            x = convert_element_type(x, new_dtype=x.dtype, weak_type=False, sharding=None)
    return placed(name, x, device, sharding)


def _filled_with(shape, value, dtype, weak, sharding=None) -> Array:
    """Return an array of a value of any dtype."""
    is_key = isinstance(value, Array) and value.dtype == dtype
    if isinstance(dtype, dtypes.KeyDType) and not is_key and not np.ndim(value):
        return keys_of_words(value, shape, dtype)
    if isinstance(value, Array) or np.ndim(value):
        x = as_array(value)
        if x.dtype != dtype or x.weak_type != weak:
            x = convert_element_type(x, new_dtype=dtype, weak_type=weak, sharding=None)
        return settled(stretched(x, shape))
    if isinstance(value, complex) and dtype.kind == "b":
        value = bool(value)  # either part counts; a conversion reads the real one
    if isinstance(value, complex) and dtype.kind != "c":
        raise TypeError(f"full needs a real number for dtype {dtype.name}, got {value}.")
    scalar = np.asarray(value)
    if scalar.dtype != dtype:
        scalar = convert_element_type.evaluate_rule(scalar, new_dtype=dtype)
    return filled(shape, value if weak else scalar[()], dtype, weak, sharding)


def stretched_together(xs: Any, shape: tuple[int, ...]) -> list[Array]:
    """Return arrays broadcast to a shape. If their shapes differ, each is divided as all of them together."""
    sharding = broadcast_sharding([aval_of(x) for x in xs], shape)
    return [stretched(x, shape, sharding) for x in xs]


def stretched(x: Array, shape: tuple[int, ...], sharding: Any = None) -> Array:
    """`x` broadcast to a shape by NumPy's rules, and divided over explicit mesh axes as is said."""
    if x.shape == shape:
        return x if sharding is None or x.aval.explicit_sharding is sharding else resharded(x, sharding)
    kept = tuple(range(len(shape) - x.ndim, len(shape)))
    if x.ndim > len(shape) or any(n not in (1, shape[d]) for d, n in zip(kept, x.shape)):
        name = x.dtype.name
        raise ValueError(
            message(
                f"Incompatible types for broadcasting: input type={x.aval.str_short()} and "
                f"requested type={name}[{','.join(map(str, shape))}]",
                why="Aligned at the last axis, a length of the value must be 1 or that of the shape.",
                fix="value[:, None], where its axes stand for others",
            )
        )
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=kept, sharding=sharding)


def _like(name: str, a, dtype, shape) -> tuple:
    """Return (shape, dtype, weak) of an array like `a`, which may be anything with a shape and a dtype."""
    if isinstance(a, Array) or not (hasattr(a, "shape") and hasattr(a, "dtype")):
        check_arraylike(name, a)
        aval = type_of(0 if type(a) is int else a)  # of an int that does not fit, too
        own_shape, own_dtype, weak = aval.shape, aval.dtype, aval.weak_type
    else:
        own_shape, weak = tuple(a.shape), getattr(a, "weak_type", False)
        own_dtype = dtypes.canonicalize_dtype(a.dtype, allow_extended_dtype=True)
        if dtype is None and not (isinstance(own_dtype, dtypes.ExtendedDType) or dtypes.is_supported(own_dtype)):
            raise TypeError(
                message(
                    f"Value '{shorten(a)}' with dtype {own_dtype} is not a valid JAX array type. Only arrays of "
                    "numeric types are supported by JAX.",
                    fix="dtype=float, or a.astype(float)",
                )
            )
    return (
        own_shape if shape is None else sequence_shape(shape),
        own_dtype if dtype is None else _dtype_for(name, dtype, shape),
        weak and dtype is None,
    )


def _placed_like(name: str, a, x: Array, device=None, sharding=None) -> Array:
    """Return `x` where `a` has to stay, if it has the shape of `a`, or `a` is whole there, and nothing else is said."""
    if hasattr(a, "__jax_array__") and not hasattr(a, "shape"):
        a = a.__jax_array__()
    x = varying_like(x, a)
    if device is sharding is None:
        is_alike = np.shape(a) == x.shape
        if isinstance(a, ArrayImpl):
            device = place_for_shape(a, x.shape)
        elif is_alike and not isinstance(a, Array):
            device = sharding_said_by(a)
        elif is_alike and a.aval.explicit_sharding is not None:
            return resharded(x, a.aval.explicit_sharding)
    return _at(name, x, device, sharding)


def zeros_like(a, dtype=None, shape=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of zeros with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 0.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.zeros_like(jnp.array([1, 2]))
    Array([0, 0], dtype=int32)
    """
    size, dtype, weak = _like("zeros_like", a, dtype, shape)
    if (told := _told("jnp.zeros_like", size, dtype, device, out_sharding)) is not None:
        return filled(size, 0, dtype, weak, told)
    return _placed_like("jnp.zeros_like", a, filled(size, 0, dtype, weak), device, out_sharding)


def ones_like(a, dtype=None, shape=None, *, device=None, out_sharding=None) -> Array:
    """Return an array of ones with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 1.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.ones_like(jnp.array([1, 2]))
    Array([1, 1], dtype=int32)
    """
    size, dtype, weak = _like("ones_like", a, dtype, shape)
    if (told := _told("jnp.ones_like", size, dtype, device, out_sharding)) is not None:
        return filled(size, 1, dtype, weak, told)
    return _placed_like("jnp.ones_like", a, filled(size, 1, dtype, weak), device, out_sharding)


def empty_like(prototype, dtype=None, shape=None, *, device=None) -> Array:
    """Return an array of zeros with the shape and dtype of another.

    Args:
      prototype: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `prototype`.
      device: where to put it.
    Returns:
      An array of that shape and dtype.
    Raises:
      TypeError: `prototype` is not an array or scalar; lists are not converted.

    >>> jnp.empty_like(jnp.array([1, 2]))
    Array([0, 0], dtype=int32)
    """
    size, dtype, weak = _like("empty_like", prototype, dtype, shape)
    return _placed_like("jnp.empty_like", prototype, filled(size, 0, dtype, weak), device)


def full_like(
    a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None
) -> Array:
    """Return an array of one value with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      fill_value: a scalar, or an array that broadcasts to the shape.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being `fill_value`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.full_like(jnp.array([1, 2]), 7)
    Array([7, 7], dtype=int32)
    """
    check_arraylike("full_like", fill_value)
    if hasattr(fill_value, "__jax_array__"):
        fill_value = fill_value.__jax_array__()
    size, dtype, weak = _like("full_like", a, dtype, shape)
    if not isinstance(fill_value, Array) and not np.ndim(fill_value):
        if (told := _told("full_like", size, dtype, device, out_sharding)) is not None:
            return _filled_with(size, fill_value, dtype, weak, told)
    out = _filled_with(size, fill_value, dtype, weak and not np.ndim(fill_value))
    if np.ndim(fill_value):
        return _at("full_like", out, device, out_sharding)
    return _placed_like("full_like", a, out, device, out_sharding)


# ---- triangles ----------------------------------------------------------------------------------


def eye(N, M=None, k=0, dtype=None, *, device=None) -> Array:
    """Return a matrix with ones on a diagonal.

    Args:
      N, M: the number of rows, and of columns if there are not as many.
      k: which diagonal, counted from the main one upwards.
      dtype: default float32.
      device: where to put it.
    Returns:
      ``[N, M]``, ones on the diagonal and zeros elsewhere.
      The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `N` is not an integer.

    >>> jnp.eye(2, 3, k=1)
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    dtype = _dtype_for("eye", dtype, N)
    (rows,) = canonical_shape((N,), " argument of 'N' jnp.eye().")
    columns = rows if M is None else canonical_shape((M,), " argument 'M' of jnp.eye().")[0]
    if rows < 0 or columns < 0:
        raise ValueError(
            message(
                f"negative dimensions are not allowed, got {N} and {M}",
                fix="max(n, 0), for a length that is computed",
            )
        )
    offset = aval_of(k)
    if offset.shape or not (type(k) is bool or dtypes.issubdtype(offset.dtype, np.integer)):
        raise ValueError(message(f"k must be a scalar integer; got {k}", fix="k=1 for the diagonal above the main one"))
    if isinstance(k, Tracer) or state.trace.stages:
        shape, places = (rows, columns), dtypes.default_int()
        row = iota(dtype=places, shape=shape, dimension=0, sharding=None)
        column = iota(dtype=places, shape=shape, dimension=1, sharding=None)
        k = k.astype(places) if isinstance(k, Array) and k.dtype != places else k
        out = eq(add(row, k if isinstance(k, Array) else places.type(k)), column)
        if dtype != dtypes.bool_:
            out = convert_element_type(out, new_dtype=dtype, weak_type=False, sharding=None)
    else:
        aval = ShapedArray((rows, columns), dtype)
        out = constant_of(_filled(aval, np.eye, rows, columns, int(k), dtype), aval)
    return placed("jnp.eye", out, device)


def identity(n, dtype=None) -> Array:
    """Return a square matrix with ones on the main diagonal, and zeros elsewhere.

    Args:
      n: the number of rows.
      dtype: default float32, or float64 with 64-bit types on.
    Returns:
      ``[n, n]``. The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.identity(2)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return eye(n, dtype=_dtype_for("identity", dtype, n))


def tri(N: int, M: int | None = None, k: int = 0, dtype=None) -> Array:
    """Return a matrix with ones on and below a diagonal, and zeros above.

    Args:
      N, M: rows and columns; `M` is `N` by default.
      k: the last diagonal with ones, counted from the main one upwards.
      dtype: default float32, or float64 with 64-bit types on.
    Returns:
      ``[N, M]``. The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `N` is not an integer.

    >>> jnp.tri(2, 3)
    Array([[1., 0., 0.],
           [1., 1., 0.]], dtype=float32)
    """
    dtype = np.dtype(np.float32) if dtype is None else _dtype_for("tri", dtype, N)  # JAX parity: with x64 too
    shape = canonical_shape((N, N if M is None else M))
    if any([n < 0 for n in shape]):
        raise TypeError(f"tri shape must have every element be nonnegative, got {shape}.")
    k = k.dimension_as_value() if isinstance(k, Dimension) else k
    if isinstance(k, Tracer) and k.concrete() is None:
        if k.ndim or not dtypes.issubdtype(k.dtype, np.integer):
            raise TypeError(f"offset must be an integer, got {k}")
        return _traced_lower(shape, k, dtype)
    return _lower(shape, _offset(k), dtype)


def _offset(k) -> int:
    """Return the number of a diagonal; TypeError if it is none, as truth is none."""
    if isinstance(k, bool):
        raise TypeError(message(f"offset must be an integer, got {k}", fix=f"k={int(k)}"))
    return operator.index(k)


def _lower(shape: tuple[int, int], k: int, dtype=dtypes.bool_) -> Array:
    """Return which elements are on and below the k-th diagonal."""
    aval_of(k)  # OverflowError beyond the default integers
    if not state.trace.stages:
        aval = ShapedArray(shape, dtype)
        return constant_of(_filled(aval, np.tri, *shape, k, dtype), aval)
    return _traced_lower(shape, dtypes.default_int().type(k), dtype)


def _traced_lower(shape: tuple[int, int], k, dtype=dtypes.bool_) -> Array:
    places = dtypes.default_int()
    row = iota(dtype=places, shape=shape, dimension=0, sharding=None)
    if isinstance(k, Tracer):
        k = convert_element_type(k, new_dtype=places, weak_type=False, sharding=None)
    row = add(row, k)
    out = ge(row, iota(dtype=places, shape=shape, dimension=1, sharding=None))
    if dtype == dtypes.bool_:
        return out
    return convert_element_type(out, new_dtype=dtype, weak_type=False, sharding=None)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("k",))
def tril(m, k: int = 0) -> Array:
    """Return the elements on and below a diagonal, and zeros above.

    Args:
      m: ``[..., n, m]``.
      k: the last diagonal that is kept, counted from the main one upwards.
    Returns:
      An array of the shape and dtype of `m`.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.tril(jnp.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    x, lower, zeros = _halves("tril", m, k)
    return select_n(lower, zeros, x)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("k",))
def triu(m, k: int = 0) -> Array:
    """Return the elements on and above a diagonal, and zeros below.

    Args:
      m: ``[..., n, m]``.
      k: the first diagonal that is kept, counted from the main one upwards.
    Returns:
      An array of the shape and dtype of `m`.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.triu(jnp.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    x, lower, zeros = _halves("triu", m, k - 1)
    return select_n(lower, x, zeros)


def _halves(name, m, k):
    """Return `m`, where it is on or below the k-th diagonal, and zeros like it."""
    check_arraylike(name, m)
    x = as_array(m)
    if x.ndim < 2:
        raise ValueError(message(f"Argument to jax.numpy.{name} must be at least 2D", why=f"Got shape {x.shape}.",
                                 fix=f"jnp.{name}(jnp.broadcast_to(x, (n, n))), for a matrix with x in each row"))
    rows = x.shape[-2:]
    lower = _traced_lower(rows, k.dimension_as_value()) if isinstance(k, Dimension) else _lower(rows, _offset(k))
    return x, divided_as(stretched(lower, x.shape), x), filled_like(x, 0)
