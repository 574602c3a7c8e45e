"""Tolerances by dtype, and comparisons of trees."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....core import dtypes as _dtypes
from ....core.tree.tree import tree_all, tree_map

__all__ = ["check_close", "check_eq", "check_raises", "check_raises_regexp", "default_gradient_tolerance",
           "default_tolerance", "is_sequence", "join_tolerance", "tolerance"]

Tolerance = float | Mapping[Any, float] | None

_SMALL = {"bfloat16": 1e-2, "float16": 1e-3, "float32": 1e-6, "float64": 1e-15, "complex64": 1e-6, "complex128": 1e-15,
          "float4_e2m1fn": 1.0, "float8_e8m0fnu": 1.0}
_OF_GRADIENTS = {"bfloat16": 1e-1, "float16": 1e-2, "float32": 2e-3, "float64": 1e-5, "complex64": 1e-3,
                 "complex128": 1e-5, "float4_e2m1fn": 1.0, "float8_e8m0fnu": 1.0}
_OF_FLOAT8 = 1e-1
_KINDS = [_dtypes.float0, np.bool_, _dtypes.int2, _dtypes.int4, np.int8, np.int16, np.int32, np.int64, _dtypes.uint2,
          _dtypes.uint4, np.uint8, np.uint16, np.uint32, np.uint64, _dtypes.float4_e2m1fn, _dtypes.float8_e3m4,
          _dtypes.float8_e4m3, _dtypes.float8_e8m0fnu, _dtypes.float8_e4m3b11fnuz, _dtypes.float8_e4m3fn,
          _dtypes.float8_e4m3fnuz, _dtypes.float8_e5m2, _dtypes.float8_e5m2fnuz, _dtypes.bfloat16, np.float16,
          np.float32, np.float64, np.complex64, np.complex128,
          *[d for d in _dtypes.small_ints if d.name in ("int1", "uint1")]]

_default = {np.dtype(d): _SMALL.get(np.dtype(d).name, _OF_FLOAT8 if "float8" in np.dtype(d).name else 0)
            for d in _KINDS}
default_gradient_tolerance = {
    d: _OF_GRADIENTS.get(d.name, _OF_FLOAT8) for d in _default if _dtypes.issubdtype(d, np.inexact)}


def default_tolerance() -> dict:
    """Return how far numbers may differ, by dtype."""
    return _default


def tolerance(dtype: Any, tol: Tolerance = None) -> float:
    """Return how far numbers of a dtype may differ: what `tol` says of it, or the default."""
    if isinstance(tol, (int, float, np.number)):
        return float(tol)
    dtype = np.dtype(dtype)
    given = {np.dtype(d): value for d, value in (tol or {}).items()}
    canonical = np.dtype(_dtypes.canonicalize_dtype(dtype)) if dtype != _dtypes.float0 else dtype
    return given.get(dtype, given.get(canonical, _default[canonical]))


def join_tolerance(tol1: Tolerance, tol2: Tolerance) -> dict:
    """Return the larger of two tolerances for each dtype."""
    def by_dtype(tol):
        if isinstance(tol, (int, float)):
            return dict.fromkeys(_default, tol)
        return _default if tol is None else {np.dtype(d): value for d, value in tol.items()}

    one, other = by_dtype(tol1), by_dtype(tol2)
    return {d: max(one.get(d, 0), other.get(d, 0)) for d in one | other}


def dtype_of(x: Any) -> np.dtype:
    """Return the dtype of an array, or the one that JAX gives to a Python number."""
    return x.dtype if hasattr(x, "dtype") else np.dtype(_dtypes.canonicalize_dtype(np.asarray(x).dtype))


def is_sequence(x: Any) -> bool:
    """Return whether a value can be iterated over."""
    try:
        iter(x)
    except TypeError:
        return False
    return True


def close(a: Any, b: Any, atol: Tolerance = None, rtol: Tolerance = None, err_msg: str = "") -> None:
    """Raise AssertionError if two arrays of NumPy are not as near as their dtypes or `atol` and `rtol` say."""
    if a.dtype == b.dtype == _dtypes.float0:
        return np.testing.assert_array_equal(a, b, err_msg=err_msg)
    absolute, relative = (max(tolerance(a.dtype, t), tolerance(b.dtype, t)) for t in (atol, rtol))
    a, b = (x.astype(np.float32) if x.dtype.kind == "V" or x.dtype.itemsize < 2 and x.dtype.kind == "f" else x
            for x in (a, b))
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(a, b, atol=absolute, rtol=relative, err_msg=err_msg)
    return None


def check_eq(xs: Any, ys: Any, err_msg: str = "") -> None:
    """Raise AssertionError if two trees of arrays are not equal."""
    def equal(x, y):
        assert dtype_of(x) == dtype_of(y), f"{dtype_of(x)} is not {dtype_of(y)}. {err_msg}"
        np.testing.assert_array_equal(np.asarray(x), np.asarray(y), err_msg=err_msg)
        return True

    tree_all(tree_map(equal, xs, ys))


def check_close(xs: Any, ys: Any, atol: Tolerance = None, rtol: Tolerance = None, err_msg: str = "") -> None:
    """Raise AssertionError if two trees of arrays are not near each other."""
    def near(x, y):
        close(np.asarray(x), np.asarray(y), atol, rtol, err_msg)
        return True

    tree_all(tree_map(near, xs, ys))


def check_raises(thunk: Callable, err_type: type, msg: str) -> None:
    """Raise AssertionError if a call does not raise an error of a class whose text begins with `msg`."""
    try:
        thunk()
    except err_type as error:
        assert str(error).startswith(msg), f"\n{error}\n\n{msg}\n"
    else:
        raise AssertionError(f"{err_type.__name__} was not raised")


def check_raises_regexp(thunk: Callable, err_type: type, pattern: str) -> None:
    """Raise AssertionError if a call does not raise an error of a class whose text a pattern matches."""
    try:
        thunk()
    except err_type as error:
        assert re.match(pattern, str(error)), f"{error}\n\n{pattern}\n"
    else:
        raise AssertionError(f"{err_type.__name__} was not raised")
