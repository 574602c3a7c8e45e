# Written by stubs/generate.py; do not edit.
from typing import Any
from typing import NamedTuple
from adjoint.experimental.sparse import COO as COO
class COOInfo(NamedTuple):
    """The same of a `COO` matrix."""
    shape: Any
    rows_sorted: Any
    cols_sorted: Any
from adjoint.experimental.sparse import coo_fromdense as coo_fromdense
from adjoint.lax import coo_fromdense_p as coo_fromdense_p
from adjoint.experimental.sparse import coo_matmat as coo_matmat
from adjoint.lax import coo_matmat_p as coo_matmat_p
from adjoint.experimental.sparse import coo_matvec as coo_matvec
from adjoint.lax import coo_matvec_p as coo_matvec_p
from adjoint.experimental.sparse import coo_todense as coo_todense
from adjoint.lax import coo_todense_p as coo_todense_p
