"""`random_bcoo`: sparse arrays with random elements at random places.

Tests: `tests/experimental/sparse/test_api.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ... import numpy as jnp
from ... import random
from ...core.messages.boundaries import public
from ...transforms.vmap import vmap
from .bcoo import BCOO

__all__ = ["random_bcoo"]

public(globals())


def random_bcoo(
    key, shape: Sequence[int], *, dtype: Any = np.float64, indices_dtype: Any = None, nse: int | float = 0.2,
    n_batch: int = 0, n_dense: int = 0, unique_indices: bool = True, sorted_indices: bool = False,
    generator: Callable = random.uniform, **kwds: Any,
) -> BCOO:
    """Return a sparse array with random elements at random places.

    Args:
      key: a random key.
      shape, dtype: of the array.
      indices_dtype: of the indices; default, an integer dtype.
      nse: the number of specified elements in each batch, or, below 1, their share of all.
      n_batch, n_dense: the numbers of batch and of dense axes.
      unique_indices: no index occurs twice in a batch.
      sorted_indices: the indices are in order.
      generator: `(key, shape, dtype, **kwds) -> array`, of the elements.
      **kwds: further arguments of the generator.
    Raises:
      ValueError: there are not so many axes, or not so many elements.

    >>> from adjoint.experimental import sparse
    >>> sparse.random_bcoo(random.key(0), (3, 4), nse=2, dtype=jnp.float32)
    BCOO(float32[3, 4], nse=2)
    """
    shape = tuple([operator.index(n) for n in shape])
    n_sparse = len(shape) - n_batch - n_dense
    if min(n_sparse, n_batch, n_dense) < 0:
        raise ValueError(f"Invalid {n_batch=}, {n_dense=} for {shape=}")
    batch, sparse, dense = shape[:n_batch], shape[n_batch : n_batch + n_sparse], shape[n_batch + n_sparse :]
    count = prod(sparse)
    if not 0 <= nse < 1 and nse != int(nse):
        raise AssertionError(f"nse is a number of elements, or a share of them below 1; got {nse=}.")
    if not 0 <= nse <= count:
        raise ValueError(f"got {nse=}, expected to be between 0 and {count}")
    given = int(np.ceil(nse * count)) if 0 < nse < 1 else int(nse)
    dtype = jnp.zeros(0, dtype).dtype
    indices_dtype = jnp.arange(0).dtype if indices_dtype is None else np.dtype(indices_dtype)
    first, *rest = random.split(key, 1 + prod(batch))
    data = generator(first, (*batch, given, *dense), dtype=dtype, **kwds)

    def places(key):
        flat = random.choice(key, count, (given,), replace=not unique_indices)
        at = jnp.unravel_index(flat, sparse) if sparse else ()
        return jnp.stack(at, -1).astype(indices_dtype) if at else jnp.zeros((given, 0), indices_dtype)

    if rest:
        indices = vmap(places)(jnp.stack(rest)).reshape((*batch, given, n_sparse))
    else:
        indices = jnp.zeros((*batch, given, n_sparse), indices_dtype)
    mat = BCOO((data, indices), shape=shape)
    return mat.sort_indices() if sorted_indices else mat
