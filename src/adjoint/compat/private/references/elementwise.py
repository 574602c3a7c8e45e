"""Functions of `lax` that compute each element alone, over NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scipy import special

__all__ = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bessel_i0e", "bessel_i1e", "betainc",
    "bitcast_convert_type", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "cbrt", "ceil", "clamp", "clz",
    "complex", "conj", "convert_element_type", "cos", "cosh", "digamma", "div", "eq", "erf", "erf_inv", "erfc", "exp",
    "exp2", "expm1", "floor", "ge", "gt", "igamma", "igammac", "imag", "is_finite", "le", "lgamma", "log", "log1p",
    "logistic", "lt", "max", "min", "mul", "mulhi", "ne", "neg", "nextafter", "population_count", "pow", "real",
    "reciprocal", "rem", "round", "rsqrt", "select", "shift_left", "shift_right_arithmetic", "sign", "sin", "sinh",
    "sqrt", "square", "sub", "tan", "tanh",
]

neg, sign, floor, ceil, abs, is_finite = np.negative, np.sign, np.floor, np.ceil, np.abs, np.isfinite
exp, exp2, expm1, log, log1p = np.exp, np.exp2, np.expm1, np.log, np.log1p
sin, cos, tan, asin, acos, atan, atan2 = np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.arctan2
sinh, cosh, tanh, asinh, acosh, atanh = np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh
sqrt, cbrt, square, reciprocal, pow, nextafter = np.sqrt, np.cbrt, np.square, np.reciprocal, np.power, np.nextafter
add, sub, max, min, real, imag = np.add, np.subtract, np.maximum, np.minimum, np.real, np.imag
bitwise_not, bitwise_and, bitwise_or, bitwise_xor = np.bitwise_not, np.bitwise_and, np.bitwise_or, np.bitwise_xor
shift_left, shift_right_arithmetic = np.left_shift, np.right_shift
eq, ne, ge, gt, le, lt, select = (
    np.equal, np.not_equal, np.greater_equal, np.greater, np.less_equal, np.less, np.where)
igamma, igammac = special.gammainc, special.gammaincc


def _of_dtype(f: Callable, doc: str) -> Callable:
    """Return a function of SciPy's that computes in double precision and gives the dtype of its first operand."""
    def computed(*operands: Any) -> np.ndarray:
        arrays = [np.asarray(x) for x in operands]
        wide = [x.astype(np.float64) for x in arrays]
        return np.asarray(f(*wide)).astype(arrays[0].dtype)

    computed.__doc__ = f"Return {doc}, in the dtype of the operand."
    return computed


bessel_i0e = _of_dtype(special.i0e, "the scaled Bessel function of order 0")
bessel_i1e = _of_dtype(special.i1e, "the scaled Bessel function of order 1")
betainc = _of_dtype(special.betainc, "the regularized incomplete beta function")
digamma = _of_dtype(special.digamma, "the derivative of the logarithm of the gamma function")
lgamma = _of_dtype(special.gammaln, "the logarithm of the gamma function")
erf = _of_dtype(special.erf, "the error function")
erfc = _of_dtype(special.erfc, "one less the error function")
erf_inv = _of_dtype(special.erfinv, "the inverse of the error function")


def logistic(x: Any) -> np.ndarray:
    """Return 1 / (1 + exp(-x))."""
    x = np.asarray(x)
    return (1 / (1 + np.exp(-x))).astype(x.dtype)


def rsqrt(x: Any) -> np.ndarray:
    """Return 1 / sqrt(x)."""
    x = np.asarray(x)
    return np.ones_like(x) / np.sqrt(x)


def round(x: Any) -> np.ndarray:
    """Return the nearest integers, halves away from zero."""
    x = np.asarray(x)
    near = np.rint(x)
    half = np.abs(x - np.trunc(x)) == 0.5
    return np.where(half, np.trunc(x) + np.sign(x), near).astype(x.dtype)


def conj(x: Any) -> np.ndarray:
    """Return the conjugates, complex ones for real numbers too."""
    x = np.asarray(x)
    return np.conj(x) + np.complex64(0)


def complex(x: Any, y: Any) -> np.ndarray:
    """Return complex numbers of real and imaginary parts."""
    x = np.asarray(x)
    return (x + 1j * np.asarray(y)).astype(np.complex128 if x.dtype == np.float64 else np.complex64)


def mul(x: Any, y: Any, /, *, out_dtype: Any = None) -> np.ndarray:
    """Return products, computed in the dtype of the result."""
    return np.multiply(x, y, dtype=out_dtype)


def mulhi(x: Any, y: Any) -> np.ndarray:
    """Return the upper halves of products of integers."""
    x, y = np.asarray(x), np.asarray(y)
    exact = x.astype(object) * y.astype(object)
    return np.asarray(exact >> (8 * x.dtype.itemsize)).astype(x.dtype)


def div(lhs: Any, rhs: Any) -> np.ndarray:
    """Return quotients; those of integers are cut towards zero."""
    lhs, rhs = np.asarray(lhs), np.asarray(rhs)
    if not np.issubdtype(lhs.dtype, np.integer):
        return lhs / rhs
    quotient = np.floor_divide(lhs, rhs)
    rounds_up = (quotient < 0) & (quotient * rhs != lhs)
    return (quotient + rounds_up).astype(np.result_type(lhs, rhs))


def rem(lhs: Any, rhs: Any) -> np.ndarray:
    """Return remainders, with the signs of the numerators."""
    return np.fmod(lhs, rhs)


def clamp(min: Any, operand: Any, max: Any) -> np.ndarray:
    """Return the operand between two bounds, in its dtype."""
    return np.minimum(np.maximum(operand, min), max).astype(np.asarray(operand).dtype)


def population_count(x: Any) -> np.ndarray:
    """Return the numbers of bits that are one."""
    x = np.asarray(x)
    words = np.ascontiguousarray(x).reshape(-1, 1).view(np.uint8)
    return np.unpackbits(words, axis=1).sum(axis=1).reshape(x.shape).astype(x.dtype)


def clz(x: Any) -> np.ndarray:
    """Return the numbers of leading bits that are zero."""
    x = np.asarray(x)
    bits = 8 * x.dtype.itemsize
    unsigned = x.astype(object) % (1 << bits)
    return np.asarray(np.frompyfunc(lambda n: bits - int(n).bit_length(), 1, 1)(unsigned)).astype(x.dtype)


def convert_element_type(operand: Any, dtype: Any) -> np.ndarray:
    """Return the operand in another dtype."""
    return np.asarray(operand, dtype=dtype)


def bitcast_convert_type(operand: Any, dtype: Any) -> np.ndarray:
    """Return the bits of the operand as numbers of another dtype.

    There is one more axis where these are smaller, one less where they are larger.
    """
    operand = np.asarray(operand)
    before, after = operand.dtype.itemsize, np.dtype(dtype).itemsize
    if before == after:
        return operand.view(dtype)
    if before > after:
        return np.ascontiguousarray(operand)[..., None].view(dtype)
    return np.ascontiguousarray(operand).view(dtype)[..., 0]
