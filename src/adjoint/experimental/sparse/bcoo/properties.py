"""The kinds of axes: which axes of a `BCOO` array are batch, sparse and dense, and whether buffers fit a shape.

Tests: `tests/experimental/sparse/test_formats.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core import dtypes
from ....core.process.records import NamedTuple

__all__ = ["BCOOProperties", "check_buffers", "properties_of", "split"]


class BCOOProperties(NamedTuple):
    """The number of batch axes, sparse axes, dense axes, and specified elements.

    Args:
      n_batch, n_sparse, n_dense: how many axes there are of each kind.
      nse: how many elements are specified.

    >>> BCOOProperties(n_batch=0, n_sparse=2, n_dense=0, nse=3).nse
    3
    """

    n_batch: int
    n_sparse: int
    n_dense: int
    nse: int


def properties_of(data, indices, shape: Sequence[int]) -> BCOOProperties:
    """Return the properties of an array that has these buffers; buffers that do not fit the shape are an error."""
    shape = tuple(shape)
    if not dtypes.issubdtype(indices.dtype, dtypes.np.integer):
        raise AssertionError(f"indices of a BCOO array must be integers; got {indices.dtype}.")
    if indices.ndim < 2:
        raise ValueError(
            f"indices of a BCOO array have a shape [*batch, nse, n_sparse]; got indices.shape={indices.shape}."
        )
    nse, n_sparse = indices.shape[-2:]
    n_batch = indices.ndim - 2
    n_dense = len(shape) - n_batch - n_sparse
    if n_dense < 0:
        raise AssertionError(
            f"indices.shape={indices.shape} is of {n_batch} batch and {n_sparse} sparse axes; shape={shape} has "
            f"{len(shape)} axes in all."
        )
    batch = shape[:n_batch]
    for name, x in (("data", data), ("indices", indices)):
        if len(x.shape) < n_batch or any([m not in (1, n) for m, n in zip(x.shape, batch)]):
            raise ValueError(f"{name} batch dimensions not compatible for {name}.shape={x.shape}, shape={shape}")
    if data.shape[n_batch:] != (nse, *shape[n_batch + n_sparse :]):
        raise ValueError(f"Invalid data.shape={data.shape} for nse={nse}, n_batch={n_batch}, n_dense={n_dense}")
    return BCOOProperties(n_batch, n_sparse, n_dense, nse)


def check_buffers(data, indices, shape) -> None:
    """Raise the error of buffers that do not fit a shape; what stands for arrays in trees is let through."""
    if all([hasattr(x, "shape") and hasattr(x, "dtype") for x in (data, indices)]):
        properties_of(data, indices, shape)


def split(shape: Sequence[int], p: BCOOProperties) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of the batch, sparse and dense axes."""
    shape = tuple(shape)
    return shape[: p.n_batch], shape[p.n_batch : p.n_batch + p.n_sparse], shape[p.n_batch + p.n_sparse :]
