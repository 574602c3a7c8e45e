"""Changes of which axes are batch, sparse and dense: `bcoo_update_layout`.

Tests: `tests/experimental/sparse/test_bcoo_shapes.py`.
"""

from __future__ import annotations

import warnings
from math import prod

import numpy as np

from .... import numpy as jnp
from ..util import SparseEfficiencyError, SparseEfficiencyWarning
from .array import BCOO, member
from .properties import properties_of, split

__all__ = ["bcoo_update_layout"]


def bcoo_update_layout(
    mat: BCOO, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str | None = "error"
) -> BCOO:
    """Return the same array with other numbers of batch and dense axes.

    Args:
      mat: the array.
      n_batch: of batch axes; default, as it is.
      n_dense: of dense axes; default, as it is.
      on_inefficient: what to do if the result takes more space than is needed: "error", "warn" or None.
    Raises:
      SparseEfficiencyError: the result would take more space than is needed.
      ValueError: there are not so many axes, or there is no such `on_inefficient`.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_update_layout(sparse.eye(3, n_batch=1), n_batch=0)
    BCOO(float32[3, 3], nse=3)
    """
    p = properties_of(mat.data, mat.indices, mat.shape)
    n_batch = p.n_batch if n_batch is None else int(n_batch)
    n_dense = p.n_dense if n_dense is None else int(n_dense)
    if (n_batch, n_dense) == (p.n_batch, p.n_dense):
        return mat
    if n_batch < 0:
        raise ValueError(f"n_batch must be non-negative; got {n_batch}")
    if n_dense < 0:
        raise ValueError(f"n_dense must be non-negative; got {n_dense}")
    if n_batch + n_dense > mat.ndim:
        raise ValueError(f"sum of {n_batch=} and {n_dense=} cannot be larger than mat.ndim={mat.ndim}.")
    if on_inefficient not in ("error", "warn", None):
        raise ValueError(f"{on_inefficient=}; expected one of ['error', 'warn', None].")
    for name, new, old, sizes in (
        ("n_batch", n_batch, p.n_batch, mat.shape[p.n_batch : n_batch]),
        ("n_dense", n_dense, p.n_dense, mat.shape[mat.ndim - n_dense : mat.ndim - p.n_dense]),
    ):
        if new > old and prod(sizes) > 1:
            _complain(mat, name, old, new, on_inefficient)
    if n_dense < p.n_dense:
        mat = _with_fewer_dense(mat, n_dense)
    if n_batch < p.n_batch:
        mat = _with_fewer_batch(mat, n_batch)
    if n_dense > p.n_dense:
        mat = _with_more_dense(mat, n_dense)
    if n_batch > p.n_batch:
        mat = _with_more_batch(mat, n_batch)
    return mat


def _complain(mat, name: str, old: int, new: int, on_inefficient) -> None:
    text = f"For matrix of shape {mat.shape}, increasing {name} from {old} to {new} results in inefficient storage."
    advice = "argument of bcoo_update_layout to "
    if on_inefficient == "error":
        raise SparseEfficiencyError(
            f"{text} To disable this error, set the on_inefficient {advice}'warn' or None."
        )
    if on_inefficient == "warn":
        warnings.warn(f"{text} To disable this warning, set the on_inefficient {advice}None.",
                      SparseEfficiencyWarning, stacklevel=4)


def _numbers(shape, dtype):
    """Return the indices of all elements of a shape, one after the other."""
    grid = np.indices(shape).reshape(len(shape), -1).T
    return jnp.asarray(grid.astype(np.int32)).astype(dtype)


def _with_fewer_dense(mat: BCOO, n_dense: int) -> BCOO:
    p = properties_of(mat.data, mat.indices, mat.shape)
    _, _, dense = split(mat.shape, p)
    n = p.n_batch
    opened = dense[: p.n_dense - n_dense]
    count = prod(opened)
    data = mat.data.reshape((*mat.data.shape[:n], p.nse * count, *dense[len(opened) :]))
    batch = mat.indices.shape[:n]
    shape = (*batch, p.nse, count)
    old = jnp.broadcast_to(mat.indices[..., None, :], (*shape, p.n_sparse))
    new = jnp.broadcast_to(_numbers(opened, mat.indices.dtype), (*shape, len(opened)))
    indices = jnp.concatenate([old, new], -1).reshape((*batch, p.nse * count, p.n_sparse + len(opened)))
    return BCOO((data, indices), shape=mat.shape)


