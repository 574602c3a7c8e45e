"""Dtypes as they are written in messages and printed programs.

Tests: `tests/core/test_dtypes.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["FLOAT0", "short_name"]

FLOAT0 = np.dtype([("float0", np.void, 0)])  # the dtype of tangents of integers

_LETTERS = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}
_texts: dict[Any, str] = {}


def short_name(dtype: Any) -> str:
    """Return the name in jaxprs: `f32`, `bf16`, `i32`, `bool`, `f8_e4m3fn`, `key<fry>`, `float0`.

    >>> short_name(np.dtype("float32"))
    'f32'
    """
    text = _texts.get(dtype)
    if text is None:
        text = _texts[dtype] = _spell(dtype)
    return text


def _spell(dtype: Any) -> str:
    if not isinstance(dtype, np.dtype | type | str):  # a dtype of this library's, as of keys
        return dtype.name
    if dtype == FLOAT0:
        return "float0"
    name = np.dtype(dtype).name
    kind = name.partition("_")[0].rstrip("0123456789")
    return _LETTERS[kind] + name[len(kind):] if kind in _LETTERS else name
