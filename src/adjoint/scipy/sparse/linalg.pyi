# Written by stubs/generate.py; do not edit.
from adjoint.scipy.sparse._linalg import bicgstab as bicgstab
from adjoint.scipy.sparse._linalg import cg as cg
from adjoint.scipy.sparse._linalg import gmres as gmres
