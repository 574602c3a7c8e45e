"""Complex numbers from their parts, and the parts.

Derivatives are with respect to the parts, and transposes do not conjugate: the conventions of JAX.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.primitive import is_undefined_primal
from ..core.types import aval_of
from .family import COMPLEX, binary, fill, linear_in_both, unary, unbroadcast

__all__ = ["complex_", "conj", "imag", "real"]

_PARTS = (np.float32, np.float64)


def _complex(x, y):
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), dtypes.to_complex_dtype(x.dtype))
    out.real, out.imag = x, y
    return out


def _conjugate(x, *, input_dtype):
    return np.conjugate(x) if x.dtype.kind == "c" else x.astype(dtypes.to_complex_dtype(x.dtype))


# Copies: a view of every other number is slow to read.
real = unary(
    "real",
    COMPLEX,
    lambda x: x.real.copy(),
    lambda g, z, x: real(g),
    out_dtype=dtypes.to_real_dtype,
)
imag = unary(
    "imag",
    COMPLEX,
    lambda x: x.imag.copy(),
    lambda g, z, x: imag(g),
    out_dtype=dtypes.to_real_dtype,
)
conj = unary(
    "conj",
    (np.float32, *COMPLEX, np.float64),
    _conjugate,
    lambda g, z, x, input_dtype: conj(g, input_dtype=input_dtype),
    out_dtype=lambda x, input_dtype: dtypes.to_complex_dtype(x),
)
# The parameter names the dtype of the operand.
conj.example_calls = [((x,), {"input_dtype": x.dtype}) for (x,), _ in conj.example_calls]
complex_ = binary(
    "complex",
    _PARTS,
    _complex,
    lambda g, z, x, y: complex_(g, fill(y, 0)),
    lambda g, z, x, y: complex_(fill(x, 0), g),
    out_dtype=lambda x, y: dtypes.to_complex_dtype(x),
)
linear_in_both(complex_)


def _zero(ct):
    """The other part of a cotangent, strongly typed, as JAX's is."""
    return aval_of(ct).dtype.type(0)


@real.transpose
def _(ct, x):
    return [complex_(ct, _zero(ct))]


@imag.transpose
def _(ct, x):
    from .arithmetic import neg

    return [complex_(_zero(ct), neg(ct))]


@conj.transpose
def _(ct, x, *, input_dtype):
    if x.aval.dtype.kind == "c":
        return [conj(ct, input_dtype=ct.dtype)]
    return [real(ct)]


@complex_.transpose
def _(ct, x, y):
    from .arithmetic import neg

    return [
        unbroadcast(real(ct), x.aval) if is_undefined_primal(x) else None,
        unbroadcast(imag(neg(ct)), y.aval) if is_undefined_primal(y) else None,
    ]
