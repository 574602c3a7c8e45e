# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import CSC as CSC
from adjoint.experimental.sparse import CSR as CSR
from adjoint.experimental.sparse import csr_fromdense as csr_fromdense
from adjoint.lax import csr_fromdense_p as csr_fromdense_p
from adjoint.experimental.sparse import csr_matmat as csr_matmat
from adjoint.lax import csr_matmat_p as csr_matmat_p
from adjoint.experimental.sparse import csr_matvec as csr_matvec
from adjoint.lax import csr_matvec_p as csr_matvec_p
from adjoint.experimental.sparse import csr_todense as csr_todense
from adjoint.lax import csr_todense_p as csr_todense_p
