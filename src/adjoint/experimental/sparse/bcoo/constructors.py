"""Empty arrays and identity matrices.

Tests: `tests/experimental/sparse/test_api.py`.
"""

from __future__ import annotations

import numpy as np

from .... import numpy as jnp
from .array import BCOO, member

__all__: list[str] = []


@member
@classmethod
def _empty(cls, shape, *, dtype=None, index_dtype="int32", n_dense: int = 0, n_batch: int = 0, nse: int = 0) -> BCOO:
    """Return an array without elements, or with `nse` that stand for none."""
    shape = tuple(shape)
    n_sparse = len(shape) - n_dense - n_batch
    if min(n_sparse, n_batch, n_dense, nse) < 0:
        raise ValueError(f"Invalid inputs: {shape=}, {n_dense=}, {n_batch=}, {nse=}")
    batch, sparse, dense = shape[:n_batch], shape[n_batch : n_batch + n_sparse], shape[n_batch + n_sparse :]
    data = jnp.zeros((*batch, nse, *dense), dtype)
    indices = jnp.asarray(np.broadcast_to(np.array(sparse, index_dtype), (*batch, nse, n_sparse)))
    return cls((data, indices), shape=shape, indices_sorted=True, unique_indices=True)


@member
@classmethod
def _eye(cls, N: int, M: int, k: int, *, dtype=None, index_dtype="int32", n_batch: int = 0, n_dense: int = 0) -> BCOO:
    """Return the matrix with ones on a diagonal."""
    n_sparse = 2 - n_batch - n_dense
    if min(n_sparse, n_batch, n_dense) < 0:
        raise ValueError(f"Invalid inputs: shape={(N, M)}, {n_dense=}, {n_batch=}")
    size = max(0, min(N, M - k) if k >= 0 else min(N + k, M))
    if not size:
        return cls._empty((N, M), dtype=dtype, index_dtype=index_dtype, n_batch=n_batch, n_dense=n_dense)
    rows = np.arange(size) - min(k, 0)
    dense = np.eye(N, M, k)
    if n_batch == 1 and n_dense == 0:
        columns = np.arange(N) + k
        data = (columns >= 0)[:, None]
        indices = np.where(columns < 0, M, columns)[:, None, None]
    elif n_sparse == 2:
        data, indices = np.ones(size), np.stack([rows, rows + k], -1)
    elif n_sparse == 1:
        data, indices = dense[rows], rows[:, None]
    else:
        shape = (N, M)
        data = dense.reshape((*shape[:n_batch], 1, *shape[n_batch:]))
        indices = np.zeros((*shape[:n_batch], 1, 0))
    return cls(
        (jnp.asarray(data.astype(np.float32)).astype(dtype), jnp.asarray(indices.astype(index_dtype))), shape=(N, M),
        indices_sorted=True, unique_indices=True,
    )
