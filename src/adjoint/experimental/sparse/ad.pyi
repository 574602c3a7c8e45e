# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse._ad import grad as grad
from adjoint.experimental.sparse._ad import jacfwd as jacfwd
from adjoint.experimental.sparse._ad import jacobian as jacobian
from adjoint.experimental.sparse._ad import jacrev as jacrev
from adjoint.experimental.sparse._ad import value_and_grad as value_and_grad
