"""Differences, slopes and areas of samples along an axis; lines between samples; phases without jumps.

Tests: `tests/numpy/test_surface.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from . import ufuncs
from .axes import canonical_axis, operand, repeated_axes
from .conversion import asarray
from .joining import concatenate
from .promotion import check_arraylike, convert, promote_inexact, strong
from .reductions import sum
from .running import cumsum
from .searching import ranks, searchsorted
from .shapes import broadcast_to, moveaxis, ravel
from .sorting import argsort

__all__ = ["diff", "ediff1d", "gradient", "interp", "trapezoid", "unwrap"]


def _part(a, axis, start, stop):
    return a[(slice(None),) * axis + (slice(start, stop),)]


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("n", "axis"))
def diff(a, n: int = 1, axis: int = -1, prepend=None, append=None) -> Array:
    """Return differences of neighbours along an axis, `n` times.

    Args:
      a: array; of booleans, whether neighbours differ.
      n: how often differences are taken.
      axis: along which axis; default the last.
      prepend, append: put before and after the elements first.
    Returns:
      The differences, in an array that is shorter by `n` along the axis; of booleans, whether neighbours differ.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.diff(jnp.array([1, 4, 9]))
    Array([3, 5], dtype=int32)
    """
    a = operand("diff", a)
    n = operator.index(n)
    if n == 0:
        return a
    if n < 0:
        raise ValueError(
            message(f"order must be non-negative but got {n}", fix="n=1; jnp.cumsum is the inverse of diff")
        )
    if not a.ndim:
        raise ValueError(
            message(f"diff requires input that is at least one dimensional; got {a}", fix="jnp.atleast_1d(x)")
        )
    axis = canonical_axis(axis, a.ndim)
    edge = (*a.shape[:axis], 1, *a.shape[axis + 1 :])
    parts = [
        p if p is None or p is a or np.ndim(p) else broadcast_to(p, edge) for p in (prepend, a, append)
    ]
    parts = [p for p in parts if p is not None]
    if len(parts) > 1:
        a = concatenate(parts, axis)
    subtract = ufuncs.not_equal if a.dtype == np.bool_ else ufuncs.subtract
    for _ in range(n):
        a = subtract(_part(a, axis, 1, None), _part(a, axis, None, -1))
    return a


@replayed(compiles_after=WORTH)
@inner_jit
def ediff1d(ary, to_end=None, to_begin=None) -> Array:
    """Return differences of neighbours in the flat array, between other elements.

    Args:
      ary: array; it is flattened.
      to_end, to_begin: put after and before the differences, flattened.
    Returns:
      An array with one axis, of the dtype of `ary`.
    Raises:
      TypeError: `ary` is not an array or scalar; lists are not converted.

    >>> jnp.ediff1d(jnp.array([1, 4, 9]), to_end=7)
    Array([3, 5, 7], dtype=int32)
    """
    a = ravel(operand("ediff1d", ary))
    result = ufuncs.subtract(a[1:], a[:-1])
    if to_begin is not None:
        result = concatenate([ravel(convert(operand("ediff1d", to_begin), a.dtype)), result])
    if to_end is not None:
        result = concatenate([result, ravel(convert(operand("ediff1d", to_end), a.dtype))])
    return result


@replayed
@inner_jit(static_argnames=("axis", "edge_order"))
def gradient(f, *varargs, axis=None, edge_order: int | None = None):
    """Return the slope at each sample: central differences inside, one-sided ones at the ends.

    Args:
      f: array.
      varargs: the distance of samples: one scalar, or for each axis a scalar or the coordinates.
      axis: an axis, axes, or None for all.
      edge_order: must be None.
    Returns:
      The slopes, floats in an array of the shape of `f`; of several axes a list with one for each.
    Raises:
      TypeError: `f` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.gradient(jnp.array([1., 4., 9.]))
    Array([3., 4., 5.], dtype=float32)
    """
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    check_arraylike("gradient", f, *varargs)
    dtype, weak = dtypes.lattice_result_type(f, *varargs)
    a = convert(operand("gradient", f), dtypes.to_inexact_dtype(dtype), weak)
    axes = repeated_axes(axis, a.ndim)
    if any(a.shape[i] < 2 for i in axes):
        raise ValueError(
            message(
                "Shape of array too small to calculate a numerical gradient, at least 2 elements are required.",
                fix="two elements at least along each axis, or axis=... for those that have them",
            )
        )
    if not axes:
        return []
    steps = list(varargs) if varargs else [1.0] * len(axes)
    if len(steps) == 1:
        steps *= len(axes)
    if len(steps) != len(axes):
        raise TypeError(f"Invalid number of spacing arguments {len(varargs)} for axis={axis}")
    out = [_slope(a, i, step) for i, step in zip(axes, steps)]
    return out[0] if isinstance(axis, int) or len(out) == 1 else out


def _slope(a, axis, step):
    n = a.shape[axis]
    part = lambda start, stop: lax.slice_in_dim(a, start, stop, axis=axis)
    first, last = part(1, 2) - part(0, 1), part(n - 1, n) - part(n - 2, n - 1)
    if not np.ndim(step):
        inner = (part(2, n) - part(0, n - 2)) * 0.5
        inner, last, first = [x / step for x in (inner, last, first)]
        return concatenate([first, inner, last], axis)
    if np.shape(step) != (n,):
        raise ValueError(
            "Spacing arrays must have the same length as the dimension along which the gradient is calculated. Got "
            f"shape {np.shape(step)} for length {n}"
        )
    step = asarray(step)
    gaps = diff(convert(step, a.dtype, a.weak_type and step.weak_type))
    other = [i for i in range(a.ndim) if i != axis]
    wide = lambda h: lax.expand_dims(h, other)
    left, right = wide(gaps[:-1]), wide(gaps[1:])
    inner = (
        part(0, n - 2) * (-right / (left * (left + right)))
        + part(1, n - 1) * ((right - left) / (left * right))
        + part(2, n) * (left / (right * (left + right)))
    )
    return concatenate([first / wide(gaps[:1]), inner, last / wide(gaps[-1:])], axis)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("axis",))
def trapezoid(y, x=None, dx=1.0, axis: int = -1) -> Array:
    """Return the area under samples, by the trapezoidal rule.

    Args:
      y: the samples.
      x: where they are taken; default at distances `dx`.
      dx: one distance, or an array of those between the samples.
      axis: along which axis; default the last.
    Returns:
      The integrals, floats in an array without the axis.
    Raises:
      TypeError: `y` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.trapezoid(jnp.array([0., 1., 2.]))
    Array(2., dtype=float32)
    """
    if x is None:
        (y,) = promote_inexact("trapezoid", y)
        y, gaps = operand("trapezoid", y), asarray(dx)
        if not gaps.ndim:
            y = moveaxis(y, axis, -1)
            return dx * (sum(y, -1) - 0.5 * (y[..., 0] + y[..., -1]))
        # JAX parity: distances belong to the last axes of y, before the axis is moved, also in the mode that does not
        # promote ranks; places do not.
        gaps = lax.expand_dims(gaps, range(y.ndim - gaps.ndim))
    else:
        check_arraylike("trapezoid", y, x)
        dtype, weak = dtypes.lattice_result_type(y, x)
        y, x = (convert(operand("trapezoid", v), dtypes.to_inexact_dtype(dtype), weak) for v in (y, x))
        gaps = diff(x, axis=-1 if x.ndim == 1 else axis)
    y, gaps = moveaxis(y, axis, -1), gaps if gaps.ndim == 1 else moveaxis(gaps, axis, -1)
    return 0.5 * sum(gaps * (y[..., 1:] + y[..., :-1]), -1)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("axis",))
def unwrap(p, discont=None, axis: int = -1, period=2 * np.pi) -> Array:
    """Return phases without jumps: multiples of the period are added so that neighbours are close.

    Args:
      p: array.
      discont: the least jump to remove, at least half of the period, which is the default.
      axis: along which axis; default the last.
      period: the period; default a full turn in radians.
    Returns:
      An array of the shape of `p`: neighbours along the axis differ by at most half a period.
      The dtype is that of `p`; integers and booleans become floats.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.
      ValueError: `p` is complex.
      IndexError: `axis` is out of range.

    >>> jnp.unwrap(jnp.array([0., 1., 5.], jnp.float32), period=4.)
    Array([0., 1., 1.], dtype=float32)
    """
    p = operand("unwrap", p)
    if dtypes.issubdtype(p.dtype, np.complexfloating):
        raise ValueError(message("jnp.unwrap does not support complex inputs.", fix="jnp.unwrap(jnp.angle(x))"))
    if not p.shape[axis]:
        return convert(p, *dtypes.lattice_result_type(p, period))
    if not dtypes.issubdtype(p.dtype, np.inexact):
        p = convert(p, *dtypes.lattice_result_type(p, period))  # before the jumps, which unsigned ones cannot hold
        half, exact = period // 2, period % 2 == 0
    else:
        (p,) = promote_inexact("unwrap", p)
        period = strong(p, period) if type(period) in (int, float) else period
        if discont is None:
            discont = ufuncs.divide(period, 2)
        half, exact = ufuncs.divide(period, 2), True
    discont = half if discont is None else discont
    jumps = diff(p, axis=axis)
    near = ufuncs.mod(jumps + half, period) - half
    if exact is not False:
        ambiguous = (near == -half) & (jumps > 0)
        near = ufuncs.where(ambiguous if exact is True else ambiguous & exact, half, near)
    steps = ufuncs.where(ufuncs.abs(jumps) < discont, 0, near - jumps)
    axis = canonical_axis(axis, p.ndim)
    first = lax.slice_in_dim(p, 0, 1, axis=axis)
    rest = lax.slice_in_dim(p, 1, p.shape[axis], axis=axis) + cumsum(steps, axis=axis)
    return concatenate([first, rest], axis)


# ---- interpolation ------------------------------------------------------------------------------


@inner_jit(static_argnames=("left", "right"), name="_interp")
def _interp_static(x, xp, fp, left, right, period):
    return _interpolated(x, xp, fp, left, right, period)


@inner_jit(name="_interp")
def _interp_dynamic(x, xp, fp, left, right, period):
    return _interpolated(x, xp, fp, left, right, period)


_VALUES_PER_CHUNK = 2**14  # values that are interpolated at once, in the cache


def _numpy_interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None or x.dtype.char not in "fd" or len(xp) < 2 or str in map(type, (left, right)):
        return NotImplemented
    dx, df = np.diff(xp), np.diff(fp)
    flat = np.abs(dx) <= np.spacing(np.finfo(xp.dtype).eps)
    dx[flat], df[flat] = 1, 0
    values, out = x.reshape(-1), np.empty(x.size, x.dtype)
    ends = (fp[0] if left is None else left), (fp[-1] if right is None else right)
    for start in range(0, x.size, _VALUES_PER_CHUNK):
        v = values[start : start + _VALUES_PER_CHUNK]
        i = np.minimum(np.maximum(ranks(xp, v, "right"), 1), len(xp) - 1) - 1
        y = fp.take(i) + (v - xp.take(i)) / dx.take(i) * df.take(i)
        y = np.where(v < xp[0], ends[0], y)
        out[start : start + _VALUES_PER_CHUNK] = np.where(v > xp[-1], ends[1], y)
    return out.reshape(x.shape)


@replayed(numpy=_numpy_interp, compiles_after=WORTH, arrays=3)
def interp(x, xp, fp, left=None, right=None, period=None) -> Array:
    """Return linear interpolations between points with increasing abscissae.

    Args:
      x: where to evaluate.
      xp, fp: the points.
      left, right: values outside; default the first and last one; "extrapolate" continues the lines.
      period: of the abscissae, which are then taken modulo it.
    Returns:
      The values at `x`, floats in an array of its shape.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex, or shapes do not fit together.

    >>> jnp.interp(0.5, jnp.array([0., 1.]), jnp.array([0., 10.]))
    Array(5., dtype=float32)
    """
    static = all(v is None or isinstance(v, str) for v in (left, right))
    run = _interp_static if static else _interp_dynamic
    return run(x, xp, fp, left, right, period)


def _interpolated(x, xp, fp, left, right, period):
    check_arraylike("interp", x, xp, fp)
    if np.shape(xp) != np.shape(fp) or np.ndim(xp) != 1:
        raise ValueError(
            message(
                "xp and fp must be one-dimensional arrays of equal size",
                why=f"xp has shape {np.shape(xp)} and fp {np.shape(fp)}.",
                fix="jax.vmap(jnp.interp, (None, None, 0))(x, xp, fp) for many functions at the same points",
            )
        )
    dtype, weak = dtypes.lattice_result_type(x, xp)
    dtype = dtypes.to_inexact_dtype(dtype)
    x, xp, (fp,) = convert(x, dtype, weak), convert(xp, dtype, weak), promote_inexact("interp", fp)
    x, xp, fp = (operand("interp", v) for v in (x, xp, fp))
    if dtypes.issubdtype(x.dtype, np.complexfloating):
        raise ValueError(message("jnp.interp: complex x values not supported.", fix="jnp.interp(x.real, ...)"))
    if period is not None:
        period = ufuncs.abs(period)
        x, xp = ufuncs.remainder(x, period), ufuncs.remainder(xp, period)
        order = argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
    i = ufuncs.clip(searchsorted(xp, x, side="right"), 1, xp.shape[0] - 1)
    df = fp[i] - fp[i - 1]
    dx = xp[i] - xp[i - 1]
    delta = x - xp[i - 1]
    tiny = np.spacing(dtypes.finfo(xp.dtype).eps)
    flat = ufuncs.abs(dx) <= tiny  # points at one place
    out = ufuncs.where(flat, fp[i - 1], fp[i - 1] + (delta / ufuncs.where(flat, 1, dx)) * df)
    for value, name in ((left, "left"), (right, "right")):
        if isinstance(value, str) and value != "extrapolate":
            raise ValueError(
                message(
                    f"the only valid string value of `{name}` is 'extrapolate', but got: {value!r}",
                    fix="left='extrapolate', or a number",
                )
            )
    if period is None:
        if not isinstance(left, str):
            edge = fp[0] if left is None else left
            out = ufuncs.where(x < xp[0], edge, out)
        if not isinstance(right, str):
            edge = fp[-1] if right is None else right
            out = ufuncs.where(x > xp[-1], edge, out)
    return out
