"""Keys and values as integers of eight bits with a factor for each row.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ......core.messages.boundaries import public
from ......core.process.records import NamedTuple
from ......core.types import Array
from ......dtypes import bfloat16
from ......numpy.conversion import asarray
from ......numpy.elementary import abs as absolute
from ......numpy.floats import rint
from ......numpy.reductions import max as greatest

__all__ = [
    "MAX_INT8", "QuantizedTensor", "from_int8", "get_quantization_scales", "quantize_to_int8", "to_int8",
    "unquantize_from_int8",
]

MAX_INT8 = 127.5


class QuantizedTensor(NamedTuple):
    """An array of rows as integers.

    Args:
      weight: int8, the rows in units of their scales.
      scales: for each row the number that `MAX_INT8` stands for; its last axis has length 1.
    """

    weight: Array
    scales: Array


def to_int8(x: Any, h: Any) -> Array:
    """Return rows as integers.

    Args:
      x: the rows.
      h: the number that `MAX_INT8` stands for.
    """
    return rint(asarray(x) * (MAX_INT8 / h)).astype(np.dtype("int8"))


def from_int8(x: Any, h: Any, dtype: Any = bfloat16) -> Array:
    """Return the rows that integers stand for.

    Args:
      x: the integers.
      h: the number that `MAX_INT8` stands for.
      dtype: of the result.
    """
    return asarray(x).astype(dtype) * asarray(h).astype(dtype) / MAX_INT8


def get_quantization_scales(x: Any) -> Array:
    """Return the greatest magnitude of each row; the last axis has length 1.

    Args:
      x: the rows.
    """
    return greatest(absolute(asarray(x)), axis=-1, keepdims=True)


def quantize_to_int8(x: Any) -> QuantizedTensor:
    """Return rows as integers, with their scales.

    Args:
      x: the rows.
    """
    scales = get_quantization_scales(x)
    return QuantizedTensor(to_int8(x, scales), scales)


def unquantize_from_int8(x: QuantizedTensor, dtype: Any = bfloat16) -> Array:
    """Return the rows that integers and their scales stand for.

    Args:
      x: what `quantize_to_int8` returned.
      dtype: of the result.
    """
    return from_int8(x.weight, x.scales, dtype)


public(globals())
