"""The product of two matrices, as an example of a kernel of TPUs has it.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.messages.boundaries import public
from .....core.types import Array
from .....numpy.conversion import asarray
from .....numpy.products import matmul as _matmul

__all__ = ["matmul"]


def matmul(
    x: Any, y: Any, *, block_shape: Any, block_k: int = 256, out_dtype: Any = None, debug: bool = False
) -> Array:
    """Return the product of two matrices.

    Args:
      x, y: the matrices.
      out_dtype: of the result; by default that of `x`.
      block_shape, block_k, debug: for TPUs; they change nothing here.

    >>> from adjoint.experimental.pallas.ops.tpu.matmul import matmul
    >>> matmul(jnp.ones((1, 2)), jnp.ones((2, 1)), block_shape=(1, 1))
    Array([[2.]], dtype=float32)
    """
    x, y = asarray(x), asarray(y)
    return _matmul(x, y, preferred_element_type=np.dtype("float32")).astype(x.dtype if out_dtype is None else out_dtype)


public(globals())
