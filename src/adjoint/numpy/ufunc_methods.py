"""Methods of ufuncs, by a primitive or a function of arrays if one does the same, else in a loop.

The loops are in the order in which NumPy goes. Arrays that are not traced go to NumPy's function of the
same name, where it has the same values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import lax
from ..array.array import ArrayImpl
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array, ShapedArray
from ..core.values.dimension import broadcast_shapes as broadcast_lengths
from ..nn.functions import logsumexp
from ..prims import reduction
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from ..transforms.jit.staging import eval_shape
from . import reductions, running, ufuncs
from .axes import canonical_axis, operand
from .conversion import asarray
from .fills import full
from .indexing import take
from .joining import append
from .promotion import check_arraylike, convert
from .ranges import arange
from .reductions import mask_of
from .shapes import broadcast_to, moveaxis, ravel, reshape
from .vectorization import vectorize

__all__ = ["accumulate", "at", "mapped", "outer", "reduce", "reduceat"]

# The dtypes for which NumPy's ufunc of the name computes what the loops do, in the same dtype.
_IN_NUMPY = {
    **dict.fromkeys(("add", "subtract", "multiply", "maximum", "minimum"), "iuf"),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), "iu"),
    **dict.fromkeys(("logaddexp", "logaddexp2"), "f"),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), "b"),
}


def _is_in_numpy(self, a: Array, dtype) -> bool:
    own = a.dtype
    return own.kind in _IN_NUMPY.get(self.__name__, "") and own.itemsize > 2 * (own.kind == "f") and (
        dtype is None or dtype == own
    )


def _check_binary(self, method: str) -> None:
    if self.nin != 2:
        raise ValueError(
            message(
                f"{method} only supported for binary ufuncs",
                fix=f"jnp.add.{method}, of a function of two operands such as jnp.add",
            )
        )
    if self.nout != 1:
        raise ValueError(f"{method} only supported for functions returning a single value")


def _refuse_out(self, method: str, out) -> None:
    if out is not None:
        raise NotImplementedError(f"out argument of {self.__name__}.{method}()")


def _dtype(self, method: str, dtype):
    return None if dtype is None else dtypes.check_user_dtype_supported(dtype, f"{self.__name__}.{method}")


# ---- the object itself ---------------------------------------------------------------------------


def mapped(func: Callable, name: str) -> Callable:
    """`func` mapped over arrays."""
    run = replayed(inner_jit(vectorize(func), name="_call_vectorized"), scalars=True)

    def call(*args, out=None, where=None):
        if out is not None or where is not None:
            raise NotImplementedError(f"{'where' if out is None else 'out'} argument of <jnp.ufunc '{name}'>")
        check_arraylike(name, *args)
        return run(*args)

    return call


# ---- reduce -------------------------------------------------------------------------------------


def reduce(self, a, axis, dtype, out, keepdims, initial, where) -> Array:
    name = self.__name__
    _check_binary(self, "reduce")
    _refuse_out(self, "reduce", out)
    check_arraylike(f"{name}.reduce", a)
    if initial is not None:
        check_arraylike(f"{name}.reduce", initial)
    if where is not None:
        check_arraylike(f"{name}.reduce", where)
        if self.identity is None and initial is None:
            raise ValueError(
                f"reduction operation {name!r} does not have an identity, so to use a where mask one has to "
                "specify 'initial'."
            )
    own = self.special["reduce"] or _REDUCTIONS.get(self)
    if own is None and isinstance(axis, tuple):
        raise NotImplementedError("tuple of axes\n  Try: one axis after the other")
    dtype = _dtype(self, "reduce", dtype)
    plain = own is None and isinstance(a, Array) and _is_in_numpy(self, a, dtype)
    return (_quick_reduce if plain else _reduce)(self, a, axis, dtype, keepdims, initial, where)


def _numpy_reduce(self, a, axis, dtype, keepdims, initial, where):
    options = {k: v for k, v in (("initial", initial), ("where", where)) if v is not None}
    if axis is None:
        a, axis, kept = a.ravel(), 0, (1,) * a.ndim
        found = getattr(np, self.__name__).reduce(a, axis, dtype=a.dtype, **options)
        return np.reshape(found, kept if keepdims else ())
    return getattr(np, self.__name__).reduce(a, axis, dtype=a.dtype, keepdims=keepdims, **options)


@inner_jit(static_argnums=(0, 2, 3, 4), name="reduce")
def _reduce_program(self, a, axis, dtype, keepdims, initial, where):
    own = self.special["reduce"] or _REDUCTIONS.get(self)
    if own is not None:
        return own(a, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)
    return _folded(self, operand(f"{self.__name__}.reduce", a), axis, dtype, keepdims, initial, where)


_reduce = replayed(_reduce_program)
_quick_reduce = replayed(_reduce_program, numpy=_numpy_reduce)


def _folded(self, a, axis, dtype, keepdims, initial, where):
    ndim = a.ndim
    a = convert(a, dtype) if dtype is not None else a
    if where is not None:
        where = broadcast_to(asarray(where), a.shape)
    if axis is None:
        a, at = ravel(a), 0
        where = None if where is None else ravel(where)
    else:
        at = canonical_axis(axis, ndim)
        a = moveaxis(a, at, 0)
        where = None if where is None else moveaxis(where, at, 0)
    first = self.identity if initial is None else initial
    if not a.shape[0] and first is None:
        raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")

    def step(i, x):
        if where is None:
            return convert(self(x, a[i]), x.dtype)
        keep = where[i]
        return ufuncs.where(keep, convert(self(x, a[i]), x.dtype), x)

    start, x = (1, a[0]) if first is None else (0, full(a.shape[1:], first, a.dtype))
    out = lax.fori_loop(start, a.shape[0], step, x) if a.shape[0] > start else x
    if not keepdims:
        return out
    return reshape(out, (1,) * ndim) if axis is None else lax.expand_dims(out, (at,))


def _bits(primitive, combine: Callable, neutral: int, as_bool: bool) -> Callable:
    """Return a reduction of bits, or of truth values."""

    def function(a, *, axis, dtype, keepdims, initial, where):
        a = operand(combine.__name__, a)
        a = convert(a, dtypes.bool_) if as_bool else a
        a = a if dtype is None else convert(a, dtype)
        if a.dtype.kind not in "biu":
            raise ValueError(f"integer argument required; got dtype={a.dtype.name}")
        axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = tuple([canonical_axis(i, a.ndim) for i in axes])
        if where is not None:
            a = ufuncs.where(mask_of(combine.__name__, where), a, np.asarray(neutral).astype(a.dtype)[()])
        out = primitive(a, axes=axes)
        if initial is not None:
            out = combine(_initial(initial, out.dtype), out)
        return lax.expand_dims(out, axes) if keepdims else out

    return function


def _initial(value, dtype):
    """Return what a reduction begins with, in the dtype of its result."""
    if np.ndim(value):
        raise ValueError(f"initial value must be a scalar. Got array of shape {np.shape(value)}")
    return reductions.first_of(value, dtype)


def _truth(function: Callable, combine: Callable) -> Callable:
    def reduced(a, *, axis, dtype, keepdims, initial, where):
        out = function(a, axis=axis, keepdims=keepdims, where=where)
        out = out if initial is None else combine(_initial(initial, out.dtype), out)
        return out if dtype is None else convert(out, dtype)

    return reduced


def _logsumexp(base: float | None) -> Callable:
    """log(sum(exp(a))), or the same to base 2, with the largest element taken out of the sum."""

    def function(a, *, axis, dtype, keepdims, initial, where):
        a = operand("logaddexp", a)
        a = convert(a, dtypes.to_inexact_dtype(a.dtype) if dtype is None else dtype)
        scale = a.dtype.type(1 if base is None else np.log(base))
        out = logsumexp(a if base is None else a * scale, axis=axis, keepdims=keepdims, where=where)
        out = out if base is None else out / scale
        if initial is None:
            return out
        return (ufuncs.logaddexp if base is None else ufuncs.logaddexp2)(initial, out)

    return function


_ALL = -1  # every bit set
_REDUCTIONS: dict = {
    ufuncs.add: reductions.sum, ufuncs.multiply: reductions.prod, ufuncs.maximum: None, ufuncs.minimum: None,
    ufuncs.logical_and: _truth(reductions.all, ufuncs.logical_and),
    ufuncs.logical_or: _truth(reductions.any, ufuncs.logical_or),
    ufuncs.logical_xor: _bits(reduction.reduce_xor, ufuncs.logical_xor, 0, True),
    ufuncs.bitwise_and: _bits(reduction.reduce_and, ufuncs.bitwise_and, _ALL, False),
    ufuncs.bitwise_or: _bits(reduction.reduce_or, ufuncs.bitwise_or, 0, False),
    ufuncs.bitwise_xor: _bits(reduction.reduce_xor, ufuncs.bitwise_xor, 0, False),
    ufuncs.logaddexp: _logsumexp(None), ufuncs.logaddexp2: _logsumexp(2),
}


def _extreme(function: Callable) -> Callable:
    def reduced(a, *, axis, dtype, keepdims, initial, where):
        a = operand(function.__name__, a)
        a = a if dtype is None else convert(a, dtype)
        return function(a, axis=axis, keepdims=keepdims, initial=initial, where=where)

    return reduced


_REDUCTIONS[ufuncs.maximum] = _extreme(reductions.max)
_REDUCTIONS[ufuncs.minimum] = _extreme(reductions.min)


# ---- accumulate ---------------------------------------------------------------------------------


def accumulate(self, a, axis, dtype, out) -> Array:
    _check_binary(self, "accumulate")
    _refuse_out(self, "accumulate", out)
    check_arraylike(f"{self.__name__}.accumulate", a)
    dtype = _dtype(self, "accumulate", dtype)
    own = self.special["accumulate"] or _RUNNING.get(self)
    plain = own is None and isinstance(a, Array) and _is_in_numpy(self, a, dtype)
    return (_quick_accumulate if plain else _accumulate)(self, a, axis, dtype)


def _numpy_accumulate(self, a, axis, dtype):
    return getattr(np, self.__name__).accumulate(a, 0 if axis is None else axis, dtype=a.dtype)


@inner_jit(static_argnums=(0, 2, 3), name="accumulate")
def _accumulate_program(self, a, axis, dtype):
    own = self.special["accumulate"] or _RUNNING.get(self)
    if own is not None:
        return own(a, axis=axis, dtype=dtype)
    a = operand(f"{self.__name__}.accumulate", a)
    if axis is None and a.ndim != 1:
        raise ValueError("accumulate does not allow multiple axes\n  Try: a.ravel()")
    at = canonical_axis(0 if axis is None else axis, a.ndim)
    a = moveaxis(a, at, 0)
    if not a.shape[0]:
        return moveaxis(a if dtype is None else convert(a, dtype), 0, at)
    wanted = eval_shape(self, a[0], a[0]).dtype if dtype is None else dtype

    def step(carry, _):
        i, x = carry
        first = i == 0
        own = convert(a[0], wanted)
        x = ufuncs.where(first, own, convert(self(x, convert(a[i], wanted)), wanted))
        return (i + 1, x), x

    start = convert(a[0], wanted)
    _, out = lax.scan(step, (0, start), None, length=a.shape[0])
    return moveaxis(out, 0, at)


_accumulate = replayed(_accumulate_program)
_quick_accumulate = replayed(_accumulate_program, numpy=_numpy_accumulate)
_RUNNING = {ufuncs.add: running.cumsum, ufuncs.multiply: running.cumprod}


# ---- at -----------------------------------------------------------------------------------------


def at(self, a, indices, b, inplace) -> Array:
    if inplace:
        raise NotImplementedError(
            "Because JAX arrays are immutable, jnp.ufunc.at() cannot operate inplace like np.ufunc.at(). Instead, "
            "you can pass inplace=False and capture the result; e.g.\n"
            f"  Try: arr = jnp.{self.__name__}.at(arr, ind, val, inplace=False)"
        )
    if self.nin == 1 and b is not None:
        raise TypeError(f"{self.__name__}() takes 1 positional argument but 2 were given")
    if self.nin == 2 and b is None:
        raise TypeError(f"{self.__name__}.at() missing 1 required positional argument: 'b'")
    check_arraylike(f"{self.__name__}.at", *((a, b) if _UPDATES.get(self) in ("max", "min") else (a,)))
    return _at(self, a, indices, b if b is None else asarray(b))


@replayed
@inner_jit(static_argnums=(0,), name="at")
def _at(self, a, indices, b):
    a = operand(f"{self.__name__}.at", a)
    if own := self.special["at"]:
        return own(a, indices, b)
    if method := _UPDATES.get(self):
        if method in ("max", "min"):
            a = convert(a, dtypes.result_type(a, b))  # JAX parity: other updates keep the dtype of the array
        return getattr(a.at[indices], method)(b)
    # Each element of an array of positions is a step, so that those that occur twice count twice.
    shape = a[indices].shape
    numbered = reshape(arange(a.size), a.shape)
    places = ravel(numbered.at[indices].get(mode="fill", fill_value=a.size))  # those out of range are left out
    values = None if b is None else ravel(_spread(asarray(b), indices, shape))
    one = () if values is None else (ShapedArray((), values.dtype, values.weak_type),)
    a = convert(a, eval_shape(self, ShapedArray((), a.dtype), *one).dtype)

    def step(i, x):
        p = places[i]
        new = self(x[p]) if values is None else self(x[p], values[i])
        return x.at[p].set(convert(new, x.dtype))

    return reshape(lax.fori_loop(0, places.shape[0], step, ravel(a)), a.shape)


def _spread(b, indices, shape) -> Array:
    """Return the second operand for each element: one for each position if there are as many, as JAX has it."""
    parts = indices if isinstance(indices, tuple) else (indices,)
    positions = broadcast_lengths(*[np.shape(i) for i in parts if not isinstance(i, (slice, type(None), type(...)))])
    if len(b.shape) <= len(positions) and broadcast_lengths(b.shape, positions) == positions:
        b = lax.expand_dims(broadcast_to(b, positions), range(len(positions), len(shape)))
    return broadcast_to(b, shape)


_UPDATES = {ufuncs.add: "add", ufuncs.subtract: "subtract", ufuncs.multiply: "multiply", ufuncs.maximum: "max",
            ufuncs.minimum: "min"}


# ---- reduceat and outer -------------------------------------------------------------------------


def reduceat(self, a, indices, axis, dtype, out) -> Array:
    _check_binary(self, "reduceat")
    _refuse_out(self, "reduceat", out)
    check_arraylike(f"{self.__name__}.reduceat", a, indices)
    if axis is None:
        raise NotImplementedError("reduceat with axis=None")
    dtype = _dtype(self, "reduceat", dtype)
    plain = isinstance(a, Array) and self.special["reduceat"] is None and _is_in_numpy(self, a, None)
    if plain and type(indices) is ArrayImpl and indices.ndim == 1 and -a.ndim <= axis < a.ndim:
        at = np.asarray(indices)
        plain = at.dtype.kind in "iu" and bool(((at >= 0) & (at < a.shape[axis])).all())
    return (_quick_reduceat if plain else _reduceat)(self, a, indices, axis, dtype)


def _numpy_reduceat(self, a, indices, axis, dtype):
    return getattr(np, self.__name__).reduceat(a, indices, axis, a.dtype)


@inner_jit(static_argnums=(0, 3, 4), name="reduceat")
def _reduceat_program(self, a, indices, axis, dtype):
    a, indices = operand("reduceat", a), operand("reduceat", indices)
    if indices.ndim != 1:
        raise ValueError(f"reduceat: indices must be one-dimensional, got {indices.shape=}")
    if own := self.special["reduceat"]:
        return own(a, indices, axis=axis, dtype=dtype)
    axis = canonical_axis(axis, a.ndim)
    n = a.shape[axis]
    out = take(a, indices, axis=axis)
    bounds = lax.expand_dims(append(indices, n), [i for i in range(a.ndim) if i != axis])
    k = bounds.shape[axis]
    start, stop = lax.slice_in_dim(bounds, 0, k - 1, axis=axis), lax.slice_in_dim(bounds, 1, k, axis=axis)

    def step(i, x):
        inside = (i > start) & (i < stop)
        return ufuncs.where(inside, convert(self(x, take(a, lax.expand_dims(i, (0,)), axis=axis)), x.dtype), x)

    return lax.fori_loop(0, n, step, out)


_reduceat = replayed(_reduceat_program)
_quick_reduceat = replayed(_reduceat_program, numpy=_numpy_reduceat)


def outer(self, A, B) -> Array:
    _check_binary(self, "outer")
    check_arraylike(f"{self.__name__}.outer", A, B)
    return _outer(self, A, B)


@replayed
@inner_jit(static_argnums=(0,), name="outer")
def _outer(self, A, B):
    A, B = operand("outer", A), operand("outer", B)
    first, second = ravel(A), lax.expand_dims(ravel(B), (0,))
    return reshape(self(lax.expand_dims(first, (1,)), second), (*A.shape, *B.shape))
