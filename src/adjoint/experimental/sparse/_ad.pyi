# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import grad as grad
from adjoint.experimental.sparse import jacfwd as jacfwd
from adjoint.experimental.sparse import jacrev as _jacobian
jacobian = _jacobian
from adjoint.experimental.sparse import jacrev as jacrev
from adjoint.experimental.sparse import value_and_grad as value_and_grad
