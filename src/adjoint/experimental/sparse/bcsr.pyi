# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import BCSR as _BCSR
from typing import NamedTuple
from adjoint.experimental.sparse import BCSR as BCSR
class BCSRProperties(NamedTuple):
    """The number of batch axes, dense axes, and specified elements.

    Args:
      n_batch, n_dense: how many axes there are of each kind.
      nse: how many elements are specified.

    >>> BCSRProperties(n_batch=0, n_dense=0, nse=3).nse
    3
    """
    n_batch: int
    n_dense: int
    nse: int
from adjoint.experimental.sparse import bcsr_broadcast_in_dim as bcsr_broadcast_in_dim
from adjoint.experimental.sparse import bcsr_concatenate as bcsr_concatenate
from adjoint.experimental.sparse import bcsr_dot_general as bcsr_dot_general
from adjoint.lax import bcsr_dot_general_p as bcsr_dot_general_p
def bcsr_eliminate_zeros(mat: _BCSR, nse: int | None = None) -> _BCSR:
    """Return the array without elements that are zero, each index once and in order.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as are needed.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCSR((jnp.array([0., 2.]), jnp.array([0, 1]), jnp.array([0, 1, 2])), shape=(2, 3))
    >>> sparse.bcsr.bcsr_eliminate_zeros(m)
    BCSR(float32[2, 3], nse=1)
    """
from adjoint.experimental.sparse import bcsr_extract as bcsr_extract
from adjoint.lax import bcsr_extract_p as bcsr_extract_p
from adjoint.experimental.sparse import bcsr_fromdense as bcsr_fromdense
from adjoint.lax import bcsr_fromdense_p as bcsr_fromdense_p
from adjoint.experimental.sparse import bcsr_sum_duplicates as bcsr_sum_duplicates
from adjoint.experimental.sparse import bcsr_todense as bcsr_todense
from adjoint.lax import bcsr_todense_p as bcsr_todense_p
