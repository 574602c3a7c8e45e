# Written by stubs/generate.py; do not edit.
from typing import NamedTuple
from adjoint.experimental.sparse import COO as COO
class COOInfo(NamedTuple):
    """The shape of a `COO` matrix, and what is known of its indices.

    Args:
      shape: of the matrix.
      rows_sorted: whether the indices of rows are in order.
      cols_sorted: whether those of columns are.

    >>> COOInfo((2, 3), rows_sorted=True)
    COOInfo(shape=(2, 3), rows_sorted=True, cols_sorted=False)
    """
    shape: tuple[int, ...]
    rows_sorted: bool
    cols_sorted: bool
from adjoint.experimental.sparse import coo_fromdense as coo_fromdense
from adjoint.lax import coo_fromdense_p as coo_fromdense_p
from adjoint.experimental.sparse import coo_matmat as coo_matmat
from adjoint.lax import coo_matmat_p as coo_matmat_p
from adjoint.experimental.sparse import coo_matvec as coo_matvec
from adjoint.lax import coo_matvec_p as coo_matvec_p
from adjoint.experimental.sparse import coo_todense as coo_todense
from adjoint.lax import coo_todense_p as coo_todense_p
