"""Groups of dtypes, and NumPy's functions with JAX's dtypes."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ....core import dtypes as _dtypes
from ....core.options.config import config
from ....core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ..values import promote_dtypes, promote_dtypes_inexact

__all__ = ["complex_plane_sample", "dtype_str", "dtypes", "num_float_bits", "promote_like_jnp",
           "strict_promotion_if_dtypes_match", "supported_dtypes", "to_default_dtype", "with_jax_dtype_defaults"]


class _Groups:
    """Lists of dtypes for the cases of tests; 64-bit ones where they are on."""

    def supported(self, dtypes: Iterable[Any]) -> list:
        """Return those of `dtypes` that arrays have now."""
        return [d for d in dtypes if config.x64_enabled or np.dtype(d).itemsize * 2 <= (
            16 if np.issubdtype(d, np.complexfloating) else 8)]

    floating = property(lambda self: self.supported([np.float32, np.float64]))
    all_floating = property(lambda self: self.supported([_dtypes.bfloat16, np.float16, np.float32, np.float64]))
    custom_floats = property(lambda self: [_dtypes.bfloat16])
    integer = property(lambda self: self.supported([np.int32, np.int64]))
    all_integer = property(lambda self: self.supported([np.int8, np.int16, np.int32, np.int64]))
    unsigned = property(lambda self: self.supported([np.uint32, np.uint64]))
    all_unsigned = property(lambda self: self.supported([np.uint8, np.uint16, np.uint32, np.uint64]))
    complex = property(lambda self: self.supported([np.complex64, np.complex128]))
    boolean = property(lambda self: [np.bool_])
    inexact = property(lambda self: self.floating + self.complex)
    all_inexact = property(lambda self: self.all_floating + self.complex)
    numeric = property(lambda self: self.floating + self.integer + self.unsigned + self.complex)
    all = property(lambda self: (self.all_floating + self.all_integer + self.all_unsigned + self.complex
                                 + self.boolean))


dtypes = _Groups()


def supported_dtypes() -> set:
    """Return the dtypes that arrays have on the device under test."""
    more = [_dtypes.int4, _dtypes.uint4, _dtypes.float8_e4m3fn, _dtypes.float8_e4m3fnuz, _dtypes.float8_e5m2,
            _dtypes.float8_e5m2fnuz, _dtypes.float8_e4m3b11fnuz]
    return {*dtypes.all, *more}


def dtype_str(dtype) -> str:
    """Return the name of a dtype."""
    return np.dtype(dtype).name


def num_float_bits(dtype) -> int:
    """Return how many bits a floating-point number of a dtype has."""
    return _dtypes.finfo(_dtypes.canonicalize_dtype(dtype)).bits


def to_default_dtype(arr) -> np.ndarray:
    """Return an array of NumPy in the dtype that JAX gives to Python numbers of its kind."""
    arr = np.asarray(arr)
    kinds = {"i": int, "u": int, "f": float, "c": complex, "b": bool}
    if arr.dtype.kind == "u":
        return arr.astype(_dtypes.canonicalize_dtype(np.uint64))
    return arr.astype(_dtypes.canonicalize_dtype(np.dtype(kinds[arr.dtype.kind]))) if arr.dtype.kind in kinds else arr


def with_jax_dtype_defaults(func: Callable, use_defaults: Any = True) -> Callable:
    """Return a function of NumPy whose results are in JAX's default dtypes, all or those that `use_defaults` says."""
    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        results = func(*args, **kwargs)
        leaves, tree = tree_flatten(results)
        chosen = [use_defaults] * len(leaves) if isinstance(use_defaults, bool) else tree_flatten(use_defaults)[0]
        return tree_unflatten(tree, [to_default_dtype(x) if c else x for x, c in zip(leaves, chosen, strict=True)])

    return wrapped


def promote_like_jnp(fun: Callable, inexact: bool = False) -> Callable:
    """Return a function of NumPy whose arguments are first promoted as jax.numpy promotes them."""
    promote = promote_dtypes_inexact if inexact else promote_dtypes

    def promoted(*args, **kwargs):
        leaves, tree = tree_flatten(args)
        args = tree_unflatten(tree, promote(*leaves))
        return fun(*tree_map(np.asarray, args), **kwargs)

    return promoted


def strict_promotion_if_dtypes_match(dtypes: Iterable[Any]) -> contextlib.AbstractContextManager:
    """Return a context of strict promotion where all dtypes are one, and of standard promotion otherwise."""
    mode = "strict" if len({np.dtype(d) for d in dtypes}) == 1 else "standard"
    return config.state("jax_numpy_dtype_promotion")(mode)


def complex_plane_sample(dtype, size_re: int = 10, size_im: int | None = None) -> np.ndarray:
    """Return complex numbers on a logarithmic grid: signed zero, smallest, largest and infinite parts among them.

    Args:
      dtype: the complex dtype.
      size_re, size_im: how many numbers on each side of zero, along each axis; `size_re` for both by default.
    Returns:
      An array of shape (2 * size_im + 3, 2 * size_re + 3); real parts grow along the rows.
    """
    part = np.finfo(dtype).dtype
    limits = np.finfo(part)

    def line(size):
        powers = np.logspace(np.log10(limits.tiny), np.log10(limits.max), size, dtype=np.float64)
        powers = np.clip(powers, limits.tiny, limits.max).astype(part) if size else np.zeros(0, part)
        if size:
            powers[0] = limits.tiny
        if size > 1:
            powers[-1] = limits.max
        return np.concatenate([[-np.inf], -powers[::-1], [0], powers, [np.inf]]).astype(part)

    real, imag = line(size_re), line(size_re if size_im is None else size_im)
    plane = np.empty((len(imag), len(real)), dtype)
    plane.real, plane.imag = real[None, :], imag[:, None]
    return plane