def _with_fewer_batch(mat: BCOO, n_batch: int) -> BCOO:
    p = properties_of(mat.data, mat.indices, mat.shape)
    opened = mat.shape[n_batch : p.n_batch]
    kept = lambda x: (*x.shape[:n_batch], *opened)
    data, indices = [
        jnp.broadcast_to(x, (*kept(x), *x.shape[p.n_batch :])) for x in (mat.data, mat.indices)
    ]
    numbers = _numbers(opened, indices.dtype).reshape((*opened, 1, len(opened)))
    numbers = jnp.broadcast_to(numbers[(None,) * n_batch], (*indices.shape[:-1], len(opened)))
    indices = jnp.concatenate([numbers, indices], -1)
    nse = prod(opened) * p.nse
    return BCOO(
        (data.reshape((*data.shape[:n_batch], nse, *data.shape[p.n_batch + 1 :])),
         indices.reshape((*indices.shape[:n_batch], nse, indices.shape[-1]))),
        shape=mat.shape,
    )


def _places(columns, numbers):
    """Return where columns of indices `[..., nse, k]` are equal to numbers `[n, k]`, as `[..., nse, n]`."""
    k = numbers.shape[-1]
    shape = (*columns.shape[:-1], numbers.shape[0], k)
    return (jnp.broadcast_to(columns[..., None, :], shape) == jnp.broadcast_to(numbers, shape)).all(-1)


def _with_more_dense(mat: BCOO, n_dense: int) -> BCOO:
    p = properties_of(mat.data, mat.indices, mat.shape)
    n, more = p.n_batch, n_dense - p.n_dense
    _, _, dense = split(mat.shape, p)
    closed = mat.shape[mat.ndim - n_dense : mat.ndim - p.n_dense]
    at = _places(mat.indices[..., p.n_sparse - more :], _numbers(closed, mat.indices.dtype))
    batch = np.broadcast_shapes(at.shape[:n], mat.data.shape[:n])
    shape = (*batch, p.nse, prod(closed), *dense)
    at = jnp.broadcast_to(jnp.expand_dims(at, tuple(range(at.ndim, at.ndim + len(dense)))), shape)
    data = jnp.broadcast_to(jnp.expand_dims(mat.data, n + 1), shape)
    data = jnp.where(at, data, jnp.zeros((), data.dtype)).reshape((*batch, p.nse, *closed, *dense))
    return BCOO((data, mat.indices[..., : p.n_sparse - more]), shape=mat.shape)


def _with_more_batch(mat: BCOO, n_batch: int) -> BCOO:
    p = properties_of(mat.data, mat.indices, mat.shape)
    n, more = p.n_batch, n_batch - p.n_batch
    closed = mat.shape[n:n_batch]
    at = _places(mat.indices[..., :more], _numbers(closed, mat.indices.dtype))
    at = jnp.moveaxis(at, -1, n)  # [*batch, prod(closed), nse]
    batch = np.broadcast_shapes(at.shape[:n], mat.data.shape[:n])
    dense = mat.data.shape[n + 1 :]
    shape = (*batch, prod(closed), p.nse, *dense)
    at = jnp.broadcast_to(jnp.expand_dims(at, tuple(range(at.ndim, at.ndim + len(dense)))), shape)
    data = jnp.broadcast_to(jnp.expand_dims(mat.data, n), shape)
    data = jnp.where(at, data, jnp.zeros((), data.dtype)).reshape((*batch, *closed, p.nse, *dense))
    indices = jnp.broadcast_to(
        jnp.expand_dims(mat.indices[..., more:], tuple(range(n, n_batch))),
        (*mat.indices.shape[:n], *closed, p.nse, p.n_sparse - more),
    )
    return BCOO((data, indices), shape=mat.shape)


@member
def update_layout(
    self, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str = "error"
) -> BCOO:
    """Return the same array with other numbers of batch and dense axes; see `bcoo_update_layout`.

    Args:
      n_batch: how many of the first axes are batch axes; default, as before.
      n_dense: how many of the last axes are dense; default, as before.
      on_inefficient: "error", "warn" or None, where more memory is needed than before.
    """
    return bcoo_update_layout(self, n_batch=n_batch, n_dense=n_dense, on_inefficient=on_inefficient)
