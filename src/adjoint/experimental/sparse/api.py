"""Sparse arrays of every format: `todense`, `empty`, `eye`.

Tests: `tests/experimental/sparse/test_api.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import numpy as jnp
from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import Array, ShapedArray
from ._base import JAXSparse
from .bcoo import BCOO
from .bcsr import BCSR
from .coo import COO
from .csr import CSC, CSR
from .programs import sparse_primitive

__all__ = ["empty", "eye", "todense", "todense_p"]


@sparse_primitive("todense")
def todense_p(*buffers, tree):
    x = tree_unflatten(tree, buffers)
    return x.todense() if isinstance(x, JAXSparse) else x


todense_p.examples((
    ShapedArray((3,), np.dtype(np.float32)), np.array([[0, 1], [2, 0], [3, 4]], np.int32),
    dict(tree=tree_flatten(BCOO((np.zeros(3, np.float32), np.zeros((3, 2), np.int32)), shape=(3, 4)))[1]),
))


def todense(arr: JAXSparse | Array) -> Array:
    """Return a sparse array, or a dense one, as a dense array. Under `sparsify`, that of a sparse value.

    Args:
      arr: the array.
    Returns:
      An array of its shape and dtype.
    Raises:
      TypeError: `arr` is neither sparse, nor an array or number.

    >>> from adjoint.experimental import sparse
    >>> sparse.todense(sparse.eye(2))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    buffers, tree = tree_flatten(arr)
    return todense_p.bind(*[jnp.asarray(x) for x in buffers], tree=tree)


_formats = {"bcoo": BCOO, "coo": COO, "csr": CSR, "csc": CSC, "bcsr": BCSR}


def _format(sparse_format: str, formats):
    if sparse_format not in formats:
        raise KeyError(f"{sparse_format!r} is no sparse format; there are {', '.join(formats)}.")
    return _formats[sparse_format]


def empty(
    shape: Sequence[int], dtype=None, index_dtype="int32", sparse_format: str = "bcoo", **kwds
) -> JAXSparse:
    """Return a sparse array without elements.

    Args:
      shape, dtype: of the array.
      index_dtype: of its indices.
      sparse_format: "bcoo", "coo", "csr", "csc" or "bcsr".
      **kwds: of the format: for "bcoo", `nse`, `n_batch` and `n_dense`.
    Raises:
      KeyError: there is no such format.

    >>> from adjoint.experimental import sparse
    >>> sparse.empty((2, 3))
    BCOO(float32[2, 3], nse=0)
    """
    dtype = jnp.zeros(0, dtype).dtype
    return _format(sparse_format, _formats)._empty(tuple(shape), dtype=dtype, index_dtype=index_dtype, **kwds)


def eye(
    N: int, M: int | None = None, k: int = 0, dtype=None, index_dtype="int32", sparse_format: str = "bcoo", **kwds
) -> JAXSparse:
    """Return the sparse matrix with ones on a diagonal.

    Args:
      N, M: the number of rows, and of columns; default, the same.
      k: which diagonal, above the main one if it is positive.
      dtype: of the elements.
      index_dtype: of the indices.
      sparse_format: "bcoo", "coo", "csr" or "csc".
      **kwds: of the format: for "bcoo", `n_batch` and `n_dense`.
    Raises:
      KeyError: there is no such format.

    >>> from adjoint.experimental import sparse
    >>> sparse.eye(2, 3, k=1).todense()
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    M = N if M is None else M
    dtype = jnp.zeros(0, dtype).dtype
    made = _format(sparse_format, [name for name in _formats if name != "bcsr"])
    return made._eye(int(N), int(M), int(k), dtype=dtype, index_dtype=np.dtype(index_dtype), **kwds)


_explain_missing(globals())
