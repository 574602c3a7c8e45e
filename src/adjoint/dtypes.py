"""Dtypes: their categories, their limits, and which one operands have in common.

The names are those of `jax.dtypes`; `core/dtypes.py` has the definitions and draws the lattice.

Tests: `tests/core/test_dtypes.py`.
"""

from __future__ import annotations

from ml_dtypes import bfloat16

from adjoint.core.dtypes import (
    TypePromotionError,
    canonicalize_dtype,
    extended,
    finfo,
    float0,
    iinfo,
    issubdtype,
    itemsize_bits,
    prng_key,
    result_type,
    scalar_type_of,
)

from .core.messages.boundaries import explain_missing as _explain_missing

__all__ = [
    "TypePromotionError",
    "bfloat16",
    "canonicalize_dtype",
    "extended",
    "finfo",
    "float0",
    "iinfo",
    "issubdtype",
    "itemsize_bits",
    "prng_key",
    "result_type",
    "scalar_type_of",
]

_explain_missing(globals())
