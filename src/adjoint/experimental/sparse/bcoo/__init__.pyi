# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import BCOO as _BCOO
from typing import NamedTuple
from adjoint.experimental.sparse import BCOO as BCOO
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
from adjoint.experimental.sparse import bcoo_broadcast_in_dim as bcoo_broadcast_in_dim
from adjoint.experimental.sparse import bcoo_concatenate as bcoo_concatenate
from adjoint.experimental.sparse import bcoo_conv_general_dilated as bcoo_conv_general_dilated
from adjoint.experimental.sparse import bcoo_dot_general as bcoo_dot_general
from adjoint.lax import bcoo_dot_general_p as bcoo_dot_general_p
from adjoint.experimental.sparse import bcoo_dot_general_sampled as bcoo_dot_general_sampled
from adjoint.lax import bcoo_dot_general_sampled_p as bcoo_dot_general_sampled_p
from adjoint.experimental.sparse import bcoo_dynamic_slice as bcoo_dynamic_slice
def bcoo_eliminate_zeros(mat: _BCOO, nse: int | None = None) -> _BCOO:
    """Return the array without elements that are zero, each index once and in order.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as are needed.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO((jnp.array([0., 2.]), jnp.array([[0], [1]])), shape=(3,))
    >>> sparse.bcoo.bcoo_eliminate_zeros(m)
    BCOO(float32[3], nse=1)
    """
from adjoint.experimental.sparse import bcoo_extract as bcoo_extract
from adjoint.lax import bcoo_extract_p as bcoo_extract_p
from adjoint.experimental.sparse import bcoo_fromdense as bcoo_fromdense
from adjoint.lax import bcoo_fromdense_p as bcoo_fromdense_p
from adjoint.experimental.sparse import bcoo_gather as bcoo_gather
from adjoint.experimental.sparse import bcoo_multiply_dense as bcoo_multiply_dense
from adjoint.experimental.sparse import bcoo_multiply_sparse as bcoo_multiply_sparse
from adjoint.experimental.sparse import bcoo_reduce_sum as bcoo_reduce_sum
from adjoint.experimental.sparse import bcoo_reshape as bcoo_reshape
from adjoint.experimental.sparse import bcoo_rev as bcoo_rev
from adjoint.experimental.sparse import bcoo_slice as bcoo_slice
from adjoint.experimental.sparse import bcoo_sort_indices as bcoo_sort_indices
from adjoint.lax import bcoo_sort_indices_p as bcoo_sort_indices_p
from adjoint.lax import bcoo_spdot_general_p as bcoo_spdot_general_p
from adjoint.experimental.sparse import bcoo_squeeze as bcoo_squeeze
from adjoint.experimental.sparse import bcoo_sum_duplicates as bcoo_sum_duplicates
from adjoint.lax import bcoo_sum_duplicates_p as bcoo_sum_duplicates_p
from adjoint.experimental.sparse import bcoo_todense as bcoo_todense
from adjoint.lax import bcoo_todense_p as bcoo_todense_p
from adjoint.experimental.sparse import bcoo_transpose as bcoo_transpose
from adjoint.lax import bcoo_transpose_p as bcoo_transpose_p
from adjoint.experimental.sparse import bcoo_update_layout as bcoo_update_layout
