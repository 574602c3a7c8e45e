"""Convolution and correlation of sequences, as products with sliding windows."""

from __future__ import annotations

from .. import lax
from ..core import dtypes
from ..core.types import Array
from ..transforms.jit import inner_jit
from . import ufuncs
from .axes import operand
from .plans import replayed
from .promotion import check_arraylike, convert
from .ranges import arange
from .rotations import flip

__all__ = ["convolve", "correlate"]

_STATIC = ("mode", "precision", "preferred_element_type")


def _sliding(a, v, mode, precision, preferred):
    """Products of `v`, at most as long as `a`, with the windows of `a`."""
    n, m = a.shape[0], v.shape[0]
    before = {"full": m - 1, "same": m // 2, "valid": 0}
    if mode not in before:
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    left = before[mode]
    right = {"full": m - 1, "same": m - m // 2 - 1, "valid": 0}[mode]
    a = lax.pad(a, a.dtype.type(0), ((left, right, 0),))
    windows = a[arange(n + left + right - m + 1)[:, None] + arange(m)]
    return lax.dot(windows, v, precision=precision, preferred_element_type=preferred)


def _operands(name, a, v):
    check_arraylike(name, a, v)
    dtype, weak = dtypes.lattice_result_type(a, v)
    dtype = dtypes.to_inexact_dtype(dtype)
    a, v = (convert(operand(name, x), dtype, weak) for x in (a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{name}() only support 1-dimensional inputs.")
    if not a.size or not v.size:
        raise ValueError(f"{name}: inputs cannot be empty, got shapes {a.shape} and {v.shape}.")
    return a, v


@replayed
@inner_jit(static_argnames=_STATIC)
def convolve(a, v, mode: str = "full", *, precision=None, preferred_element_type=None) -> Array:
    """The convolution of two sequences.

    Args:
      a, v: arrays with one axis.
      mode: "full", "same" (as long as the longer one) or "valid" (where they overlap wholly).
      precision, preferred_element_type: as in `dot`.

    >>> jnp.convolve(jnp.array([1., 2.]), jnp.array([1., 1.]))
    Array([1., 3., 2.], dtype=float32)
    """
    a, v = _operands("convolve", a, v)
    if a.shape[0] < v.shape[0]:
        a, v = v, a
    return _sliding(a, flip(v), mode, precision, preferred_element_type)


@replayed
@inner_jit(static_argnames=_STATIC)
def correlate(a, v, mode: str = "valid", *, precision=None, preferred_element_type=None) -> Array:
    """The cross-correlation of two sequences: `a` with `v` shifted along it; arguments as for `convolve`.

    >>> jnp.correlate(jnp.array([1., 2., 3.]), jnp.array([1., 1.]))
    Array([3., 5.], dtype=float32)
    """
    a, v = _operands("correlate", a, v)
    v = ufuncs.conj(v)
    if a.shape[0] >= v.shape[0]:
        return _sliding(a, v, mode, precision, preferred_element_type)
    return flip(_sliding(v, a, mode, precision, preferred_element_type))
